// What clients may not do to a server, nor to each other.
#include <fmt/core.h>
#include <gmock/gmock.h>

#include "net/http_server.h"
#include "net/http_server_test_util.h"

namespace basalt::net {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST_F(HttpServerTest, MoreConnectionsThanAllowedWaitWhileAllAreAtWork) {
  std::vector<std::shared_ptr<HttpExchange>> kept;
  Serve({.max_connections = 2}, [&](HttpRequest, std::shared_ptr<HttpExchange> exchange) {
    kept.push_back(std::move(exchange));
  });
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(std::make_unique<RawClient>(loop, server->port()));
    clients[i]->Send(kPlainGet);
  }
  RunUntil([&] { return kept.size() == 2; });
  RunFor(20ms);
  EXPECT_EQ(kept.size(), 2u);
  EXPECT_EQ(server->connections(), 2);
  kept[0]->Respond({.body = "first"});
  RunUntil([&] { return kept.size() == 3; });
  EXPECT_EQ(server->connections(), 2) << "the first was idle, and gave its place";
  clients[0]->Poll();
  EXPECT_THAT(clients[0]->text, HasSubstr("first"));
}

TEST_F(HttpServerTest, IdleSlowAndUnreadConnectionsGiveTheirPlaceToNewOnesLongestFirst) {
  Serve({.max_connections = 4}, [&](HttpRequest request, std::shared_ptr<HttpExchange> exchange) {
    exchange->Respond({.body = std::string(request.target == "/large" ? 32 << 20 : 2, 'x')});
  });
  RawClient silent(loop, server->port());
  RunUntil([&] { return server->connections() == 1; });
  RawClient slow(loop, server->port());
  slow.Send("GET / HT");
  RunUntil([&] { return server->connections() == 2; });
  RawClient unread(loop, server->port());
  unread.Send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
  RunUntil([&] { return unread.socket.available() > 0; });
  RawClient idle(loop, server->port());
  idle.Send(kPlainGet);
  Await(idle, [&] { return idle.text.ends_with("xx"); });
  EXPECT_EQ(server->connections(), 4);
  // Whoever comes is served, and the others go one by one.
  std::vector<std::unique_ptr<RawClient>> probes;
  for (RawClient* goes : {&silent, &slow, &unread, &idle}) {
    EXPECT_FALSE(goes->ended);
    probes.push_back(std::make_unique<RawClient>(loop, server->port()));
    probes.back()->Send(kPlainGet);
    Await(*probes.back(), [&] { return probes.back()->text.ends_with("xx"); });
    Await(*goes, [&] { return goes->ended; });
    EXPECT_EQ(server->connections(), 4);
  }
}

TEST_F(HttpServerTest, AReaderThatIsTooSlowForTheWholeResponseIsCutOffThoughItReads) {
  Serve({.write_timeout = 10s, .response_timeout = 200ms},
        [&](HttpRequest, std::shared_ptr<HttpExchange> exchange) {
          exchange->Respond({.body = std::string(64 << 20, 'x')});
        });
  RawClient raw(loop, server->port());
  raw.Send(kPlainGet);
  RunUntil([&] { return server->connections() == 1; });
  RunUntil([&] {
    char piece[16 * 1024];
    boost::system::error_code none;
    raw.socket.read_some(boost::asio::buffer(piece), none);
    return server->connections() == 0;
  });
}

TEST_F(HttpServerTest, AStreamMayLastLongerThanAResponse) {
  std::shared_ptr<HttpExchange> stream;
  Serve({.response_timeout = 20ms}, [&](HttpRequest, std::shared_ptr<HttpExchange> exchange) {
    exchange->StartStream(200, "text/plain");
    stream = std::move(exchange);
  });
  RawClient raw(loop, server->port());
  raw.Send(kPlainGet);
  RunUntil([&] { return stream != nullptr; });
  RunFor(60ms);
  stream->Write("still here");
  Await(raw, [&] { return raw.text.find("still here") != std::string::npos; });
}

class JudgedServerTest : public HttpServerTest {
 protected:
  void ServeJudged(HttpServerOptions options) {
    options.judge = [this](const HttpRequest& head) -> std::optional<HttpResponse> {
      judged.push_back(head.target);
      EXPECT_EQ(head.body, "");
      if (FindHeader(head.headers, "Authorization") != nullptr) return std::nullopt;
      return HttpResponse{.status = 401, .body = "who are you?"};
    };
    Serve(std::move(options), [this](HttpRequest request, std::shared_ptr<HttpExchange> exchange) {
      handled.push_back(request.target + request.body);
      exchange->Respond({.body = "ok"});
    });
  }
  std::vector<std::string> judged;
  std::vector<std::string> handled;
};

TEST_F(JudgedServerTest, AnswersByTheHeaderBeforeTheBodyIsRead) {
  ServeJudged({});
  // It never sends its body, and is not told to go on.
  const std::string answer =
      Talk("POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1000\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 401 "));
  EXPECT_THAT(answer, HasSubstr("Connection: close"));
  EXPECT_THAT(answer, testing::EndsWith("who are you?"));
  EXPECT_THAT(handled, testing::IsEmpty());
  // What follows a refused body is not taken for a request.
  EXPECT_THAT(Talk("POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 30\r\n\r\n"
                   "GET /smuggled HTTP/1.1\r\nAuthorization: me\r\nHost: a\r\n\r\n"),
              testing::EndsWith("who are you?"));
  EXPECT_THAT(judged, testing::ElementsAre("/a", "/b"));
}

