#include <fmt/format.h>

#include <boost/regex.hpp>
#include <string>

#include "webhook/fields.h"
#include "webhook/flow_admission.h"

namespace basalt::webhook {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostPattern = 1024;

bool Compiles(std::string_view pattern) {
  if (pattern.size() > kMostPattern) return false;
  try {
    const boost::regex regex(pattern.begin(), pattern.end(), boost::regex::perl);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

void CheckMember(const json::object& member, const std::string& at, Review& review) {
  const std::string_view type = TextAt(member, "type");
  if (type != "Node" && type != "HyperNode") {
    review.Refuse(fmt::format("{}.type: \"{}\": want Node or HyperNode", at, type));
  }
  const json::object& selector = ObjectAt(member, "selector");
  int given = 0;
  for (const char* key : {"exactMatch", "regexMatch", "labelMatch"}) {
    given += Has(selector, key) ? 1 : 0;
  }
  if (given != 1) {
    review.Refuse(fmt::format(
        "{}.selector: has {} of exactMatch, regexMatch and labelMatch; want one of them", at,
        given));
  }
  if (Has(selector, "exactMatch") && TextAt(ObjectAt(selector, "exactMatch"), "name").empty()) {
    review.Refuse(at + ".selector.exactMatch.name: missing");
  }
  if (!Has(selector, "regexMatch")) return;
  const std::string_view pattern = TextAt(ObjectAt(selector, "regexMatch"), "pattern");
  if (pattern.empty()) {
    review.Refuse(at + ".selector.regexMatch.pattern: missing");
  } else if (!Compiles(pattern)) {
    review.Refuse(fmt::format("{}.selector.regexMatch.pattern: \"{}\": is no regular expression",
                              at, pattern));
  }
}

}  // namespace

Review ValidateHyperNode(const json::object& hyper_node) {
  Review review;
  const json::array& members = ListAt(ObjectAt(hyper_node, "spec"), "members");
  if (members.empty()) review.Refuse("spec.members: at least one is needed");
  for (std::size_t i = 0; i < members.size(); ++i) {
    CheckMember(AsObject(members[i]), fmt::format("spec.members[{}]", i), review);
  }
  return review;
}

}  // namespace basalt::webhook
