#pragma once

#include "apiserver/core/core.h"
#include "net/http.h"

namespace basalt::apiserver {

// What a request is refused with by its header alone, before its body is read. Refused are unknown
// users, and anything but a read without a body of the public paths.
std::optional<net::HttpResponse> JudgeHead(const Core& core, const net::HttpRequest& head);

// Takes a request apart and hands it to its verb.
void Dispatch(Core& core, net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange);

}  // namespace basalt::apiserver
