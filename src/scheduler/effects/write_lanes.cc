#include "scheduler/effects/write_lanes.h"

#include <algorithm>
#include <utility>

namespace basalt::scheduler {

WriteLanes::WriteLanes(Loop& loop, Options options)
    : loop_(loop),
      options_(options),
      limiter_(options.qps, std::max(options.burst, 1.0)),
      next_token_(loop) {
  lanes_[static_cast<std::size_t>(Lane::kGate)].most_running = options_.parallel_gates;
}

void WriteLanes::Add(Lane lane, const std::string& key, Start start) {
  const bool was_idle = idle();
  LaneQueue& queue = lanes_[static_cast<std::size_t>(lane)];
  const auto [it, added] = queue.starts.insert_or_assign(key, std::move(start));
  (void)it;
  if (added) {
    queue.keys.push_back(key);
    ++waiting_;
  }
  if (was_idle && on_idle_) on_idle_(false);
  Pump();
}

bool WriteLanes::Drop(Lane lane, const std::string& key) {
  LaneQueue& queue = lanes_[static_cast<std::size_t>(lane)];
  if (queue.starts.erase(key) == 0) return false;
  queue.keys.erase(std::ranges::find(queue.keys, key));
  --waiting_;
  return true;
}

void WriteLanes::Pump() {
  while (running_ < options_.parallel && waiting_ > 0 && !next_token_.running()) {
    if (!StartNext()) return;  // all that waits is behind others of its key or lane
  }
}

// Starts the first write, by lane and age, that nothing stands in the way of.
bool WriteLanes::StartNext() {
  for (LaneQueue& lane : lanes_) {
    if (lane.most_running > 0 && lane.running >= lane.most_running) continue;
    const auto next = std::ranges::find_if(
        lane.keys, [&](const std::string& key) { return !busy_.contains(key); });
    if (next == lane.keys.end()) continue;
    if (!limiter_.TryTake(loop_.Monotonic())) {
      const auto wait = std::chrono::duration<double>(1 / options_.qps);
      next_token_.Start(std::chrono::duration_cast<Duration>(wait), [this] { Pump(); });
      return false;
    }
    std::string key = std::move(*next);
    lane.keys.erase(next);
    const auto start = lane.starts.find(key);
    Start run = std::move(start->second);
    lane.starts.erase(start);
    --waiting_;
    ++running_;
    ++lane.running;
    busy_.insert(key);
    run(scope_.Guard([this, &lane, key] { Finish(lane, key); }));
    return true;
  }
  return false;
}

void WriteLanes::Finish(LaneQueue& lane, const std::string& key) {
  busy_.erase(key);
  --lane.running;
  --running_;
  Pump();
  if (idle() && on_idle_) on_idle_(true);
}

}  // namespace basalt::scheduler
