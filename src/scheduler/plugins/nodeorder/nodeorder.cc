#include "scheduler/plugins/nodeorder/nodeorder.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace basalt::scheduler::plugins {
namespace {

constexpr double kMaxScore = 100;
constexpr std::string_view kHostname = "kubernetes.io/hostname";
constexpr std::string_view kGpu = "nvidia.com/gpu";

// Adds weight times the raw scores, made to run from 0 to 100 (the smallest and the largest).
void AddScaled(std::span<const double> raw, double weight, std::span<double> scores) {
  const auto [least, most] = std::ranges::minmax(raw);
  if (most <= least) return;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    scores[i] += weight * std::trunc(kMaxScore * ((raw[i] - least) / (most - least)));
  }
}

// Kubernetes' name for an image: a tag is part of it.
std::string ImageName(const std::string& image) {
  const std::size_t colon = image.rfind(':');
  const std::size_t slash = image.rfind('/');
  const bool has_tag = colon != image.npos && (slash == image.npos || colon > slash);
  return has_tag ? image : image + ":latest";
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
  const model::Cluster& cluster = view.cluster();
  if (objects_generation_ == cluster.node_objects_generation()) return;
  objects_generation_ = cluster.node_objects_generation();
  any_soft_taint_ = false;
  images_.clear();
  for (const NodeId id : cluster.nodes()) {
    const kube::Node& node = *cluster.node(id).object;
    for (const kube::Taint& taint : node.spec.taints) {
      any_soft_taint_ |= taint.effect == kube::TaintEffect::kPreferNoSchedule;
    }
    for (const kube::ContainerImage& image : node.status.images) {
      for (const std::string& name : image.names) {
        ImageSpread& spread = images_[name];
        spread.size = image.size_bytes;
        ++spread.nodes;
      }
    }
  }
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

// Without it a function that is compiled for other options is called, not inlined.
#define BASALT_INLINE __attribute__((always_inline)) inline

namespace {

// One of CPU and memory, over the nodes: what is there, and what will be asked for.
struct Column {
  const double* allocatable;
  const double* used;
  const double* promised;
  const double* assumed_there;
  double request;
  double assumed;

  Column(const model::NodeLedger& ledger, const Task& task, int d)
      : allocatable(ledger.allocatable(d)),
        used(ledger.used(d)),
        promised(ledger.promised(d)),
        assumed_there(ledger.assumed(d)),
        request(task.request()[d]),
        assumed(d == model::kCpu ? task.task_class->assumed_milli_cpu
                                 : task.task_class->assumed_memory) {}
  BASALT_INLINE double Requested(std::size_t n) const { return used[n] + promised[n] + request; }
};

struct ResourceWeights {
  double least = 0;
  double most = 0;
  double balanced = 0;
};

// Whole numbers are small and positive here.
BASALT_INLINE double Whole(double number) { return static_cast<double>(static_cast<int>(number)); }

// The score of one node by CPU and memory. Written without branches, so that a loop over it becomes
// vector instructions; one and many nodes give the same result bit for bit.
template <bool kMost>
BASALT_INLINE double ResourceScore(const Column& cpu, const Column& memory,
                                   const ResourceWeights& weights, std::size_t n) {
  const double cpu_room = cpu.allocatable[n], memory_room = memory.allocatable[n];
  const double cpu_capacity = cpu_room > 0 ? cpu_room : 1;
  const double memory_capacity = memory_room > 0 ? memory_room : 1;
  const double cpu_asked = cpu.Requested(n), memory_asked = memory.Requested(n);
  const double cpu_assumed = cpu_asked + (cpu.assumed_there[n] + cpu.assumed);
  const double memory_assumed = memory_asked + (memory.assumed_there[n] + memory.assumed);
  const double cpu_there = cpu_room > 0 ? 1 : 0, memory_there = memory_room > 0 ? 1 : 0;
  const double parts = cpu_there + memory_there;
  const double divisor = parts > 0 ? parts : 1;

  const double cpu_left = cpu_capacity - cpu_assumed,
               memory_left = memory_capacity - memory_assumed;
  const double cpu_least = (cpu_left > 0 ? cpu_left : 0) * kMaxScore / cpu_capacity;
  const double memory_least = (memory_left > 0 ? memory_left : 0) * kMaxScore / memory_capacity;
  const double least = Whole(cpu_least) * cpu_there + Whole(memory_least) * memory_there;
  double score = weights.least * Whole(least / divisor);

  if constexpr (kMost) {
    const double cpu_most = cpu_left > 0 ? cpu_assumed : cpu_capacity;
    const double memory_most = memory_left > 0 ? memory_assumed : memory_capacity;
    const double most = Whole(cpu_most * kMaxScore / cpu_capacity) * cpu_there +
                        Whole(memory_most * kMaxScore / memory_capacity) * memory_there;
    score += weights.most * Whole(most / divisor);
  }

  const double cpu_part = cpu_asked / cpu_capacity, memory_part = memory_asked / memory_capacity;
  const double difference = (cpu_part < 1 ? cpu_part : 1) - (memory_part < 1 ? memory_part : 1);
  const double distance = (difference < 0 ? -difference : difference) / 2;
  const double deviation = parts > 1 ? distance : 0;
  return score + weights.balanced * Whole((1 - deviation) * kMaxScore);
}

#define BASALT_VECTOR_LOOP \
  __attribute__((target_clones("avx2", "default"), optimize("O3", "no-trapping-math")))

BASALT_VECTOR_LOOP void AddScores(const Column& cpu_column, const Column& memory_column,
                                  const ResourceWeights& all_weights, std::size_t nodes,
                                  double* __restrict scores) {
  const Column cpu = cpu_column, memory = memory_column;
  const ResourceWeights weights = all_weights;
  for (std::size_t n = 0; n < nodes; ++n) {
    scores[n] += ResourceScore<false>(cpu, memory, weights, n);
  }
}

BASALT_VECTOR_LOOP void AddScoresWithMost(const Column& cpu_column, const Column& memory_column,
                                          const ResourceWeights& all_weights, std::size_t nodes,
                                          double* __restrict scores) {
  const Column cpu = cpu_column, memory = memory_column;
  const ResourceWeights weights = all_weights;
  for (std::size_t n = 0; n < nodes; ++n) {
    scores[n] += ResourceScore<true>(cpu, memory, weights, n);
  }
}

#undef BASALT_VECTOR_LOOP

}  // namespace

NodeOrder::Resources NodeOrder::ResourcesOf(const Task& task) const {
  const model::Resource& request = task.request();
  const std::optional<int> gpu = view_->cluster().dimensions().Find(kGpu);
  Resources resources;
  resources.gpu = gpu && request[*gpu] > 0 ? *gpu : -1;
  const bool asks = request.milli_cpu() > 0 || request.memory() > 0 || resources.gpu >= 0;
  resources.balanced = asks ? weights_.balanced : 0;
  return resources;
}

void NodeOrder::ScoreResources(const Task& task, std::span<const NodeId> nodes,
                               std::span<double> scores) const {
  const model::NodeLedger& ledger = view_->cluster().ledger();
  const Column cpu(ledger, task, model::kCpu), memory(ledger, task, model::kMemory);
  const Resources resources = ResourcesOf(task);
  ResourceWeights weights{static_cast<double>(weights_.least_requested),
                          static_cast<double>(weights_.most_requested), resources.balanced};
  // With a GPU balance is about three resources.
  if (resources.gpu >= 0) weights.balanced = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::size_t n = nodes[i].index();
    scores[i] += weights.most != 0 ? ResourceScore<true>(cpu, memory, weights, n)
                                   : ResourceScore<false>(cpu, memory, weights, n);
    if (resources.gpu >= 0) scores[i] += resources.balanced * GpuBalance(task, resources.gpu, n);
  }
}

