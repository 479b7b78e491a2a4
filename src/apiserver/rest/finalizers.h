#pragma once

#include <string_view>

#include "apiserver/storage/store.h"

namespace basalt::apiserver {

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
