#include "scheduler/framework/session.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "base/log.h"
#include "scheduler/framework/aggregators.h"

namespace basalt::scheduler {

using model::JobPhase;
using model::TaskStatus;

Session::Session(model::Cluster& cluster, PluginSet& plugins, Time now, EvictionMemory* memory,
                 CycleHost* host, Purpose purpose)
    : SessionView(cluster, plugins, now),
      state_(cluster),
      memory_(memory),
      host_(host),
      rehearsal_(purpose == Purpose::kRehearsal),
      finder_(*this, plugins),
      budgets_(cluster) {
  state_.CutNodeLog();
  state_.SplitClasses();
  state_.SetPodKeys(plugins.pod_keys());
  if (!rehearsal_) state_.WakeParked(now);
  TellAll(plugins_.hooks<SessionObserver>(), [&](SessionObserver& plugin) { plugin.Open(*this); });
}

Session::~Session() = default;

std::vector<const Job*> Session::JobsInTurn() const {
  std::vector<const Job*> jobs = ActiveJobs();
  std::erase_if(jobs, [&](const Job* job) { return !IsInTurn(*job); });
  return jobs;
}

bool Session::GoOn(const Job& looked_at) {
  if (!host_) return true;
  if (!intents_.empty()) {
    spoke_ = true;
    host_->SendOut(std::exchange(intents_, {}));
  }
  return host_->TimeIsLeft(looked_at.ns);
}

void Session::MarkStarted(const Job& job) {
  if (!job.schedule_start) state_.SetScheduleStart(job.id, now_);
}

void Session::Move(model::TaskId id, const model::Holding& to) {
  const Task& task = cluster_.task(id);
  const model::Holding from = task.holding;
  if (from == to) return;
  if (from.status == TaskStatus::kAllocated || from.status == TaskStatus::kPipelined) {
    if (to.status == TaskStatus::kPending) last_tried_[id] = from.status;
  }
  state_.Move(id, to);
  budgets_.Moved(task, from);
  TellAll(plugins_.hooks<PlacementObserver>(),
          [&](PlacementObserver& plugin) { plugin.TaskMoved(task, from); });
}

namespace {

// By Statement::Kind.
constexpr std::string_view kOperationNames[] = {"allocate", "pipeline", "evict",   "unallocate",
                                                "vanish",   "release",  "admit",   "lapse",
                                                "date",     "ungate",   "overdue", "enter"};

}  // namespace

void Session::Log(const Statement::Operation& operation) const {
  const std::string_view what = kOperationNames[static_cast<int>(operation.kind)];
  if (operation.kind == Statement::Kind::kEnter) {
    log::Debug("decided",
               {{"cycle", cycle()}, {"what", what}, {"job", cluster_.job(operation.job).key()}});
    return;
  }
  const Task& task = cluster_.task(operation.task);
  const Job* job = cluster_.FindJob(task.job);
  const Task* beneficiary = cluster_.FindTask(operation.beneficiary);
  log::Debug("decided",
             {{"cycle", cycle()},
              {"what", what},
              {"job", job ? job->key() : ""},
              {"task", task.ns() + "/" + task.name()},
              {"node", task.node().valid() ? cluster_.node(task.node()).name : ""},
              {"for", beneficiary ? beneficiary->ns() + "/" + beneficiary->name() : ""}});
}

void Session::Commit(const std::vector<Statement::Operation>& operations) {
  const bool logs = log::Enabled(log::Level::kDebug);
  std::vector<model::TaskId> promised;
  std::map<model::TaskId, std::vector<model::Evict>> leaving;  // by the task that they leave for
  for (const Statement::Operation& operation : operations) {
    Carry(operation);
    if (logs) Log(operation);
    // A later operation of the same statement may have moved the task on.
    const Task* task = cluster_.FindTask(operation.task);
    if (operation.kind == Statement::Kind::kPipeline && task->status() == TaskStatus::kPipelined) {
      if (!cluster_.IsReserved(*task)) promised.push_back(task->id);
    } else if (operation.kind == Statement::Kind::kEvict &&
               task->status() == TaskStatus::kReleasing) {
      leaving[operation.beneficiary].push_back(EvictionOf(operation));
    }
  }
  // A promise knows all pods that leave for it, whatever the order of the operations.
  for (const model::TaskId id : promised) {
    auto victims = leaving.extract(id);
    Promise(cluster_.task(id), victims ? std::move(victims.mapped()) : std::vector<model::Evict>());
  }
  for (auto& [beneficiary, evictions] : leaving) {
    std::ranges::move(evictions, std::back_inserter(intents_));
  }
}

void Session::Carry(const Statement::Operation& operation) {
  using Kind = Statement::Kind;
  if (operation.kind == Kind::kDate) return;
  decided_ = true;
  if (operation.kind == Kind::kEnter) {
    state_.Unsettle(operation.job);  // also a group without pods says that it is in its queue
    return NoteChanged(cluster_.job(operation.job));
  }
  const Task& task = cluster_.task(operation.task);
  if (operation.kind == Kind::kUngate) {
    if (const Job* job = JobOf(task)) NoteChanged(*job);
    intents_.push_back(model::Ungate{.task = task.id, .pod = task.pod});
    return;
  }
  NoteCarried(operation);
  if (operation.kind == Kind::kOverdue) return;
  last_tried_.erase(task.id);
  // A later operation of the same statement may have moved it on.
  switch (operation.kind) {
    case Kind::kAllocate:
      if (task.status() == TaskStatus::kAllocated) CarryBind(task);
      return;
    // Promises and evictions go together, when the whole statement is known.
    case Kind::kPipeline:
      if (task.status() != TaskStatus::kPipelined) return;
      if (cluster_.IsReserved(task)) return state_.mutable_reservations().NotePlaced(task);
      return SettleTake(task);
    case Kind::kEvict:
    case Kind::kLapse: return;
    case Kind::kUnallocate:
      if (task.status() == TaskStatus::kPending) {
        if (cluster_.IsReserved(task)) return state_.mutable_reservations().NoteGivenUp(task);
        SettleTake(task);
      }
      if (operation.before.status == TaskStatus::kPipelined) promises_changed_.insert(task.id);
      return;
    case Kind::kRelease:
      state_.mutable_reservations().NoteTaker(task.id, operation.beneficiary);
      return;
    case Kind::kQueueClaim: state_.SetClaimedSince(task.id, now_); return;
    default: BASALT_CHECK(false);  // kVanish is never to be committed
  }
}

// Jobs that wait may gain by it, or lose.
void Session::NoteCarried(const Statement::Operation& operation) {
  using Kind = Statement::Kind;
  const Kind kind = operation.kind;
  const bool gives_up = kind == Kind::kEvict || kind == Kind::kUnallocate || kind == Kind::kLapse ||
                        kind == Kind::kOverdue;
  ++(gives_up ? helped_ : placed_);
  const Task& task = cluster_.task(operation.task);
  state_.RaiseMove(operation.before, task.holding);
  // It leaves no node, but its queue has room for others.
  if (kind == Kind::kLapse) state_.Raise(model::Happening::kPod);
  if (kind == Kind::kOverdue) return;  // nothing was done for its job
  if (const Job* job = cluster_.FindJob(task.job)) NoteChanged(*job);
}

// One that has taken over what a reservation held, and goes elsewhere or nowhere, gives it back.
void Session::SettleTake(const Task& taker) {
  state_.mutable_reservations().SettleTake(
      taker.id, [this](model::TaskId id, const model::Holding& to) { Move(id, to); });
}

std::vector<model::TaskId> Session::TakeDoubtfulReservations() {
  return state_.mutable_reservations().TakeDoubtful();
}

void Session::NoteUsable(const Task& reserved) {
  state_.mutable_reservations().NoteLookedAt(reserved);
}

void Session::CarryBind(const Task& task) {
  model::Holding binding = task.holding;
  const bool reserved = cluster_.IsReserved(task);
  binding.status = reserved ? TaskStatus::kBound : TaskStatus::kBinding;
  Move(task.id, binding);
  if (reserved) return state_.mutable_reservations().NotePlaced(task);
  SettleTake(task);
  model::Bind bind{.task = task.id, .pod = task.pod, .node = cluster_.node(task.node()).name};
  if (const Job* job = JobOf(task)) bind.queue = QueueOf(*job).name;
  TellAll(plugins_.hooks<BindPlanner>(),
          [&](BindPlanner& plugin) { plugin.PlanBind(task, &bind); });
  intents_.push_back(std::move(bind));
}

void Session::RecordFailure(const Task& task, FitFailure failure) {
  failures_.insert_or_assign(task.id, std::move(failure));
}

void Session::RecordFailure(const Job& job, FitFailure failure) {
  job_failures_.insert_or_assign(job.id, std::move(failure));
}

void Session::ForgetFailures(const Job& job) {
  job_failures_.erase(job.id);
  for (const model::TaskId id : job.pending) failures_.erase(id);
}

void Session::SetCondition(const Job& job, model::GroupCondition condition) {
  conditions_[job.id].push_back(std::move(condition));
}

const FitFailure* Session::FailureOf(const Task& task) const {
  const auto it = failures_.find(task.id);
  return it == failures_.end() ? nullptr : &it->second;
}

const FitFailure* Session::FailureOf(const Job& job) const {
  const auto it = job_failures_.find(job.id);
  return it == job_failures_.end() ? nullptr : &it->second;
}

TaskStatus Session::LastTried(const Task& task) const {
  const auto it = last_tried_.find(task.id);
  return it == last_tried_.end() ? task.status() : it->second;
}

}  // namespace basalt::scheduler
