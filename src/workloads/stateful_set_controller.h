#pragma once

#include <boost/json/object.hpp>
#include <memory>
#include <string>

#include "base/async_join.h"
#include "base/key_batcher.h"
#include "base/work_queue.h"
#include "kube/client/client.h"
#include "kube/informer/informer.h"
#include "kube/types/workloads.h"
#include "workloads/pod_pool.h"
#include "workloads/stateful_set_plan.h"

namespace basalt::workloads {

// Keeps the pods of StatefulSets under their numbers, as PlanStatefulSet says, and makes the claims
// that their templates ask for before the pods that use them. Claims are never deleted. Owned by
// Workloads; loop thread only.
class StatefulSetController {
 public:
  StatefulSetController(kube::Client& client, PodPool& pods, Warning warn);

  void Start() { sets_.Start(); }
  bool HasSynced() const { return sets_.HasSynced(); }
  void Kick();

 private:
  using SetPointer = std::shared_ptr<const kube::StatefulSet>;

  void OnOrphan(const kube::Pod& pod);
  void Reconcile(const std::string& key, WorkQueue::Done done);
  void CreatePod(const SetPointer& set, const std::string& revision, std::int32_t ordinal,
                 AsyncJoin join);
  void WriteStatus(const kube::StatefulSet& set, const StatefulSetStatus& status, AsyncJoin join);

  kube::Client& client_;
  PodPool& pods_;
  const Warning warn_;
  kube::Informer<kube::StatefulSet> sets_;
  WorkQueue queue_;
  KeyBatcher pod_changes_;
  Scope scope_;
};

// The pod with that number, and the claims that it uses, by the templates' order.
boost::json::object StatefulPod(const kube::StatefulSet& set, const std::string& revision,
                                std::int32_t ordinal);
std::vector<boost::json::object> StatefulClaims(const kube::StatefulSet& set, std::int32_t ordinal);

}  // namespace basalt::workloads
