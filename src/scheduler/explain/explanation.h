#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace basalt::scheduler::explain {

// How far a pod has come, and so what it waits for (contract C10), in the order in which a cycle
// gets to what may stop it. A gang's lack of pods is looked at before its queue's room.
enum class Stage : std::uint8_t {
  kGated,        // a scheduling gate holds it back: ours while it waits for its queue, or another
  kEnqueue,      // its job is not let into the queue
  kGang,         // its gang is not complete
  kQueue,        // the queue has no room for it
  kReservation,  // the reservation that it names cannot be used
  kNode,         // no node takes it
  kPipelined,    // it is promised a node
  kBinding,      // its bind is under way
  kBound,
};
std::string_view ToString(Stage stage);

using NodeCount = std::pair<std::string, int>;  // a reason, and how many nodes have it

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

void Say(Explanation& out, Stage stage, std::string_view reason, std::string message);
std::string Seconds(Duration duration);  // "90s" as "1m30s", without fractions
// One more thing to say.
void AddClause(std::string& message, std::string_view clause);

// The keys of contract C10, all of them always there, and the reason of the condition.
boost::json::object ToJson(const Explanation& explanation);

}  // namespace basalt::scheduler::explain
