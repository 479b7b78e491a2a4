#include "scheduler/plugins/nodeorder/nodeorder.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace basalt::scheduler::plugins {
namespace {

constexpr double kMaxScore = 100;
constexpr std::string_view kHostname = "kubernetes.io/hostname";

// Adds weight times the raw scores, made to run from 0 to 100 (the smallest and the largest).
void AddScaled(std::span<const double> raw, double weight, std::span<double> scores) {
  const auto [least, most] = std::ranges::minmax(raw);
  if (most <= least) return;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    scores[i] += weight * std::trunc(kMaxScore * ((raw[i] - least) / (most - least)));
  }
}

}  // namespace

Result<std::unique_ptr<Plugin>> NodeOrder::Make(const PluginContext& context) {
  const Arguments& arguments = context.config.arguments;
  auto plugin = std::make_unique<NodeOrder>();
  Weights& weights = plugin->weights_;
  const std::pair<std::string_view, int*> kWeights[] = {
      {"leastrequested.weight", &weights.least_requested},
      {"mostrequested.weight", &weights.most_requested},
      {"balancedresource.weight", &weights.balanced},
      {"nodeaffinity.weight", &weights.node_affinity},
      {"imagelocality.weight", &weights.image_locality},
      {"podaffinity.weight", &weights.pod_affinity},
      {"tainttoleration.weight", &weights.taints},
      {"podtopologyspread.weight", &weights.spread},
  };
  if (auto ok = arguments.CheckKnown({"leastrequested.weight", "mostrequested.weight",
                                      "balancedresource.weight", "nodeaffinity.weight",
                                      "imagelocality.weight", "podaffinity.weight",
                                      "tainttoleration.weight", "podtopologyspread.weight"});
      !ok) {
    return std::unexpected(ok.error());
  }
  for (const auto& [key, weight] : kWeights) {
    if (auto ok = arguments.Get(key, weight); !ok) return std::unexpected(ok.error());
  }
  return plugin;
}

void NodeOrder::Open(const SessionView& view) {
  view_ = &view;
  wishes_.clear();
  spreads_.clear();
  pulls_.clear();
  facts_.Update(view.cluster());
  gpu_ = ResourceScores::GpuDimension(view.cluster().dimensions());
}

void NodeOrder::TaskMoved(const Task& task, const model::Holding& from) {
  if (task.task_class->has_pod_wishes) ++terms_version_;
  for (auto& [id, wishes] : wishes_) {
    for (Wish& wish : *wishes) wish.counts->TaskMoved(task, from);
  }
  for (auto& [id, spreads] : spreads_) {
    for (Spread& spread : *spreads) spread.counts->TaskMoved(task, from);
  }
}

// ---- each node for itself

DependsOn NodeOrder::ScoreDependsOn(const Task&) const { return DependsOn::kNode; }

ResourceScores NodeOrder::ResourceScoresOf(const Task& task) const {
  return {view_->cluster().ledger(),
          task,
          {.least = static_cast<double>(weights_.least_requested),
           .most = static_cast<double>(weights_.most_requested),
           .balanced = static_cast<double>(weights_.balanced)},
          gpu_};
}

bool NodeOrder::CountsNodeAffinity(const Task& task) const {
  return weights_.node_affinity != 0 && task.task_class->has_node_wishes;
}
bool NodeOrder::CountsImages(const Task& task) const {
  return weights_.image_locality != 0 && facts_.KnowsImagesOf(*task.pod);
}

double NodeOrder::NodeAffinityScore(const Task& task, const Node& node) const {
  double score = 0;
  for (const kube::PreferredNodeTerm& term : task.pod->spec.affinity->node->preferred) {
    if (term.preference.Matches(node.object->meta.labels, node.name)) score += term.weight;
  }
  return score;
}

void NodeOrder::ScoreNodes(const Task& task, std::span<const NodeId> nodes,
                           std::span<double> scores) const {
  ResourceScoresOf(task).Add(nodes, scores);
  if (CountsNodeAffinity(task)) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      scores[i] +=
          weights_.node_affinity * NodeAffinityScore(task, view_->cluster().node(nodes[i]));
    }
  }
  if (CountsImages(task)) facts_.AddImageScores(*task.pod, weights_.image_locality, nodes, scores);
}