TEST_F(JudgedServerTest, ARefusalWithoutABodyKeepsTheConnectionAndWhoIsAdmittedIsServed) {
  ServeJudged({});
  const std::string answer = Talk(
      "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
      "POST /2 HTTP/1.1\r\nHost: a\r\nAuthorization: me\r\nContent-Length: 3\r\n\r\nabc"
      "POST /3 HTTP/1.1\r\nHost: a\r\nAuthorization: me\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3\r\ndef\r\n0\r\n\r\n"
      "GET /4 HTTP/1.1\r\nHost: a\r\nAuthorization: me\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 401 "));
  EXPECT_THAT(judged, testing::ElementsAre("/1", "/2", "/3", "/4"));
  EXPECT_THAT(handled, testing::ElementsAre("/2abc", "/3def", "/4"));
}

TEST_F(HttpServerTest, BodiesThatTogetherAreTooLargeCostTheLargestItsPlace) {
  constexpr std::size_t kKilo = 1024;
  std::vector<std::string> handled;
  Serve({.max_body_bytes = 900 * kKilo, .max_bytes_of_bodies = 1000 * kKilo},
        [&](HttpRequest request, std::shared_ptr<HttpExchange> exchange) {
          handled.push_back(request.target);
          exchange->Respond({.body = "ok"});
        });
  const auto post = [](std::string_view path, std::size_t bytes) {
    return fmt::format("POST {} HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n\r\n", path, bytes);
  };
  const auto send_all = [&](RawClient& raw, std::size_t bytes) {
    const std::string body(bytes, 'x');
    std::size_t sent = 0;
    RunUntil([&] {
      boost::system::error_code ignored;
      sent += raw.socket.write_some(boost::asio::buffer(body.data() + sent, body.size() - sent),
                                    ignored);
      return sent == body.size();
    });
  };
  RawClient large(loop, server->port()), other(loop, server->port()), small(loop, server->port());
  large.Send(post("/large", 800 * kKilo));
  send_all(large, 700 * kKilo);
  RunFor(20ms);
  other.Send(post("/other", 400 * kKilo));
  send_all(other, 399 * kKilo);
  Await(large, [&] { return large.ended; });
  EXPECT_THAT(large.text, StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(large.text, HasSubstr("Retry-After: 1"));
  small.Send(post("/small", 2) + "ab");
  Await(small, [&] { return small.text.ends_with("ok"); });
  send_all(other, kKilo);
  Await(other, [&] { return other.text.ends_with("ok"); });
  // The room is there again: for the bodies of requests that were answered too.
  for (int i = 0; i < 5; ++i) {
    RawClient next(loop, server->port());
    next.Send(post("/next", 600 * kKilo));
    send_all(next, 600 * kKilo);
    Await(next, [&] { return next.text.ends_with("ok"); });
  }
  EXPECT_EQ(handled.size(), 7u);
}

TEST_F(HttpServerTest, ARequestThatCanBeUnderstoodInTwoWaysIsRefused) {
  Serve({}, Echo);
  struct Row {
    std::string header;
    int status;
  };
  const Row rows[] = {
      {"Host: a\r\nTransfer-Encoding: xchunked\r\n", 501},
      {"Host: a\r\nTransfer-Encoding: identity\r\n", 501},
      {"Host: a\r\nTransfer-Encoding: chunked, identity\r\n", 501},
      {"Host: a\r\nTransfer-Encoding: gzip, chunked\r\n", 501},
      {"Host: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", 400},
      {"Host: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n", 400},
      {"Host: a\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n", 400},
      {"Host: a\r\nContent-Length: 2, 2\r\n", 400},
      {"Host: a\r\nContent-Length: 2\r\nContent-Length: 2\r\n", 400},
      {"Host: a\r\nContent-Length: +2\r\n", 400},
      {"Host: a\r\nContent-Length: \r\n", 400},
      {"", 400},
      {"Host: a\r\nHost: b\r\n", 400},
      {"Host: a\r\nX: y\r\n z\r\n", 400},
      {"Host: a\r\nX: y\r\n\tz\r\n", 400},
      {"Host: a\r\nX:\r\n Content-Length: 2\r\n", 400},
  };
  for (const Row& row : rows) {
    const std::string answer = Talk(fmt::format("POST /x HTTP/1.1\r\n{}\r\n", row.header) +
                                    "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_THAT(answer, StartsWith(fmt::format("HTTP/1.1 {} ", row.status))) << row.header;
    EXPECT_THAT(answer, HasSubstr("Connection: close")) << row.header;
    EXPECT_THAT(answer, testing::Not(HasSubstr("/smuggled"))) << row.header;
  }
  // However it arrives.
  RawClient byte_by_byte(loop, server->port());
  for (const char c : std::string_view("GET / HTTP/1.1\r\nHost: a\r\n b\r\nX: y\r\n\r\n")) {
    byte_by_byte.Send({&c, 1});
    loop.context().restart();
    loop.context().poll();
  }
  Await(byte_by_byte, [&] { return byte_by_byte.ended; });
  EXPECT_THAT(byte_by_byte.text, StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(Talk("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
              StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(Talk("POST / HTTP/1.1\r\nhost: a\r\nCONNECTION: close\r\n"
                   "transfer-encoding: Chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"),
              testing::EndsWith("POST / hi"));
}

}  // namespace
}  // namespace basalt::net
