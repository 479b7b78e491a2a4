#include "descheduler/plan/plan.h"

#include <boost/json/array.hpp>
#include <utility>

namespace basalt::descheduler {

namespace {

namespace json = boost::json;

json::object ToJson(const Percentages& values) {
  json::object out;
  for (const auto& [resource, value] : values) out[resource] = value;
  return out;
}

json::object ToJson(const kube::ResourceList& amounts) {
  json::object out;
  for (const auto& [resource, amount] : amounts) out[resource] = amount.ToString();
  return out;
}

json::object ToJson(const PlannedNode& node) {
  return {{"name", node.name},
          {"role", ToString(node.role)},
          {"before", ToJson(node.before)},
          {"after", ToJson(node.after)}};
}

json::object ToJson(const Move& move) {
  return {{"namespace", move.ns},
          {"pod", move.pod},
          {"uid", move.uid},
          {"from", move.from},
          {"to", move.to},
          {"request", ToJson(move.request)},
          {"state", ToString(move.state)},
          {"reason", move.reason},
          {"message", move.message}};
}

json::object ToJson(const Blocked& blocked) {
  json::array counts;
  for (const NodeCount& count : blocked.nodes) {
    counts.push_back(json::object{{"reason", count.reason}, {"count", count.count}});
  }
  return {{"node", blocked.node},     {"namespace", blocked.ns},    {"pod", blocked.pod},
          {"reason", blocked.reason}, {"message", blocked.message}, {"nodes", std::move(counts)}};
}

template <class T>
json::array ListOf(const std::vector<T>& items) {
  json::array out;
  out.reserve(items.size());
  for (const T& item : items) out.push_back(ToJson(item));
  return out;
}

}  // namespace

std::string_view ToString(Trigger trigger) {
  switch (trigger) {
    case Trigger::kApi: return "api";
    case Trigger::kInterval: return "interval";
    case Trigger::kCron: return "cron";
  }
  std::unreachable();
}

std::string_view ToString(PlanState state) {
  switch (state) {
    case PlanState::kPlanned: return "Planned";
    case PlanState::kRunning: return "Running";
    case PlanState::kSucceeded: return "Succeeded";
    case PlanState::kFailed: return "Failed";
  }
  std::unreachable();
}

std::string_view ToString(NodeRole role) {
  switch (role) {
    case NodeRole::kNone: return "none";
    case NodeRole::kSource: return "source";
    case NodeRole::kTarget: return "target";
  }
  std::unreachable();
}

std::string_view ToString(MoveState state) {
  switch (state) {
    case MoveState::kPlanned: return "Planned";
    case MoveState::kReserving: return "Reserving";
    case MoveState::kEvicting: return "Evicting";
    case MoveState::kRebinding: return "Rebinding";
    case MoveState::kSucceeded: return "Succeeded";
    case MoveState::kFailed: return "Failed";
    case MoveState::kCancelled: return "Cancelled";
  }
  std::unreachable();
}

boost::json::object ToJson(const Plan& plan) {
  json::array freed_nodes(plan.freed_nodes.begin(), plan.freed_nodes.end());
  return {
      {"id", plan.id},
      {"profile", plan.profile},
      {"trigger", ToString(plan.trigger)},
      {"dryRun", plan.dry_run},
      {"state", ToString(plan.state)},
      {"resourceType", plan.resource_type},
      {"nodes", ListOf(plan.nodes)},
      {"moves", ListOf(plan.moves)},
      {"blocked", ListOf(plan.blocked)},
      {"freed", {{"nodes", std::move(freed_nodes)}, {"resources", ToJson(plan.freed_resources)}}},
      {"disrupted", plan.disrupted},
      {"fragmentation",
       {{"before", ToJson(plan.fragmentation_before)},
        {"after", ToJson(plan.fragmentation_after)}}},
      {"score", plan.score}};
}

}  // namespace basalt::descheduler
