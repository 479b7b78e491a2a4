#include <fmt/format.h>

#include <string>

#include "kube/types/cron_schedule.h"
#include "kube/types/time_zone.h"
#include "webhook/fields.h"
#include "webhook/flow_admission.h"
#include "webhook/job_admission.h"

namespace basalt::webhook {
namespace {

namespace json = boost::json;

// Room for "-" and the minute in the names of its jobs.
constexpr std::size_t kMostCronJobName = 52;

}  // namespace

Review ValidateCronJob(const json::object& cron_job) {
  Review review;
  const json::object& spec = ObjectAt(cron_job, "spec");
  const std::string_view name = TextAt(ObjectAt(cron_job, "metadata"), "name");
  if (name.size() > kMostCronJobName) {
    review.Refuse(fmt::format("metadata.name: \"{}\" has {} characters; at most {} are allowed",
                              name, name.size(), kMostCronJobName));
  }
  if (const auto schedule = kube::CronSchedule::Parse(TextAt(spec, "schedule")); !schedule) {
    review.Refuse("spec." + schedule.error().message);
  }
  if (Has(spec, "timeZone")) {
    const std::string_view zone = TextAt(spec, "timeZone");
    if (const auto loaded = kube::TimeZone::Load(zone); !loaded) {
      review.Refuse(fmt::format("spec.timeZone: {}; want a name such as Europe/Berlin",
                                loaded.error().message));
    }
  }
  for (const char* key :
       {"startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"}) {
    const auto number = NumberAt(spec, key);
    if (number.value_or(0) < 0) {
      review.Refuse(fmt::format("spec.{}: {}: must not be negative", key, *number));
    }
  }
  const std::string_view policy = TextAt(spec, "concurrencyPolicy");
  if (!policy.empty() && policy != "Allow" && policy != "Forbid" && policy != "Replace") {
    review.Refuse(
        fmt::format("spec.concurrencyPolicy: \"{}\": want Allow, Forbid or Replace", policy));
  }
  CheckJobSpec(ObjectAt(ObjectAt(spec, "jobTemplate"), "spec"), "spec.jobTemplate.spec", "",
               review);
  return review;
}

}  // namespace basalt::webhook
