#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/job/job_pods.h"
#include "kube/types/scheduling.h"
#include "kube/types/vcjob.h"

// What a job's PodGroup says (contract C12.6), without I/O.
namespace basalt::controllers {

// JOB-UID.
std::string GroupNameOf(const kube::VcJob& job);

// The value of a priority class by its name.
using PriorityOf = std::function<std::int64_t(std::string_view class_name)>;

// What a pod of this template counts for, as a ResourceQuota counts it.
kube::ResourceList CountedResources(const kube::PodSpec& spec);

// What must be free before any pod of the job starts.
kube::ResourceList MinResourcesOf(const kube::VcJobSpec& spec, const PriorityOf& priority_of);

// minAvailable, or fewer while some tasks wait for others: those pods cannot be there.
std::int32_t MinMemberOf(const kube::VcJobSpec& spec, const std::vector<bool>& may_start);

// A new PodGroup, owned by the job.
std::string JobGroupBody(const kube::VcJob& job, std::int32_t min_member,
                         const PriorityOf& priority_of);

// A merge patch that makes the group say what the job does; "": it does already. It holds for that
// version of the group alone.
std::string JobGroupPatch(const kube::PodGroup& now, const kube::VcJob& job,
                          std::int32_t min_member, const PriorityOf& priority_of);

}  // namespace basalt::controllers
