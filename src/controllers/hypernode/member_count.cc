#include "controllers/hypernode/member_count.h"

#include <boost/unordered/unordered_flat_set.hpp>
#include <regex>
#include <string_view>

namespace basalt::controllers {
namespace {

using Member = kube::HyperNode::Member;

// A pattern that does not compile matches nothing; the webhook refuses it.
std::optional<std::regex> Compile(const std::string& pattern) {
  try {
    return std::regex(pattern, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error&) {
    return std::nullopt;
  }
}

template <class Object, class Visit>
void ForEachMatch(const Member& member, const std::vector<std::shared_ptr<const Object>>& objects,
                  Visit&& visit) {
  std::optional<std::regex> pattern;
  if (member.regex_match) pattern = Compile(*member.regex_match);
  for (const auto& object : objects) {
    const std::string& name = object->meta.name;
    const bool matches = (member.exact_match && *member.exact_match == name) ||
                         (pattern && std::regex_search(name, *pattern)) ||
                         (member.label_match && member.label_match->Matches(object->meta.labels));
    if (matches) visit(*object);
  }
}

class Counter {
 public:
  Counter(const std::vector<std::shared_ptr<const kube::HyperNode>>& hyper_nodes,
          const std::vector<std::shared_ptr<const kube::Node>>& nodes)
      : hyper_nodes_(hyper_nodes), nodes_(nodes) {}

  void Add(const kube::HyperNode& hyper_node) {
    if (!seen_.insert(hyper_node.meta.name).second) return;
    for (const Member& member : hyper_node.members) {
      if (member.type == Member::Type::kNode) {
        ForEachMatch(member, nodes_,
                     [&](const kube::Node& node) { counted_.insert(node.meta.name); });
      } else {
        ForEachMatch(member, hyper_nodes_, [&](const kube::HyperNode& below) { Add(below); });
      }
    }
  }
  std::int64_t count() const { return static_cast<std::int64_t>(counted_.size()); }

 private:
  const std::vector<std::shared_ptr<const kube::HyperNode>>& hyper_nodes_;
  const std::vector<std::shared_ptr<const kube::Node>>& nodes_;
  boost::unordered_flat_set<std::string_view> seen_;
  boost::unordered_flat_set<std::string_view> counted_;
};

}  // namespace

std::int64_t CountNodes(const kube::HyperNode& hyper_node,
                        const std::vector<std::shared_ptr<const kube::HyperNode>>& hyper_nodes,
                        const std::vector<std::shared_ptr<const kube::Node>>& nodes) {
  Counter counter(hyper_nodes, nodes);
  counter.Add(hyper_node);
  return counter.count();
}

}  // namespace basalt::controllers
