#pragma once

#include "kube/client/client.h"
#include "kube/client/event_recorder.h"
#include "workloads/daemon_set_controller.h"
#include "workloads/deployment_controller.h"
#include "workloads/job_controller.h"
#include "workloads/pod_pool.h"
#include "workloads/replica_set_controller.h"
#include "workloads/stateful_set_controller.h"

namespace basalt::workloads {

// The ReplicaSet, Deployment, StatefulSet, DaemonSet and Job controllers: an ordinary API client
// that makes, replaces and counts the pods of these workloads, on the embedded API server or on a
// real one whose own controllers for them are off. Owned by its role; the client must outlive it.
// Loop thread only.
class Workloads {
 public:
  explicit Workloads(kube::Client& client);

  void Start();
  // Everything that was there at the start is known.
  bool HasSynced() const;

 private:
  Warning MakeWarning();
  // Each controller waits for all informers: looks whether they are there.
  void CheckSynced();

  kube::EventRecorder events_;
  PodPool pods_;
  ReplicaSetController replica_sets_;
  DeploymentController deployments_;
  StatefulSetController stateful_sets_;
  DaemonSetController daemon_sets_;
  JobController jobs_;
  Timer sync_timer_;
};

}  // namespace basalt::workloads
