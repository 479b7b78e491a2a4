#include "kube/client/event_recorder.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "testing/direct_api_client.h"
#include "testing/direct_network.h"
#include "testing/sim_loop.h"

namespace basalt::kube {
namespace {

namespace json = boost::json;
using testing::SizeIs;
using testing::StartsWith;

// Keeps events by name.
class EventServer {
 public:
  net::HttpHandler handler() {
    return [this](net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange) {
      ++requests;
      if (forbid) {
        exchange->Respond({.status = 403, .body = R"({"kind":"Status","reason":"Forbidden"})"});
        return;
      }
      const json::object body = json::parse(request.body).as_object();
      if (request.method == "POST") {
        EXPECT_EQ(request.target, "/api/v1/namespaces/ns/events");
        const std::string name(body.at("metadata").at("name").as_string());
        if (!events.emplace(name, body).second) {
          exchange->Respond(
              {.status = 409, .body = R"({"kind":"Status","reason":"AlreadyExists"})"});
          return;
        }
      } else {
        EXPECT_EQ(request.method, "PATCH");
        const auto found = events.find(request.target.substr(request.target.rfind('/') + 1));
        if (found == events.end()) {
          exchange->Respond({.status = 404, .body = R"({"kind":"Status","reason":"NotFound"})"});
          return;
        }
        for (const auto& [key, value] : body) found->second[key] = value;
      }
      exchange->Respond({.status = 200, .body = "{}"});
    };
  }

  std::map<std::string, json::object> events;
  int requests = 0;
  bool forbid = false;
};

class EventRecorderTest : public testing::Test {
 protected:
  EventRecorderTest() : network_(loop_, server_.handler(), {}), api_(network_), client_(api_) {
    Make({});
  }
  void Make(EventRecorderOptions options) {
    options.component = "volcano";
    options.instance = "host";
    recorder_ = std::make_unique<EventRecorder>(client_, options);
  }
  void Say(std::string_view message, std::string_view name = "web-0") {
    recorder_->Record(
        {.api_version = "v1", .kind = "Pod", .ns = "ns", .name = std::string(name), .uid = "u1"},
        EventType::kWarning, "FailedScheduling", message);
  }
  const json::object& Only() const {
    EXPECT_THAT(server_.events, SizeIs(1));
    return server_.events.begin()->second;
  }

