#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "scheduler/framework/pod_counts.h"
#include "scheduler/framework/session_plugin.h"
#include "scheduler/plugins/nodeorder/node_facts.h"
#include "scheduler/plugins/nodeorder/resource_scores.h"

namespace basalt::scheduler::plugins {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";
constexpr std::string_view kGpu = "nvidia.com/gpu";

// Adds weight times the raw scores, made to run from 0 to 100 (the smallest and the largest).
void AddScaled(std::span<const double> raw, double weight, std::span<double> scores) {
  const auto [least, most] = std::ranges::minmax(raw);
  if (most <= least) return;
  // There are few different ones.
  double last = least, score = 0;
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

// Kubernetes' own preferences among nodes, each from 0 to 100 times its weight. Counterpart:
// Volcano plugins/nodeorder. Arguments (weights): leastrequested.weight (1), mostrequested.weight
// (0), balancedresource.weight (1), nodeaffinity.weight (2), imagelocality.weight (1),
// podaffinity.weight (2), tainttoleration.weight (3), podtopologyspread.weight (2).
//
// As in Volcano the score of preferred node affinity is not normalised.
class NodeOrder final : public SessionPlugin,
                        public NodeScorer,
                        public BatchScorer,
                        public PlacementObserver {
 public:
  Result<void> Configure(const PluginConfig& config) override {
    return config.arguments.Read({{"leastrequested.weight", &weights_.resources.least},
                                  {"mostrequested.weight", &weights_.resources.most},
                                  {"balancedresource.weight", &weights_.resources.balanced},
                                  {"nodeaffinity.weight", &weights_.node_affinity},
                                  {"imagelocality.weight", &weights_.image_locality},
                                  {"podaffinity.weight", &weights_.pod_affinity},
                                  {"tainttoleration.weight", &weights_.taints},
                                  {"podtopologyspread.weight", &weights_.spread}});
  }

  void TaskMoved(const Task& task, const model::Holding& from) override {
    counts_.TaskMoved(task, from);
  }

  DependsOn ScoreDependsOn(const Task&) const override { return DependsOn::kNode; }
  void ScoreNodes(const Task& task, std::span<const NodeId> nodes,
                  std::span<double> scores) const override {
    ResourceScoresOf(task).Add(nodes, scores);
    if (CountsNodeAffinity(task)) {
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        scores[i] += weights_.node_affinity * NodeAffinityScore(task, cluster().node(nodes[i]));
      }
    }
    if (CountsImages(task))
      facts_.AddImageScores(*task.pod, weights_.image_locality, nodes, scores);
    if (CountsTaints(task)) {
      const std::vector<std::uint32_t>& disliked = DislikesOf(task).nodes;
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!std::ranges::binary_search(disliked, nodes[i].value)) {
          scores[i] += weights_.taints * kMaxScore;
        }
      }
    }
  }
  bool ScoreAllNodes(const Task& task, std::span<double> scores) const override {
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
  bool BoundScores(const Task& task, std::span<const model::NodeBox> boxes,
                   std::span<double> bounds) const override {
    // What a block says nothing about: the most that any node could get.
    double beyond = 0;
    if (CountsNodeAffinity(task)) {
      for (const kube::PreferredNodeTerm& term : task.pod->spec.affinity->node->preferred) {
        beyond += std::max(0, weights_.node_affinity * term.weight);
      }
    }
    if (CountsImages(task)) beyond += std::max(0.0, weights_.image_locality * kMaxScore);
    const double untainted = CountsTaints(task) ? std::max(0.0, weights_.taints * kMaxScore) : 0;
    thread_local std::vector<double> own;  // scratch
    own.assign(bounds.size(), 0.0);
    if (!ResourceScoresOf(task).AddBounds(boxes, own)) return false;
    // Added up in the order in which ScoreNodes does: a bound must hold to the last bit.
    for (std::size_t i = 0; i < bounds.size(); ++i) bounds[i] += own[i] + beyond + untainted;
    return true;
  }
  bool Concerns(const Task& task) const override {
    if (ComparesTaints(task)) return true;
    if (weights_.spread != 0 && task.task_class->has_spread_wishes) return true;
    if (weights_.pod_affinity == 0) return false;
    // Wishes about pods that are not there make no difference.
    if (task.task_class->has_pod_wishes &&
        std::ranges::any_of(WishesOf(task),
                            [](const Wish& wish) { return !wish.counts->empty(); })) {
      return true;
    }
    return std::ranges::any_of(counts_.About(task),
                               [](const auto& pull) { return !pull->empty(); });
  }
  void ScoreBatch(const Task& task, std::span<const NodeId> nodes,
                  std::span<double> scores) const override {
    if (ComparesTaints(task)) AddTaints(task, nodes, scores);
    if (weights_.pod_affinity != 0) AddPodAffinity(task, nodes, scores);
    if (weights_.spread != 0 && task.task_class->has_spread_wishes) AddSpread(task, nodes, scores);
  }

 private:
  struct Weights {
    ResourceScores::Weights resources;
    int node_affinity = 2;
    int image_locality = 1;
    int pod_affinity = 2;
    int taints = 3;
    int spread = 2;
  };
  // What a task's class wishes to be near to or far from, with the counts of it.
  struct Wish {
    int weight;
    const DomainCounts* counts;
  };
  struct Spread {
    const kube::TopologySpreadConstraint* spec;
    const DomainCounts* counts;
  };
  // The nodes that tasks had rather avoid for their taints. Where all of these are disliked as much
  // as each other a node's score is the same whichever other nodes are candidates: such a score is
  // a node's own.
  struct Dislikes {
    bool alike = true;
    std::vector<std::uint32_t> nodes;  // ids, sorted
  };

  void Opened() override {
    counts_.Open(cluster());
    wishes_.clear();
    spreads_.clear();
    dislikes_.clear();
    facts_.Update(cluster());
    gpu_ = cluster().dimensions().Find(kGpu);
  }
  ResourceScores ResourceScoresOf(const Task& task) const {
    return {cluster().ledger(), task, weights_.resources, gpu_};
  }
  bool CountsNodeAffinity(const Task& task) const {
    return weights_.node_affinity != 0 && task.task_class->has_node_wishes;
  }
  bool CountsImages(const Task& task) const {
    return weights_.image_locality != 0 && facts_.KnowsImagesOf(*task.pod);
  }
  double NodeAffinityScore(const Task& task, const Node& node) const {
    double score = 0;
    for (const kube::PreferredNodeTerm& term : task.pod->spec.affinity->node->preferred) {
      if (term.preference.Matches(node.object->meta.labels, node.name)) score += term.weight;
    }
    return score;
  }
  const Dislikes& DislikesOf(const Task& task) const {
    const auto [it, added] = dislikes_.try_emplace(task.task_class->static_class);
    Dislikes& dislikes = it->second;
    if (!added) return dislikes;
    double most = 0;
    for (const std::uint32_t id : facts_.soft_tainted()) {
      const double count = UntoleratedSoftTaints(*task.pod, *cluster().node(NodeId{id}).object);
      if (count == 0) continue;
      dislikes.nodes.push_back(id);
      dislikes.alike = dislikes.alike && (most == 0 || count == most);
      most = count;
    }
    return dislikes;
  }
  bool CountsTaints(const Task& task) const {
    return weights_.taints != 0 && facts_.any_soft_taint() && DislikesOf(task).alike;
  }
  bool ComparesTaints(const Task& task) const {
    return weights_.taints != 0 && facts_.any_soft_taint() && !DislikesOf(task).alike;
  }
  void AddTaints(const Task& task, std::span<const NodeId> nodes, std::span<double> scores) const {
    std::vector<double> disliked(nodes.size(), 0.0);
    double most = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      disliked[i] = UntoleratedSoftTaints(*task.pod, *cluster().node(nodes[i]).object);
      most = std::max(most, disliked[i]);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double share = most == 0 ? 0 : std::trunc(kMaxScore * disliked[i] / most);
      scores[i] += weights_.taints * (kMaxScore - share);
    }
  }
  // What the task wishes about placed ones, and they about it.
  void AddPodAffinity(const Task& task, std::span<const NodeId> nodes,
                      std::span<double> scores) const {
    thread_local std::vector<double> raw;  // scratch
    raw.assign(nodes.size(), 0.0);
    bool any = false;
    const auto add = [&](const DomainCounts& counts, int weight) {
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
    if (any) AddScaled(raw, weights_.pod_affinity, scores);
  }
  void AddSpread(const Task& task, std::span<const NodeId> nodes, std::span<double> scores) const {
    const std::vector<Spread>& spreads = SpreadsOf(task);
    std::vector<std::size_t> counted;  // nodes that lack no domain; the others get nothing
    counted.reserve(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const bool has_domains = std::ranges::all_of(spreads, [&](const Spread& spread) {
        return spread.counts->DomainOf(nodes[i]) != Topology::kNoDomain;
      });
      if (has_domains) counted.push_back(i);
    }
    std::vector<double> raw(nodes.size(), 0.0);
    for (const Spread& spread : spreads) {
      std::vector<bool> seen(spread.counts->domains(), false);
      for (const std::size_t i : counted) seen[spread.counts->DomainOf(nodes[i])] = true;
      const auto domains = spread.spec->topology_key == kHostname
                               ? static_cast<double>(counted.size())
                               : static_cast<double>(std::ranges::count(seen, true));
      const double weight = std::log(domains + 2);
      for (const std::size_t i : counted) {
        raw[i] +=
            static_cast<double>(spread.counts->On(nodes[i])) * weight + (spread.spec->max_skew - 1);
      }
    }
    double least = std::numeric_limits<double>::max(), most = 0;
    for (const std::size_t i : counted) {
      raw[i] = std::round(raw[i]);
      least = std::min(least, raw[i]);
      most = std::max(most, raw[i]);
    }
    for (const std::size_t i : counted) {
      const double score =
          most == 0 ? kMaxScore : std::trunc(kMaxScore * (most + least - raw[i]) / most);
      scores[i] += weights_.spread * score;
    }
  }
  const std::vector<Wish>& WishesOf(const Task& task) const {
    const auto [it, added] = wishes_.try_emplace(task.task_class->id);
    if (!added) return it->second;
    std::vector<PodCounts::OwnTerm> terms;
    PreferredAffinity(*task.pod, &terms);
    for (const auto& [term, weight] : terms) {
      PodMatcher matcher = PodMatcher::Of(*term, *task.pod, cluster().objects());
      const Topology& topology = counts_.TopologyOf(term->topology_key);
      it->second.push_back({weight, &counts_.Matching(std::move(matcher), topology, {})});
    }
    return it->second;
  }
  const std::vector<Spread>& SpreadsOf(const Task& task) const {
    const auto [it, added] = spreads_.try_emplace(task.task_class->id);
    if (!added) return it->second;
    using Spec = kube::TopologySpreadConstraint;
    const kube::Pod& pod = *task.task_class->example;
    for (const Spec& spec : pod.spec.topology_spread_constraints) {
      if (spec.when_unsatisfiable != Spec::WhenUnsatisfiable::kScheduleAnyway) continue;
      const Topology& topology = counts_.TopologyOf(spec.topology_key);
      it->second.push_back(
          {&spec, &counts_.Matching(PodMatcher::Of(spec, pod), topology, {.leaving = false})});
    }
    return it->second;
  }

  Weights weights_;
  NodeFacts facts_;
  std::optional<int> gpu_;
  // What fills up as tasks are asked about.
  mutable PodCounts counts_{PreferredAffinity};
  mutable boost::unordered_flat_map<std::uint32_t, Dislikes> dislikes_;         // by static class
  mutable boost::unordered_flat_map<std::uint32_t, std::vector<Wish>> wishes_;  // by class
  mutable boost::unordered_flat_map<std::uint32_t, std::vector<Spread>> spreads_;
};

}  // namespace

std::unique_ptr<Plugin> MakeNodeOrder() { return std::make_unique<NodeOrder>(); }

}  // namespace basalt::scheduler::plugins
