#pragma once

#include <memory>

#include "apiserver/server.h"
#include "base/asio_loop.h"
#include "base/error.h"
#include "net/http_server.h"

namespace basalt::apiserver {

// The sockets of a Server, which must outlive it. What never reaches the server (too large, too
// slow, not HTTP) is refused with a Status too. Of `http` all counts but what it would call. Loop
// thread only.
Result<std::unique_ptr<net::HttpServer>> Listen(AsioLoop& loop, Server& server,
                                                net::HttpServerOptions http);

}  // namespace basalt::apiserver
