#include "net/http_client.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <malloc.h>

#include "net/net_test_util.h"
#include "net/raw_peer_test_util.h"

namespace basalt::net {
namespace {

using testing::HasSubstr;

class HttpClientTest : public NetTest {};

TEST_F(HttpClientTest, SendsMethodTargetHeadersAndBody) {
  Serve({}, [](HttpRequest request, std::shared_ptr<HttpExchange> exchange) {
    EXPECT_EQ(*FindHeader(request.headers, "X-Test"), "yes no");
    EXPECT_EQ(*FindHeader(request.headers, "host"), *FindHeader(request.headers, "HOST"));
    exchange->Respond({.status = 418,
                       .content_type = "text/odd",
                       .headers = {{"Retry-After", "3"}},
                       .body = request.method + request.target + request.body});
  });
  Connect(Origin());
  const auto response = Fetch(
      {.method = "PUT", .target = "/a?b=%20", .headers = {{"X-Test", "yes\nno"}}, .body = "hello"});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 418);
  EXPECT_EQ(response->content_type, "text/odd");
  EXPECT_EQ(*FindHeader(response->headers, "retry-after"), "3");
  EXPECT_EQ(response->body, "PUT/a?b=%20hello");
}

TEST_F(HttpClientTest, KeepsOneConnectionForRequestsThatFollowEachOther) {
  Serve({}, Echo);
  Connect(Origin());
  for (int i = 0; i < 20; ++i) {
    const auto response = Fetch({.method = "GET", .target = fmt::format("/{}", i)});
    ASSERT_TRUE(response);
    EXPECT_EQ(response->body, fmt::format("GET /{} ", i));
  }
  EXPECT_EQ(client->connections_made(), 1);
}

TEST_F(HttpClientTest, ParallelRequestsShareAtMostTheAllowedConnectionsInOrder) {
  std::vector<std::string> order;
  int most = 0;
  std::vector<std::shared_ptr<HttpExchange>> waiting;
  Serve({}, [&](HttpRequest request, std::shared_ptr<HttpExchange> exchange) {
    order.push_back(request.target);
    waiting.push_back(exchange);
    most = std::max(most, static_cast<int>(waiting.size()));
    loop.Schedule(2ms, [&] {
      waiting.front()->Respond({.body = "ok"});
      waiting.erase(waiting.begin());
    });
  });
  Connect(Origin(), {.max_connections = 3});
  int answered = 0;
  for (int i = 0; i < 60; ++i) {
    client->Send({.method = "GET", .target = fmt::format("/{:02}", i)}, 5s,
                 [&](Result<HttpResponse> response) {
                   EXPECT_TRUE(response && response->body == "ok");
                   ++answered;
                 });
  }
  RunUntil([&] { return answered == 60; });
  EXPECT_EQ(most, 3);
  EXPECT_EQ(client->connections_made(), 3);
  // Three are on the way at once and may overtake each other, not more.
  for (int i = 0; i < 60; ++i) EXPECT_NEAR(std::stoi(order[i].substr(1)), i, 3);
}

// A client that waits for a slow server opens many, which stay for a minute.
TEST_F(HttpClientTest, AConnectionWithoutWorkHoldsLittleMemory) {
  constexpr int kMany = 50;
  HttpServerOptions options;
  options.tls = Identity();
  std::vector<std::shared_ptr<HttpExchange>> waiting;
  Serve(std::move(options), [&](HttpRequest, std::shared_ptr<HttpExchange> exchange) {
    waiting.push_back(std::move(exchange));
  });
  Connect(Origin(true),
          {.tls = {.ca_pem = Authority().certificate_pem}, .max_connections = kMany + 1});
  const auto use = [&](int at_once) {
    int answered = 0;
    for (int i = 0; i < at_once; ++i) {
      client->Send({.method = "POST", .target = "/", .body = std::string(5000, 'x')}, 10s,
                   [&](const Result<HttpResponse>& response) { answered += response ? 1 : 0; });
    }
    RunUntil([&] { return std::ssize(waiting) == at_once; });
    for (const auto& exchange : waiting) exchange->Respond({.body = std::string(20000, 'x')});
    waiting.clear();
    RunUntil([&] { return answered == at_once; });
  };
  use(1);
  const std::size_t before = mallinfo2().uordblks;
  use(kMany + 1);
  const std::size_t after = mallinfo2().uordblks;
  EXPECT_EQ(client->connections(), kMany + 1);
  EXPECT_LT((after - before) / kMany, 64 * 1024) << "both ends of one";
}

TEST_F(HttpClientTest, LargeBodiesGoThroughInBothDirections) {
  const std::string large(10 * 1024 * 1024, 'x');
  for (const bool tls : {false, true}) {
    HttpServerOptions options{.max_body_bytes = large.size()};
    if (tls) options.tls = Identity();
    Serve(std::move(options), [](HttpRequest request, std::shared_ptr<HttpExchange> exchange) {
      exchange->Respond({.body = std::move(request.body)});
    });
    Connect(Origin(tls), {.tls = {.ca_pem = Authority().certificate_pem}});
    const auto response = Fetch({.method = "POST", .target = "/", .body = large});
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_TRUE(response->body == large);
    client.reset();
  }
}

TEST_F(HttpClientTest, AResponseBeyondTheLimitIsRefused) {
  Serve({}, [](HttpRequest, std::shared_ptr<HttpExchange> exchange) {
    exchange->Respond({.body = std::string(1001, 'x')});
  });
  Connect(Origin(), {.max_response_bytes = 1000});
  const auto response = Fetch({.method = "GET", .target = "/"});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kTooLarge);
  EXPECT_THAT(response.error().message, HasSubstr("larger than 1000 bytes"));
}

