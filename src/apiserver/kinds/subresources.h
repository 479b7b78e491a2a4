#pragma once

#include "apiserver/object/kind.h"
#include "apiserver/object/object.h"
#include "apiserver/object/status.h"
#include "base/clock.h"

// The rules of the subresources that are more than a part of their object. Pure functions; rest/
// reads, writes, repeats on conflict and answers. Implemented in kinds/subresources.cc.
namespace basalt::apiserver {

// POST pods/NAME/binding (and POST bindings): puts the pod on the node. Refuses a second bind, a
// pod that is gated or going, and a binding without a target, as Kubernetes does.
ApiResult<void> ApplyBinding(const json::object& binding, json::object& pod, Time now);

// POST pods/NAME/eviction. `budgets` are all PodDisruptionBudgets of the pod's namespace. The
// answer holds the budget to write first (its status: disruptionsAllowed, disruptedPods) where one
// guards the pod; none: delete without more ado. Refuses with 429 when the budget does not allow
// it.
ApiResult<std::optional<json::object>> DecideEviction(const json::object& pod,
                                                      const std::vector<json::object>& budgets,
                                                      Time now);

// NAME/scale: an autoscaling/v1 Scale of the object.
json::object MakeScale(const json::object& object, json::object spec, json::object status);
// The same of a built-in kind.
json::object ScaleOf(const KindInfo& kind, const json::object& object);
// What a Scale that is written asks for; refused where that is less than nothing.
ApiResult<std::int64_t> ReplicasOf(const json::object& scale);

}  // namespace basalt::apiserver
