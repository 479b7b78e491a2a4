#pragma once

#include <optional>

#include "base/clock.h"
#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::plugins {

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
  static constexpr std::string_view kName = "sla";
  static Result<std::unique_ptr<Plugin>> Make(const PluginContext& context);

  explicit Sla(std::optional<Duration> waiting_time) : waiting_time_(waiting_time) {}
  std::string_view name() const override { return kName; }
  void Open(const SessionView& view) override { view_ = &view; }
  std::weak_ordering CompareJobs(const Job& a, const Job& b) const override;
  Vote MayEnqueue(const Job& job, EnqueueRefusal* why) const override;
  Vote IsJobPipelined(const Job& job) const override;
  // When it is late.
  std::optional<Time> ChangesAt(const Job& job) const override;
  std::int64_t KindOf(const Job& job) const override;

 private:
  std::optional<Duration> WaitingTime(const Job& job) const;
  bool IsLate(const Job& job) const;

  std::optional<Duration> waiting_time_;
  const SessionView* view_ = nullptr;
};

}  // namespace basalt::scheduler::plugins
