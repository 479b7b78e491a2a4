#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kube/types/scheduling.h"
#include "model/ids.h"
#include "model/resource_sum.h"

namespace basalt::model {

// What a queue's tasks hold and want.
struct QueueLedger {
  ResourceSum allocated;  // node claims and future claims
  ResourceSum promised;   // of that the future claims
  ResourceSum leaving;    // what tasks have that are on their way out
  ResourceSum overdue;    // of that what should be free long ago: nobody counts on it any more
  ResourceSum request;    // allocated, and what pending tasks ask for
  ResourceSum claimed;    // queue claims: admitted, no node yet
  ResourceSum in_queue;   // what admitted jobs may still take up to their minimum
  // Of that what jobs may take whose pods opted in to the queue-allocation gate. Like claims it
  // counts against capabilities and not against what the nodes have: more nodes may come for it.
  ResourceSum in_queue_gated;
  ResourceSum elastic;  // what jobs hold beyond their minimum

  // What its tasks have of a dimension at this moment; a task may start only within that.
  double Now(int d) const {
    return allocated.value()[d] - promised.value()[d] + leaving.value()[d];
  }
  // What they will have once those that leave are gone; a task may be promised room within that.
  double Future(int d) const { return allocated.value()[d] + overdue.value()[d]; }
  // What jobs have and want, without what they have beyond their minima: what one that wants to
  // enter is added to. `of_nodes`: as far as it is to come from the nodes there are.
  Resource Wanted(bool of_nodes) const {
    Resource wanted = allocated;
    wanted.Add(in_queue).Sub(elastic);
    if (of_nodes) wanted.Sub(in_queue_gated);
    return wanted;
  }
};

// How full a queue is, by what its limits are compared with.
struct QueueLoad {
  Resource held;     // when a task asks: allocated and overdue
  Resource claimed;  // and claimed
  Resource wanted;   // when a job wants to enter
  Resource wanted_of_nodes;
  Resource leaving;  // a claim does not count on it

  static QueueLoad Of(const QueueLedger& ledger) {
    QueueLoad load{.held = ledger.allocated,
                   .claimed = ledger.allocated,
                   .wanted = ledger.Wanted(/*of_nodes=*/false),
                   .wanted_of_nodes = ledger.Wanted(/*of_nodes=*/true),
                   .leaving = ledger.leaving};
    load.held.Add(ledger.overdue);
    load.claimed.Add(ledger.overdue).Add(ledger.claimed);
    return load;
  }
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
  Resource capability;
  Resource deserved;
  Resource guarantee;
  int weight = 1;
  int priority = 0;

  QueueLedger own;   // its own jobs
  QueueLedger tree;  // and those of all queues below

  // It was at most so full when jobs were refused that wait for room in it.
  QueueLoad refused_own_load;
  QueueLoad refused_tree_load;

  bool exists() const { return object != nullptr; }
  bool open = false;         // takes new work
  bool reclaimable = false;  // others may take back what it has too much
};

// Nothing is different that anybody decides by; what we write there ourselves may be.
bool SameButForStatus(const kube::Queue& old, const kube::Queue& now);

}  // namespace basalt::model
