#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace basalt::scheduler::explain {

// How far a pod has come, and so what it waits for (contract C10).
enum class Stage : std::uint8_t {
  kGated,        // a scheduling gate holds it back: ours while it waits for its queue, or another
  kEnqueue,      // its job is not let into the queue
  kQueue,        // the queue has no room for it
  kReservation,  // the reservation that it names cannot be used
  kGang,         // its gang is not complete
  kNode,         // no node takes it
  kPipelined,    // it is promised a node
  kBinding,      // its bind is under way
  kBound,
};
std::string_view ToString(Stage stage);

struct NodeCount {
  std::string reason;
  int count = 0;
  bool operator==(const NodeCount&) const = default;
};

// The resource that a queue is short of, and the groups that hold it.
struct QueueShortage {
  struct Holder {
    std::string kind;  // "PodGroup", "Pod" where it is in none, or "Reservation"
    std::string ns, name;
    std::string queue;
    std::string amount;  // a quantity
    // Admitted pods of it that no node fits keep a part of the amount since then.
    std::optional<Time> claimed_since = {};
  };
  std::string name;             // the queue in the tree that is short
  std::string resource;         // "": the queue is not short of one, it is closed, or missing
  std::vector<Holder> holders;  // the largest, the largest first
};

// Why a pod, a group or a queue waits, in one form for the condition, the event, the command line
// and the dashboard.
struct Explanation {
  std::string kind;  // "Pod", "PodGroup", "Queue", "Reservation"
  std::string ns, name;
  Stage stage = Stage::kNode;
  std::string reason;  // one word
  // The reason that the pod's condition PodScheduled gives; "": no word of it, or a gate's.
  std::string condition;
  std::string message;  // for people
  std::vector<NodeCount> nodes;
  std::optional<QueueShortage> queue;
  std::optional<Time> until;  // when a promise ends
  // The smallest change that lets it run, tried out on the state. "": it needs none, or none was
  // found.
  std::string change;
};

// The keys of contract C10, all of them always there, and the reason of the condition.
boost::json::object ToJson(const Explanation& explanation);

}  // namespace basalt::scheduler::explain
