#pragma once

#include <boost/json/value.hpp>
#include <string>

#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {

// What Kubernetes says when the result of a strategic merge patch does not fit its Go type: other
// words than those of its decoder. Empty: nothing of the kind.
std::string RestoreError(const boost::json::value& value, const TypeSchema& type);

}  // namespace basalt::apiserver
