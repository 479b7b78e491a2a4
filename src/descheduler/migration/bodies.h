#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "kube/types/node.h"

// What a migration sends to the API server (contract C8, W18 and W20). Pure.
namespace basalt::descheduler {

struct ReservationOfMove {
  std::string name;
  std::string plan;
  std::string descheduler;  // its lock namespace
  std::string queue;        // the pod's
  std::string target;       // "": anywhere
  Duration ttl{0};
};
// The reservation that holds a place for the pod's replacement. `pod`: as the API server has it. An
// error: no controller would replace it.
Result<boost::json::object> ReservationBody(const boost::json::object& pod,
                                            const ReservationOfMove& move);

// Whether the reservation that the API server has is the one that this body asked for.
bool IsReservationOfMove(const boost::json::object& reservation, const ReservationOfMove& move,
                         std::string_view pod_uid);

// JSON patches that are refused when the node's taints are no longer as they were seen; nothing:
// there is nothing to do. A taint of another plan is left alone.
std::optional<std::string> TaintPatch(const kube::Node& node, std::string_view plan);
std::optional<std::string> UntaintPatch(const kube::Node& node, std::string_view plan);
// The plan that has tainted the node; "": none has.
std::string_view TaintingPlan(const kube::Node& node);

std::string CoolDownPatch(std::string_view annotation, Time until);

// `grace_period_s` below 0: the pod's own.
std::string EvictionBody(std::string_view ns, std::string_view pod, std::string_view uid,
                         std::int64_t grace_period_s);

}  // namespace basalt::descheduler
