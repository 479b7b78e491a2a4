#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "kube/types/scheduling.h"

// The states of queues as Volcano has them, without I/O.
namespace basalt::controllers {

using kube::kRootQueue;
inline constexpr std::string_view kClosedByParent = "volcano.sh/closed-by-parent";
// Keeps a deleted queue until nothing is in it any more.
inline constexpr std::string_view kQueueProtection = "basalt.sh/queue-protection";

enum class QueueAction { kOpen, kClose };
// "OpenQueue", "CloseQueue"; nullopt: no action of queues.
std::optional<QueueAction> ParseQueueAction(std::string_view action);

struct QueueFacts {
  const kube::Queue* queue = nullptr;
  const kube::Queue* parent = nullptr;  // nullptr: the root, or missing
  bool has_jobs = false;
};

// What a queue should be; what is not set stays.
struct QueueChange {
  std::optional<kube::QueueState> state;
  std::optional<bool> closed_by_parent;
  bool empty() const { return !state && !closed_by_parent; }
};

// What follows from how things are: a new queue is open, a closing one whose last job has gone is
// closed, children close and open with their parent (but stay closed where they were closed by
// themselves). A queue that is being deleted takes no new jobs.
QueueChange SettleQueue(const QueueFacts& facts);

// What a command leads to. An error says why it cannot be done.
Result<QueueChange> ActOnQueue(const QueueFacts& facts, QueueAction action);

}  // namespace basalt::controllers
