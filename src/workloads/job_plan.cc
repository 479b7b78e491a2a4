#include "workloads/job_plan.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <charconv>
#include <set>

#include "workloads/index_set.h"
#include "workloads/pod_facts.h"

namespace basalt::workloads {
namespace {

constexpr Duration kFirstBackOff = 10s;
constexpr Duration kMostBackOff = 10min;

using Pods = std::vector<const kube::Pod*>;

std::int32_t Count(std::size_t size) { return static_cast<std::int32_t>(size); }

std::optional<std::int32_t> IndexOf(const kube::Pod& pod) {
  const auto text = pod.meta.annotations.Find(kCompletionIndex);
  if (!text) return std::nullopt;
  const std::set<std::int32_t> one = ParseIndexes(*text);
  return one.size() == 1 ? std::optional(*one.begin()) : std::nullopt;
}

// When a pod that counts as failed ended.
Time FailedAt(const kube::Pod& pod) {
  Time at = pod.meta.creation_timestamp;
  if (pod.meta.deletion_timestamp) {
    at = std::max(at, *pod.meta.deletion_timestamp -
                          std::chrono::seconds(pod.meta.deletion_grace_period_seconds.value_or(0)));
  }
  for (const kube::ContainerStatus& status : pod.status.container_statuses) {
    at = std::max(at, status.state.finished_at);
  }
  return at;
}

class JobPlanner {
 public:
  JobPlanner(const kube::Job& job, const Pods& pods, Time now) : job_(job), now_(now) {
    for (const kube::Pod* pod : pods) by_uid_[pod->meta.uid] = pod;
    pods_ = pods;
    std::sort(pods_.begin(), pods_.end(),
              [](const kube::Pod* a, const kube::Pod* b) { return a->meta.name < b->meta.name; });
    JobStatus& status = plan_.status;
    status.succeeded = job.succeeded;
    status.failed = job.failed;
    status.start_time = job.start_time;
    status.completion_time = job.completion_time;
    completed_ = ParseIndexes(job.completed_indexes);
  }

  JobPlan Plan() {
    if (Has("Complete") || Has("Failed")) {
      PlanFinished();
    } else {
      PlanUnfinished();
    }
    return std::move(plan_);
  }

 private:
  bool indexed() const { return job_.completion_mode == kube::Job::CompletionMode::kIndexed; }
  bool Has(std::string_view type) const { return kube::IsConditionTrue(job_.conditions, type); }

  // ---- After the end: nothing of the status moves any more.

  void PlanFinished() {
    plan_.status_changed = false;
    for (const kube::Pod* pod : pods_) {
      if (pod->meta.HasFinalizer(kJobFinalizer)) plan_.release.push_back(pod);
      if (IsActive(*pod)) plan_.remove.push_back(pod);
    }
    if (!job_.ttl_seconds_after_finished || job_.meta.deleting()) return;
    Time end = job_.meta.creation_timestamp;
    for (const kube::Condition& condition : job_.conditions) {
      if (condition.type == "Complete" || condition.type == "Failed") {
        end = condition.last_transition_time;
      }
    }
    const Time gone = end + std::chrono::seconds(*job_.ttl_seconds_after_finished);
    if (gone <= now_) {
      plan_.remove_job = true;
    } else {
      plan_.look_again = gone;
    }
  }

  // ---- Before it.

  void PlanUnfinished() {
    CountEnds();
    SortLiving();
    StartOrSuspend();
    const bool ending = DecideEnd();
    if (ending || job_.suspend) {
      plan_.remove = active_;
    } else if (!job_.meta.deleting()) {
      PlanPods();
    }
    if (ending) FinishWhenQuiet();
    FillStatus();
  }

  // A pod counts as failed from its deletion on: it will not succeed, and its replacement should
  // not wait for it to go.
  bool CountsAsFailed(const kube::Pod& pod) const {
    if (pod.status.phase == kube::PodPhase::kFailed) return true;
    if (job_.replace_failed_pods_only || job_.suspend) return false;
    return pod.meta.deleting() && pod.status.phase != kube::PodPhase::kSucceeded;
  }

  void CountEnds() {
    // Recorded ends whose finalizer is gone move from the lists to the counters.
    const auto settle = [&](const std::vector<std::string>& recorded,
                            std::vector<std::string>& still, std::int32_t& counter,
                            boost::unordered_flat_set<std::string_view>& known) {
      for (const std::string& uid : recorded) {
        known.insert(uid);
        const auto found = by_uid_.find(std::string_view(uid));
        if (found != by_uid_.end() && found->second->meta.HasFinalizer(kJobFinalizer)) {
          still.push_back(uid);
          plan_.release.push_back(found->second);
        } else {
          ++counter;
        }
      }
    };
    JobStatus& status = plan_.status;
    boost::unordered_flat_set<std::string_view> known;
    settle(job_.uncounted_succeeded, status.uncounted_succeeded, status.succeeded, known);
    settle(job_.uncounted_failed, status.uncounted_failed, status.failed, known);
    for (const kube::Pod* pod : pods_) {
      if (!pod->meta.HasFinalizer(kJobFinalizer) || known.contains(pod->meta.uid)) continue;
      if (pod->status.phase == kube::PodPhase::kSucceeded) {
        CountSuccess(*pod);
      } else if (CountsAsFailed(*pod)) {
        status.uncounted_failed.push_back(pod->meta.uid);
      } else if (pod->meta.deleting() && job_.suspend) {
        plan_.release.push_back(pod);
      }
    }
    if (indexed()) status.succeeded = Count(completed_.size());
  }

