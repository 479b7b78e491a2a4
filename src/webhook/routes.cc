#include "webhook/routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>

#include "base/nearest.h"
#include "kube/types/codec.h"
#include "kube/types/pod.h"
#include "kube/types/reservation.h"
#include "kube/types/workloads.h"
#include "model/annotations.h"
#include "webhook/flow_admission.h"
#include "webhook/job_admission.h"
#include "webhook/pod_admission.h"
#include "webhook/pod_group_admission.h"
#include "webhook/queue_admission.h"
#include "webhook/reservation_admission.h"
#include "webhook/workload_admission.h"

namespace basalt::webhook {
namespace {

namespace annotations = model::annotations;
namespace resources = kube::resources;
using kube::AdmissionRequest;
using Operation = AdmissionRequest::Operation;

template <class T>
Result<T> DecodeNew(const AdmissionRequest& request) {
  if (request.object.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "request.object: missing");
  }
  Result<T> object = kube::Decode<T>(request.object);
  if (!object) return std::unexpected(object.error().Wrap("request.object"));
  return object;
}

// Calls `validate(object, old)`; `old` null: a create.
template <class T, class Validate>
Result<Review> ValidateWrite(const AdmissionRequest& request, Validate&& validate) {
  const Result<T> object = DecodeNew<T>(request);
  if (!object) return std::unexpected(object.error());
  if (request.operation != Operation::kUpdate) {
    return validate(*object, static_cast<const T*>(nullptr));
  }
  const Result<T> old = kube::Decode<T>(request.old_object);
  if (!old) return std::unexpected(old.error().Wrap("request.oldObject"));
  return validate(*object, &*old);
}

Result<Review> JudgePodMutation(const AdmissionRequest& request, const Snapshot& snapshot,
                                const Policy& policy, Time) {
  const Result<kube::Pod> pod = DecodeNew<kube::Pod>(request);
  if (!pod) return std::unexpected(pod.error());
  return MutatePod(*pod, request.ns, snapshot, policy);
}

Result<Review> JudgePod(const AdmissionRequest& request, const Snapshot&, const Policy& policy,
                        Time) {
  return ValidateWrite<kube::Pod>(request, [&](const kube::Pod& pod, const kube::Pod* old) {
    return old ? ValidatePodUpdate(pod, *old, policy) : ValidatePod(pod, policy);
  });
}

Result<Review> JudgePodGroupMutation(const AdmissionRequest& request, const Snapshot& snapshot,
                                     const Policy&, Time) {
  const Result<kube::PodGroup> group = DecodeNew<kube::PodGroup>(request);
  if (!group) return std::unexpected(group.error());
  return MutatePodGroup(*group, request.ns, snapshot);
}

Result<Review> JudgePodGroup(const AdmissionRequest& request, const Snapshot& snapshot,
                             const Policy&, Time) {
  return ValidateWrite<kube::PodGroup>(request, [&](const auto& group, const auto* old) {
    return ValidatePodGroup(group, old, snapshot);
  });
}

Result<Review> JudgeQueueMutation(const AdmissionRequest& request, const Snapshot&, const Policy&,
                                  Time) {
  const Result<kube::Queue> queue = DecodeNew<kube::Queue>(request);
  if (!queue) return std::unexpected(queue.error());
  return MutateQueue(*queue);
}

Result<Review> JudgeQueue(const AdmissionRequest& request, const Snapshot& snapshot,
                          const Policy& policy, Time) {
  if (request.operation == Operation::kDelete) {
    if (request.name.empty() && !request.old_object.empty()) {  // of a collection
      const Result<kube::Queue> old = kube::Decode<kube::Queue>(request.old_object);
      if (!old) return std::unexpected(old.error().Wrap("request.oldObject"));
      return ValidateQueueDeletion(old->meta.name, snapshot);
    }
    return ValidateQueueDeletion(request.name, snapshot);
  }
  return ValidateWrite<kube::Queue>(request, [&](const auto& queue, const auto* old) {
    return ValidateQueue(queue, old, snapshot, policy);
  });
}

Result<Review> JudgeReservationMutation(const AdmissionRequest& request, const Snapshot& snapshot,
                                        const Policy& policy, Time) {
  const Result<kube::Reservation> reservation = DecodeNew<kube::Reservation>(request);
  if (!reservation) return std::unexpected(reservation.error());
  return MutateReservation(*reservation, request.ns, snapshot, policy);
}

Result<Review> JudgeReservation(const AdmissionRequest& request, const Snapshot& snapshot,
                                const Policy&, Time now) {
  return ValidateWrite<kube::Reservation>(request, [&](const auto& reservation, const auto* old) {
    return ValidateReservation(reservation, old, snapshot, now);
  });
}

// What the typed object does not tell: whether a patch has to make the template's metadata.
bool TemplateHasMetadata(std::string_view object) {
  boost::system::error_code error;
  const boost::json::value parsed = boost::json::parse(object, error);
  if (error) return false;
  const boost::json::value* metadata = parsed.find_pointer("/spec/template/metadata", error);
  return metadata != nullptr && metadata->is_object();
}

template <class T>
Result<Review> JudgeWorkload(const AdmissionRequest& request, const Snapshot&, const Policy& policy,
                             Time) {
  return ValidateWrite<T>(request, [&](const T& workload, const T* old) {
    const WorkloadView view{workload.meta, workload.pod_template,
                            TemplateHasMetadata(request.object),
                            std::is_same_v<T, kube::ReplicaSet>};
    if (!old) return MutateWorkload(view, nullptr, policy);
    const WorkloadView before{old->meta, old->pod_template, true};
    return MutateWorkload(view, &before, policy);
  });
}

// Of a Job the template stays as it was made.
template <class T>
Route WorkloadRoute(std::string_view path, const kube::Resource& resource,
                    std::vector<Operation> operations = {Operation::kCreate, Operation::kUpdate}) {
  return {.path = path,
          .resource = resource,
          .mutating = true,
          .operations = std::move(operations),
          .foreign_kind = true,
          .annotations = {annotations::kGroupMinMember, annotations::kGroupMinResources},
          .judge = JudgeWorkload<T>,
          .workload = true};
}

// Kinds whose rules look at all that they say stay JSON.
Result<boost::json::object> ParseObject(std::string_view text, std::string_view field) {
  if (text.empty()) return Fail(ErrorCode::kInvalidArgument, fmt::format("{}: missing", field));
  boost::json::parse_options options;
  options.max_depth = 100;
  boost::system::error_code error;
  boost::json::value parsed = boost::json::parse(text, error, {}, options);
  if (error || !parsed.is_object()) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("{}: no JSON object", field));
  }
  return std::move(parsed.get_object());
}

