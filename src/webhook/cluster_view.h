#pragma once

#include <functional>

#include "kube/client/client.h"
#include "kube/informer/informer.h"
#include "kube/types/namespace.h"
#include "kube/types/scheduling.h"
#include "webhook/snapshot.h"

namespace basalt::webhook {

// Keeps a Snapshot of a cluster by watching its queues, groups and namespaces. Owned by the
// Webhook; the client must outlive it. Loop thread only.
class ClusterView {
 public:
  // `on_change` is called after each change, also when the view has become complete.
  ClusterView(kube::Client& client, std::function<void()> on_change);

  void Start();
  bool HasSynced() const;
  const Snapshot& snapshot() const { return snapshot_; }

 private:
  Snapshot snapshot_;
  std::function<void()> on_change_;
  kube::Informer<kube::Queue> queues_;
  kube::Informer<kube::PodGroup> groups_;
  kube::Informer<kube::Namespace> namespaces_;
};

}  // namespace basalt::webhook
