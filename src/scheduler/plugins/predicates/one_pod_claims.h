#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>
#include <string>
#include <vector>

#include "model/cluster.h"
#include "scheduler/framework/verdict.h"

namespace basalt::scheduler::plugins {

// Claims that one pod alone may use at a time (ReadWriteOncePod), and which placed tasks use them.
// Looked for when a task with such a claim is asked about, then kept up to date move by move. Owned
// by the plugin, on the cluster's thread; what it knows lasts one session. Volcano v1.15 has no
// such rule; Kubernetes has.
class OnePodClaims {
 public:
  void Open(const model::Cluster& cluster);
  void TaskMoved(const model::Task& task, const model::Holding& from);
  // Whether the task has such a claim.
  bool Concern(const model::Task& task) { return !ClaimsOfClass(task).empty(); }
  // Whether no other task uses the task's claims, on any node.
  Verdict Check(const model::Task& task);

 private:
  struct OfClass {
    std::shared_ptr<const kube::Pod> example;  // a number may be given to another class later
    std::vector<std::string> claims;           // "ns/name"
  };

  const std::vector<std::string>& ClaimsOfClass(const model::Task& task);
  void FindUsers();
  void Count(const model::Task& task, int by);

  const model::Cluster* cluster_ = nullptr;
  boost::unordered_flat_map<std::uint32_t, OfClass> classes_;
  bool users_known_ = false;
  boost::unordered_flat_map<std::string, int> users_;  // by claim, those that occupy a node
};

}  // namespace basalt::scheduler::plugins
