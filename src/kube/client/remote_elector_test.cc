#include "kube/client/remote_elector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "testing/sim_loop.h"

namespace basalt::kube {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testutil::SimLoop;

// An API server that takes every write of the lease, or refuses them all.
class LeaseApi final : public ApiClient {
 public:
  explicit LeaseApi(SimLoop& loop) : loop_(loop) {}
  void Send(ApiRequest request, ApiHandler handler) override {
    methods.push_back(request.method);
    loop_.Post([this, handler = std::move(handler)]() mutable {
      if (!takes_writes) return handler(Fail(ErrorCode::kUnavailable, "away"));
      handler(ApiResponse{.status = 200,
                          .body = R"({"metadata":{"name":"l","uid":"u","resourceVersion":"1"},)"
                                  R"("spec":{"holderIdentity":"me","leaseDurationSeconds":15}})"});
    });
  }
  std::unique_ptr<WatchStream> Watch(ApiRequest, WatchObserver&) override { return nullptr; }
  Loop& loop() override { return loop_; }

  bool takes_writes = true;
  std::vector<std::string> methods;

 private:
  SimLoop& loop_;
};

// The role's loop stands still unless a test runs it.
class RemoteElectorTest : public testing::Test {
 protected:
  RemoteElectorTest()
      : api_(there_),
        elector_(home_, api_, [](Callback callback) { callback(); },
                 {.ns = "kube-system", .name = "l", .identity = "me"},
                 {.on_started_leading = [this] { heard_.push_back("started"); },
                  .on_stopped_leading = [this] { heard_.push_back("stopped"); },
                  .on_new_leader = {}}) {
    elector_.Start();
  }

  SimLoop home_;
  SimLoop there_;
  LeaseApi api_;
  std::vector<std::string> heard_;
  RemoteElector elector_;
};

TEST_F(RemoteElectorTest, TheRoleLeadsOnceItHasHeardOfIt) {
  there_.RunFor(1s);
  EXPECT_FALSE(elector_.IsLeader());
  home_.RunUntilIdle();
  EXPECT_THAT(heard_, ElementsAre("started"));
  EXPECT_TRUE(elector_.IsLeader());
  EXPECT_EQ(elector_.leader(), "me");
}

TEST_F(RemoteElectorTest, TheLeaseIsRenewedWhileTheRoleIsBusy) {
  there_.RunFor(1s);
  home_.RunUntilIdle();
  there_.RunFor(10min);
  EXPECT_TRUE(elector_.IsLeader());
  EXPECT_GT(api_.methods.size(), 200u);
}

TEST_F(RemoteElectorTest, ALeaseThatWasLostIsNotHeldThoughTheRoleHasNotHeardOfIt) {
  there_.RunFor(1s);
  home_.RunUntilIdle();
  api_.takes_writes = false;
  there_.RunFor(20s);
  EXPECT_FALSE(elector_.IsLeader());
  home_.RunUntilIdle();
  EXPECT_THAT(heard_, ElementsAre("started", "stopped"));
}

TEST_F(RemoteElectorTest, ALeaseThatWasLostAndWonAgainIsAnotherTermOfWhichTheRoleMustHear) {
  there_.RunFor(1s);
  home_.RunUntilIdle();
  api_.takes_writes = false;
  there_.RunFor(20s);
  api_.takes_writes = true;
  there_.RunFor(20s);
  EXPECT_FALSE(elector_.IsLeader());
  home_.RunUntilIdle();
  EXPECT_THAT(heard_, ElementsAre("started", "stopped", "started"));
  EXPECT_TRUE(elector_.IsLeader());
}

TEST_F(RemoteElectorTest, ReleaseGivesTheLeaseBackAndThenTellsTheRole) {
  there_.RunFor(1s);
  home_.RunUntilIdle();
  bool done = false;
  elector_.Release([&] { done = true; });
  there_.RunFor(1s);
  EXPECT_FALSE(elector_.IsLeader());
  EXPECT_FALSE(done);
  home_.RunUntilIdle();
  EXPECT_TRUE(done);
}

TEST_F(RemoteElectorTest, NothingIsHeardOfOneThatIsGone) {
  auto gone = std::make_unique<RemoteElector>(
      home_, api_, [](Callback callback) { callback(); },
      LeaderElectorOptions{.ns = "kube-system", .name = "l", .identity = "me"},
      Leadership::Callbacks{.on_started_leading = [this] { heard_.push_back("gone"); },
                            .on_stopped_leading = {},
                            .on_new_leader = {}});
  gone->Start();
  there_.RunFor(1s);
  gone.reset();
  home_.RunUntilIdle();
  EXPECT_THAT(heard_, ElementsAre("started"));
}

}  // namespace
}  // namespace basalt::kube
