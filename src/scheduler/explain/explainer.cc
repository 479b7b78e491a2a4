#include "scheduler/explain/explainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "kube/types/reasons.h"
#include "model/annotations.h"
#include "model/group_of.h"
#include "model/reservation_use.h"
#include "scheduler/explain/change_search.h"
#include "scheduler/explain/promise_wait.h"
#include "scheduler/explain/queue_shortage.h"
#include "scheduler/framework/job_text.h"
#include "scheduler/framework/pod_wait.h"
#include "scheduler/framework/session.h"
#include "scheduler/placement/entry.h"
#include "scheduler/placement/reserved_room.h"

namespace basalt::scheduler::explain {

using model::TaskStatus;

namespace {

constexpr std::size_t kMostWaiting = 20;
constexpr std::size_t kMostNodes = 256;

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

// Whether the policies permit that the victim leaves for the task.
bool IsPermitted(const SessionView& view, const model::Task& task, const model::Task* victim) {
  const model::Job* loses = view.cluster().FindJob(victim->job);
  const model::Job* gains = view.cluster().FindJob(task.job);
  const bool may_leave = model::IsPreemptable(victim->status()) && victim->preemptable;
  if (!may_leave || !loses || !gains || view.cluster().IsReserved(*victim)) return false;
  const std::span candidates(&victim, 1);
  if (loses->queue == gains->queue) {
    return view.config().HasAction(action_names::kPreempt) &&
           !view.Preemptable(task, candidates).empty();
  }
  return view.config().HasAction(action_names::kReclaim) &&
         view.cluster().queue(loses->queue).reclaimable &&
         !view.Reclaimable(task, candidates).empty();
}

// The pod that preempt or reclaim would evict for the task, were it not for evictions before, and
// why it is spared. Of a large cluster only some nodes are looked at. "": none is found.
std::string WhoIsSpared(const SessionView& view, const EvictionMemory& memory,
                        const model::Task& task) {
  using Ruling = EvictionMemory::Ruling;
  if (memory.size() == 0 || task.pod->spec.preemption_policy == kube::PreemptionPolicy::kNever) {
    return "";
  }
  const model::Cluster& cluster = view.cluster();
  const auto& nodes = cluster.nodes();
  for (const model::NodeId node : std::span(nodes).first(std::min(nodes.size(), kMostNodes))) {
    for (const model::Task& victim : cluster.TasksOf(cluster.node(node).tasks)) {
      const Ruling why = memory.Judge(cluster, victim, task, view.now());
      if (why != Ruling::kTwice && why != Ruling::kCycle) continue;
      if (!IsPermitted(view, task, &victim)) continue;
      return WhySpared(victim, why);
    }
  }
  return "";
}

// What no queue and no node can change: gates that Basalt does not touch. true: there is one.
bool ExplainGate(const model::Cluster& cluster, const model::Task& task, Explanation& out) {
  if (task.gate == model::Gate::kNone || task.waits_at_gate()) return false;
  const std::vector<std::string> gates = GatesInTheWay(*task.pod);
  out.stage = Stage::kGated;
  out.reason = reasons::kSchedulingGated;
  if (gates.front() != model::annotations::kQueueAllocationGate) {
    const bool one = gates.size() == 1;
    out.message =
        fmt::format("scheduling gate{} {} {} somebody else's: Basalt does not touch {}",
                    one ? "" : "s", FewOf(gates), one ? "is" : "are", one ? "it" : "them");
  } else if (!cluster.gates_enabled()) {
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

// What stands in the way before anything can be tried. true: something does.
bool ExplainMissing(const model::Cluster& cluster, const model::Job& job, Explanation& out) {
  const model::Queue* queue = job.exists() ? &cluster.queue(job.queue) : nullptr;
  if (queue && queue->exists()) return false;
  if (queue) {
    Say(out, Stage::kEnqueue, reasons::kQueueNotFound,
        fmt::format("queue {} does not exist", queue->name));
    out.queue = QueueShortage{.name = queue->name};
  } else if (const model::Task* task =
                 job.pending.empty() ? nullptr : cluster.FindTask(job.pending.front())) {
    Say(out, Stage::kGang, reasons::kGroupNotFound, model::WhyGroupIsMissing(*task->pod));
    out.change = HowGroupComes(*task->pod);
  } else {
    Say(out, Stage::kGang, reasons::kGroupNotFound,
        fmt::format("PodGroup {} does not exist", job.key()));
    out.change = fmt::format("create PodGroup {}", job.key());
  }
  out.condition = out.reason;
  return true;
}

// A pod that no action looks at, or not before others of its group have their place.
void ExplainNoTurn(const Config& config, const model::Task* asked, Explanation& out) {
  const bool never = asked && asked->best_effort() && !config.HasAction(action_names::kBackfill);
  Say(out, Stage::kNode, reasons::kNotTried,
      never ? "the pod asks for no resources, and no action places such pods"
            : "no place is looked for before its turn has come");
  if (never) out.change = "add the action backfill to the scheduler's configuration";
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
    case TaskStatus::kPipelined:
      ExplainPromise(cluster_, PromiseTermsOf(plugins_), task, out);
      return out;
    case TaskStatus::kPending: break;
  }
  const model::Cluster::Supposition supposed(cluster_);
  const model::Job* job = cluster_.FindJob(task.job);
  if (ExplainGate(cluster_, task, out)) {
    if (!out.change.empty() && job && job->exists()) {
      out.change = ChangeAgainst({.stage = Stage::kGated, .task = task.id}, *job, &task);
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
                                       since ? fmt::format(" {} ago", Seconds(now_ - *since)) : "",
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
  cluster_.ForJobsOf(queue->id, model::QueueReach::kTree, [&](const model::Job& job) {
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
  } else if (waiting.empty()) {
    Say(out.next, Stage::kBound, reasons::kIdle, "nothing waits in this queue");
  } else {
    Say(out.next, Stage::kPipelined, reasons::kPipelined,
        "all that waits in this queue is promised a node");
  }
  return out;
}

void Explainer::ExplainWaiting(const model::Job& job, const model::Task* asked, bool find_change,
                               Explanation& out) {
  if (ExplainMissing(cluster_, job, out)) {
    if (find_change && job.exists()) {
      out.change = ChangeAgainst({.stage = Stage::kEnqueue}, job, asked);
    }
    return;
  }
  // The reservation that it names may be of no use.
  if (model::ReservationRefusal refusal = model::RefusalOf(cluster_, job);
      !refusal.reason.empty()) {
    return Say(out, Stage::kReservation, refusal.reason, std::move(refusal.message));
  }
  const bool waits = !job.pending.empty() || job.valid_tasks() < job.min_available;
  if (!asked && !waits) {
    if (!job.pipelined.empty()) {
      const model::Task& promised = cluster_.task(job.pipelined.front());
      return ExplainPromise(cluster_, PromiseTermsOf(plugins_), promised, out);
    }
    const bool binding = job.counts[TaskStatus::kBinding] > 0;
    return Say(out, binding ? Stage::kBinding : Stage::kBound, model::ToString(job.phase),
               binding ? "binds are under way" : "no pod of the group waits");
  }
  Prober prober(cluster_, plugins_, now_);
  JobTrial trial = prober.Alone(job, asked);
  const std::optional<Obstacle>& why = asked && trial.own ? trial.own : trial.first;
  if (trial.runs) {
    return Say(out, trial.promises ? Stage::kPipelined : Stage::kNode, reasons::kSchedulable,
               "nothing holds it back: the next cycle finds it a place");
  }
  if (!why) return ExplainNoTurn(plugins_.config(), asked, out);
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
    const Session session(cluster_, plugins_, now_, nullptr, nullptr, Session::Purpose::kRehearsal);
    DescribeShortage(session, job, asked, *trial.first, out);
  }
  if (find_change) out.change = FindChange(prober, job, asked, std::move(trial));
}

std::string Explainer::ChangeAgainst(Obstacle obstacle, const model::Job& job,
                                     const model::Task* asked) {
  Prober prober(cluster_, plugins_, now_);
  return FindChange(prober, job, asked, {.first = std::move(obstacle)});
}

std::vector<ScaleRow> Explainer::Scale(const ScaleFilter& filter) const {
  return ExplainScale(cluster_, PromiseTermsOf(plugins_), filter);
}

}  // namespace basalt::scheduler::explain