TEST_F(HttpClientTest, TheDeadlineCutsAnAnswerThatDoesNotCome) {
  std::vector<std::shared_ptr<HttpExchange>> kept;
  bool gone = false;
  Serve({}, [&](HttpRequest, std::shared_ptr<HttpExchange> exchange) {
    exchange->OnPeerGone([&] { gone = true; });
    kept.push_back(std::move(exchange));
  });
  Connect(Origin(), {.max_connections = 1});
  std::optional<Result<HttpResponse>> queued;
  client->Send({.method = "GET", .target = "/slow"}, 40ms, [&](Result<HttpResponse> response) {
    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().code, ErrorCode::kTimeout);
    EXPECT_FALSE(response.error().unsent);
  });
  client->Send({.method = "GET", .target = "/queued"}, 20ms,
               [&](Result<HttpResponse> response) { queued = std::move(response); });
  RunUntil([&] { return queued.has_value(); });
  ASSERT_FALSE(*queued);
  EXPECT_EQ(queued->error().code, ErrorCode::kTimeout);
  EXPECT_TRUE(queued->error().unsent);
  RunUntil([&] { return gone; });
}

TEST_F(HttpClientTest, ARefusedConnectionFailsAllThatWaitAtOnceAndSaysThatNothingLeft) {
  Serve({}, Echo);
  const Url origin = Origin();
  server.reset();
  Connect(origin, {.max_connections = 2});
  int failed = 0;
  for (int i = 0; i < 5; ++i) {
    client->Send({.method = "POST", .target = "/"}, 5s, [&](Result<HttpResponse> response) {
      ASSERT_FALSE(response);
      EXPECT_EQ(response.error().code, ErrorCode::kUnavailable);
      EXPECT_TRUE(response.error().unsent);
      EXPECT_THAT(response.error().message, HasSubstr("refused"));
      ++failed;
    });
  }
  RunUntil([&] { return failed == 5; });
}

TEST_F(HttpClientTest, AnUnknownHostNameIsNamed) {
  Connect({.host = "no-such-host.invalid", .port = 80});
  const auto response = Fetch({.method = "GET", .target = "/"});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(response.error().message, HasSubstr("no-such-host.invalid"));
}

TEST_F(HttpClientTest, AConnectionThatTheServerClosedWhileIdleIsNotUsedAgain) {
  Serve({.idle_timeout = 20ms}, Echo);
  Connect(Origin());
  ASSERT_TRUE(Fetch({.method = "POST", .target = "/"}));
  RunUntil([&] { return client->connections() == 0; });
  ASSERT_TRUE(Fetch({.method = "POST", .target = "/"}));
  EXPECT_EQ(client->connections_made(), 2);
}

// A server that answers the first request on each connection and closes without a word on the next.
TEST_F(HttpClientTest, OnlyASafeRequestIsSentAgainAfterAStaleConnection) {
  RawPeer peer(loop);
  peer.on_request = [&](RawPeer::Connection& connection, int number) {
    if (number == 1) {
      connection.Send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    } else {
      connection.Close();
    }
  };
  Connect({.host = "127.0.0.1", .port = peer.port()});
  ASSERT_TRUE(Fetch({.method = "GET", .target = "/"}));
  EXPECT_TRUE(Fetch({.method = "GET", .target = "/"}));
  EXPECT_EQ(client->connections_made(), 2);
  const auto post = Fetch({.method = "POST", .target = "/", .body = "x"});
  ASSERT_FALSE(post);
  EXPECT_EQ(post.error().code, ErrorCode::kUnavailable);
  EXPECT_FALSE(post.error().unsent);
  EXPECT_EQ(client->connections_made(), 2);
}

