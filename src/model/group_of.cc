#include "model/group_of.h"

#include <fmt/format.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
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

Result<kube::ResourceList> ParseMinResources(std::string_view text) {
  const auto refuse = [text](std::string_view why) {
    return Fail(ErrorCode::kInvalid,
                fmt::format("the annotation {} is \"{}\": {}; it must be an object of amounts such "
                            "as {}",
                            annotations::kGroupMinResources, text, why, kAmountsExample));
  };
  boost::system::error_code error;
  const boost::json::value parsed = boost::json::parse(text, error);
  if (error) return refuse("it is no JSON");
  if (!parsed.is_object()) return refuse("it is no object");
  kube::ResourceList list;
  for (const auto& [key, value] : parsed.get_object()) {
    const std::string_view name = key;
    std::string amount;
    if (value.is_string()) {
      amount = value.get_string();
    } else if (value.is_int64()) {
      amount = std::to_string(value.get_int64());
    } else {
      return refuse(fmt::format("the amount of {} is neither a string nor an integer", name));
    }
    const Result<kube::Quantity> quantity = kube::Quantity::Parse(amount);
    if (!quantity || quantity->Sign() < 0) {
      return refuse(fmt::format("\"{}\" is no amount of {}", amount, name));
    }
    list.Set(name, *quantity);
  }
  return list;
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
  const auto amounts = pod.meta.annotations.Find(annotations::kGroupMinResources);
  if (const auto parsed = ParseMinResources(amounts.value_or("{}")); !parsed) {
    return fmt::format("waits for PodGroup {}/{}, which cannot be made: {}", pod.meta.ns,
                       group.name, parsed.error().message);
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
