#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/asio_loop.h"
#include "net/http_client.h"
#include "net/http_server.h"
#include "net/tls.h"

namespace basalt::net {

// A loop with real sockets on loopback that runs until something has happened.
class NetTest : public testing::Test {
 protected:
  // Fails the test when it takes more than ten seconds.
  void RunUntil(const std::function<bool()>& done) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!done()) {
      loop.context().restart();
      loop.context().run_one_for(std::chrono::milliseconds(100));
      if (std::chrono::steady_clock::now() > limit) {
        ADD_FAILURE() << "nothing happened for ten seconds";
        return;
      }
    }
  }
  void RunFor(Duration duration) {
    bool passed = false;
    Timer timer(loop);
    timer.Start(duration, [&] { passed = true; });
    RunUntil([&] { return passed; });
  }

  static const CertificateAndKey& Authority() {
    static const CertificateAndKey made =
        *MakeCertificateAuthority("test CA", std::chrono::system_clock::now(), 24h);
    return made;
  }
  static CertificateAndKey Identity() {
    return *MakeCertificate(Authority(), {.common_name = "server",
                                          .dns_names = {"server.test", "localhost"},
                                          .ip_addresses = {"127.0.0.1", "::1"},
                                          .now = std::chrono::system_clock::now(),
                                          .lifetime = 1h,
                                          .for_client = true});
  }

  void Serve(HttpServerOptions options, HttpHandler handler) {
    auto made = HttpServer::Create(loop, std::move(options), std::move(handler));
    ASSERT_TRUE(made) << made.error().message;
    server = std::move(*made);
  }
  Url Origin(bool tls = false, std::string host = "127.0.0.1") const {
    return {.tls = tls, .host = std::move(host), .port = server->port()};
  }
  void Connect(const Url& origin, HttpClientOptions options = {}) {
    auto made = HttpClient::Create(loop, origin, std::move(options));
    ASSERT_TRUE(made) << made.error().message;
    client = std::move(*made);
  }
  // Sends and waits.
  Result<HttpResponse> Fetch(HttpRequest request, Duration timeout = 5s) {
    std::optional<Result<HttpResponse>> result;
    client->Send(std::move(request), timeout,
                 [&](Result<HttpResponse> response) { result = std::move(response); });
    EXPECT_FALSE(result) << "answered from within Send";
    RunUntil([&] { return result.has_value(); });
    if (!result) return Fail(ErrorCode::kTimeout, "the test gave up");
    return std::move(*result);
  }

  AsioLoop loop;
  std::unique_ptr<HttpServer> server;
  std::unique_ptr<HttpClient> client;
};

// Says back what it got.
inline void Echo(HttpRequest request, std::shared_ptr<HttpExchange> exchange) {
  exchange->Respond({.content_type = "text/plain",
                     .body = request.method + " " + request.target + " " + request.body});
}

}  // namespace basalt::net
