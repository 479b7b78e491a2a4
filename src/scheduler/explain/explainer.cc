#include "scheduler/explain/explainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kube/types/reasons.h"
#include "kube/types/time.h"
#include "model/annotations.h"
#include "model/group_of.h"
#include "model/reservation_use.h"
#include "scheduler/explain/amounts.h"
#include "scheduler/explain/promise_wait.h"
#include "scheduler/explain/queue_shortage.h"
#include "scheduler/explain/spared.h"
#include "scheduler/framework/job_text.h"
#include "scheduler/framework/pod_wait.h"
#include "scheduler/framework/session.h"
#include "scheduler/framework/standing_promises.h"
#include "scheduler/placement/entry.h"
#include "scheduler/placement/reserved_room.h"

namespace basalt::scheduler::explain {

using model::TaskStatus;

namespace {

constexpr std::size_t kMostHolders = 5;
constexpr std::size_t kMostWaiting = 20;

void Say(Explanation& out, Stage stage, std::string_view reason, std::string message) {
  out.stage = stage;
  out.reason = reason;
  out.message = std::move(message);
}

// One more thing to say.
void AddClause(std::string& message, std::string_view clause) {
  if (message.ends_with('.')) message.pop_back();
  message += "; ";
  message += clause;
}

std::string Ago(Duration duration) {
  return kube::FormatDuration(std::chrono::duration_cast<std::chrono::seconds>(duration)) + " ago";
}

// What makes the group that the pod waits for.
std::string HowGroupComes(const kube::Pod& pod) {
  const model::GroupChoice group = model::GroupOf(pod);
  const auto least = pod.meta.annotations.Find(model::annotations::kGroupMinMember);
  if (least && !model::ParseMinMember(*least)) {
    return fmt::format("correct the annotation {} (\"{}\") to a positive integer",
                       model::annotations::kGroupMinMember, *least);
  }
  const auto amounts = pod.meta.annotations.Find(model::annotations::kGroupMinResources);
  if (amounts && !model::ParseMinResources(*amounts)) {
    return fmt::format("correct the annotation {} (\"{}\") to an object of amounts such as {}",
                       model::annotations::kGroupMinResources, *amounts, model::kAmountsExample);
  }
  if (group.kind == model::GroupChoice::Kind::kAsked) {
    return fmt::format("run the controller, which makes PodGroup {}/{}", pod.meta.ns, group.name);
  }
  return fmt::format("create PodGroup {}/{}", pod.meta.ns, group.name);
}

std::string NamesOf(const std::vector<const model::Task*>& tasks) {
  std::vector<std::string> names;
  for (const model::Task* task : tasks) names.push_back(task->ns() + "/" + task->name());
  std::ranges::sort(names);
  return FewOf(std::move(names), 5);
}

}  // namespace

std::optional<Explanation> Explainer::Pod(std::string_view ns, std::string_view name) {
  const model::Task* task = cluster_.FindTask(ns, name);
  if (!task) return std::nullopt;
  return OfTask(*task);
}

Explanation Explainer::OfTask(const model::Task& task) {
  Explanation out{.kind = "Pod", .ns = task.ns(), .name = task.name()};
  const auto on = [&] { return cluster_.node(task.node()).name; };
  switch (task.status()) {
    case TaskStatus::kAllocated:
    case TaskStatus::kBinding:
      Say(out, Stage::kBinding, reasons::kBinding,
          fmt::format("the bind to node {} is under way", on()));
      return out;
    case TaskStatus::kBound:
    case TaskStatus::kRunning:
      Say(out, Stage::kBound, model::ToString(task.status()),
          fmt::format("the pod is on node {}", on()));
      return out;
    case TaskStatus::kReleasing:
      Say(out, Stage::kBound, reasons::kTerminating,
          task.node().valid() ? fmt::format("the pod is leaving node {}", on())
                              : "the pod is being deleted");
      return out;
    case TaskStatus::kSucceeded:
    case TaskStatus::kFailed:
    case TaskStatus::kUnknown:
      Say(out, Stage::kBound, model::ToString(task.status()), "the pod has ended");
      return out;
    case TaskStatus::kPipelined: ExplainPromise(task, out); return out;
    case TaskStatus::kPending: break;
  }
  const model::Cluster::Supposition supposed(cluster_);
  const model::Job* job = cluster_.FindJob(task.job);
  if (ExplainGate(task, out)) {
    if (!out.change.empty() && job && job->exists()) {
      Prober prober(cluster_, plugins_, now_);
      const Obstacle gate{.stage = Stage::kGated, .task = task.id};
      out.change = FindChange(cluster_, prober, *job, &task, {.first = gate});
    }
    return out;
  }
  if (!job) {
    Say(out, Stage::kGang, reasons::kNoGroup,
        "the pod names no PodGroup, or is not this scheduler's");
    return out;
  }
  ExplainWaiting(*job, &task, true, out);
  if (out.stage == Stage::kNode) {
    Session rehearsal(cluster_, plugins_, now_, nullptr, nullptr, Session::Purpose::kRehearsal);
    if (const auto names = ReservationsInTheWay(rehearsal, task); !names.empty()) {
      AddClause(out.message, fmt::format("it would fit but for what reservation{} {} hold{}",
                                         names.size() == 1 ? "" : "s", FewOf(names),
                                         names.size() == 1 ? "s" : ""));
    }
    const std::string spared = memory_ ? WhoIsSpared(rehearsal, *memory_, task) : "";
    if (!spared.empty()) AddClause(out.message, spared);
  }
  if (task.holding.resting) {
    AddClause(out.message, "its last bind was refused, and it is tried again in a moment");
  }
  if (task.holding.queue_claim) {
    const std::optional<Time> since = ClaimedSince(task);
    AddClause(out.message, fmt::format("its queue has admitted it{} and keeps its room{}",
                                       since ? " " + Ago(now_ - *since) : "",
                                       task.ungating ? "; its gate is being removed" : ""));
  } else if (task.holding.lapsed) {
    AddClause(
        out.message,
        "its queue claim has lapsed (gateHoldTimeout) and is taken again for a node that fits");
  } else if (task.waits_at_gate() && out.stage < Stage::kNode && out.stage != Stage::kReservation) {
    out.stage = Stage::kGated;
    AddClause(out.message,
              "its queue-allocation gate stays meanwhile, so that no autoscaler sees it");
  }
  return out;
}

// What no queue and no node can change: gates that Basalt does not touch. true: there is one.
bool Explainer::ExplainGate(const model::Task& task, Explanation& out) const {
  if (task.gate == model::Gate::kNone || task.waits_at_gate()) return false;
  const std::vector<std::string> gates = GatesInTheWay(*task.pod);
  out.stage = Stage::kGated;
  out.reason = reasons::kSchedulingGated;
  if (gates.front() != model::annotations::kQueueAllocationGate) {
    const bool one = gates.size() == 1;
    out.message =
        fmt::format("scheduling gate{} {} {} somebody else's: Basalt does not touch {}",
                    one ? "" : "s", FewOf(gates), one ? "is" : "are", one ? "it" : "them");
  } else if (!cluster_.gates_enabled()) {
    out.message = "queue-allocation gates are switched off: the gate is being removed";
    return true;
  } else {
    out.reason = reasons::kGateMismatch;
    out.message = fmt::format(
        "the pod has the gate {0} without the annotation {0}: \"true\", so Basalt does not remove "
        "it",
        gates.front());
  }
  out.change = fmt::format("remove scheduling gate{} {} from pod {}/{}",
                           gates.size() > 1 ? "s" : "", FewOf(gates), task.ns(), task.name());
  return true;
}

bool Explainer::ExplainReservation(const model::Job& job, Explanation& out) const {
  model::ReservationRefusal refusal = model::RefusalOf(cluster_, job);
  if (refusal.reason.empty()) return false;
  Say(out, Stage::kReservation, refusal.reason, std::move(refusal.message));
  return true;
}

std::optional<Explanation> Explainer::Reservation(std::string_view ns, std::string_view name) {
  const model::ReservationRecord* record = cluster_.reservations().Find(ns, name);
  if (!record) return std::nullopt;
  const auto waiting = std::ranges::find_if(record->slots, [&](const model::ReservedSlot& slot) {
    const TaskStatus status = cluster_.task(slot.id).status();
    return status == TaskStatus::kPending || status == TaskStatus::kPipelined;
  });
  Explanation out;
  if (waiting != record->slots.end()) {
    out = OfTask(cluster_.task(waiting->id));
  } else {
    Say(out, Stage::kBound, record->status.reason, record->status.message);
  }
  out.kind = "Reservation";
  out.ns = ns;
  out.name = name;
  return out;
}

std::optional<Explanation> Explainer::PodGroup(std::string_view ns, std::string_view name) {
  const model::Job* job = cluster_.FindJob(ns, name);
  if (!job) return std::nullopt;
  const model::Cluster::Supposition supposed(cluster_);
  Explanation out{.kind = "PodGroup", .ns = job->ns, .name = job->name};
  ExplainWaiting(*job, nullptr, true, out);
  return out;
}

std::optional<QueueExplanation> Explainer::Queue(std::string_view name) {
  const model::Queue* queue = cluster_.FindQueue(name);
  if (!queue) return std::nullopt;
  const model::Cluster::Supposition supposed(cluster_);
  std::vector<const model::Job*> waiting;
  cluster_.ForJobsBelow(queue->id, [&](const model::Job& job) {
    const bool waits = !job.pending.empty() || !job.pipelined.empty();
    if (job.exists() && waits) waiting.push_back(&job);
  });
  {
    const Session session(cluster_, plugins_, now_, nullptr, nullptr, Session::Purpose::kRehearsal);
    std::ranges::sort(waiting, [&](const model::Job* a, const model::Job* b) {
      return session.JobBefore(*a, *b);
    });
  }
  QueueExplanation out;
  out.waiting_total = static_cast<int>(waiting.size());
  if (waiting.size() > kMostWaiting) waiting.resize(kMostWaiting);
  const model::Job* next = nullptr;
  for (const model::Job* job : waiting) {
    Explanation one{.kind = "PodGroup", .ns = job->ns, .name = job->name};
    ExplainWaiting(*job, nullptr, false, one);
    const bool stuck = one.stage != Stage::kPipelined && one.stage != Stage::kBinding;
    if (stuck && !next) next = job;
    out.waiting.push_back(std::move(one));
  }
  out.next.kind = "Queue";
  out.next.name = queue->name;
  if (next) {
    ExplainWaiting(*next, nullptr, true, out.next);
    out.next.message = fmt::format("{}: {}", next->key(), out.next.message);
  } else {
    out.next.stage = waiting.empty() ? Stage::kBound : Stage::kPipelined;
    out.next.reason = waiting.empty() ? reasons::kIdle : reasons::kPipelined;
    out.next.message = waiting.empty() ? "nothing waits in this queue"
                                       : "all that waits in this queue is promised a node";
  }
  return out;
}

bool Explainer::ExplainMissing(const model::Job& job, Explanation& out) const {
  if (!job.exists()) {
    out.stage = Stage::kGang;
    out.reason = reasons::kGroupNotFound;
    const model::TaskId first = job.pending.empty() ? model::TaskId{} : job.pending.front();
    const model::Task* task = cluster_.FindTask(first);
    out.message = task ? model::WhyGroupIsMissing(*task->pod)
                       : fmt::format("PodGroup {} does not exist", job.key());
    out.change = task ? HowGroupComes(*task->pod) : fmt::format("create PodGroup {}", job.key());
    out.condition = out.reason;
    return true;
  }
  const model::Queue& queue = cluster_.queue(job.queue);
  if (!queue.exists()) {
    Say(out, Stage::kEnqueue, reasons::kQueueNotFound,
        fmt::format("queue {} does not exist", queue.name));
    out.queue = QueueShortage{.name = queue.name};
    out.condition = out.reason;
    return true;
  }
  return false;
}

void Explainer::ExplainWaiting(const model::Job& job, const model::Task* asked, bool find_change,
                               Explanation& out) {
  if (ExplainMissing(job, out)) {
    if (find_change && job.exists()) {
      Prober prober(cluster_, plugins_, now_);
      const Obstacle missing{.stage = Stage::kEnqueue};
      out.change = FindChange(cluster_, prober, job, asked, {.first = missing});
    }
    return;
  }
  if (ExplainReservation(job, out)) return;
  const bool waits = !job.pending.empty() || job.valid_tasks() < job.min_available;
  if (!asked && !waits) {
    if (!job.pipelined.empty()) return ExplainPromise(cluster_.task(job.pipelined.front()), out);
    const bool binding = job.counts[TaskStatus::kBinding] > 0;
    Say(out, binding ? Stage::kBinding : Stage::kBound, model::ToString(job.phase),
        binding ? "binds are under way" : "no pod of the group waits");
    return;
  }
  Prober prober(cluster_, plugins_, now_);
  JobTrial trial = prober.Try(&Rehearsal::Alone, job, asked);
  const std::optional<Obstacle>& why = asked && trial.own ? trial.own : trial.first;
  if (trial.runs) {
    Say(out, trial.promises ? Stage::kPipelined : Stage::kNode, reasons::kSchedulable,
        "nothing holds it back: the next cycle finds it a place");
    return;
  }
  if (!why) return ExplainNoTurn(asked, out);
  Say(out, why->stage, why->reason, why->message);
  out.nodes = why->nodes;
  if (asked && asked->gate == model::Gate::kNone) out.condition = why->condition;
  if (trial.stays_gated && !asked) out.stage = Stage::kGated;
  const int needed = job.min_available - job.ready_tasks();
  const bool tasks_are_in_the_way = trial.first && trial.first->task.valid();
  if (tasks_are_in_the_way && !trial.starts && needed > 1) {
    out.message += fmt::format("{} {} of {} pods that the group still needs could be {}",
                               out.message.ends_with('.') ? "" : ";", trial.placed, needed,
                               trial.stays_gated ? "admitted" : "placed");
  }
  if (trial.first->stage == Stage::kQueue || trial.first->stage == Stage::kEnqueue) {
    DescribeQueue(job, asked, *trial.first, out);
  }
  if (find_change) out.change = FindChange(cluster_, prober, job, asked, std::move(trial));
}

// A pod that no action looks at, or not before others of its group have their place.
void Explainer::ExplainNoTurn(const model::Task* asked, Explanation& out) const {
  out.stage = Stage::kNode;
  out.reason = reasons::kNotTried;
  if (asked && asked->best_effort() && !plugins_.config().HasAction(action_names::kBackfill)) {
    out.message = "the pod asks for no resources, and no action places such pods";
    out.change = "add the action backfill to the scheduler's configuration";
  } else {
    out.message = "no place is looked for before its turn has come";
  }
}

void Explainer::DescribeQueue(const model::Job& job, const model::Task* asked,
                              const Obstacle& obstacle, Explanation& out) {
  const model::Queue& own = cluster_.queue(job.queue);
  if (!own.open) {
    out.reason = reasons::kQueueClosed;
    out.queue = QueueShortage{.name = own.name};
    return;
  }
  if (own.in_cycle) {
    out.reason = reasons::kQueueCycle;
    out.message = fmt::format("queue {} is its own ancestor: its parent {} leads back to it",
                              own.name, own.object->parent);
    out.queue = QueueShortage{.name = own.name};
    return;
  }
  const Need needed = NeedOf(cluster_, job, asked);
  const model::Amounts& need = needed.amount;
  const std::vector<Shortage> shortages = FindShortages(cluster_, job, needed);
  // The one that the policy names, or the first on the way up.
  const Shortage* shortage = shortages.empty() ? nullptr : &shortages.front();
  for (const Shortage& one : shortages) {
    if (one.queue == obstacle.shortfall.queue) shortage = &one;
  }
  const model::QueueId fullest = shortage ? shortage->queue : obstacle.shortfall.queue;
  const model::Queue& queue = fullest.valid() ? cluster_.queue(fullest) : own;
  // Of several the one of which most is missing, as a part of what is needed.
  int dimension = -1;
  double most = -1;
  const model::DimensionSet which =
      shortage ? shortage->which : need.NonZero() & ~model::Bit(model::kPods);
  model::ForEachDimension(which, [&](int d) {
    // Where no capability is short, the policy's own words name the resource.
    if (!shortage && out.message.find(cluster_.dimensions().name(d)) == std::string::npos) return;
    const double part = shortage ? shortage->missing[d] / need[d] : 0;
    if (part > most) {
      most = part;
      dimension = d;
    }
  });
  if (shortage && dimension >= 0) {
    AddClause(out.message, fmt::format("queue {}: {} {} short of a limit of {}", queue.name,
                                       cluster_.dimensions().name(dimension),
                                       FormatAmount(dimension, shortage->missing[dimension]),
                                       FormatAmount(dimension, queue.capability[dimension])));
  }
  {
    const Session session(cluster_, plugins_, now_, nullptr, nullptr, Session::Purpose::kRehearsal);
    AddClause(out.message, Describe(PlaceOf(session, job), own));
  }
  // It is the nodes that have too little: the queue is short of nothing.
  const model::Shortfall& named = obstacle.shortfall;
  const bool of_nodes = !named.exists() || named.limit == model::QueueLimit::kNodes;
  if (!shortage && obstacle.stage == Stage::kEnqueue && of_nodes) return;
  if (dimension < 0) return;
  out.queue = QueueShortage{
      .name = queue.name,
      .resource = cluster_.dimensions().name(dimension),
      .holders = LargestHolders(cluster_, queue, job, needed, dimension, kMostHolders)};
  const std::string holders = DescribeHolders(cluster_, queue, job, needed, dimension,
                                              out.queue->holders, plugins_.config(), now_);
  if (!holders.empty()) AddClause(out.message, holders);
}

Duration Explainer::NominationGraceOrDefault() const {
  return NominationGrace(plugins_.config().ArgumentsOf(action_names::kAllocate))
      .value_or(kDefaultNominationGrace);
}

std::vector<ScaleRow> Explainer::Scale(const ScaleFilter& filter) const {
  return ExplainScale(cluster_, NominationGraceOrDefault(), filter);
}

void Explainer::ExplainPromise(const model::Task& task, Explanation& out) const {
  const std::string& node = cluster_.node(task.node()).name;
  Say(out, Stage::kPipelined, reasons::kPipelined,
      fmt::format("node {} is promised to the pod", node));
  const PromiseWait wait = WhatPromiseWaitsFor(cluster_, task, NominationGraceOrDefault());
  if (wait.ForNobody()) {
    AddClause(out.message, "nobody is in its way: the next cycle looks at it again");
    return;
  }
  const auto have_left = [](const std::vector<const model::Task*>& tasks) {
    return fmt::format("{} {} left", NamesOf(tasks), tasks.size() == 1 ? "has" : "have");
  };
  std::vector<std::string> conditions, changes;
  if (!wait.on_node.empty()) {
    conditions.push_back(fmt::format("once {} it", have_left(wait.on_node)));
    changes.push_back(fmt::format("{} to leave node {}", NamesOf(wait.on_node), node));
  }
  if (!wait.in_queue.empty()) {
    conditions.push_back(fmt::format("once {} its queue", have_left(wait.in_queue)));
    changes.push_back(fmt::format("{} to leave its queue", NamesOf(wait.in_queue)));
  }
  if (!wait.of_group.empty()) {
    conditions.push_back(fmt::format("which has room for it; the rest of its group waits until {}",
                                     have_left(wait.of_group)));
    changes.push_back(fmt::format("{} to leave", NamesOf(wait.of_group)));
  }
  out.until = wait.until;
  out.message += fmt::format(", {}", fmt::join(conditions, " and "));
  out.change = fmt::format("wait for {}", fmt::join(changes, " and for "));
  AddClause(out.message,
            wait.until ? fmt::format("if that takes longer than until {}, the promise ends and an "
                                     "autoscaler sees the pod",
                                     kube::FormatTime(*wait.until))
                       : "the API server has yet to confirm an eviction, so there is no end yet");
}

}  // namespace basalt::scheduler::explain
