#include "model/group_of.h"

#include <fmt/format.h>

#include <charconv>

#include "model/annotations.h"

namespace basalt::model {

const kube::OwnerReference* GroupOwner(const kube::ObjectMeta& pod) {
  if (const kube::OwnerReference* controller = pod.Controller()) return controller;
  return pod.owner_references.empty() ? nullptr : &pod.owner_references.front();
}

std::string GroupNameFor(const kube::ObjectMeta& pod) {
  const kube::OwnerReference* owner = GroupOwner(pod);
  return "podgroup-" + (owner ? owner->uid : pod.uid);
}

std::string ShadowNameFor(const kube::ObjectMeta& pod) { return "podgroup-" + pod.uid; }

bool AsksForGroup(const kube::StringMap& annotations) {
  return annotations.Contains(annotations::kGroupMinMember) ||
         annotations.Contains(annotations::kGroupMinResources);
}

namespace {

std::string_view NamedGroup(const kube::StringMap& annotations) {
  const std::string_view name = annotations.Get(annotations::kGroupName);
  return name.empty() ? annotations.Get(annotations::kVolcanoGroupName) : name;
}

}  // namespace

bool NamesGroup(const kube::StringMap& annotations) { return !NamedGroup(annotations).empty(); }

GroupChoice GroupOf(const kube::Pod& pod) {
  const kube::StringMap& annotations = pod.meta.annotations;
  const std::string_view name = NamedGroup(annotations);
  if (name.contains(':')) {
    // No PodGroup can have such a name; the groups of reservations do, which are not for pods.
    return {GroupChoice::Kind::kNamed, fmt::format("\"{}\"", name)};
  }
  if (!name.empty()) return {GroupChoice::Kind::kNamed, std::string(name)};
  if (AsksForGroup(annotations)) return {GroupChoice::Kind::kAsked, GroupNameFor(pod.meta)};
  return {GroupChoice::Kind::kShadow, ShadowNameFor(pod.meta)};
}

std::optional<std::int32_t> ParseMinMember(std::string_view text) {
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

std::string WhyGroupIsMissing(const kube::Pod& pod) {
  const GroupChoice group = GroupOf(pod);
  const auto least = pod.meta.annotations.Find(annotations::kGroupMinMember);
  if (least && !ParseMinMember(*least)) {
    return fmt::format(
        "waits for PodGroup {}/{}, which cannot be made: the annotation {} is \"{}\" and must be a "
        "positive integer",
        pod.meta.ns, group.name, annotations::kGroupMinMember, *least);
  }
  if (group.kind == GroupChoice::Kind::kAsked) {
    return fmt::format(
        "waits for PodGroup {}/{}, which the controller makes for the annotation {} and which does "
        "not exist yet",
        pod.meta.ns, group.name,
        least ? annotations::kGroupMinMember : annotations::kGroupMinResources);
  }
  return fmt::format("waits for PodGroup {}/{}, which does not exist", pod.meta.ns, group.name);
}

}  // namespace basalt::model
