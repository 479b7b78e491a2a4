// The end of a session: phases of groups, and what users see of those that wait. Nothing is said
// that the object says already, and no text depends on more than the state, so that a cycle that
// changes nothing writes nothing.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "model/group_of.h"
#include "scheduler/framework/aggregators.h"
#include "scheduler/framework/job_text.h"
#include "scheduler/framework/queue_room.h"
#include "scheduler/framework/session.h"

namespace basalt::scheduler {

using model::JobPhase;
using model::TaskStatus;

namespace {

// What is about to be created, most likely: not worth a word, let alone a write per pod.
constexpr Duration kQueueMayCome = 1s;
constexpr Duration kPodsMayCome = 5s;

bool Has(const kube::PodGroup& group, const model::GroupCondition& wanted) {
  return std::ranges::any_of(group.conditions, [&](const kube::PodGroupCondition& condition) {
    return condition.type == wanted.type && condition.status == kube::ConditionStatus::kTrue &&
           condition.reason == wanted.reason && GiveSameReasons(condition.message, wanted.message);
  });
}

// Why tasks of the job have no place: a message per class, of the first task that failed.
class FailuresByClass {
 public:
  void Add(const Task& task, const FitFailure& failure) {
    Entry* known = Find(task);
    if (!known) {
      entries_.push_back({.task = &task, .failure = &failure});
    } else if (model::TaskBefore(task, *known->task)) {
      known->task = &task;
      known->failure = &failure;
    }
  }
  // nullptr: none failed.
  const std::string* MessageFor(const Task& task) {
    Entry* known = Find(task);
    if (!known) return nullptr;
    if (known->message.empty()) known->message = known->failure->Message();
    return &known->message;
  }
  // Whether one of them waits for its queue alone.
  bool AnyWaitsForQueue() const {
    return std::ranges::any_of(entries_,
                               [](const Entry& entry) { return !entry.failure->nodes_would_help; });
  }
  bool WaitsForQueue(const Task& task) const {
    return std::ranges::any_of(entries_, [&](const Entry& entry) {
      return Alike(*entry.task, task) && !entry.failure->nodes_would_help;
    });
  }
  // The first task of those that wait for their queue alone, or of the others; of all that failed
  // where there is none. nullptr: none failed.
  const Task* First(bool waits_for_queue) const {
    const Task* first = nullptr;
    bool found = false;
    for (const Entry& entry : entries_) {
      const bool wanted = !entry.failure->nodes_would_help == waits_for_queue;
      if (found && !wanted) continue;
      if (!first || (wanted && !found) || model::TaskBefore(*entry.task, *first)) {
        first = entry.task;
      }
      found = found || wanted;
    }
    return first;
  }

