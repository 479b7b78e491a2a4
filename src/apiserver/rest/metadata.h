#pragma once

#include <string_view>

#include "apiserver/core/core.h"
#include "apiserver/object/status.h"
#include "apiserver/storage/kind_registry.h"

// What is the same for the objects of all kinds on their way into the store.
namespace basalt::apiserver {

// Takes the request's namespace, refuses another.
ApiResult<void> SettleNamespace(const ServedKind& kind, std::string_view ns, json::object& object);
// uid and creationTimestamp; drops what only the server sets.
void FillForCreate(Core& core, json::object& object);
// Whether an object may be stored: nested at most kMostDepth deep, at most max_object_bytes long.
// Asked before every write that a client's words can make larger.
ApiResult<void> CheckStorable(const Core& core, const json::object& object);
// Puts back what the user left out and what no update may change.
void KeepForUpdate(json::object& object, const json::object& old);

}  // namespace basalt::apiserver
