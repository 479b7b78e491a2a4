#pragma once

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

// From the body of a request.
DeleteOptions ReadDeleteOptions(const json::object& body);

struct DeleteOutcome {
  bool removed = false;  // else it waits: for its grace period or its finalizers
  json::object object;   // its last or present state, with kind and apiVersion
};

// Deletes one object or marks it for deletion. Asks no admission.
ApiResult<DeleteOutcome> DeleteObject(Core& core, const ServedKind& kind, std::string_view key,
                                      const DeleteOptions& options);

bool HasFinalizers(const json::object& object);
// Those that a namespace has of its own count, too: it goes when the server has emptied it.
bool HasFinalizers(const KindInfo& info, const json::object& object);

// How a deletion is to go on: owned objects stay, owned objects go first, a definition's objects
// go.
inline constexpr std::string_view kOrphanFinalizer = "orphan";
inline constexpr std::string_view kForegroundFinalizer = "foregroundDeletion";
inline constexpr std::string_view kCleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

// Takes a finalizer off an object, and the object away if it was the last one of an object that is
// being deleted. Nothing happens where the object or the finalizer is not there.
void RemoveFinalizer(Store& store, Collection& collection, std::string_view key,
                     std::string_view finalizer);

}  // namespace basalt::apiserver
