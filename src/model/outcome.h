#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "model/ids.h"

namespace basalt::model {

// How a write ended; the state is corrected by it. Successes of binds are told too, since the watch
// may be late. A value.
struct Outcome {
  enum class Kind : std::uint8_t { kBind, kEvict, kUngate, kReservationStatus };
  Kind kind = Kind::kBind;
  TaskId task;
  std::string uid;  // of the pod: the task's slot may have another by now
  Result<void> result;
  // Of a reservation's status, which is no task's: whose it is.
  std::string ns = {};
  std::string name = {};
};

}  // namespace basalt::model
