#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/async_join.h"
#include "base/metrics.h"
#include "base/work_queue.h"
#include "controllers/jobflow/flow_plan.h"
#include "controllers/runtime/controller.h"
#include "kube/client/client.h"
#include "kube/client/event_recorder.h"
#include "kube/informer/informer.h"
#include "kube/types/jobflow.h"
#include "kube/types/vcjob.h"

namespace basalt::controllers {

// Makes the jobs of JobFlows, each when those before it have completed (contract C12.13). What is
// to be made and said is decided in flow_plan.h. Owned by a ControllerManager; loop thread only.
class JobFlowController final : public Controller {
 public:
  JobFlowController(kube::Client& client, kube::EventRecorder& events,
                    metrics::Registry* metrics = nullptr);

  std::string_view name() const override { return "jobflow"; }
  void Start() override;
  bool HasSynced() const override;

 private:
  using FlowPtr = std::shared_ptr<const kube::JobFlow>;

  void OnFlow(const kube::InformerEvent<kube::JobFlow>& event);
  void OnTemplate(const kube::InformerEvent<kube::JobTemplate>& event);
  void OnJob(const kube::InformerEvent<kube::VcJob>& event);
  void LookAtAll();
  void Reconcile(const std::string& key, WorkQueue::Done done);
  void MakeJob(const FlowPtr& flow, const kube::JobFlow::Flow& step, const AsyncJoin& join);
  void WriteStatus(const FlowPtr& flow, const FlowPlan& plan, const AsyncJoin& join);
  void Warn(const kube::JobFlow& flow, std::string_view reason, std::string_view message);

  kube::Client& client_;
  kube::EventRecorder& events_;
  metrics::Registry* const metrics_;
  kube::Informer<kube::JobFlow> flows_;
  kube::Informer<kube::JobTemplate> templates_;
  kube::Informer<kube::VcJob> jobs_;
  WorkQueue work_;
  Scope scope_;
};

// Keeps status.jobDependsOnList of JobTemplates: the names of the jobs that were made from them.
// Owned by a ControllerManager; loop thread only.
class JobTemplateController final : public Controller {
 public:
  explicit JobTemplateController(kube::Client& client);

  std::string_view name() const override { return "jobtemplate"; }
  void Start() override;
  bool HasSynced() const override { return templates_.HasSynced() && jobs_.HasSynced(); }

 private:
  void LookAtAll();
  void Reconcile(const std::string& key, WorkQueue::Done done);

  kube::Client& client_;
  kube::Informer<kube::JobTemplate> templates_;
  kube::Informer<kube::VcJob> jobs_;
  WorkQueue work_;
  Scope scope_;
};

}  // namespace basalt::controllers
