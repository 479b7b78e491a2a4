#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "scheduler/simulate/pretend_cluster.h"
#include "scheduler/simulate/request.h"

namespace basalt::scheduler::simulate {

// What a request adds that is to run, by "ns/name".
struct Submitted {
  std::vector<std::string> pods;
  std::vector<std::string> reservations;
};

// Makes the changes that are asked for. An error names the one that cannot be made, and why.
Result<Submitted> MakeChanges(const Request& request, PretendCluster& cluster);

}  // namespace basalt::scheduler::simulate
