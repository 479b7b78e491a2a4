#pragma once

#include <mutex>
#include <string>

#include "base/loop.h"
#include "cli/role.h"

namespace basalt::cli {

// What a role's loop last told of itself, for others to read while that loop is busy; the log is
// told when it is ready for the first time. Owned by the process; the role outlives it. It beats on
// the role's loop; any thread may read.
class RolePulse {
 public:
  static constexpr Duration kInterval = 200ms;

  RolePulse(Loop& loop, const Role& role) : loop_(loop), role_(role), timer_(loop) {}

  // From now on. Role's loop only.
  void Start();

  // When the loop last ran, on its monotonic clock.
  Duration last_ran() const;
  bool ready() const;

 private:
  void Beat();

  Loop& loop_;
  const Role& role_;
  Timer timer_;
  bool said_ready_ = false;
  mutable std::mutex mutex_;  // guards what follows
  Duration last_ran_{0};
  bool ready_ = false;
};

}  // namespace basalt::cli
