#include "workloads/deployment_status.h"

#include <fmt/core.h>

#include <algorithm>

namespace basalt::workloads {
namespace {

kube::ReplicaCounts CountReplicasOf(const DeploymentView& view) {
  kube::ReplicaCounts counts;
  std::int32_t asked = 0;
  for (const kube::ReplicaSet* set : view.all_sets) {
    asked += set->replicas;
    counts.replicas += set->status.replicas;
    counts.ready += set->status.ready;
    counts.available += set->status.available;
  }
  if (view.new_set != nullptr) counts.updated = view.new_set->status.replicas;
  counts.unavailable = std::max(0, asked - counts.available);
  return counts;
}

kube::Condition Make(std::string_view type, kube::ConditionStatus status, std::string_view reason,
                     std::string message) {
  return {.type = std::string(type),
          .status = status,
          .reason = std::string(reason),
          .message = std::move(message)};
}

kube::Condition AvailableCondition(const DeploymentView& view, const kube::ReplicaCounts& counts) {
  if (counts.available >= view.deployment.replicas - view.unavailable_limit) {
    return Make("Available", kube::ConditionStatus::kTrue, "MinimumReplicasAvailable",
                "Deployment has minimum availability.");
  }
  return Make("Available", kube::ConditionStatus::kFalse, "MinimumReplicasUnavailable",
              "Deployment does not have minimum availability.");
}

bool IsComplete(const DeploymentView& view, const kube::ReplicaCounts& counts) {
  const std::int32_t replicas = view.deployment.replicas;
  return view.new_set != nullptr && counts.updated == replicas && counts.replicas == replicas &&
         counts.available == replicas;
}

bool Progressed(const kube::ReplicaCounts& before, const kube::ReplicaCounts& after) {
  return after.updated > before.updated || after.ready > before.ready ||
         after.available > before.available ||
         after.replicas - after.updated < before.replicas - before.updated;
}

std::string SubjectOf(const DeploymentView& view) {
  return view.new_set != nullptr ? fmt::format("ReplicaSet \"{}\"", view.new_set->meta.name)
                                 : fmt::format("Deployment \"{}\"", view.deployment.meta.name);
}

// The condition as it stands, or nothing.
std::optional<kube::Condition> Stored(const DeploymentView& view) {
  const kube::Condition* found = kube::FindCondition(view.deployment.conditions, "Progressing");
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

std::optional<kube::Condition> ProgressCondition(const DeploymentView& view, Time now,
                                                 DeploymentStatus& status) {
  const kube::Deployment& deployment = view.deployment;
  if (!deployment.progress_deadline_seconds) return std::nullopt;
  const auto stored = Stored(view);
  const std::string subject = SubjectOf(view);
  if (deployment.paused) {
    if (stored && stored->reason == "NewReplicaSetAvailable" && status.complete) return stored;
    return Make("Progressing", kube::ConditionStatus::kUnknown, "DeploymentPaused",
                "Deployment is paused");
  }
  if (status.complete) {
    return Make("Progressing", kube::ConditionStatus::kTrue, "NewReplicaSetAvailable",
                subject + " has successfully progressed.");
  }
  if (view.created_set) {
    return Make("Progressing", kube::ConditionStatus::kTrue, "NewReplicaSetCreated",
                fmt::format("Created new replica set for \"{}\"", deployment.meta.name));
  }
  if (status.progressed) {
    return Make("Progressing", kube::ConditionStatus::kTrue, "ReplicaSetUpdated",
                subject + " is progressing.");
  }
  // A finished rollout that lost pods is not rolled out again: no deadline runs.
  if (stored && stored->reason == "NewReplicaSetAvailable") return stored;
  const Time deadline =
      view.last_progress + std::chrono::seconds(*deployment.progress_deadline_seconds);
  if (now >= deadline) {
    return Make("Progressing", kube::ConditionStatus::kFalse, "ProgressDeadlineExceeded",
                subject + " has timed out progressing.");
  }
  status.next_change = deadline;
  if (stored && stored->reason != "DeploymentPaused") return stored;
  return Make("Progressing", kube::ConditionStatus::kTrue, "ReplicaSetUpdated",
              subject + " is progressing.");
}

}  // namespace

DeploymentStatus ComputeStatus(const DeploymentView& view, Time now) {
  DeploymentStatus status;
  status.counts = CountReplicasOf(view);
  status.complete = IsComplete(view, status.counts) &&
                    view.deployment.observed_generation == view.deployment.meta.generation;
  status.progressed = view.created_set || Progressed(view.deployment.status, status.counts);
  status.conditions.push_back(AvailableCondition(view, status.counts));
  if (auto progress = ProgressCondition(view, now, status)) {
    status.conditions.push_back(std::move(*progress));
  }
  return status;
}

}  // namespace basalt::workloads
