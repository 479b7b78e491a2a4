#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/work_queue.h"
#include "kube/client/client.h"
#include "kube/informer/informer.h"
#include "kube/types/pod.h"
#include "simnode/address_pool.h"
#include "simnode/pod_lifecycle.h"

namespace basalt::simnode {

// A warning for the pod's owner: an Event on the pod.
using PodWarning =
    std::function<void(const kube::Pod& pod, std::string_view reason, std::string_view message)>;

struct PodRunnerOptions {
  int parallel = 256;
};

// Runs the pods that are bound to simulated nodes: one status patch per transition, and the last
// DELETE of a graceful deletion. Its own record of a pod leads the API's: what it has written
// counts at once, not when the watch brings it back. What it does not remember (after a restart) it
// reads from the pod's status. A write that fails is tried again, with back-off. Owned by SimNodes;
// loop thread only.
class PodRunner {
 public:
  struct Host {
    std::function<bool(std::string_view node)> is_simulated;
    std::function<const std::string&(std::string_view node)> ip;
  };

  PodRunner(kube::Client& client, Host host, PodRunnerOptions options, PodWarning warn);

  void Start() { pods_.Start(); }
  bool HasSynced() const { return pods_.HasSynced(); }
  // The node is simulated from now on.
  void OnNode(const std::string& node);

 private:
  struct Record {
    std::string uid;
    std::string ip;
    PodState state;
    bool warned = false;
    bool removed = false;  // the DELETE has gone through; finalizers may keep the object
  };

  void OnEvent(const kube::InformerEvent<kube::Pod>& event);
  void Reconcile(const std::string& key, WorkQueue::Done done);
  Record& RecordOf(const std::string& key, const kube::Pod& pod);
  void Forget(const std::string& key);
  void Warn(Record& record, const kube::Pod& pod);
  void WriteStatus(const std::string& key, std::shared_ptr<const kube::Pod> pod, PodState next,
                   WorkQueue::Done done);
  void Remove(const std::string& key, std::shared_ptr<const kube::Pod> pod, WorkQueue::Done done);

  kube::Client& client_;
  const Host host_;
  const PodWarning warn_;
  AddressPool addresses_;
  boost::unordered_flat_map<std::string, Record> records_;
  kube::Informer<kube::Pod> pods_;
  WorkQueue queue_;
  Scope scope_;
};

}  // namespace basalt::simnode