double NodeOrder::GpuBalance(const Task& task, int gpu, std::size_t n) const {
  const model::NodeLedger& ledger = view_->cluster().ledger();
  double fractions[3];
  int count = 0;
  double sum = 0;
  for (const int d : {model::kCpu, model::kMemory, gpu}) {
    const double capacity = ledger.allocatable(d)[n];
    if (capacity <= 0) continue;
    const double asked = ledger.used(d)[n] + ledger.promised(d)[n] + task.request()[d];
    fractions[count] = std::min(1.0, asked / capacity);
    sum += fractions[count++];
  }
  double deviation = 0;
  if (count == 2) deviation = std::abs(fractions[0] - fractions[1]) / 2;
  if (count == 3) {
    const double mean = sum / 3;
    double squares = 0;
    for (const double fraction : fractions) squares += (fraction - mean) * (fraction - mean);
    deviation = std::sqrt(squares / 3);
  }
  return Whole((1 - deviation) * kMaxScore);
}

bool NodeOrder::ScoreAllNodes(const Task& task, std::span<double> scores) const {
  const Resources resources = ResourcesOf(task);
  if (resources.gpu >= 0) return false;
  if (weights_.node_affinity != 0 && task.task_class->has_node_wishes) return false;
  if (weights_.image_locality != 0 && !images_.empty()) return false;
  const model::NodeLedger& ledger = view_->cluster().ledger();
  const auto add = weights_.most_requested != 0 ? AddScoresWithMost : AddScores;
  add(Column(ledger, task, model::kCpu), Column(ledger, task, model::kMemory),
      {static_cast<double>(weights_.least_requested), static_cast<double>(weights_.most_requested),
       resources.balanced},
      scores.size(), scores.data());
  return true;
}

