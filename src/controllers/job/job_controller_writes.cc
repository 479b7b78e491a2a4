#include <fmt/format.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "controllers/job/job_controller_state.h"
#include "controllers/job/job_status_body.h"
#include "controllers/job/plugins/job_keys.h"
#include "controllers/job/pod_body.h"
#include "kube/types/codec.h"
#include "kube/types/reasons.h"

// How the job controller writes pods and the job's status.
namespace basalt::controllers {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;

// In one turn: a job of many thousands must not keep what happens to it waiting.
constexpr std::size_t kMostPodsATurn = 1000;

}  // namespace

void JobController::MakePods(const TurnPtr& turn, const AsyncJoin& join) {
  const kube::VcJob& job = *turn->job;
  if (turn->plan.make.empty()) return;
  std::size_t made = 0;
  std::optional<PodMaker> maker;
  std::size_t of_task = job.spec.tasks.size();
  for (const PodToMake& make : turn->plan.make) {
    const kube::VcJobTask& task = job.spec.tasks[make.task];
    const std::string pod = PodNameOf(job.meta.name, task.name, make.index);
    // Of a job of that name that is no more: it is waited for.
    if (pods_->store().Find(job.meta.ns, pod)) continue;
    if (++made > kMostPodsATurn) {
      work_.Add(turn->key);
      break;
    }
    if (of_task != make.task) {
      maker.emplace(job, task, turn->plugins, turn->group->meta.name, IsForwarded(job));
      of_task = make.task;
    }
    JobPod& asked = turn->owned->pods[pod];
    asked.name = pod;
    asked.task = task.name;
    asked.index = make.index;
    asked.version = job.status.version;
    asked.created = client_.loop().Now();
    MakePod(turn, pod, maker->Body(make.index), join);
  }
}

void JobController::MakePod(const TurnPtr& turn, const std::string& pod, std::string body,
                            const AsyncJoin& join) {
  client_.Create({resources::kPods, turn->job->meta.ns}, std::move(body),
                 scope_.Guard([this, turn, join, pod](const Result<kube::ApiResponse>& result) {
                   if (result) {
                     if (!std::exchange(turn->state->pod_made, true) && options_.metrics &&
                         turn->job->status.version == 0) {
                       const std::chrono::duration<double, std::milli> took =
                           client_.loop().Now() - turn->job->meta.creation_timestamp;
                       options_.metrics
                           ->GetHistogram(
                               "volcano_controller_job_to_pod_creation_latency_milliseconds",
                               "From the creation of a job to that of its first pod.", {},
                               metrics::ExponentialBuckets(1, 2, 16))
                           .Observe(std::max(0.0, took.count()));
                     }
                     return;
                   }
                   // Until the watch shows the pod, or shows that it is not this job's.
                   if (result.error().code == ErrorCode::kAlreadyExists) {
                     Wake(turn, 1s);
                   }
                   const auto asked = turn->owned->pods.find(pod);
                   if (asked != turn->owned->pods.end() && asked->second.uid.empty()) {
                     turn->owned->pods.erase(asked);
                   }
                   if (result.error().code == ErrorCode::kAlreadyExists) return;
                   Warn(*turn->job, reasons::kFailedCreate,
                        fmt::format("pod {}: {}", pod, result.error().message));
                   join.Fail();
                 }));
}

void JobController::MarkPods(const TurnPtr& turn, const std::vector<std::string>& names,
                             const AsyncJoin& join) {
  for (const std::string& pod : names) {
    const auto found = turn->owned->pods.find(pod);
    if (found == turn->owned->pods.end() || found->second.marked) continue;
    const std::string uid = found->second.uid;
    const json::object patch{
        {"metadata", json::object{{"uid", uid},
                                  {"annotations", json::object{{job_keys::kOutOfSync, "true"}}}}}};
    client_.Patch({resources::kPods, turn->job->meta.ns, pod}, kube::PatchKind::kMerge,
                  json::serialize(patch),
                  scope_.Guard([turn, join, pod, uid](const Result<kube::ApiResponse>& result) {
                    if (result) {
                      const auto marked = turn->owned->pods.find(pod);
                      if (marked != turn->owned->pods.end() && marked->second.uid == uid) {
                        marked->second.marked = true;
                        marked->second.ours = true;
                      }
                    } else if (result.error().code != ErrorCode::kNotFound &&
                               result.error().code != ErrorCode::kConflict) {
                      join.Fail();
                    }
                  }));
  }
}

