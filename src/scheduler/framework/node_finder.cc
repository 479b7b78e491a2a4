#include "scheduler/framework/node_finder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

#include "scheduler/framework/session_view.h"

namespace basalt::scheduler {

using model::Resource;

namespace {

template <class Fn>
void ForEachFilterPart(const PluginSet& plugins, const Task& task, Fn fn) {
  thread_local std::vector<NodeFilter::Part> parts;  // scratch
  for (const auto& tier : plugins.hooks<NodeFilter>()) {
    for (const NodeFilter* filter : tier) {
      parts.clear();
      filter->FilterParts(task, &parts);
      for (const NodeFilter::Part& part : parts) fn(filter, part);
    }
  }
}

// What is left beyond `least`, where that is less than in the dimensions before.
__attribute__((target_clones("avx2", "default"), optimize("O3", "no-trapping-math"))) void
LowerSlack(std::size_t nodes, const double* __restrict amounts, double least,
           double* __restrict slack) {
  for (std::size_t n = 0; n < nodes; ++n) {
    const double left = amounts[n] - least;
    slack[n] = left < slack[n] ? left : slack[n];
  }
}

void FindBatchScorers(const PluginSet& plugins, const Task& task,
                      std::vector<const BatchScorer*>* scorers) {
  scorers->clear();
  for (const auto& tier : plugins.hooks<BatchScorer>()) {
    for (const BatchScorer* scorer : tier) {
      if (scorer->Concerns(task)) scorers->push_back(scorer);
    }
  }
}

}  // namespace

// ---- entries

void NodeFinder::Prepare() {
  const model::Cluster& cluster = view_.cluster();
  if (node_set_generation_ == cluster.node_set_generation()) return;
  node_set_generation_ = cluster.node_set_generation();
  place_.assign(cluster.node_slots().bound(), 0);
  for (std::uint32_t place = 0; place < cluster.nodes().size(); ++place) {
    place_[cluster.nodes()[place].index()] = place;
  }
  entries_.clear();
  index_.clear();
  statics_.clear();
  static_index_.clear();
}

NodeFinder::Entry& NodeFinder::EntryFor(const Task& task, Room room) {
  Prepare();
  const Job* job = view_.JobOf(task);
  const std::uint64_t queue = job ? job->queue.value : 0xffffffu;
  const std::uint64_t key = (static_cast<std::uint64_t>(task.task_class->id) << 32) |
                            ((queue & 0x7fffffffu) << 1) | (room == Room::kChecked ? 1 : 0);
  if (const auto it = index_.find(key); it != index_.end()) {
    Entry& entry = entries_[it->second];
    entry.last_use = ++clock_;
    ++entry.lookups;
    Refresh(entry, task, room);
    // Whether what is elsewhere concerns the class may have changed with what was placed.
    entry.filters.of_cluster.clear();
    ForEachFilterPart(plugins_, task, [&](const NodeFilter* filter, const NodeFilter::Part& part) {
      if (part.depends_on == DependsOn::kCluster) {
        entry.filters.of_cluster.push_back({filter, part.number});
      }
    });
    FindBatchScorers(plugins_, task, &entry.batch_scorers);
    return entry;
  }
  if (statics_.size() >= 2 * kMaxEntries) {  // rules of ever new kinds: begin again
    entries_.clear();
    index_.clear();
    statics_.clear();
    static_index_.clear();
  }
  std::uint32_t slot = 0;
  if (entries_.size() < kMaxEntries) {
    slot = static_cast<std::uint32_t>(entries_.size());
    entries_.emplace_back();
  } else {
    const auto oldest = std::ranges::min_element(entries_, {}, &Entry::last_use);
    slot = static_cast<std::uint32_t>(oldest - entries_.begin());
    index_.erase(oldest->key);
  }
  index_[key] = slot;
  Entry& entry = entries_[slot];
  entry.key = key;
  entry.last_use = ++clock_;
  entry.lookups = 1;
  const std::uint64_t static_key =
      (static_cast<std::uint64_t>(task.task_class->static_class) << 32) | queue;
  const auto [it, added] =
      static_index_.try_emplace(static_key, static_cast<std::uint32_t>(statics_.size()));
  if (added) {
    StaticEntry& shared = statics_.emplace_back();
    shared.known.assign(place_.size(), 0);
    shared.reason.assign(place_.size(), kFits);
  }
  entry.static_entry = it->second;
  Fill(entry, task, room);
  return entry;
}

void NodeFinder::Fill(Entry& entry, const Task& task, Room room) {
  const model::Cluster& cluster = view_.cluster();
  entry.filters = {};
  ForEachFilterPart(plugins_, task, [&](const NodeFilter* filter, const NodeFilter::Part& part) {
    if (part.depends_on == DependsOn::kNothing) return;
    auto& list = part.depends_on == DependsOn::kStatic ? entry.filters.of_static
                 : part.depends_on == DependsOn::kNode ? entry.filters.of_node
                                                       : entry.filters.of_cluster;
    list.push_back({filter, part.number});
  });
  entry.scorers.clear();
  for (const auto& tier : plugins_.hooks<NodeScorer>()) {
    for (const NodeScorer* scorer : tier) {
      if (scorer->ScoreDependsOn(task) != DependsOn::kNothing) entry.scorers.push_back(scorer);
    }
  }
  FindBatchScorers(plugins_, task, &entry.batch_scorers);
  entry.tree.clear();
  entry.log_position = cluster.node_log_start() + cluster.node_log().size();
  const std::size_t size = place_.size();
  entry.fit.assign(size, kNot);
  entry.reason.assign(size, kFits);
  entry.score.assign(size, 0.0);

  EvaluateRoom(entry, task, room);
  const StaticEntry& shared = statics_[entry.static_entry];
  const bool static_only = entry.filters.of_node.empty();
  for (const NodeId node : cluster.nodes()) {
    const std::size_t n = node.index();
    if (entry.fit[n] == kNot) {
      entry.reason[n] = kNoRoom;
    } else if (!static_only || !shared.known[n]) {
      EvaluateFilters(entry, task, node);
    } else if (shared.reason[n] != kFits) {
      entry.reason[n] = shared.reason[n];
      entry.fit[n] = kNot;
    }
  }
  bool listed = false;
  for (const NodeScorer* scorer : entry.scorers) {
    if (scorer->ScoreAllNodes(task, entry.score)) continue;
    if (!listed) {
      listed = true;
      scratch_nodes_.clear();
      for (const NodeId node : cluster.nodes()) {
        if (entry.fit[node.index()] != kNot) scratch_nodes_.push_back(node);
      }
    }
    scratch_scores_.assign(scratch_nodes_.size(), 0.0);
    scorer->ScoreNodes(task, scratch_nodes_, scratch_scores_);
    for (std::size_t i = 0; i < scratch_nodes_.size(); ++i) {
      entry.score[scratch_nodes_[i].index()] += scratch_scores_[i];
    }
  }
}

void NodeFinder::Refresh(Entry& entry, const Task& task, Room room) {
  const model::Cluster& cluster = view_.cluster();
  const std::vector<NodeId>& log = cluster.node_log();
  const std::uint64_t end = cluster.node_log_start() + log.size();
  if (entry.log_position == end) return;
  if (entry.log_position < cluster.node_log_start() || end - entry.log_position > place_.size()) {
    Fill(entry, task, room);
    return;
  }
  for (std::size_t i = entry.log_position - cluster.node_log_start(); i < log.size(); ++i) {
    const NodeId node = log[i];
    // A node that changes several times in a row is looked at once.
    if (i + 1 < log.size() && log[i + 1] == node) continue;
    if (!cluster.node(node).exists()) continue;
    EvaluateOne(entry, task, node, room);
    if (!entry.tree.empty()) UpdateTree(entry, node);
  }
  entry.log_position = end;
}

// ---- one node, many nodes

void NodeFinder::EvaluateRoom(Entry& entry, const Task& task, Room room) {
  const std::size_t size = entry.fit.size();
  if (room == Room::kIgnored) {
    std::ranges::fill(entry.fit, kNow);
    return;
  }
  const model::NodeLedger& ledger = view_.cluster().ledger();
  const Resource& request = task.request();
  thread_local std::vector<double> now, later;  // scratch
  now.assign(size, std::numeric_limits<double>::max());
  later.assign(size, std::numeric_limits<double>::max());
  model::ForEachDimension(request.defined(), [&](int d) {
    LowerSlack(size, ledger.idle(d), request[d] - Resource::kEpsilon, now.data());
    LowerSlack(size, ledger.future(d), request[d] - Resource::kEpsilon, later.data());
  });
  // As in Volcano a node must have the room in future also when it has it now: what was promised
  // to others is not for taking.
  for (std::size_t n = 0; n < size; ++n) {
    entry.fit[n] = later[n] > 0 ? (now[n] > 0 ? kNow : kLater) : kNot;
  }
}

NodeFinder::Fit NodeFinder::RoomOn(const Task& task, NodeId node, Room room) const {
  if (room == Room::kIgnored) return kNow;
  const model::NodeLedger& ledger = view_.cluster().ledger();
  if (!ledger.FitsFuture(task.request(), node)) return kNot;
  return ledger.FitsIdle(task.request(), node) ? kNow : kLater;
}

NodeFinder::ReasonIndex NodeFinder::Keep(const Verdict& verdict) {
  if (verdict.ok()) return kFits;
  for (std::size_t i = 0; i < verdicts_.size(); ++i) {
    if (verdicts_[i] == verdict) return static_cast<ReasonIndex>(i + 2);
  }
  // Beyond what an index can count the last one stands for the rest.
  if (verdicts_.size() + 2 < 0xffff) verdicts_.push_back(verdict);
  return static_cast<ReasonIndex>(verdicts_.size() + 1);
}

NodeFinder::ReasonIndex NodeFinder::StaticReason(Entry& entry, const Task& task, NodeId node) {
  StaticEntry& shared = statics_[entry.static_entry];
  const std::size_t n = node.index();
  if (!shared.known[n]) {
    shared.known[n] = 1;
    for (const FilterCall& call : entry.filters.of_static) {
      const Verdict verdict = call.filter->Filter(task, view_.cluster().node(node), call.part);
      if (verdict.ok()) continue;
      shared.reason[n] = Keep(verdict);
      break;
    }
  }
  return shared.reason[n];
}

void NodeFinder::EvaluateFilters(Entry& entry, const Task& task, NodeId node) {
  const std::size_t n = node.index();
  ReasonIndex reason = entry.filters.of_static.empty() ? kFits : StaticReason(entry, task, node);
  if (reason == kFits) {
    for (const FilterCall& call : entry.filters.of_node) {
      reason = Keep(call.filter->Filter(task, view_.cluster().node(node), call.part));
      if (reason != kFits) break;
    }
  }
  entry.reason[n] = reason;
  if (reason != kFits) entry.fit[n] = kNot;
}

void NodeFinder::EvaluateOne(Entry& entry, const Task& task, NodeId node, Room room) {
  const std::size_t n = node.index();
  entry.fit[n] = RoomOn(task, node, room);
  if (entry.fit[n] == kNot) {
    entry.reason[n] = kNoRoom;
    return;
  }
  EvaluateFilters(entry, task, node);
  if (entry.fit[n] == kNot || entry.scorers.empty()) return;
  entry.score[n] = 0;
  for (const NodeScorer* scorer : entry.scorers) {
    double score = 0;
    scorer->ScoreNodes(task, std::span(&node, 1), std::span(&score, 1));
    entry.score[n] += score;
  }
}

void NodeFinder::Score(const Entry& entry, const Task& task, std::span<const NodeId> nodes,
                       std::span<double> scores) const {
  for (const NodeScorer* scorer : entry.scorers) scorer->ScoreNodes(task, nodes, scores);
}

// ---- the best

void NodeFinder::BuildTree(Entry& entry) const {
  const std::vector<NodeId>& nodes = view_.cluster().nodes();
  const std::size_t leaves = std::bit_ceil(std::max<std::size_t>(nodes.size(), 1));
  entry.tree.assign(2 * leaves, Found{}.node.value);
  for (std::size_t i = 0; i < nodes.size(); ++i) entry.tree[leaves + i] = nodes[i].value;
  for (std::size_t i = leaves - 1; i > 0; --i) {
    const NodeId left{entry.tree[2 * i]}, right{entry.tree[2 * i + 1]};
    entry.tree[i] = right.valid() && Beats(entry, right, left) ? right.value : left.value;
  }
}

void NodeFinder::UpdateTree(Entry& entry, NodeId node) const {
  const std::size_t leaves = entry.tree.size() / 2;
  for (std::size_t i = (leaves + place_[node.index()]) / 2; i > 0; i /= 2) {
    const NodeId left{entry.tree[2 * i]}, right{entry.tree[2 * i + 1]};
    entry.tree[i] = right.valid() && Beats(entry, right, left) ? right.value : left.value;
  }
}

std::optional<NodeFinder::Found> NodeFinder::Pick(Entry& entry) {
  const std::vector<NodeId>& nodes = view_.cluster().nodes();
  if (nodes.empty()) return std::nullopt;
  NodeId best = nodes.front();
  if (entry.lookups == 1) {
    for (const NodeId node : nodes) {
      if (Beats(entry, node, best)) best = node;
    }
  } else {
    if (entry.tree.empty()) BuildTree(entry);
    best = NodeId{entry.tree[1]};
  }
  if (entry.fit[best.index()] == kNot) return std::nullopt;
  return Found{.node = best, .now = entry.fit[best.index()] == kNow};
}

NodeId NodeFinder::BestOf(const Entry& entry, const Task& task, std::span<const NodeId> nodes) {
  if (nodes.size() == 1) return nodes.front();
  scratch_scores_.resize(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    scratch_scores_[i] = entry.score[nodes[i].index()];
  }
  for (const BatchScorer* scorer : entry.batch_scorers) {
    scorer->ScoreBatch(task, nodes, scratch_scores_);
  }
  for (const auto& tier : plugins_.hooks<BestNode>()) {
    for (const BestNode* plugin : tier) {
      if (const auto chosen = plugin->Choose(task, nodes, scratch_scores_)) return *chosen;
    }
  }
  return nodes[static_cast<std::size_t>(std::ranges::max_element(scratch_scores_) -
                                        scratch_scores_.begin())];
}

std::optional<NodeFinder::Found> NodeFinder::PickByList(Entry& entry, const Task& task) {
  for (const Fit level : {kNow, kLater}) {
    scratch_nodes_.clear();
    for (const NodeId node : view_.cluster().nodes()) {
      if (entry.fit[node.index()] != level) continue;
      bool fits = true;
      for (const FilterCall& call : entry.filters.of_cluster) {
        const Verdict verdict = call.filter->Filter(task, view_.cluster().node(node), call.part);
        if (verdict.ok()) continue;
        entry.reason[node.index()] = Keep(verdict);
        fits = false;
        break;
      }
      if (fits) scratch_nodes_.push_back(node);
    }
    if (scratch_nodes_.empty()) continue;
    return Found{.node = BestOf(entry, task, scratch_nodes_), .now = level == kNow};
  }
  return std::nullopt;
}

std::optional<NodeFinder::Found> NodeFinder::Best(const Task& task, Room room) {
  if (task.task_class->unknown_resource) return std::nullopt;
  Entry& entry = EntryFor(task, room);
  if (entry.filters.of_cluster.empty() && entry.batch_scorers.empty() &&
      plugins_.hooks<BestNode>().empty()) {
    return Pick(entry);
  }
  return PickByList(entry, task);
}

std::optional<NodeFinder::Found> NodeFinder::Try(const Task& task, NodeId node, Room room) {
  if (task.task_class->unknown_resource || !view_.cluster().node(node).exists()) {
    return std::nullopt;
  }
  const Fit fit = RoomOn(task, node, room);
  if (fit == kNot || !view_.Filter(task, view_.cluster().node(node)).ok()) return std::nullopt;
  return Found{.node = node, .now = fit == kNow};
}

std::vector<NodeId> NodeFinder::ForPreemption(const Task& task) {
  std::vector<NodeId> nodes;
  if (task.task_class->unknown_resource) return nodes;
  Entry& entry = EntryFor(task, Room::kIgnored);
  for (const NodeId node : view_.cluster().nodes()) {
    const ReasonIndex reason = entry.reason[node.index()];
    Verdict verdict = reason == kFits ? Verdict::Ok() : verdicts_[reason - 2];
    // The first refusal hides later ones, which may be final.
    if (verdict.code != Verdict::Code::kUnresolvable) {
      for (const auto* calls :
           {&entry.filters.of_static, &entry.filters.of_node, &entry.filters.of_cluster}) {
        if (verdict.ok() && calls != &entry.filters.of_cluster) continue;
        for (const FilterCall& call : *calls) {
          if (verdict.code == Verdict::Code::kUnresolvable) break;
          verdict = call.filter->Filter(task, view_.cluster().node(node), call.part);
        }
      }
    }
    if (verdict.code != Verdict::Code::kUnresolvable) nodes.push_back(node);
  }
  std::vector<double> scores(nodes.size(), 0.0);
  Score(entry, task, nodes, scores);
  for (const BatchScorer* scorer : entry.batch_scorers) scorer->ScoreBatch(task, nodes, scores);
  std::vector<std::uint32_t> order(nodes.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order,
                           [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
  std::vector<NodeId> sorted;
  sorted.reserve(nodes.size());
  for (const std::uint32_t i : order) sorted.push_back(nodes[i]);
  return sorted;
}

FitFailure NodeFinder::Explain(const Task& task, Room room) {
  FitFailure failure;
  if (task.task_class->unknown_resource) {
    failure.other = reasons::kUnknownResource;
    return failure;
  }
  const model::Cluster& cluster = view_.cluster();
  Entry& entry = EntryFor(task, room);
  // Counted by number first: there may be many nodes and are few reasons.
  std::vector<int> by_reason(verdicts_.size() + 2, 0);
  boost::unordered_flat_map<model::DimensionSet, int> by_lack;
  for (const NodeId node : cluster.nodes()) {
    const ReasonIndex reason = entry.reason[node.index()];
    if (reason == kNoRoom) {
      ++by_lack[cluster.ledger().LackingInFuture(task.request(), node)];
    } else {
      ++by_reason[reason];
    }
  }
  std::map<std::string, int> counts;
  for (std::size_t i = 2; i < by_reason.size(); ++i) {
    if (by_reason[i] > 0) counts[std::string(verdicts_[i - 2].reason)] += by_reason[i];
  }
  for (const auto& [lacking, count] : by_lack) {
    for (const std::string& name : cluster.dimensions().Names(lacking)) {
      counts[name == "pods" ? std::string("Too many pods") : "Insufficient " + name] += count;
    }
  }
  failure.nodes = static_cast<int>(cluster.nodes().size());
  failure.nodes_by_reason.assign(counts.begin(), counts.end());
  std::ranges::stable_sort(failure.nodes_by_reason, std::greater(),
                           &std::pair<std::string, int>::second);
  return failure;
}

}  // namespace basalt::scheduler
