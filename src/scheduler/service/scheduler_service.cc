#include "scheduler/service/scheduler_service.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/check.h"
#include "base/log.h"
#include "kube/client/write_metrics.h"
#include "kube/types/reasons.h"
#include "model/builtin_queues.h"
#include "scheduler/service/decision_log.h"

namespace basalt::scheduler {
namespace {

constexpr Duration kRetryQueue = 1s;

SchedulerServiceOptions WithSigner(SchedulerServiceOptions options) {
  options.scheduler.state.signer = options.effects.signer = options.signer.get();
  return options;
}

kube::ClientOptions WriteOptions(const SchedulerServiceOptions& options) {
  kube::ClientOptions made;
  // A write that was sent just before the lease was lost ends before anybody else may lead.
  if (options.election) {
    made.timeout = options.election->lease_duration - options.election->renew_deadline;
  }
  if (options.metrics) made.pacing.on_outcome = kube::CountWrites(*options.metrics);
  return made;
}

}  // namespace

SchedulerService::Core::Core(SchedulerService& service)
    : scheduler(
          service.loop_, service.options_.scheduler,
          [&service](std::vector<model::Intent> intents) { service.Emit(std::move(intents)); }),
      effects(service.writes_, service.events_, service.options_.effects,
              [&service](const model::Outcome& outcome) { service.Report(outcome); }) {
  scheduler.OnCycle([&service](const CycleTimes& times) {
    if (times.total >= kLongCycle) {
      log::Warning("a cycle took long",
                   {{"milliseconds", times.total / 1ms}, {"jobs put off", times.jobs_put_off}});
    }
    if (times.decided()) {
      log::Info("a cycle decided", {{"cycle", times.cycle},
                                    {"binds", times.binds},
                                    {"promises", times.promises},
                                    {"evictions", times.evictions},
                                    {"ungated", times.ungated},
                                    {"milliseconds", times.total / 1ms}});
    }
    service.activity_.CycleEnded(times, service.loop_.Now());
    if (service.metrics_) service.metrics_->CycleEnded(times);
  });
  const Result<void> configured = scheduler.Configure(service.configuration_);
  BASALT_CHECK(configured.has_value());  // it was in force before
}

SchedulerService::SchedulerService(Loop& loop, kube::Client& client,
                                   SchedulerServiceOptions options)
    : loop_(loop),
      options_(WithSigner(std::move(options))),
      configuration_(DefaultConfigYaml()),
      metrics_(options_.metrics ? std::make_unique<SchedulerMetrics>(*options_.metrics,
                                                                     options_.metrics_max_jobs)
                                : nullptr),
      gate_(client.api(), [this] { return MayWrite(); }),
      writes_(gate_, WriteOptions(options_)),
      events_(writes_, options_.events),
      core_(std::make_unique<Core>(*this)),
      informers_(client, [this](auto event) { Consume(std::move(event)); }),
      drift_(MakeDriftWatch()) {
  informers_.OnBadItem(
      [this](const kube::Resource& resource, const kube::ItemIdentity& item, const Error& error) {
        events_.Record({.api_version = resource.ApiVersion(),
                        .kind = std::string(resource.kind),
                        .ns = item.ns,
                        .name = item.name,
                        .uid = item.uid,
                        .resource_version = item.resource_version},
                       kube::EventType::kWarning, reasons::kInvalidObject,
                       fmt::format("cannot be read and is left out: {}", error.message));
      });
  if (!options_.election) return;
  kube::Leadership::Callbacks callbacks{.on_started_leading = [this] { RunIfLeading(); },
                                        .on_stopped_leading = [this] { StoppedLeading(); },
                                        .on_new_leader = {}};
  elector_ = options_.elect ? options_.elect(*options_.election, std::move(callbacks))
                            : std::make_unique<kube::LeaderElector>(
                                  client.api(), *options_.election, std::move(callbacks));
}

SchedulerService::~SchedulerService() = default;

Result<void> SchedulerService::Configure(std::string_view yaml) {
  Result<void> configured = core_->scheduler.Configure(yaml);
  if (configured) configuration_ = yaml;
  return configured;
}

// ---- life

void SchedulerService::Start() {
  started_ = true;
  informers_.Start();
  if (elector_) elector_->Start();
  if (options_.watches_drift) drift_->Start();
}

std::unique_ptr<DriftWatch> SchedulerService::MakeDriftWatch() {
  DriftComparer::Sources sources{
      .pods = informers_.Of<kube::Pod>().store(),
      .nodes = informers_.Of<kube::Node>().store(),
      .groups = informers_.Of<kube::PodGroup>().store(),
      .queues = informers_.Of<kube::Queue>().store(),
      .scheduler_names = options_.scheduler.state.scheduler_names,
      .takes_node = [this](const kube::Node& node) { return Selected(node); }};
  return std::make_unique<DriftWatch>(
      loop_, std::move(sources),
      [this]() -> const Scheduler* { return synced_ && leads() ? &core_->scheduler : nullptr; },
      metrics_ ? std::optional(metrics_->state_drift) : std::nullopt, DriftWatch::Options{});
}

void SchedulerService::Stop(Callback done) {
  stopping_ = true;
  core_->scheduler.Stop();
  core_->effects.Stop();
  gate_.WhenQuiet([this, done = std::move(done)]() mutable {
    if (!elector_) return done();
    elector_->Release(std::move(done));
  });
}

bool SchedulerService::leads() const { return elector_ ? elector_->IsLeader() : started_; }

bool SchedulerService::MayWrite() const { return !stopping_ && leads(); }

// As after a restart, but for the informers, which have it all.
void SchedulerService::StoppedLeading() {
  if (stopping_) return;
  core_.reset();
  events_.SetBusy(false);
  core_ = std::make_unique<Core>(*this);
  informers_.ForEach([this]<class T>(std::shared_ptr<const T> object) {
    Consume(kube::InformerEvent<T>{kube::InformerEventKind::kAdded, nullptr, std::move(object)});
  });
}

void SchedulerService::RunIfLeading() {
  if (stopping_ || !synced_ || !leads()) return;
  if (options_.make_queues) MakeQueues();
  core_->scheduler.Start();
  activity_.BeganToLead(loop_.Now());
  if (options_.on_leading) options_.on_leading();
}

// ---- decisions out, outcomes in

void SchedulerService::Emit(std::vector<model::Intent> intents) {
  if (options_.on_decided) options_.on_decided(intents);
  LogDecisions(core_->scheduler.cycles(), intents, core_->scheduler.state().cluster());
  if (metrics_) metrics_->Decided(intents, core_->scheduler.state().cluster(), loop_.Now());
  core_->effects.Submit(std::move(intents));
}

void SchedulerService::Report(const model::Outcome& outcome) {
  if (metrics_) metrics_->WriteEnded(outcome, core_->scheduler.state().cluster(), loop_.Now());
  if (outcome.kind == model::Outcome::Kind::kEvict && outcome.result) {
    activity_.Evicted(loop_.Now());
  }
  core_->scheduler.Apply(outcome);
}

void SchedulerService::CollectMetrics() {
  if (metrics_) metrics_->Collect(core_->scheduler);
}

// ---- events

template <class T>
void SchedulerService::Consume(kube::InformerEvent<T> event) {
  if (event.kind == kube::InformerEventKind::kSynced) {
    if (synced_ || !informers_.HasSynced()) return;
    synced_ = true;
    return RunIfLeading();
  }
  if constexpr (std::is_same_v<T, kube::Node>) {
    // A node that loses its label is as good as gone.
    if (event.old_object && !Selected(*event.old_object)) event.old_object = nullptr;
    if (event.object && !Selected(*event.object)) event.object = nullptr;
    if (!event.object && !event.old_object) return;
  }
  if constexpr (std::is_same_v<T, kube::Pod>) {
    if (!event.object && event.old_object) core_->effects.Forget(event.old_object->meta.uid);
    if (options_.on_pod) options_.on_pod(event);
  }
  core_->scheduler.Apply(event);
}

// All go before the first comes back: what they held of each other is free then.
void SchedulerService::TakeBack(const std::vector<std::string>& pods) {
  std::vector<std::shared_ptr<const kube::Pod>> found;
  for (const std::string& key : pods) {
    const std::size_t slash = key.find('/');
    auto pod = informers_.Of<kube::Pod>().store().Find(std::string_view(key).substr(0, slash),
                                                       std::string_view(key).substr(slash + 1));
    if (pod) found.push_back(std::move(pod));
  }
  using Event = kube::InformerEvent<kube::Pod>;
  for (const auto& pod : found) {
    core_->effects.Forget(pod->meta.uid);
    core_->scheduler.Apply(Event{kube::InformerEventKind::kDeleted, pod, nullptr});
  }
  for (const auto& pod : found) {
    core_->scheduler.Apply(Event{kube::InformerEventKind::kAdded, nullptr, pod});
  }
}

bool SchedulerService::Selected(const kube::Node& node) const {
  return options_.node_labels.empty() ||
         std::ranges::any_of(options_.node_labels, [&](const auto& label) {
           return node.meta.labels.Find(label.first) == label.second;
         });
}

// ---- queues

// The controller makes them too, with the same body; the scheduler does where it runs without one.
void SchedulerService::MakeQueues() {
  MakeQueue(std::string(kube::kRootQueue));
  MakeQueue(options_.scheduler.state.default_queue);
}

void SchedulerService::MakeQueue(const std::string& name) {
  if (informers_.Of<kube::Queue>().store().Find("", name)) return;
  ++queues_missing_;
  auto made = [this, name](const Result<kube::ApiResponse>& result) {
    --queues_missing_;
    if (result || result.error().code == ErrorCode::kAlreadyExists) return;
    if (!MayWrite()) return;  // the next leader does it
    log::Warning("cannot make a queue",
                 {{"queue", name}, {"error", result.error().message}, {"retry", "in 1 s"}});
    ++queues_missing_;
    loop_.Schedule(kRetryQueue, scope_.Guard([this, name] {
      --queues_missing_;
      if (MayWrite()) MakeQueue(name);
    }));
  };
  writes_.Create({kube::resources::kQueues}, model::BuiltinQueueBody(name),
                 scope_.Guard(std::move(made)));
}

}  // namespace basalt::scheduler
