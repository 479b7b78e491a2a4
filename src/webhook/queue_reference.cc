#include "webhook/queue_reference.h"

#include <fmt/format.h>

namespace basalt::webhook {

std::string_view ChooseQueue(std::string_view stated, std::string_view ns, const Snapshot& snapshot,
                             Review& review) {
  if (!stated.empty() && stated != kDefaultQueue) return stated;
  if (!snapshot.KnowsNamespace(ns)) review.doubtful = true;
  const std::string_view own = snapshot.QueueOfNamespace(ns);
  return own.empty() ? kDefaultQueue : own;
}

void CheckQueueIsOpen(std::string_view queue, std::string_view field, const Snapshot& snapshot,
                      Review& review) {
  if (queue.empty()) return;
  const kube::Queue* found = snapshot.FindQueue(queue);
  if (found == nullptr) {
    if (queue == kDefaultQueue) return;
    review.doubtful = true;
    review.Refuse(fmt::format("{}: there is no queue \"{}\"; create it first", field, queue));
    return;
  }
  // A queue that is new has no state until the controller has seen it: it is open.
  if (found->state == kube::QueueState::kOpen || found->state == kube::QueueState::kNone) return;
  review.doubtful = true;
  review.Refuse(
      fmt::format("{}: queue \"{}\" is {} and takes nothing new; open it, or choose an "
                  "open one",
                  field, queue, ToString(found->state)));
}

}  // namespace basalt::webhook