Result<Review> JudgeJobMutation(const AdmissionRequest& request, const Snapshot& snapshot,
                                const Policy& policy, Time) {
  const auto job = ParseObject(request.object, "request.object");
  if (!job) return std::unexpected(job.error());
  return MutateJob(*job, request.ns, snapshot, policy);
}

Result<Review> JudgeJob(const AdmissionRequest& request, const Snapshot& snapshot, const Policy&,
                        Time) {
  const auto job = ParseObject(request.object, "request.object");
  if (!job) return std::unexpected(job.error());
  if (request.operation != Operation::kUpdate) return ValidateJob(*job, nullptr, snapshot);
  const auto old = ParseObject(request.old_object, "request.oldObject");
  if (!old) return std::unexpected(old.error());
  return ValidateJob(*job, &*old, snapshot);
}

// Rules that look at nothing but the object.
template <Review (*kValidate)(const boost::json::object&)>
Result<Review> JudgeAlone(const AdmissionRequest& request, const Snapshot&, const Policy&, Time) {
  const auto object = ParseObject(request.object, "request.object");
  if (!object) return std::unexpected(object.error());
  return kValidate(*object);
}

std::vector<std::string> Paths() {
  std::vector<std::string> paths;
  for (const Route& route : AllRoutes()) paths.emplace_back(route.path);
  return paths;
}

}  // namespace

