#pragma once

#include <string>
#include <string_view>

#include "controllers/podgroup/group_spec.h"
#include "kube/types/meta.h"
#include "kube/types/scheduling.h"

namespace basalt::controllers {

// On PodGroups that the controller made: what the group was made for.
inline constexpr std::string_view kMadeFor = "basalt.sh/made-for";

// A new PodGroup, owned by `owner`.
std::string GroupBody(std::string_view ns, std::string_view name, const GroupSpec& spec,
                      const kube::OwnerReference& owner);

// A merge patch that makes `now` say what `spec` does, and gives it its owner where it has none;
// "": it does already. It holds for that version of the object alone.
std::string GroupPatch(const kube::PodGroup& now, const GroupSpec& spec,
                       const kube::OwnerReference& owner);

// A merge patch that puts the pod into the group.
std::string MembershipPatch(std::string_view pod_uid, std::string_view group);

}  // namespace basalt::controllers
