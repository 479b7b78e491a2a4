#include "scheduler/framework/node_finder.h"

#include <algorithm>
#include <functional>
#include <map>

#include "scheduler/framework/aggregators.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler {

NodeFinder::NodeFinder(const SessionView& view, const PluginSet& plugins)
    : view_(view), plugins_(plugins), search_(view.cluster(), verdicts_) {}

void NodeFinder::Prepare() {
  const model::Cluster& cluster = view_.cluster();
  if (node_set_generation_ == cluster.node_set_generation()) return;
  node_set_generation_ = cluster.node_set_generation();
  places_.assign(cluster.node_slots().bound(), 0);
  for (std::uint32_t place = 0; place < cluster.nodes().size(); ++place) {
    places_[cluster.nodes()[place].index()] = place;
  }
  tables_.clear();
  searches_.clear();
  verdicts_.ForgetStatics();
}

std::uint64_t NodeFinder::QueueKey(const Task& task) const {
  const Job* job = view_.JobOf(task);
  return job ? job->queue.value & 0x7fffffffu : 0x7fffffffu;
}

std::uint64_t NodeFinder::Key(const Task& task, Room room) const {
  return (static_cast<std::uint64_t>(task.task_class->id) << 32) | (QueueKey(task) << 1) |
         (room == Room::kChecked ? 1 : 0);
}

NodeTable& NodeFinder::TableFor(const Task& task, Room room) {
  Prepare();
  const std::uint64_t key = Key(task, room);
  if (tables_.size() >= kMaxTables && !tables_.contains(key)) {
    tables_.erase(std::ranges::min_element(tables_, {},
                                           [](const auto& item) { return item.second.last_use; }));
  }
  KnownTable& known = tables_[key];
  if (known.table == nullptr) {
    known.table = std::make_unique<NodeTable>(view_, plugins_, verdicts_, places_, room);
  }
  known.last_use = ++clock_;
  known.table->Update(task, verdicts_.StaticsOf(task, QueueKey(task), places_.size()));
  return *known.table;
}

// ---- the best

bool NodeFinder::IsChosen(const Task& task) const {
  return AnyOf(plugins_.hooks<BestNode>(),
               [&](const BestNode& plugin) { return plugin.Concerns(task); });
}

std::optional<NodeSearch::Answer> NodeFinder::Search(const Task& task, Room room) {
  Prepare();
  const std::uint64_t key = Key(task, room);
  if (tables_.contains(key) || IsChosen(task)) return std::nullopt;
  if (++searches_[key] > kSearches) return std::nullopt;
  rules_.Find(plugins_, task);
  if (!rules_.batch_scorers.empty()) return std::nullopt;
  const auto statics = verdicts_.StaticsOf(task, QueueKey(task), places_.size());
  return search_.Best(task, rules_, *statics, room);
}

std::optional<NodeFinder::Found> NodeFinder::Best(const Task& task, Room room) {
  if (task.task_class->unknown_resource) return std::nullopt;
  if (const auto answer = Search(task, room)) {
    if (answer->fit == Fit::kNot) return std::nullopt;
    return Found{.node = answer->node, .now = answer->fit == Fit::kNow};
  }
  NodeTable& table = TableFor(task, room);
  if (!table.NodesStandAlone() || IsChosen(task)) {
    return BestByList(table, task);
  }
  const std::optional<NodeId> best = table.Best();
  if (!best) return std::nullopt;
  return Found{.node = *best, .now = table.fit(*best) == Fit::kNow};
}

NodeId NodeFinder::BestOf(const NodeTable& table, const Task& task, std::span<const NodeId> nodes) {
  if (nodes.size() == 1) return nodes.front();
  scores_.resize(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) scores_[i] = table.score(nodes[i]);
  for (const BatchScorer* scorer : table.rules().batch_scorers) {
    scorer->ScoreBatch(task, nodes, scores_);
  }
  for (const auto& tier : plugins_.hooks<BestNode>()) {
    for (const BestNode* plugin : tier) {
      if (!plugin->Concerns(task)) continue;
      if (const auto chosen = plugin->Choose(task, nodes, scores_)) return *chosen;
    }
  }
  return nodes[static_cast<std::size_t>(std::ranges::max_element(scores_) - scores_.begin())];
}

std::optional<NodeFinder::Found> NodeFinder::BestByList(const NodeTable& table, const Task& task) {
  for (const Fit level : {Fit::kNow, Fit::kLater}) {
    nodes_.clear();
    for (const NodeId node : view_.cluster().nodes()) {
      if (table.fit(node) != level) continue;
      if (!FirstRefusal(table.unfollowed(), task, view_.cluster().node(node)).ok()) continue;
      nodes_.push_back(node);
    }
    if (nodes_.empty()) continue;
    return Found{.node = BestOf(table, task, nodes_), .now = level == Fit::kNow};
  }
  return std::nullopt;
}

