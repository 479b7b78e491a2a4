#include "scheduler/shadow/shadow.h"

#include <utility>
#include <variant>

#include "base/log.h"

namespace basalt::scheduler {
namespace {

constexpr Duration kTick = 1s;

}  // namespace

Shadow::Shadow(Loop& loop, kube::ApiClient& api, SchedulerServiceOptions options,
               ShadowOptions shadow)
    : loop_(loop),
      writes_(api),
      client_(writes_),
      metrics_(options.metrics),
      ledger_(shadow),
      since_(loop.Now()),
      service_(std::make_unique<SchedulerService>(loop, client_, Watched(std::move(options)))),
      tick_(loop) {}

SchedulerServiceOptions Shadow::Watched(SchedulerServiceOptions options) {
  options.election.reset();
  options.watches_drift = false;  // its state is meant to differ for a while
  options.on_decided = [this](const std::vector<model::Intent>& intents) { Decided(intents); };
  options.on_pod = [this](const kube::InformerEvent<kube::Pod>& event) { Saw(event); };
  return options;
}

void Shadow::Start() {
  since_ = loop_.Now();
  service_->Start();
  Tick();
}

void Shadow::Stop(Callback done) {
  tick_.Stop();
  service_->Stop(std::move(done));
}

boost::json::value Shadow::Report() const { return ShadowReport(ledger_, since_, loop_.Now()); }

void Shadow::Decided(const std::vector<model::Intent>& intents) {
  const Time now = loop_.Now();
  for (const model::Intent& intent : intents) {
    if (const auto* bind = std::get_if<model::Bind>(&intent)) {
      ledger_.WouldBind(now, *bind->pod, bind->node);
    } else if (const auto* promise = std::get_if<model::Promise>(&intent)) {
      // Where it goes is decided; others have to leave first.
      if (promise->node.empty()) {
        ledger_.Touched(now, *promise->pod);
      } else {
        ledger_.WouldBind(now, *promise->pod, promise->node);
      }
    } else if (const auto* ungate = std::get_if<model::Ungate>(&intent)) {
      ledger_.Touched(now, *ungate->pod);
    }
    model::ForEachEviction(intent,
                           [&](const model::Evict& evict) { ledger_.WouldEvict(now, *evict.pod); });
  }
}

void Shadow::Saw(const kube::InformerEvent<kube::Pod>& event) {
  const kube::Pod* pod = event.object ? event.object.get() : event.old_object.get();
  const auto& names = service_->options().scheduler.state.scheduler_names;
  if (!pod || (!names.empty() && !names.contains(pod->spec.scheduler_name))) return;
  if (const auto difference =
          ledger_.Saw(loop_.Now(), event.old_object.get(), event.object.get())) {
    log::Info("would have done otherwise",
              {{"pod", difference->pod},
               {"what", difference->what},
               {"ours", difference->ours},
               {"theirs", difference->theirs},
               {"seconds earlier", std::chrono::duration<double>(difference->earlier).count()}});
  }
  Collect();
}

void Shadow::Tick() {
  if (const std::vector<std::string> back = ledger_.TakeBack(loop_.Now()); !back.empty()) {
    service_->TakeBack(back);
    Collect();
  }
  tick_.Start(kTick, [this] { Tick(); });
}

void Shadow::Collect() {
  if (metrics_ == nullptr) return;
  for (int i = 0; i < kShadowClasses; ++i) {
    metrics_
        ->GetGauge("basalt_shadow_pods", "Pods by what this scheduler would have done with them",
                   {{"class", std::string(kShadowClassNames[i])}})
        .Set(static_cast<double>(ledger_.count(static_cast<ShadowClass>(i))));
  }
  for (int i = 0; i < kShadowEvictions; ++i) {
    metrics_
        ->GetGauge("basalt_shadow_evictions", "Evictions, by who wanted them",
                   {{"by", std::string(kShadowEvictionNames[i])}})
        .Set(static_cast<double>(ledger_.count(static_cast<ShadowEviction>(i))));
  }
}

}  // namespace basalt::scheduler
