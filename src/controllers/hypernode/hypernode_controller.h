#pragma once

#include <string>
#include <string_view>

#include "base/work_queue.h"
#include "controllers/runtime/controller.h"
#include "kube/client/client.h"
#include "kube/informer/informer.h"
#include "kube/types/hypernode.h"
#include "kube/types/node.h"

namespace basalt::controllers {

// Keeps status.nodeCount of HyperNodes up to date with HyperNodes and nodes (contract C12.15).
// Owned by a ControllerManager; loop thread only.
class HyperNodeController final : public Controller {
 public:
  explicit HyperNodeController(kube::Client& client);

  std::string_view name() const override { return "hypernode"; }
  void Start() override;
  bool HasSynced() const override { return hyper_nodes_.HasSynced() && nodes_.HasSynced(); }

 private:
  void CountAgain();
  void CountAll();
  void Write(const std::string& name, WorkQueue::Done done);

  kube::Client& client_;
  kube::Informer<kube::HyperNode> hyper_nodes_;
  kube::Informer<kube::Node> nodes_;
  // Nodes come and go in crowds, and a count looks at all of them.
  Timer recount_;
  WorkQueue work_;
  Scope scope_;
};

}  // namespace basalt::controllers
