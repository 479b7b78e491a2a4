#include "scheduler/actions/common/work_queues.h"

#include <algorithm>

namespace basalt::scheduler::actions {

const Queue* WorkQueues::TakeQueue() {
  if (queues_.empty() && !standing_back_.empty()) {
    shares_count_ = false;
    boost::unordered_flat_set<model::QueueId> queues;
    for (const Job* job : standing_back_) {
      PutBack(*job);
      if (queues.insert(job->queue).second) PutBack(session_.QueueOf(*job));
    }
    standing_back_.clear();
  }
  return queues_.empty() ? nullptr : queues_.Pop();
}

const Job* WorkQueues::TakeJob(const Queue& queue) {
  EndAttempt();
  JobQueue& jobs = *jobs_.at(queue.id);
  while (!jobs.empty()) {
    const Job* job = jobs.Pop();
    if (shares_count_ && !session_.HasShare(*job)) {
      standing_back_.insert(job);
      continue;
    }
    if (attempts_ == Attempts::kNone) return job;
    if (session_.KnownToFail(*job)) continue;
    attempt_ = session_.BeginAttempt(*job);
    return job;
  }
  return nullptr;
}

void WorkQueues::EndAttempt() {
  if (!attempt_) return;
  const Job* next = session_.EndAttempt(*attempt_);
  attempt_.reset();
  if (next) Add(*next);
}

void WorkQueues::PutOffRest() {
  EndAttempt();
  ForEachLeft([&](const Job& job) { session_.PutOff(job); });
}

TaskList::TaskList(const SessionView& view, std::vector<const Task*> tasks)
    : tasks_(std::move(tasks)) {
  std::ranges::sort(tasks_, [&](const Task* a, const Task* b) { return view.TaskBefore(*b, *a); });
}

std::vector<const Task*> UngatedPendingTasks(const SessionView& view, const Job& job) {
  std::vector<const Task*> tasks;
  tasks.reserve(job.pending.size());
  for (const model::TaskId id : job.pending) {
    const Task& task = view.cluster().task(id);
    if (task.gate == model::Gate::kNone && task.may_be_placed()) tasks.push_back(&task);
  }
  return tasks;
}

std::vector<const Task*> PlaceablePendingTasks(const SessionView& view, const Job& job) {
  std::vector<const Task*> tasks;
  tasks.reserve(job.pending.size());
  for (const model::TaskId id : job.pending) {
    const Task& task = view.cluster().task(id);
    if (task.may_be_placed()) tasks.push_back(&task);
  }
  return tasks;
}

}  // namespace basalt::scheduler::actions
