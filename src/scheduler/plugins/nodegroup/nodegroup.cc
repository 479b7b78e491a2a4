#include "scheduler/plugins/nodegroup/nodegroup.h"

#include <algorithm>

namespace basalt::scheduler::plugins {
namespace {

constexpr std::string_view kGroupLabel = "volcano.sh/nodegroup-name";
constexpr double kBaseScore = 100;

bool Has(const std::vector<std::string>& groups, std::string_view group) {
  return std::ranges::find(groups, group) != groups.end();
}

bool Has(const std::optional<kube::Queue::NodeGroupTerms>& terms,
         std::vector<std::string> kube::Queue::NodeGroupTerms::*list, std::string_view group) {
  return terms && Has((*terms).*list, group);
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

}  // namespace

Result<std::unique_ptr<Plugin>> NodeGroup::Make(const PluginContext& context) {
  const Arguments& arguments = context.config.arguments;
  auto plugin = std::make_unique<NodeGroup>();
  if (auto ok = arguments.CheckKnown({"strict", "enablePreferredOrder"}); !ok) {
    return std::unexpected(ok.error());
  }
  if (auto ok = arguments.Get("strict", &plugin->strict_); !ok) return std::unexpected(ok.error());
  if (auto ok = arguments.Get("enablePreferredOrder", &plugin->preferred_order_); !ok) {
    return std::unexpected(ok.error());
  }
  plugin->hierarchy_ = context.config.IsOn(Switch::kHierarchy);
  return plugin;
}

void NodeGroup::Open(const SessionView& view) {
  view_ = &view;
  rules_.clear();
  for (const Queue* queue : view.Queues()) {
    const Queue* at = queue;
    while (at && !at->object->affinity) {
      at = hierarchy_ && at->parent.valid() ? &view.cluster().queue(at->parent) : nullptr;
    }
    if (at) rules_[queue->id] = &*at->object->affinity;
  }
}

const NodeGroup::Rules* NodeGroup::RulesOf(const Task& task) const {
  const Job* job = view_->JobOf(task);
  if (!job) return nullptr;
  const auto it = rules_.find(job->queue);
  return it == rules_.end() ? nullptr : it->second;
}

void NodeGroup::FilterParts(const Task&, std::vector<Part>* parts) const {
  parts->push_back({DependsOn::kStatic, 0});
}

Verdict NodeGroup::Filter(const Task& task, const Node& node, int) const {
  const Rules* rules = RulesOf(task);
  const bool without_rules = !rules || SaysNothing(*rules);
  const auto group = node.object->meta.labels.Find(kGroupLabel);
  if (!group) {
    if (!strict_ && without_rules) return Verdict::Ok();
    return Verdict::Unresolvable(kName, "node group label not found");
  }
  if (without_rules) return Verdict::Unresolvable(kName, "node group affinity not specified");
  if (!Allows(*rules, *group)) {
    return Verdict::Unresolvable(kName, "node does not satisfy the node group affinity");
  }
  return Verdict::Ok();
}

double NodeGroup::ScoreOf(const Rules& rules, std::string_view group) const {
  if (Has(rules.anti_affinity, kPreferred, group)) return -1;
  double score = Has(rules.affinity, kRequired, group) ? kBaseScore : 0;
  if (!Has(rules.affinity, kPreferred, group)) return score;
  if (!preferred_order_) return score + 0.5 * kBaseScore;
  const std::vector<std::string>& preferred = rules.affinity->preferred;
  const auto count = static_cast<double>(preferred.size());
  const auto place = static_cast<double>(std::ranges::find(preferred, group) - preferred.begin());
  return score + 0.5 * kBaseScore * (count - place) / count;
}

DependsOn NodeGroup::ScoreDependsOn(const Task& task) const {
  return RulesOf(task) ? DependsOn::kStatic : DependsOn::kNothing;
}

void NodeGroup::ScoreNodes(const Task& task, std::span<const NodeId> nodes,
                           std::span<double> scores) const {
  const Rules* rules = RulesOf(task);
  if (!rules) return;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto group = view_->cluster().node(nodes[i]).object->meta.labels.Find(kGroupLabel);
    if (group) scores[i] += ScoreOf(*rules, *group);
  }
}

bool NodeGroup::BoundScores(const Task& task, std::span<const model::NodeBox>,
                            std::span<double> bounds) const {
  if (!RulesOf(task)) return true;
  for (double& bound : bounds) bound += 1.5 * kBaseScore;  // required and preferred first
  return true;
}

}  // namespace basalt::scheduler::plugins
