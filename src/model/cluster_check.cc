// Cluster::CheckLedgers.
#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "model/cluster.h"
#include "model/cluster_parts.h"
#include "model/node_index.h"

namespace basalt::model {
namespace {

struct OfNode {
  ResourceSum used, releasing, promised, idle, future;
  double assumed_milli_cpu = 0, assumed_memory = 0;
  std::size_t tasks = 0;
};

struct OfRole {
  StatusCounts counts;
  int pending_best_effort = 0;
};

struct OfJob {
  std::vector<OfRole> roles;
  StatusCounts counts;
  int pending_best_effort = 0, pending_opted_in = 0, pending_naming = 0, queue_claims = 0;
  ResourceSum allocated, promised, total_request, held_back;
};

struct OfQueue {
  QueueLedger own, tree;
};

Amounts Negative(Amounts resource) { return resource.Scale(-1); }

bool Occupies(const Task& task) {
  return task.node().valid() && task.status() != TaskStatus::kPending &&
         !IsCompleted(task.status());
}
bool Leaves(const Task& task) {
  return task.status() == TaskStatus::kReleasing && task.node().valid();
}

void Count(QueueLedger& ledger, const Task& task) {
  const TaskStatus status = task.status();
  const bool holds = IsAllocated(status) || status == TaskStatus::kPipelined;
  if (holds) ledger.allocated.Add(task.request());
  if (holds || status == TaskStatus::kPending) ledger.request.Add(task.request());
  if (status == TaskStatus::kPipelined) ledger.promised.Add(task.request());
  if (status == TaskStatus::kPending && task.holding.queue_claim) {
    ledger.claimed.Add(task.request());
  }
  if (Leaves(task)) ledger.leaving.Add(task.request());
  if (Leaves(task) && task.holding.overdue) ledger.overdue.Add(task.request());
}

void Count(QueueLedger& ledger, const Job& job) {
  ledger.in_queue.Add(job.in_queue);
  if (!job.in_queue_of_all) ledger.in_queue_gated.Add(job.in_queue);
  ledger.elastic.Add(job.elastic);
}

// Counts everything anew from what each task holds, and compares.
class LedgerCheck {
 public:
  explicit LedgerCheck(const Cluster& cluster)
      : cluster_(cluster),
        nodes_(cluster.node_slots().bound()),
        jobs_(cluster.jobs().bound()),
        queues_(cluster.queues().bound()) {}

  std::string Run() {
    cluster_.jobs().ForEach(
        [&](const Job& job) { jobs_[job.id.index()].roles.resize(job.roles.size()); });
    cluster_.tasks().ForEach([&](const Task& task) { CountTask(task); });
    CheckNodes();
    cluster_.jobs().ForEach([&](const Job& job) { CheckJob(job); });
    cluster_.queues().ForEach([&](const Queue& queue) { CheckQueue(queue); });
    CheckTotals();
    return std::move(out_);
  }

 private:
  void CountTask(const Task& task) {
    if (Occupies(task)) CountOnNode(task);
    const Job* job = cluster_.FindJob(task.job);
    if (!job) return;
    CountInJob(task, *job);
    if (!job->queue.valid() || job->counts_with_pod) return;
    Count(queues_[job->queue.index()].own, task);
    for (QueueId q = job->queue; q.valid(); q = cluster_.queue(q).parent) {
      Count(queues_[q.index()].tree, task);
    }
  }

  void CountOnNode(const Task& task) {
    const Node& at = cluster_.node(task.node());
    OfNode& node = nodes_[at.id.index()];
    ++node.tasks;
    Expect(InPlace(at.tasks, task.node_place, task.id), "{}: not in its node's list", task);
    const std::vector<TaskId>& alike = cluster_.placed_of_class(task.task_class->id);
    Expect(InPlace(alike, task.class_place, task.id), "{}: not in its class's list", task);
    if (task.task_class->has_pod_terms()) {
      ++with_pod_terms_;
      Expect(InPlace(cluster_.placed_with_pod_terms(), task.terms_place, task.id),
             "{}: not in the list of those with terms", task);
    }
    node.assumed_milli_cpu += task.task_class->assumed_milli_cpu;
    node.assumed_memory += task.task_class->assumed_memory;
    node.future.Add(Negative(task.request()));
    const bool leaves_in_time = Leaves(task) && !task.holding.overdue;
    if (at.exists() && !leaves_in_time) total_held_.Add(task.request());
    if (task.status() == TaskStatus::kPipelined) {
      ++promised_;
      Expect(InPlace(cluster_.promised(), task.claim_place, task.id),
             "{}: not in the list of promises", task);
      node.promised.Add(task.request());
      return;
    }
    node.used.Add(task.request());
    node.idle.Add(Negative(task.request()));
    if (!Leaves(task)) return;
    ++releasing_;
    Expect(InPlace(cluster_.releasing(), task.claim_place, task.id),
           "{}: not in the list of those that leave", task);
    if (!leaves_in_time) return;
    node.releasing.Add(task.request());
    node.future.Add(task.request());
  }

