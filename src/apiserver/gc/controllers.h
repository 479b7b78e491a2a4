#pragma once

#include <functional>

#include "apiserver/core/core.h"
#include "apiserver/object/object.h"
#include "apiserver/storage/store.h"

// Controllers inside the server. Each subscribes to what it acts on and works on the loop, after
// the write that called for it. Owned by the Server, which they must not outlive; loop thread only.
namespace basalt::apiserver {

// Deletes what is left over, as kube-controller-manager does: dependents whose owners are all gone,
// dependents of an owner that is deleted in the foreground, and what a namespace or custom resource
// definition takes with it. Orphans dependents where that was asked for.
std::unique_ptr<EventSink> MakeGarbageCollector(Core& core);

// Serves what CustomResourceDefinitions define, while they exist, and tells them so in their
// status. A definition's kinds are there when its create returns; its conditions follow a moment
// later.
std::unique_ptr<EventSink> MakeDefinitionController(Core& core);

// Keeps the status of PodDisruptionBudgets, as kube-controller-manager's disruption controller
// does: how many pods a budget covers, how many of them are healthy, how many may be disturbed.
// Looks at a namespace again a moment after a pod or a budget in it has changed; a namespace
// without budgets costs a lookup.
std::unique_ptr<EventSink> MakeDisruptionController(Core& core);

// Takes Events away when they have not been written for ServerOptions::event_ttl, as kube-apiserver
// does: they tell what happened, no client deletes them, and they come without end.
std::unique_ptr<EventSink> MakeEventExpiry(Core& core);

// Lets go of claims and volumes that are being deleted, once they are no longer used, as the
// protection controllers of kube-controller-manager do: a claim when no pod that may still run
// names it, a volume when it is not bound.
std::unique_ptr<EventSink> MakeVolumeProtection(Core& core);

// The status that a budget should have, given the pods that it selects. `scale_of` tells how many
// pods a pod's controller wants; nothing: it cannot be told. Pure.
json::object BudgetStatus(
    const json::object& budget, const std::vector<json::object>& pods,
    const std::function<std::optional<std::int64_t>(const json::object& owner)>& scale_of,
    Time now);

}  // namespace basalt::apiserver
