#pragma once

#include <boost/json/object.hpp>

namespace basalt::apiserver {

// A new pod's matchLabelKeys and mismatchLabelKeys, in its pod affinities and spread constraints,
// become requirements of the selectors beside them: schedulers look at the selectors alone.
void MergeLabelKeys(boost::json::object& pod);

}  // namespace basalt::apiserver