bool NodeOrder::ScoreAllNodes(const Task& task, std::span<double> scores) const {
  if (CountsNodeAffinity(task) || CountsImages(task)) return false;
  return ResourceScoresOf(task).AddToAll(scores);
}

bool NodeOrder::BoundScores(const Task& task, std::span<const model::NodeBox> boxes,
                            std::span<double> bounds) const {
  // What a block says nothing about: the most that any node could get.
  double beyond = 0;
  if (CountsNodeAffinity(task)) {
    for (const kube::PreferredNodeTerm& term : task.pod->spec.affinity->node->preferred) {
      beyond += std::max(0, weights_.node_affinity * term.weight);
    }
  }
  if (CountsImages(task)) beyond += std::max(0.0, weights_.image_locality * kMaxScore);
  if (!ResourceScoresOf(task).AddBounds(boxes, bounds)) return false;
  if (beyond > 0) {
    for (double& bound : bounds) bound += beyond;
  }
  return true;
}

// ---- all candidates together

bool NodeOrder::Concerns(const Task& task) const {
  if (weights_.taints != 0 && facts_.any_soft_taint()) return true;
  if (weights_.spread != 0 && task.task_class->has_spread_wishes) return true;
  if (weights_.pod_affinity == 0) return false;
  if (task.task_class->has_pod_wishes) return true;
  return !view_->cluster().placed_with_pod_terms().empty() && !PullOf(task).empty();
}

void NodeOrder::ScoreBatch(const Task& task, std::span<const NodeId> nodes,
                           std::span<double> scores) const {
  if (weights_.taints != 0 && facts_.any_soft_taint()) AddTaints(task, nodes, scores);
  if (weights_.pod_affinity != 0) AddPodAffinity(task, nodes, scores);
  if (weights_.spread != 0 && task.task_class->has_spread_wishes) AddSpread(task, nodes, scores);
}

void NodeOrder::AddTaints(const Task& task, std::span<const NodeId> nodes,
                          std::span<double> scores) const {
  std::vector<double> disliked(nodes.size(), 0.0);
  double most = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const kube::Taint& taint : view_->cluster().node(nodes[i]).object->spec.taints) {
      if (taint.effect != kube::TaintEffect::kPreferNoSchedule) continue;
      const bool tolerated = std::ranges::any_of(
          task.pod->spec.tolerations,
          [&](const kube::Toleration& toleration) { return toleration.Tolerates(taint); });
      disliked[i] += tolerated ? 0 : 1;
    }
    most = std::max(most, disliked[i]);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double share = most == 0 ? 0 : std::trunc(kMaxScore * disliked[i] / most);
    scores[i] += weights_.taints * (kMaxScore - share);
  }
}

std::vector<NodeOrder::Wish>& NodeOrder::WishesOf(const Task& task) const {
  auto& wishes = wishes_[task.task_class->id];
  if (wishes) return *wishes;
  wishes = std::make_unique<std::vector<Wish>>();
  const auto& affinity = task.pod->spec.affinity;
  if (!affinity) return *wishes;
  const model::Cluster& cluster = view_->cluster();
  const auto add = [&](const kube::WeightedPodAffinityTerm& wish, double sign) {
    wishes->push_back(
        {.weight = sign * wish.weight,
         .counts = std::make_unique<DomainCounts>(
             cluster,
             DomainCounts::Rule{.all_of = {PodMatcher::Of(wish.term, *task.pod, cluster.objects())},
                                .topology_key = wish.term.topology_key})});
  };
  for (const auto& wish : affinity->pod.preferred) add(wish, +1);
  for (const auto& wish : affinity->pod_anti.preferred) add(wish, -1);
  return *wishes;
}

