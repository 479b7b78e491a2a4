#include "kube/client/http_api_client.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <optional>

#include "net/http_server.h"

namespace basalt::kube {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Recorder : WatchObserver {
  void OnFrame(std::string_view frame) override {
    frames.emplace_back(frame);
    if (on_frame) on_frame();
  }
  void OnEnd(const Error& error) override { end = error; }
  std::vector<std::string> frames;
  std::optional<Error> end;
  std::function<void()> on_frame;
};

class HttpApiClientTest : public testing::Test {
 protected:
  void RunUntil(const std::function<bool()>& done) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!done()) {
      loop.context().restart();
      loop.context().run_one_for(std::chrono::milliseconds(100));
      ASSERT_LT(std::chrono::steady_clock::now(), limit) << "nothing happened for ten seconds";
    }
  }
  void Serve(net::HttpHandler handler, ClusterConfig config = {}, HttpApiClientOptions options = {},
             std::string path = "") {
    const auto authority = net::MakeCertificateAuthority("test", loop.Now(), 24h);
    net::HttpServerOptions listen;
    if (scheme == "https") {
      listen.tls = *net::MakeCertificate(
          *authority, {.common_name = "s", .ip_addresses = {"127.0.0.1"}, .now = loop.Now()});
      config.tls.ca_pem = authority->certificate_pem;
    }
    server = std::move(*net::HttpServer::Create(loop, std::move(listen), std::move(handler)));
    config.server = fmt::format("{}://127.0.0.1:{}{}", scheme, server->port(), path);
    auto made = HttpApiClient::Create(loop, std::move(config), std::move(options));
    ASSERT_TRUE(made) << made.error().message;
    client = std::move(*made);
  }
  Result<ApiResponse> Fetch(ApiRequest request) {
    std::optional<Result<ApiResponse>> result;
    client->Send(std::move(request),
                 [&](Result<ApiResponse> answer) { result = std::move(answer); });
    EXPECT_FALSE(result);
    RunUntil([&] { return result.has_value(); });
    return std::move(*result);
  }

  AsioLoop loop;
  std::string scheme = "https";
  std::unique_ptr<net::HttpServer> server;
  std::unique_ptr<HttpApiClient> client;
};

std::string Get(const net::HttpRequest& request, std::string_view name) {
  const std::string* value = net::FindHeader(request.headers, name);
  return value == nullptr ? "none" : *value;
}

TEST_F(HttpApiClientTest, TheRequestCarriesPathQueryTokenAndType) {
  net::HttpRequest seen;
  Serve(
      [&](net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange) {
        seen = std::move(request);
        exchange->Respond({.status = 201, .body = "{}"});
      },
      {.token = "abc"}, {}, "/prefix/");
  const auto answer = Fetch({.method = "PATCH",
                             .path = "/api/v1/namespaces/a/pods/b c",
                             .query = {{"labelSelector", "a in (b,c)"}, {"x", "&="}},
                             .body = "[]",
                             .content_type = "application/json-patch+json"});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->status, 201);
  EXPECT_EQ(answer->body, "{}");
  EXPECT_EQ(seen.method, "PATCH");
  EXPECT_EQ(seen.target,
            "/prefix/api/v1/namespaces/a/pods/b%20c?labelSelector=a%20in%20%28b%2Cc%29&x=%26%3D");
  EXPECT_EQ(seen.body, "[]");
  EXPECT_EQ(Get(seen, "Authorization"), "Bearer abc");
  EXPECT_EQ(Get(seen, "Accept"), "application/json");
  EXPECT_EQ(Get(seen, "Content-Type"), "application/json-patch+json");
  EXPECT_THAT(Get(seen, "User-Agent"), testing::StartsWith("basalt/"));
  Fetch({.path = "/x"});
  EXPECT_EQ(Get(seen, "Content-Type"), "none");
}

