#pragma once

#include "apiserver/object/kind.h"

namespace basalt::apiserver {

// Its row in kubectl's table; pod_table.cc.
json::array PodCells(const json::object& pod, Time now);
// A new pod's matchLabelKeys and mismatchLabelKeys, in its pod affinities and spread constraints,
// become requirements of the selectors beside them: schedulers look at the selectors alone.
// label_keys.cc.
void MergeLabelKeys(json::object& pod);
// What of a pod may change once it is there: images, deadlines that shrink, tolerations that are
// added, gates that go, and more while it is gated. pod_update_checks.cc.
void CheckPodUpdate(const json::object& pod, const json::object& old, FieldErrors& errors);

}  // namespace basalt::apiserver
