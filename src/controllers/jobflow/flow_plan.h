#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kube/types/jobflow.h"
#include "kube/types/vcjob.h"

// What follows for a JobFlow (contract C12.13), without I/O.
namespace basalt::controllers {

inline constexpr std::string_view kCreatedByFlow = "volcano.sh/createdByJobFlow";
inline constexpr std::string_view kCreatedByTemplate = "volcano.sh/createdByJobTemplate";

using FlowJobs = std::vector<std::shared_ptr<const kube::VcJob>>;

// FLOW-TEMPLATE.
std::string FlowJobName(const kube::JobFlow& flow, std::string_view template_name);

struct FlowPlan {
  std::vector<const kube::JobFlow::Flow*> make;  // whose jobs may be made now
  bool remove_jobs = false;                      // all is done, and they are not to be kept
  std::string phase;
  boost::json::object status;
};
// `jobs`: those that the flow owns.
FlowPlan PlanFlow(const kube::JobFlow& flow, const FlowJobs& jobs);

// What follows `patch` merged over `spec`: objects field by field, lists of things with names by
// name, anything else is replaced.
void MergeSpec(boost::json::value& spec, const boost::json::value& patch);

// The job of a flow. An error: the template or the patch cannot be read.
Result<std::string> FlowJobBody(const kube::JobFlow& flow, const kube::JobFlow::Flow& step,
                                const kube::JobTemplate& job_template);

}  // namespace basalt::controllers
