#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <optional>
#include <tuple>
#include <vector>

#include "base/clock.h"
#include "model/cluster.h"
#include "scheduler/config/config.h"
#include "scheduler/explain/explanation.h"
#include "scheduler/framework/plugin_set.h"
#include "scheduler/framework/standing_promises.h"

namespace basalt::scheduler::explain {

// As the action allocate is told.
Duration NominationGraceOf(const Config& config);
PromiseTerms PromiseTermsOf(const PluginSet& plugins);

// By which lists of pods are sorted.
inline auto NamesOf(const model::Task* task) { return std::tie(task->ns(), task->name()); }

// The pods that a pod waits for that is promised a node, and until when. Each list by namespace and
// name.
struct PromiseWait {
  std::vector<const model::Task*> on_node;   // they leave its node
  std::vector<const model::Task*> in_queue;  // they leave its queue, elsewhere
  // Where there are none of these: they leave the nodes or the queue of the rest of its group.
  std::vector<const model::Task*> of_group;
  std::optional<Time> until;  // nothing: it waits for no pod, or an eviction is not confirmed yet

  bool ForNobody() const { return on_node.empty() && in_queue.empty() && of_group.empty(); }
};
PromiseWait WhatPromiseWaitsFor(const model::Cluster& cluster, const model::Task& promised,
                                const PromiseTerms& terms);

// Says what the pod, which is promised a node, waits for.
void ExplainPromise(const model::Cluster& cluster, const PromiseTerms& terms,
                    const model::Task& promised, Explanation& out);

// The ends of many promises: what they have in common is worked out once. On the cluster's thread;
// lives for one question.
class PromiseEnds {
 public:
  PromiseEnds(const model::Cluster& cluster, const PromiseTerms& terms)
      : cluster_(cluster), terms_(terms) {}

  // As PromiseWait::until, without regard to the rest of its group.
  std::optional<Time> Of(const model::Task& promised);

 private:
  struct End {
    std::optional<Time> at;  // nothing: no pod leaves there, or `open`
    bool open = false;       // a pod leaves, and its end is not known

    void Add(const End& other);
  };
  End OfNode(model::NodeId node);
  End OfQueue(model::QueueId queue);

  const model::Cluster& cluster_;
  PromiseTerms terms_;
  boost::unordered_flat_map<model::NodeId, End> nodes_;
  boost::unordered_flat_map<model::QueueId, End> queues_;
};

}  // namespace basalt::scheduler::explain
