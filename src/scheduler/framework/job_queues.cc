#include "scheduler/framework/job_queues.h"

#include <algorithm>

namespace basalt::scheduler {

const Queue* JobQueues::TakeQueue() {
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

const Job* JobQueues::TakeJob(const Queue& queue) {
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

void JobQueues::ServeByTurns(const std::function<bool(const Job& job)>& serve) {
  while (const Queue* queue = TakeQueue()) {
    const bool may_be_left_out = leaves_out_overused_ && !served_beyond_share_.contains(queue->id);
    if (may_be_left_out && session_.IsOverused(*queue)) continue;
    const Job* job = TakeJob(*queue);
    if (!job) continue;
    if (!serve(*job)) return PutOffRest();
    // Its share has changed: the next queue may be another.
    PutBack(*queue);
  }
}

void JobQueues::EndAttempt() {
  if (!attempt_) return;
  const Job* next = session_.EndAttempt(*attempt_);
  attempt_.reset();
  if (next) Add(*next);
}

void JobQueues::PutOffRest() {
  EndAttempt();
  for (const Job* job : Left()) session_.PutOff(*job);
}

std::vector<const Job*> JobQueues::Left() const {
  std::vector<const Job*> left(standing_back_.begin(), standing_back_.end());
  for (const auto& [queue, jobs] : jobs_) {
    left.insert(left.end(), jobs->items().begin(), jobs->items().end());
  }
  std::ranges::sort(left, {}, [](const Job* job) { return job->id; });
  return left;
}

}  // namespace basalt::scheduler
