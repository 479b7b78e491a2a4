#include "controllers/jobflow/jobflow_controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "kube/types/reasons.h"

namespace basalt::controllers {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;

constexpr std::string_view kByFlow = "flow";
constexpr std::string_view kByUsedTemplate = "template";

kube::ReflectorOptions JobsOfFlows() {
  kube::ReflectorOptions options;
  options.label_selector = std::string(kCreatedByFlow);
  return options;
}

const kube::OwnerReference* FlowOwner(const kube::ObjectMeta& meta) {
  const kube::OwnerReference* owner = meta.Controller();
  return owner && owner->kind == resources::kJobFlows.kind ? owner : nullptr;
}

}  // namespace

JobFlowController::JobFlowController(kube::Client& client, kube::EventRecorder& events,
                                     metrics::Registry* metrics)
    : client_(client),
      events_(events),
      metrics_(metrics),
      flows_(client, [this](const auto& event) { OnFlow(event); }),
      templates_(client, [this](const auto& event) { OnTemplate(event); }),
      jobs_(
          client, [this](const auto& event) { OnJob(event); }, JobsOfFlows()),
      work_(client.loop(), {}, [this](const std::string& key, WorkQueue::Done done) {
        Reconcile(key, std::move(done));
      }) {
  jobs_.AddIndex(std::string(kByFlow), [](const kube::VcJob& job) {
    const kube::OwnerReference* owner = FlowOwner(job.meta);
    return owner ? std::vector{owner->uid} : std::vector<std::string>();
  });
  flows_.AddIndex(std::string(kByUsedTemplate), [](const kube::JobFlow& flow) {
    std::vector<std::string> keys;
    for (const kube::JobFlow::Flow& step : flow.flows) {
      keys.push_back(kube::ObjectKey(flow.meta.ns, step.name));
    }
    return keys;
  });
}

void JobFlowController::Start() {
  flows_.Start();
  templates_.Start();
  jobs_.Start();
}

bool JobFlowController::HasSynced() const {
  return flows_.HasSynced() && templates_.HasSynced() && jobs_.HasSynced();
}

void JobFlowController::OnFlow(const kube::InformerEvent<kube::JobFlow>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) return LookAtAll();
  if (!event.object) return;
  const kube::JobFlow& flow = *event.object;
  work_.Add(flow.meta.Key());
  const bool has_probe = std::ranges::any_of(flow.flows, &kube::JobFlow::Flow::has_probe);
  const bool is_new = !event.old_object && flow.phase.empty();
  if (has_probe && is_new) {
    Warn(flow, reasons::kProbeIgnored,
         "spec.flows[].dependsOn.probe is kept and not looked at: a flow's "
         "job is made when the jobs that it targets have completed");
  }
}

void JobFlowController::OnTemplate(const kube::InformerEvent<kube::JobTemplate>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) return LookAtAll();
  if (event.kind != kube::InformerEventKind::kAdded) return;
  for (const FlowPtr& flow :
       flows_.store().FindByIndex(kByUsedTemplate, event.object->meta.Key())) {
    work_.Add(flow->meta.Key());
  }
}

void JobFlowController::OnJob(const kube::InformerEvent<kube::VcJob>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) return LookAtAll();
  const kube::VcJob& job = event.object ? *event.object : *event.old_object;
  const kube::OwnerReference* owner = FlowOwner(job.meta);
  if (owner) work_.Add(kube::ObjectKey(job.meta.ns, owner->name));
}

void JobFlowController::LookAtAll() {
  if (!HasSynced()) return;
  for (const FlowPtr& flow : flows_.store().Sorted()) work_.Add(flow->meta.Key());
}

void JobFlowController::Warn(const kube::JobFlow& flow, std::string_view reason,
                             std::string_view message) {
  events_.Record(kube::ReferenceTo(flow), kube::EventType::kWarning, reason, message);
}

void JobFlowController::Reconcile(const std::string& key, WorkQueue::Done done) {
  if (!HasSynced()) return done(true);
  const std::size_t slash = key.find('/');
  const FlowPtr flow = flows_.store().Find(std::string_view(key).substr(0, slash),
                                           std::string_view(key).substr(slash + 1));
  if (!flow || flow->meta.deleting()) return done(true);
  const AsyncJoin join(std::move(done));
  const FlowJobs jobs = jobs_.store().FindByIndex(kByFlow, flow->meta.uid);
  const FlowPlan plan = PlanFlow(*flow, jobs);
  for (const kube::JobFlow::Flow* step : plan.make) MakeJob(flow, *step, join);
  if (plan.remove_jobs) {
    for (const auto& job : jobs) {
      if (job->meta.deleting()) continue;
      client_.Delete({resources::kVcJobs, job->meta.ns, job->meta.name},
                     {.propagation = "Background", .uid = job->meta.uid},
                     scope_.Guard([join](const Result<kube::ApiResponse>& result) {
                       if (!result && result.error().code != ErrorCode::kNotFound &&
                           result.error().code != ErrorCode::kConflict) {
                         join.Fail();
                       }
                     }));
    }
  }
  WriteStatus(flow, plan, join);
}

