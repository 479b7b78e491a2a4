#include "scheduler/plugins/predicates/pod_rules.h"

#include <algorithm>

#include "scheduler/plugins/predicates/predicates.h"
#include "scheduler/plugins/predicates/static_rules.h"

namespace basalt::scheduler::plugins {

// ---- affinity

void PodAffinityRules::Open(const SessionView& view) {
  view_ = &view;
  own_.clear();
  taken_.clear();
  ++version_;
}

PodAffinityRules::Own& PodAffinityRules::OwnOf(const Task& task) {
  std::unique_ptr<Own>& own = own_[task.task_class->id];
  if (own) return *own;
  own = std::make_unique<Own>();
  const auto& affinity = task.pod->spec.affinity;
  if (!affinity) return *own;
  const model::Cluster& cluster = view_->cluster();
  std::vector<PodMatcher> all;
  for (const kube::PodAffinityTerm& term : affinity->pod.required) {
    all.push_back(PodMatcher::Of(term, *task.pod, cluster.objects()));
  }
  own->matches_itself = std::ranges::all_of(
      all, [&](const PodMatcher& matcher) { return matcher.Matches(*task.pod); });
  for (const kube::PodAffinityTerm& term : affinity->pod.required) {
    own->affinity.push_back(std::make_unique<DomainCounts>(
        cluster, DomainCounts::Rule{.all_of = all, .topology_key = term.topology_key}));
    own->affinity_keys.push_back(term.topology_key);
  }
  for (const kube::PodAffinityTerm& term : affinity->pod_anti.required) {
    own->anti.push_back(std::make_unique<DomainCounts>(
        cluster, DomainCounts::Rule{.all_of = {PodMatcher::Of(term, *task.pod, cluster.objects())},
                                    .topology_key = term.topology_key}));
  }
  return *own;
}

const PodAffinityRules::Taken& PodAffinityRules::TakenFor(const Task& task) {
  Taken& taken = taken_[task.task_class->id];
  if (taken.version == version_) return taken;
  taken.version = version_;
  taken.values.clear();
  const model::Cluster& cluster = view_->cluster();
  for (const model::TaskId id : cluster.placed_with_pod_terms()) {
    const Task& other = cluster.task(id);
    if (!other.pod->spec.affinity) continue;
    const Node& node = cluster.node(other.node());
    if (!node.exists()) continue;
    for (const kube::PodAffinityTerm& term : other.pod->spec.affinity->pod_anti.required) {
      const auto value = node.object->meta.labels.Find(term.topology_key);
      if (!value) continue;
      if (!PodMatcher::Of(term, *other.pod, cluster.objects()).Matches(*task.pod)) continue;
      std::vector<std::string>& values = taken.values[term.topology_key];
      if (std::ranges::find(values, *value) == values.end()) values.emplace_back(*value);
    }
  }
  return taken;
}

bool PodAffinityRules::Concern(const Task& task) {
  if (task.task_class->has_pod_rules) return true;
  return !view_->cluster().placed_with_pod_terms().empty() && !TakenFor(task).values.empty();
}

Verdict PodAffinityRules::Check(const Task& task, const Node& node) {
  if (task.task_class->has_pod_rules) {
    const Own& own = OwnOf(task);
    bool all_there = true;
    for (const auto& counts : own.affinity) {
      const std::int32_t domain = counts->DomainOf(node.id);
      if (domain == DomainCounts::kNoDomain) {
        return Verdict::Unresolvable(Predicates::kName, "node(s) didn't match pod affinity rules");
      }
      all_there = all_there && counts->Count(domain) > 0;
    }
    if (!all_there) {
      // The first of a series that wants to be together may go anywhere.
      const bool first = std::ranges::all_of(
          own.affinity, [](const auto& counts) { return counts->total() == 0; });
      if (!first || !own.matches_itself) {
        return Verdict::Unresolvable(Predicates::kName, "node(s) didn't match pod affinity rules");
      }
    }
    for (const auto& counts : own.anti) {
      if (counts->On(node.id) > 0) {
        return Verdict::Unschedulable(Predicates::kName,
                                      "node(s) didn't match pod anti-affinity rules");
      }
    }
  }
  for (const auto& [key, values] : TakenFor(task).values) {
    const auto value = node.object->meta.labels.Find(key);
    if (value && std::ranges::find(values, *value) != values.end()) {
      return Verdict::Unschedulable(Predicates::kName,
                                    "node(s) didn't satisfy existing pods anti-affinity rules");
    }
  }
  return Verdict::Ok();
}

void PodAffinityRules::TaskMoved(const Task& task, const model::Holding& from) {
  if (task.task_class->has_pod_terms()) ++version_;
  for (auto& [id, own] : own_) {
    for (auto& counts : own->affinity) counts->TaskMoved(task, from);
    for (auto& counts : own->anti) counts->TaskMoved(task, from);
  }
}

// ---- spreading

void SpreadRules::Open(const SessionView& view) {
  view_ = &view;
  by_class_.clear();
}

std::vector<SpreadRules::Constraint>& SpreadRules::ConstraintsOf(const Task& task) {
  auto& constraints = by_class_[task.task_class->id];
  if (constraints) return *constraints;
  constraints = std::make_unique<std::vector<Constraint>>();
  using Spec = kube::TopologySpreadConstraint;
  std::vector<const Spec*> hard;
  // The class's own pod, which lives as long as the class.
  const kube::Pod& pod = *task.task_class->example;
  for (const Spec& spec : pod.spec.topology_spread_constraints) {
    if (spec.when_unsatisfiable == Spec::WhenUnsatisfiable::kDoNotSchedule) hard.push_back(&spec);
  }
  const model::Cluster& cluster = view_->cluster();
  for (const Spec* spec : hard) {
    DomainCounts::Rule rule{.all_of = {PodMatcher::Of(*spec, pod)},
                            .topology_key = spec->topology_key,
                            .count_leaving = false,
                            .nodes = std::vector<bool>(cluster.node_slots().bound(), false)};
    for (const NodeId id : cluster.nodes()) {
      const kube::Node& node = *cluster.node(id).object;
      const bool has_labels = std::ranges::all_of(
          hard, [&](const Spec* other) { return node.meta.labels.Contains(other->topology_key); });
      const bool affinity =
          spec->node_affinity_policy == Spec::NodePolicy::kIgnore || MatchesNodeRules(pod, node);
      const bool taints = spec->node_taints_policy == Spec::NodePolicy::kIgnore ||
                          FindUntolerated(pod, node) == nullptr;
      rule.nodes[id.index()] = has_labels && affinity && taints;
    }
    const bool itself = rule.all_of[0].Matches(pod);
    constraints->push_back({.spec = spec,
                            .counts = std::make_unique<DomainCounts>(cluster, std::move(rule)),
                            .matches_itself = itself});
  }
  return *constraints;
}

Verdict SpreadRules::Check(const Task& task, const Node& node) {
  for (const Constraint& constraint : ConstraintsOf(task)) {
    if (!node.object->meta.labels.Contains(constraint.spec->topology_key)) {
      return Verdict::Unresolvable(Predicates::kName,
                                   "node(s) didn't match pod topology spread constraints (missing "
                                   "required label)");
    }
    const bool too_few = constraint.counts->domains() < constraint.spec->min_domains.value_or(1);
    const std::int64_t least = too_few ? 0 : constraint.counts->Least();
    const std::int64_t skew =
        constraint.counts->On(node.id) + (constraint.matches_itself ? 1 : 0) - least;
    if (skew > constraint.spec->max_skew) {
      return Verdict::Unschedulable(Predicates::kName,
                                    "node(s) didn't match pod topology spread constraints");
    }
  }
  return Verdict::Ok();
}

void SpreadRules::TaskMoved(const Task& task, const model::Holding& from) {
  for (auto& [id, constraints] : by_class_) {
    for (Constraint& constraint : *constraints) constraint.counts->TaskMoved(task, from);
  }
}

}  // namespace basalt::scheduler::plugins
