#pragma once

#include <span>

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

// A method on a subresource, and how discovery tells of it.
struct SubresourceVerb {
  std::string_view subresource;
  std::string_view method;
  std::string_view verb;
  Handler handler;
  std::string_view kind = "";   // that is sent and answered; empty: that of the object
  std::string_view group = "";  // of that kind
};
// Sorted by subresource and verb.
std::span<const SubresourceVerb> SubresourceVerbs();

// POST namespaces/NS/bindings: the old way to bind a pod, whose name the body says.
void HandleBindingCollection(const CallPtr& call);
// POST serviceaccounts/NAME/token
void HandleTokenRequest(const CallPtr& call);

// What is asked and not stored: the kinds that are only posted (reviews, and bindings), and a
// request to one of them; false: the path is something else.
const std::vector<KindInfo>& Reviews();
bool ServeReview(const CallPtr& call, std::string_view path);

}  // namespace basalt::apiserver
