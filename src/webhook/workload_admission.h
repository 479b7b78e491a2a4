#pragma once

#include <string_view>

#include "kube/types/meta.h"
#include "kube/types/pod.h"
#include "webhook/policy.h"
#include "webhook/review.h"

namespace basalt::webhook {

// A workload as far as it asks for a PodGroup.
struct WorkloadView {
  const kube::ObjectMeta& meta;
  const kube::PodTemplate& pod_template;
  bool template_has_metadata;  // in the JSON; a patch must make what is missing
  bool replica_set = false;
};

// group-min-member and group-min-resources on a workload's own metadata (Volcano's place) are
// copied to its template, which makes the pods: so none of them starts before the scheduler knows
// that it is one of a gang. The template's own word wins; what was copied earlier follows its
// original.
// ReplicaSets that another object makes are left alone: a Deployment (or an Argo Rollout) finds its
// own again by their template, and would make new ones for ever. `old` null: a create.
Review MutateWorkload(const WorkloadView& workload, const WorkloadView* old, const Policy& policy);

}  // namespace basalt::webhook
