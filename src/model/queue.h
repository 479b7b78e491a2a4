#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kube/types/scheduling.h"
#include "model/ids.h"
#include "model/resource_sum.h"

namespace basalt::model {

// Which of a queue's sums count, by what is asked. A task on its way out is not in `allocated`; it
// is in `leaving`, and in `overdue` too when it should be gone long ago.
enum class QueueView : std::uint8_t {
  kHeld,            // a policy's limit, as in Volcano, where tasks that leave are gone
  kNow,             // may a task start: tasks that leave are still there, promises are not
  kFuture,          // may it be promised room: tasks that leave are gone, overdue ones are not
  kClaimed,         // a limit that queue claims count against too
  kClaim,           // may it have a queue claim: no task is counted on to leave
  kEnqueue,         // may a job enter: what jobs have and want, up to their minima
  kEnqueueOfNodes,  // the same as far as it is to come from the nodes there are
};
inline constexpr int kQueueViews = 7;

// What a queue's tasks hold and want.
struct QueueLedger {
  ResourceSum allocated;  // node claims and promises
  ResourceSum promised;   // of that the promises
  ResourceSum leaving;    // what tasks have that are on their way out
  ResourceSum overdue;    // of that what should be free long ago: no promise counts on it
  ResourceSum request;    // allocated, and what pending tasks ask for
  ResourceSum claimed;    // queue claims: admitted, no node yet
  ResourceSum in_queue;   // what admitted jobs may still take up to their minimum
  // Of that what jobs may take whose pods opted in to the queue-allocation gate. Like claims it
  // counts against capabilities and not against what the nodes have: more nodes may come for it.
  ResourceSum in_queue_gated;
  ResourceSum elastic;  // what jobs hold beyond their minimum

  // How much counts in the view.
  double Load(QueueView view, int d) const {
    const double held = allocated.value()[d];
    switch (view) {
      case QueueView::kHeld: return held;
      case QueueView::kNow: return held - promised.value()[d] + leaving.value()[d];
      case QueueView::kFuture: return held + overdue.value()[d];
      case QueueView::kClaimed: return held + claimed.value()[d];
      case QueueView::kClaim: return held + leaving.value()[d] + claimed.value()[d];
      case QueueView::kEnqueue: return held + in_queue.value()[d] - elastic.value()[d];
      case QueueView::kEnqueueOfNodes:
        return held + in_queue.value()[d] - elastic.value()[d] - in_queue_gated.value()[d];
    }
    return held;
  }
};

// How full a queue is, by view.
using QueueLoad = std::array<Amounts, kQueueViews>;

// The limit of a queue that a task, or a job, is held to.
enum class QueueLimit : std::uint8_t {
  kCapability,  // what the queue's owner allows, whatever the nodes have
  kNodes,       // and a part of what the nodes that exist have
};

// What a policy holds a queue to: its own limits alone, or those of its ancestors too.
enum class QueueReach : std::uint8_t { kOwn, kTree };

// What a queue has too little room for, and of what: the one answer to "why", from a policy to what
// users read.
struct Shortfall {
  QueueId queue;           // none: there is room
  DimensionSet which = 0;  // 0: the policy does not say
  QueueLimit limit = QueueLimit::kCapability;
  bool exists() const { return queue.valid(); }
  bool operator==(const Shortfall&) const = default;
};

// A queue, and its place in the tree. Owned by the Cluster, which alone changes it. One that jobs
// or other queues name and that does not exist (any more) has no object.
struct Queue {
  QueueId id;
  std::string name;
  std::shared_ptr<const kube::Queue> object;  // nullptr: it does not exist

  QueueId parent;  // the root queue where the object names none; none for the root, or when there
                   // is no root queue, or when the parents form a cycle
  bool in_cycle = false;
  std::vector<QueueId> children;
  std::vector<JobId> jobs;

  // From the object, in the model's terms.
  Amounts capability;
  Amounts deserved;
  Amounts guarantee;
  int weight = 1;
  int priority = 0;

  QueueLedger own;   // its own jobs
  QueueLedger tree;  // and those of all queues below

  // The most that counted, by view, when jobs were refused that wait for room in it.
  QueueLoad refused_own_load;
  QueueLoad refused_tree_load;

  bool exists() const { return object != nullptr; }
  bool open = false;         // takes new work
  bool reclaimable = false;  // others may take back what it has too much
};

// Whether the two differ in nothing that decisions read. What Basalt itself writes there may
// differ.
bool SameButForStatus(const kube::Queue& old, const kube::Queue& now);

}  // namespace basalt::model
