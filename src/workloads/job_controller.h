#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/async_join.h"
#include "base/key_batcher.h"
#include "base/work_queue.h"
#include "kube/client/client.h"
#include "kube/informer/informer.h"
#include "kube/types/workloads.h"
#include "workloads/job_plan.h"
#include "workloads/pod_pool.h"

namespace basalt::workloads {

// Runs Jobs to their end, as PlanJob says. The status is written with the resourceVersion that the
// plan was made on, before anything else: no end of a pod is counted twice, whatever is retried.
// Owned by Workloads; loop thread only.
class JobController {
 public:
  JobController(kube::Client& client, PodPool& pods, Warning warn);

  void Start() { jobs_.Start(); }
  bool HasSynced() const { return jobs_.HasSynced(); }
  void Kick();

 private:
  using JobPointer = std::shared_ptr<const kube::Job>;

  void OnPodOf(const std::string& ns, const std::string& name, const std::string& uid);
  void OnOrphan(const kube::Pod& pod);
  void Reconcile(const std::string& key, WorkQueue::Done done);
  // The Job is gone: its pods are not counted any more, and nothing must hold them back.
  void ReleaseOf(const std::string& uid);
  void Act(const JobPointer& job, const PodPool::Pods& pods, const JobPlan& plan, AsyncJoin join);
  void CreatePods(const JobPointer& job, const PodOwner& owner, const JobPlan& plan,
                  AsyncJoin join);
  void WriteStatus(const JobPointer& job, const JobStatus& status,
                   std::move_only_function<void(bool ok)> done);

  kube::Client& client_;
  PodPool& pods_;
  const Warning warn_;
  boost::unordered_flat_set<std::string> warned_;   // uids: of a field that is not implemented
  boost::unordered_flat_set<std::string> failing_;  // uids: one pod at a time until one succeeds
  kube::Informer<kube::Job> jobs_;
  WorkQueue queue_;
  KeyBatcher pod_changes_;
  Scope scope_;
};

// The strategic merge patch of the Job's status.
std::string JobStatusPatch(const kube::Job& job, const JobStatus& status);

}  // namespace basalt::workloads
