#pragma once

#include "apiserver/rest/call.h"

// The verbs. Each answers its call, now or (a webhook is asked, a watch is open) later.
namespace basalt::apiserver {

void HandleGet(const CallPtr& call);
void HandleList(const CallPtr& call);
void HandleWatch(const CallPtr& call);
void HandleCreate(const CallPtr& call);
void HandleUpdate(const CallPtr& call);  // also of status
void HandlePatch(const CallPtr& call);   // also of status
void HandleDelete(const CallPtr& call);
void HandleDeleteCollection(const CallPtr& call);
// binding, eviction, scale, namespaces/finalize, …
void HandleSubresource(const CallPtr& call);

}  // namespace basalt::apiserver
