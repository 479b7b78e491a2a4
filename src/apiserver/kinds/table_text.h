#pragma once

#include <string>
#include <string_view>

#include "apiserver/object/kind.h"

// Pieces of kubectl's tables.
namespace basalt::apiserver {

// "5m18s", "3d4h": a duration as people say it.
std::string HumanDuration(Duration duration);
// How long ago; "<unknown>" for a time that is not there or not a time.
std::string Since(std::string_view timestamp, Time now);
// metadata.creationTimestamp, as an age.
std::string Age(const json::object& object, Time now);
// `text`, or "<none>" where it is empty.
std::string OrNone(std::string_view text);
// "a=b,c in (d,e)", or "<none>" where nothing is selected; for a metav1.LabelSelector.
std::string SelectorText(const json::object* selector);
// "a=b,c=d" in order of keys, or "<none>".
std::string LabelsText(const json::object* labels);

}  // namespace basalt::apiserver
