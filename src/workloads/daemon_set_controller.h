#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "base/async_join.h"
#include "base/key_batcher.h"
#include "base/work_queue.h"
#include "kube/client/client.h"
#include "kube/informer/informer.h"
#include "kube/types/node.h"
#include "kube/types/workloads.h"
#include "workloads/daemon_set_plan.h"
#include "workloads/pod_pool.h"

namespace basalt::workloads {

// Keeps a pod of each DaemonSet on each node where it belongs, as PlanDaemonSet says. The pods are
// bound by the scheduler: each asks for its node by name. Owned by Workloads; loop thread only.
class DaemonSetController {
 public:
  DaemonSetController(kube::Client& client, PodPool& pods, Warning warn);

  void Start() {
    nodes_.Start();
    sets_.Start();
  }
  bool HasSynced() const { return sets_.HasSynced() && nodes_.HasSynced(); }
  void Kick();

 private:
  void OnNode(const kube::InformerEvent<kube::Node>& event);
  void OnOrphan(const kube::Pod& pod);
  void Reconcile(const std::string& key, WorkQueue::Done done);
  void WriteStatus(const kube::DaemonSet& set, const DaemonSetStatus& status, AsyncJoin join);

  kube::Client& client_;
  PodPool& pods_;
  const Warning warn_;
  kube::Informer<kube::Node> nodes_;
  kube::Informer<kube::DaemonSet> sets_;
  WorkQueue queue_;
  KeyBatcher changes_;
  Scope scope_;
};

// The set's pod for that node.
boost::json::object DaemonPod(const kube::DaemonSet& set, const std::string& revision,
                              const std::string& node, const std::string& name);

}  // namespace basalt::workloads
