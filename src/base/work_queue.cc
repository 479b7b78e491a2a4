#include "base/work_queue.h"

#include <algorithm>

namespace basalt {

WorkQueue::WorkQueue(Loop& loop, Options options, Worker worker)
    : loop_(loop), options_(options), worker_(std::move(worker)), random_(options.seed) {}

void WorkQueue::Add(std::string key) {
  if (auto working = working_.find(key); working != working_.end()) {
    working->second = true;
    return;
  }
  if (!queued_.insert(key).second) return;
  ready_.push_back(std::move(key));
  PostPump();
}

void WorkQueue::AddAfter(std::string key, Duration delay) {
  if (delay <= Duration::zero()) return Add(std::move(key));
  ++delayed_;
  loop_.Schedule(delay, scope_.Guard([this, key = std::move(key)]() mutable {
    --delayed_;
    Add(std::move(key));
  }));
}

bool WorkQueue::idle() const { return ready_.empty() && working_.empty() && delayed_ == 0; }

// Not at once: a worker that answers at once must not recurse.
void WorkQueue::PostPump() {
  if (ready_.empty() || pump_posted_) return;
  pump_posted_ = true;
  loop_.Post(scope_.Guard([this] {
    pump_posted_ = false;
    Pump();
  }));
}

void WorkQueue::Pump() {
  while (!ready_.empty() && std::ssize(working_) < options_.parallel) {
    std::string key = std::move(ready_.front());
    ready_.pop_front();
    queued_.erase(key);
    working_.emplace(key, false);
    worker_(key, scope_.Guard([this, key](bool ok) { Finish(key, ok); }));
  }
}

void WorkQueue::Finish(const std::string& key, bool ok) {
  const auto working = working_.find(key);
  if (working == working_.end()) return;
  const bool again = working->second;
  working_.erase(working);
  if (ok) {
    failures_.erase(key);
    if (again) Add(key);
  } else {
    const int failures = failures_[key]++;
    const Duration::rep factor = Duration::rep{1} << std::min(failures, 20);
    const Duration step = std::min(options_.most_retry, options_.first_retry * factor);
    AddAfter(key, step / 2 + Duration(static_cast<Duration::rep>(
                                 random_.Uniform() * static_cast<double>(step.count() / 2))));
  }
  PostPump();
}

}  // namespace basalt