  void CountSuccess(const kube::Pod& pod) {
    if (!indexed()) {
      plan_.status.uncounted_succeeded.push_back(pod.meta.uid);
      return;
    }
    // The set of indexes is idempotent: no list of uids is needed, the finalizer goes once the
    // index is stored.
    const auto index = IndexOf(pod);
    const std::set<std::int32_t> stored = ParseIndexes(job_.completed_indexes);
    if (index && *index < job_.completions.value_or(0)) completed_.insert(*index);
    if (!index || stored.contains(*index)) plan_.release.push_back(&pod);
  }

  void SortLiving() {
    for (const kube::Pod* pod : pods_) {
      if (pod->terminal()) continue;
      if (pod->meta.deleting()) {
        ++plan_.status.terminating;
      } else {
        active_.push_back(pod);
      }
    }
  }

  std::int32_t Succeeded() const {
    if (indexed()) return Count(completed_.size());
    return plan_.status.succeeded + Count(plan_.status.uncounted_succeeded.size());
  }
  std::int32_t Failed() const {
    return plan_.status.failed + Count(plan_.status.uncounted_failed.size());
  }

  void SetCondition(std::string_view type, bool value, std::string_view reason,
                    std::string_view message) {
    const auto status = value ? kube::ConditionStatus::kTrue : kube::ConditionStatus::kFalse;
    const kube::Condition* now = kube::FindCondition(job_.conditions, type);
    if (now != nullptr && now->status == status) return;
    plan_.status.changed_conditions.push_back({.type = std::string(type),
                                               .status = status,
                                               .last_transition_time = now_,
                                               .reason = std::string(reason),
                                               .message = std::string(message)});
  }

  void StartOrSuspend() {
    if (job_.suspend) {
      SetCondition("Suspended", true, "JobSuspended", "Job suspended");
      plan_.status.start_time.reset();
      return;
    }
    if (Has("Suspended")) {
      SetCondition("Suspended", false, "JobResumed", "Job resumed");
      plan_.status.start_time = now_;
    }
    if (!plan_.status.start_time) plan_.status.start_time = now_;
  }

  bool PastBackoffLimit() const {
    if (Failed() > job_.backoff_limit) return true;
    if (job_.pod_template.spec.restart_policy != kube::RestartPolicy::kOnFailure) return false;
    std::int64_t restarts = 0;
    for (const kube::Pod* pod : active_) restarts += Restarts(*pod);
    return job_.backoff_limit == 0 ? restarts > 0 : restarts >= job_.backoff_limit;
  }

  // Decided once: the condition FailureTarget or SuccessCriteriaMet remembers it.
  bool DecideEnd() {
    if (Has("FailureTarget") || Has("SuccessCriteriaMet")) return true;
    if (PastBackoffLimit()) {
      SetCondition("FailureTarget", true, "BackoffLimitExceeded",
                   "Job has reached the specified backoff limit");
      return true;
    }
    if (Succeeded() >= job_.completions.value_or(1) && (job_.completions || active_.empty())) {
      SetCondition("SuccessCriteriaMet", true, "CompletionsReached",
                   "Reached expected number of succeeded pods");
      return true;
    }
    if (!job_.active_deadline_seconds || job_.suspend) return false;
    const Time deadline =
        *plan_.status.start_time + std::chrono::seconds(*job_.active_deadline_seconds);
    if (now_ >= deadline) {
      SetCondition("FailureTarget", true, "DeadlineExceeded",
                   "Job was active longer than specified deadline");
      return true;
    }
    LookAgain(deadline);
    return false;
  }

  void LookAgain(Time at) {
    if (!plan_.look_again || at < *plan_.look_again) plan_.look_again = at;
  }

  // The last word is said when no pod is left and every end is in the counters.
  void FinishWhenQuiet() {
    JobStatus& status = plan_.status;
    const bool indexes_stored = !indexed() || completed_ == ParseIndexes(job_.completed_indexes);
    if (!active_.empty() || status.terminating > 0 || !status.uncounted_succeeded.empty() ||
        !status.uncounted_failed.empty() || !indexes_stored) {
      return;
    }
    const kube::Condition* target = FindNewOrStored("FailureTarget");
    if (target != nullptr) {
      SetCondition("Failed", true, target->reason, target->message);
      return;
    }
    target = FindNewOrStored("SuccessCriteriaMet");
    SetCondition("Complete", true, target->reason, target->message);
    status.completion_time = now_;
  }

