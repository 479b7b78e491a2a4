#pragma once

#include "apiserver/rest/call.h"

// The verbs. Each answers its call, now or (a webhook is asked, a watch is open) later.
namespace basalt::apiserver {

using Handler = void (*)(const CallPtr& call);

void HandleGet(const CallPtr& call);
void HandleList(const CallPtr& call);
void HandleWatch(const CallPtr& call);
void HandleCreate(const CallPtr& call);
void HandleUpdate(const CallPtr& call);  // also of status
void HandlePatch(const CallPtr& call);   // also of status; any patch
void HandleApply(const CallPtr& call);   // a patch with a configuration: server-side apply
void HandleDelete(const CallPtr& call);
void HandleDeleteCollection(const CallPtr& call);

// Takes a decoded object through defaulting, admission and validation into the store, and answers.
void CreateObject(const CallPtr& call, json::object object);

// The verb on a subresource that is no part of its object: binding, eviction, scale, …
ApiResult<Handler> SubresourceVerb(const Call& call);
// POST namespaces/NS/bindings: the old way to bind a pod. The call's kind is pods.
void HandleBindingCollection(const CallPtr& call);
// GET pods/NAME/log. Pods are simulated: no program runs and nothing is logged, and one line says
// so. The container is chosen as Kubernetes does.
void HandlePodLog(const CallPtr& call);
// POST serviceaccounts/NAME/token
void HandleTokenRequest(const CallPtr& call);

}  // namespace basalt::apiserver
