#include "scheduler/plugins/sla/sla.h"

#include <fmt/format.h>

#include "kube/types/time.h"
#include "model/annotations.h"

namespace basalt::scheduler::plugins {

Result<std::unique_ptr<Plugin>> Sla::Make(const PluginContext& context) {
  const Arguments& arguments = context.config.arguments;
  if (auto ok = arguments.CheckKnown({"sla-waiting-time"}); !ok) {
    return std::unexpected(ok.error());
  }
  std::optional<Duration> waiting_time;
  if (arguments.Has("sla-waiting-time")) {
    // What is no duration, or none above zero, means no limit: Volcano says so in its log alone.
    std::string text;
    if (auto ok = arguments.Get("sla-waiting-time", &text); ok) {
      const auto parsed = kube::ParseDuration(text);
      if (parsed && *parsed > Duration::zero()) waiting_time = *parsed;
    }
  }
  return std::make_unique<Sla>(waiting_time);
}

std::optional<Duration> Sla::WaitingTime(const Job& job) const {
  if (job.group) {
    for (const std::string_view key :
         {model::annotations::kSlaWaitingTime, std::string_view("sla-waiting-time")}) {
      const auto text = job.group->meta.annotations.Find(key);
      if (!text) continue;
      const auto parsed = kube::ParseDuration(*text);
      if (parsed && *parsed > Duration::zero()) return *parsed;
    }
  }
  return waiting_time_;
}

bool Sla::IsLate(const Job& job) const {
  const auto waiting_time = WaitingTime(job);
  return waiting_time && view_->now() - job.created() >= *waiting_time;
}

std::weak_ordering Sla::CompareJobs(const Job& a, const Job& b) const {
  const auto time_a = WaitingTime(a), time_b = WaitingTime(b);
  if (!time_a || !time_b) return time_b.has_value() <=> time_a.has_value();
  return a.created() + *time_a <=> b.created() + *time_b;
}

Vote Sla::MayEnqueue(const Job& job, EnqueueRefusal*) const {
  return IsLate(job) ? Vote::kPermit : Vote::kAbstain;
}

Vote Sla::IsJobPipelined(const Job& job) const {
  return IsLate(job) ? Vote::kPermit : Vote::kAbstain;
}

std::optional<Time> Sla::ChangesAt(const Job& job) const {
  const auto waiting_time = WaitingTime(job);
  if (!waiting_time || IsLate(job)) return std::nullopt;
  return job.created() + *waiting_time;
}

// Of those that may wait as long the oldest is late first.
std::int64_t Sla::KindOf(const Job& job) const {
  const auto waiting_time = WaitingTime(job);
  if (!waiting_time) return 0;
  return IsLate(job) ? -waiting_time->count() : waiting_time->count();
}

}  // namespace basalt::scheduler::plugins
