#pragma once

#include <string_view>

#include "kube/types/scheduling.h"
#include "webhook/review.h"
#include "webhook/snapshot.h"

// PodGroups. Pure: the same group and snapshot give the same review.
namespace basalt::webhook {

// Defaults at creation: the namespace's queue or the default one, one member.
Review MutatePodGroup(const kube::PodGroup& group, std::string_view ns, const Snapshot& snapshot);

// `old` null: it is being created.
Review ValidatePodGroup(const kube::PodGroup& group, const kube::PodGroup* old,
                        const Snapshot& snapshot);

}  // namespace basalt::webhook
