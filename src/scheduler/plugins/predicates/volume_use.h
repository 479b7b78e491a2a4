#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/cluster.h"
#include "scheduler/framework/verdict.h"

namespace basalt::scheduler::plugins {

// Which volumes of CSI drivers tasks use, and which are used on each node: each driver there may
// have so many at most (CSINode). Volumes that several pods share count once; a claim that is not
// bound yet counts for its class's provisioner. What is known of a node is found anew when the node
// changes; kept from session to session while no claim, volume or class changes. Owned by the
// plugin, on the cluster's thread.
class VolumeUse {
 public:
  void Open(const model::Cluster& cluster);
  // Whether the node can attach the task's volumes.
  Verdict Check(const model::Task& task, const model::Node& node);

 private:
  struct Use {
    std::uint32_t driver;
    std::uint32_t volume;
    auto operator<=>(const Use&) const = default;
  };
  using Uses = std::vector<Use>;  // sorted, each once
  struct OfClass {
    std::shared_ptr<const kube::Pod> example;
    Uses uses;
  };
  struct Limit {
    std::uint32_t driver;
    std::size_t most;
  };
  struct OfNode {
    std::string name;  // "": nothing is known
    std::uint64_t generation = 0;
    std::vector<Limit> limits;
    Uses uses;
  };

  const Uses& UsesOf(const model::Task& task);
  Uses UsesOn(const model::Node& node, const model::Task* without);
  OfNode& InfoOf(const model::Node& node);
  std::uint32_t NumberOf(const std::string& text);

  const model::Cluster* cluster_ = nullptr;
  std::vector<std::uint64_t> generations_;  // of the objects
  boost::unordered_flat_map<std::string, std::uint32_t> numbers_;
  boost::unordered_flat_map<std::uint32_t, OfClass> classes_;
  std::vector<OfNode> nodes_;  // by node id
};

}  // namespace basalt::scheduler::plugins
