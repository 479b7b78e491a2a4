#include "descheduler/service/descheduler_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "base/log.h"
#include "descheduler/migration/plan_ids.h"
#include "kube/client/write_metrics.h"

namespace basalt::descheduler {
namespace {

// Plans that can still be looked at.
constexpr std::size_t kMostKept = 50;
// A gauge is counted anew when it is older.
constexpr Duration kFragmentationAge = 4s;

kube::ClientOptions WriteOptions(const DeschedulerServiceOptions& options) {
  kube::ClientOptions made;
  // A write that was sent just before the lease was lost ends before another process may lead.
  if (options.election) {
    made.timeout = options.election->lease_duration - options.election->renew_deadline;
  }
  if (options.metrics) made.pacing.on_outcome = kube::CountWrites(*options.metrics);
  return made;
}

// The queues in which the pods of the moves count.
std::vector<std::string> QueuesOf(const Plan& plan, const model::Cluster& cluster) {
  std::vector<std::string> queues;
  for (const Move& move : plan.moves) {
    const model::Task* task = cluster.FindTask(move.ns, move.pod);
    const model::Job* job = task && task->job.valid() ? cluster.FindJob(task->job) : nullptr;
    queues.push_back(job && job->queue.valid() ? cluster.queue(job->queue).name : "");
  }
  return queues;
}

}  // namespace

DeschedulerService::DeschedulerService(Loop& loop, kube::Client& client,
                                       DeschedulerServiceOptions options)
    : loop_(loop),
      options_(std::move(options)),
      gate_(client.api(), [this] { return MayWrite(); }),
      writes_(gate_, WriteOptions(options_)),
      events_(writes_, options_.events),
      state_(options_.state),
      informers_(client, [this](const auto& event) { Consume(event); }),
      world_(informers_),
      triggers_(loop, options_.triggers,
                [this](Trigger trigger) { return BeginByItself(trigger); }) {
  state_.SetDeciding(false);
  if (!options_.election) return;
  kube::Leadership::Callbacks callbacks{.on_started_leading = [this] { LeadIfSynced(); },
                                        .on_stopped_leading = [this] { StoppedLeading(); },
                                        .on_new_leader = {}};
  elector_ = options_.elect ? options_.elect(*options_.election, std::move(callbacks))
                            : std::make_unique<kube::LeaderElector>(
                                  client.api(), *options_.election, std::move(callbacks));
}

DeschedulerService::~DeschedulerService() = default;

// ---- life

void DeschedulerService::Start() {
  started_ = true;
  informers_.Start();
  if (elector_) elector_->Start();
}

void DeschedulerService::Stop(Callback done) {
  stopping_ = true;
  triggers_.Stop();
  gate_.WhenQuiet([this, done = std::move(done)]() mutable {
    if (!elector_) return done();
    elector_->Release(std::move(done));
  });
}

bool DeschedulerService::MayWrite() const {
  return !stopping_ && (elector_ ? elector_->IsLeader() : started_);
}

void DeschedulerService::LeadIfSynced() {
  if (!synced_ || !MayWrite() || term_) return;
  term_ = std::make_unique<Migrator>(
      loop_, writes_, events_, informers_, world_,
      Migrator::Options{.descheduler = options_.lock_namespace,
                        .leftover_wait = [this] { return planning_->most_wait(); },
                        .metrics = options_.metrics});
  informers_.ForEach([this]<class T>(std::shared_ptr<const T> object) {
    TellMigrator(
        kube::InformerEvent<T>{kube::InformerEventKind::kAdded, nullptr, std::move(object)});
  });
  term_->LookSoon();
  if (options_.on_leading) options_.on_leading();
  triggers_.Start();
}

// What was under way is the next leader's to clear away.
void DeschedulerService::StoppedLeading() {
  if (stopping_ || !term_) return;
  triggers_.Stop();
  run_scope_.Reset();
  if (term_->running()) {
    Plan plan = term_->plan();
    plan.state = PlanState::kFailed;
    Update(plan);
  }
  term_.reset();
  parts_left_.clear();
  current_id_.clear();
}

// ---- events

template <class T>
void DeschedulerService::Consume(const kube::InformerEvent<T>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) {
    if (synced_ || !informers_.HasSynced()) return;
    synced_ = true;
    return LeadIfSynced();
  }
  if (event.object) {
    state_.Set(event.object);
  } else if (event.old_object) {
    state_.Remove(*event.old_object);
  }
  (void)state_.TakeNews();  // what a scheduler would say of it
  if (term_) TellMigrator(event);
}

template <class T>
void DeschedulerService::TellMigrator(const kube::InformerEvent<T>& event) {
  if constexpr (std::is_same_v<T, kube::Reservation> || std::is_same_v<T, kube::Node>) {
    term_->Consume(event);
  } else if constexpr (std::is_same_v<T, kube::Pod> || std::is_same_v<T, kube::PodGroup>) {
    term_->LookSoon();
  }
}

