#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "base/work_queue.h"
#include "kube/client/client.h"
#include "kube/informer/informer.h"
#include "kube/types/node.h"
#include "kube/types/selector.h"
#include "simnode/address_pool.h"

namespace basalt::simnode {

struct NodeKeeperOptions {
  // Which nodes are simulated: those that match both. Empty: all.
  kube::LabelSelector selector;
  std::string annotation;  // its name; any value
  // A real control plane takes a node without heartbeats for dead; on the embedded cluster nothing
  // looks at them.
  bool heartbeats = false;
  Duration lease_interval = 10s;
  Duration status_interval = 5min;
  int parallel = 64;
};

// Does for every simulated node what its kubelet would: says once that it is healthy, again
// whenever its status says otherwise, and renews its lease. Owned by SimNodes; loop thread only.
class NodeKeeper {
 public:
  // `on_simulated` is told when a node begins to be simulated.
  NodeKeeper(kube::Client& client, NodeKeeperOptions options,
             std::function<void(const std::string& node)> on_simulated);

  void Start() { nodes_.Start(); }
  bool HasSynced() const { return nodes_.HasSynced(); }
  // All that is known to be wrong with the nodes' status has been written.
  bool Settled() const { return nodes_.HasSynced() && status_queue_.idle(); }

  bool IsSimulated(std::string_view node) const { return ips_.contains(node); }
  // Of a simulated node.
  const std::string& HostIp(std::string_view node) const { return ips_.find(node)->second; }

 private:
  void OnEvent(const kube::InformerEvent<kube::Node>& event);
  void Follow(const kube::Node& node);
  void Forget(const std::string& name);
  bool Selects(const kube::Node& node) const;
  void Reconcile(const std::string& name, WorkQueue::Done done);
  void Heartbeat(const std::string& name, WorkQueue::Done done);
  void CreateLease(const kube::Node& node, const std::string& name, WorkQueue::Done done);
  bool StatusIsDue(const std::string& name) const;

  kube::Client& client_;
  const NodeKeeperOptions options_;
  std::function<void(const std::string&)> on_simulated_;
  AddressPool addresses_;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  boost::unordered_flat_map<std::string, std::string, Hash, std::equal_to<>> ips_;
  boost::unordered_flat_map<std::string, Duration> last_status_;  // Monotonic
  kube::Informer<kube::Node> nodes_;
  WorkQueue status_queue_;
  WorkQueue lease_queue_;
  Scope scope_;
};

}  // namespace basalt::simnode
