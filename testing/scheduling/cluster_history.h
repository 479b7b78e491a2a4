#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "kube/client/client.h"
#include "kube/informer/informer.h"
#include "kube/types/node.h"
#include "kube/types/pod.h"
#include "kube/types/scheduling.h"
#include "testing/direct_api_client.h"
#include "testing/direct_network.h"

namespace basalt::testutil {

// Follows what the API server says, over a network of its own without faults, and writes down what
// must never be, at the moment that it is: a pod whose node changes, a node or a queue that holds
// more than it may. Whatever the roles under test believe, this is what is true. Owned by the test.
class ClusterHistory {
 public:
  ClusterHistory(Loop& loop, apiserver::Server& server);

  // One line for each thing that was wrong.
  const std::string& violations() const { return violations_; }
  const kube::Store<kube::Pod>& pods() const { return pods_.store(); }
  const kube::Store<kube::PodGroup>& groups() const { return groups_.store(); }
  const kube::Store<kube::Queue>& queues() const { return queues_.store(); }
  const kube::Store<kube::Node>& nodes() const { return nodes_.store(); }
  std::uint64_t binds() const { return binds_; }
  std::uint64_t evictions() const { return evictions_; }
  // Called when a pod is gone, with its last version.
  void OnPodGone(std::function<void(const kube::Pod&)> callback) { gone_ = std::move(callback); }
  // Gangs that are there in part; "": none. One of which a part was bound when its scheduler died
  // may be so, until there is room for the rest, and one that policies broke up.
  std::string CheckGangs() const;

 private:
  void OnPod(const kube::InformerEvent<kube::Pod>& event);
  void CheckNode(const std::string& name);
  void CheckQueues();
  void Violated(const std::string& what);

  Loop& loop_;
  Duration start_;
  DirectNetwork network_;
  DirectApiClient api_;
  kube::Client client_;
  std::uint64_t binds_ = 0;
  std::uint64_t evictions_ = 0;
  std::string violations_;
  std::function<void(const kube::Pod&)> gone_;
  kube::Informer<kube::Node> nodes_;
  kube::Informer<kube::Queue> queues_;
  kube::Informer<kube::PodGroup> groups_;
  kube::Informer<kube::Pod> pods_;
};

}  // namespace basalt::testutil
