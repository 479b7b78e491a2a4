#pragma once

#include <boost/json/object.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/simulate/request.h"
#include "testing/settling/fast_cluster.h"

namespace basalt::testutil {

// A cluster in which what an explanation proposes can be done, word by word: in the cluster itself,
// or as a question what would be. Owned by the test.
class ChangeableWorld {
 public:
  explicit ChangeableWorld(FastClusterOptions options)
      : cluster_(std::make_unique<FastCluster>(std::move(options))) {}

  FastCluster& cluster() { return *cluster_; }
  // Until what came is settled.
  void Settle() { cluster_->loop().RunFor(75s); }

  void Add(kube::Node node);
  void Add(kube::Queue queue);
  // Others of the group are made from the pod, which has no name.
  void SetTemplate(const std::string& group, kube::Pod pod) { templates_[group] = std::move(pod); }

  // Does what `change` of an explanation about the pod says. "": done; else what is not understood.
  std::string Make(const std::string& change, const std::string& pod);
  // The same as a question what would be: `request` gets it, and nothing is done.
  std::string Ask(const std::string& change, const std::string& pod,
                  scheduler::simulate::Request& request);

 private:
  // To the cluster, or to the question.
  template <class T>
  void Put(T object);
  void PutChanged(kube::Pod pod);
  void Finish(const std::string& key);
  std::string MakeOne(const std::string& change, const std::string& pod);
  std::string RaiseCapability(const std::string& queue, const std::string& amounts);
  void AddNodes(int count, const kube::Node& like);
  void AddPods(int count, const std::string& group);
  void RemoveGates(const std::string& gates, const std::string& pod);

  std::unique_ptr<FastCluster> cluster_;
  std::map<std::string, kube::Node> nodes_;
  std::map<std::string, kube::Queue> queues_;
  std::map<std::string, kube::Pod> templates_;  // by group
  int made_up_ = 0;
  scheduler::simulate::Request* asked_ = nullptr;
};

// Whether the pod "ns/name" has a node at some time in the answer of a simulation.
bool RunsIn(const boost::json::object& answer, const std::string& pod);

}  // namespace basalt::testutil
