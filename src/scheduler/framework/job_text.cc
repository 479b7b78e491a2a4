#include "scheduler/framework/job_text.h"

#include <fmt/format.h>

namespace basalt::scheduler {

std::string_view NotSupported(const model::Job& job) {
  if (!job.group) return "";
  const auto& topology = job.group->network_topology;
  if (topology && topology->mode == kube::NetworkTopology::Mode::kHard) {
    return "the group asks for a hard network topology (spec.networkTopology), by which nothing is "
           "scheduled yet: make its mode soft, or remove it";
  }
  if (!job.group->sub_group_policy.empty()) {
    return "the group has sub-groups (spec.subGroupPolicy), which are not scheduled yet: remove "
           "them";
  }
  return "";
}

std::string WhyInvalid(const model::Job& job) {
  if (const std::string_view why = NotSupported(job); !why.empty()) return std::string(why);
  for (const model::Role& role : job.roles) {
    if (job.RolesCount() && role.counts.Valid() < role.min_available) {
      return fmt::format("the group needs {} pods of task {} and has {}", role.min_available,
                         role.name, role.counts.Valid());
    }
  }
  return fmt::format("the group needs {} pods and has {}", job.min_available, job.valid_tasks());
}

}  // namespace basalt::scheduler
