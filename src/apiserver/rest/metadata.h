#pragma once

#include <string_view>

#include "apiserver/core/core.h"
#include "apiserver/object/status.h"
#include "apiserver/storage/kind_registry.h"

// The parts of an object's metadata that the server owns, the same for all kinds.
namespace basalt::apiserver {

// Takes the request's namespace, refuses another.
ApiResult<void> SettleNamespace(const ServedKind& kind, std::string_view ns, json::object& object);
// uid and creationTimestamp; drops what only the server sets.
void FillForCreate(Core& core, json::object& object);
// Puts back what the user left out and what no update may change.
void KeepForUpdate(json::object& object, const json::object& old);

}  // namespace basalt::apiserver
