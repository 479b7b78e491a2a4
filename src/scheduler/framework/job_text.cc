#include "scheduler/framework/job_text.h"

#include <fmt/format.h>

namespace basalt::scheduler {

std::string TooFewPods(const model::Job& job) {
  for (const model::Role& role : job.roles) {
    if (job.RolesCount() && role.counts.Valid() < role.min_available) {
      return fmt::format("the group needs {} pods of task {} and has {}", role.min_available,
                         role.name, role.counts.Valid());
    }
  }
  return fmt::format("the group needs {} pods and has {}", job.min_available, job.valid_tasks());
}

}  // namespace basalt::scheduler
