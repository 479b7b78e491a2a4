#include "descheduler/planner/planner.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>

#include "base/check.h"
#include "descheduler/planner/held.h"
#include "descheduler/plugins/defragmentation.h"
#include "descheduler/plugins/deschedule_plugins.h"
#include "descheduler/plugins/facts.h"
#include "descheduler/plugins/load_aware.h"
#include "scheduler/plugins/predicates/predicates.h"

namespace basalt::descheduler {
namespace {

using model::Node;
using model::NodeId;

// What of each resource is free, and what of that where pods run.
class FreeRoom {
 public:
  FreeRoom(const model::Cluster& cluster, const Thresholds& resources)
      : cluster_(cluster), resources_(resources) {}

  // `more`: of what the node has so much is used beside what the books say.
  void Add(const Node& node, const model::Amounts& more) {
    if (!IsInService(node)) return;
    const bool runs_pods = std::ranges::any_of(node.tasks, [&](model::TaskId id) {
      const model::Task& task = cluster_.task(id);
      return IsPodOnNode(cluster_, task) && !StaysWithNode(*task.pod);
    });
    for (const auto& [name, threshold] : resources_) {
      const auto dimension = cluster_.dimensions().Find(name);
      if (!dimension) continue;
      const double free =
          std::max(0.0, cluster_.ledger().idle(*dimension, node.id) - more[*dimension]);
      all_[name] += free;
      if (runs_pods) scattered_[name] += free;
    }
  }
  Percentages Parts() const {
    Percentages parts;
    for (const auto& [name, threshold] : resources_) {
      const auto all = all_.find(name);
      const auto scattered = scattered_.find(name);
      const bool some = all != all_.end() && all->second > 0 && scattered != scattered_.end();
      parts[name] = some ? scattered->second / all->second : 0;
    }
    return parts;
  }