  void CountInJob(const Task& task, const Job& job) {
    const TaskStatus status = task.status();
    OfJob& counted = jobs_[job.id.index()];
    OfRole& role = counted.roles[task.role];
    counted.counts.Change(status, +1);
    role.counts.Change(status, +1);
    counted.total_request.Add(task.request());
    if (IsAllocated(status)) counted.allocated.Add(task.request());
    if (status == TaskStatus::kPipelined) counted.promised.Add(task.request());
    const std::vector<TaskId>& list = status == TaskStatus::kPending     ? job.pending
                                      : status == TaskStatus::kPipelined ? job.pipelined
                                                                         : job.others;
    Expect(InPlace(list, task.job_place, task.id), "{}: not in its job's list", task);
    if (status != TaskStatus::kPending) return;
    if (task.best_effort()) {
      ++counted.pending_best_effort;
      ++role.pending_best_effort;
    }
    if (task.opted_in) ++counted.pending_opted_in;
    if (task.names_reservation) ++counted.pending_naming;
    if (task.holding.queue_claim) ++counted.queue_claims;
    if (task.gate == Gate::kForeign || task.holding.lapsed || task.holding.resting) {
      counted.held_back.Add(task.request());
    }
  }

  void CheckNodes() {
    cluster_.node_slots().ForEach([&](const Node& node) {
      OfNode& counted = nodes_[node.id.index()];
      const NodeLedger& kept = cluster_.ledger();
      counted.idle.Add(node.allocatable);
      counted.future.Add(node.allocatable);
      if (node.exists()) total_allocatable_.Add(node.allocatable);
      Compare(node.name, "used", kept.Used(node.id), counted.used);
      Compare(node.name, "releasing", kept.Releasing(node.id), counted.releasing);
      Compare(node.name, "promised", kept.Promised(node.id), counted.promised);
      Compare(node.name, "idle", kept.Idle(node.id), counted.idle);
      Compare(node.name, "future", kept.Future(node.id), counted.future);
      Compare(node.name, "assumed cpu", kept.assumed(kCpu)[node.id.index()],
              counted.assumed_milli_cpu);
      Compare(node.name, "assumed memory", kept.assumed(kMemory)[node.id.index()],
              counted.assumed_memory);
      Compare(node.name, "tasks", node.tasks.size(), counted.tasks);
    });
  }

  void CheckJob(const Job& job) {
    const OfJob& counted = jobs_[job.id.index()];
    const std::string name = job.key();
    Compare(name, job.counts, counted.counts);
    for (std::size_t i = 0; i < job.roles.size(); ++i) {
      Compare(name, job.roles[i].counts, counted.roles[i].counts);
      Compare(name, "best-effort tasks of a role", job.roles[i].pending_best_effort,
              counted.roles[i].pending_best_effort);
    }
    Compare(name, "pending best-effort", job.pending_best_effort, counted.pending_best_effort);
    Compare(name, "pending opted in", job.pending_opted_in, counted.pending_opted_in);
    Compare(name, "pending that name a reservation", job.pending_naming, counted.pending_naming);
    Compare(name, "queue claims", job.queue_claims, counted.queue_claims);
    Compare(name, "members", job.pending.size() + job.pipelined.size() + job.others.size(),
            static_cast<std::size_t>(counted.counts.total()));
    Compare(name, "allocated", job.allocated, counted.allocated);
    Compare(name, "promised", job.promised, counted.promised);
    Compare(name, "total request", job.total_request, counted.total_request);
    Compare(name, "held back", job.held_back, counted.held_back);
    // By the rule that made it: what is checked is that no change passed it by.
    const parts::Contribution adds = parts::ContributionOf(job);
    Compare(name, "in queue", job.in_queue, adds.in_queue);
    Compare(name, "elastic", job.elastic, adds.elastic);
    const Job::List list = parts::ListOf(job);
    Compare(name, "list", static_cast<int>(job.list), static_cast<int>(list));
    if (list == Job::List::kActive) {
      ++active_;
      Expect(InPlace(cluster_.active_jobs(), job.list_place, job.id), "{}: not active", job);
    } else if (list == Job::List::kGroupless) {
      ++groupless_;
      Expect(InPlace(cluster_.groupless_jobs(), job.list_place, job.id), "{}: not groupless", job);
    }
    if (job.parked()) ++parked_;
    if (!job.queue.valid()) return;
    const Queue& queue = cluster_.queue(job.queue);
    Expect(InPlace(queue.jobs, job.queue_place, job.id), "{}: not in its queue's list", job);
    Compare(name, "counts for all", job.in_queue_of_all, adds.of_all);
    if (job.in_queue_of_all) total_in_queue_.Add(job.in_queue);
    Count(queues_[queue.id.index()].own, job);
    for (QueueId q = queue.id; q.valid(); q = cluster_.queue(q).parent) {
      Count(queues_[q.index()].tree, job);
    }
  }

