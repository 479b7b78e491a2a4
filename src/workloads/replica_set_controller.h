#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/async_join.h"
#include "base/key_batcher.h"
#include "base/work_queue.h"
#include "kube/client/client.h"
#include "kube/informer/informer.h"
#include "kube/types/workloads.h"
#include "workloads/pod_pool.h"

namespace basalt::workloads {

// Keeps as many pods as each ReplicaSet asks for. Owns the ReplicaSets' informer, which the
// Deployment controller reads too. Owned by Workloads; loop thread only.
class ReplicaSetController {
 public:
  using Event = kube::InformerEvent<kube::ReplicaSet>;
  // The Deployment controller's interest: every change of a set, and of the pods of one.
  struct Observer {
    std::function<void(const Event&)> on_set;
    std::function<void(const std::string& ns, const std::string& set_name)> on_pod;
  };

  ReplicaSetController(kube::Client& client, PodPool& pods, Observer observer);

  void Start() { sets_.Start(); }
  bool HasSynced() const { return sets_.HasSynced(); }
  const kube::Store<kube::ReplicaSet>& store() const { return sets_.store(); }
  // Those that `owner_uid` controls, and those of a namespace that have no controller, by name.
  std::vector<std::shared_ptr<const kube::ReplicaSet>> OwnedBy(std::string_view owner_uid) const;
  std::vector<std::shared_ptr<const kube::ReplicaSet>> Orphans(std::string_view ns) const;
  // Everything is known that must be before pods are counted.
  void Kick();

 private:
  void OnEvent(const Event& event);
  void OnOrphan(const kube::Pod& pod);
  void Reconcile(const std::string& key, WorkQueue::Done done);
  void Manage(const kube::ReplicaSet& set, const PodOwner& owner,
              const std::vector<const kube::Pod*>& active, AsyncJoin join);
  void WriteStatus(const kube::ReplicaSet& set, const kube::ReplicaCounts& counts, AsyncJoin join);

  kube::Client& client_;
  PodPool& pods_;
  const Observer observer_;
  boost::unordered_flat_set<std::string> failing_;  // uids: one pod at a time until one succeeds
  kube::Informer<kube::ReplicaSet> sets_;
  WorkQueue queue_;
  KeyBatcher pod_changes_;
  Scope scope_;
};

// What the status should count, and when it changes by itself next (a pod has then been ready for
// minReadySeconds).
struct CountedReplicas {
  kube::ReplicaCounts counts;
  std::optional<Time> next_change;
};
CountedReplicas CountReplicas(const kube::ReplicaSet& set,
                              const std::vector<const kube::Pod*>& active, Time now);

}  // namespace basalt::workloads
