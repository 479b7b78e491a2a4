#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apiserver/core/core.h"
#include "apiserver/object/status.h"

namespace basalt::apiserver {

struct DeleteOptions {
  std::optional<std::int64_t> grace_seconds;
  std::string uid;                        // precondition; empty: none
  std::string resource_version;           // precondition; empty: none
  std::string propagation;                // "", Background, Orphan, Foreground
  std::optional<bool> orphan_dependents;  // the old way to say it
  bool dry_run = false;
};

struct DeleteOutcome {
  bool removed = false;  // else it waits: for its grace period or its finalizers
  json::object object;   // its last or present state, with kind and apiVersion
};

// Deletes one object or marks it for deletion. Asks no admission.
ApiResult<DeleteOutcome> DeleteObject(Core& core, const ServedKind& kind, std::string_view key,
                                      const DeleteOptions& options);

bool HasFinalizers(const json::object& object);

}  // namespace basalt::apiserver
