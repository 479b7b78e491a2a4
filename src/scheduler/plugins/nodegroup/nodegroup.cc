#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "scheduler/framework/session_plugin.h"

namespace basalt::scheduler::plugins {
namespace {

constexpr std::string_view kGroupLabel = "volcano.sh/nodegroup-name";
constexpr double kBaseScore = 100;

bool Has(const std::optional<kube::Queue::NodeGroupTerms>& terms,
         std::vector<std::string> kube::Queue::NodeGroupTerms::*list, std::string_view group) {
  return terms && std::ranges::find((*terms).*list, group) != ((*terms).*list).end();
}

constexpr auto kRequired = &kube::Queue::NodeGroupTerms::required;
constexpr auto kPreferred = &kube::Queue::NodeGroupTerms::preferred;

bool SaysNothing(const kube::Queue::NodeGroupRules& rules) {
  const auto empty = [](const std::optional<kube::Queue::NodeGroupTerms>& terms) {
    return !terms || (terms->required.empty() && terms->preferred.empty());
  };
  return empty(rules.affinity) && empty(rules.anti_affinity);
}

// The later rules win: a group that the queue had rather avoid is still allowed.
bool Allows(const kube::Queue::NodeGroupRules& rules, std::string_view group) {
  bool allowed = Has(rules.affinity, kRequired, group) || Has(rules.affinity, kPreferred, group);
  if (Has(rules.anti_affinity, kRequired, group)) allowed = false;
  if (Has(rules.anti_affinity, kPreferred, group)) allowed = true;
  return allowed;
}

// Queues with affinity to groups of nodes (label volcano.sh/nodegroup-name): their tasks run only
// in groups that the queue's spec.affinity allows, and rather in those it prefers. With
// `enableHierarchy` a queue without rules has those of its nearest ancestor that has some.
// Counterpart: Volcano plugins/nodegroup.
//
// Arguments: strict (true: a node without a group takes no task; false: it takes tasks of queues
// without rules), enablePreferredOrder (false; true: of the preferred groups the earlier ones
// more).
class NodeGroup final : public SessionPlugin, public NodeFilter, public NodeScorer {
 public:
  Result<void> Configure(const PluginConfig& config) override {
    hierarchy_ = config.IsOn(Switch::kHierarchy);
    return config.arguments.Read(
        {{"strict", &strict_}, {"enablePreferredOrder", &preferred_order_}});
  }
  void FilterParts(const Task&, std::vector<Part>* parts) const override {
    parts->push_back({DependsOn::kStatic, 0});
  }
  Verdict Filter(const Task& task, const Node& node, int) const override {
    const Rules* rules = RulesOf(task);
    const auto group = node.object->meta.labels.Find(kGroupLabel);
    if (!group) {
      if (!strict_ && !rules) return Verdict::Ok();
      return Verdict::Unresolvable("node group label not found");
    }
    if (!rules) return Verdict::Unresolvable("node group affinity not specified");
    if (!Allows(*rules, *group)) {
      return Verdict::Unresolvable("node does not satisfy the node group affinity");
    }
    return Verdict::Ok();
  }
  DependsOn ScoreDependsOn(const Task& task) const override {
    return RulesOf(task) ? DependsOn::kStatic : DependsOn::kNothing;
  }
  void ScoreNodes(const Task& task, std::span<const NodeId> nodes,
                  std::span<double> scores) const override {
    const Rules* rules = RulesOf(task);
    if (!rules) return;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto group = cluster().node(nodes[i]).object->meta.labels.Find(kGroupLabel);
      if (group) scores[i] += ScoreOf(*rules, *group);
    }
  }
  bool BoundScores(const Task& task, std::span<const model::NodeBox>,
                   std::span<double> bounds) const override {
    if (!RulesOf(task)) return true;
    for (double& bound : bounds) bound += 1.5 * kBaseScore;  // required and preferred first
    return true;
  }

 private:
  using Rules = kube::Queue::NodeGroupRules;

  void Opened() override {
    rules_.clear();
    for (const Queue* queue : view().Queues()) {
      const Queue* at = queue;
      while (at && !at->object->affinity) {
        at = hierarchy_ && at->parent.valid() ? &cluster().queue(at->parent) : nullptr;
      }
      if (at && !SaysNothing(*at->object->affinity)) rules_[queue->id] = &*at->object->affinity;
    }
  }
  // nullptr: the task's queue has none.
  const Rules* RulesOf(const Task& task) const {
    const Job* job = view().JobOf(task);
    if (!job) return nullptr;
    const auto it = rules_.find(job->queue);
    return it == rules_.end() ? nullptr : it->second;
  }
  double ScoreOf(const Rules& rules, std::string_view group) const {
    if (Has(rules.anti_affinity, kPreferred, group)) return -1;
    double score = Has(rules.affinity, kRequired, group) ? kBaseScore : 0;
    if (!Has(rules.affinity, kPreferred, group)) return score;
    if (!preferred_order_) return score + 0.5 * kBaseScore;
    const std::vector<std::string>& preferred = rules.affinity->preferred;
    const auto count = static_cast<double>(preferred.size());
    const auto place = static_cast<double>(std::ranges::find(preferred, group) - preferred.begin());
    return score + 0.5 * kBaseScore * (count - place) / count;
  }

  bool hierarchy_ = false;
  bool strict_ = true;
  bool preferred_order_ = false;
  boost::unordered_flat_map<model::QueueId, const Rules*> rules_;
};

}  // namespace

std::unique_ptr<Plugin> MakeNodeGroup() { return std::make_unique<NodeGroup>(); }

}  // namespace basalt::scheduler::plugins