// Each is marked before it is deleted.
void JobController::RemovePods(const TurnPtr& turn, const std::vector<std::string>& names,
                               const AsyncJoin& join) {
  for (const std::string& pod : names) {
    const AsyncJoin marked(scope_.Guard([this, turn, pod, join](bool ok) {
      if (!ok) return join.Fail();
      DeletePod(turn, pod, join);
    }));
    MarkPods(turn, {pod}, marked);
  }
}

void JobController::DeletePod(const TurnPtr& turn, const std::string& pod, const AsyncJoin& join) {
  const auto found = turn->owned->pods.find(pod);
  if (found == turn->owned->pods.end() || found->second.leaving) return;
  found->second.ours = true;
  found->second.leaving = true;
  client_.Delete({resources::kPods, turn->job->meta.ns, pod}, {.uid = found->second.uid},
                 scope_.Guard([this, turn, join, pod,
                               uid = found->second.uid](const Result<kube::ApiResponse>& result) {
                   if (result || result.error().code == ErrorCode::kNotFound ||
                       result.error().code == ErrorCode::kConflict) {
                     return;
                   }
                   const auto kept = turn->owned->pods.find(pod);
                   if (kept != turn->owned->pods.end() && kept->second.uid == uid) {
                     kept->second.leaving = false;
                   }
                   Warn(*turn->job, reasons::kFailedDelete,
                        fmt::format("pod {}: {}", pod, result.error().message));
                   join.Fail();
                 }));
}

void JobController::WriteStatus(const TurnPtr& turn, const kube::VcJobStatus& status, Then then) {
  const kube::VcJob& job = *turn->job;
  auto finish = std::make_shared<Then>(std::move(then));
  client_.Patch({resources::kVcJobs, job.meta.ns, job.meta.name, "status"}, kube::PatchKind::kJson,
                JobStatusPatch(status, job.meta.resource_version),
                scope_.Guard([this, turn, finish, status](const Result<kube::ApiResponse>& result) {
                  State& state = *turn->state;
                  if (result) {
                    state.written_at = Now();
                    if (const auto written = kube::Decode<kube::VcJob>(result->body)) {
                      state.written_version = VersionNumber(written->meta.resource_version);
                    }
                    kube::StringMap without_parts = status.controlled_resources;
                    EraseParts(without_parts);
                    if (without_parts == status.controlled_resources) state.dropped_parts = false;
                    if (status.phase != turn->job->status.phase)
                      CountPhase(*turn->job, status.phase);
                    return (*finish)(true);
                  }
                  const ErrorCode code = result.error().code;
                  if (code != ErrorCode::kConflict && code != ErrorCode::kNotFound) {
                    Warn(*turn->job, reasons::kJobStatusError,
                         "writing the status: " + result.error().message);
                  }
                  (*finish)(false);
                }));
}

void JobController::CountPhase(const kube::VcJob& job, kube::VcJobPhase phase) {
  if (!options_.metrics) return;
  const metrics::Labels labels{{"job_name", job.meta.Key()},
                               {"queue_name", std::string(job.spec.Queue())}};
  if (phase == kube::VcJobPhase::kCompleted) {
    options_.metrics
        ->GetCounter("volcano_job_completed_phase_count", "Jobs that have completed.", labels)
        .Add();
  } else if (phase == kube::VcJobPhase::kFailed) {
    options_.metrics->GetCounter("volcano_job_failed_phase_count", "Jobs that have failed.", labels)
        .Add();
  }
}

}  // namespace basalt::controllers
