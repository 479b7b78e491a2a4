#include "net/http_server.h"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "net/http_server_test_util.h"

namespace basalt::net {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST_F(HttpServerTest, AnswersPipelinedRequestsInOrderOneAtATime) {
  int inside = 0;
  Serve({}, [&](HttpRequest request, std::shared_ptr<HttpExchange> exchange) {
    EXPECT_EQ(++inside, 1);
    loop.Schedule(request.target == "/1" ? 10ms : 1ms, [&, exchange, request] {
      --inside;
      exchange->Respond({.body = request.target + ";"});
    });
  });
  const std::string answer = Talk(
      "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPOST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: "
      "3\r\n\r\nabc"
      "GET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const auto first = answer.find("/1;");
  const auto second = answer.find("/2;");
  const auto third = answer.find("/3;");
  ASSERT_NE(third, std::string::npos) << answer;
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
}

TEST_F(HttpServerTest, ThousandsOfPipelinedRequestsDoNotDeepenTheStack) {
  Serve({}, Echo);
  std::string requests;
  for (int i = 0; i < 20'000; ++i) requests += "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  requests += "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  RawClient raw(loop, server->port());
  std::size_t sent = 0;
  Await(raw, [&] {
    boost::system::error_code ignored;
    if (sent < requests.size()) {
      sent += raw.socket.write_some(
          boost::asio::buffer(requests.data() + sent, requests.size() - sent), ignored);
    }
    return raw.ended;
  });
  EXPECT_THAT(raw.text, HasSubstr("GET /last"));
}

TEST_F(HttpServerTest, RefusesWhatItCannotTake) {
  Serve({.max_header_bytes = 500, .max_body_bytes = 10}, Echo);
  struct Row {
    std::string request;
    std::string_view answer;
  };
  const Row rows[] = {
      {"rubbish\r\n\r\n", "HTTP/1.1 400 "},
      {"GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n", "HTTP/1.1 400 "},
      {"GET / HTTP/2.0\r\n\r\n", "HTTP/1.1 400 "},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 400 "},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
       "HTTP/1.1 400 "},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: "
       "chunked\r\n\r\n0\r\n\r\n",
       "HTTP/1.1 400 "},
      {"GET / HTTP/1.1\r\nHost: a\r\nA: " + std::string(600, 'x') + "\r\n\r\n", "HTTP/1.1 431 "},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n12345678901", "HTTP/1.1 413 "},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
       "chunked\r\n\r\nb\r\n12345678901\r\n0\r\n\r\n",
       "HTTP/1.1 413 "},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
       "chunked\r\n\r\n6\r\n123456\r\n6\r\n123456\r\n",
       "HTTP/1.1 413 "},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "HTTP/1.1 400 "},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;" +
           std::string(100'000, 'x'),
       "HTTP/1.1 400 "},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(Talk(row.request), StartsWith(std::string(row.answer))) << row.request;
  }
}

TEST_F(HttpServerTest, TheOwnerWordsItsRefusals) {
  Serve({.max_body_bytes = 1,
         .refusal =
             [](int status, std::string_view message) {
               return HttpResponse{.status = status, .body = fmt::format("<{}>", message)};
             }},
        Echo);
  EXPECT_THAT(Talk("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab"),
              HasSubstr("<the request's body is too large: the limit is 1 bytes>"));
}

TEST_F(HttpServerTest, SlowRequestsAreCutOff) {
  Serve({.header_timeout = 30ms, .body_timeout = 30ms, .idle_timeout = 60ms}, Echo);
  EXPECT_EQ(Talk(""), "") << "said nothing";
  EXPECT_THAT(Talk("GET / HT"), StartsWith("HTTP/1.1 408 "));
  EXPECT_THAT(Talk("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12"),
              StartsWith("HTTP/1.1 408 "));
  EXPECT_THAT(Talk("GET / HTTP/1.1\r\nHost: a\r\n\r\n"), StartsWith("HTTP/1.1 200 "))
      << "idle afterwards";
}

