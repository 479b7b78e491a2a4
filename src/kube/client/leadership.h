#pragma once

#include <functional>
#include <memory>
#include <string>

namespace basalt::kube {

struct LeaderElectorOptions;

// A part in an election, as the role that it guards sees it. Owned by the role, on the role's loop;
// loop thread only.
class Leadership {
 public:
  // Called on the role's loop. Each may destroy the Leadership.
  struct Callbacks {
    std::function<void()> on_started_leading;
    std::function<void()> on_stopped_leading;
    std::function<void(const std::string& identity)> on_new_leader;
  };

  virtual ~Leadership() = default;
  // Becomes a candidate. One that loses the lease is a candidate again.
  virtual void Start() = 0;
  // Stops leading, and then gives the lease back so that another need not wait. Nothing that only a
  // leader may write may be under way any more. `done` is called once, whether that worked or not.
  virtual void Release(std::move_only_function<void()> done) = 0;
  // The guard of every write: exact by the clock, even when the loop is late.
  virtual bool IsLeader() const = 0;
  // The identity that holds the lease, as far as is known; empty: none does.
  virtual const std::string& leader() const = 0;
};

// How a role takes part in an election.
using Elect = std::function<std::unique_ptr<Leadership>(const LeaderElectorOptions& options,
                                                        Leadership::Callbacks callbacks)>;

}  // namespace basalt::kube
