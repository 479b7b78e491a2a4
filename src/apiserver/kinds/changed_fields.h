#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

namespace basalt::apiserver {

// The fields in which two values of a type differ, for a refusal that says what may not change:
// ".nodeName, .containers[name="c"].command".
std::string ChangedFields(const boost::json::object& before, const boost::json::object& after,
                          std::string_view type);

}  // namespace basalt::apiserver