  testutil::SimLoop loop_;
  EventServer server_;
  testutil::DirectNetwork network_;
  testutil::DirectApiClient api_;
  Client client_;
  std::unique_ptr<EventRecorder> recorder_;
};

TEST_F(EventRecorderTest, WritesACoreEvent) {
  Say("no node fits");
  EXPECT_EQ(server_.requests, 0);
  loop_.RunUntilIdle();
  const json::object& event = Only();
  EXPECT_EQ(event.at("kind"), "Event");
  EXPECT_EQ(event.at("apiVersion"), "v1");
  EXPECT_EQ(event.at("type"), "Warning");
  EXPECT_EQ(event.at("reason"), "FailedScheduling");
  EXPECT_EQ(event.at("message"), "no node fits");
  EXPECT_EQ(event.at("count"), 1);
  EXPECT_EQ(event.at("firstTimestamp"), "2026-01-01T00:00:00Z");
  EXPECT_EQ(event.at("source").at("component"), "volcano");
  EXPECT_EQ(event.at("involvedObject").at("uid"), "u1");
  EXPECT_THAT(server_.events.begin()->first, StartsWith("web-0."));
  EXPECT_TRUE(recorder_->idle());
}

TEST_F(EventRecorderTest, TheSameAgainIsCounted) {
  for (int i = 0; i < 5; ++i) {
    Say("no node fits");
    loop_.RunFor(1min);
  }
  EXPECT_EQ(Only().at("count"), 5);
  EXPECT_EQ(Only().at("firstTimestamp"), "2026-01-01T00:00:00Z");
  EXPECT_EQ(Only().at("lastTimestamp"), "2026-01-01T00:04:00Z");
  EXPECT_EQ(recorder_->stats().patched, 4u);
}

TEST_F(EventRecorderTest, WhatIsSaidFasterThanSentIsOneWrite) {
  for (int i = 0; i < 7; ++i) Say("no node fits");
  loop_.RunUntilIdle();
  EXPECT_EQ(Only().at("count"), 7);
  EXPECT_EQ(server_.requests, 1);
  network_.set_plan({.least_latency = 1s, .most_latency = 1s});
  Say("no node fits");
  loop_.RunFor(1500ms);  // the patch is under way
  Say("no node fits");
  Say("no node fits");
  loop_.RunFor(1min);
  EXPECT_EQ(Only().at("count"), 10);
  EXPECT_EQ(server_.requests, 3);
}

TEST_F(EventRecorderTest, BeyondTenSimilarMessagesAreCombined) {
  for (int i = 0; i < 14; ++i) {
    Say(fmt::format("attempt {}", i));
    loop_.RunFor(1s);
  }
  EXPECT_THAT(server_.events, SizeIs(11));
  int combined = 0;
  for (const auto& [name, event] : server_.events) {
    if (event.at("message") == "(combined from similar events): attempt 13") {
      ++combined;
      EXPECT_EQ(event.at("count"), 4);
    }
  }
  EXPECT_EQ(combined, 1);
  Say("attempt 3");  // known words are still counted where they were
  loop_.RunFor(1s);
  EXPECT_THAT(server_.events, SizeIs(11));
  loop_.RunFor(11min);
  Say("attempt 99");  // the window is over
  loop_.RunFor(1s);
  EXPECT_THAT(server_.events, SizeIs(12));
}

TEST_F(EventRecorderTest, OneObjectCannotFloodTheServerAndDoesNotSilenceOthers) {
  for (int i = 0; i < 100; ++i) Say("again");
  Say("hello", "web-1");
  loop_.RunUntilIdle();
  EXPECT_EQ(recorder_->stats().limited, 75u);
  EXPECT_THAT(server_.events, SizeIs(2));
  loop_.RunFor(301s);
  Say("again");
  Say("again");
  EXPECT_EQ(recorder_->stats().limited, 76u);
}

TEST_F(EventRecorderTest, AFullQueueDropsTheNewest) {
  Make({.most_queued = 3});
  for (int i = 0; i < 5; ++i) Say("hello", fmt::format("web-{}", i));
  EXPECT_EQ(recorder_->stats().overflowed, 2u);
  loop_.RunUntilIdle();
  EXPECT_THAT(server_.events, SizeIs(3));
}

TEST_F(EventRecorderTest, WaitsWhileItsOwnerIsBusyButNotForever) {
  recorder_->SetBusy(true);
  Say("hello");
  loop_.RunFor(29s);
  EXPECT_EQ(server_.requests, 0);
  loop_.RunFor(1s);
  EXPECT_EQ(server_.requests, 1);
  Say("hello");
  loop_.RunFor(5s);
  recorder_->SetBusy(false);
  loop_.RunUntilIdle();
  EXPECT_EQ(server_.requests, 2);
}

TEST_F(EventRecorderTest, WaitsAMomentWhereItIsToldTo) {
  Make({.least_delay = 100ms, .most_delay = 1s});
  Say("hello");
  loop_.RunFor(99ms);
  EXPECT_EQ(server_.requests, 0);
  loop_.RunFor(1ms);
  EXPECT_EQ(server_.requests, 1);
  // Who was busy meanwhile has waited long enough, or has not.
  recorder_->SetBusy(true);
  Say("again");
  loop_.RunFor(500ms);
  Say("and again");
  recorder_->SetBusy(false);
  loop_.RunFor(1ms);
  EXPECT_EQ(server_.requests, 2);
  loop_.RunFor(100ms);
  EXPECT_EQ(server_.requests, 3);
}

TEST_F(EventRecorderTest, AnEventThatTheServerForgotStartsAnew) {
  Say("hello");
  loop_.RunUntilIdle();
  server_.events.clear();
  Say("hello");
  loop_.RunUntilIdle();
  EXPECT_EQ(Only().at("count"), 2);
}

TEST_F(EventRecorderTest, ALostAnswerDoesNotDoubleTheEvent) {
  network_.set_plan({.lose_response = 1});
  Say("hello");
  loop_.RunFor(1s);
  network_.set_plan({});
  Say("hello");
  loop_.RunFor(1min);
  EXPECT_EQ(Only().at("count"), 2);
  EXPECT_TRUE(recorder_->idle());
}

TEST_F(EventRecorderTest, GivesUpOnWhatTheServerDoesNotTake) {
  server_.forbid = true;
  Say("hello");
  loop_.RunFor(10min);
  EXPECT_EQ(recorder_->stats().failed, 1u);
  EXPECT_EQ(server_.requests, 1);
  network_.set_plan({.refuse = 1});
  Say("hello");
  loop_.RunFor(1h);
  EXPECT_EQ(recorder_->stats().failed, 2u);
  EXPECT_TRUE(recorder_->idle());
}

TEST_F(EventRecorderTest, CutsLongMessagesBetweenCharacters) {
  std::string message(1020, 'a');
  for (int i = 0; i < 100; ++i) message += "ä";
  Say(message);
  loop_.RunUntilIdle();
  const std::string_view text = Only().at("message").as_string();
  EXPECT_LE(text.size(), 1024u);
  EXPECT_EQ(text.substr(1019), "a...");
}

}  // namespace
}  // namespace basalt::kube
