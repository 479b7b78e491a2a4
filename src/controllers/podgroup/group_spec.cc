#include "controllers/podgroup/group_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <vector>

#include "kube/types/pod_resources.h"
#include "model/annotations.h"
#include "model/group_of.h"

namespace basalt::controllers {
namespace {

namespace json = boost::json;
namespace keys = model::annotations;

constexpr std::string_view kTopologyMode = "volcano.sh/network-topology-mode";
constexpr std::string_view kTopologyTier = "volcano.sh/network-topology-highest-tier";

// By doubling: the number is the user's and may be two thousand million.
kube::Quantity Times(kube::Quantity amount, std::int32_t factor) {
  kube::Quantity result;
  for (; factor > 0; factor >>= 1) {
    if (factor & 1) result += amount;
    amount += amount;
  }
  return result;
}

kube::ResourceList RequestsOf(const kube::PodSpec& pod, std::int32_t pods) {
  kube::ResourceList total;
  for (const kube::ResourceList::Entry& entry : kube::PodRequests(pod)) {
    total.Set(entry.name, Times(entry.quantity, pods));
  }
  total.Set("pods", kube::Quantity::Of(pods));
  return total;
}

std::optional<std::string_view> Lookup(const GroupSource& source, std::string_view key) {
  if (const auto found = source.annotations->Find(key)) return found;
  return source.own_annotations ? source.own_annotations->Find(key) : std::nullopt;
}

std::optional<kube::NetworkTopology> TopologyOf(const GroupSource& source) {
  const auto mode = Lookup(source, kTopologyMode);
  const auto tier = Lookup(source, kTopologyTier);
  if (!mode && !tier) return std::nullopt;
  kube::NetworkTopology topology;
  if (mode == "soft" || mode == "Soft") topology.mode = kube::NetworkTopology::Mode::kSoft;
  std::int32_t highest = 0;
  if (tier &&
      std::from_chars(tier->data(), tier->data() + tier->size(), highest).ec == std::errc()) {
    topology.highest_tier_allowed = highest;
  }
  return topology;
}

bool IsUnder(std::string_view domain, std::string_view parent) {
  if (!domain.ends_with(parent)) return false;
  return domain.size() == parent.size() || domain[domain.size() - parent.size() - 1] == '.';
}

}  // namespace

bool IsPassedOn(std::string_view key) {
  if (key == keys::kGroupMinMember || key == keys::kGroupMinResources ||
      key == keys::kVolcanoGroupName) {
    return false;  // what they ask for is in the spec
  }
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return true;
  const std::string_view domain = key.substr(0, slash);
  return !IsUnder(domain, "kubernetes.io") && !IsUnder(domain, "k8s.io");
}

Result<kube::ResourceList> ParseMinResources(std::string_view text) {
  const auto refuse = [text](std::string_view why) -> Result<kube::ResourceList> {
    return std::unexpected(Error{
        .code = ErrorCode::kInvalid,
        .message = fmt::format(
            R"(the annotation {} is "{}": {}; it must be an object of amounts such as {{"cpu":"4","memory":"8Gi"}})",
            keys::kGroupMinResources, text, why)});
  };
  boost::system::error_code error;
  const json::value parsed = json::parse(text, error);
  if (error) return refuse("it is no JSON");
  if (!parsed.is_object()) return refuse("it is no object");
  kube::ResourceList list;
  for (const auto& [name, value] : parsed.get_object()) {
    std::string amount;
    if (value.is_string()) {
      amount = value.get_string();
    } else if (value.is_int64()) {
      amount = std::to_string(value.get_int64());
    } else {
      return refuse(fmt::format("the amount of {} is neither a string nor an integer",
                                std::string_view(name)));
    }
    const Result<kube::Quantity> quantity = kube::Quantity::Parse(amount);
    if (!quantity || quantity->Sign() < 0) {
      return refuse(fmt::format("\"{}\" is no amount of {}", amount, std::string_view(name)));
    }
    list.Set(std::string_view(name), *quantity);
  }
  return list;
}

Result<GroupSpec> MakeGroupSpec(const GroupSource& source, std::string_view usual_queue) {
  GroupSpec spec;
  if (const auto text = Lookup(source, keys::kGroupMinMember)) {
    const std::optional<std::int32_t> least = model::ParseMinMember(*text);
    if (!least) {
      return std::unexpected(
          Error{.code = ErrorCode::kInvalid,
                .message = fmt::format("the annotation {} is \"{}\" and must be a positive integer",
                                       keys::kGroupMinMember, *text)});
    }
    spec.min_member = *least;
  }
  if (source.pods_at_once) {
    spec.min_member = std::max(1, std::min(spec.min_member, *source.pods_at_once));
  }
  if (const auto text = Lookup(source, keys::kGroupMinResources)) {
    Result<kube::ResourceList> list = ParseMinResources(*text);
    if (!list) return std::unexpected(list.error());
    spec.min_resources = std::move(*list);
  } else {
    spec.min_resources = RequestsOf(*source.pod, spec.min_member);
  }
  spec.priority_class = source.pod->priority_class_name;
  const std::string_view queue = Lookup(source, keys::kQueueName).value_or("");
  spec.queue_is_named = !queue.empty();
  spec.queue = spec.queue_is_named ? queue : usual_queue;
  spec.network_topology = TopologyOf(source);

  std::vector<kube::StringMap::Entry> annotations;
  for (const kube::StringMap* from : {source.own_annotations, source.annotations}) {
    if (!from) continue;
    for (const kube::StringMap::Entry entry : *from) {
      if (IsPassedOn(entry.key)) annotations.push_back(entry);
    }
  }
  spec.annotations = kube::StringMap(std::move(annotations));
  for (const std::string_view key : {keys::kPreemptable, keys::kCooldownTime}) {
    if (const auto value = source.labels->Find(key)) spec.labels.Set(key, *value);
  }
  return spec;
}

}  // namespace basalt::controllers
