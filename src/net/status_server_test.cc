#include "net/status_server.h"

#include <gmock/gmock.h>

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
  HttpResponse Get(const std::string& path, const std::string& method = "GET") {
    std::optional<Result<HttpResponse>> answer;
    client_->Send({.method = method, .target = path}, 5s,
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
             [&](Task done) {
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
  EXPECT_EQ(Get("/metrics", "POST").status, 405);
}

}  // namespace
}  // namespace basalt::net
