#pragma once

#include <boost/json/object.hpp>

#include "apiserver/core/core.h"
#include "apiserver/object/status.h"

namespace basalt::apiserver {

// Whether an object may be stored: nested at most kMostDepth deep, at most max_object_bytes long.
// Asked before every write that a client's words can make larger.
ApiResult<void> CheckStorable(const Core& core, const json::object& object);

}  // namespace basalt::apiserver
