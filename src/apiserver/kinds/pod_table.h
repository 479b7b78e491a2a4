#pragma once

#include "apiserver/object/kind.h"

namespace basalt::apiserver {

// A pod's row in kubectl's table: READY, STATUS, RESTARTS and the rest.
json::array PodCells(const json::object& pod, Time now);

}  // namespace basalt::apiserver