  const kube::Condition* FindNewOrStored(std::string_view type) const {
    const kube::Condition* found = kube::FindCondition(plan_.status.changed_conditions, type);
    return found != nullptr ? found : kube::FindCondition(job_.conditions, type);
  }

  // ---- How many pods, and which.

  std::int32_t WantedActive() const {
    if (!job_.completions) return Succeeded() > 0 ? Count(active_.size()) : job_.parallelism;
    return std::max(0, std::min(job_.parallelism, *job_.completions - Succeeded()));
  }

  void PlanPods() {
    DropDuplicateIndexes();
    const std::int32_t wanted = WantedActive();
    const std::int32_t active = Count(active_.size());
    if (active > wanted) {
      Pods sorted = active_;
      SortForDeletion(sorted, pods_);
      plan_.remove.insert(plan_.remove.end(), sorted.begin(), sorted.begin() + (active - wanted));
      return;
    }
    std::int32_t missing = wanted - active;
    // Failed pods only are replaced: what still terminates holds its place.
    if (job_.replace_failed_pods_only) missing -= plan_.status.terminating;
    if (missing <= 0) return;
    if (const auto at = BackOffOver(); at && *at > now_) {
      LookAgain(*at);
      return;
    }
    if (indexed()) {
      ChooseIndexes(missing);
    } else {
      plan_.create = missing;
    }
  }

  // Two active pods for one index, or one for an index that is done: after races only.
  void DropDuplicateIndexes() {
    if (!indexed()) return;
    std::set<std::int32_t> seen = completed_;
    Pods kept;
    for (const kube::Pod* pod : active_) {
      const auto index = IndexOf(*pod);
      const bool valid = index && *index < job_.completions.value_or(0);
      (valid && seen.insert(*index).second ? kept : plan_.remove).push_back(pod);
    }
    active_ = std::move(kept);
  }

  void ChooseIndexes(std::int32_t missing) {
    std::set<std::int32_t> taken = completed_;
    for (const kube::Pod* pod : active_) {
      if (const auto index = IndexOf(*pod)) taken.insert(*index);
    }
    for (std::int32_t index = 0; index < job_.completions.value_or(0) && missing > 0; ++index) {
      if (taken.contains(index)) continue;
      plan_.create_indexes.push_back(index);
      --missing;
    }
    plan_.create = Count(plan_.create_indexes.size());
  }

  // After failures in a row (no success since) the next pod waits 10 s, 20 s, … up to 10 min from
  // the last one's end.
  std::optional<Time> BackOffOver() const {
    Time last_success = Time::min();
    for (const kube::Pod* pod : pods_) {
      if (pod->status.phase == kube::PodPhase::kSucceeded) {
        last_success = std::max(last_success, FailedAt(*pod));
      }
    }
    int in_a_row = 0;
    Time last_failure = Time::min();
    for (const kube::Pod* pod : pods_) {
      if (!CountsAsFailed(*pod)) continue;
      const Time at = FailedAt(*pod);
      if (at <= last_success) continue;
      ++in_a_row;
      last_failure = std::max(last_failure, at);
    }
    if (in_a_row == 0) return std::nullopt;
    return last_failure + std::min(kMostBackOff, kFirstBackOff * (1 << std::min(in_a_row - 1, 6)));
  }

  void FillStatus() {
    JobStatus& status = plan_.status;
    status.active = Count(active_.size());
    for (const kube::Pod* pod : active_) status.ready += IsReady(*pod) ? 1 : 0;
    if (indexed()) {
      status.succeeded = Count(completed_.size());
      status.completed_indexes = FormatIndexes(completed_);
    }
    plan_.status_changed =
        status.active != job_.active || status.ready != job_.ready ||
        status.terminating != job_.terminating || status.succeeded != job_.succeeded ||
        status.failed != job_.failed || status.completed_indexes != job_.completed_indexes ||
        status.uncounted_succeeded != job_.uncounted_succeeded ||
        status.uncounted_failed != job_.uncounted_failed || status.start_time != job_.start_time ||
        status.completion_time != job_.completion_time || !status.changed_conditions.empty();
  }

  const kube::Job& job_;
  const Time now_;
  Pods pods_;    // by name
  Pods active_;  // neither ended nor being deleted
  boost::unordered_flat_map<std::string_view, const kube::Pod*> by_uid_;
  std::set<std::int32_t> completed_;
  JobPlan plan_;
};

}  // namespace

JobPlan PlanJob(const kube::Job& job, const Pods& pods, Time now) {
  return JobPlanner(job, pods, now).Plan();
}

std::string_view UnsupportedJobField(const kube::Job& job) {
  if (job.backoff_limit_per_index) return "spec.backoffLimitPerIndex";
  if (job.max_failed_indexes) return "spec.maxFailedIndexes";
  if (job.has_pod_failure_policy) return "spec.podFailurePolicy";
  if (job.has_success_policy) return "spec.successPolicy";
  return {};
}

}  // namespace basalt::workloads