TEST_F(HttpServerTest, ASlowHandlerIsNotASlowRequest) {
  Serve({.header_timeout = 10ms, .body_timeout = 10ms, .idle_timeout = 10ms},
        [&](HttpRequest, std::shared_ptr<HttpExchange> exchange) {
          loop.Schedule(80ms, [exchange] { exchange->Respond({.body = "at last"}); });
        });
  EXPECT_THAT(Talk("GET / HTTP/1.1\r\nHost: a\r\n\r\n"), HasSubstr("at last"));
}

TEST_F(HttpServerTest, SpeaksHttp10AndHead) {
  Serve({}, [](HttpRequest request, std::shared_ptr<HttpExchange> exchange) {
    if (request.target != "/stream") return exchange->Respond({.body = "body"});
    exchange->StartStream(200, "text/plain");
    exchange->Write("piece");
    exchange->End();
  });
  EXPECT_THAT(Talk("GET / HTTP/1.0\r\n\r\n"), HasSubstr("\r\n\r\nbody"));
  EXPECT_THAT(Talk("GET /stream HTTP/1.0\r\n\r\n"), testing::EndsWith("\r\n\r\npiece"));
  const std::string head = Talk("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(head, HasSubstr("Content-Length: 4\r\n"));
  EXPECT_THAT(head, testing::EndsWith("\r\n\r\n"));
  EXPECT_THAT(Talk("GET /stream HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
              testing::EndsWith("\r\n\r\n5\r\npiece\r\n0\r\n\r\n"));
}

TEST_F(HttpServerTest, TellsAClientThatAsksToGoOn) {
  Serve({}, Echo);
  RawClient raw(loop, server->port());
  raw.Send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  Await(raw, [&] { return raw.text == "HTTP/1.1 100 Continue\r\n\r\n"; });
  raw.Send("hi");
  Await(raw, [&] { return raw.text.ends_with("POST / hi"); });
}

TEST_F(HttpServerTest, AHandlerThatForgetsItsExchangeAnswers500) {
  Serve({}, [](HttpRequest, std::shared_ptr<HttpExchange>) {});
  EXPECT_THAT(Talk("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
              StartsWith("HTTP/1.1 500 "));
}

TEST_F(HttpServerTest, AHandlerLearnsOnceThatItsPeerHasGoneAndMayGoOnTalking) {
  std::shared_ptr<HttpExchange> kept;
  int gone = 0;
  Serve({}, [&](HttpRequest, std::shared_ptr<HttpExchange> exchange) {
    exchange->OnPeerGone([&] { ++gone; });
    kept = std::move(exchange);
  });
  {
    RawClient raw(loop, server->port());
    raw.Send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    RunUntil([&] { return kept != nullptr; });
  }
  RunUntil([&] { return gone > 0; });
  kept->Respond({});
  kept->Write("x");
  kept->End();
  bool late = false;
  kept->OnPeerGone([&] { late = true; });
  RunUntil([&] { return late; });
  EXPECT_EQ(gone, 1);
  EXPECT_EQ(server->connections(), 0);
}

TEST_F(HttpServerTest, AReaderThatDoesNotReadItsStreamIsCutOff) {
  bool gone = false;
  std::size_t written = 0;
  std::function<void()> write;
  Serve({.max_stream_backlog = 4 * 1024 * 1024},
        [&](HttpRequest, std::shared_ptr<HttpExchange> exchange) {
          exchange->StartStream(200, "application/json");
          exchange->OnPeerGone([&] { gone = true; });
          write = [&, exchange] {
            if (gone) return;
            exchange->Write(std::string(100'000, 'x'));
            written += 100'000;
            loop.Post(write);
          };
          write();
        });
  RawClient raw(loop, server->port());
  raw.Send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  RunUntil([&] { return gone; });
  EXPECT_LT(written, 40u * 1024 * 1024) << "the socket's buffers and the backlog";
  write = nullptr;
}

TEST_F(HttpServerTest, AWriterThatWaitsForItsReaderHoldsLittleAndLosesNothing) {
  constexpr std::size_t kPieces = 400;
  constexpr std::size_t kPiece = 100'000;
  std::size_t written = 0;
  std::size_t most = 0;
  int waits = 0;
  std::function<void()> write;
  Serve({.max_stream_backlog = 1024 * 1024},
        [&](HttpRequest, std::shared_ptr<HttpExchange> exchange) {
          exchange->StartStream(200, "application/json");
          write = [&, exchange] {
            for (; written < kPieces && exchange->Unsent() < 500'000; ++written) {
              exchange->Write(std::string(kPiece, 'x'));
              most = std::max(most, exchange->Unsent());
            }
            if (written == kPieces) return exchange->End();
            ++waits;
            exchange->OnSent(write);
          };
          write();
        });
  RawClient raw(loop, server->port());
  raw.Send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  RunUntil([&] { return waits > 0; });
  EXPECT_LT(written, kPieces) << "the client has read nothing yet";
  Await(raw, [&] { return raw.ended; });
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(raw.text, 'x')), kPieces * kPiece);
  EXPECT_LT(most, 1024u * 1024);
  write = nullptr;
}

TEST_F(HttpServerTest, AReaderThatStopsReadingAResponseIsCutOff) {
  Serve({.write_timeout = 50ms}, [&](HttpRequest, std::shared_ptr<HttpExchange> exchange) {
    exchange->Respond({.body = std::string(64 * 1024 * 1024, 'x')});
  });
  RawClient raw(loop, server->port());
  raw.Send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  RunUntil([&] { return server->connections() == 1; });
  RunUntil([&] { return server->connections() == 0; });
}

TEST_F(HttpServerTest, ShutdownEndsStreamsLetsRequestsFinishAndAcceptsNoMore) {
  std::vector<std::shared_ptr<HttpExchange>> kept;
  Serve({}, [&](HttpRequest request, std::shared_ptr<HttpExchange> exchange) {
    if (request.target == "/stream") exchange->StartStream(200, "text/plain");
    kept.push_back(std::move(exchange));
  });
  const std::uint16_t port = server->port();
  RawClient idle(loop, port), streaming(loop, port), asking(loop, port);
  streaming.Send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n");
  asking.Send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  RunUntil([&] { return kept.size() == 2 && server->connections() == 3; });
  bool done = false;
  server->Shutdown(5s, [&] { done = true; });
  Await(streaming, [&] { return streaming.ended; });
  EXPECT_THAT(streaming.text, testing::EndsWith("\r\n0\r\n\r\n"));
  Await(idle, [&] { return idle.ended; });
  EXPECT_FALSE(done);
  EXPECT_THROW(RawClient(loop, port), boost::system::system_error);
  for (const auto& exchange : kept) exchange->Respond({.body = "finished"});
  Await(asking, [&] { return asking.ended; });
  EXPECT_THAT(asking.text, HasSubstr("finished"));
  EXPECT_THAT(asking.text, HasSubstr("Connection: close"));
  asking.socket.close();
  streaming.socket.close();
  RunUntil([&] { return done; });
}

TEST_F(HttpServerTest, ShutdownDoesNotWaitLongerThanItsGrace) {
  std::shared_ptr<HttpExchange> kept;
  Serve({}, [&](HttpRequest, std::shared_ptr<HttpExchange> exchange) { kept = exchange; });
  RawClient raw(loop, server->port());
  raw.Send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  RunUntil([&] { return kept != nullptr; });
  bool done = false;
  server->Shutdown(30ms, [&] { done = true; });
  RunUntil([&] { return done; });
  Await(raw, [&] { return raw.ended; });
}

TEST_F(HttpServerTest, AnAddressThatCannotBeListenedOnIsNamed) {
  const auto bad = HttpServer::Create(loop, {.address = "nowhere"}, Echo);
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().message, HasSubstr("'nowhere'"));
  Serve({}, Echo);
  const auto taken = HttpServer::Create(loop, {.port = server->port()}, Echo);
  ASSERT_FALSE(taken);
  EXPECT_THAT(taken.error().message, HasSubstr(fmt::format("{}", server->port())));
}

}  // namespace
}  // namespace basalt::net
