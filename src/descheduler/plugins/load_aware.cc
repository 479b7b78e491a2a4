#include "descheduler/plugins/load_aware.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "descheduler/plugins/facts.h"

namespace basalt::descheduler {

using model::Node;
using model::Task;

namespace {

// The evictor of the profile as the plugin's own arguments change it.
DefaultEvictorArgs EvictorArgs(const DefaultEvictorArgs& profile, const LoadAwareArgs& own) {
  DefaultEvictorArgs args = profile;
  PodProtections& protections = args.protections;
  if (own.evict_local_storage) protections.local_storage = false;
  if (own.evict_system_critical) protections.system_critical = false;
  if (own.ignore_pvc) protections.with_pvc = true;
  if (own.priority_threshold.is_set()) args.priority_threshold = own.priority_threshold;
  return args;
}

}  // namespace

bool LoadAware::ReadLoad(const Node& node, NodeInfo* info) const {
  const Usage& usage = *run_->usage();
  const auto measured = usage.nodes.find(node.name);
  for (const Measure& measure : measures_) {
    std::optional<double> load;
    if (measure.dimension == model::kPods) {
      load = Percent(run_->cluster().ledger().used(model::kPods)[node.id.index()],
                     node.allocatable[model::kPods]);
    } else if (measured != usage.nodes.end()) {
      load = measure.dimension == model::kCpu ? measured->second.cpu : measured->second.memory;
    }
    // A figure that is none is no figure.
    if (!load || !std::isfinite(*load) || *load < 0) return false;
    info->before.push_back(*load);
  }
  info->node = &node;
  info->now = info->before;
  return true;
}

// With useDeviationThresholds they are distances from the mean.
void LoadAware::FindThresholds() {
  for (std::size_t m = 0; m < measures_.size(); ++m) {
    Measure& measure = measures_[m];
    const double low = args_.thresholds.at(measure.name);
    const double high = args_.target_thresholds.at(measure.name);
    measure.low = low;
    measure.high = high;
    if (!args_.use_deviation_thresholds) continue;
    double sum = 0;
    for (const NodeInfo& info : infos_) sum += info.before[m];
    const double mean = infos_.empty() ? 0 : sum / static_cast<double>(infos_.size());
    // 0 means that the resource does not matter, as in kubernetes-sigs/descheduler.
    measure.low = low == 0 ? 100 : std::clamp(mean - low, 0.0, 100.0);
    measure.high = low == 0 ? 100 : std::clamp(mean + high, 0.0, 100.0);
  }
}

bool LoadAware::IsAbove(const NodeInfo& info) const {
  for (std::size_t m = 0; m < measures_.size(); ++m) {
    if (info.now[m] > measures_[m].high) return true;
  }
  return false;
}

bool LoadAware::IsBelow(const NodeInfo& info) const {
  for (std::size_t m = 0; m < measures_.size(); ++m) {
    if (info.before[m] >= measures_[m].low) return false;
  }
  return true;
}

double LoadAware::SumOf(const NodeInfo& info) const {
  double sum = 0;
  for (const double load : info.now) sum += load;
  return sum;
}

double LoadAware::AmountOf(const Task& task, const Measure& measure) const {
  if (measure.dimension == model::kPods) return task.request()[model::kPods];
  const auto& pods = run_->usage()->pods;
  if (const auto it = pods.find(kube::ObjectKey(task.ns(), task.name())); it != pods.end()) {
    const auto& amount =
        measure.dimension == model::kCpu ? it->second.milli_cpu : it->second.memory;
    if (amount && std::isfinite(*amount) && *amount >= 0) return *amount;
  }
  return task.request()[measure.dimension];
}

double LoadAware::ShareOf(const Task& task, const Measure& measure, const Node& node) const {
  return Percent(AmountOf(task, measure), node.allocatable[measure.dimension]);
}

void LoadAware::Shift(const Task& task, NodeInfo& info, int by) const {
  for (std::size_t m = 0; m < measures_.size(); ++m) {
    info.now[m] = std::max(0.0, info.now[m] + by * ShareOf(task, measures_[m], *info.node));
  }
}

// The largest first: by the first resource of which there is too much.
std::vector<const Task*> LoadAware::InOrder(const NodeInfo& source) const {
  std::size_t key = 0;
  while (key + 1 < measures_.size() && source.now[key] <= measures_[key].high) ++key;
  std::vector<const Task*> pods = run_->PodsOf(*source.node);
  std::ranges::sort(pods, [&](const Task* a, const Task* b) {
    const double left = AmountOf(*a, measures_[key]), right = AmountOf(*b, measures_[key]);
    if (left != right) return left > right;
    return std::tie(a->ns(), a->name()) < std::tie(b->ns(), b->name());
  });
  return pods;
}

// The least loaded first, then by name.
LoadAware::NodeInfo* LoadAware::FindTarget(const Task& task, std::vector<NodeInfo*>& targets,
                                           LackCounts* lacks) {
  std::ranges::stable_sort(targets, [&](const NodeInfo* a, const NodeInfo* b) {
    const double left = SumOf(*a), right = SumOf(*b);
    return left != right ? left < right : a->node->name < b->node->name;
  });
  for (NodeInfo* target : targets) {
    bool stays_below = true;
    for (std::size_t m = 0; m < measures_.size(); ++m) {
      const double after = target->now[m] + ShareOf(task, measures_[m], *target->node);
      stays_below = stays_below && after <= measures_[m].high;
    }
    const Lack lack = stays_below ? run_->places().Judge(*target->node) : Lack::kProtection;
    if (lack == Lack::kNothing) return target;
    lacks->Add(lack);
  }
  return nullptr;
}

void LoadAware::Relieve(NodeInfo& source, std::vector<NodeInfo*>& targets) {
  const DefaultEvictorArgs evictor_args = EvictorArgs(run_->profile().evictor, args_);
  DefaultEvictor evictor(run_->cluster(), evictor_args, run_->now());
  const std::size_t mark = run_->Mark(), blocked = run_->blocked().size();
  for (const Task* pod : InOrder(source)) {
    if (!IsAbove(source)) break;
    std::optional<Objection> objection;
    if (!args_.evictable_namespaces.Takes(pod->ns())) {
      objection = Objection{"Namespace", fmt::format("evictableNamespaces leaves its namespace "
                                                     "\"{}\" alone",
                                                     pod->ns())};
    } else if (!args_.label_selector.Matches(pod->pod->meta.labels)) {
      objection = Objection{"LabelSelector", "LoadAware's labelSelector does not select it"};
    } else {
      objection = run_->WhyStays(*pod, &evictor);
    }
    if (objection) {
      run_->Block(*pod, *objection);
      continue;
    }
    if (const auto limit = run_->WhichLimit({pod}, args_.moves.max_migrations)) {
      run_->Block(*source.node, "MaxMigrations",
                  fmt::format("more pods would be more than {} allows in a run", *limit));
      break;
    }
    if (const auto refusal = run_->places().Ask(*pod)) {
      run_->Block(*pod, {"NoTarget", "it can be placed nowhere: " + *refusal});
      continue;
    }
    LackCounts lacks;
    NodeInfo* target = FindTarget(*pod, targets, &lacks);
    if (!target) {
      run_->Block(Blocked{
          .node = source.node->name,
          .ns = pod->ns(),
          .pod = pod->name(),
          .reason = "NoTarget",
          .message = targets.empty() ? "no node is below thresholds"
                                     : "no node below thresholds can take it: " + lacks.Text(),
          .nodes = targets.empty() ? std::vector<NodeCount>{{"NoBand", 0}} : lacks.List()});
      continue;
    }
    run_->Propose(*pod, target->node->id);
    Shift(*pod, source, -1);
    Shift(*pod, *target, +1);
  }
  // Of a node that is relieved nothing is in the way; of another the first that was.
  const bool relieved = !IsAbove(source) || run_->Mark() > mark;
  const std::size_t keep = blocked + (relieved ? 0 : 1);
  if (run_->blocked().size() > keep) run_->blocked().resize(keep);
}

void LoadAware::ProposeTogether(Run& run) {
  run_ = &run;
  if (!run.usage()) return;
  for (const auto& [name, threshold] : args_.thresholds) {
    measures_.push_back({.name = name, .dimension = *run.cluster().dimensions().Find(name)});
  }
  for (const Node* node : run.Nodes(args_.node_selector)) {
    if (!IsInService(*node)) continue;
    NodeInfo info;
    if (!ReadLoad(*node, &info)) {
      unmeasured_.push_back(node->name);
      continue;
    }
    index_[node->id] = infos_.size();
    infos_.push_back(std::move(info));
  }
  FindThresholds();
  std::vector<NodeInfo*> sources, targets;
  for (NodeInfo& info : infos_) {
    const bool above = IsAbove(info);
    if (!above && !IsBelow(info)) continue;
    const bool cools_down = CoolsDown(*info.node, kDefragmentationCoolDown, run.now()) ||
                            CoolsDown(*info.node, kLoadAwareCoolDown, run.now());
    if (cools_down && above) {
      run.Block(*info.node, "CoolingDown",
                "pods were moved from or to it a short while ago: see its annotations");
    } else if (above && IsCritical(*info.node)) {
      run.Block(*info.node, "Critical", "its label critical=true keeps its pods where they are");
    } else if (!cools_down && above) {
      sources.push_back(&info);
    } else if (!cools_down && run.MayTake(*info.node)) {
      targets.push_back(&info);
    }
  }
  std::ranges::stable_sort(sources, [&](const NodeInfo* a, const NodeInfo* b) {
    return SumOf(*a) > SumOf(*b);  // the worst first, then by name
  });
  const auto below = static_cast<std::int64_t>(targets.size());
  for (NodeInfo* source : sources) {
    if (below > 0 && below <= args_.number_of_nodes) {
      run.Block(*source->node, "NumberOfNodes",
                fmt::format("{} nodes are below thresholds, and numberOfNodes ({}) asks for more",
                            below, args_.number_of_nodes));
    } else {
      Relieve(*source, targets);
    }
  }
}

void LoadAware::Show(const Node& node, PlannedNode* planned) const {
  const auto it = index_.find(node.id);
  if (it == index_.end()) return;
  for (std::size_t m = 0; m < measures_.size(); ++m) {
    planned->before[measures_[m].name] = infos_[it->second].before[m];
    planned->after[measures_[m].name] = infos_[it->second].now[m];
  }
}

}  // namespace basalt::descheduler