std::optional<NodeFinder::Found> NodeFinder::Try(const Task& task, NodeId node, Room room) {
  if (task.task_class->unknown_resource || !view_.cluster().node(node).exists()) {
    return std::nullopt;
  }
  const Fit fit = RoomOn(view_.cluster().ledger(), task, node, room);
  if (fit == Fit::kNot || !view_.Filter(task, view_.cluster().node(node)).ok()) {
    return std::nullopt;
  }
  return Found{.node = node, .now = fit == Fit::kNow};
}

// ---- where others could make room

Verdict NodeFinder::WorstVerdict(const NodeTable& table, const Task& task, const Node& node) const {
  Verdict verdict = verdicts_.Get(table.own_reason(node.id));
  const TaskRules& rules = table.rules();
  // The first refusal hides later ones, which may be final.
  for (const auto* calls : {&rules.of_static, &rules.of_node, &rules.of_cluster}) {
    if (verdict.ok() && calls != &rules.of_cluster) continue;
    for (const TaskRules::FilterCall& call : *calls) {
      if (verdict.code == Verdict::Code::kUnresolvable) return verdict;
      verdict = call.filter->Filter(task, node, call.part);
    }
  }
  return verdict;
}

std::vector<NodeId> NodeFinder::ForPreemption(const Task& task) {
  std::vector<NodeId> nodes;
  if (task.task_class->unknown_resource) return nodes;
  const NodeTable& table = TableFor(task, Room::kIgnored);
  for (const NodeId node : view_.cluster().nodes()) {
    const Verdict verdict = WorstVerdict(table, task, view_.cluster().node(node));
    if (verdict.code != Verdict::Code::kUnresolvable) nodes.push_back(node);
  }
  std::vector<double> scores(nodes.size(), 0.0);
  for (const NodeScorer* scorer : table.rules().scorers) scorer->ScoreNodes(task, nodes, scores);
  for (const BatchScorer* scorer : table.rules().batch_scorers) {
    scorer->ScoreBatch(task, nodes, scores);
  }
  std::vector<double> by_node(places_.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) by_node[nodes[i].index()] = scores[i];
  std::ranges::stable_sort(nodes, std::greater(),
                           [&](NodeId node) { return by_node[node.index()]; });
  return nodes;
}

// ---- why there is none

FitFailure NodeFinder::Explain(const Task& task, Room room) {
  FitFailure failure;
  const model::Cluster& cluster = view_.cluster();
  const std::vector<std::string> unknown =
      model::UnknownNames(*task.task_class, cluster.dimensions());
  if (!unknown.empty() && cluster.dimensions().some_uncounted()) {
    failure.other = reasons::kUnknownResource;
    return failure;
  }
  const NodeTable& table = TableFor(task, room);
  // Counted by number first: there may be many nodes and are few reasons.
  std::vector<int> by_reason(verdicts_.bound(), 0);
  boost::unordered_flat_map<model::DimensionSet, int> by_lack;
  int lack_unknown = 0;
  const auto statics = verdicts_.StaticsOf(task, QueueKey(task), places_.size());
  failure.no_node_suits = std::ranges::none_of(cluster.nodes(), [&](NodeId node) {
    return verdicts_.StaticVerdict(*statics, table.rules(), task, cluster.node(node)) ==
           VerdictCache::kFits;
  });
  for (const NodeId node : cluster.nodes()) {
    VerdictCache::Number reason = table.reason(node);
    // Of what depends on the cluster the table knows only what it can follow.
    if (reason == VerdictCache::kFits) {
      reason = verdicts_.Keep(FirstRefusal(table.unfollowed(), task, cluster.node(node)));
    }
    if (reason >= by_reason.size()) by_reason.resize(reason + std::size_t{1}, 0);
    lack_unknown += reason == VerdictCache::kNoRoom || reason == VerdictCache::kFits;
    if (reason == VerdictCache::kNoRoom) {
      ++by_lack[cluster.ledger().LackingInFuture(task.request(), node)];
    } else {
      ++by_reason[reason];
    }
  }
  std::map<std::string, int> counts;
  for (std::size_t i = 2; i < by_reason.size(); ++i) {
    if (by_reason[i] == 0) continue;
    counts[std::string(verdicts_.Get(static_cast<VerdictCache::Number>(i)).reason)] += by_reason[i];
  }
  for (const auto& [lacking, count] : by_lack) {
    for (const std::string& name : cluster.dimensions().Names(lacking)) {
      counts[name == "pods" ? std::string("Too many pods") : "Insufficient " + name] += count;
    }
  }
  // What no node has.
  if (lack_unknown > 0) {
    for (const std::string& name : unknown) counts["Insufficient " + name] = lack_unknown;
  }
  failure.nodes = static_cast<int>(cluster.nodes().size());
  failure.nodes_by_reason.assign(counts.begin(), counts.end());
  std::ranges::stable_sort(failure.nodes_by_reason, std::greater(),
                           &std::pair<std::string, int>::second);
  return failure;
}

}  // namespace basalt::scheduler
