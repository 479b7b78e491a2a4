#pragma once

#include "apiserver/object/kind.h"

namespace basalt::apiserver {

// An Event is one object with two faces: core/v1 and events.k8s.io/v1. Both directions change names
// of fields only, and apiVersion.
json::object ToCoreEvent(const json::object& event);
json::object FromCoreEvent(const json::object& event);

}  // namespace basalt::apiserver
