#pragma once

#include <boost/json/object.hpp>
#include <string_view>

#include "webhook/policy.h"
#include "webhook/review.h"
#include "webhook/snapshot.h"

// Jobs of batch.volcano.sh and JobTemplates (contract C12.11). Pure: the same objects and snapshot
// give the same review. The objects stay JSON: an update compares all that a pod template may say.
namespace basalt::webhook {

// Defaults at creation.
Review MutateJob(const boost::json::object& job, std::string_view ns, const Snapshot& snapshot,
                 const Policy& policy);

// `old` null: it is being created. Later only the numbers of pods and the priority class may
// change.
Review ValidateJob(const boost::json::object& job, const boost::json::object* old,
                   const Snapshot& snapshot);

// A JobTemplate's specification is a Job's; its queue is looked at when a job is made from it.
Review ValidateJobTemplate(const boost::json::object& job_template);

// The rules for a specification alone, whatever its queue; `field` is where it stands ("spec"),
// `job_name` that of the job, "" where it is not known yet.
void CheckJobSpec(const boost::json::object& spec, const std::string& field,
                  std::string_view job_name, Review& review);

}  // namespace basalt::webhook
