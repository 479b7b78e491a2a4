#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "descheduler/plan/plan.h"
#include "descheduler/plugins/default_evictor.h"
#include "descheduler/plugins/places.h"
#include "descheduler/plugins/usage.h"
#include "descheduler/policy/policy.h"
#include "scheduler/framework/session.h"

namespace basalt::descheduler {

// Pods that a run has evicted, or is about to; its limits count them (W4).
struct Evicted {
  std::int64_t total = 0;
  std::map<std::string, std::int64_t, std::less<>> by_node, by_namespace;
};

// One plan in the making: what plugins see, and what they propose. A move takes effect on the
// cluster's books at once, in a statement that is never committed, so that the next one sees it;
// what is undone leaves no trace. On the thread that owns the cluster; lives shorter than the
// session.
class Run {
 public:
  struct Settings {
    const Policy& policy;
    const Profile& profile;
    kube::LabelSelector node_selector;         // beside the policy's
    std::vector<std::string> scheduler_names;  // whose pods may be moved
    Evicted evicted;                           // in this run, before
    const Usage* usage = nullptr;
    Time now{};
  };
  Run(scheduler::Session& session, const scheduler::PluginSet& plugins, Settings settings);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  const model::Cluster& cluster() const { return session_.cluster(); }
  scheduler::Session& session() { return session_; }
  Places& places() { return places_; }
  const Profile& profile() const { return settings_.profile; }
  const Usage* usage() const { return settings_.usage; }
  Time now() const { return settings_.now; }

  // The nodes that the policy, the request and the plugin's own selector select, by name.
  std::vector<const model::Node*> Nodes(const kube::LabelSelector& own) const;
  // The policy lets pods go there.
  bool MayTake(const model::Node& node) const;
  // The pods that would have to go for the node to be free, those that the plan brings left out; in
  // no order.
  std::vector<const model::Task*> PodsOf(const model::Node& node) const;

  // ---- whether a pod may go
  // Beside the evictor's rules those that always hold: whose pod it is, budgets, gangs. Where a
  // plugin has an evictor of its own, that is asked.
  std::optional<Objection> WhyStays(const model::Task& task, EvictionFilter* evictor = nullptr);
  // Which limit forbids that these go too, beside all moves so far; nothing: none does.
  std::optional<std::string> WhichLimit(const std::vector<const model::Task*>& tasks,
                                        std::optional<std::int64_t> max_migrations) const;

  // A pod in its neighbourhood is one that the pod's own anti-affinity forbids there.
  bool KeepsAwayFromOthers(const model::Task& task);

  // ---- proposing
  struct Proposal {
    const model::Task* task;
    model::NodeId from, to;
  };
  void Propose(const model::Task& task, model::NodeId to);
  std::size_t Mark() const { return proposals_.size(); }
  void RollbackTo(std::size_t mark);
  // Those since then in the order of these pods, which they are about.
  void SortSince(std::size_t mark, const std::vector<const model::Task*>& order);
  const std::vector<Proposal>& proposals() const { return proposals_; }
  // Somewhere that fits, where the plugin has no target of its own: the scheduler's best node. A
  // node: what was proposed; else the pod is said to be blocked.
  bool ProposeAnywhere(const model::Task& task);
  void Block(Blocked blocked) { blocked_.push_back(std::move(blocked)); }
  void Block(const model::Node& node, std::string_view reason, std::string message);
  void Block(const model::Task& task, const Objection& objection);
  std::vector<Blocked>& blocked() { return blocked_; }

 private:
  // Too few of its group would be left. Of a larger group all may go, so many at a time as leave
  // its minimum running: the migration sees to that (W13).
  std::optional<Objection> CheckGang(const model::Task& task);
  // Of a group that exists: how many of its pods run.
  int RunningOf(const model::Job& job);
  void Count(const model::Task& task, model::NodeId from, int by);

  scheduler::Session& session_;
  const Settings settings_;
  DefaultEvictor evictor_;
  Places places_;
  scheduler::Statement statement_;
  std::vector<Proposal> proposals_;
  std::vector<Blocked> blocked_;
  boost::unordered_flat_map<model::JobId, int> running_;
  Evicted counts_;
};

}  // namespace basalt::descheduler
