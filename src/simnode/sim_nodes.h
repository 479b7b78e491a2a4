#pragma once

#include "kube/client/client.h"
#include "kube/client/event_recorder.h"
#include "simnode/node_keeper.h"
#include "simnode/pod_runner.h"

namespace basalt::simnode {

struct SimNodesOptions {
  NodeKeeperOptions nodes;
  PodRunnerOptions pods;
};

// Simulated nodes: an ordinary API client that keeps nodes ready and runs the pods bound to them,
// as the kubelets of those nodes would (contract C11). Any Node object can be one; its allocatable
// is taken as it is, and no pod is rejected. Works on the embedded and on a real API server. Owned
// by its role; the client must outlive it. Loop thread only.
class SimNodes {
 public:
  explicit SimNodes(kube::Client& client, SimNodesOptions options = {});

  void Start() {
    nodes_.Start();
    pods_.Start();
  }
  // Everything that was there at the start is known.
  bool HasSynced() const { return nodes_.HasSynced() && pods_.HasSynced(); }
  // And every node says that it is ready.
  bool Settled() const { return HasSynced() && nodes_.Settled(); }

 private:
  kube::EventRecorder events_;
  PodRunner pods_;
  NodeKeeper nodes_;
};

}  // namespace basalt::simnode
