#pragma once

#include "apiserver/object/kind.h"

namespace basalt::apiserver {

// Whether its condition Ready is true.
bool IsReady(const json::object& pod);
// Its row in kubectl's table; pod_table.cc.
json::array PodCells(const json::object& pod, Time now);
// What of a pod may change once it is there: images, deadlines that shrink, tolerations that are
// added, gates that go, and more while it is gated. pod_update_checks.cc.
void CheckPodUpdate(const json::object& pod, const json::object& old, FieldErrors& errors);

}  // namespace basalt::apiserver
