#pragma once

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "model/queue_room.h"
#include "scheduler/framework/session.h"

namespace basalt::scheduler {

// A heap ordered by `before`, which is asked anew at each step: what it compares may change while
// an item is not in the queue. Lives in a JobQueues.
template <class T>
class PriorityQueue {
 public:
  explicit PriorityQueue(std::function<bool(const T&, const T&)> before)
      : after_([before = std::move(before)](const T& a, const T& b) { return before(b, a); }) {}

  void Push(T item) {
    items_.push_back(std::move(item));
    std::push_heap(items_.begin(), items_.end(), after_);
  }
  T Pop() {
    std::pop_heap(items_.begin(), items_.end(), after_);
    T item = std::move(items_.back());
    items_.pop_back();
    return item;
  }
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  // In no order.
  const std::vector<T>& items() const { return items_; }

 private:
  std::function<bool(const T&, const T&)> after_;
  std::vector<T> items_;
};

// What is done with a job that is taken: nothing yet, a place is looked for, or others may be
// evicted for it.
enum class Attempts : unsigned char { kNone, kPlace, kEvict };

// Queues in their order, and the jobs of each in theirs. An action takes the first queue, one of
// its jobs, and puts the queue back, so that it always works for the queue that is worst off.
//
// Jobs of a tenant that has used up its share of the cycle stand back until no other job is left.
// On the cluster's thread; lives within one session.
class JobQueues {
 public:
  explicit JobQueues(Session& session, Attempts attempts = Attempts::kPlace)
      : session_(session),
        attempts_(attempts),
        queues_([&session](const Queue* const& a, const Queue* const& b) {
          return session.QueueBefore(*a, *b);
        }) {
    session_.BeginAction(attempts == Attempts::kEvict);
  }
  ~JobQueues() { EndAttempt(); }
  JobQueues(const JobQueues&) = delete;
  JobQueues& operator=(const JobQueues&) = delete;

  void Add(const Job& job) {
    std::unique_ptr<JobQueue>& jobs = jobs_[job.queue];
    if (!jobs) {
      jobs = std::make_unique<JobQueue>(
          [session = &session_](const Job* const& a, const Job* const& b) {
            return session->JobBefore(*a, *b);
          });
      queues_.Push(&session_.QueueOf(job));
    }
    jobs->Push(&job);
    // Pods at the gate take no share of the nodes, and places for pods that move are no growth.
    if (LimitFor(job) == model::QueueLimit::kCapability || job.counts_with_pod) {
      served_beyond_share_.insert(job.queue);
    }
  }

  // A queue that has all that it deserves is not served, unless jobs with pods at the gate are in
  // it.
  void LeaveOutOverused() { leaves_out_overused_ = true; }

  // nullptr: none is left. A queue that was taken is out until it is put back.
  const Queue* TakeQueue();
  void PutBack(const Queue& queue) { queues_.Push(&queue); }
  // nullptr: the queue has no more. Jobs like one that has failed are left out, and those like one
  // that went on come after it.
  const Job* TakeJob(const Queue& queue);
  void PutBack(const Job& job) { jobs_.at(job.queue)->Push(&job); }

  // Serves one job after the other, always the first of the queue that is worst off. `serve` puts
  // back a job that has more to do; false ends it, and the rest is put off.
  void ServeByTurns(const std::function<bool(const Job& job)>& serve);

  // The cycle has no time for the jobs that are left: they have their turn in a later one.
  void PutOffRest();
  bool StandsBack(const Job& job) const { return standing_back_.contains(&job); }
  // The jobs that were not taken, in the order of their ids.
  std::vector<const Job*> Left() const;

 private:
  using JobQueue = PriorityQueue<const Job*>;

  void EndAttempt();

  Session& session_;
  Attempts attempts_;
  std::optional<Session::Attempt> attempt_;
  PriorityQueue<const Queue*> queues_;
  boost::unordered_flat_map<model::QueueId, std::unique_ptr<JobQueue>> jobs_;
  bool shares_count_ = true;
  bool leaves_out_overused_ = false;
  boost::unordered_flat_set<const Job*> standing_back_;
  boost::unordered_flat_set<model::QueueId> served_beyond_share_;
};

}  // namespace basalt::scheduler