  void CheckQueue(const Queue& queue) {
    const OfQueue& counted = queues_[queue.id.index()];
    Compare(queue.name + " own", queue.own, counted.own);
    Compare(queue.name + " tree", queue.tree, counted.tree);
    for (const QueueId child : queue.children) {
      if (cluster_.queue(child).parent == queue.id) continue;
      out_ += fmt::format("{}: a child has another parent\n", queue.name);
    }
    const Queue* parent = cluster_.queues().Find(queue.parent);
    if (parent && std::ranges::find(parent->children, queue.id) == parent->children.end()) {
      out_ += fmt::format("{}: not among its parent's children\n", queue.name);
    }
  }

  void CheckTotals() {
    Compare("all nodes", "allocatable", cluster_.total_allocatable(), total_allocatable_);
    Compare("all nodes", "held", cluster_.total_held(), total_held_);
    Compare("all queues", "in queue", cluster_.total_in_queue(), total_in_queue_);
    Compare("all", "leaving", cluster_.releasing().size(), releasing_);
    Compare("all", "promised", cluster_.promised().size(), promised_);
    Compare("all", "with terms", cluster_.placed_with_pod_terms().size(), with_pod_terms_);
    Compare("all", "active", cluster_.active_jobs().size(), active_);
    Compare("all", "groupless", cluster_.groupless_jobs().size(), groupless_);
    Compare("all", "parked", cluster_.parking().jobs(), parked_);
    out_ += cluster_.FreshNodeIndex().Check();
  }

  template <class List, class Id>
  static bool InPlace(const List& list, std::uint32_t place, Id id) {
    return place < list.size() && list[place] == id;
  }
  void Expect(bool holds, const char* text, const Task& task) {
    if (!holds) out_ += fmt::format(fmt::runtime(text), task.ns() + "/" + task.name()) + "\n";
  }
  void Expect(bool holds, const char* text, const Job& job) {
    if (!holds) out_ += fmt::format(fmt::runtime(text), job.key()) + "\n";
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void Compare(const std::string& whose, std::string_view what, T kept, T counted) {
    if (kept != counted) {
      out_ += fmt::format("{} {}: {}, counted {}\n", whose, what, kept, counted);
    }
  }
  void Compare(const std::string& whose, std::string_view what, const Amounts& kept,
               const Amounts& counted) {
    for (int d = 0; d < std::max(kept.bound(), counted.bound()); ++d) {
      if (kept[d] == counted[d]) continue;
      out_ += fmt::format("{} {}: dimension {} is {}, counted {}\n", whose, what, d, kept[d],
                          counted[d]);
    }
  }
  void Compare(const std::string& whose, const StatusCounts& kept, const StatusCounts& counted) {
    for (int s = 0; s < kTaskStatuses; ++s) {
      const auto status = static_cast<TaskStatus>(s);
      Compare(whose, ToString(status), kept[status], counted[status]);
    }
  }
  void Compare(const std::string& whose, const QueueLedger& kept, const QueueLedger& counted) {
    Compare(whose, "allocated", kept.allocated, counted.allocated);
    Compare(whose, "promised", kept.promised, counted.promised);
    Compare(whose, "leaving", kept.leaving, counted.leaving);
    Compare(whose, "overdue", kept.overdue, counted.overdue);
    Compare(whose, "request", kept.request, counted.request);
    Compare(whose, "claimed", kept.claimed, counted.claimed);
    Compare(whose, "in queue", kept.in_queue, counted.in_queue);
    Compare(whose, "in queue gated", kept.in_queue_gated, counted.in_queue_gated);
    Compare(whose, "elastic", kept.elastic, counted.elastic);
  }

  const Cluster& cluster_;
  std::string out_;
  std::vector<OfNode> nodes_;
  std::vector<OfJob> jobs_;
  std::vector<OfQueue> queues_;
  ResourceSum total_allocatable_, total_held_, total_in_queue_;
  std::size_t releasing_ = 0, promised_ = 0, with_pod_terms_ = 0;
  std::size_t active_ = 0, groupless_ = 0, parked_ = 0;
};

}  // namespace

std::string Cluster::CheckLedgers() const { return LedgerCheck(*this).Run(); }

}  // namespace basalt::model
