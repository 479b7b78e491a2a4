#include "controllers/podgroup/group_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "kube/types/pod_resources.h"
#include "model/annotations.h"
#include "model/exact.h"
#include "model/group_of.h"

namespace basalt::controllers {
namespace {

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

// Upwards, in the units in which the scheduler counts.
kube::Quantity PartOf(const kube::ResourceList::Entry& all, std::int32_t part, std::int32_t whole) {
  const bool in_milli = all.name == "cpu";
  const model::Int128 amount = in_milli ? all.quantity.MilliValue() : all.quantity.Value();
  const auto least = static_cast<std::int64_t>((amount * part + whole - 1) / whole);
  const kube::Quantity::Format format = all.quantity.format();
  return std::min(all.quantity, in_milli ? kube::Quantity::OfMilli(least, format)
                                         : kube::Quantity::Of(least, format));
}

// What a group that is given `all` for `asked` pods needs while a rollout has room for `at_once` of
// them: their part of it, and no more than these request, or it would wait for what its elders
// hold.
kube::ResourceList InRollout(const kube::ResourceList& all, const kube::PodSpec& pod,
                             std::int32_t at_once, std::int32_t asked) {
  const kube::ResourceList room = RequestsOf(pod, at_once);
  kube::ResourceList least;
  for (const kube::ResourceList::Entry& entry : all) {
    const kube::Quantity part = PartOf(entry, std::min(at_once, asked), asked);
    const kube::Quantity* requested = room.Find(entry.name);
    least.Set(entry.name, requested ? std::min(part, *requested) : part);
  }
  return least;
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
  const std::int32_t asked = spec.min_member;
  const std::int32_t at_once = std::max(1, source.pods_at_once.value_or(asked));
  spec.min_member = std::min(asked, at_once);
  if (const auto text = Lookup(source, keys::kGroupMinResources)) {
    Result<kube::ResourceList> list = model::ParseMinResources(*text);
    if (!list) return std::unexpected(list.error());
    spec.min_resources =
        source.pods_at_once ? InRollout(*list, *source.pod, at_once, asked) : std::move(*list);
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
