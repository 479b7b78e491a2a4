#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "kube/types/cron_schedule.h"
#include "kube/types/vccronjob.h"
#include "kube/types/vcjob.h"

// What follows for a CronJob (contract C12.14), without I/O.
namespace basalt::controllers {

using CronJobs = std::vector<std::shared_ptr<const kube::VcJob>>;

// What there is to tidy up: jobs of the CronJob that have ended.
struct CronBooks {
  CronJobs active;   // not ended, by name
  CronJobs ended;    // that status.active still lists
  CronJobs too_old;  // beyond the limits of the history
  std::optional<Time> last_successful;
};
CronBooks BalanceBooks(const kube::VcCronJob& cron, const CronJobs& jobs);

struct CronDue {
  std::optional<Time> due;   // a job is to be made for this time
  bool many_missed = false;  // more than 100 times were
  std::optional<Time> next;  // when to look again
};
// `since`: a changed schedule holds from then on; nothing: it has not changed.
CronDue FindDue(const kube::VcCronJob& cron, const kube::CronSchedule& schedule,
                const kube::TimeZone& zone, std::optional<Time> since, Time now);

// CRON-MINUTE: at most one a minute.
std::string CronJobName(const kube::VcCronJob& cron, Time due);
// "2026-03-29T03:30:00+02:00".
std::string LocalTime(Time time, const kube::TimeZone& zone);
// The job for that time.
std::string CronJobBody(const kube::VcCronJob& cron, Time due, const kube::TimeZone& zone);

// A merge patch of the status; "": it says all that already.
std::string CronStatusPatch(const kube::VcCronJob& cron, const CronJobs& active,
                            std::optional<Time> last_schedule, std::optional<Time> last_successful);

}  // namespace basalt::controllers
