#include "scheduler/framework/pod_wait.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/annotations.h"
#include "scheduler/framework/job_text.h"
#include "scheduler/framework/session.h"

namespace basalt::scheduler {

using model::TaskStatus;

// ---- gangs with members behind gates of others

namespace {

bool IsHeldByGate(const model::Cluster& cluster, const Task& task) {
  if (task.gate == model::Gate::kNone || task.waits_at_gate()) return false;
  // Where the queue's gates are switched off, they are on their way out.
  return task.gate == model::Gate::kForeign || cluster.gates_enabled();
}

}  // namespace

std::vector<const Task*> GatedMembers(const model::Cluster& cluster, const Job& job) {
  std::vector<const Task*> held;
  std::vector<int> held_of_role(job.roles.size());
  for (const Task& task : cluster.TasksOf(job.pending)) {
    if (!IsHeldByGate(cluster, task)) continue;
    held.push_back(&task);
    ++held_of_role[task.role];
  }
  if (held.empty()) return held;
  const bool too_few = job.valid_tasks() - static_cast<int>(held.size()) < job.min_available;
  std::erase_if(held, [&](const Task* task) {
    const model::Role& role = job.roles[task->role];
    const bool role_lacks =
        job.RolesCount() && role.counts.Valid() - held_of_role[task->role] < role.min_available;
    return !too_few && !role_lacks;
  });
  std::ranges::sort(held, [](const Task* a, const Task* b) { return model::TaskBefore(*a, *b); });
  return held;
}

std::vector<std::string> GatesInTheWay(const kube::Pod& pod) {
  std::vector<std::string> gates = pod.spec.scheduling_gates;
  if (gates.size() > 1) std::erase(gates, model::annotations::kQueueAllocationGate);
  return gates;
}

std::string DescribeGatedMembers(const Job& job, const std::vector<const Task*>& members) {
  constexpr std::size_t kFew = 3;
  std::vector<std::string> parts;
  for (const Task* member : members) {
    if (parts.size() == kFew) break;
    const std::vector<std::string> gates = GatesInTheWay(*member->pod);
    parts.push_back(fmt::format("{} is held back by scheduling gate{} {}", member->name(),
                                gates.size() > 1 ? "s" : "", FewOf(gates)));
  }
  const std::size_t more = members.size() - parts.size();
  return fmt::format("the group needs {} pods and cannot start without those behind gates: {}{}",
                     job.min_available, fmt::join(parts, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

// ---- what a session tells the pods of a job

namespace {

// Why tasks of the job have no place: a message per class, of the first task that failed.
class FailuresByClass {
 public:
  struct Entry {
    const Task* task;
    const FitFailure* failure;
    std::string message;
    // No node would help it; mostly it waits for its queue.
    bool is_held() const { return !failure->nodes_would_help; }
  };

  void Add(const Task& task, const FitFailure& failure) {
    Entry* known = Find(task);
    if (!known) {
      entries_.push_back({.task = &task, .failure = &failure});
    } else if (model::TaskBefore(task, *known->task)) {
      known->task = &task;
      known->failure = &failure;
    }
  }
  // nullptr: no task like it failed.
  const Entry* Of(const Task& task) {
    Entry* known = Find(task);
    if (known && known->message.empty()) known->message = known->failure->Message();
    return known;
  }
  bool AnyIsHeld() const { return std::ranges::any_of(entries_, &Entry::is_held); }
  bool IsHeld(const Task& task) {
    const Entry* known = Find(task);
    return known && known->is_held();
  }
  // Of the first failed task that is held, or is not. Where there is none, of the first of all
  // failed tasks. nullptr: none failed.
  const Entry* First(bool held) {
    const auto first = std::ranges::min_element(entries_, [&](const Entry& a, const Entry& b) {
      if (a.is_held() != b.is_held()) return a.is_held() == held;
      return model::TaskBefore(*a.task, *b.task);
    });
    return first == entries_.end() ? nullptr : Of(*first->task);
  }

 private:
  // A task that its queue has admitted fails for another reason than one that it has not.
  static bool Alike(const Task& a, const Task& b) {
    const auto admitted = [](const Task& task) {
      return task.holding.queue_claim || task.holding.lapsed;
    };
    return a.task_class == b.task_class && admitted(a) == admitted(b);
  }
  Entry* Find(const Task& task) {
    const auto known = std::ranges::find_if(
        entries_, [&](const Entry& entry) { return Alike(*entry.task, task); });
    return known == entries_.end() ? nullptr : &*known;
  }
  std::vector<Entry> entries_;
};

}  // namespace

// Every pod of a gang that cannot start says so, also the pods that would fit: an autoscaler must
// see them all, or none where no node would help the gang.
std::vector<PodWait> Session::WhyPodsWait(const Job& job) const {
  std::vector<PodWait> waits;
  if (job.pending.empty()) return waits;
  FailuresByClass failures;
  for (const Task& task : cluster_.TasksOf(job.pending)) {
    if (const FitFailure* failure = FailureOf(task)) failures.Add(task, *failure);
  }
  // What holds for every pod that has no failure of its own; for those too where `whole`.
  PodWait all{.cause = PodWait::Cause::kIncomplete, .reason = reasons::kUnschedulable};
  bool whole = false;
  if (const FitFailure* failure = FailureOf(job)) {
    all.cause = PodWait::Cause::kJob;
    all.failure = failure;
    all.message = failure->Message();
    if (!failure->nodes_would_help) all.reason = failure->held_by;
  }
  if (!NotSupported(job).empty()) {
    whole = true;
    all = {.cause = PodWait::Cause::kInvalid,
           .reason = reasons::kNotSupported,
           .message = WhyInvalid(job)};
  } else if (!IsJobReady(job)) {
    const Verdict valid = ValidateJob(job);
    const std::vector<const Task*> gated = GatedMembers(cluster_, job);
    if (valid.ok() && !gated.empty()) {
      whole = true;  // neither nodes nor the queue would help
      all = {.cause = PodWait::Cause::kGatedMembers,
             .reason = reasons::kMembersGated,
             .message = DescribeGatedMembers(job, gated)};
    } else if (all.cause == PodWait::Cause::kJob) {
      // No action has looked for places.
    } else if (!valid.ok()) {
      all = {.cause = PodWait::Cause::kInvalid,
             .reason = valid.reason,  // more nodes would not help
             .message = WhyInvalid(job),
             .patience = kPodsMayCome};
    } else {
      // The pods that only nodes hold back may be enough.
      int enough = job.ready_tasks() + job.waiting_tasks();
      for (const Task& task : cluster_.TasksOf(job.pending)) {
        if (task.gate != model::Gate::kForeign && !failures.IsHeld(task)) ++enough;
      }
      const bool all_held = failures.AnyIsHeld() && enough < job.min_available;
      if (const FailuresByClass::Entry* first = failures.First(all_held)) {
        all.cause = PodWait::Cause::kOther;
        all.other = first->task;
        all.failure = first->failure;
        all.message = fmt::format("the pod's group cannot start: {}: {}", first->task->name(),
                                  first->message);
        if (all_held) all.reason = all.failure->held_by;
      }
    }
  }
  if (all.cause == PodWait::Cause::kJob && !all.failure->reason.empty()) {
    all.reason = all.failure->reason;
  }
  for (const Task& task : cluster_.TasksOf(job.pending)) {
    PodWait wait = all;
    wait.task = &task;
    if (const FailuresByClass::Entry* own = whole ? nullptr : failures.Of(task)) {
      wait.cause = PodWait::Cause::kOwn;
      wait.reason = own->is_held() ? own->failure->held_by : all.reason;
      wait.message = own->message;
      wait.failure = own->failure;
      wait.other = nullptr;
    } else if (!all.message.empty()) {
      // As all of them.
    } else if (LastTried(task) == TaskStatus::kAllocated) {
      wait.message = "the pod fits, but its group is not complete";
    } else if (LastTried(task) == TaskStatus::kPipelined) {
      wait.message = "the pod will fit once others have left, but its group is not complete";
    } else {
      continue;
    }
    waits.push_back(std::move(wait));
  }
  return waits;
}

}  // namespace basalt::scheduler
