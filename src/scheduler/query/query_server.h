#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/asio_loop.h"
#include "base/error.h"
#include "kube/client/access_secret.h"
#include "scheduler/query/query_handler.h"

namespace basalt::net {
class TokenServer;
}

namespace basalt::scheduler::query {

// The Secret that says where to ask, and the name in the server's certificate.
inline constexpr std::string_view kSecretName = "basalt-query";
inline constexpr std::string_view kServerName = "basalt-query";

struct QueryServerOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;      // 0: one that is free
  std::string published_host;  // "": as `host`
};

// The server of C10: HTTPS with a certificate and a token that are made anew for each process and
// told in the Secret alone. Lives on the scheduler's loop.
class QueryServer {
 public:
  // It listens when this returns.
  static Result<std::unique_ptr<QueryServer>> Create(AsioLoop& loop,
                                                     const QueryServerOptions& options,
                                                     QuerySources sources);
  ~QueryServer();

  const kube::Access& access() const { return access_; }
  std::uint16_t port() const;

 private:
  QueryServer(std::string token, QuerySources sources);

  kube::Access access_;
  QueryHandler handler_;
  std::unique_ptr<net::TokenServer> server_;
};

}  // namespace basalt::scheduler::query
