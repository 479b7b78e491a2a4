#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/asio_loop.h"
#include "base/error.h"
#include "scheduler/query/query_handler.h"
#include "scheduler/query/query_secret.h"

namespace basalt::net {
class HttpServer;
}

namespace basalt::scheduler::query {

struct QueryServerOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;      // 0: one that is free
  std::string published_host;  // "": as `host`
};

// The server of C10: HTTPS with a certificate of a CA of its own and a token, both made anew for
// each process and told in the Secret alone. Small and few requests: everything that comes in is
// bounded. Lives on the scheduler's loop.
class QueryServer {
 public:
  // It listens when this returns.
  static Result<std::unique_ptr<QueryServer>> Create(AsioLoop& loop,
                                                     const QueryServerOptions& options,
                                                     QuerySources sources);
  ~QueryServer();

  const QueryAccess& access() const { return access_; }
  std::uint16_t port() const;

 private:
  QueryServer(QueryAccess access, QueryHandler handler);

  QueryAccess access_;
  QueryHandler handler_;
  std::unique_ptr<net::HttpServer> server_;
};

}  // namespace basalt::scheduler::query