 private:
  const model::Cluster& cluster_;
  const Thresholds& resources_;
  std::map<std::string, double> all_, scattered_;
};

// Of books that have everything.
Percentages PartsOfFreeRoom(const model::Cluster& cluster, const Thresholds& resources) {
  FreeRoom room(cluster, resources);
  for (const NodeId id : cluster.nodes()) room.Add(cluster.node(id), {});
  return room.Parts();
}

void SetRules(const MoveArgs& args, const Policy& policy, MigrationRules* rules) {
  using std::chrono::duration_cast;
  using std::chrono::milliseconds;
  rules->timeout_ms =
      std::max<std::int64_t>(1, duration_cast<milliseconds>(args.migrate_timeout).count());
  rules->cool_down_ms = duration_cast<milliseconds>(args.cool_down_time).count();
  rules->max_parallel = args.max_parallel;
  rules->grace_period_s = policy.grace_period_seconds.value_or(-1);
}

void ListMoves(const Run& run, Plan* plan) {
  const model::Cluster& cluster = run.cluster();
  for (const Run::Proposal& proposal : run.proposals()) {
    const model::Task& task = *proposal.task;
    plan->moves.push_back({.ns = task.ns(),
                           .pod = task.name(),
                           .uid = task.uid(),
                           .from = cluster.node(proposal.from).name,
                           .to = cluster.node(proposal.to).name,
                           .request = ToResourceList(task.request(), cluster.dimensions())});
  }
  plan->disrupted = static_cast<int>(plan->moves.size());
}

// Those that the moves leave without a pod, with the moves in effect.
void ListFreed(const Run& run, Plan* plan) {
  const model::Cluster& cluster = run.cluster();
  std::vector<NodeId> sources;
  for (const Run::Proposal& proposal : run.proposals()) sources.push_back(proposal.from);
  std::ranges::sort(sources);
  sources.erase(std::ranges::unique(sources).begin(), sources.end());
  model::Amounts room;
  for (const NodeId id : sources) {
    const Node& node = cluster.node(id);
    const bool free = std::ranges::none_of(
        node.tasks, [&](model::TaskId task_id) { return MustGo(cluster, cluster.task(task_id)); });
    if (!free) continue;
    plan->freed_nodes.push_back(node.name);
    model::Amounts left = cluster.ledger().Future(id);
    model::ForEachDimension(left.defined(), [&](int d) { left.Set(d, std::max(0.0, left[d])); });
    room.Add(left);
  }
  std::ranges::sort(plan->freed_nodes);
  plan->freed_resources = ToResourceList(room, cluster.dimensions());
}

// More freed nodes for each pod that moves are better; any move is better than none that helps.
double ScoreOf(const Plan& plan) {
  constexpr double kNothingFreed = 1e-9;
  if (plan.moves.empty()) return 0;
  if (plan.freed_nodes.empty()) return kNothingFreed;
  return static_cast<double>(plan.freed_nodes.size()) / static_cast<double>(plan.moves.size());
}

// The thresholds whose resources the plan shows.
const Thresholds& ShownBy(const Profile& profile, Part part) {
  static const Thresholds kCpuAndMemory = {{"cpu", 0}, {"memory", 0}};
  if (part == Part::kDefragmentation) return profile.defragmentation->low;
  if (part == Part::kLoadAware) return profile.load_aware->thresholds;
  return kCpuAndMemory;
}

kube::LabelSelector OwnSelector(const Profile& profile, Part part) {
  if (part == Part::kDefragmentation) return profile.defragmentation->node_selector;
  if (part == Part::kLoadAware) return profile.load_aware->node_selector;
  return {};
}

}  // namespace

std::vector<Part> PartsOf(const Profile& profile) {
  std::vector<Part> parts;
  if (!profile.deschedule.empty()) parts.push_back(Part::kDeschedule);
  for (const std::string& name : profile.balance) {
    if (name == Defragmentation::kName) parts.push_back(Part::kDefragmentation);
    if (name == LoadAware::kName) parts.push_back(Part::kLoadAware);
  }
  return parts;
}

std::unique_ptr<scheduler::PluginSet> MakePlacementRules() {
  static const scheduler::PluginRegistry kRegistry{
      {{"predicates", scheduler::plugins::MakePredicates}}};
  scheduler::PluginConfig predicates{.name = "predicates"};
  predicates.ApplyDefaults();
  scheduler::Config config;
  config.tiers.push_back({.plugins = {std::move(predicates)}});
  auto rules = scheduler::PluginSet::Make(std::move(config), kRegistry);
  BASALT_CHECK(rules);
  return std::move(*rules);
}

Percentages FragmentationOf(const model::Cluster& cluster, const Thresholds& resources) {
  std::map<NodeId, model::Amounts> held;
  for (const auto& [task, node] : HeldByStatus(cluster)) {
    held[node].Add(cluster.task(task).request());
  }
  FreeRoom room(cluster, resources);
  for (const NodeId id : cluster.nodes()) {
    const auto it = held.find(id);
    room.Add(cluster.node(id), it == held.end() ? model::Amounts() : it->second);
  }
  return room.Parts();
}

void CountEvicted(const Plan& plan, Evicted* evicted) {
  for (const Move& move : plan.moves) {
    ++evicted->total;
    ++evicted->by_node[move.from];
    ++evicted->by_namespace[move.ns];
  }
}

Plan MakePlan(model::Cluster& cluster, scheduler::PluginSet& rules, const Policy& policy,
              const Profile& profile, const PlanRequest& request, const Usage* usage, Time now) {
  Plan plan{.id = request.id, .profile = profile.name, .trigger = request.trigger};
  scheduler::Session session(cluster, rules, now, nullptr, nullptr,
                             scheduler::Session::Purpose::kRehearsal);
  scheduler::Statement held(session);
  for (const auto& [task, node] : HeldByStatus(cluster)) held.Allocate(task, node);
  const Thresholds& shown = ShownBy(profile, request.part);
  plan.fragmentation_before = PartsOfFreeRoom(cluster, shown);
  {
    Run run(session, rules,
            {.policy = policy,
             .profile = profile,
             .node_selector = request.node_selector,
             .scheduler_names = request.scheduler_names,
             .evicted = request.evicted,
             .usage = usage,
             .now = now});
    const std::vector<const Node*> nodes = run.Nodes(OwnSelector(profile, request.part));
    for (const Node* node : nodes) {
      plan.nodes.push_back(
          {.name = node->name, .before = Defragmentation::UtilisationOf(cluster, *node, shown)});
    }
    std::unique_ptr<LoadAware> load_aware;
    switch (request.part) {
      case Part::kDeschedule: {
        plan.dry_run = request.dry_run.value_or(false);
        for (const std::string& name : profile.deschedule) {
          MakeDeschedule(profile, name)->ProposeOneByOne(run);
        }
        SetRules({}, policy, &plan.rules);
        plan.rules.taints_sources = false;
        plan.rules.cool_down_ms = 0;
        break;
      }
      case Part::kDefragmentation: {
        const DefragmentationArgs& args = *profile.defragmentation;
        plan.dry_run = request.dry_run.value_or(args.dry_run);
        plan.resource_type =
            request.resource_type.empty() ? args.resource_type : request.resource_type;
        Defragmentation(args, request.resource_type).ProposeTogether(run);
        SetRules(args.moves, policy, &plan.rules);
        break;
      }
      case Part::kLoadAware: {
        const LoadAwareArgs& args = *profile.load_aware;
        plan.dry_run = request.dry_run.value_or(false);
        plan.resource_type = args.thresholds.begin()->first;
        load_aware = std::make_unique<LoadAware>(args);
        load_aware->ProposeTogether(run);
        plan.unmeasured = load_aware->unmeasured();
        SetRules(args.moves, policy, &plan.rules);
        plan.rules.taints_sources = false;
        plan.rules.cool_down_annotation = kLoadAwareCoolDown;
        break;
      }
    }
    ListMoves(run, &plan);
    ListFreed(run, &plan);
    boost::unordered_flat_map<NodeId, NodeRole> roles;
    for (const Run::Proposal& proposal : run.proposals()) {
      roles[proposal.from] = NodeRole::kSource;
      roles[proposal.to] = NodeRole::kTarget;
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      PlannedNode& node = plan.nodes[i];
      if (const auto role = roles.find(nodes[i]->id); role != roles.end()) node.role = role->second;
      node.after = Defragmentation::UtilisationOf(cluster, *nodes[i], shown);
      if (load_aware) load_aware->Show(*nodes[i], &node);
    }
    plan.blocked = std::move(run.blocked());
    plan.fragmentation_after = PartsOfFreeRoom(cluster, shown);
    plan.score = ScoreOf(plan);
  }
  return plan;
}

}  // namespace basalt::descheduler
