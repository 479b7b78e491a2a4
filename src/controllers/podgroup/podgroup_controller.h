#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/async_join.h"
#include "base/key_batcher.h"
#include "base/work_queue.h"
#include "controllers/podgroup/group_spec.h"
#include "controllers/podgroup/workload.h"
#include "controllers/runtime/controller.h"
#include "controllers/runtime/pods_of_jobs.h"
#include "kube/client/client.h"
#include "kube/client/event_recorder.h"
#include "kube/informer/informer.h"
#include "kube/types/namespace.h"
#include "kube/types/pod.h"
#include "kube/types/scheduling.h"
#include "kube/types/workloads.h"

namespace basalt::controllers {

struct PodGroupControllerOptions {
  // Whose pods are ours. Empty: all.
  boost::unordered_flat_set<std::string> scheduler_names = {"volcano"};
  std::string default_queue = "default";
  std::shared_ptr<PodsOfJobs> job_pods = nullptr;  // shared with others; null: its own
};

// Makes PodGroups for workloads that ask for one (contract C6) and for no others, keeps them as the
// workload says, and puts into them the pods that the webhook has not put there. A group's key and
// name is "podgroup-UID" of the pods' controller. Phases and counts are the scheduler's.
//
// What a workload's group should say is in group_spec.h, how it is written in group_body.h; here is
// when. Deletion with the workload is the garbage collector's, by the owner reference.
//
// Owned by a ControllerManager; loop thread only. Counterpart: Volcano's podgroup controller, which
// makes one for every pod.
class PodGroupController final : public Controller {
 public:
  PodGroupController(kube::Client& client, kube::EventRecorder& events,
                     PodGroupControllerOptions options);

  std::string_view name() const override { return "podgroup"; }
  void Start() override;
  bool HasSynced() const override;

 private:
  using PodPtr = std::shared_ptr<const kube::Pod>;
  using Pods = std::vector<PodPtr>;
  using GroupPtr = std::shared_ptr<const kube::PodGroup>;
  struct GroupName;

  template <class T>
  void OnWorkload(const kube::InformerEvent<T>& event);
  void OnRolloutStep(const kube::InformerEvent<kube::ReplicaSet>& event);
  void OnPod(const kube::InformerEvent<kube::Pod>& event);
  void OnGroup(const kube::InformerEvent<kube::PodGroup>& event);
  void LookAtAll();

  void Reconcile(const std::string& key, WorkQueue::Done done);
  void ReconcileWorkload(const GroupName& name, const Workload& workload, const GroupPtr& group,
                         const Pods& pods, const AsyncJoin& join);
  void ReconcilePods(const GroupName& name, const GroupPtr& group, const Pods& pods,
                     const AsyncJoin& join);
  // Makes the group, or makes it say what `spec` does.
  void Ensure(const GroupName& name, const GroupPtr& group, const GroupSpec& spec,
              const kube::OwnerReference& owner, const AsyncJoin& join);
  void DeleteGroup(const kube::PodGroup& group, const AsyncJoin& join);
  void PutIntoGroup(const GroupName& name, const Pods& pods, const AsyncJoin& join);
  // Once for each new text.
  void Complain(const std::string& key, const kube::ObjectReference& about, std::string_view reason,
                const std::string& text);

  bool IsOurs(std::string_view scheduler_name) const;
  std::optional<Workload> FindWorkload(std::string_view ns, std::string_view uid) const;
  // Asks for a group, on its own metadata or in its template, for pods that are ours.
  bool Asks(const Workload& workload) const;
  std::string UsualQueue(std::string_view ns) const;

  kube::Client& client_;
  kube::EventRecorder& events_;
  const PodGroupControllerOptions options_;
  boost::unordered_flat_map<std::string, std::string> complaints_;  // by key
  boost::unordered_flat_set<std::string> joining_;  // uids of pods whose patch is not seen yet
  kube::Informer<kube::ReplicaSet> replica_sets_;
  kube::Informer<kube::StatefulSet> stateful_sets_;
  kube::Informer<kube::DaemonSet> daemon_sets_;
  kube::Informer<kube::Job> jobs_;
  kube::Informer<kube::Namespace> namespaces_;
  kube::Informer<kube::PodGroup> groups_;
  kube::Informer<kube::Pod> pods_;  // but those that say they belong to a Volcano job:
  const std::shared_ptr<PodsOfJobs> job_pods_;
  WorkQueue queue_;
  KeyBatcher pod_changes_;
  Scope scope_;
};

}  // namespace basalt::controllers
