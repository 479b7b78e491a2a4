#pragma once

#include <string>
#include <string_view>

namespace basalt::model {

// The object by which a queue that every cluster has, root or the default one, is made where it is
// missing. Controller and scheduler make the same.
std::string BuiltinQueueBody(std::string_view name);

}  // namespace basalt::model
