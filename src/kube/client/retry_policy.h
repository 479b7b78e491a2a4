#pragma once

#include "base/error.h"
#include "kube/client/api_client.h"

namespace basalt::kube {

// Whether sending `request` again after `error` can neither do its work twice nor undo a write of
// another client. Pure.
//
// Reads and deletes may be repeated after any passing failure. An update or a patch may when its
// body carries a precondition (a resourceVersion or a JSON patch `test`): if the first attempt did
// arrive, the second is refused as a conflict. Anything else may only when the server or the
// connection turned it away before it was looked at.
bool MayRetry(const ApiRequest& request, const Error& error);

// Whether a PUT's or PATCH's body is refused by the server once the object has changed.
bool HasPrecondition(const ApiRequest& request);

}  // namespace basalt::kube