// ---- runs

template <class Use>
auto DeschedulerService::WithCluster(Use use) {
  state_.SetDeciding(true);
  auto made = use(state_.cluster());
  state_.SetDeciding(false);
  (void)state_.TakeNews();
  return made;
}

std::string DeschedulerService::NewPlanId() const {
  return PlanId(options_.lock_namespace, options_.random_name());
}

bool DeschedulerService::IsDry(const RunRequest& request) const {
  if (options_.dry_run) return true;
  if (request.dry_run) return *request.dry_run;
  const Result<std::size_t> part = planning_->PartFor(request);
  return part && planning_->dry_run(*part);
}

Result<Plan> DeschedulerService::Begin(const RunRequest& request) {
  Result<Plan> plan = WithCluster(
      [&](model::Cluster& cluster) { return planning_->MakeFor(request, cluster, loop_.Now()); });
  if (!plan) return plan;
  plan->id = NewPlanId();
  plan->trigger = Trigger::kApi;
  plan->dry_run = IsDry(request);
  if (plan->dry_run) {
    Keep(*plan);
    return plan;
  }
  current_id_ = plan->id;
  trigger_ = Trigger::kApi;
  CarryOut(std::move(*plan));
  return term_->plan();
}

bool DeschedulerService::BeginByItself(Trigger trigger) {
  if (!leads() || !current_id_.empty()) return false;
  trigger_ = trigger;
  run_planning_ = planning_;
  for (std::size_t part = 0; part < run_planning_->parts(); ++part) parts_left_.push_back(part);
  NextPart();
  return true;
}

void DeschedulerService::NextPart() {
  if (parts_left_.empty() || !leads()) return RunEnded();
  const std::size_t part = parts_left_.front();
  parts_left_.pop_front();
  current_id_ = NewPlanId();
  run_planning_->Prepare(part, run_scope_.Guard([this, part] { MakePart(part); }));
}

void DeschedulerService::MakePart(std::size_t part) {
  Result<Plan> plan = WithCluster(
      [&](model::Cluster& cluster) { return run_planning_->Make(part, cluster, loop_.Now()); });
  if (!plan) {
    log::Error("no plan can be made", {{"error", plan.error().message}});
    return NextPart();
  }
  plan->id = current_id_;
  plan->trigger = trigger_;
  plan->dry_run = options_.dry_run || run_planning_->dry_run(part);
  if (plan->dry_run) {
    Keep(std::move(*plan));
    return NextPart();
  }
  CarryOut(std::move(*plan));
}

void DeschedulerService::CarryOut(Plan plan) {
  std::vector<std::string> queues = QueuesOf(plan, state_.cluster());
  Keep(plan);
  term_->Run(std::move(plan), std::move(queues), run_scope_.Guard([this](const Plan& ended) {
    Update(ended);
    NextPart();
  }));
}

void DeschedulerService::RunEnded() {
  parts_left_.clear();
  current_id_.clear();
  run_planning_.reset();
  triggers_.Ended();
}

void DeschedulerService::Keep(Plan plan) {
  kept_.push_front(std::move(plan));
  if (kept_.size() > kMostKept) kept_.pop_back();
}

void DeschedulerService::Update(const Plan& plan) {
  const auto found = std::ranges::find(kept_, plan.id, &Plan::id);
  if (found != kept_.end()) *found = plan;
}

const Plan& DeschedulerService::AsItStands(const Plan& kept) const {
  return term_ && term_->running() && term_->plan().id == kept.id ? term_->plan() : kept;
}

std::optional<Plan> DeschedulerService::Find(std::string_view id) const {
  const auto found = std::ranges::find(kept_, id, &Plan::id);
  if (found == kept_.end()) return std::nullopt;
  return AsItStands(*found);
}

std::vector<Plan> DeschedulerService::All() const {
  std::vector<Plan> all;
  for (const Plan& plan : kept_) all.push_back(AsItStands(plan));
  return all;
}

void DeschedulerService::CollectMetrics() {
  if (!options_.metrics || !synced_) return;
  if (fragmentation_at_ && loop_.Monotonic() - *fragmentation_at_ < kFragmentationAge) return;
  fragmentation_at_ = loop_.Monotonic();
  const Percentages fragmentation =
      WithCluster([this](model::Cluster& cluster) { return planning_->Fragmentation(cluster); });
  for (const auto& [resource, ratio] : fragmentation) {
    options_.metrics
        ->GetGauge("basalt_fragmentation_ratio",
                   "Free room on nodes that run pods, as a part of all free room",
                   {{"resource", resource}})
        .Set(ratio);
  }
}

}  // namespace basalt::descheduler
