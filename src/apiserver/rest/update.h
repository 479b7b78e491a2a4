#pragma once

#include <functional>

#include "apiserver/rest/call.h"

namespace basalt::apiserver {

// Makes the new object from the stored one: a body, or the stored one patched. Called again when
// somebody else wrote in between.
using MakeObject = std::function<ApiResult<json::object>(const json::object& old)>;
// Answers with what is stored now.
using UpdateAnswer = void (*)(Call& call, const StoredObject& stored);

// One read-modify-write of the object that the call's path names (of its status alone, where it
// names that), with admission, validation, optimistic concurrency, and the removal of an object
// whose last finalizer goes. Answers, now or (a webhook is asked) later, with what is stored then;
// for a dry run with what would be, and for a removed object with its last state.
void UpdateObject(const CallPtr& call, MakeObject make, UpdateAnswer answer = nullptr);

}  // namespace basalt::apiserver
