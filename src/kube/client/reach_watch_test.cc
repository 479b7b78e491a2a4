#include "kube/client/reach_watch.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "testing/sim_loop.h"

namespace basalt::kube {
namespace {

// Answers as it is told to, after as long as it is told to, or when the caller's patience ends.
class FakeServer final : public ApiClient {
 public:
  explicit FakeServer(Loop& loop) : loop_(loop) {}
  void Send(ApiRequest request, ApiHandler handler) override {
    const bool in_time = answers_after <= request.timeout;
    auto shared = std::make_shared<ApiHandler>(std::move(handler));
    loop_.Schedule(in_time ? answers_after : request.timeout, [this, in_time, shared] {
      (*shared)(in_time ? answer : Fail(ErrorCode::kTimeout, "no answer"));
    });
  }
  std::unique_ptr<WatchStream> Watch(ApiRequest, WatchObserver&) override { return nullptr; }
  Loop& loop() override { return loop_; }

  Duration answers_after = 1ms;
  Result<ApiResponse> answer = Fail(ErrorCode::kUnavailable, "Connection refused");

 private:
  Loop& loop_;
};

class ReachWatchTest : public testing::Test {
 protected:
  testutil::SimLoop loop_;
  FakeServer server_{loop_};
  ReachWatch watch_{server_, "https://localhost:1"};
};

TEST_F(ReachWatchTest, AServerThatAnswersIsNotSpokenOf) {
  server_.answer = ApiResponse{.status = 200, .body = {}};
  watch_.Start();
  loop_.RunFor(1min);
  EXPECT_TRUE(watch_.reached());
  EXPECT_EQ(watch_.complaints(), 0);
}

TEST_F(ReachWatchTest, AServerThatRefusesTheQuestionIsThere) {
  server_.answer =
      std::unexpected(Error{.code = ErrorCode::kForbidden, .message = "no", .http_status = 403});
  watch_.Start();
  loop_.RunFor(1s);
  EXPECT_TRUE(watch_.reached());
}

TEST_F(ReachWatchTest, WithinTwoSecondsItIsSaidThatNobodyListensAndLaterThatSomebodyDoes) {
  watch_.Start();
  loop_.RunFor(2s);
  EXPECT_EQ(watch_.complaints(), 1);
  loop_.RunFor(30s);
  EXPECT_EQ(watch_.complaints(), 1) << "an outage is a line a minute";
  loop_.RunFor(60s);
  EXPECT_EQ(watch_.complaints(), 2);
  server_.answer = ApiResponse{.status = 200, .body = {}};
  loop_.RunFor(15s);
  EXPECT_TRUE(watch_.reached());
}

TEST_F(ReachWatchTest, ASilentServerIsSpokenOfAsSoon) {
  server_.answers_after = 1h;
  watch_.Start();
  loop_.RunFor(2s);
  EXPECT_EQ(watch_.complaints(), 1);
}

}  // namespace
}  // namespace basalt::kube
