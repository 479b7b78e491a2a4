#pragma once

#include <functional>

#include "apiserver/rest/call.h"

namespace basalt::apiserver {

// Makes the new object from the stored one: a body, or the stored one patched. Called again when
// somebody else wrote in between.
using MakeObject = std::function<ApiResult<json::object>(const json::object& old)>;
using UpdateDone = std::move_only_function<void(const ApiResult<StoredPtr>&)>;

struct UpdateTarget {
  KindPtr kind;
  std::string ns;
  std::string name;
  std::string subresource;  // "status": only the status is written
  // What admission sees where the request's body is of another kind (scale).
  bool skip_admission = false;
};

// One read-modify-write with admission, validation, optimistic concurrency, and the removal of an
// object whose last finalizer goes. `done` gets what is stored now; for a dry run what would be,
// and for a removed object its last state. Runs once, now or (a webhook is asked) later.
void UpdateObject(const CallPtr& call, UpdateTarget target, MakeObject make, UpdateDone done);

}  // namespace basalt::apiserver
