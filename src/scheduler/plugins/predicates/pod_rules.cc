#include "scheduler/plugins/predicates/pod_rules.h"

#include <algorithm>

#include "scheduler/plugins/predicates/static_rules.h"

namespace basalt::scheduler::plugins {
namespace {

using Changes = NodeFilter::Changes;

void AddNodes(const Topology& topology, std::int32_t domain, std::vector<NodeId>* nodes) {
  const std::vector<NodeId>& there = topology.NodesOf(domain);
  nodes->insert(nodes->end(), there.begin(), there.end());
}

// Adds the nodes of domains that had tasks and have none, or the other way round, since the
// position. false: that is not known any more.
bool AddTurned(const DomainCounts& counts, std::uint64_t* position, std::vector<NodeId>* nodes) {
  const auto steps = counts.StepsSince(*position);
  *position = counts.steps_end();
  if (!steps) return false;
  for (const DomainCounts::Step& step : *steps) {
    if ((step.before > 0) != (counts.Count(step.domain) > 0)) {
      AddNodes(counts.topology(), step.domain, nodes);
    }
  }
  return true;
}

// A job that cannot start before its own promises are kept binds nothing before them: its tasks may
// count on each other.
bool StartsWithThePromised(const SessionView& view, const Task& task) {
  const Job* job = view.JobOf(task);
  if (!job || job->pipelined.empty()) return false;
  return job->valid_tasks() - static_cast<int>(job->pipelined.size()) < job->min_available;
}

}  // namespace

// As with kube-scheduler's nominations, rules must hold whether or not promises are kept.

// ---- affinity

void PodAffinityRules::Open(const SessionView& view) {
  view_ = &view;
  own_.clear();
}

const PodAffinityRules::Own& PodAffinityRules::OwnOf(const Task& task) {
  const auto [it, added] = own_.try_emplace(task.task_class->id);
  Own& own = it->second;
  const auto& affinity = task.pod->spec.affinity;
  if (!added || !affinity) return own;
  const model::Objects& objects = view_->cluster().objects();
  std::vector<PodMatcher> each;
  for (const kube::PodAffinityTerm& term : affinity->pod.required) {
    each.push_back(PodMatcher::Of(term, *task.pod, objects));
  }
  const PodMatcher all = PodMatcher::AllOf(std::move(each));
  own.matches_itself = all.Matches(*task.pod);
  for (const kube::PodAffinityTerm& term : affinity->pod.required) {
    const Topology& topology = counts_.TopologyOf(term.topology_key);
    own.affinity.push_back(&counts_.Matching(all, topology, {}));
    own.affinity_present.push_back(&counts_.Matching(all, topology, {.promised = false}));
  }
  for (const kube::PodAffinityTerm& term : affinity->pod_anti.required) {
    own.anti.push_back(&counts_.Matching(PodMatcher::Of(term, *task.pod, objects),
                                         counts_.TopologyOf(term.topology_key), {}));
  }
  return own;
}

bool PodAffinityRules::Own::MayBeFirst(const Companions& companions) const {
  return matches_itself && std::ranges::all_of(companions, [](const DomainCounts* counts) {
           return counts->total() == 0;
         });
}

bool PodAffinityRules::Own::Satisfied(const Companions& companions, NodeId node) const {
  const bool all_there = std::ranges::all_of(
      companions, [&](const DomainCounts* counts) { return counts->On(node) > 0; });
  return all_there || MayBeFirst(companions);
}

bool PodAffinityRules::Concern(const Task& task) {
  if (task.task_class->has_pod_rules) return true;
  return std::ranges::any_of(counts_.About(task),
                             [](const auto& taken) { return !taken->empty(); });
}

Verdict PodAffinityRules::Check(const Task& task, const Node& node) {
  if (task.task_class->has_pod_rules) {
    const Own& own = OwnOf(task);
    const bool has_domains = std::ranges::all_of(own.affinity, [&](const DomainCounts* counts) {
      return counts->DomainOf(node.id) != Topology::kNoDomain;
    });
    if (!has_domains || !own.Satisfied(own.affinity, node.id) ||
        (!StartsWithThePromised(*view_, task) && !own.Satisfied(own.affinity_present, node.id))) {
      return Verdict::Unresolvable("node(s) didn't match pod affinity rules");
    }
    for (const DomainCounts* counts : own.anti) {
      if (counts->On(node.id) > 0) {
        return Verdict::Unschedulable("node(s) didn't match pod anti-affinity rules");
      }
    }
  }
  for (const auto& taken : counts_.About(task)) {
    if (taken->On(node.id) > 0) {
      return Verdict::Unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");
    }
  }
  return Verdict::Ok();
}

// `seen`: whether it may be the first, in both ways of counting, and whose promises count; then a
// position for each of its own counts and of the others'.
Changes PodAffinityRules::FindChanges(const Task& task, std::vector<std::uint64_t>* seen,
                                      std::vector<NodeId>* nodes) {
  thread_local std::vector<const DomainCounts*> followed;  // scratch
  followed.clear();
  std::uint64_t whole = 0;  // what decides for all nodes at once
  if (task.task_class->has_pod_rules) {
    const Own& own = OwnOf(task);
    whole = (own.MayBeFirst(own.affinity) ? 1 : 0) |
            (own.MayBeFirst(own.affinity_present) ? 2 : 0) |
            (!own.affinity.empty() && StartsWithThePromised(*view_, task) ? 4 : 0);
    for (const auto* counts : {&own.affinity, &own.affinity_present, &own.anti}) {
      followed.insert(followed.end(), counts->begin(), counts->end());
    }
  }
  for (const auto& taken : counts_.About(task)) followed.push_back(taken.get());
  if (seen->empty()) {
    seen->push_back(whole);
    for (const DomainCounts* counts : followed) seen->push_back(counts->steps_end());
    return Changes::kAny;
  }
  bool known = seen->front() == whole;
  seen->front() = whole;
  seen->resize(followed.size() + 1, 0);
  for (std::size_t i = 0; i < followed.size(); ++i) {
    known = AddTurned(*followed[i], &(*seen)[i + 1], nodes) && known;
  }
  return known ? Changes::kListed : Changes::kAny;
}

// ---- spreading

void SpreadRules::Open(const SessionView& view) {
  view_ = &view;
  by_class_.clear();
  topologies_.clear();
}

const Topology& SpreadRules::NodesThatCount(const Task& task, const Spec& spec,
                                            const std::vector<const Spec*>& hard) {
  const bool by_affinity = spec.node_affinity_policy != Spec::NodePolicy::kIgnore;
  const bool by_taints = spec.node_taints_policy != Spec::NodePolicy::kIgnore;
  std::string key = spec.topology_key;
  key += by_affinity ? ",affinity" : ",";
  key += by_taints ? ",taints," : ",,";
  // What it asks of node objects.
  if (by_affinity || by_taints) key += std::to_string(task.task_class->static_class);
  for (const Spec* other : hard) (key += ',') += other->topology_key;
  std::unique_ptr<Topology>& topology = topologies_[key];
  if (topology) return *topology;
  const kube::Pod& pod = *task.task_class->example;
  topology =
      std::make_unique<Topology>(view_->cluster(), spec.topology_key, [&](const model::Node& node) {
        const bool has_labels = std::ranges::all_of(hard, [&](const Spec* other) {
          return node.object->meta.labels.Contains(other->topology_key);
        });
        return has_labels && (!by_affinity || MatchesNodeRules(pod, *node.object)) &&
               (!by_taints || FindUntolerated(pod, *node.object) == nullptr);
      });
  return *topology;
}

const std::vector<SpreadRules::Constraint>& SpreadRules::ConstraintsOf(const Task& task) {
  const auto [it, added] = by_class_.try_emplace(task.task_class->id);
  if (!added) return it->second;
  std::vector<const Spec*> hard;
  const kube::Pod& pod = *task.task_class->example;
  for (const Spec& spec : pod.spec.topology_spread_constraints) {
    if (spec.when_unsatisfiable == Spec::WhenUnsatisfiable::kDoNotSchedule) hard.push_back(&spec);
  }
  for (const Spec* spec : hard) {
    PodMatcher matcher = PodMatcher::Of(*spec, pod);
    const bool itself = matcher.Matches(pod);
    const Topology& topology = NodesThatCount(task, *spec, hard);
    PodCounts::CountRule rule{.leaving = false, .keep = DomainCounts::Keep::kLeast};
    const DomainCounts& counts = counts_.Matching(matcher, topology, rule);
    rule.promised = false;
    it->second.push_back({.max_skew = spec->max_skew,
                          .too_few_domains = counts.domains() < spec->min_domains.value_or(1),
                          .matches_itself = itself,
                          .all = &counts_.TopologyOf(spec->topology_key),
                          .counts = &counts,
                          .present = &counts_.Matching(std::move(matcher), topology, rule)});
  }
  return it->second;
}

Verdict SpreadRules::Check(const Task& task, const Node& node) {
  for (const Constraint& constraint : ConstraintsOf(task)) {
    if (constraint.all->DomainOf(node.id) == Topology::kNoDomain) {
      return Verdict::Unresolvable(
          "node(s) didn't match pod topology spread constraints (missing "
          "required label)");
    }
    if (constraint.Refuses(*constraint.counts, node.id) ||
        (constraint.Refuses(*constraint.present, node.id) &&
         !StartsWithThePromised(*view_, task))) {
      return Verdict::Unschedulable("node(s) didn't match pod topology spread constraints");
    }
  }
  return Verdict::Ok();
}

bool SpreadRules::Constraint::AddTurned(const DomainCounts& of, std::uint64_t* seen, bool known,
                                        std::vector<NodeId>* nodes) const {
  const auto steps = of.StepsSince(seen[0]);
  const auto least_before = static_cast<std::int64_t>(seen[1]);
  const std::int64_t least = Least(of);
  seen[0] = of.steps_end();
  seen[1] = static_cast<std::uint64_t>(least);
  // Nodes that do not count are as empty as can be.
  if (!known || !steps || Refuses(0, least_before) != Refuses(0, least)) return false;
  for (const DomainCounts::Step& step : *steps) {
    if (Refuses(step.before, least_before) != Refuses(of.Count(step.domain), least)) {
      AddNodes(of.topology(), step.domain, nodes);
    }
  }
  if (least == least_before) return true;
  // Domains without a task are like nodes that do not count (see above).
  of.ForEachDomain([&](std::int32_t domain, std::int64_t count) {
    if (Refuses(count, least_before) != Refuses(count, least)) {
      AddNodes(of.topology(), domain, nodes);
    }
  });
  return true;
}

// `seen`: whose promises count; then of each constraint, in both ways of counting, the counts'
// position and the least.
Changes SpreadRules::FindChanges(const Task& task, std::vector<std::uint64_t>* seen,
                                 std::vector<NodeId>* nodes) {
  const std::vector<Constraint>& constraints = ConstraintsOf(task);
  const std::uint64_t whole = !constraints.empty() && StartsWithThePromised(*view_, task) ? 1 : 0;
  bool known = !seen->empty() && seen->front() == whole;
  seen->resize(1 + 4 * constraints.size(), 0);
  seen->front() = whole;
  std::uint64_t* place = seen->data() + 1;
  for (const Constraint& constraint : constraints) {
    for (const DomainCounts* counts : {constraint.counts, constraint.present}) {
      known = constraint.AddTurned(*counts, place, known, nodes);
      place += 2;
    }
  }
  return known ? Changes::kListed : Changes::kAny;
}

}  // namespace basalt::scheduler::plugins
