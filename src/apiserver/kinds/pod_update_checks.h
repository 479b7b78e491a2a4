#pragma once

#include "apiserver/object/field_errors.h"
#include "apiserver/object/kind.h"

namespace basalt::apiserver {

// What of a pod may change once it is there: images, deadlines that shrink, tolerations that are
// added, gates that go, and more while it is gated.
void ValidatePodUpdate(const json::object& pod, const json::object& old, FieldErrors& errors);

}  // namespace basalt::apiserver
