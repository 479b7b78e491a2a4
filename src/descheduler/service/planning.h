#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "descheduler/plan/plan.h"
#include "descheduler/service/run_control.h"
#include "model/cluster.h"

namespace basalt::descheduler {

// Makes plans by the policy that is in force. Owned by the DeschedulerService; loop thread only.
class Planning {
 public:
  virtual ~Planning() = default;

  // A run that begins by itself consists of so many plans, made and carried out one after the
  // other.
  virtual std::size_t parts() const = 0;
  // Whether everything is a dry run unless a request asks otherwise.
  virtual bool dry_run(std::size_t part) const = 0;
  // What the part has to know of the cluster besides its objects is fetched before its plan is
  // made; `done` is called once, later or at once.
  virtual void Prepare(std::size_t part, std::function<void()> done) = 0;
  // The plan of a part; its id, trigger and dry run are for the caller to fill in. `cluster` is as
  // before when it returns.
  virtual Result<Plan> Make(std::size_t part, model::Cluster& cluster, Time now) = 0;
  // The part that a request of the HTTP API is about. An error names what is wrong with it.
  virtual Result<std::size_t> PartFor(const RunRequest& request) const = 0;
  virtual Result<Plan> MakeFor(const RunRequest& request, model::Cluster& cluster, Time now) = 0;

  // How long a replacement may take, at most, in any plan.
  virtual Duration most_wait() const = 0;
  // How fragmented the cluster is, for each resource of the thresholds.
  virtual Percentages Fragmentation(model::Cluster& cluster) const = 0;
};

}  // namespace basalt::descheduler