TEST_F(HttpApiClientTest, ARefusalIsTheErrorThatItsStatusSays) {
  Serve([&](net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange) {
    if (request.target == "/gone") {
      exchange->Respond({.status = 410,
                         .body = R"({"kind":"Status","status":"Failure","code":410,)"
                                 R"("reason":"Expired","message":"too old"})"});
    } else {
      exchange->Respond(
          {.status = 429,
           .content_type = "text/plain",
           .headers = {{"Retry-After", request.target == "/busy" ? "7" : "2147483647"}},
           .body = "slow down"});
    }
  });
  const auto gone = Fetch({.path = "/gone"});
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, ErrorCode::kGone);
  EXPECT_EQ(gone.error().http_status, 410);
  EXPECT_EQ(gone.error().message, "too old");
  EXPECT_EQ(gone.error().retry_after, std::nullopt);
  const auto busy = Fetch({.path = "/busy"});
  ASSERT_FALSE(busy);
  EXPECT_EQ(busy.error().code, ErrorCode::kTooManyRequests);
  EXPECT_EQ(busy.error().retry_after, std::chrono::seconds(7));
  const auto absurd = Fetch({.path = "/absurd"});
  ASSERT_FALSE(absurd);
  EXPECT_EQ(absurd.error().retry_after, std::chrono::seconds(60));
  EXPECT_THAT(busy.error().message, HasSubstr("slow down"));
}

TEST_F(HttpApiClientTest, ATokenIsNotSentInPlainText) {
  std::vector<std::string> seen;
  scheme = "http";
  const auto note = [&](net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange) {
    seen.push_back(Get(request, "Authorization"));
    exchange->Respond({.body = "{}"});
  };
  Serve(note, {.token = "abc"});
  EXPECT_TRUE(Fetch({.path = "/"}));
  Serve(note, {.token_file = "/no/such/token"});
  EXPECT_TRUE(Fetch({.path = "/"})) << "nor is it looked for";
  EXPECT_THAT(seen, ElementsAre("none", "none"));
}

TEST_F(HttpApiClientTest, ARedirectIsAnErrorAndIsNotFollowed) {
  int requests = 0;
  Serve([&](net::HttpRequest, std::shared_ptr<net::HttpExchange> exchange) {
    ++requests;
    exchange->Respond(
        {.status = 302, .headers = {{"Location", "https://login.test/"}}, .body = "{}"});
  });
  const auto answer = Fetch({.method = "POST", .path = "/api/v1/pods/binding", .body = "{}"});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(answer.error().http_status, 302);
  EXPECT_THAT(answer.error().message, HasSubstr("https://login.test/"));
  Recorder recorder;
  auto watch = client->Watch({.path = "/w"}, recorder);
  RunUntil([&] { return recorder.end.has_value(); });
  EXPECT_EQ(recorder.end->http_status, 302);
  EXPECT_THAT(recorder.frames, testing::IsEmpty());
  EXPECT_EQ(requests, 2);
}

TEST_F(HttpApiClientTest, ATimeoutIsOne) {
  std::vector<std::shared_ptr<net::HttpExchange>> kept;
  Serve([&](net::HttpRequest, std::shared_ptr<net::HttpExchange> exchange) {
    kept.push_back(std::move(exchange));
  });
  const auto answer = Fetch({.path = "/", .timeout = 30ms});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kTimeout);
}

TEST_F(HttpApiClientTest, AWatchDeliversWholeFramesAndItsEnd) {
  std::shared_ptr<net::HttpExchange> exchange;
  Serve([&](net::HttpRequest, std::shared_ptr<net::HttpExchange> opened) {
    exchange = std::move(opened);
    exchange->StartStream(200, "application/json");
  });
  Recorder recorder;
  auto watch = client->Watch({.path = "/w"}, recorder);
  RunUntil([&] { return exchange != nullptr; });
  exchange->Write("{\"type\":\"ADDED\"}\n{\"type\":");
  RunUntil([&] { return recorder.frames.size() == 1; });
  exchange->Write("\"MODIFIED\"}\n");
  RunUntil([&] { return recorder.frames.size() == 2; });
  EXPECT_THAT(recorder.frames, ElementsAre("{\"type\":\"ADDED\"}", "{\"type\":\"MODIFIED\"}"));
  exchange->End();
  RunUntil([&] { return recorder.end.has_value(); });
  EXPECT_EQ(recorder.end->code, ErrorCode::kCancelled);
  EXPECT_EQ(recorder.end->message, "");
}

