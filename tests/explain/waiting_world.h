#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "scheduler/simulate/request.h"
#include "testing/settling/fast_cluster.h"

namespace basalt::testutil {

// A random cluster in which pods wait for every reason that there is, made from a seed alone: made
// again it comes to the same state. Owned by the test.
class WaitingWorld {
 public:
  explicit WaitingWorld(std::uint64_t seed);

  FastCluster& cluster() { return *cluster_; }
  // Until what came is settled.
  void Settle();
  // "ns/name" of the pods that have no node, in order.
  std::vector<std::string> Waiting() const;

  // Does what `change` of an explanation about the pod says. "": done; else what is not understood.
  std::string Make(const std::string& change, const std::string& pod);
  // The same as a question what would be: `request` gets it, and nothing is done.
  std::string Ask(const std::string& change, const std::string& pod,
                  scheduler::simulate::Request& request);

 private:
  // To the cluster, or to the question.
  void Put(kube::Queue queue);
  void Put(kube::Node node);
  void PutNew(kube::Pod pod);
  void PutChanged(kube::Pod pod);
  void Finish(const std::string& key);
  std::string MakeOne(const std::string& change, const std::string& pod);
  std::string RaiseCapability(const std::string& queue, const std::string& amounts);
  void AddNodes(int count, const kube::Node& like);
  void AddPods(int count, const std::string& group);
  void RemoveGates(const std::string& gates, const std::string& pod);

  void AddNode(int i);
  void AddQueue(int i);
  void AddGroup(int i, int queues);

  Random random_;
  std::unique_ptr<FastCluster> cluster_;
  std::map<std::string, kube::Node> nodes_;
  std::map<std::string, kube::Queue> queues_;
  std::map<std::string, kube::Pod> templates_;  // by group
  int made_up_ = 0;
  scheduler::simulate::Request* asked_ = nullptr;
};

}  // namespace basalt::testutil
