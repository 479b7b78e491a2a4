#pragma once

#include <string_view>

#include "apiserver/object/object.h"
#include "apiserver/storage/kind_registry.h"

// What clients are told of the kinds that are served.
namespace basalt::apiserver {

// Group by group, the core group first, the versions of each in the order of preference: the items
// of an APIGroupDiscoveryList, from which the older forms are made.
json::array ServedGroups(const KindRegistry& kinds);

// The group of that name, and its version; null: there is none.
const json::object* FindGroup(const json::array& groups, std::string_view name);
const json::object* FindVersion(const json::object& group, std::string_view version);

// /apis/GROUP: an APIGroup.
json::object OldGroup(const json::object& group);
// /api/v1 and /apis/GROUP/VERSION: an APIResourceList.
json::object OldResources(const json::object& group, const json::object& version);

}  // namespace basalt::apiserver