TEST_F(HttpClientTest, BadAndCutAnswersAreErrors) {
  struct Row {
    std::string_view answer;
    ErrorCode code;
    std::string_view message;
  };
  const Row rows[] = {
      {"", ErrorCode::kUnavailable, "no answer from"},
      {"HTTP/1.1 200 OK\r\nContent-Le", ErrorCode::kUnavailable, "cut off"},
      {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345", ErrorCode::kUnavailable, "cut off"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n",
       ErrorCode::kUnavailable, "cut off"},
      {"SSH-2.0-OpenSSH\r\n", ErrorCode::kInternal, "does not answer in HTTP/1.1"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", ErrorCode::kInternal,
       "does not answer"},
      {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
       ErrorCode::kInternal, "does not answer"},
  };
  for (const Row& row : rows) {
    RawPeer peer(loop);
    peer.on_request = [&](RawPeer::Connection& connection, int) {
      connection.Send(std::string(row.answer));
      connection.Close();
    };
    Connect({.host = "127.0.0.1", .port = peer.port()});
    const auto response = Fetch({.method = "POST", .target = "/", .body = "x"});
    ASSERT_FALSE(response) << row.answer;
    EXPECT_EQ(response.error().code, row.code) << row.answer;
    EXPECT_THAT(response.error().message, HasSubstr(std::string(row.message))) << row.answer;
  }
}

TEST_F(HttpClientTest, OddButGoodAnswersAreUnderstood) {
  struct Row {
    std::string_view method;
    std::string_view answer;
    int status;
    std::string_view body;
  };
  const Row rows[] = {
      {"POST", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Made\r\nContent-Length: 2\r\n\r\nok", 201,
       "ok"},
      {"GET", "HTTP/1.0 200 OK\r\n\r\nuntil the end", 200, "until the end"},
      {"HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", 200, ""},
      {"DELETE", "HTTP/1.1 204 No Content\r\n\r\n", 204, ""},
      {"GET",
       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nT: x\r\n\r\n",
       200, "abc"},
  };
  for (const Row& row : rows) {
    RawPeer peer(loop);
    peer.on_request = [&](RawPeer::Connection& connection, int) {
      connection.Send(std::string(row.answer));
      connection.Close();
    };
    Connect({.host = "127.0.0.1", .port = peer.port()});
    const auto response = Fetch({.method = std::string(row.method), .target = "/"});
    ASSERT_TRUE(response) << row.answer << response.error().message;
    EXPECT_EQ(response->status, row.status) << row.answer;
    EXPECT_EQ(response->body, row.body) << row.answer;
  }
}

TEST_F(HttpClientTest, AnAnswerThatComesBeforeTheWholeBodyWasReadIsStillHeard) {
  Serve({.max_body_bytes = 1000}, Echo);
  Connect(Origin());
  const auto response =
      Fetch({.method = "POST", .target = "/", .body = std::string(8 * 1024 * 1024, 'x')});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 413);
}

TEST_F(HttpClientTest, AHandlerMayDestroyTheClient) {
  Serve({}, Echo);
  Connect(Origin());
  int answered = 0;
  for (int i = 0; i < 3; ++i) {
    client->Send({.method = "GET", .target = "/"}, 5s, [&](Result<HttpResponse>) {
      ++answered;
      client.reset();
    });
  }
  RunUntil([&] { return answered == 1; });
  RunFor(20ms);
  EXPECT_EQ(answered, 1);
}

struct Recorder final : HttpStreamObserver {
  void OnHead(int got, const Headers&) override { status = got; }
  void OnData(std::string_view piece) override {
    bytes += piece.size();
    text += piece.substr(0, 1000);
    if (on_data) on_data();
  }
  void OnEnd(const Error& error) override { end = error; }
  int status = 0;
  std::size_t bytes = 0;
  std::string text;
  std::optional<Error> end;
  std::function<void()> on_data;
};

