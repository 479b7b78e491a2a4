#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kube/types/resource_list.h"

// What a run of the descheduler is to do, does and did (contract C8, W14 and W15): one object for
// the planner that makes it, the migration that carries it out, the HTTP API and the command line.
namespace basalt::descheduler {

enum class Trigger : std::uint8_t { kApi, kInterval, kCron };
enum class PlanState : std::uint8_t { kPlanned, kRunning, kSucceeded, kFailed };
enum class NodeRole : std::uint8_t { kNone, kSource, kTarget };
enum class MoveState : std::uint8_t {
  kPlanned,
  kReserving,  // its reservation is made, and not Available yet
  kEvicting,   // its place is held; it is asked to go
  kRebinding,  // it goes, and its replacement is waited for
  kSucceeded,
  kFailed,
  kCancelled,  // another move of its source failed before it was evicted
};
std::string_view ToString(Trigger trigger);
std::string_view ToString(PlanState state);
std::string_view ToString(NodeRole role);
std::string_view ToString(MoveState state);

using Percentages = std::map<std::string, double>;  // by resource

struct PlannedNode {
  std::string name;
  NodeRole role = NodeRole::kNone;
  Percentages before, after;
};

struct Move {
  std::string ns, pod, uid;
  std::string from, to;
  kube::ResourceList request;
  MoveState state = MoveState::kPlanned;
  std::string reason;   // one word, where it failed or was cancelled
  std::string message;  // a sentence wherever there is a reason
};

struct NodeCount {
  std::string reason;
  int count = 0;
  bool operator==(const NodeCount&) const = default;
};

// A candidate that is not touched.
struct Blocked {
  std::string node;
  std::string ns, pod;  // that blocks; "": it is the node's own
  std::string reason;
  std::string message;
  std::vector<NodeCount> nodes;  // with NoTarget: the targets by what they lack
};

// How the moves of a plan are carried out; not shown.
struct MigrationRules {
  std::int64_t timeout_ms = 120'000;    // each wait (migrateTimeout)
  std::int64_t cool_down_ms = 600'000;  // coolDownTime
  int max_parallel = 5;                 // pods between eviction and rebind at once
  bool taints_sources = true;           // not those of LoadAware
  std::string cool_down_annotation = "defragmentation.basalt.sh/cool-down-until";
  std::int64_t grace_period_s = -1;  // of the evictions; below 0: the pods' own
};

struct Plan {
  std::string id;
  std::string profile;
  Trigger trigger = Trigger::kApi;
  bool dry_run = false;
  PlanState state = PlanState::kPlanned;
  std::string resource_type;
  std::vector<PlannedNode> nodes;  // each that the plan looked at, by name
  std::vector<Move> moves;         // in the order of W9: those of one source together
  std::vector<Blocked> blocked;
  std::vector<std::string> freed_nodes;
  kube::ResourceList freed_resources;
  int disrupted = 0;
  Percentages fragmentation_before, fragmentation_after;  // parts of 1
  double score = 0;
  MigrationRules rules;
  std::vector<std::string> unmeasured;  // nodes that were left alone for want of a figure
};

boost::json::object ToJson(const Plan& plan);

}  // namespace basalt::descheduler
