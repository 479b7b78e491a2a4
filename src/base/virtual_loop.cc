#include "base/virtual_loop.h"

#include <algorithm>

#include "base/check.h"

namespace basalt {

namespace {
constexpr std::uint64_t kMostTasksAtOneMoment = 50'000'000;
}

VirtualLoop::~VirtualLoop() {
  // Callbacks may own what cancels timers as it goes.
  while (!posted_.empty()) {
    Callback callback = std::move(posted_.front().second);
    posted_.pop_front();
  }
  while (!timers_.empty()) {
    auto node = timers_.extract(timers_.begin());
    timer_times_.erase(node.key().second);
  }
}

void VirtualLoop::Post(Callback callback) {
  posted_.emplace_back(next_sequence_++, std::move(callback));
}

TimerId VirtualLoop::Schedule(Duration delay, Callback callback) {
  const std::uint64_t id = next_sequence_++;
  const Duration when = now_ + std::max(delay, Duration::zero());
  timers_.emplace(Key(when, id), std::move(callback));
  timer_times_.emplace(id, when);
  return id;
}

void VirtualLoop::Cancel(TimerId id) {
  const auto found = timer_times_.find(id);
  if (found == timer_times_.end()) return;
  const Key key(found->second, id);
  timer_times_.erase(found);
  const auto dropped = timers_.extract(key);  // destroyed last: its callback may call us
}

void VirtualLoop::MoveTo(Duration when) {
  if (when == now_) return;
  now_ = when;
  tasks_at_now_ = 0;
}

bool VirtualLoop::RunNext(Duration limit) {
  const auto timer = timers_.begin();
  const bool have_timer = timer != timers_.end();
  if (posted_.empty() && (!have_timer || timer->first.first > limit)) return false;
  BASALT_CHECK(++tasks_at_now_ < kMostTasksAtOneMoment);
  // A posted callback is due now, with the number it was posted with.
  if (!posted_.empty() && (!have_timer || Key(now_, posted_.front().first) < timer->first)) {
    Callback callback = std::move(posted_.front().second);
    posted_.pop_front();
    callback();
    return true;
  }
  auto node = timers_.extract(timer);
  timer_times_.erase(node.key().second);
  MoveTo(node.key().first);
  node.mapped()();
  return true;
}

bool VirtualLoop::Step() { return RunNext(Duration::max()); }

void VirtualLoop::RunUntil(Time time) { RunFor(time - Now()); }

void VirtualLoop::RunFor(Duration duration) {
  BASALT_CHECK(duration >= Duration::zero());
  const Duration end = now_ + duration;
  while (RunNext(end)) {
  }
  MoveTo(end);
}

bool VirtualLoop::RunUntil(const std::function<bool()>& done, Duration most) {
  const Duration end = now_ + most;
  while (!done()) {
    if (RunNext(end)) continue;
    MoveTo(end);
    return done();
  }
  return true;
}

}  // namespace basalt
