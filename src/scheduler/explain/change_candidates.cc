#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "kube/types/pod_resources.h"
#include "model/annotations.h"
#include "scheduler/explain/amounts.h"
#include "scheduler/explain/change_search.h"
#include "scheduler/explain/queue_shortage.h"
#include "scheduler/framework/pod_wait.h"
#include "scheduler/framework/reasons.h"

namespace basalt::scheduler::explain {

using model::Amounts;
using model::Node;
using model::Task;

namespace {

// How many of a kind are worth trying.
constexpr std::size_t kFewNodes = 3;
constexpr std::size_t kFewPods = 6;
constexpr std::size_t kMostPodsFinished = 16;
constexpr std::size_t kMostNewNodes = 1024;
constexpr int kMostNewPods = 1024;
constexpr std::size_t kMostNewResources = 8;
constexpr int kUsualPods = 110;  // a kubelet's default

Candidate Once(std::string text, std::function<void(WhatIf&)> make) {
  return {.text = [text = std::move(text)](int) { return text; },
          .make = [make = std::move(make)](WhatIf& what_if, int) { make(what_if); }};
}

Candidate Several(std::size_t most, std::function<std::string(int)> text,
                  std::function<void(WhatIf&, int)> make) {
  return {.text = std::move(text), .make = std::move(make), .most = static_cast<int>(most)};
}

// The object instead of the one of that name.
template <class T>
Candidate Edit(std::string text, T object) {
  return Once(std::move(text), [object](WhatIf& what_if) { what_if.Set(object); });
}

std::string Key(const Task& task) { return task.ns() + "/" + task.name(); }

// ---- pods that could finish

bool CouldFinish(const Task& task, const model::Job& job) {
  return model::IsPreemptable(task.status()) && task.job != job.id;
}

// As a share of the whole cluster, so that CPU and memory can be compared.
double SizeOf(const model::Cluster& cluster, const Amounts& request) {
  double size = 0;
  model::ForEachDimension(request.NonZero(), [&](int d) {
    const double total = cluster.total_allocatable()[d];
    if (total > 0) size += request[d] / total;
  });
  return size;
}

void SortBySize(const model::Cluster& cluster, std::vector<const Task*>& tasks) {
  std::ranges::sort(tasks, [&](const Task* a, const Task* b) {
    if (a->priority != b->priority) return a->priority < b->priority;
    const double size_a = SizeOf(cluster, a->request()), size_b = SizeOf(cluster, b->request());
    return size_a != size_b ? size_a < size_b : Key(*a) < Key(*b);
  });
}

Candidate Finish(const Task& task) {
  return Once(fmt::format("finish or evict pod {}", Key(task)),
              [id = task.id](WhatIf& what_if) { what_if.Finish(id); });
}

// The first k of the tasks.
Candidate FinishSeveral(const std::vector<const Task*>& tasks) {
  std::vector<std::pair<model::TaskId, std::string>> victims;
  for (const Task* task : tasks) victims.emplace_back(task->id, Key(*task));
  return Several(
      std::min(victims.size(), kMostPodsFinished),
      [victims](int times) {
        std::vector<std::string> names;
        for (int i = 0; i < times; ++i) names.push_back(victims[i].second);
        return fmt::format("finish or evict pod{} {}", times > 1 ? "s" : "",
                           fmt::join(names, ", "));
      },
      [victims](WhatIf& what_if, int times) {
        for (int i = 0; i < times; ++i) what_if.Finish(victims[i].first);
      });
}

// ---- nodes

// More nodes like this one, with nothing on them.
Candidate MoreNodes(std::shared_ptr<const kube::Node> like, std::string one, std::string several,
                    std::size_t most) {
  return Several(
      most,
      [one = std::move(one), several = std::move(several)](int times) {
        return times == 1 ? one : fmt::format(fmt::runtime(several), times);
      },
      [like = std::move(like)](WhatIf& what_if, int times) {
        for (int i = 0; i < times; ++i) {
          kube::Node node = *like;
          node.meta.name = what_if.NameFor(like->meta.name, i);
          node.meta.uid.clear();
          node.meta.labels.Set("kubernetes.io/hostname", node.meta.name);
          what_if.Set(std::move(node));
        }
      });
}

bool Tolerates(const kube::Pod& pod, const kube::Taint& taint) {
  if (taint.effect != kube::TaintEffect::kNoSchedule &&
      taint.effect != kube::TaintEffect::kNoExecute) {
    return true;
  }
  return std::ranges::any_of(pod.spec.tolerations,
                             [&](const kube::Toleration& t) { return t.Tolerates(taint); });
}

bool IsOpenTo(const kube::Pod& pod, const kube::Node& node) {
  return !node.spec.unschedulable &&
         std::ranges::all_of(node.spec.taints,
                             [&](const kube::Taint& taint) { return Tolerates(pod, taint); });
}

kube::Node WithLabelsFor(const kube::Pod& pod, kube::Node node) {
  for (const auto wanted : pod.spec.node_selector) node.meta.labels.Set(wanted.key, wanted.value);
  return node;
}

kube::Node WithoutTaintsFor(const kube::Pod& pod, kube::Node node) {
  std::erase_if(node.spec.taints, [&](const kube::Taint& taint) { return !Tolerates(pod, taint); });
  return node;
}

std::string DescribeTaints(const kube::Pod& pod, const kube::Node& node) {
  std::vector<std::string> taints;
  for (const kube::Taint& taint : node.spec.taints) {
    if (Tolerates(pod, taint)) continue;
    taints.push_back(fmt::format("{}{}{}:{}", taint.key, taint.value.empty() ? "" : "=",
                                 taint.value, kube::ToString(taint.effect)));
  }
  return fmt::format("{}", fmt::join(taints, ", "));
}

std::string DescribeLabels(const kube::Pod& pod, const kube::Node& node) {
  std::vector<std::string> labels;
  for (const auto wanted : pod.spec.node_selector) {
    if (node.meta.labels.Find(wanted.key) == wanted.value) continue;
    labels.push_back(fmt::format("{}={}", wanted.key, wanted.value));
  }
  return fmt::format("{}", fmt::join(labels, ", "));
}

// A node that has the room and is closed to the pod: open it.
void AddNodeEdits(const model::Cluster& cluster, const Task& task, std::vector<Candidate>& out) {
  std::vector<Candidate> uncordon, untaint, label;
  const kube::Pod& pod = *task.pod;
  for (const model::NodeId id : cluster.nodes()) {
    const Node& node = cluster.node(id);
    if (task.task_class->unknown_resource) continue;
    if (!task.best_effort() && !cluster.ledger().FitsFuture(task.request(), id)) continue;
    const kube::Node& object = *node.object;
    const std::string taints = DescribeTaints(pod, object);
    if (object.spec.unschedulable && taints.empty() && uncordon.size() < kFewNodes) {
      kube::Node open = object;
      open.spec.unschedulable = false;
      uncordon.push_back(Edit(fmt::format("uncordon node {}", node.name), std::move(open)));
    } else if (!taints.empty() && untaint.size() < kFewNodes) {
      kube::Node open = WithoutTaintsFor(pod, object);
      open.spec.unschedulable = false;
      untaint.push_back(Edit(fmt::format("remove taint {} from node {}{}", taints, node.name,
                                         object.spec.unschedulable ? " and uncordon it" : ""),
                             std::move(open)));
    } else if (const std::string labels = DescribeLabels(pod, object);
               !labels.empty() && label.size() < kFewNodes) {
      label.push_back(Edit(fmt::format("label node {} with {}", node.name, labels),
                           WithLabelsFor(pod, object)));
    }
    if (uncordon.size() + untaint.size() + label.size() >= 3 * kFewNodes) break;
  }
  for (auto* list : {&uncordon, &untaint, &label}) {
    for (Candidate& candidate : *list) out.push_back(std::move(candidate));
  }
}

// Pods whose end makes room on their node: one that is enough, or several of one node.
void AddVictimsOnNodes(const model::Cluster& cluster, const model::Job& job, const Task& task,
                       std::vector<Candidate>& out) {
  std::vector<const Task*> enough;
  struct Group {
    std::vector<const Task*> tasks;
    double size = 0;
  };
  std::vector<Group> several;
  if (task.task_class->unknown_resource) return;
  for (const model::NodeId id : cluster.nodes()) {
    const Node& node = cluster.node(id);
    if (!IsOpenTo(*task.pod, *node.object)) continue;
    if (cluster.ledger().FitsFuture(task.request(), id)) continue;  // not for want of room
    if (!task.request().LessEqual(node.allocatable, model::Undefined::kZero)) continue;
    std::vector<const Task*> here;
    for (const model::TaskId other : node.tasks) {
      if (CouldFinish(cluster.task(other), job)) here.push_back(&cluster.task(other));
    }
    const model::DimensionSet lacking = cluster.ledger().LackingInFuture(task.request(), id);
    const Amounts room = cluster.ledger().Future(id);
    const auto frees_enough = [&](const Amounts& freed) {
      bool all = true;
      model::ForEachDimension(lacking, [&](int d) {
        all = all && room[d] + freed[d] + Amounts::kEpsilon > task.request()[d];
      });
      return all;
    };
    for (const Task* other : here) {
      if (frees_enough(other->request())) enough.push_back(other);
    }
    SortBySize(cluster, here);
    std::ranges::reverse(here);  // few large ones before many small ones
    std::ranges::stable_sort(here, {}, [](const Task* other) { return other->priority; });
    Amounts freed;
    Group first;
    for (const Task* other : here) {
      first.tasks.push_back(other);
      freed.Add(other->request());
      if (frees_enough(freed)) break;
    }
    first.size = SizeOf(cluster, freed);
    if (first.tasks.size() > 1 && first.tasks.size() <= kMostPodsFinished && frees_enough(freed)) {
      several.push_back(std::move(first));
    }
  }
  SortBySize(cluster, enough);
  if (enough.size() > kFewPods) enough.resize(kFewPods);
  for (const Task* other : enough) out.push_back(Finish(*other));
  std::ranges::stable_sort(several, [](const Group& a, const Group& b) {
    return a.tasks.size() != b.tasks.size() ? a.tasks.size() < b.tasks.size() : a.size < b.size;
  });
  if (several.size() > kFewNodes) several.resize(kFewNodes);
  for (const Group& each : several) out.push_back(FinishSeveral(each.tasks));
}

// The smallest kinds of node there are that could take the task, then one that is made for it.
void AddNewNodes(const model::Cluster& cluster, const Task& task, std::size_t most,
                 std::vector<Candidate>& out) {
  const kube::Pod& pod = *task.pod;
  std::vector<const Node*> kinds;
  for (const model::NodeId id : cluster.nodes()) {
    const Node& node = cluster.node(id);
    if (task.task_class->unknown_resource) break;
    if (!IsOpenTo(pod, *node.object) || !DescribeLabels(pod, *node.object).empty()) continue;
    if (!task.request().LessEqual(node.allocatable, model::Undefined::kZero)) continue;
    const bool known = std::ranges::any_of(
        kinds, [&](const Node* kind) { return kind->allocatable == node.allocatable; });
    if (!known) kinds.push_back(&node);
  }
  std::ranges::stable_sort(kinds, {},
                           [&](const Node* node) { return SizeOf(cluster, node->allocatable); });
  if (kinds.size() > kFewNodes) kinds.resize(kFewNodes);
  for (const Node* kind : kinds) {
    out.push_back(MoreNodes(kind->object, fmt::format("one more node like {}", kind->name),
                            fmt::format("{{}} more nodes like {}", kind->name), most));
  }
  // As large as the pod, and no larger: what is said is what is tried.
  kube::Node made;
  made.status.conditions.push_back({.type = "Ready", .status = kube::ConditionStatus::kTrue});
  made = WithLabelsFor(pod, std::move(made));
  made.meta.name = "new-node";
  kube::ResourceList request = ToResourceList(task.request(), cluster.dimensions());
  std::string amounts = FormatAmounts(
      task.request(), task.request().NonZero() & ~model::Bit(model::kPods), cluster.dimensions());
  // Each name that nobody offers yet takes a number while it is tried.
  const auto unknown = model::UnknownNames(*task.task_class, cluster.dimensions());
  if (unknown.size() > kMostNewResources) return;
  for (const std::string& name : unknown) {
    const kube::Quantity amount = kube::PodRequests(pod).Get(name);
    request.Set(name, amount);
    amounts += fmt::format("{}{} {}", amounts.empty() ? "" : ", ", name, amount.ToString());
  }
  if (amounts.empty()) amounts = "the pod";  // that asks for nothing but a place
  request.Set("pods", kube::Quantity::Of(kUsualPods));
  made.status.allocatable = request;
  const std::string labels = DescribeLabels(pod, kube::Node{});
  const std::string what =
      fmt::format("room for {}{}{}", amounts, labels.empty() ? "" : " and the labels ", labels);
  out.push_back(MoreNodes(std::make_shared<const kube::Node>(std::move(made)),
                          fmt::format("one more node with {}", what),
                          fmt::format("{{}} more nodes with {} each", what), most));
}

// ---- queues

// The queues with as much more capability as they are short of.
struct Raise {
  std::string text;
  std::vector<kube::Queue> queues;
};

Raise RaiseBy(const model::Cluster& cluster, const std::vector<Shortage>& shortages) {
  std::vector<std::string> texts;
  Raise raise;
  for (const Shortage& shortage : shortages) {
    const model::Queue& queue = cluster.queue(shortage.queue);
    std::vector<std::string> amounts;
    kube::Queue object = *queue.object;
    model::ForEachDimension(shortage.which, [&](int d) {
      const std::string& name = cluster.dimensions().name(d);
      amounts.push_back(fmt::format("{} +{}", name, FormatAmount(d, shortage.missing[d])));
      object.capability.Set(name, ToQuantity(d, queue.capability[d] + shortage.missing[d]));
    });
    texts.push_back(fmt::format("queue {}: capability {}", queue.name, fmt::join(amounts, ", ")));
    raise.queues.push_back(std::move(object));
  }
  raise.text = fmt::format("{}", fmt::join(texts, "; "));
  return raise;
}

Candidate RaiseCapability(const model::Cluster& cluster, const std::vector<Shortage>& shortages) {
  Raise raise = RaiseBy(cluster, shortages);
  return Once(std::move(raise.text), [queues = std::move(raise.queues)](WhatIf& what_if) {
    for (const kube::Queue& queue : queues) what_if.Set(queue);
  });
}

// What those ahead of the job take before it: first what each needs to start, then the rest.
std::vector<Amounts> TakenAhead(const model::Cluster& cluster,
                                const std::vector<const model::Job*>& ahead) {
  std::vector<Amounts> taken;
  std::vector<Amounts> rests;
  for (const model::Job* job : ahead) {
    const Need need = NeedOf(cluster, *job, nullptr);
    Amounts rest;
    for (const model::TaskId id : job->pending) {
      const Task& task = cluster.task(id);
      if (task.may_be_placed() && !task.holding.queue_claim) rest.Add(task.request());
    }
    const Amounts start = Amounts(need.amount).Sub(need.claimed);
    rest.Sub(start);
    model::ForEachDimension(rest.NonZero(), [&](int d) { rest.Set(d, std::max(rest[d], 0.0)); });
    taken.push_back(start);
    if (rest.NonZero() != 0) rests.push_back(rest);
  }
  taken.insert(taken.end(), rests.begin(), rests.end());
  return taken;
}

// Capability for the job, and for the first of those that are ahead of it, times - 1 of them.
Candidate RaiseForAllAhead(const model::Cluster& cluster, const model::Job& job, Need need,
                           std::vector<Amounts> taken) {
  const std::size_t most = taken.size() + 1;
  const auto raise = [&cluster, &job, need, taken = std::move(taken)](int times) {
    Need all = need;
    for (int i = 0; i < times - 1; ++i) all.amount.Add(taken[i]);
    return RaiseBy(cluster, FindShortages(cluster, job, all));
  };
  return Several(
      most, [raise](int times) { return raise(times).text; },
      [raise](WhatIf& what_if, int times) {
        for (const kube::Queue& queue : raise(times).queues) what_if.Set(queue);
      });
}

void AddVictimsOfQueue(const model::Cluster& cluster, const model::Job& job,
                       const Shortage& shortage, bool others_ahead, std::vector<Candidate>& out) {
  std::vector<const Task*> held;
  cluster.ForJobsBelow(shortage.queue, [&](const model::Job& holder) {
    for (const model::TaskId task : holder.others) {
      if (CouldFinish(cluster.task(task), job)) held.push_back(&cluster.task(task));
    }
  });
  SortBySize(cluster, held);
  std::vector<const Task*> enough;
  for (const Task* task : held) {
    bool all = true;
    model::ForEachDimension(shortage.which, [&](int d) {
      all = all && task->request()[d] + Amounts::kEpsilon > shortage.missing[d];
    });
    if (all) enough.push_back(task);
    if (enough.size() == kFewPods) break;
  }
  for (const Task* task : enough) out.push_back(Finish(*task));
  if ((!enough.empty() && !others_ahead) || held.empty()) return;
  std::ranges::reverse(held);  // few large ones
  std::ranges::stable_sort(held, {}, [](const Task* task) { return task->priority; });
  out.push_back(FinishSeveral(held));
}

void AddQueueChanges(const model::Cluster& cluster, Prober& prober, const model::Job& job,
                     const Task* asked, std::vector<Candidate>& out) {
  const model::Queue& queue = cluster.queue(job.queue);
  if (!queue.open) {
    kube::Queue open = *queue.object;
    open.state = kube::QueueState::kOpen;
    out.push_back(Edit(fmt::format("open queue {}", queue.name), std::move(open)));
  }
  // Any queue of a cycle could have another parent; which one it should be only its owner knows.
  const model::Queue* in_cycle = queue.in_cycle ? &queue : nullptr;
  while (in_cycle) {
    kube::Queue cut = *in_cycle->object;
    cut.parent.clear();
    out.push_back(Edit(
        fmt::format("queue {}: another parent than {}", in_cycle->name, in_cycle->object->parent),
        std::move(cut)));
    in_cycle = cluster.FindQueue(in_cycle->object->parent);
    if (in_cycle == &queue) in_cycle = nullptr;
  }
  const Need need = NeedOf(cluster, job, asked);
  const std::vector<Shortage> shortages = FindShortages(cluster, job, need);
  for (const Shortage& shortage : shortages) out.push_back(RaiseCapability(cluster, {shortage}));
  if (shortages.size() > 1) out.push_back(RaiseCapability(cluster, shortages));
  const model::QueueId highest = shortages.empty() ? job.queue : shortages.back().queue;
  const std::vector<const model::Job*> ahead = prober.Ahead(job, highest);
  if (!ahead.empty()) {
    out.push_back(RaiseForAllAhead(cluster, job, need, TakenAhead(cluster, ahead)));
  }
  // Where nothing says how much is missing, whatever a pod of the queue holds may do.
  const Shortage any{.queue = job.queue};
  AddVictimsOfQueue(cluster, job, shortages.empty() ? any : shortages.front(), !ahead.empty(), out);
}

// ---- gangs

void AddPods(const model::Cluster& cluster, const model::Job& job, std::vector<Candidate>& out) {
  const model::Role* role = nullptr;
  for (const model::Role& each : job.roles) {
    if (job.RolesCount() && each.counts.Valid() < each.min_available) role = &each;
  }
  const int missing =
      role ? role->min_available - role->counts.Valid() : job.min_available - job.valid_tasks();
  const std::string text =
      fmt::format("{} more pod{} of {}{}", missing, missing == 1 ? "" : "s",
                  role && !role->name.empty() ? fmt::format("task {} of ", role->name) : "",
                  fmt::format("group {}", job.key()));
  const Task* like = nullptr;
  for (const auto* list : {&job.pending, &job.pipelined, &job.others}) {
    for (const model::TaskId id : *list) {
      const Task& task = cluster.task(id);
      const bool of_role = !role || &job.roles[task.role] == role;
      if (of_role && (!like || model::TaskBefore(task, *like))) like = &task;
    }
  }
  if (!like || missing > kMostNewPods) {
    // There is none to make it from, or there would be too many: whether it is enough cannot be
    // tried, that it is needed is known.
    Candidate needed = Once(text, [](WhatIf&) {});
    needed.untried = true;
    out.push_back(std::move(needed));
    return;
  }
  kube::Pod pod = *like->pod;
  pod.spec.node_name.clear();
  pod.status = {};
  pod.meta.deletion_timestamp.reset();
  out.push_back(Once(text, [pod, missing, group = job.name](WhatIf& what_if) {
    for (int i = 0; i < missing; ++i) {
      kube::Pod one = pod;
      one.meta.name = one.meta.uid = what_if.NameFor(pod.meta.name, i);
      what_if.AddPod(std::move(one), group);
    }
  }));
}

// Gates that Basalt does not remove go from the first of these pods.
Candidate Ungate(const model::Job& job, const std::vector<const Task*>& held) {
  std::vector<kube::Pod> ungated;
  std::vector<std::string> texts;
  for (const Task* task : held) {
    if (ungated.size() == kMostPodsFinished) break;
    kube::Pod pod = *task->pod;
    const std::vector<std::string> gates = GatesInTheWay(pod);
    std::erase_if(pod.spec.scheduling_gates, [&](const std::string& gate) {
      return std::ranges::find(gates, gate) != gates.end();
    });
    texts.push_back(fmt::format("remove scheduling gate{} {} from pod {}",
                                gates.size() > 1 ? "s" : "", fmt::join(gates, ", "), Key(*task)));
    ungated.push_back(std::move(pod));
  }
  return Several(
      ungated.size(),
      [texts](int times) {
        return fmt::format("{}", fmt::join(texts.begin(), texts.begin() + times, "; "));
      },
      [ungated, group = job.name](WhatIf& what_if, int times) {
        for (int i = 0; i < times; ++i) what_if.ChangePod(ungated[i], group);
      });
}

// For how many pods a place is looked for before, or together with, the job's own.
std::size_t WaitingPods(const model::Cluster& cluster) {
  std::size_t pods = 0;
  cluster.jobs().ForEach([&](const model::Job& job) { pods += job.pending.size(); });
  return std::clamp<std::size_t>(pods, 1, kMostNewNodes);
}

}  // namespace

std::vector<Candidate> CandidatesFor(const model::Cluster& cluster, Prober& prober,
                                     const model::Job& job, const Task* asked,
                                     const Obstacle& obstacle) {
  std::vector<Candidate> out;
  const Task* task = cluster.FindTask(obstacle.task);
  if (!task) task = asked;
  if (!task && !job.pending.empty()) task = &cluster.task(job.pending.front());
  const std::size_t most = WaitingPods(cluster);
  switch (obstacle.stage) {
    case Stage::kGated:
      if (task) out.push_back(Ungate(job, {task}));
      break;
    case Stage::kEnqueue:
    case Stage::kQueue:
      if (!cluster.queue(job.queue).exists()) {
        kube::Queue missing;
        missing.meta.name = cluster.queue(job.queue).name;
        missing.state = kube::QueueState::kOpen;
        out.push_back(Edit("create Queue " + missing.meta.name, missing));
        break;
      }
      AddQueueChanges(cluster, prober, job, asked, out);
      // A queue may be held to what the nodes have.
      if (task) AddNewNodes(cluster, *task, most, out);
      break;
    case Stage::kGang:
      if (obstacle.reason == reasons::kMembersGated) {
        out.push_back(Ungate(job, GatedMembers(cluster, job)));
      } else if (job.valid_tasks() < job.min_available || !job.RolesAreValid()) {
        AddPods(cluster, job, out);
      }
      break;
    case Stage::kNode:
      if (!task) break;
      AddNodeEdits(cluster, *task, out);
      AddVictimsOnNodes(cluster, job, *task, out);
      AddNewNodes(cluster, *task, most, out);
      break;
    default: break;
  }
  return out;
}

}  // namespace basalt::scheduler::explain
