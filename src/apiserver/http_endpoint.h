#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "apiserver/server.h"
#include "base/asio_loop.h"
#include "base/error.h"
#include "net/http_server.h"
#include "net/tls.h"

namespace basalt::apiserver {

struct HttpEndpointOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: one that is free
  std::optional<net::CertificateAndKey> tls;
  std::size_t max_body_bytes = 3 * 1024 * 1024;
};

// The sockets of a Server, which must outlive it. What never reaches the server (too large, too
// slow, not HTTP) is refused with a Status too. Loop thread only.
Result<std::unique_ptr<net::HttpServer>> Listen(AsioLoop& loop, Server& server,
                                                HttpEndpointOptions options);

}  // namespace basalt::apiserver
