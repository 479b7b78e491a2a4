#pragma once

#include <functional>
#include <memory>

#include "base/asio_loop.h"

namespace basalt::cli {

// Tells of SIGINT and SIGTERM on the loop, for as long as it lives. A second one, should stopping
// hang, ends the process at once.
class StopSignals {
 public:
  StopSignals(AsioLoop& loop, std::function<void()> on_stop);
  ~StopSignals();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace basalt::cli
