#pragma once

namespace basalt::log {

// While one lives, what this thread says is not written: what it works on is made up, and readers
// would take it for real.
class Muted {
 public:
  Muted();
  ~Muted();
  Muted(const Muted&) = delete;
  Muted& operator=(const Muted&) = delete;
};

}  // namespace basalt::log
