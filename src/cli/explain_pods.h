#pragma once

#include <boost/json/value.hpp>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"
#include "cli/ask_scheduler.h"
#include "kube/types/resource.h"

namespace basalt::cli {

// Of many that are asked about at once so many are explained.
inline constexpr std::size_t kMostExplained = 10;

// The label selector of a workload's pods ("app=web,tier in (a,b)"), from its spec.selector.
std::string SelectorText(const boost::json::object& selector);

// What the scheduler says of each pod with these labels that has no node, the first ones of many:
// {"items": [explanation, …], "pods": N, "placed": N}. `whose` is for the error where there is no
// such pod: "deployment web".
Result<boost::json::value> ExplainPodsWith(const AskFlags& flags, const std::string& labels,
                                           const std::string& whose);

// The same for the pods of a Deployment, ReplicaSet, StatefulSet, DaemonSet or Job of Kubernetes.
Result<boost::json::value> ExplainPodsOfWorkload(const AskFlags& flags, const kube::Resource& kind,
                                                 const std::string& name);

// For people.
std::string ExplainedPodsText(const boost::json::object& answer);

}  // namespace basalt::cli
