#include "scheduler/plugins/nodeorder/nodeorder.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace basalt::scheduler::plugins {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";

// Adds weight times the raw scores, made to run from 0 to 100 (the smallest and the largest).
void AddScaled(std::span<const double> raw, double weight, std::span<double> scores) {
  const auto [least, most] = std::ranges::minmax(raw);
  if (most <= least) return;
  // There are few different ones.
  double last = raw[0];
  double score = weight * std::trunc(kMaxScore * ((last - least) / (most - least)));
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != last) {
      last = raw[i];
      score = weight * std::trunc(kMaxScore * ((last - least) / (most - least)));
    }
    scores[i] += score;
  }
}

double UntoleratedSoftTaints(const kube::Pod& pod, const kube::Node& node) {
  return static_cast<double>(std::ranges::count_if(node.spec.taints, [&](const kube::Taint& taint) {
    return taint.effect == kube::TaintEffect::kPreferNoSchedule &&
           std::ranges::none_of(pod.spec.tolerations, [&](const kube::Toleration& toleration) {
             return toleration.Tolerates(taint);
           });
  }));
}

// What a placed pod wishes about others.
void PreferredAffinity(const kube::Pod& pod, std::vector<PodCounts::OwnTerm>* terms) {
  if (!pod.spec.affinity) return;
  for (const auto& wish : pod.spec.affinity->pod.preferred) {
    terms->push_back({&wish.term, wish.weight});
  }
  for (const auto& wish : pod.spec.affinity->pod_anti.preferred) {
    terms->push_back({&wish.term, -wish.weight});
  }
}

}  // namespace

NodeOrder::NodeOrder() : counts_(PreferredAffinity) {}

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
  counts_.Open(view.cluster());
  wishes_.clear();
  spreads_.clear();
  dislikes_.clear();
  facts_.Update(view.cluster());
  gpu_ = ResourceScores::GpuDimension(view.cluster().dimensions());
}

void NodeOrder::TaskMoved(const Task& task, const model::Holding& from) {
  counts_.TaskMoved(task, from);
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
  if (CountsTaints(task)) {
    const std::vector<std::uint32_t>& disliked = DislikesOf(task).nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!std::ranges::binary_search(disliked, nodes[i].value)) {
        scores[i] += weights_.taints * kMaxScore;
      }
    }
  }
}

bool NodeOrder::ScoreAllNodes(const Task& task, std::span<double> scores) const {
  if (CountsNodeAffinity(task) || CountsImages(task)) return false;
  if (!ResourceScoresOf(task).AddToAll(scores)) return false;
  if (CountsTaints(task)) {
    const std::vector<std::uint32_t>& disliked = DislikesOf(task).nodes;
    std::vector<double> as_they_are;
    for (const std::uint32_t node : disliked) as_they_are.push_back(scores[node]);
    for (double& score : scores) score += weights_.taints * kMaxScore;
    for (std::size_t i = 0; i < disliked.size(); ++i) scores[disliked[i]] = as_they_are[i];
  }
  return true;
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
  // Added up in the order in which ScoreNodes does: a bound must hold to the last bit.
  thread_local std::vector<double> own;  // scratch
  own.assign(bounds.size(), 0.0);
  if (!ResourceScoresOf(task).AddBounds(boxes, own)) return false;
  if (beyond > 0) {
    for (double& bound : own) bound += beyond;
  }
  if (CountsTaints(task)) {
    for (double& bound : own) bound += std::max(0.0, weights_.taints * kMaxScore);
  }
  for (std::size_t i = 0; i < bounds.size(); ++i) bounds[i] += own[i];
  return true;
}

const NodeOrder::Dislikes& NodeOrder::DislikesOf(const Task& task) const {
  const auto [it, added] = dislikes_.try_emplace(task.task_class->static_class);
  Dislikes& dislikes = it->second;
  if (!added) return dislikes;
  double most = 0;
  for (const std::uint32_t id : facts_.soft_tainted()) {
    const double count =
        UntoleratedSoftTaints(*task.pod, *view_->cluster().node(NodeId{id}).object);
    if (count == 0) continue;
    dislikes.nodes.push_back(id);
    dislikes.alike = dislikes.alike && (most == 0 || count == most);
    most = count;
  }
  return dislikes;
}

bool NodeOrder::CountsTaints(const Task& task) const {
  return weights_.taints != 0 && facts_.any_soft_taint() && DislikesOf(task).alike;
}

// ---- all candidates together

bool NodeOrder::Concerns(const Task& task) const {
  if (weights_.taints != 0 && facts_.any_soft_taint() && !DislikesOf(task).alike) return true;
  if (weights_.spread != 0 && task.task_class->has_spread_wishes) return true;
  if (weights_.pod_affinity == 0) return false;
  // Wishes about nobody who is there make no difference.
  if (task.task_class->has_pod_wishes &&
      std::ranges::any_of(WishesOf(task), [](const Wish& wish) { return !wish.counts->empty(); })) {
    return true;
  }
  return std::ranges::any_of(counts_.About(task), [](const auto& pull) { return !pull->empty(); });
}

void NodeOrder::ScoreBatch(const Task& task, std::span<const NodeId> nodes,
                           std::span<double> scores) const {
  if (weights_.taints != 0 && facts_.any_soft_taint() && !DislikesOf(task).alike) {
    AddTaints(task, nodes, scores);
  }
  if (weights_.pod_affinity != 0) AddPodAffinity(task, nodes, scores);
  if (weights_.spread != 0 && task.task_class->has_spread_wishes) AddSpread(task, nodes, scores);
}

void NodeOrder::AddTaints(const Task& task, std::span<const NodeId> nodes,
                          std::span<double> scores) const {
  std::vector<double> disliked(nodes.size(), 0.0);
  double most = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    disliked[i] = UntoleratedSoftTaints(*task.pod, *view_->cluster().node(nodes[i]).object);
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
         .counts = &counts_.Matching(PodMatcher::Of(wish.term, *task.pod, cluster.objects()),
                                     counts_.TopologyOf(wish.term.topology_key), {})});
  };
  for (const auto& wish : affinity->pod.preferred) add(wish, +1);
  for (const auto& wish : affinity->pod_anti.preferred) add(wish, -1);
  return *wishes;
}

bool NodeOrder::AddWishes(const Task& task, std::span<const NodeId> nodes,
                          std::span<double> raw) const {
  bool any = false;
  const auto add = [&](const DomainCounts& counts, double weight) {
    if (counts.empty()) return;
    any = true;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      raw[i] += weight * static_cast<double>(counts.On(nodes[i]));
    }
  };
  if (task.task_class->has_pod_wishes) {
    for (const Wish& wish : WishesOf(task)) add(*wish.counts, wish.weight);
  }
  for (const auto& pull : counts_.About(task)) add(*pull, 1);
  return any;
}

void NodeOrder::AddPodAffinity(const Task& task, std::span<const NodeId> nodes,
                               std::span<double> scores) const {
  thread_local std::vector<double> raw;  // scratch
  raw.assign(nodes.size(), 0.0);
  if (AddWishes(task, nodes, raw)) AddScaled(raw, weights_.pod_affinity, scores);
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
         .counts = &counts_.Matching(PodMatcher::Of(spec, pod),
                                     counts_.TopologyOf(spec.topology_key), {.leaving = false})});
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
      return spread.counts->DomainOf(nodes[i]) == Topology::kNoDomain;
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
