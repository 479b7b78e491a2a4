#pragma once

#include <memory>

#include "base/loop.h"
#include "cli/role.h"

namespace basalt::cli {

// A role on a thread and a loop of its own, with connections of its own, for processes with several
// roles. Owned, made and used by one thread, on whose loop the answers arrive.
class RoleThread {
 public:
  // `home` and `metrics` must outlive it.
  static Result<std::unique_ptr<RoleThread>> Make(Loop& home, const kube::ClusterConfig& config,
                                                  int connections, metrics::Registry& metrics,
                                                  const BuildRole& build);
  // Ends the thread, wherever it is.
  ~RoleThread();

  void Start();
  bool ready() const;
  // Each calls `done` on the home loop, unless the RoleThread is gone by then.
  void Stop(Callback done);
  void CollectMetrics(Callback done);

 private:
  struct Impl;
  explicit RoleThread(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace basalt::cli
