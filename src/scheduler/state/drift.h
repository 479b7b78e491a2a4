#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "base/clock.h"
#include "base/function_ref.h"
#include "kube/informer/informer.h"
#include "kube/types/node.h"
#include "kube/types/pod.h"
#include "kube/types/scheduling.h"
#include "scheduler/state/cluster_state.h"

namespace basalt::scheduler {

// Compares the state with what the API server says, as the informers' stores have it: pods with
// their node and phase, nodes, groups and queues, and the sums of each node and queue with the
// tasks that they count. The state is made from events, step by step; a mistake there would stay
// for ever, unseen. This looks at all of it, now and then and in small steps, and says where the
// two differ.
//
// What is under way is no drift: a bind, an eviction or a promise that the API server has not heard
// of. But a bind or an eviction that has been under way for `most_under_way` is one, since every
// write has ended by then.
//
// Owned by the scheduler role; the stores must outlive it. Scheduling thread only.
class DriftComparer {
 public:
  struct Sources {
    const kube::Store<kube::Pod>& pods;
    const kube::Store<kube::Node>& nodes;
    const kube::Store<kube::PodGroup>& groups;
    const kube::Store<kube::Queue>& queues;
    // Which pods and nodes the state takes.
    boost::unordered_flat_set<std::string> scheduler_names;  // as ClusterState::Options has it
    std::function<bool(const kube::Node&)> takes_node;       // empty: all
  };
  using Report = FunctionRef<void(const std::string& difference)>;

  explicit DriftComparer(Sources sources, Duration most_under_way = 10min)
      : sources_(std::move(sources)), most_under_way_(most_under_way) {}

  // Looks at the next `most` objects; returns true when it has been through all of them, and then
  // begins anew.
  bool Step(const ClusterState& state, Time now, std::size_t most, Report report);
  // All of it at once.
  void CompareAll(const ClusterState& state, Time now, Report report);

 private:
  enum class Phase { kTasks, kNodes, kJobs, kRest };

  bool Takes(const kube::Pod& pod) const;
  bool Takes(const kube::Node& node) const {
    return !sources_.takes_node || sources_.takes_node(node);
  }
  void Compare(const model::Cluster& cluster, const model::Task& task, Time now, Report report);
  void CompareHolding(const model::Cluster& cluster, const model::Task& task, Time now,
                      Report report);
  void Compare(const model::Cluster& cluster, const model::Node& node, Report report);
  void CompareSums(const model::Cluster& cluster, const model::Node& node, Report report);
  void Compare(const model::Job& job, Report report);
  // What the stores have and the state does not.
  void FindMissing(const model::Cluster& cluster, Report report);
  void CompareQueues(const model::Cluster& cluster, Report report);

  Sources sources_;
  Duration most_under_way_;
  Phase phase_ = Phase::kTasks;
  std::uint32_t next_ = 0;  // slot
  // Binds and evictions of pods that are under way, by uid.
  struct UnderWay {
    Time since;
    std::uint64_t round = 0;  // in which it was last seen
  };
  boost::unordered_flat_map<std::string, UnderWay> under_way_;
  std::uint64_t round_ = 0;
};

}  // namespace basalt::scheduler
