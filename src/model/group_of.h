#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "kube/types/pod.h"
#include "kube/types/resource_list.h"

namespace basalt::model {

// The group that a pod belongs to, by what the pod itself says (contract C6). Scheduler, controller
// and webhook must give the same answer, so it is given here alone.
struct GroupChoice {
  enum class Kind : std::uint8_t {
    kNamed,   // by its group-name annotation
    kAsked,   // its template asks for one (group-min-member, group-min-resources): a real PodGroup
    kShadow,  // it asks for none
  };
  Kind kind = Kind::kShadow;
  std::string name;
};
GroupChoice GroupOf(const kube::Pod& pod);

// The owner whose pods make one group: the controller, else the first owner. nullptr: none.
const kube::OwnerReference* GroupOwner(const kube::ObjectMeta& pod);
// "podgroup-UID" of that owner, or of the pod itself.
std::string GroupNameFor(const kube::ObjectMeta& pod);
// The name of a pod's shadow.
std::string ShadowNameFor(const kube::ObjectMeta& pod);

// Whether annotations (of a pod or a template) name a group; whether they (or a workload's) ask for
// a real PodGroup.
bool NamesGroup(const kube::StringMap& annotations);
bool AsksForGroup(const kube::StringMap& annotations);
// The value of group-min-member: a positive number of 32 bits. nullopt: it is not.
std::optional<std::int32_t> ParseMinMember(std::string_view text);
// The value of group-min-resources: an object of amounts. An error names the annotation and says
// what it must be.
inline constexpr std::string_view kAmountsExample = R"({"cpu":"4","memory":"8Gi"})";
Result<kube::ResourceList> ParseMinResources(std::string_view text);

// Why a pod waits whose group does not exist, for people.
std::string WhyGroupIsMissing(const kube::Pod& pod);

}  // namespace basalt::model
