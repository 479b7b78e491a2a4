#include "scheduler/plugins/predicates/one_pod_claims.h"

#include <algorithm>

#include "scheduler/plugins/predicates/volume_claims.h"

namespace basalt::scheduler::plugins {

void OnePodClaims::Open(const model::Cluster& cluster) {
  cluster_ = &cluster;
  classes_.clear();
  users_known_ = false;
  users_.clear();
}

const std::vector<std::string>& OnePodClaims::ClaimsOfClass(const model::Task& task) {
  OfClass& known = classes_[task.task_class->id];
  if (known.example == task.task_class->example) return known.claims;
  known = {.example = task.task_class->example, .claims = {}};
  for (const ClaimUse& use : ClaimsOf(*cluster_, task)) {
    if (use.claim && IsForOnePod(*use.claim)) known.claims.push_back(use.claim->meta.Key());
  }
  // A pod may mount one claim twice.
  std::ranges::sort(known.claims);
  known.claims.erase(std::ranges::unique(known.claims).begin(), known.claims.end());
  return known.claims;
}

void OnePodClaims::Count(const model::Task& task, int by) {
  for (const std::string& claim : ClaimsOfClass(task)) users_[claim] += by;
}

void OnePodClaims::FindUsers() {
  users_known_ = true;
  for (std::uint32_t id = 0; id < cluster_->placed_classes_bound(); ++id) {
    const std::vector<model::TaskId>& tasks = cluster_->placed_of_class(id);
    if (tasks.empty()) continue;
    const model::Task& first = cluster_->task(tasks.front());
    if (!first.task_class->has_volumes || ClaimsOfClass(first).empty()) continue;
    for (const model::TaskId task : tasks) Count(cluster_->task(task), +1);
  }
}

void OnePodClaims::TaskMoved(const model::Task& task, const model::Holding& from) {
  if (!users_known_ || !task.task_class->has_volumes) return;
  const int change = static_cast<int>(model::OccupiesNode(task.holding)) -
                     static_cast<int>(model::OccupiesNode(from));
  if (change != 0) Count(task, change);
}

Verdict OnePodClaims::Check(const model::Task& task) {
  if (!users_known_) FindUsers();
  const int itself = model::OccupiesNode(task.holding) ? 1 : 0;
  for (const std::string& claim : ClaimsOfClass(task)) {
    const auto it = users_.find(claim);
    if (it != users_.end() && it->second > itself) {
      return Verdict::Unschedulable(
          "node has pod using PersistentVolumeClaim with the same name "
          "and ReadWriteOncePod access mode");
    }
  }
  return Verdict::Ok();
}

}  // namespace basalt::scheduler::plugins
