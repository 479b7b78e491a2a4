#include <optional>

#include "base/clock.h"
#include "kube/types/time.h"
#include "model/annotations.h"
#include "scheduler/framework/session_plugin.h"

namespace basalt::scheduler::plugins {
namespace {

constexpr std::string_view kWaitingTime = "sla-waiting-time";

// What is no duration, or none above zero, means no limit: Volcano says so in its log alone.
std::optional<Duration> ParseWaitingTime(std::string_view text) {
  const auto parsed = kube::ParseDuration(text);
  return parsed && *parsed > Duration::zero() ? std::optional(*parsed) : std::nullopt;
}

// A job that has waited longer than its service level allows enters its queue at once and may hold
// promises although it is not complete; the one whose time is up first goes first. Counterpart:
// Volcano plugins/sla.
//
// The time is the group's annotation volcano.sh/sla-waiting-time (or sla-waiting-time), else the
// argument sla-waiting-time ("1h2m3s"), else there is none.
class Sla final : public SessionPlugin,
                  public JobOrder,
                  public EnqueueVoter,
                  public JobPipelining,
                  public TimeDependent {
 public:
  Result<void> Configure(const PluginConfig& config) override {
    std::string text;
    if (config.arguments.Get(kWaitingTime, &text)) waiting_time_ = ParseWaitingTime(text);
    return config.arguments.Read({{kWaitingTime}});
  }
  std::weak_ordering CompareJobs(const Job& a, const Job& b) const override {
    const auto time_a = WaitingTime(a), time_b = WaitingTime(b);
    if (!time_a || !time_b) return time_b.has_value() <=> time_a.has_value();
    return a.created() + *time_a <=> b.created() + *time_b;
  }
  Vote MayEnqueue(const Job& job, EnqueueRefusal*) const override {
    return IsLate(job) ? Vote::kPermit : Vote::kAbstain;
  }
  Vote IsJobPipelined(const Job& job) const override {
    return IsLate(job) ? Vote::kPermit : Vote::kAbstain;
  }
  // When it is late.
  std::optional<Time> ChangesAt(const Job& job) const override {
    const auto waiting_time = WaitingTime(job);
    if (!waiting_time || IsLate(job)) return std::nullopt;
    return job.created() + *waiting_time;
  }
  // Of those that may wait as long the oldest is late first.
  std::int64_t KindOf(const Job& job) const override {
    const auto waiting_time = WaitingTime(job);
    if (!waiting_time) return 0;
    return IsLate(job) ? -waiting_time->count() : waiting_time->count();
  }

 private:
  std::optional<Duration> WaitingTime(const Job& job) const {
    if (!job.group) return waiting_time_;
    for (const std::string_view key : {model::annotations::kSlaWaitingTime, kWaitingTime}) {
      const auto text = job.group->meta.annotations.Find(key);
      const auto time = text ? ParseWaitingTime(*text) : std::nullopt;
      if (time) return time;
    }
    return waiting_time_;
  }
  bool IsLate(const Job& job) const {
    const auto waiting_time = WaitingTime(job);
    return waiting_time && view().now() - job.created() >= *waiting_time;
  }

  std::optional<Duration> waiting_time_;
};

}  // namespace

std::unique_ptr<Plugin> MakeSla() { return std::make_unique<Sla>(); }

}  // namespace basalt::scheduler::plugins
