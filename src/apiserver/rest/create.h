#pragma once

#include "apiserver/rest/call.h"

namespace basalt::apiserver {

// Takes a decoded object through defaulting, admission and validation into the store, and answers.
void CreateObject(const CallPtr& call, json::object object);

}  // namespace basalt::apiserver
