#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/asio_loop.h"
#include "base/error.h"
#include "dashboard/admission.h"
#include "dashboard/feed.h"
#include "net/http.h"
#include "net/tls.h"

namespace basalt::net {
class HttpServer;
}

namespace basalt::dashboard {

// The roles that the dashboard asks. Requests have no token yet.
struct DashboardSources {
  using Done = std::function<void(Result<net::HttpResponse>)>;
  std::function<void(net::HttpRequest request, Done done)> scheduler;
  std::function<void(net::HttpRequest request, Done done)> descheduler;
};

struct DashboardOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;                     // 0: one that is free
  std::optional<net::CertificateAndKey> tls;  // nothing: plain HTTP, on loopback
};

// The page and its data (docs/dashboard-api.md):
//
//   /                        the page; what it is made of
//   /api/v1/stream           server-sent events: the overview, and what changes in it
//   /api/v1/overview, /api/v1/history
//   /api/v1/nodes/NAME, /api/v1/explain/…
//   POST /api/v1/simulate
//   /api/v1/defragmentation, POST /api/v1/defragmentation
//
// Everything below /api needs a token (401), in a header, so that no other page can make a browser
// send it. Owned by the dashboard's role; loop thread only.
class DashboardServer {
 public:
  static Result<std::unique_ptr<DashboardServer>> Create(AsioLoop& loop, DashboardOptions options,
                                                         DashboardSources sources);
  ~DashboardServer();
  // Before the first request: decides which requests are let in.
  void Use(std::unique_ptr<Admission> admission) { admission_ = std::move(admission); }
  void Start() { feed_.Start(); }

  std::uint16_t port() const;
  const Feed& feed() const { return feed_; }

 private:
  using Exchange = std::shared_ptr<net::HttpExchange>;
  DashboardServer(Loop& loop, DashboardSources sources);
  void Handle(net::HttpRequest request, Exchange exchange);
  void Answer(const net::HttpRequest& request, const Sight& sight, Exchange exchange);
  // Passes the question on, and the answer back without what the person may not see.
  void Forward(bool to_scheduler, net::HttpRequest request, const Sight& sight,
               const Exchange& exchange);
  void Simulate(const net::HttpRequest& request, const Sight& sight, const Exchange& exchange);
  void Defragment(const net::HttpRequest& request, const Sight& sight, const Exchange& exchange);

  DashboardSources sources_;
  std::unique_ptr<Admission> admission_;
  Feed feed_;
  std::unique_ptr<net::HttpServer> server_;
  Scope scope_;
};

}  // namespace basalt::dashboard
