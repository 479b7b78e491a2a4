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

void WriteLanes::Add(Lane lane, const std::string& key, Start start, const std::string& tenant) {
  const bool was_idle = idle();
  LaneQueue& queue = lanes_[static_cast<std::size_t>(lane)];
  const auto [it, added] = queue.starts.try_emplace(key, Waiting{.start = {}, .tenant = tenant});
  it->second.start = std::move(start);
  if (added) {
    std::deque<std::string>& keys = queue.keys[tenant];
    if (keys.empty()) queue.turns.push_back(tenant);
    keys.push_back(key);
    ++waiting_;
  }
  if (was_idle && on_idle_) on_idle_(false);
  Pump();
}

bool WriteLanes::Drop(Lane lane, const std::string& key) {
  LaneQueue& queue = lanes_[static_cast<std::size_t>(lane)];
  const auto it = queue.starts.find(key);
  if (it == queue.starts.end()) return false;
  const auto keys = queue.keys.find(it->second.tenant);
  keys->second.erase(std::ranges::find(keys->second, key));
  if (keys->second.empty()) {
    std::erase(queue.turns, keys->first);
    queue.keys.erase(keys);
  }
  queue.starts.erase(it);
  --waiting_;
  return true;
}

void WriteLanes::Pump() {
  while (running_ < options_.parallel && waiting_ > 0 && !next_token_.running()) {
    if (!StartNext()) return;  // all that waits is behind others of its key or lane
  }
}

// Starts the first write, by lane and turn, that nothing stands in the way of. It is that tenant's
// turn again after the others'.
bool WriteLanes::StartNext() {
  const auto first_free = [&](std::deque<std::string>& keys) {
    return std::ranges::find_if(keys, [&](const std::string& key) { return !busy_.contains(key); });
  };
  for (LaneQueue& lane : lanes_) {
    if (lane.most_running > 0 && lane.running >= lane.most_running) continue;
    const auto turn = std::ranges::find_if(lane.turns, [&](const std::string& tenant) {
      std::deque<std::string>& keys = lane.keys.at(tenant);
      return first_free(keys) != keys.end();
    });
    if (turn == lane.turns.end()) continue;
    if (!limiter_.TryTake(loop_.Monotonic())) {
      const auto wait = std::chrono::duration<double>(1 / options_.qps);
      next_token_.Start(std::chrono::duration_cast<Duration>(wait), [this] { Pump(); });
      return false;
    }
    std::string tenant = std::move(*turn);
    lane.turns.erase(turn);
    std::deque<std::string>& keys = lane.keys.at(tenant);
    const auto next = first_free(keys);
    const std::string key = std::move(*next);
    keys.erase(next);
    if (keys.empty()) {
      lane.keys.erase(tenant);
    } else {
      lane.turns.push_back(std::move(tenant));
    }
    const auto start = lane.starts.find(key);
    Start run = std::move(start->second.start);
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
