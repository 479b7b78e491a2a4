#include "scheduler/framework/work_queues.h"

namespace basalt::scheduler {

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

}  // namespace basalt::scheduler
