#pragma once

#include <string_view>

#include "apiserver/rest/call.h"

namespace basalt::apiserver {

// Answers what is not about objects: discovery, /version, health, OpenAPI, access reviews. False:
// the path is something else.
bool ServeDiscovery(const CallPtr& call, std::string_view path);

}  // namespace basalt::apiserver
