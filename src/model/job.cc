#include "model/job.h"

namespace basalt::model {
namespace {

template <class Count>
bool EveryRoleHas(const Job& job, Count count) {
  if (!job.RolesCount()) return true;
  for (const Role& role : job.roles) {
    if (count(role) < role.min_available) return false;
  }
  return true;
}

}  // namespace

const std::string& Job::uid() const {
  static const std::string kNone;
  if (shadow) return name;
  return group ? group->meta.uid : kNone;
}

bool Job::RolesAreValid() const {
  return EveryRoleHas(*this, [](const Role& role) { return role.counts.Valid(); });
}

bool Job::RolesAreReady() const {
  return EveryRoleHas(
      *this, [](const Role& role) { return role.counts.Ready() + role.pending_best_effort; });
}

bool Job::RolesArePipelined() const {
  return EveryRoleHas(*this, [](const Role& role) {
    return role.counts.Ready() + role.counts[TaskStatus::kPipelined] + role.pending_best_effort;
  });
}

}  // namespace basalt::model
