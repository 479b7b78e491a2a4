#include "net/status_server.h"

#include <gmock/gmock.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <string_view>

#include "net/net_test_util.h"

namespace basalt::net {
namespace {

using testing::HasSubstr;

class StatusServerTest : public NetTest {
 protected:
  void Serve(StatusSource source) {
    auto made = StatusServer::Create(loop, "127.0.0.1", 0, registry_, std::move(source));
    ASSERT_TRUE(made) << made.error().message;
    server_ = std::move(*made);
    client_ = *HttpClient::Create(
        loop, *ParseUrl("http://127.0.0.1:" + std::to_string(server_->port())), {});
  }
  HttpResponse Get(const std::string& path, const std::string& method = "GET",
                   const std::string& body = "") {
    std::optional<Result<HttpResponse>> answer;
    client_->Send({.method = method, .target = path, .body = body}, 5s,
                  [&](Result<HttpResponse> response) { answer = std::move(response); });
    RunUntil([&] { return answer.has_value(); });
    return answer && *answer ? **answer : HttpResponse{.status = 0};
  }

  metrics::Registry registry_;
  std::unique_ptr<StatusServer> server_;
  std::unique_ptr<HttpClient> client_;
};

TEST_F(StatusServerTest, MetricsAreCollectedWhenTheyAreAskedFor) {
  const metrics::Gauge gauge = registry_.GetGauge("waiting", "help");
  Serve({.collect =
             [&](Callback done) {
               gauge.Set(7);
               loop.Post(std::move(done));  // it may take a while
             },
         .unhealthy = {},
         .not_ready = {}});
  const HttpResponse answer = Get("/metrics?x=y");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.content_type, "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_THAT(answer.body, HasSubstr("waiting 7"));
}

TEST_F(StatusServerTest, HealthAndReadinessSayWhatIsWrong) {
  std::string missing = "still reading";
  Serve({.collect = {}, .unhealthy = {}, .not_ready = [&] { return missing; }});
  EXPECT_EQ(Get("/healthz").status, 200);
  EXPECT_EQ(Get("/readyz").status, 503);
  EXPECT_THAT(Get("/readyz").body, HasSubstr("still reading"));
  missing.clear();
  EXPECT_EQ(Get("/readyz").status, 200);
}

TEST_F(StatusServerTest, AnythingElseIsRefused) {
  Serve({});
  EXPECT_EQ(Get("/").status, 404);
  for (const char* path : {"/metrics", "/healthz", "/livez", "/readyz"}) {
    for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS"}) {
      EXPECT_EQ(Get(path, method).status, 405) << method << path;
      EXPECT_EQ(Get(path, method, "body").status, 405) << method << path;
    }
    EXPECT_EQ(Get(path, "GET", "body").status, 413) << path;
    EXPECT_EQ(Get(path, "HEAD").status, 200) << path;
  }
}

TEST_F(StatusServerTest, ConnectionsThatAreKeptOpenKeepNobodyFromAsking) {
  using boost::asio::ip::tcp;
  Serve({});
  constexpr std::string_view request = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
  std::vector<tcp::socket> idle;
  for (int i = 0; i < 200; ++i) {
    tcp::socket& socket = idle.emplace_back(loop.context());
    socket.connect({boost::asio::ip::address_v4::loopback(), server_->port()});
    boost::asio::write(socket, boost::asio::buffer(request.data(), request.size()));
    EXPECT_EQ(Get("/healthz").status, 200) << i;
  }
}

}  // namespace
}  // namespace basalt::net
