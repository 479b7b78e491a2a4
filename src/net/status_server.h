#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/asio_loop.h"
#include "base/error.h"
#include "base/metrics.h"

namespace basalt::net {

class HttpServer;

// What a role tells of itself over HTTP. All of it is called on the loop.
struct StatusSource {
  // Has gauges brought up to date, on whatever thread they are kept, then calls its argument on the
  // loop. Asked at most once a second (metrics::MetricsPage). May be empty.
  std::function<void(Callback done)> collect;
  // "" or what is wrong. May be empty: answering at all is being healthy.
  std::function<std::string()> unhealthy;
  // "" or what is still missing.
  std::function<std::string()> not_ready;
  // Lines for people, added to the answer of a healthy role. May be empty.
  std::function<std::string()> details;
};

// GET /metrics, /healthz and /readyz (also /livez), in plain HTTP and without authentication, as
// Prometheus and kubelets expect it. One per address of a process, which owns it; loop thread only.
// `registry` must outlive it.
class StatusServer {
 public:
  // It listens when this returns; port 0: a free one.
  static Result<std::unique_ptr<StatusServer>> Create(AsioLoop& loop, const std::string& address,
                                                      std::uint16_t port,
                                                      const metrics::Registry& registry,
                                                      StatusSource source);
  ~StatusServer();

  std::uint16_t port() const;

 private:
  explicit StatusServer(std::unique_ptr<HttpServer> http);
  std::unique_ptr<HttpServer> http_;
};

}  // namespace basalt::net
