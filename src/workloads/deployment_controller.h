#pragma once

#include <boost/json/object.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/async_join.h"
#include "base/work_queue.h"
#include "kube/client/client.h"
#include "kube/informer/informer.h"
#include "kube/types/workloads.h"
#include "workloads/deployment_status.h"
#include "workloads/replica_set_controller.h"
#include "workloads/rollout.h"

namespace basalt::workloads {

// Rolls Deployments out over ReplicaSets: one set per template, found again by comparing templates
// (so that it goes on where another controller stopped), scaled step by step as PlanRollout says. A
// scaling carries the set's resourceVersion: a decision made on an old view is refused by the
// server and made again. Owned by Workloads; loop thread only.
class DeploymentController {
 public:
  DeploymentController(kube::Client& client, PodPool& pods, ReplicaSetController& sets,
                       Warning warn);

  void Start() { deployments_.Start(); }
  bool HasSynced() const { return deployments_.HasSynced(); }
  void Kick();
  void OnReplicaSet(const ReplicaSetController::Event& event);
  // A pod of that ReplicaSet changed: Recreate waits for pods to go.
  void OnPodOf(const std::string& ns, const std::string& set_name);

 private:
  using Sets = std::vector<std::shared_ptr<const kube::ReplicaSet>>;
  struct View;  // one reconciliation's view of a Deployment and its sets

  void Reconcile(const std::string& key, WorkQueue::Done done);
  Sets Claim(const kube::Deployment& deployment, AsyncJoin join);
  RolloutInput Input(const View& view) const;
  void Apply(View& view, const RolloutPlan& plan, AsyncJoin join);
  void CreateSet(View& view, std::int64_t replicas, AsyncJoin join);
  void OnSetExists(std::shared_ptr<const kube::Deployment> deployment, const std::string& name,
                   AsyncJoin join);
  void KeepRevision(const View& view, AsyncJoin join);
  void CleanUp(const View& view, AsyncJoin join);
  void WriteStatus(const std::string& key, View& view, AsyncJoin join);
  void PatchSet(const kube::ReplicaSet& set, boost::json::object patch, AsyncJoin join);

  kube::Client& client_;
  PodPool& pods_;
  ReplicaSetController& sets_;
  const Warning warn_;
  // By uid: when a rollout last got anywhere. Lost with a restart, which only puts a deadline off.
  boost::unordered_flat_map<std::string, Time> progress_;
  kube::Informer<kube::Deployment> deployments_;
  WorkQueue queue_;
  Scope scope_;
};

}  // namespace basalt::workloads
