#pragma once

#include <functional>
#include <memory>

#include "base/asio_loop.h"

namespace basalt::cli {

// Tells of SIGINT, SIGTERM and SIGHUP on the loop, for as long as it lives. A second SIGINT or
// SIGTERM, should stopping hang, ends the process at once. A SIGHUP that was ignored before, as
// nohup has it, is still ignored. Owned by the process; loop thread only.
class StopSignals {
 public:
  StopSignals(AsioLoop& loop, std::function<void()> on_stop);
  ~StopSignals();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace basalt::cli
