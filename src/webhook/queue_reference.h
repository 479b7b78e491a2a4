#pragma once

#include <string_view>

#include "webhook/review.h"
#include "webhook/snapshot.h"

namespace basalt::webhook {

// The queue that a group or a reservation goes to: `stated`, unless that is nothing or the default
// one and the namespace has a queue of its own.
std::string_view ChooseQueue(std::string_view stated, std::string_view ns, const Snapshot& snapshot,
                             Review& review);

// Refuses a queue that does not exist or is not open; `field` names where it stands. The default
// queue may be missing: the controller makes it.
void CheckQueueIsOpen(std::string_view queue, std::string_view field, const Snapshot& snapshot,
                      Review& review);

}  // namespace basalt::webhook
