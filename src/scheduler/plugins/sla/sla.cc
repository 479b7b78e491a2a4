#include <fmt/format.h>

#include <optional>

#include "base/clock.h"
#include "kube/types/time.h"
#include "model/annotations.h"
#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::plugins {
namespace {

// A job that has waited longer than its service level allows enters its queue at once and may hold
// promises although it is not complete; the one whose time is up first goes first. Counterpart:
// Volcano plugins/sla.
//
// The time is the group's annotation volcano.sh/sla-waiting-time (or sla-waiting-time), else the
// argument sla-waiting-time ("1h2m3s"), else there is none.
class Sla final : public Plugin,
                  public JobOrder,
                  public EnqueueVoter,
                  public JobPipelining,
                  public TimeDependent,
                  public SessionObserver {
 public:
  explicit Sla(std::optional<Duration> waiting_time) : waiting_time_(waiting_time) {}
  void Open(const SessionView& view) override { view_ = &view; }
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
  bool IsLate(const Job& job) const {
    const auto waiting_time = WaitingTime(job);
    return waiting_time && view_->now() - job.created() >= *waiting_time;
  }

  std::optional<Duration> waiting_time_;
  const SessionView* view_ = nullptr;
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakeSla(const PluginContext& context) {
  const Arguments& arguments = context.config.arguments;
  if (auto ok = arguments.Read({{"sla-waiting-time"}}); !ok) return std::unexpected(ok.error());
  std::optional<Duration> waiting_time;
  // What is no duration, or none above zero, means no limit: Volcano says so in its log alone.
  std::string text;
  if (arguments.Get("sla-waiting-time", &text)) {
    const auto parsed = kube::ParseDuration(text);
    if (parsed && *parsed > Duration::zero()) waiting_time = *parsed;
  }
  return std::make_unique<Sla>(waiting_time);
}

}  // namespace basalt::scheduler::plugins
