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
  ResourceSum elastic;    // what jobs hold beyond their minimum

  // What its tasks have of a dimension at this moment; a task may start only within that.
  double Now(int d) const {
    return allocated.value()[d] - promised.value()[d] + leaving.value()[d];
  }
  // What they will have once those that leave are gone; a task may be promised room within that.
  double Future(int d) const { return allocated.value()[d] + overdue.value()[d]; }
  // All that counts against a limit.
  Resource Load() const {
    Resource load = allocated;
    return load.Add(overdue).Add(claimed).Add(in_queue).Sub(elastic);
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

  // Jobs that wait for room in it and nothing else; how full it was when the first came, and what
  // was about to leave it.
  std::vector<JobId> parked;
  Resource parked_own_load;
  Resource parked_tree_load;
  Resource parked_leaving;

  bool exists() const { return object != nullptr; }
  bool open = false;         // takes new work
  bool reclaimable = false;  // others may take back what it has too much
};

}  // namespace basalt::model
