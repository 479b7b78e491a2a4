#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "base/clock.h"

// What a migration wants done, and how that ended. The Migrator carries the acts out, and answers
// each of them but CoolDown and Tell exactly once.
namespace basalt::descheduler {

// Make the reservation `name` for a move of the plan, or find it made.
struct Reserve {
  std::size_t move = 0;
  std::string name;
  Duration ttl{0};
};
struct Unreserve {
  std::string ns, name;
  std::string uid;  // "": whatever has the name
};
struct Evict {
  std::size_t move = 0;
};
// The source's taint, put there or taken away.
struct SetTaint {
  std::string node;
  std::string plan;
  bool on = true;
};
struct CoolDown {
  std::string node;
};
// An event on the pod of a move, or on a node.
struct Tell {
  std::optional<std::size_t> move;
  std::string node;
  bool warning = false;
  std::string reason, message;
};
using Act = std::variant<Reserve, Unreserve, Evict, SetTaint, CoolDown, Tell>;

enum class Answer : std::uint8_t {
  kDone,
  kGone,     // what it is about is no longer there
  kNotNow,   // refused for now: a disruption budget, a conflict, a server that is busy
  kRefused,  // and it will be again
  kUnknown,  // the answer was lost: it may have been done
};

}  // namespace basalt::descheduler
