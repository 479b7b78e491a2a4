#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "kube/types/meta.h"

namespace basalt::kube {

// batch.volcano.sh/v1alpha1 CronJob: a Volcano job that is made again and again.
struct VcCronJob {
  enum class Concurrency : std::uint8_t { kAllow, kForbid, kReplace };

  ObjectMeta meta;
  std::string schedule;
  std::optional<std::string> time_zone;
  std::optional<std::int64_t> starting_deadline_seconds;
  Concurrency concurrency = Concurrency::kAllow;
  bool suspend = false;
  std::string job_template;  // the JSON of jobTemplate: metadata and spec
  std::int32_t successful_jobs_history_limit = 3;
  std::int32_t failed_jobs_history_limit = 1;

  std::vector<ObjectReference> active;
  std::optional<Time> last_schedule_time;
  std::optional<Time> last_successful_time;
  bool operator==(const VcCronJob&) const = default;
};

}  // namespace basalt::kube
