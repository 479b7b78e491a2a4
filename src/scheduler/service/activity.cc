#include "scheduler/service/activity.h"

#include <chrono>

#include "kube/types/time.h"

namespace basalt::scheduler {
namespace {

constexpr std::int64_t kMinutesKept = 60;

std::int64_t MinuteOf(Time now) {
  return std::chrono::duration_cast<std::chrono::minutes>(now.time_since_epoch()).count();
}

}  // namespace

void Activity::CycleEnded(const CycleTimes& times, Time now) {
  last_ = {times, now};
  if (times.decided()) last_decided_ = last_;
}

void Activity::Evicted(Time now) {
  const std::int64_t minute = MinuteOf(now);
  if (evictions_.empty() || evictions_.back().first != minute) evictions_.emplace_back(minute, 0);
  ++evictions_.back().second;
  while (evictions_.front().first <= minute - kMinutesKept) evictions_.pop_front();
}

boost::json::object Activity::ToJson(const Cycle& cycle) {
  return {{"number", static_cast<std::int64_t>(cycle.times.cycle)},
          {"at", kube::FormatTime(cycle.at)},
          {"milliseconds", std::chrono::duration<double, std::milli>(cycle.times.total).count()},
          {"binds", static_cast<std::int64_t>(cycle.times.binds)},
          {"promises", static_cast<std::int64_t>(cycle.times.promises)},
          {"evictions", static_cast<std::int64_t>(cycle.times.evictions)},
          {"ungated", static_cast<std::int64_t>(cycle.times.ungated)},
          {"jobsPutOff", static_cast<std::int64_t>(cycle.times.jobs_put_off)}};
}

boost::json::object Activity::ToJson(Time now) const {
  boost::json::object out;
  if (leads_since_ != Time{}) out["leadsSince"] = kube::FormatTime(leads_since_);
  if (last_.at != Time{}) out["lastCycle"] = ToJson(last_);
  if (last_decided_.at != Time{}) out["lastDecision"] = ToJson(last_decided_);
  std::int64_t evictions = 0;
  for (const auto& [minute, count] : evictions_) {
    if (minute > MinuteOf(now) - kMinutesKept) evictions += count;
  }
  out["evictionsLastHour"] = evictions;
  return out;
}

}  // namespace basalt::scheduler