TEST_F(HttpClientTest, AStreamArrivesPieceByPieceAndEnds) {
  for (const bool tls : {false, true}) {
    std::shared_ptr<HttpExchange> exchange;
    HttpServerOptions options;
    if (tls) options.tls = Identity();
    Serve(std::move(options), [&](HttpRequest, std::shared_ptr<HttpExchange> opened) {
      exchange = opened;
      exchange->StartStream(200, "application/json");
    });
    Connect(Origin(tls), {.tls = {.ca_pem = Authority().certificate_pem}});
    Recorder recorder;
    const auto stream = client->Stream({.method = "GET", .target = "/"}, 200ms, recorder);
    RunUntil([&] { return recorder.status == 200; });
    exchange->Write("one\n");
    RunUntil([&] { return recorder.text == "one\n"; });
    RunFor(250ms);  // the timeout was for the start only
    EXPECT_FALSE(recorder.end);
    exchange->Write("two\n");
    exchange->Write("three\n");
    RunUntil([&] { return recorder.text == "one\ntwo\nthree\n"; });
    exchange->End();
    RunUntil([&] { return recorder.end.has_value(); });
    EXPECT_EQ(recorder.end->code, ErrorCode::kCancelled);
    EXPECT_EQ(recorder.end->message, "");
    client.reset();
  }
}

TEST_F(HttpClientTest, TenMegabytesOfStreamArriveWhole) {
  const std::string line = std::string(9'999, 'y') + "\n";
  HttpServerOptions options{.tls = Identity()};
  Serve(std::move(options), [&](HttpRequest, std::shared_ptr<HttpExchange> exchange) {
    exchange->StartStream(200, "application/json");
    for (int i = 0; i < 1000; ++i) exchange->Write(line);
    exchange->End();
  });
  Connect(Origin(true),
          {.tls = {.ca_pem = Authority().certificate_pem}, .max_response_bytes = 1000});
  Recorder recorder;
  const auto stream = client->Stream({.method = "GET", .target = "/"}, 5s, recorder);
  RunUntil([&] { return recorder.end.has_value(); });
  EXPECT_EQ(recorder.end->message, "");
  EXPECT_EQ(recorder.bytes, 10'000'000u);
}

TEST_F(HttpClientTest, AStreamThatDoesNotStartOrIsCutEndsWithAnError) {
  std::shared_ptr<HttpExchange> kept;
  Serve({}, [&](HttpRequest request, std::shared_ptr<HttpExchange> exchange) {
    kept = std::move(exchange);
    if (request.target == "/cut") {
      kept->StartStream(200, "application/json");
      kept->Write("half");
    }
  });
  Connect(Origin());
  Recorder silent;
  const auto first = client->Stream({.method = "GET", .target = "/silent"}, 30ms, silent);
  RunUntil([&] { return silent.end.has_value(); });
  EXPECT_EQ(silent.end->code, ErrorCode::kTimeout);
  Recorder cut;
  const auto second = client->Stream({.method = "GET", .target = "/cut"}, 5s, cut);
  RunUntil([&] { return cut.text == "half"; });
  server.reset();
  RunUntil([&] { return cut.end.has_value(); });
  EXPECT_EQ(cut.end->code, ErrorCode::kUnavailable);
}

TEST_F(HttpClientTest, DestroyingAStreamInItsCallbackCutsItOff) {
  bool gone = false;
  Serve({}, [&](HttpRequest, std::shared_ptr<HttpExchange> exchange) {
    exchange->StartStream(200, "application/json");
    exchange->OnPeerGone([&gone, exchange] { gone = true; });
    for (int i = 0; i < 10; ++i) exchange->Write("piece");
  });
  Connect(Origin());
  Recorder recorder;
  std::unique_ptr<HttpStream> stream;
  recorder.on_data = [&] { stream.reset(); };
  stream = client->Stream({.method = "GET", .target = "/"}, 5s, recorder);
  RunUntil([&] { return gone; });
  EXPECT_EQ(recorder.text, "piece");
  EXPECT_FALSE(recorder.end);
}

TEST_F(HttpClientTest, StreamsDoNotTakeTheConnectionsOfRequests) {
  std::vector<std::shared_ptr<HttpExchange>> kept;
  Serve({}, [&](HttpRequest request, std::shared_ptr<HttpExchange> exchange) {
    if (request.target != "/watch") return Echo(request, exchange);
    exchange->StartStream(200, "application/json");
    kept.push_back(std::move(exchange));
  });
  Connect(Origin(), {.max_connections = 1});
  Recorder recorders[3];
  std::vector<std::unique_ptr<HttpStream>> streams;
  for (Recorder& recorder : recorders) {
    streams.push_back(client->Stream({.method = "GET", .target = "/watch"}, 5s, recorder));
  }
  RunUntil([&] { return recorders[2].status == 200; });
  EXPECT_TRUE(Fetch({.method = "GET", .target = "/"}));
}

}  // namespace
}  // namespace basalt::net
