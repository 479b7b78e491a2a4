#pragma once

#include <string>
#include <vector>

#include "kube/types/meta.h"

namespace basalt::kube {

// flow.volcano.sh/v1alpha1 JobFlow: jobs that are made from templates, one after the other.
struct JobFlow {
  struct Flow {
    std::string name;  // of a JobTemplate
    std::vector<std::string> targets;
    bool has_probe = false;
    std::string patch;  // the JSON of patch.jobSpec; "": none
    bool operator==(const Flow&) const = default;
  };

  ObjectMeta meta;
  std::vector<Flow> flows;
  bool delete_jobs = false;  // jobRetainPolicy: delete
  std::string phase;         // status.state.phase
  std::string raw_status;    // the JSON of the whole status; "": none
  bool operator==(const JobFlow&) const = default;
};

}  // namespace basalt::kube
