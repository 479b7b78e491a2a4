#include "testing/direct_api_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testing/sim_loop.h"

namespace basalt::testutil {
namespace {

using kube::ApiRequest;
using kube::ApiResponse;
using testing::ElementsAre;
using testing::IsEmpty;

// Answers every request with its method and target, and keeps those with watch=1 as streams.
class EchoServer {
 public:
  net::HttpHandler handler() {
    return [this](net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange) {
      handled.push_back(request.method + " " + request.target);
      if (request.target.find("silence") != std::string::npos) {
        kept.push_back(exchange);
      } else if (request.target.find("conflict") != std::string::npos) {
        exchange->Respond(
            {.status = 409,
             .body = R"({"kind":"Status","reason":"Conflict","message":"too late"})"});
      } else if (request.target.find("watch=1") != std::string::npos) {
        exchange->StartStream(200, "application/json");
        exchange->OnPeerGone([this] { ++gone; });
        streams.push_back(exchange);
      } else {
        exchange->Respond({.status = 200, .body = handled.back() + request.body});
      }
    };
  }
  void Write(const std::string& piece) {
    for (const auto& stream : streams) stream->Write(piece);
  }
  void EndAll() {
    for (const auto& stream : streams) stream->End();
  }

  std::vector<std::string> handled;
  std::vector<std::shared_ptr<net::HttpExchange>> streams;
  std::vector<std::shared_ptr<net::HttpExchange>> kept;
  int gone = 0;
};

class Recorder : public kube::WatchObserver {
 public:
  void OnFrame(std::string_view frame) override {
    frames.emplace_back(frame);
    if (on_frame) on_frame();
  }
  void OnEnd(const Error& error) override { ends.push_back(error.code); }

  std::vector<std::string> frames;
  std::vector<ErrorCode> ends;
  std::function<void()> on_frame;
};

class DirectApiClientTest : public testing::Test {
 protected:
  explicit DirectApiClientTest(FaultPlan plan = {})
      : network_(loop_, server_.handler(), {.close_watches = [this] { server_.EndAll(); }}, plan),
        client_(std::make_unique<DirectApiClient>(network_)) {}

  void Send(ApiRequest request) {
    client_->Send(std::move(request), [this](Result<ApiResponse> result) {
      results_.push_back(result ? result->body : std::string(ToString(result.error().code)));
    });
  }
  std::unique_ptr<kube::WatchStream> Watch() {
    return client_->Watch({.path = "/pods", .query = {{"watch", "1"}}}, recorder_);
  }