double NodeOrder::NodeAffinityScore(const Task& task, const Node& node) const {
  double score = 0;
  for (const kube::PreferredNodeTerm& term : task.pod->spec.affinity->node->preferred) {
    if (term.preference.Matches(node.object->meta.labels, node.name)) score += term.weight;
  }
  return score;
}

double NodeOrder::ImageScore(const Task& task, const Node& node) const {
  constexpr double kMiB = 1024 * 1024;
  constexpr double kLeast = 23 * kMiB;
  constexpr double kMostPerContainer = 1000 * kMiB;
  const auto on_node = [&](const std::string& image) {
    return std::ranges::any_of(node.object->status.images, [&](const kube::ContainerImage& known) {
      return std::ranges::find(known.names, image) != known.names.end();
    });
  };
  double sum = 0;
  double containers = 0;
  for (const auto* list : {&task.pod->spec.init_containers, &task.pod->spec.containers}) {
    for (const kube::Container& container : *list) {
      ++containers;
      const std::string image = ImageName(container.image);
      const auto it = images_.find(image);
      if (it == images_.end() || !on_node(image)) continue;
      sum += std::trunc(static_cast<double>(it->second.size) * it->second.nodes /
                        static_cast<double>(view_->cluster().nodes().size()));
    }
  }
  const double most = kMostPerContainer * containers;
  sum = std::clamp(sum, kLeast, most);
  return std::trunc(kMaxScore * (sum - kLeast) / (most - kLeast));
}

void NodeOrder::ScoreNodes(const Task& task, std::span<const NodeId> nodes,
                           std::span<double> scores) const {
  ScoreResources(task, nodes, scores);
  if (weights_.node_affinity != 0 && task.task_class->has_node_wishes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      scores[i] +=
          weights_.node_affinity * NodeAffinityScore(task, view_->cluster().node(nodes[i]));
    }
  }
  if (weights_.image_locality != 0 && !images_.empty()) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      scores[i] += weights_.image_locality * ImageScore(task, view_->cluster().node(nodes[i]));
    }
  }
}

// ---- all candidates together

bool NodeOrder::Concerns(const Task& task) const {
  if (weights_.taints != 0 && any_soft_taint_) return true;
  if (weights_.spread != 0 && task.task_class->has_spread_wishes) return true;
  if (weights_.pod_affinity == 0) return false;
  if (task.task_class->has_pod_wishes) return true;
  return !view_->cluster().placed_with_pod_terms().empty() && !PullOf(task).empty();
}

void NodeOrder::ScoreBatch(const Task& task, std::span<const NodeId> nodes,
                           std::span<double> scores) const {
  if (weights_.taints != 0 && any_soft_taint_) AddTaints(task, nodes, scores);
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