std::string Route::WebhookName() const {
  std::string kind(resource.kind);
  std::ranges::transform(kind, kind.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  // Volcano has a Job too.
  return fmt::format("{}{}{}.basalt.sh", mutating ? "mutate" : "validate",
                     workload ? "workload" : "", kind);
}

std::span<const Route> AllRoutes() {
  static const std::string kGate = fmt::format("{}=true", annotations::kQueueAllocationGate);
  static const Route kRoutes[] = {
      {.path = "/pods/mutate",
       .resource = resources::kPods,
       .mutating = true,
       .operations = {Operation::kCreate},
       .foreign_kind = true,
       .annotations = {annotations::kGroupMinMember, annotations::kGroupMinResources, kGate},
       .judge = JudgePodMutation},
      {.path = "/pods/validate",
       .resource = resources::kPods,
       .mutating = false,
       .operations = {Operation::kCreate, Operation::kUpdate},
       .foreign_kind = true,
       .annotations = {annotations::kJdbMinAvailable, annotations::kJdbMaxUnavailable,
                       annotations::kGroupMinMember, annotations::kGroupMinResources,
                       annotations::kSlaWaitingTime, annotations::kCooldownTime},
       .judge = JudgePod},
      WorkloadRoute<kube::Deployment>("/deployments/mutate", resources::kDeployments),
      WorkloadRoute<kube::ReplicaSet>("/replicasets/mutate", resources::kReplicaSets),
      WorkloadRoute<kube::StatefulSet>("/statefulsets/mutate", resources::kStatefulSets),
      WorkloadRoute<kube::DaemonSet>("/daemonsets/mutate", resources::kDaemonSets),
      // Not /jobs/mutate, which is for Volcano's kind.
      WorkloadRoute<kube::Job>("/batchjobs/mutate", resources::kJobs, {Operation::kCreate}),
      {.path = "/podgroups/mutate",
       .resource = resources::kPodGroups,
       .mutating = true,
       .operations = {Operation::kCreate},
       .foreign_kind = false,
       .annotations = {},
       .judge = JudgePodGroupMutation},
      {.path = "/podgroups/validate",
       .resource = resources::kPodGroups,
       .mutating = false,
       .operations = {Operation::kCreate, Operation::kUpdate},
       .foreign_kind = false,
       .annotations = {},
       .judge = JudgePodGroup},
      {.path = "/queues/mutate",
       .resource = resources::kQueues,
       .mutating = true,
       .operations = {Operation::kCreate},
       .foreign_kind = false,
       .annotations = {},
       .judge = JudgeQueueMutation},
      {.path = "/queues/validate",
       .resource = resources::kQueues,
       .mutating = false,
       .operations = {Operation::kCreate, Operation::kUpdate, Operation::kDelete},
       .foreign_kind = false,
       .annotations = {},
       .judge = JudgeQueue},
      {.path = "/reservations/mutate",
       .resource = resources::kReservations,
       .mutating = true,
       .operations = {Operation::kCreate},
       .foreign_kind = false,
       .annotations = {},
       .judge = JudgeReservationMutation},
      {.path = "/reservations/validate",
       .resource = resources::kReservations,
       .mutating = false,
       .operations = {Operation::kCreate, Operation::kUpdate},
       .foreign_kind = false,
       .annotations = {},
       .judge = JudgeReservation},
      {.path = "/jobs/mutate",
       .resource = resources::kVcJobs,
       .mutating = true,
       .operations = {Operation::kCreate},
       .foreign_kind = false,
       .annotations = {},
       .judge = JudgeJobMutation},
      {.path = "/jobs/validate",
       .resource = resources::kVcJobs,
       .mutating = false,
       .operations = {Operation::kCreate, Operation::kUpdate},
       .foreign_kind = false,
       .annotations = {},
       .judge = JudgeJob},
      {.path = "/jobtemplates/validate",
       .resource = resources::kJobTemplates,
       .mutating = false,
       .operations = {Operation::kCreate, Operation::kUpdate},
       .foreign_kind = false,
       .annotations = {},
       .judge = JudgeAlone<ValidateJobTemplate>},
      {.path = "/jobflows/validate",
       .resource = resources::kJobFlows,
       .mutating = false,
       .operations = {Operation::kCreate, Operation::kUpdate},
       .foreign_kind = false,
       .annotations = {},
       .judge = JudgeAlone<ValidateJobFlow>},
      {.path = "/cronjobs/validate",
       .resource = resources::kVcCronJobs,
       .mutating = false,
       .operations = {Operation::kCreate, Operation::kUpdate},
       .foreign_kind = false,
       .annotations = {},
       .judge = JudgeAlone<ValidateCronJob>},
      {.path = "/hypernodes/validate",
       .resource = resources::kHyperNodes,
       .mutating = false,
       .operations = {Operation::kCreate, Operation::kUpdate},
       .foreign_kind = false,
       .annotations = {},
       .judge = JudgeAlone<ValidateHyperNode>},
  };
  return kRoutes;
}

const Route* FindRoute(std::string_view path) {
  for (const Route& route : AllRoutes()) {
    if (route.path == path) return &route;
  }
  return nullptr;
}

Result<std::vector<const Route*>> ParseEnabledAdmission(std::string_view text,
                                                        std::vector<std::string>& passed_over) {
  static constexpr std::string_view kOnlyVolcanos[] = {"/jobtemplates/mutate",
                                                       "/numatopologies/validate"};
  std::vector<const Route*> routes;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string path(text.substr(0, comma));
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    std::erase(path, ' ');
    if (path.empty()) continue;
    if (path.front() != '/') path = fmt::format("/{}", path);
    if (const Route* route = FindRoute(path)) {
      if (std::ranges::find(routes, route) == routes.end()) routes.push_back(route);
    } else if (std::ranges::find(kOnlyVolcanos, path) != std::end(kOnlyVolcanos)) {
      passed_over.push_back(path);
    } else {
      const std::vector<std::string> known = Paths();
      const std::string_view nearest = Nearest(path, known);
      return Fail(
          ErrorCode::kInvalidArgument,
          fmt::format("--enabled-admission: unknown \"{}\"{}", path,
                      nearest.empty() ? fmt::format("; there are {}", fmt::join(known, ", "))
                                      : fmt::format("; did you mean {}?", nearest)));
    }
  }
  if (routes.empty() && passed_over.empty()) {
    for (const Route& route : AllRoutes()) routes.push_back(&route);
  }
  return routes;
}

}  // namespace basalt::webhook