 private:
  struct Entry {
    const Task* task;
    const FitFailure* failure;
    std::string message;
  };
  // Whom the queue has admitted fails for another reason than one that it has not.
  static bool Alike(const Task& a, const Task& b) {
    const auto admitted = [](const Task& task) {
      return task.holding.queue_claim || task.holding.lapsed;
    };
    return a.task_class == b.task_class && admitted(a) == admitted(b);
  }
  Entry* Find(const Task& task) {
    for (Entry& entry : entries_) {
      if (Alike(*entry.task, task)) return &entry;
    }
    return nullptr;
  }
  std::vector<Entry> entries_;
};

}  // namespace

JobPhase Session::PhaseAfter(const Job& job, bool unschedulable) const {
  // A shadow goes with its pod. It never wants room again, so it must not ask to be enqueued.
  if (job.shadow && job.counts[TaskStatus::kReleasing] > 0) return JobPhase::kRunning;
  if (job.counts[TaskStatus::kRunning] > 0 && unschedulable) return JobPhase::kUnknown;
  const int completed = job.counts[TaskStatus::kSucceeded] + job.counts[TaskStatus::kFailed];
  const int scheduled =
      completed + job.counts[TaskStatus::kBound] + job.counts[TaskStatus::kRunning];
  if (scheduled >= job.min_available) {
    return scheduled == completed ? JobPhase::kCompleted : JobPhase::kRunning;
  }
  // What a job was promised it was admitted for: it must not have to ask again.
  const bool admitted = job.phase == JobPhase::kInqueue || !job.pipelined.empty();
  return admitted ? JobPhase::kInqueue : JobPhase::kPending;
}

void Session::SayPodWaits(const Task& task, std::string_view reason, std::string message) {
  said_waits_.insert(task.id);
  // A gated pod is never called unschedulable: that would call an autoscaler.
  if (task.gate != model::Gate::kNone) return;
  const kube::Condition* known = kube::FindCondition(task.pod->status.conditions, "PodScheduled");
  if (known && known->status == kube::ConditionStatus::kFalse && known->reason == reason &&
      GiveSameReasons(known->message, message)) {
    return;
  }
  // Other words may have to wait their turn, and are said again until they stand there.
  const Job* job = JobOf(task);
  if (job && known && known->status == kube::ConditionStatus::kFalse) DependsOnTime(*job);
  intents_.push_back(model::PodWaits{.task = task.id,
                                     .pod = task.pod,
                                     .reason = std::string(reason),
                                     .message = std::move(message)});
}

void Session::SayThatQueueIsMissing(const Job& job) {
  if (job.created() + kQueueMayCome > now_) return;
  const std::string message =
      fmt::format("queue {} does not exist", cluster_.queue(job.queue).name);
  for (const model::TaskId id : job.pending) {
    SayPodWaits(cluster_.task(id), reasons::kQueueNotFound, message);
  }
  if (job.shadow) return;
  model::GroupCondition condition{.type = std::string(reasons::kUnschedulable),
                                  .reason = std::string(reasons::kQueueNotFound),
                                  .message = message};
  if (Has(*job.group, condition)) return;
  intents_.push_back(model::GroupStatus{.job = job.id,
                                        .group = job.group,
                                        .phase = job.phase,
                                        .running = job.counts[TaskStatus::kRunning],
                                        .succeeded = job.counts[TaskStatus::kSucceeded],
                                        .failed = job.counts[TaskStatus::kFailed],
                                        .conditions = {std::move(condition)}});
}

FitFailure Session::WhyNotAdmitted(const Task& task, const Verdict& refusal) {
  LastRefusal& last = last_refusal_;
  if (last.job == task.job && last.task_class == task.task_class && last.reason == refusal.reason) {
    return last.failure;
  }
  last = {.job = task.job,
          .task_class = task.task_class,
          .reason = refusal.reason,
          .failure = {.other = std::string(refusal.reason), .nodes_would_help = false}};
  const Job* job = JobOf(task);
  if (!job || task.opted_in) return last.failure;
  if (const Queue& queue = QueueOf(*job); queue.in_cycle) {
    last.failure.other = fmt::format("queue {} is its own ancestor: its parent {} leads back to it",
                                     queue.name, queue.object->parent);
    return last.failure;
  } else if (!queue.open || CapabilityRefuses(cluster_, *job, task)) {
    return last.failure;
  }
  // Looking at every node for each of thousands that wait would cost more than it tells: the first
  // in the order of jobs hear of the nodes.
  constexpr std::size_t kMostExplained = 64;
  if (cluster_.nodes().empty() || failures_.size() >= kMostExplained) {
    last.failure.nodes_would_help = true;
  } else if (!finder_.Best(task, Room::kChecked)) {
    last.failure = WhyNoNode(task, Room::kChecked);
  }
  return last.failure;
}

// Of a gang that cannot start every pod says so, also those that would fit: who makes room must see
// them all, or none where the queue has no room for the gang.
void Session::SayWhyPodsWait(const Job& job) {
  if (job.pending.empty()) return;
  FailuresByClass failures;
  for (const model::TaskId id : job.pending) {
    const Task& task = cluster_.task(id);
    if (const FitFailure* failure = FailureOf(task)) failures.Add(task, *failure);
  }
  std::string for_all;
  bool all_wait_for_queue = false;
  std::string_view reason = reasons::kUnschedulable;
  Duration patience{0};
  if (const FitFailure* failure = FailureOf(job)) {
    for_all = failure->Message();
    all_wait_for_queue = !failure->nodes_would_help;
  } else if (!IsJobReady(job)) {
    if (!ValidateJob(job).ok()) {
      for_all = TooFewPods(job);
      reason = ValidateJob(job).reason;  // more nodes would not help
      patience = kPodsMayCome;
    } else {
      // Those that the queue does not hold back may be enough.
      int enough = job.ready_tasks() + job.waiting_tasks();
      for (const model::TaskId id : job.pending) {
        const Task& task = cluster_.task(id);
        if (task.gate != model::Gate::kForeign && !failures.WaitsForQueue(task)) ++enough;
      }
      all_wait_for_queue = failures.AnyWaitsForQueue() && enough < job.min_available;
      if (const Task* first = failures.First(all_wait_for_queue)) {
        for_all = fmt::format("the pod's group cannot start: {}: {}", first->name(),
                              *failures.MessageFor(*first));
      }
    }
  }
  if (all_wait_for_queue) reason = reasons::kWaitsForQueue;
  for (const model::TaskId id : job.pending) {
    const Task& task = cluster_.task(id);
    if (task.pod->meta.creation_timestamp + patience > now_) {
      DependsOnTime(job);
      continue;
    }
    if (const std::string* own = failures.MessageFor(task)) {
      const bool waits_for_queue = all_wait_for_queue || failures.WaitsForQueue(task);
      SayPodWaits(task, waits_for_queue ? reasons::kWaitsForQueue : reasons::kUnschedulable, *own);
    } else if (!for_all.empty()) {
      SayPodWaits(task, reason, for_all);
    } else if (LastTried(task) == TaskStatus::kAllocated) {
      SayPodWaits(task, reason, "the pod fits, but its group is not complete");
    } else if (LastTried(task) == TaskStatus::kPipelined) {
      SayPodWaits(task, reason,
                  "the pod will fit once others have left, but its group is not complete");
    }
  }
}

void Session::Close() {
  if (closed_) return;
  closed_ = true;
  CopyOutcomes();
  TellAll(plugins_.hooks<SessionObserver>(), [&](SessionObserver& plugin) { plugin.Close(*this); });
  const std::vector<model::JobId> active = cluster_.active_jobs();
  for (const model::JobId id : active) {
    const Job& job = cluster_.job(id);
    if (!job.exists() || FindJob(id)) continue;
    SayThatQueueIsMissing(job);
    if (job.created() + kQueueMayCome <= now_) ParkUntilItsQueueComes(job);
  }
  for (const Job* job : JobsInTurn()) {
    looked_at_.push_back(job->id);
    auto conditions = conditions_.find(job->id);
    model::GroupStatus status{.job = job->id, .group = job->group};
    bool unschedulable = false;
    if (conditions != conditions_.end()) {
      for (const model::GroupCondition& condition : conditions->second) {
        unschedulable = unschedulable || condition.type == reasons::kUnschedulable;
      }
      status.conditions = std::move(conditions->second);
    }
    status.phase = PhaseAfter(*job, unschedulable);
    status.running = job->counts[TaskStatus::kRunning];
    status.succeeded = job->counts[TaskStatus::kSucceeded];
    status.failed = job->counts[TaskStatus::kFailed];
    SayWhyPodsWait(*job);
    if (status.phase != job->phase) NoteChanged(*job);
    state_.SetPhase(job->id, status.phase);
    state_.Settle(job->id);
    if (job->shadow) continue;  // nobody else knows of it
    const kube::PodGroup& old = *status.group;
    std::erase_if(status.conditions,
                  [&](const model::GroupCondition& condition) { return Has(old, condition); });
    const bool changed = !status.conditions.empty() ||
                         model::ToString(status.phase) != kube::ToString(old.phase) ||
                         status.running != old.running || status.succeeded != old.succeeded ||
                         status.failed != old.failed;
    if (changed) intents_.push_back(std::move(status));
  }
  SayWhichGroupsAreMissing();
  ReconcileNominations();
  for (const Job* job : JobsInTurn()) ParkIfStuck(*job);
  state_.EndOfLook();
}

void Session::SayWhichGroupsAreMissing() {
  // Groups and pods are written by different hands; a moment without the group is nothing to tell.
  constexpr Duration kPatience = 2s;
  for (const model::JobId id : cluster_.groupless_jobs()) {
    const Job& job = cluster_.job(id);
    for (const model::TaskId task_id : job.pending) {
      const Task& task = cluster_.task(task_id);
      if (now_ - task.pod->meta.creation_timestamp < kPatience) continue;
      SayPodWaits(task, reasons::kGroupNotFound, model::WhyGroupIsMissing(*task.pod));
    }
  }
}

}  // namespace basalt::scheduler
