#include "descheduler/plugins/defragmentation.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/check.h"
#include "descheduler/plugins/facts.h"

namespace basalt::descheduler {

using model::Node;
using model::NodeId;
using model::Task;

Defragmentation::Defragmentation(const DefragmentationArgs& args, std::string_view resource_type)
    : args_(args), resource_(resource_type.empty() ? args.resource_type : resource_type) {
  BASALT_CHECK(args.low.contains(resource_));
}

Percentages Defragmentation::UtilisationOf(const model::Cluster& cluster, const Node& node,
                                           const Thresholds& resources) {
  Percentages percentages;
  for (const auto& [name, threshold] : resources) {
    const auto dimension = cluster.dimensions().Find(name);
    percentages[name] = dimension ? Percent(cluster.ledger().used(*dimension)[node.id.index()],
                                            node.allocatable[*dimension])
                                  : 0;
  }
  return percentages;
}

double Defragmentation::PercentOf(const Node& node, int dimension) const {
  return Percent(run_->cluster().ledger().used(dimension)[node.id.index()],
                 node.allocatable[dimension]);
}

NodeOrder::Entry Defragmentation::EntryOf(const Node& node, std::uint32_t place) const {
  const double idle = run_->cluster().ledger().idle(*dimension_, node.id);
  const double allocatable = node.allocatable[*dimension_];
  const double kept = allocatable * (100 - args_.protection.at(resource_)) / 100;
  return {.percent = PercentOf(node, *dimension_),
          .idle = idle,
          .room = idle - kept + model::Amounts::kEpsilon,
          .place = place,
          .node = node.id};
}

// ---- which nodes give pods, and which take them

void Defragmentation::Classify(const std::vector<const Node*>& nodes) {
  const model::Cluster& cluster = run_->cluster();
  const double defragment = args_.defragment.at(resource_);
  const double protection = args_.protection.at(resource_);
  infos_.assign(cluster.node_slots().bound(), {});
  std::int64_t below_low = 0;
  std::vector<Source> candidates;
  for (std::uint32_t place = 0; place < nodes.size(); ++place) {
    const Node& node = *nodes[place];
    NodeInfo& info = InfoOf(node.id);
    info.node = &node;
    // A node without the resource has nothing of it to be packed.
    if (!IsInService(node) || node.allocatable[*dimension_] <= 0) continue;
    info.entry = EntryOf(node, place);
    const bool is_low = std::ranges::all_of(limits_, [&](const Limits& limits) {
      return (limits.dimension ? PercentOf(node, *limits.dimension) : 0) < limits.low;
    });
    below_low += is_low;
    const bool cools_down = CoolsDown(node, kLoadAwareCoolDown, run_->now());
    const bool may_take = !cools_down && run_->MayTake(node);
    std::vector<const Task*> pods = run_->PodsOf(node);
    if (may_take && info.entry.percent > defragment && info.entry.percent < protection) {
      info.kind = Kind::kTarget;
      targets_.Add(info.entry);
    } else if (args_.pack_underused && may_take && !pods.empty() &&
               info.entry.percent < defragment) {
      // One that is empty takes nothing: another would be free instead.
      info.kind = Kind::kUnderused;
      underused_.Add(info.entry);
    }
    if (!is_low || pods.empty()) continue;
    if (IsCritical(node)) {
      run_->Block(node, "Critical", "its label critical=true keeps its pods where they are");
    } else if (cools_down || CoolsDown(node, kDefragmentationCoolDown, run_->now())) {
      run_->Block(node, "CoolingDown",
                  fmt::format("pods were moved from or to it a short while ago: see its annotation "
                              "{}",
                              cools_down ? kLoadAwareCoolDown : kDefragmentationCoolDown));
    } else {
      candidates.push_back({.node = &node, .pods = std::move(pods)});
    }
  }
  targets_.Sort();
  underused_.Sort();
  if (below_low <= args_.number_of_nodes) {
    for (const Source& source : candidates) {
      run_->Block(*source.node, "NumberOfNodes",
                  fmt::format("{} nodes are below lowThresholds, and numberOfNodes ({}) asks for "
                              "more",
                              below_low, args_.number_of_nodes));
    }
    return;
  }
  std::ranges::sort(candidates, [&](const Source& a, const Source& b) {
    const NodeOrder::Entry& left = InfoOf(a.node->id).entry;
    const NodeOrder::Entry& right = InfoOf(b.node->id).entry;
    return std::tie(left.percent, left.place) < std::tie(right.percent, right.place);
  });
  for (Source& source : candidates) {
    std::ranges::sort(source.pods, [&](const Task* a, const Task* b) {
      const double left = a->request()[*dimension_], right = b->request()[*dimension_];
      if (left != right) return left > right;
      return std::tie(a->ns(), a->name()) < std::tie(b->ns(), b->name());
    });
  }
  sources_ = std::move(candidates);
}

void Defragmentation::ProposeTogether(Run& run) {
  run_ = &run;
  const std::vector<const Node*> nodes = run.Nodes(args_.node_selector);
  dimension_ = run.cluster().dimensions().Find(resource_);
  if (!dimension_) return;  // no node has it
  for (const auto& [name, low] : args_.low) {
    limits_.push_back({.name = name,
                       .dimension = run.cluster().dimensions().Find(name),
                       .low = low,
                       .protection = args_.protection.at(name)});
  }
  Classify(nodes);
  // A pod that must be beside another can go once that has gone; each time round another is free.
  constexpr int kMostRounds = 8;
  bool went = TryAll(false);
  for (int round = 1; went && round < kMostRounds; ++round) went = TryAll(true);
  for (Source& source : sources_) {
    for (Blocked& blocked : source.blocked) run.Block(std::move(blocked));
  }
}

bool Defragmentation::TryAll(bool again) {
  bool went = false;
  for (Source& source : sources_) {
    if (source.is_done || InfoOf(source.node->id).took > 0) continue;
    if (again && !source.others_may_help) continue;
    const std::size_t said = run_->blocked().size();
    others_may_help_ = false;
    Empty(source);
    source.blocked.assign(run_->blocked().begin() + static_cast<std::ptrdiff_t>(said),
                          run_->blocked().end());
    run_->blocked().resize(said);
    source.others_may_help = others_may_help_;
    went |= source.is_done;
  }
  return went;
}

// ---- one source

std::optional<std::vector<const Task*>> Defragmentation::WhoMayGo(const Source& source) {
  std::vector<const Task*> going;
  for (const Task* pod : source.pods) {
    std::optional<Objection> objection;
    if (!args_.evictable_namespaces.Takes(pod->ns())) {
      objection = Objection{"Namespace", fmt::format("evictableNamespaces leaves its namespace "
                                                     "\"{}\" alone",
                                                     pod->ns())};
    } else if (!args_.label_selector.Matches(pod->pod->meta.labels)) {
      objection = Objection{"LabelSelector", "Defragmentation's labelSelector does not select it"};
    } else {
      objection = run_->WhyStays(*pod);
    }
    if (!objection) {
      going.push_back(pod);
      continue;
    }
    run_->Block(*pod, *objection);
    if (!args_.partial) return std::nullopt;
  }
  if (args_.partial) return going;
  if (const auto limit = run_->WhichLimit(going, args_.moves.max_migrations)) {
    run_->Block(
        *source.node, "MaxMigrations",
        fmt::format("its {} pods would be more than {} allows in a run", going.size(), *limit));
    return std::nullopt;
  }
  return going;
}

const Task* Defragmentation::PlaceAll(const std::vector<const Task*>& pods) {
  for (const Task* pod : pods) {
    if (!PlaceOne(*pod)) return pod;
  }
  return nullptr;
}

// Where the largest first leads nowhere, another order is tried: the pods can go, if there is a
// way, and a source counts as a whole. A pod that found no place chooses before the others. If it
// must be beside another pod, it comes after them.
void Defragmentation::EmptyWhole(const std::vector<const Task*>& pods) {
  constexpr int kTries = 4;
  const std::size_t mark = run_->Mark(), blocked = run_->blocked().size();
  std::vector<const Task*> order = pods;
  for (int i = 0; const Task* without = PlaceAll(order); ++i) {
    UndoTo(mark);
    const bool follows = without->task_class->needs_other_pods;
    const bool was_there = without == (follows ? order.back() : order.front());
    if (was_there || i + 1 == kTries) break;
    order.erase(std::ranges::find(order, without));
    order.insert(follows ? order.end() : order.begin(), without);
  }
  // What the first attempt met is what is in the way, unless another went well.
  const bool went = run_->Mark() > mark;
  if (went) run_->SortSince(mark, pods);
  run_->blocked().resize(blocked + (went ? 0 : 1));
}

void Defragmentation::EmptyAsFarAsItGoes(const Source& source,
                                         const std::vector<const Task*>& pods) {
  for (const Task* pod : pods) {
    if (const auto limit = run_->WhichLimit({pod}, args_.moves.max_migrations)) {
      run_->Block(*source.node, "MaxMigrations",
                  fmt::format("more pods would be more than {} allows in a run", *limit));
      return;
    }
    PlaceOne(*pod);
  }
}

void Defragmentation::Empty(Source& source) {
  const auto going = WhoMayGo(source);
  if (!going || going->empty()) return;
  const std::size_t mark = run_->Mark();
  emptying_ = source.node;
  if (args_.partial) {
    EmptyAsFarAsItGoes(source, *going);
  } else {
    EmptyWhole(*going);
  }
  emptying_ = nullptr;
  source.is_done = run_->Mark() > mark;
  NodeInfo& info = InfoOf(source.node->id);
  // It is to be free, or freer: it takes no pods.
  if (source.is_done && info.kind == Kind::kUnderused) underused_.Remove(info.entry);
}

bool Defragmentation::PlaceOne(const Task& task) {
  if (const auto refusal = run_->places().Ask(task)) {
    run_->Block(task, {"NoTarget", "it can be placed nowhere: " + *refusal});
    return false;
  }
  asked_ = &task;
  LackCounts lacks;
  const Node* target = FindIn(targets_, &lacks);
  if (!target) target = FindIn(underused_, &lacks);
  if (!target) {
    BlockNoTarget(task, lacks);
    others_may_help_ |= task.task_class->needs_other_pods || task.task_class->has_spread_rules;
    return false;
  }
  run_->Propose(task, target->id);
  NoteTaken(target->id, +1);
  return true;
}

const Node* Defragmentation::FindIn(const NodeOrder& order, LackCounts* lacks) {
  const double wanted = asked_->request()[*dimension_];
  for (const NodeOrder::Entry& entry : order.entries()) {
    if (entry.node == emptying_->id) continue;
    // Most nodes are full, and this alone finds them out.
    if (wanted > entry.room) {
      lacks->Add(wanted > entry.idle ? Lack::kResources : Lack::kProtection);
      continue;
    }
    const Node& node = *InfoOf(entry.node).node;
    Lack lack = run_->places().Room(entry.node);
    if (lack == Lack::kNothing) lack = CheckProtection(node, *asked_);
    if (lack == Lack::kNothing) lack = run_->places().Filter(node);
    if (lack == Lack::kNothing) return &node;
    lacks->Add(lack);
  }
  return nullptr;
}

Lack Defragmentation::CheckProtection(const Node& node, const Task& task) const {
  for (const Limits& limits : limits_) {
    if (!limits.dimension) continue;
    const int d = *limits.dimension;
    const double used = run_->cluster().ledger().used(d)[node.id.index()] + task.request()[d];
    if (Percent(used, node.allocatable[d]) > limits.protection) return Lack::kProtection;
  }
  return Lack::kNothing;
}

void Defragmentation::NoteTaken(NodeId node, int by) {
  NodeInfo& info = InfoOf(node);
  info.took += by;
  const NodeOrder::Entry after = EntryOf(*info.node, info.entry.place);
  OrderOf(info).Change(info.entry, after);
  info.entry = after;
}

void Defragmentation::UndoTo(std::size_t mark) {
  std::vector<NodeId> taken;
  for (std::size_t i = mark; i < run_->proposals().size(); ++i) {
    taken.push_back(run_->proposals()[i].to);
  }
  run_->RollbackTo(mark);
  for (const NodeId node : taken) NoteTaken(node, -1);
}

void Defragmentation::BlockNoTarget(const Task& task, const LackCounts& lacks) {
  const bool nobody = targets_.empty() && lacks.List().empty();
  std::vector<NodeCount> counts = lacks.List();
  std::string message;
  if (nobody) {
    int others = 0;
    for (const NodeInfo& info : infos_) others += info.node && info.node != emptying_;
    counts = {{.reason = "NoBand", .count = others}};
    message = fmt::format(
        "no node's {} is used more than defragmentThresholds ({:g} %) and less "
        "than protectionThresholds ({:g} %)",
        resource_, args_.defragment.at(resource_), args_.protection.at(resource_));
  } else {
    message = "no target can take it: " + lacks.Text();
  }
  run_->Block(Blocked{.node = run_->cluster().node(task.node()).name,
                      .ns = task.ns(),
                      .pod = task.name(),
                      .reason = "NoTarget",
                      .message = std::move(message),
                      .nodes = std::move(counts)});
}

}  // namespace basalt::descheduler
