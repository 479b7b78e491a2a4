#include "descheduler/plugins/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "descheduler/plugins/facts.h"

namespace basalt::descheduler {

using model::Node;
using model::NodeId;
using model::Task;
using model::TaskStatus;

Run::Run(scheduler::Session& session, const scheduler::PluginSet& plugins, Settings settings)
    : session_(session),
      settings_(std::move(settings)),
      evictor_(session.cluster(), settings_.profile.evictor, settings_.now),
      places_(session, plugins),
      statement_(session),
      counts_(settings_.evicted) {}

std::vector<const Node*> Run::Nodes(const kube::LabelSelector& own) const {
  std::vector<const Node*> nodes;
  for (const NodeId id : cluster().nodes()) {
    const Node& node = cluster().node(id);
    const kube::StringMap& labels = node.object->meta.labels;
    if (settings_.policy.node_selector.Matches(labels) && settings_.node_selector.Matches(labels) &&
        own.Matches(labels)) {
      nodes.push_back(&node);
    }
  }
  return nodes;
}

bool Run::MayTake(const Node& node) const {
  const kube::StringMap& labels = node.object->meta.labels;
  return settings_.policy.node_selector.Matches(labels) &&
         settings_.node_selector.Matches(labels) &&
         settings_.profile.evictor.node_selector.Matches(labels);
}

std::vector<const Task*> Run::PodsOf(const Node& node) const {
  std::vector<const Task*> pods;
  for (const model::TaskId id : node.tasks) {
    const Task& task = cluster().task(id);
    const bool brought = task.status() == TaskStatus::kAllocated;
    if (!brought && MustGo(cluster(), task)) pods.push_back(&task);
  }
  return pods;
}

int Run::RunningOf(const model::Job& job) {
  // Before any of its pods is proposed, which changes the group's own count.
  return running_.try_emplace(job.id, job.counts[TaskStatus::kRunning]).first->second;
}

std::optional<Objection> Run::CheckGang(const Task& task) {
  const model::Job* job = cluster().FindJob(task.job);
  if (!job || !job->exists() || job->shadow) return std::nullopt;
  const int left = RunningOf(*job) - (task.status() == TaskStatus::kRunning ? 1 : 0);
  if (left >= job->min_available) return std::nullopt;
  return Objection{"GangMinimum",
                   fmt::format("without it {} pods of its PodGroup \"{}\" would be running, and "
                               "minMember is {}",
                               left, job->name, job->min_available)};
}

std::optional<Objection> Run::WhyStays(const Task& task, EvictionFilter* evictor) {
  const std::string& scheduler = task.pod->spec.scheduler_name;
  if (std::ranges::find(settings_.scheduler_names, scheduler) == settings_.scheduler_names.end()) {
    return Objection{
        "OtherScheduler",
        fmt::format("its scheduler is \"{}\", which would not keep a place for it", scheduler)};
  }
  if (settings_.profile.evictor_filters) {
    if (auto objection = (evictor ? *evictor : evictor_).Filter(task)) return objection;
  } else if (task.pod->meta.Controller() == nullptr) {
    return Objection{"Bare", "it has no controller that would make it again"};
  }
  if (settings_.profile.evictor_prefilters) {
    if (auto objection = evictor_.FilterBeforeEviction(task)) return objection;
  }
  if (!session_.budgets().Allow(task)) {
    return Objection{"PodDisruptionBudget",
                     "a PodDisruptionBudget allows no disruption now, or more than one covers it"};
  }
  return CheckGang(task);
}

std::optional<std::string> Run::WhichLimit(const std::vector<const Task*>& tasks,
                                           std::optional<std::int64_t> max_migrations) const {
  const auto count = static_cast<std::int64_t>(tasks.size());
  if (count == 0) return std::nullopt;
  const auto planned = static_cast<std::int64_t>(proposals_.size());
  if (max_migrations && planned + count > *max_migrations) {
    return fmt::format("maxMigrations ({})", *max_migrations);
  }
  const Policy& policy = settings_.policy;
  if (policy.max_pods_total && counts_.total + count > *policy.max_pods_total) {
    return fmt::format("maxNoOfPodsToEvictTotal ({})", *policy.max_pods_total);
  }
  const auto of = [](const auto& counts, std::string_view name) {
    const auto it = counts.find(name);
    return it == counts.end() ? std::int64_t{0} : it->second;
  };
  if (policy.max_pods_per_node) {
    const std::string& node = cluster().node(tasks.front()->node()).name;
    if (of(counts_.by_node, node) + count > *policy.max_pods_per_node) {
      return fmt::format("maxNoOfPodsToEvictPerNode ({})", *policy.max_pods_per_node);
    }
  }
  if (policy.max_pods_per_namespace) {
    std::map<std::string_view, std::int64_t> more;
    for (const Task* task : tasks) ++more[task->ns()];
    for (const auto& [ns, pods] : more) {
      if (of(counts_.by_namespace, ns) + pods > *policy.max_pods_per_namespace) {
        return fmt::format("maxNoOfPodsToEvictPerNamespace ({}, of \"{}\")",
                           *policy.max_pods_per_namespace, ns);
      }
    }
  }
  return std::nullopt;
}

bool Run::KeepsAwayFromOthers(const Task& task) {
  const Node& node = cluster().node(task.node());
  statement_.Vanish(task.id);  // it is no neighbour of its own
  static_cast<void>(places_.Ask(task));
  const bool forbidden = places_.AntiAffinityForbids(node);
  statement_.Restore(task.id);
  return forbidden;
}

void Run::Count(const Task& task, NodeId from, int by) {
  counts_.total += by;
  counts_.by_node[cluster().node(from).name] += by;
  counts_.by_namespace[task.ns()] += by;
}

void Run::Propose(const Task& task, NodeId to) {
  const NodeId from = task.node();
  Count(task, from, +1);
  proposals_.push_back({.task = &task, .from = from, .to = to});
  statement_.Allocate(task.id, to);
}

void Run::RollbackTo(std::size_t mark) {
  while (proposals_.size() > mark) {
    const Proposal last = proposals_.back();
    proposals_.pop_back();
    statement_.Restore(last.task->id);
    Count(*last.task, last.from, -1);
  }
}

void Run::SortSince(std::size_t mark, const std::vector<const Task*>& order) {
  boost::unordered_flat_map<const Task*, std::size_t> places;
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = i;
  std::sort(proposals_.begin() + static_cast<std::ptrdiff_t>(mark), proposals_.end(),
            [&](const Proposal& a, const Proposal& b) { return places[a.task] < places[b.task]; });
}

bool Run::ProposeAnywhere(const Task& task) {
  if (const auto refusal = places_.Ask(task)) {
    Block(task, {"NoTarget", "it can be placed nowhere: " + *refusal});
    return false;
  }
  const auto suits = [&](NodeId id) {
    const Node& node = cluster().node(id);
    return id != task.node() && IsInService(node) && MayTake(node);
  };
  using Room = scheduler::NodeFinder::Room;
  const auto best = session_.finder().Best(task, Room::kChecked);
  if (best && best->now && suits(best->node)) {
    Propose(task, best->node);
    return true;
  }
  // The best is none that the policy allows: the first by name that is.
  LackCounts lacks;
  for (const NodeId id : cluster().nodes()) {
    if (!suits(id)) continue;
    const Lack lack = places_.Judge(cluster().node(id));
    if (lack == Lack::kNothing) {
      Propose(task, id);
      return true;
    }
    lacks.Add(lack);
  }
  Block({.node = cluster().node(task.node()).name,
         .ns = task.ns(),
         .pod = task.name(),
         .reason = "NoTarget",
         .message = "no other node can take it: " +
                    (lacks.List().empty() ? std::string("there is none") : lacks.Text()),
         .nodes = lacks.List()});
  return false;
}

void Run::Block(const Node& node, std::string_view reason, std::string message) {
  Block(Blocked{.node = node.name, .reason = std::string(reason), .message = std::move(message)});
}

void Run::Block(const Task& task, const Objection& objection) {
  Block(Blocked{.node = cluster().node(task.node()).name,
                .ns = task.ns(),
                .pod = task.name(),
                .reason = std::string(objection.reason),
                .message = objection.message});
}

}  // namespace basalt::descheduler