void JobFlowController::MakeJob(const FlowPtr& flow, const kube::JobFlow::Flow& step,
                                const AsyncJoin& join) {
  const auto job_template = templates_.store().Find(flow->meta.ns, step.name);
  if (!job_template) {
    return Warn(*flow, reasons::kTemplateMissing,
                fmt::format("spec.flows: there is no JobTemplate {} in namespace {}: create it",
                            step.name, flow->meta.ns));
  }
  Result<std::string> body = FlowJobBody(*flow, step, *job_template);
  if (!body) return Warn(*flow, reasons::kFailedCreate, body.error().message);
  client_.Create({resources::kVcJobs, flow->meta.ns}, std::move(*body),
                 scope_.Guard([this, flow, join, name = FlowJobName(*flow, step.name)](
                                  const Result<kube::ApiResponse>& result) {
                   if (result) {
                     return events_.Record(kube::ReferenceTo(*flow), kube::EventType::kNormal,
                                           reasons::kCreated, fmt::format("Created job {}", name));
                   }
                   if (result.error().code == ErrorCode::kAlreadyExists) {
                     // It is this flow's and not seen yet; or it is not, and is waited for.
                     const auto known = jobs_.store().Find(flow->meta.ns, name);
                     if (known && FlowOwner(known->meta)) return;
                   }
                   Warn(*flow, reasons::kFailedCreate,
                        fmt::format("Job {}: {}", name, result.error().message));
                   join.Fail();
                 }));
}

void JobFlowController::WriteStatus(const FlowPtr& flow, const FlowPlan& plan,
                                    const AsyncJoin& join) {
  boost::system::error_code error;
  const json::value known =
      flow->raw_status.empty() ? json::value() : json::parse(flow->raw_status, error);
  if (known.is_object() && known.get_object() == plan.status) return;
  const json::array patch{json::object{{"op", "replace"},
                                       {"path", "/metadata/resourceVersion"},
                                       {"value", flow->meta.resource_version}},
                          json::object{{"op", "add"}, {"path", "/status"}, {"value", plan.status}}};
  client_.Patch(
      {resources::kJobFlows, flow->meta.ns, flow->meta.name, "status"}, kube::PatchKind::kJson,
      json::serialize(patch),
      scope_.Guard([this, flow, join, phase = plan.phase](const Result<kube::ApiResponse>& result) {
        if (!result) {
          if (result.error().code != ErrorCode::kNotFound) join.Fail();
          return;
        }
        if (!metrics_ || phase == flow->phase) return;
        const metrics::Labels labels{{"jobflow_namespace", flow->meta.ns}};
        if (phase == "Succeed") {
          metrics_
              ->GetCounter("volcano_jobflow_succeed_phase_count", "Flows that have succeeded.",
                           labels)
              .Add();
        } else if (phase == "Failed") {
          metrics_
              ->GetCounter("volcano_jobflow_failed_phase_count", "Flows that have failed.", labels)
              .Add();
        }
      }));
}

// ---- JobTemplate

JobTemplateController::JobTemplateController(kube::Client& client)
    : client_(client),
      templates_(client,
                 [this](const kube::InformerEvent<kube::JobTemplate>& event) {
                   if (event.kind == kube::InformerEventKind::kSynced) return LookAtAll();
                   if (event.object) work_.Add(event.object->meta.Key());
                 }),
      jobs_(
          client,
          [this](const kube::InformerEvent<kube::VcJob>& event) {
            if (event.kind == kube::InformerEventKind::kSynced) return LookAtAll();
            // Its name alone counts.
            if (event.old_object && event.object) return;
            const kube::VcJob& job = event.object ? *event.object : *event.old_object;
            std::string key(job.meta.annotations.Get(kCreatedByTemplate));
            const std::size_t dot = key.find('.');
            if (dot == std::string::npos) return;
            key[dot] = '/';
            work_.Add(std::move(key));
          },
          JobsOfFlows()),
      work_(client.loop(), {}, [this](const std::string& key, WorkQueue::Done done) {
        Reconcile(key, std::move(done));
      }) {
  jobs_.AddIndex(std::string(kByUsedTemplate), [](const kube::VcJob& job) {
    return std::vector{std::string(job.meta.annotations.Get(kCreatedByTemplate))};
  });
}

void JobTemplateController::Start() {
  templates_.Start();
  jobs_.Start();
}

void JobTemplateController::LookAtAll() {
  if (!HasSynced()) return;
  for (const auto& found : templates_.store().Sorted()) work_.Add(found->meta.Key());
}

void JobTemplateController::Reconcile(const std::string& key, WorkQueue::Done done) {
  if (!HasSynced()) return done(true);
  const std::size_t slash = key.find('/');
  const std::string ns = key.substr(0, slash);
  const std::string name = key.substr(slash + 1);
  const auto found = templates_.store().Find(ns, name);
  if (!found || found->meta.deleting()) return done(true);
  std::vector<std::string> names;
  for (const auto& job : jobs_.store().FindByIndex(kByUsedTemplate, ns + "." + name)) {
    names.push_back(job->meta.name);
  }
  if (names == found->job_depends_on_list) return done(true);
  json::array list;
  for (const std::string& job : names) list.push_back(json::value(job));
  auto finish = std::make_shared<WorkQueue::Done>(std::move(done));
  client_.Patch({resources::kJobTemplates, ns, name, "status"}, kube::PatchKind::kMerge,
                json::serialize(
                    json::object{{"metadata", json::object{{"uid", found->meta.uid}}},
                                 {"status", json::object{{"jobDependsOnList", std::move(list)}}}}),
                scope_.Guard([finish](const Result<kube::ApiResponse>& result) {
                  (*finish)(result || result.error().code == ErrorCode::kNotFound);
                }));
}

}  // namespace basalt::controllers