TEST_F(HttpApiClientTest, AWatchThatEndsBadlySaysSo) {
  Serve(
      [&](net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange) {
        if (request.target == "/refused") {
          return exchange->Respond({.status = 410,
                                    .body = R"({"kind":"Status","status":"Failure","code":410,)"
                                            R"("reason":"Expired","message":"too old"})"});
        }
        exchange->StartStream(200, "application/json");
        exchange->Write(request.target == "/large" ? std::string(1001, 'x') : "{\"half");
        if (request.target == "/half") exchange->End();
      },
      {}, {.max_frame_bytes = 1000});
  const std::pair<std::string, ErrorCode> rows[] = {{"/refused", ErrorCode::kGone},
                                                    {"/large", ErrorCode::kTooLarge},
                                                    {"/half", ErrorCode::kUnavailable},
                                                    {"/cut", ErrorCode::kUnavailable}};
  for (const auto& [path, code] : rows) {
    Recorder recorder;
    auto watch = client->Watch({.path = path}, recorder);
    EXPECT_FALSE(recorder.end);
    RunUntil([&] { return recorder.end.has_value(); });
    EXPECT_EQ(recorder.end->code, code) << path << recorder.end->message;
    EXPECT_TRUE(recorder.frames.empty());
  }
}

TEST_F(HttpApiClientTest, AWatchMayBeDestroyedFromItsFrame) {
  bool gone = false;
  Serve([&](net::HttpRequest, std::shared_ptr<net::HttpExchange> exchange) {
    exchange->StartStream(200, "application/json");
    exchange->OnPeerGone([&gone, exchange] { gone = true; });
    exchange->Write("1\n2\n3\n");
  });
  Recorder recorder;
  std::unique_ptr<WatchStream> watch;
  recorder.on_frame = [&] { watch.reset(); };
  watch = client->Watch({.path = "/"}, recorder);
  RunUntil([&] { return gone; });
  EXPECT_THAT(recorder.frames, ElementsAre("1"));
  EXPECT_FALSE(recorder.end);
}

TEST_F(HttpApiClientTest, ATokenFileThatIsMissingFailsTheRequestAndTheWatchNotTheProcess) {
  Serve(
      [](net::HttpRequest, std::shared_ptr<net::HttpExchange> exchange) { exchange->Respond({}); },
      {.token_file = "/no/such/token"});
  const auto answer = Fetch({.path = "/"});
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("/no/such/token"));
  Recorder recorder;
  auto watch = client->Watch({.path = "/"}, recorder);
  RunUntil([&] { return recorder.end.has_value(); });
  EXPECT_THAT(recorder.end->message, HasSubstr("/no/such/token"));
}

TEST_F(HttpApiClientTest, AConfigurationThatCannotWorkIsRefusedAtOnce) {
  const auto url = HttpApiClient::Create(loop, {.server = "a:1", .source = "kubeconfig f"});
  ASSERT_FALSE(url);
  EXPECT_THAT(url.error().message, HasSubstr("kubeconfig f"));
  const auto ca = HttpApiClient::Create(
      loop, {.server = "https://a", .tls = {.ca_pem = "rubbish"}, .source = "kubeconfig f"});
  ASSERT_FALSE(ca);
  EXPECT_THAT(ca.error().message, HasSubstr("certificate authority is not PEM"));
}

}  // namespace
}  // namespace basalt::kube
