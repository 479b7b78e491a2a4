#include "descheduler/plugins/deschedule_plugins.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/check.h"
#include "descheduler/plugins/facts.h"
#include "scheduler/plugins/predicates/static_rules.h"

namespace basalt::descheduler {

using model::Node;
using model::Task;

namespace {

// The pods of the nodes that take part, node by node and by namespace and name, that the arguments
// select.
template <class Args, class Fn>
void ForEachPod(Run& run, const Args& args, Fn fn) {
  for (const Node* node : run.Nodes({})) {
    if (!node->object->ready()) continue;
    std::vector<const Task*> pods = run.PodsOf(*node);
    std::ranges::sort(pods, [](const Task* a, const Task* b) {
      return std::tie(a->ns(), a->name()) < std::tie(b->ns(), b->name());
    });
    for (const Task* pod : pods) {
      if (args.namespaces.Takes(pod->ns()) && args.label_selector.Matches(pod->pod->meta.labels)) {
        fn(*node, *pod);
      }
    }
  }
}

// One that should go: whether it may.
bool MayGo(Run& run, const Task& task) {
  if (const auto objection = run.WhyStays(task)) {
    run.Block(task, *objection);
    return false;
  }
  if (const auto limit = run.WhichLimit({&task}, std::nullopt)) {
    run.Block(run.cluster().node(task.node()), "MaxMigrations",
              fmt::format("more pods would be more than {} allows in a run", *limit));
    return false;
  }
  return true;
}

std::int64_t WishesFulfilled(const kube::NodeAffinity& affinity, const kube::Node& node) {
  std::int64_t weight = 0;
  for (const kube::PreferredNodeTerm& wish : affinity.preferred) {
    if (wish.preference.Matches(node.meta.labels, node.meta.name)) weight += wish.weight;
  }
  return weight;
}

bool Names(const std::vector<std::string>& list, const kube::Taint& taint) {
  return std::ranges::any_of(list, [&](const std::string& entry) {
    return entry == taint.key ||
           (!taint.value.empty() && entry == fmt::format("{}={}", taint.key, taint.value));
  });
}

}  // namespace

// ---- node affinity

const Node* RemovePodsViolatingNodeAffinity::BetterNode(Run& run, const Task& task) const {
  const kube::NodeAffinity& affinity = *task.pod->spec.affinity->node;
  std::int64_t best = WishesFulfilled(affinity, *run.cluster().node(task.node()).object);
  const Node* better = nullptr;
  if (run.places().Ask(task)) return nullptr;
  for (const model::NodeId id : run.cluster().nodes()) {
    const Node& node = run.cluster().node(id);
    if (id == task.node() || !IsInService(node) || !run.MayTake(node)) continue;
    const std::int64_t weight = WishesFulfilled(affinity, *node.object);
    if (weight <= best || run.places().Judge(node) != Lack::kNothing) continue;
    best = weight;
    better = &node;
  }
  return better;
}

void RemovePodsViolatingNodeAffinity::ProposeOneByOne(Run& run) {
  ForEachPod(run, args_, [&](const Node& node, const Task& pod) {
    const auto& affinity = pod.pod->spec.affinity;
    if (!affinity || !affinity->node) return;
    if (args_.required && affinity->node->required &&
        !scheduler::plugins::MatchesNodeRules(*pod.pod, *node.object)) {
      if (MayGo(run, pod)) run.ProposeAnywhere(pod);
      return;
    }
    if (!args_.preferred || affinity->node->preferred.empty()) return;
    // A pod that no better node can take is where it should be.
    const Node* better = BetterNode(run, pod);
    if (better && MayGo(run, pod)) run.Propose(pod, better->id);
  });
}

// ---- taints

bool RemovePodsViolatingNodeTaints::Counts(const kube::Taint& taint) const {
  const bool of_kind =
      taint.effect == kube::TaintEffect::kNoSchedule ||
      (args_.include_prefer_no_schedule && taint.effect == kube::TaintEffect::kPreferNoSchedule);
  if (!of_kind) return false;
  if (!args_.included_taints.empty()) return Names(args_.included_taints, taint);
  return !Names(args_.excluded_taints, taint);
}

void RemovePodsViolatingNodeTaints::ProposeOneByOne(Run& run) {
  ForEachPod(run, args_, [&](const Node& node, const Task& pod) {
    const bool violates =
        std::ranges::any_of(node.object->spec.taints, [&](const kube::Taint& taint) {
          return Counts(taint) && std::ranges::none_of(pod.pod->spec.tolerations,
                                                       [&](const kube::Toleration& toleration) {
                                                         return toleration.Tolerates(taint);
                                                       });
        });
    if (violates && MayGo(run, pod)) run.ProposeAnywhere(pod);
  });
}

// ---- anti-affinity

void RemovePodsViolatingInterPodAntiAffinity::ProposeOneByOne(Run& run) {
  std::vector<const Task*> pods;
  ForEachPod(run, args_, [&](const Node&, const Task& pod) {
    const auto& affinity = pod.pod->spec.affinity;
    if (affinity && !affinity->pod_anti.required.empty()) pods.push_back(&pod);
  });
  // Of pods that keep each other away the less important go.
  std::ranges::stable_sort(pods, {}, &Task::priority);
  for (const Task* pod : pods) {
    if (!run.KeepsAwayFromOthers(*pod)) continue;
    if (MayGo(run, *pod)) run.ProposeAnywhere(*pod);
  }
}

std::unique_ptr<Deschedule> MakeDeschedule(const Profile& profile, std::string_view name) {
  if (name == RemovePodsViolatingNodeAffinity::kName) {
    return std::make_unique<RemovePodsViolatingNodeAffinity>(*profile.node_affinity);
  }
  if (name == RemovePodsViolatingNodeTaints::kName) {
    return std::make_unique<RemovePodsViolatingNodeTaints>(*profile.node_taints);
  }
  BASALT_CHECK(name == RemovePodsViolatingInterPodAntiAffinity::kName);
  return std::make_unique<RemovePodsViolatingInterPodAntiAffinity>(
      *profile.inter_pod_anti_affinity);
}

}  // namespace basalt::descheduler
