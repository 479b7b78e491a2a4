#pragma once

#include <functional>
#include <optional>

#include "base/loop.h"
#include "descheduler/plan/plan.h"
#include "kube/types/cron_schedule.h"

namespace basalt::descheduler {

struct TriggerOptions {
  std::optional<Duration> interval;  // counts where there is a cron expression too
  std::optional<kube::CronSchedule> cron;
};

// When runs begin by themselves (contract C8, W1): at once and then at an interval, or at the times
// of a cron expression in UTC. A run that lasts longer delays the next. Owned by the
// DeschedulerService; loop thread only.
class Triggers {
 public:
  // `begin` returns whether a run could begin now; where not, Ended tells when it may be tried
  // again.
  Triggers(Loop& loop, TriggerOptions options, std::function<bool(Trigger)> begin);

  void Start();
  void Stop();
  // No run is under way any more.
  void Ended();

 private:
  void Due(Trigger trigger);
  void PlanCron();
  void WaitForCron();

  Loop& loop_;
  TriggerOptions options_;
  std::function<bool(Trigger)> begin_;
  std::optional<Trigger> put_off_;
  std::optional<Time> next_;  // by the cron expression
  Timer timer_;
};

}  // namespace basalt::descheduler
