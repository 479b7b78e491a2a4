#pragma once

#include <string>
#include <string_view>

#include "base/work_queue.h"
#include "controllers/runtime/controller.h"
#include "kube/client/client.h"
#include "kube/informer/informer.h"
#include "kube/types/vcjob.h"

namespace basalt::controllers {

// Deletes jobs that have ended when their ttlSecondsAfterFinished is over (contract C12.10). Owned
// by a ControllerManager; loop thread only.
class GcController final : public Controller {
 public:
  explicit GcController(kube::Client& client);

  std::string_view name() const override { return "gc"; }
  void Start() override { jobs_.Start(); }
  bool HasSynced() const override { return jobs_.HasSynced(); }

 private:
  void OnJob(const kube::InformerEvent<kube::VcJob>& event);
  void Reconcile(const std::string& key, WorkQueue::Done done);

  kube::Client& client_;
  kube::Informer<kube::VcJob> jobs_;
  WorkQueue work_;
  Scope scope_;
};

}  // namespace basalt::controllers
