#include "workloads/job_controller.h"

#include <fmt/core.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/log.h"
#include "kube/types/codec.h"
#include "kube/types/time.h"
#include "workloads/child_object.h"
#include "workloads/pod_facts.h"

namespace basalt::workloads {
namespace {

namespace json = boost::json;

constexpr kube::Resource kJobs = kube::resources::kJobs;
constexpr std::string_view kManagedBy = "kubernetes.io/job-controller";
constexpr std::int32_t kMostAtOnce = 500;

json::value TimeOrNull(const std::optional<Time>& time) {
  return time ? json::value(kube::FormatTime(*time)) : json::value();
}

json::array Strings(const std::vector<std::string>& strings) {
  return json::array(strings.begin(), strings.end());
}

void AddFinalizer(json::object& pod) {
  json::value& finalizers = Child(pod, "metadata")["finalizers"];
  if (!finalizers.is_array()) finalizers = json::array();
  finalizers.get_array().push_back(json::value(kJobFinalizer));
}

// What a pod of an Indexed Job knows of its index: annotation, label, host name and a variable of
// every container.
void SetIndex(json::object& pod, const std::string& job_name, std::int32_t index) {
  const std::string text = std::to_string(index);
  Child(Child(pod, "metadata"), "annotations")[kCompletionIndex] = text;
  Child(Child(pod, "metadata"), "labels")[kCompletionIndex] = text;
  json::object& spec = Child(pod, "spec");
  if (!spec.contains("hostname")) {
    spec["hostname"] = fmt::format("{}-{}", job_name, text).substr(0, 63);
  }
  const json::object variable{
      {"name", "JOB_COMPLETION_INDEX"},
      {"valueFrom",
       json::object{{"fieldRef", json::object{{"fieldPath", fmt::format("metadata.labels['{}']",
                                                                        kCompletionIndex)}}}}}};
  for (const char* list : {"initContainers", "containers"}) {
    json::value* containers = spec.if_contains(list);
    if (containers == nullptr || !containers->is_array()) continue;
    for (json::value& container : containers->get_array()) {
      if (!container.is_object()) continue;
      json::value& env = container.get_object()["env"];
      if (!env.is_array()) env = json::array();
      const bool there =
          std::any_of(env.get_array().begin(), env.get_array().end(), [](const json::value& entry) {
            const json::object* object = entry.if_object();
            const json::value* name = object != nullptr ? object->if_contains("name") : nullptr;
            return name != nullptr && *name == "JOB_COMPLETION_INDEX";
          });
      if (!there) env.get_array().push_back(variable);
    }
  }
}

}  // namespace

std::string JobStatusPatch(const kube::Job& job, const JobStatus& status) {
  json::object fields{
      {"active", NullIfZero(status.active)},
      {"ready", status.ready},
      {"terminating", status.terminating},
      {"succeeded", NullIfZero(status.succeeded)},
      {"failed", NullIfZero(status.failed)},
      {"startTime", TimeOrNull(status.start_time)},
      {"completionTime", TimeOrNull(status.completion_time)},
      {"completedIndexes",
       status.completed_indexes.empty() ? json::value() : json::value(status.completed_indexes)},
      {"uncountedTerminatedPods", json::object{{"succeeded", Strings(status.uncounted_succeeded)},
                                               {"failed", Strings(status.uncounted_failed)}}}};
  json::array conditions;
  for (const kube::Condition& condition : status.changed_conditions) {
    const std::string now = kube::FormatTime(condition.last_transition_time);
    conditions.push_back(json::object{{"type", condition.type},
                                      {"status", kube::ToString(condition.status)},
                                      {"lastProbeTime", now},
                                      {"lastTransitionTime", now},
                                      {"reason", condition.reason},
                                      {"message", condition.message}});
  }
  if (!conditions.empty()) fields["conditions"] = std::move(conditions);
  return json::serialize(json::object{
      {"metadata",
       json::object{{"uid", job.meta.uid}, {"resourceVersion", job.meta.resource_version}}},
      {"status", std::move(fields)}});
}

JobController::JobController(kube::Client& client, PodPool& pods, Warning warn)
    : client_(client),
      pods_(pods),
      warn_(std::move(warn)),
      jobs_(client,
            [this](const kube::InformerEvent<kube::Job>& event) {
              if (event.object) queue_.Add(event.object->meta.Key());
              if (event.kind == kube::InformerEventKind::kDeleted) {
                const std::string& uid = event.old_object->meta.uid;
                pods_.Forget(uid);
                warned_.erase(uid);
                failing_.erase(uid);
                ReleaseOf(uid);
              }
            }),
      queue_(client.loop(), {.parallel = 32},
             [this](const std::string& key, WorkQueue::Done done) {
               Reconcile(key, std::move(done));
             }),
      pod_changes_(client.loop(), queue_) {
  pods_.Listen(
      "Job",
      [this](const std::string& ns, const std::string& name, const std::string& uid) {
        OnPodOf(ns, name, uid);
      },
      [this](const kube::Pod& pod) { OnOrphan(pod); });
}

void JobController::Kick() {
  for (const auto& job : jobs_.store().Sorted()) queue_.Add(job->meta.Key());
}

void JobController::OnPodOf(const std::string& ns, const std::string& name,
                            const std::string& uid) {
  pod_changes_.Add(kube::ObjectKey(ns, name));
  if (!jobs_.HasSynced()) return;
  const auto job = jobs_.store().Find(ns, name);
  // Whether it is gone or not yet seen is found out before anything is released.
  if (job == nullptr || job->meta.uid != uid) {
    for (const auto& pod : pods_.OwnedBy(uid)) {
      if (!pod->meta.HasFinalizer(kJobFinalizer)) continue;
      client_.Get({kJobs, ns, name},
                  scope_.Guard([this, uid](const Result<kube::ApiResponse>& result) {
                    if (result) {
                      const auto found = kube::Decode<kube::Job>(result->body);
                      if (found && found->meta.uid != uid) ReleaseOf(uid);
                    } else if (result.error().code == ErrorCode::kNotFound) {
                      ReleaseOf(uid);
                    }
                  }));
      return;
    }
  }
}

void JobController::OnOrphan(const kube::Pod& pod) {
  jobs_.store().ForEach([&](const kube::Job& job) {
    if (job.meta.ns == pod.meta.ns && kube::Matches(job.selector, pod.meta.labels)) {
      queue_.Add(job.meta.Key());
    }
  });
}

void JobController::ReleaseOf(const std::string& uid) {
  for (const auto& pod : pods_.OwnedBy(uid)) {
    if (!pod->meta.HasFinalizer(kJobFinalizer)) continue;
    pods_.RemoveFinalizer(*pod, kJobFinalizer, AsyncJoin([](bool) {}));
  }
}

void JobController::Reconcile(const std::string& key, WorkQueue::Done done) {
  if (!jobs_.HasSynced() || !pods_.HasSynced()) return done(true);
  const std::size_t slash = key.find('/');
  const JobPointer job = jobs_.store().Find(std::string_view(key).substr(0, slash),
                                            std::string_view(key).substr(slash + 1));
  if (job == nullptr || !job->selector) return done(true);
  if (!job->managed_by.empty() && job->managed_by != kManagedBy) return done(true);
  if (const std::string_view field = UnsupportedJobField(*job); !field.empty()) {
    if (warned_.insert(job->meta.uid).second) {
      warn_(kJobs, job->meta, "Unsupported",
            fmt::format("{} is not implemented by this job controller; the Job is not run", field));
    }
    return done(true);
  }
  AsyncJoin join(std::move(done));
  const PodOwner owner{kJobs, job->meta, *job->selector};
  const PodPool::Pods pods = pods_.Claim(owner, join);
  // Counting on a view that lags would make too many pods; the watch brings us back.
  if (!pods_.CaughtUp(job->meta.uid)) return;
  std::vector<const kube::Pod*> pointers;
  for (const auto& pod : pods) pointers.push_back(pod.get());
  const Time now = client_.loop().Now();
  JobPlan plan = PlanJob(*job, pointers, now);
  if (plan.look_again) queue_.AddAfter(key, std::max<Duration>(*plan.look_again - now, 1ms));
  if (!plan.status_changed) return Act(job, pods, plan, join);
  const JobStatus status = plan.status;
  WriteStatus(job, status, [this, job, pods, plan = std::move(plan), join](bool ok) mutable {
    ok ? Act(job, pods, plan, join) : join.Fail();
  });
}

void JobController::Act(const JobPointer& job, const PodPool::Pods& pods, const JobPlan& plan,
                        AsyncJoin join) {
  (void)pods;  // keeps the plan's pods alive
  const PodOwner owner{kJobs, job->meta, *job->selector};
  for (const kube::Pod* pod : plan.release) pods_.RemoveFinalizer(*pod, kJobFinalizer, join);
  for (const kube::Pod* pod : plan.remove) pods_.Delete(owner, *pod, join);
  CreatePods(job, owner, plan, join);
  if (!pods_.CaughtUp(job->meta.uid)) {
    // Should any of that never be seen.
    queue_.AddAfter(job->meta.Key(), pods_.CatchUpTime(job->meta.uid) + 1ms);
  }
  if (!plan.remove_job) return;
  client_.Delete({kJobs, job->meta.ns, job->meta.name},
                 {.propagation = "Background", .uid = job->meta.uid},
                 scope_.Guard([join](const Result<kube::ApiResponse>& result) mutable {
                   if (!result && result.error().code != ErrorCode::kNotFound) join.Fail();
                 }));
}

void JobController::CreatePods(const JobPointer& job, const PodOwner& owner, const JobPlan& plan,
                               AsyncJoin join) {
  if (plan.create == 0) return;
  AsyncJoin creations([this, uid = job->meta.uid, join](bool ok) mutable {
    if (ok) {
      failing_.erase(uid);
    } else {
      failing_.insert(uid);
      join.Fail();
    }
  });
  const std::int32_t most = failing_.contains(job->meta.uid) ? 1 : kMostAtOnce;
  for (std::int32_t i = 0; i < std::min(plan.create, most); ++i) {
    std::string prefix = job->meta.name;
    if (!plan.create_indexes.empty()) {
      prefix =
          fmt::format("{}-{}", job->meta.name, plan.create_indexes[static_cast<std::size_t>(i)]);
    }
    const std::string name = pods_.NewName(job->meta, prefix);
    json::object pod = PodFromTemplate(job->pod_template, kJobs, job->meta, name);
    AddFinalizer(pod);
    if (!plan.create_indexes.empty()) {
      SetIndex(pod, job->meta.name, plan.create_indexes[static_cast<std::size_t>(i)]);
    }
    pods_.Create(owner, name, std::move(pod), creations);
  }
}

void JobController::WriteStatus(const JobPointer& job, const JobStatus& status,
                                std::move_only_function<void(bool ok)> done) {
  client_.Patch({kJobs, job->meta.ns, job->meta.name, "status"}, kube::PatchKind::kStrategic,
                JobStatusPatch(*job, status),
                scope_.Guard([this, job, done = std::move(done)](
                                 const Result<kube::ApiResponse>& result) mutable {
                  // A conflict is a view that lags: the watch brings the new one.
                  if (!result && result.error().code != ErrorCode::kConflict &&
                      result.error().code != ErrorCode::kNotFound) {
                    log::Warning("cannot write a job's status",
                                 {{"job", job->meta.Key()}, {"error", result.error().message}});
                  }
                  done(result.has_value());
                }));
}

}  // namespace basalt::workloads
