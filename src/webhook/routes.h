#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "kube/types/admission.h"
#include "kube/types/resource.h"
#include "webhook/policy.h"
#include "webhook/review.h"
#include "webhook/snapshot.h"

namespace basalt::webhook {

// One thing that the webhook does: a path of the server, and a webhook of the configurations.
struct Route {
  std::string_view path;  // "/pods/mutate", Volcano's
  const kube::Resource& resource;
  bool mutating;
  std::vector<kube::AdmissionRequest::Operation> operations;
  // Asked for only this, if anything is wrong the object gets in all the same (failurePolicy
  // Ignore): kinds that are not Basalt's own.
  bool foreign_kind;
  // Pods: created only with one of these annotations, "key" or "key=value". Of updates only those
  // of pods on nodes that change one of FixedAnnotations (pod_admission.h). Workloads: with one of
  // them on their own metadata, now or before the update.
  std::vector<std::string_view> annotations;
  // Pure. An object that cannot be read is an error that names the field.
  Result<Review> (*judge)(const kube::AdmissionRequest& request, const Snapshot& snapshot,
                          const Policy& policy, Time now);

  bool workload = false;  // it has a template that pods are made from

  // "mutatepod.basalt.sh": the name in the configuration.
  std::string WebhookName() const;
};

std::span<const Route> AllRoutes();
// nullptr: there is none.
const Route* FindRoute(std::string_view path);

// The routes of --enabled-admission, "/pods/mutate,/queues/validate". Empty: all. Paths that
// Volcano has and Basalt has no kind for are passed over and named in `passed_over`; others that
// are unknown are an error.
Result<std::vector<const Route*>> ParseEnabledAdmission(std::string_view text,
                                                        std::vector<std::string>& passed_over);

}  // namespace basalt::webhook
