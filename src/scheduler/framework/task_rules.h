#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/cluster.h"
#include "scheduler/framework/plugin_set.h"
#include "scheduler/framework/verdict.h"

namespace basalt::scheduler {

// The filters and scorers that concern a task, by what their answers depend on. The same for tasks
// of one class and queue, but for what depends on the cluster. Valid for one session.
struct TaskRules {
  struct FilterCall {
    const NodeFilter* filter;
    int part;
    bool operator==(const FilterCall&) const = default;
  };
  std::vector<FilterCall> of_static, of_node, of_cluster;
  std::vector<const NodeScorer*> scorers;
  std::vector<const BatchScorer*> batch_scorers;

  void Find(const PluginSet& plugins, const Task& task);
  // Only what may come and go within a session, with what is placed. false: `of_cluster` is as it
  // was.
  bool FindClusterRules(const PluginSet& plugins, const Task& task);
};

// The first of them that refuses the node counts; none: ok.
inline Verdict FirstRefusal(std::span<const TaskRules::FilterCall> calls, const Task& task,
                            const Node& node) {
  for (const TaskRules::FilterCall& call : calls) {
    const Verdict verdict = call.filter->Filter(task, node, call.part);
    if (!verdict.ok()) return verdict;
  }
  return Verdict::Ok();
}

// Verdicts by number, so that what is kept for every node is small, and the verdicts of static
// rules, which depend on the node object and on the task's static class and queue alone: they are
// asked for once in a session, whatever the tasks request. On the cluster's thread; lives for one
// session.
class VerdictCache {
 public:
  using Number = std::uint16_t;
  static constexpr Number kFits = 0;
  static constexpr Number kNoRoom = 1;         // said by no filter
  static constexpr Number kNotAsked = 0xffff;  // given by no Keep

  Number Keep(const Verdict& verdict);
  // Of a number that Keep gave.
  Verdict Get(Number number) const {
    return number == kFits ? Verdict::Ok() : verdicts_[number - 2];
  }
  // One more than the largest number.
  std::size_t bound() const { return verdicts_.size() + 2; }

  // By node id; those of kNotAsked are asked for.
  using Statics = std::vector<Number>;
  std::shared_ptr<Statics> StaticsOf(const Task& task, std::uint64_t queue, std::size_t nodes);
  Number StaticVerdict(Statics& statics, const TaskRules& rules, const Task& task,
                       const Node& node) {
    Number& number = statics[node.id.index()];
    if (number == kNotAsked) number = Keep(FirstRefusal(rules.of_static, task, node));
    return number;
  }
  // The static rules, then those that depend on the node and what is on it.
  Number NodeVerdict(Statics& statics, const TaskRules& rules, const Task& task, const Node& node);

  void ForgetStatics() { statics_.clear(); }

 private:
  // Rules of ever new kinds: begin again.
  static constexpr std::size_t kMostStatics = 512;

  struct Hash {
    std::size_t operator()(const Verdict& verdict) const;
  };

  std::vector<Verdict> verdicts_;  // number 2 and up
  boost::unordered_flat_map<Verdict, Number, Hash> numbers_;
  Number last_ = kFits;  // that Keep gave: mostly it is the next one too
  boost::unordered_flat_map<std::uint64_t, std::shared_ptr<Statics>> statics_;
};

}  // namespace basalt::scheduler
