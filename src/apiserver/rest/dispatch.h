#pragma once

#include <memory>

#include "apiserver/core.h"
#include "net/http.h"

namespace basalt::apiserver {

// Takes a request apart and hands it to its verb.
void Dispatch(Core& core, net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange);

}  // namespace basalt::apiserver
