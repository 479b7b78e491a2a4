#pragma once

#include <string_view>

#include "apiserver/apply/managed_fields.h"
#include "apiserver/rest/call.h"

// Who owns which field, on the way of a write. An object is looked after from the first server-side
// apply on, or from its creation where its creator said who it is (fieldManager, as kubectl and
// Helm do). Everything else, the bulk of what controllers write, costs nothing.
namespace basalt::apiserver {

// Settles metadata.managedFields of an object that is about to be created (`old` is null) or to
// replace `old`. After defaulting, before admission.
void TrackOwners(const Call& call, const ServedKind& kind, std::string_view subresource,
                 const json::object* old, json::object& object);

// How the kind's objects are merged; null: they are not.
const TypeSchema* MergeTypeOf(const ServedKind& kind);
FieldWriter WriterOf(const Call& call, const ServedKind& kind, std::string_view subresource);
// An object of the kind without content.
json::object ZeroObject(const ServedKind& kind);

}  // namespace basalt::apiserver