  SimLoop loop_;
  EchoServer server_;
  DirectNetwork network_;
  std::unique_ptr<DirectApiClient> client_;
  Recorder recorder_;
  std::vector<std::string> results_;
};

TEST_F(DirectApiClientTest, CarriesARequestAndItsResponseButNeverFromWithin) {
  Send({.method = "POST", .path = "/pods", .query = {{"a", "x y"}, {"b", "1,2"}}, .body = "{}"});
  EXPECT_THAT(results_, IsEmpty());
  loop_.RunUntilIdle();
  EXPECT_THAT(results_, ElementsAre("POST /pods?a=x%20y&b=1%2C2{}"));
}

TEST_F(DirectApiClientTest, TurnsAStatusIntoAnError) {
  std::optional<Error> error;
  client_->Send({.path = "/conflict"}, [&](Result<ApiResponse> r) { error = r.error(); });
  loop_.RunUntilIdle();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::kConflict);
  EXPECT_EQ(error->message, "too late");
  EXPECT_EQ(error->http_status, 409);
}

TEST_F(DirectApiClientTest, GivesUpOnAServerThatDoesNotAnswer) {
  Send({.path = "/silence", .timeout = 7s});
  loop_.RunFor(6s);
  EXPECT_THAT(results_, IsEmpty());
  loop_.RunFor(1s);
  EXPECT_THAT(results_, ElementsAre(ToString(ErrorCode::kTimeout)));
  server_.kept[0]->Respond({.body = "too late"});
  loop_.RunFor(1s);
  EXPECT_EQ(results_.size(), 1u);
}

TEST_F(DirectApiClientTest, CutsAStreamIntoFrames) {
  const auto stream = Watch();
  loop_.RunUntilIdle();
  server_.Write("{1}\n{2");
  server_.Write("}\n\n{3}\n{4");
  loop_.RunUntilIdle();
  EXPECT_THAT(recorder_.frames, ElementsAre("{1}", "{2}", "{3}"));
  server_.EndAll();
  loop_.RunUntilIdle();
  EXPECT_THAT(recorder_.ends, ElementsAre(ErrorCode::kCancelled));
}

TEST_F(DirectApiClientTest, ADestroyedStreamIsSilentAndTheServerHearsOfIt) {
  auto stream = Watch();
  recorder_.on_frame = [&] { stream.reset(); };
  loop_.RunUntilIdle();
  server_.Write("{1}\n{2}\n");
  server_.Write("{3}\n");
  loop_.RunUntilIdle();
  EXPECT_THAT(recorder_.frames, ElementsAre("{1}"));
  EXPECT_THAT(recorder_.ends, IsEmpty());
  EXPECT_EQ(server_.gone, 1);
}

TEST_F(DirectApiClientTest, ARestartEndsWatchesAndRefusesForAWhile) {
  const auto stream = Watch();
  Send({.path = "/silence"});
  loop_.RunUntilIdle();
  network_.Restart(5s);
  loop_.RunUntilIdle();
  EXPECT_EQ(recorder_.ends.size(), 1u);
  EXPECT_THAT(results_, ElementsAre(ToString(ErrorCode::kUnavailable)));
  Send({.path = "/a"});
  loop_.RunFor(5s);
  Send({.path = "/b"});
  loop_.RunFor(1s);
  EXPECT_THAT(results_, ElementsAre(ToString(ErrorCode::kUnavailable),
                                    ToString(ErrorCode::kUnavailable), "GET /b"));
}

TEST_F(DirectApiClientTest, ACrashedClientHearsNothingButItsRequestMayArrive) {
  network_.set_plan({.least_latency = 10ms, .most_latency = 10ms});
  const auto stream = Watch();
  loop_.RunFor(1s);
  Send({.path = "/sent"});
  client_->Crash();
  Send({.path = "/after"});
  server_.Write("{1}\n");
  loop_.RunFor(1min);
  EXPECT_THAT(server_.handled, ElementsAre("GET /pods?watch=1", "GET /sent"));
  EXPECT_THAT(results_, IsEmpty());
  EXPECT_THAT(recorder_.frames, IsEmpty());
  EXPECT_THAT(recorder_.ends, IsEmpty());
  EXPECT_EQ(server_.gone, 1);
}

TEST_F(DirectApiClientTest, ARefusedRequestIsNotActedOnButALostResponseIs) {
  network_.set_plan({.refuse = 1});
  Send({.path = "/refused"});
  loop_.RunUntilIdle();
  EXPECT_THAT(server_.handled, IsEmpty());
  network_.set_plan({.lose_response = 1});
  Send({.path = "/lost"});
  loop_.RunUntilIdle();
  EXPECT_THAT(server_.handled, ElementsAre("GET /lost"));
  EXPECT_THAT(results_,
              ElementsAre(ToString(ErrorCode::kUnavailable), ToString(ErrorCode::kUnavailable)));
}

TEST_F(DirectApiClientTest, SaysWhatTheServerWouldSayWhenItIsBusyOrBroken) {
  std::vector<int> statuses;
  for (const FaultPlan& plan : {FaultPlan{.too_many_requests = 1}, FaultPlan{.internal_error = 1},
                                FaultPlan{.unavailable = 1}}) {
    network_.set_plan(plan);
    client_->Send({.path = "/x"}, [&](Result<ApiResponse> r) {
      statuses.push_back(r.error().http_status);
      EXPECT_EQ(r.error().retry_after.has_value(), r.error().http_status == 429);
    });
    loop_.RunUntilIdle();
  }
  EXPECT_THAT(statuses, ElementsAre(429, 500, 503));
  EXPECT_THAT(server_.handled, IsEmpty());
}

TEST_F(DirectApiClientTest, CutsAFrameInItsMiddle) {
  const auto stream = Watch();
  loop_.RunUntilIdle();
  server_.Write("{\"first\"}\n");
  network_.set_plan({.cut_watch = 1});
  server_.Write("{\"second and quite long, so that it is not cut at its very end\"}\n");
  server_.Write("{\"third\"}\n");
  loop_.RunUntilIdle();
  EXPECT_THAT(recorder_.frames, ElementsAre("{\"first\"}"));
  EXPECT_THAT(recorder_.ends, ElementsAre(ErrorCode::kUnavailable));
  EXPECT_EQ(server_.gone, 1);
}

TEST_F(DirectApiClientTest, DelaysFramesInOrder) {
  network_.set_plan({.most_latency = 50ms, .delay_piece = 0.5, .most_delay = 10s});
  const auto stream = Watch();
  loop_.RunFor(1s);
  std::vector<std::string> expected;
  for (int i = 0; i < 100; ++i) {
    expected.push_back(std::to_string(i));
    server_.Write(expected.back() + "\n");
  }
  loop_.RunFor(1ms);
  EXPECT_LT(recorder_.frames.size(), 100u);
  loop_.RunFor(1min);
  EXPECT_EQ(recorder_.frames, expected);
}

TEST_F(DirectApiClientTest, AStalledStreamFallsSilentWithoutAnEnd) {
  const auto stream = Watch();
  loop_.RunUntilIdle();
  network_.set_plan({.stall_watch = 1});
  server_.Write("1\n");
  network_.set_plan({});
  server_.Write("2\n");
  server_.EndAll();
  loop_.RunFor(1h);
  EXPECT_THAT(recorder_.frames, IsEmpty());
  EXPECT_THAT(recorder_.ends, IsEmpty());
}

TEST_F(DirectApiClientTest, AConnectionMayOutliveTheNetwork) {
  SimLoop loop;
  EchoServer server;
  Recorder recorder;
  {
    DirectNetwork network(loop, server.handler(), {}, {.most_latency = 1s});
    DirectApiClient client(network);
    const auto stream = client.Watch({.path = "/pods", .query = {{"watch", "1"}}}, recorder);
    loop.RunFor(10s);
    client.Send({.path = "/x"}, [](auto) { FAIL(); });
    server.Write("1\n");
  }
  server.Write("2\n");
  server.EndAll();
  loop.RunFor(1min);
  EXPECT_THAT(recorder.frames, IsEmpty());
}

// The same seed gives the same story; another gives another.
std::vector<std::string> Story(std::uint64_t seed) {
  SimLoop loop;
  EchoServer server;
  DirectNetwork network(loop, server.handler(), {},
                        {.most_latency = 100ms,
                         .refuse = 0.2,
                         .lose_response = 0.2,
                         .internal_error = 0.1,
                         .restart_every = 10s},
                        seed);
  DirectApiClient client(network);
  std::vector<std::string> story;
  for (int i = 0; i < 100; ++i) {
    loop.Schedule(i * 500ms, [&, i] {
      client.Send({.path = "/" + std::to_string(i)}, [&, i](Result<ApiResponse> result) {
        story.push_back(std::to_string(i) + (result ? "ok" : result.error().message) +
                        std::to_string(loop.elapsed().count()));
      });
    });
  }
  loop.RunFor(2min);
  EXPECT_EQ(story.size(), 100u);
  return story;
}

TEST(DirectNetworkTest, OneSeedDecidesEverything) {
  EXPECT_EQ(Story(1), Story(1));
  EXPECT_NE(Story(1), Story(2));
}

}  // namespace
}  // namespace basalt::testutil
