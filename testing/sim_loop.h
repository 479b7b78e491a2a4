#pragma once

#include "base/virtual_loop.h"

namespace basalt::testutil {

// The virtual time of tests: it always begins at the same moment. Owned by the test.
class SimLoop final : public VirtualLoop {
 public:
  // 2026-01-01T00:00:00Z, a Thursday.
  static constexpr Time kStart{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

  SimLoop() : VirtualLoop(kStart) {}
};

}  // namespace basalt::testutil
