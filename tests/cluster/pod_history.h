#pragma once

#include <algorithm>
#include <set>
#include <string>

#include "kube/client/client.h"
#include "kube/informer/informer.h"
#include "kube/types/pod.h"

namespace basalt::testutil {

// Follows the pods of a namespace through a watch of its own and keeps what was ever true of them.
// Loop thread only; the client must outlive it.
class PodHistory {
 public:
  PodHistory(kube::Client& client, const std::string& ns)
      : pods_(client, [this](const kube::InformerEvent<kube::Pod>& event) { Take(event); },
              {.ns = ns}) {
    pods_.Start();
  }

  bool HasSynced() const { return pods_.HasSynced(); }
  // Those that were told to go.
  const std::set<std::string>& deleted() const { return deleted_; }
  // Those that had a nominated node.
  const std::set<std::string>& nominated() const { return nominated_; }
  // Pods without a gate that neither leave nor have ended hold room in their queue: the most that
  // there were at once.
  std::size_t most_without_gate() const { return most_without_gate_; }
  std::size_t without_gate() const { return without_gate_.size(); }
  int versions() const { return versions_; }

 private:
  void Take(const kube::InformerEvent<kube::Pod>& event) {
    if (!event.object && !event.old_object) return;  // it has synced
    ++versions_;
    const kube::Pod& pod = event.object ? *event.object : *event.old_object;
    const std::string& name = pod.meta.name;
    if (event.object && !pod.gated() && !pod.terminal() && !pod.meta.deleting()) {
      without_gate_.insert(name);
    } else {
      without_gate_.erase(name);
    }
    most_without_gate_ = std::max(most_without_gate_, without_gate_.size());
    if (pod.meta.deleting()) deleted_.insert(name);
    if (!pod.status.nominated_node_name.empty()) nominated_.insert(name);
  }

  std::set<std::string> without_gate_, deleted_, nominated_;
  std::size_t most_without_gate_ = 0;
  int versions_ = 0;
  kube::Informer<kube::Pod> pods_;
};

}  // namespace basalt::testutil
