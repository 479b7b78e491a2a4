#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "descheduler/plan/plan.h"
#include "scheduler/framework/session.h"
#include "scheduler/framework/task_rules.h"

namespace basalt::descheduler {

// What a node lacks for a pod, as plans name it.
enum class Lack : std::uint8_t {
  kNothing,
  kResources,
  kPods,
  kProtection,  // not the scheduler's: the policy's
  kTaints,
  kAffinity,
  kHostPorts,
  kVolumes,
  kNode,  // its condition, or that it is cordoned
  kOther,
};
inline constexpr int kLacks = 10;
std::string_view ToString(Lack lack);

// How many nodes lack what. A plain value.
class LackCounts {
 public:
  void Add(Lack lack) { ++counts_[static_cast<std::size_t>(lack)]; }
  // Most first, then by name.
  std::vector<NodeCount> List() const;
  // "2 Resources, 1 Taints".
  std::string Text() const;

 private:
  std::array<int, kLacks> counts_{};
};

// Whether a pod that is on a node could have a place on another, by the scheduler's own rules: its
// filters, and what the ledgers say is free now and not promised. The pod is judged while it is
// where it is: its place is to be held before it goes, so that its own rules about pods like it
// count it, too.
//
// Asks about one pod after another; verdicts on node objects are kept for the life of the session.
// Owned by a Run, on its thread.
class Places {
 public:
  Places(scheduler::Session& session, const scheduler::PluginSet& plugins)
      : session_(session), plugins_(plugins) {}

  // The pod that the next questions are about. An objection: it could be placed nowhere.
  std::optional<std::string> Ask(const model::Task& task);
  // Room for it: kNothing, kResources or kPods.
  Lack Room(model::NodeId node) const;
  // The filters alone.
  Lack Filter(const model::Node& node);
  Lack Judge(const model::Node& node) {
    const Lack room = Room(node.id);
    return room != Lack::kNothing ? room : Filter(node);
  }

  // Its own required anti-affinity is against a pod in the node's neighbourhood.
  bool AntiAffinityForbids(const model::Node& node);

 private:
  const model::Cluster& cluster() const { return session_.cluster(); }
  Lack LackOf(const scheduler::Verdict& verdict) const;

  scheduler::Session& session_;
  const scheduler::PluginSet& plugins_;
  scheduler::VerdictCache verdicts_;
  // Of the pod that is asked about.
  const model::Task* task_ = nullptr;
  scheduler::TaskRules rules_;
  std::shared_ptr<scheduler::VerdictCache::Statics> statics_;
};

}  // namespace basalt::descheduler
