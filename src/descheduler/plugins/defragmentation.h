#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "descheduler/plugins/extension_points.h"
#include "descheduler/plugins/node_order.h"
#include "descheduler/plugins/run.h"

namespace basalt::descheduler {

// Empties nodes that are hardly used, so that what is free is free together (contract C8, W8 to
// W13; seed 002, 2.2 and 2.3). The least used node first; its pods go to the fullest nodes that are
// not too full, the largest pod first; all of them go, or none does. Lives while one plan is made,
// on the thread that owns the cluster.
class Defragmentation final : public Balance {
 public:
  static constexpr std::string_view kName = "Defragmentation";
  // `resource_type`: which resource counts; "": the policy's.
  Defragmentation(const DefragmentationArgs& args, std::string_view resource_type);

  void ProposeTogether(Run& run) override;

  // The share of each resource of the thresholds that is used on the node now, in per cent.
  static Percentages UtilisationOf(const model::Cluster& cluster, const model::Node& node,
                                   const Thresholds& resources);

 private:
  struct Limits {
    std::string name;
    std::optional<int> dimension;  // none: no node has the resource
    double low = 0, protection = 0;
  };
  enum class Kind : unsigned char {
    kOther,
    kTarget,
    kUnderused,  // takes pods where no target has room
  };
  struct NodeInfo {
    const model::Node* node = nullptr;
    Kind kind = Kind::kOther;
    int took = 0;            // pods that are to come; with one it is no source any more
    NodeOrder::Entry entry;  // in the order that it is in
  };
  struct Source {
    const model::Node* node;
    std::vector<const model::Task*> pods;
    std::vector<Blocked> blocked = {};  // what was in the way when it was last tried
    bool is_done = false;               // pods of it go
    bool others_may_help = false;       // it was stopped by a rule about where other pods are
  };

  double PercentOf(const model::Node& node, int dimension) const;
  NodeOrder::Entry EntryOf(const model::Node& node, std::uint32_t place) const;
  void Classify(const std::vector<const model::Node*>& nodes);
  // One try of each source that has not been emptied; `again`: of those that others may help. true:
  // one was.
  bool TryAll(bool again);
  // All that may go go, or the source is said to be blocked.
  void Empty(Source& source);
  // Those of its pods that may go at all, before any of them goes; nothing: the source is blocked.
  std::optional<std::vector<const model::Task*>> WhoMayGo(const Source& source);
  void EmptyWhole(const std::vector<const model::Task*>& pods);
  void EmptyAsFarAsItGoes(const Source& source, const std::vector<const model::Task*>& pods);
  // Each of them, in this order; nullptr: all have places; else the first that has none.
  const model::Task* PlaceAll(const std::vector<const model::Task*>& pods);
  bool PlaceOne(const model::Task& task);
  // The first in the order that can take the pod, which places() was asked about.
  const model::Node* FindIn(const NodeOrder& order, LackCounts* lacks);
  Lack CheckProtection(const model::Node& node, const model::Task& task) const;
  // `by` more pods are to go there.
  void NoteTaken(model::NodeId node, int by);
  void UndoTo(std::size_t mark);
  void BlockNoTarget(const model::Task& task, const LackCounts& lacks);
  NodeInfo& InfoOf(model::NodeId node) { return infos_[node.index()]; }
  NodeOrder& OrderOf(const NodeInfo& info) {
    return info.kind == Kind::kTarget ? targets_ : underused_;
  }

  const DefragmentationArgs& args_;
  const std::string resource_;
  Run* run_ = nullptr;
  std::vector<Limits> limits_;
  std::optional<int> dimension_;  // of resource_
  std::vector<NodeInfo> infos_;   // by node
  std::vector<Source> sources_;
  NodeOrder targets_;
  NodeOrder underused_;
  const model::Node* emptying_ = nullptr;
  const model::Task* asked_ = nullptr;
  bool others_may_help_ = false;  // the last that found no place
};

}  // namespace basalt::descheduler
