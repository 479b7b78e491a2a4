#pragma once

#include <string_view>

#include "kube/types/scheduling.h"
#include "webhook/snapshot.h"
#include "webhook/verdict.h"

// PodGroups. Pure: the same group and snapshot give the same verdict.
namespace basalt::webhook {

// Defaults at creation: the namespace's queue or the default one, one member.
Verdict MutatePodGroup(const kube::PodGroup& group, std::string_view ns, const Snapshot& snapshot);

// `old` null: it is being created.
Verdict ValidatePodGroup(const kube::PodGroup& group, const kube::PodGroup* old,
                         const Snapshot& snapshot);

}  // namespace basalt::webhook
