#include "controllers/queue/queue_state.h"

#include <fmt/format.h>

namespace basalt::controllers {
namespace {

using State = kube::QueueState;

bool IsShut(const kube::Queue& queue) {
  return queue.state == State::kClosed || queue.state == State::kClosing;
}

State Shut(const QueueFacts& facts) { return facts.has_jobs ? State::kClosing : State::kClosed; }

bool WasClosedByParent(const kube::Queue& queue) {
  return queue.meta.annotations.Get(kClosedByParent) == "true";
}

}  // namespace

std::optional<QueueAction> ParseQueueAction(std::string_view action) {
  if (action == "OpenQueue") return QueueAction::kOpen;
  if (action == "CloseQueue") return QueueAction::kClose;
  return std::nullopt;
}

QueueChange SettleQueue(const QueueFacts& facts) {
  const kube::Queue& queue = *facts.queue;
  QueueChange change;
  State wanted = queue.state == State::kNone ? State::kOpen : queue.state;
  if (wanted == State::kClosing) wanted = Shut(facts);
  const bool open = wanted == State::kOpen || wanted == State::kUnknown;
  if (queue.meta.name != kRootQueue) {
    if (queue.meta.deleting() && open) {
      wanted = Shut(facts);
    } else if (facts.parent && IsShut(*facts.parent) && open) {
      wanted = Shut(facts);
      if (!WasClosedByParent(queue)) change.closed_by_parent = true;
    } else if (facts.parent && facts.parent->state == State::kOpen && !open &&
               WasClosedByParent(queue) && !queue.meta.deleting()) {
      wanted = State::kOpen;
      change.closed_by_parent = false;
    }
  }
  if (wanted != queue.state) change.state = wanted;
  return change;
}

Result<QueueChange> ActOnQueue(const QueueFacts& facts, QueueAction action) {
  const kube::Queue& queue = *facts.queue;
  const auto refuse = [](std::string why) -> Result<QueueChange> {
    return std::unexpected(Error{.code = ErrorCode::kInvalid, .message = std::move(why)});
  };
  QueueChange change;
  if (action == QueueAction::kClose) {
    if (queue.meta.name == kRootQueue) return refuse("the root queue cannot be closed");
    if (!IsShut(queue)) change.state = Shut(facts);
    return change;
  }
  if (queue.meta.deleting()) return refuse("a queue that is being deleted cannot be opened");
  if (facts.parent && IsShut(*facts.parent)) {
    return refuse(fmt::format("its parent {} is {}: open that first", facts.parent->meta.name,
                              kube::ToString(facts.parent->state)));
  }
  if (queue.state != State::kOpen) change.state = State::kOpen;
  if (WasClosedByParent(queue)) change.closed_by_parent = false;
  return change;
}

}  // namespace basalt::controllers