const NodeOrder::Pull& NodeOrder::PullOf(const Task& task) const {
  VersionedPull& kept = pulls_[task.task_class->id];
  if (kept.version == terms_version_) return kept.pull;
  kept.version = terms_version_;
  kept.pull.clear();
  const model::Cluster& cluster = view_->cluster();
  for (const model::TaskId id : cluster.placed_with_pod_terms()) {
    const Task& other = cluster.task(id);
    if (!other.task_class->has_pod_wishes) continue;
    const Node& node = cluster.node(other.node());
    if (!node.exists()) continue;
    const auto add = [&](const kube::WeightedPodAffinityTerm& wish, double sign) {
      const auto value = node.object->meta.labels.Find(wish.term.topology_key);
      if (!value) return;
      if (!PodMatcher::Of(wish.term, *other.pod, cluster.objects()).Matches(*task.pod)) return;
      kept.pull[wish.term.topology_key][std::string(*value)] += sign * wish.weight;
    };
    for (const auto& wish : other.pod->spec.affinity->pod.preferred) add(wish, +1);
    for (const auto& wish : other.pod->spec.affinity->pod_anti.preferred) add(wish, -1);
  }
  return kept.pull;
}

void NodeOrder::AddPodAffinity(const Task& task, std::span<const NodeId> nodes,
                               std::span<double> scores) const {
  const Pull& pull = PullOf(task);
  const bool has_wishes = task.task_class->has_pod_wishes;
  if (pull.empty() && !has_wishes) return;
  std::vector<double> raw(nodes.size(), 0.0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (has_wishes) {
      for (const Wish& wish : WishesOf(task)) {
        raw[i] += wish.weight * static_cast<double>(wish.counts->On(nodes[i]));
      }
    }
    for (const auto& [key, weights] : pull) {
      const auto value = view_->cluster().node(nodes[i]).object->meta.labels.Find(key);
      if (!value) continue;
      const auto it = weights.find(std::string(*value));
      if (it != weights.end()) raw[i] += it->second;
    }
  }
  AddScaled(raw, weights_.pod_affinity, scores);
}

std::vector<NodeOrder::Spread>& NodeOrder::SpreadsOf(const Task& task) const {
  auto& spreads = spreads_[task.task_class->id];
  if (spreads) return *spreads;
  spreads = std::make_unique<std::vector<Spread>>();
  using Spec = kube::TopologySpreadConstraint;
  const kube::Pod& pod = *task.task_class->example;
  for (const Spec& spec : pod.spec.topology_spread_constraints) {
    if (spec.when_unsatisfiable != Spec::WhenUnsatisfiable::kScheduleAnyway) continue;
    spreads->push_back(
        {.spec = &spec,
         .counts = std::make_unique<DomainCounts>(
             view_->cluster(), DomainCounts::Rule{.all_of = {PodMatcher::Of(spec, pod)},
                                                  .topology_key = spec.topology_key,
                                                  .count_leaving = false})});
  }
  return *spreads;
}

void NodeOrder::AddSpread(const Task& task, std::span<const NodeId> nodes,
                          std::span<double> scores) const {
  const std::vector<Spread>& spreads = SpreadsOf(task);
  std::vector<bool> ignored(nodes.size(), false);
  double counted = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    ignored[i] = std::ranges::any_of(spreads, [&](const Spread& spread) {
      return spread.counts->DomainOf(nodes[i]) == DomainCounts::kNoDomain;
    });
    counted += ignored[i] ? 0 : 1;
  }
  std::vector<double> raw(nodes.size(), 0.0);
  for (const Spread& spread : spreads) {
    std::vector<bool> seen(spread.counts->domains(), false);
    double domains = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (ignored[i]) continue;
      const std::int32_t domain = spread.counts->DomainOf(nodes[i]);
      domains += seen[domain] ? 0 : 1;
      seen[domain] = true;
    }
    if (spread.spec->topology_key == kHostname) domains = counted;
    const double weight = std::log(domains + 2);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (ignored[i]) continue;
      raw[i] +=
          static_cast<double>(spread.counts->On(nodes[i])) * weight + (spread.spec->max_skew - 1);
    }
  }
  double least = std::numeric_limits<double>::max(), most = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (ignored[i]) continue;
    raw[i] = std::round(raw[i]);
    least = std::min(least, raw[i]);
    most = std::max(most, raw[i]);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (ignored[i]) continue;
    const double score =
        most == 0 ? kMaxScore : std::trunc(kMaxScore * (most + least - raw[i]) / most);
    scores[i] += weights_.spread * score;
  }
}

}  // namespace basalt::scheduler::plugins
