#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "controllers/job/plugins/plugin.h"
#include "kube/types/vcjob.h"

namespace basalt::controllers {

// Makes the bodies of one task's pods (contract C12.7): its template, field for field, with what
// the job adds and its plugins. Reads the template once; lives for one round of making pods, on the
// controller's thread. Job, task and plugins must outlive it.
class PodMaker {
 public:
  PodMaker(const kube::VcJob& job, const kube::VcJobTask& task, const PluginSet& plugins,
           std::string_view group, bool forwarded);

  std::string Body(std::int32_t index) const;

 private:
  const kube::VcJob& job_;
  const kube::VcJobTask& task_;
  const PluginSet& plugins_;
  boost::json::object common_;  // what all of them have
};

}  // namespace basalt::controllers
