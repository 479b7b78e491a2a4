#include "kube/client/leader_elector.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "testing/direct_api_client.h"
#include "testing/direct_network.h"
#include "testing/seeds.h"
#include "testing/sim_loop.h"

namespace basalt::kube {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testutil::DirectApiClient;
using testutil::DirectNetwork;
using testutil::FaultPlan;
using testutil::SimLoop;

// Serves one Lease, with optimistic concurrency, and nothing else.
class LeaseServer {
 public:
  net::HttpHandler handler() {
    return [this](net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange) {
      exchange->Respond(Answer(request));
    };
  }

  json::value lease;      // null: there is none
  std::string forbidden;  // the method that is not allowed
  std::string method_of_last_write;
  int transitions = 0;

 private:
  static net::HttpResponse Status(int code, std::string_view reason) {
    return {.status = code,
            .body = fmt::format(R"({{"kind":"Status","reason":"{}","code":{}}})", reason, code)};
  }
  net::HttpResponse Store(int status) {
    lease.at("metadata").as_object()["resourceVersion"] = std::to_string(++version_);
    return {.status = status, .body = json::serialize(lease)};
  }
  net::HttpResponse Answer(const net::HttpRequest& request) {
    if (request.method == forbidden) return Status(403, "Forbidden");
    if (request.method == "GET") {
      if (lease.is_null()) return Status(404, "NotFound");
      return {.body = json::serialize(lease)};
    }
    const json::value body = json::parse(request.body);
    if (request.method == "POST") {
      if (!lease.is_null()) return Status(409, "AlreadyExists");
      lease = body;
      lease.at("metadata").as_object()["uid"] = "u";
      return Store(201);
    }
    if (lease.is_null()) return Status(404, "NotFound");
    if (lease.at("metadata").at("resourceVersion") != body.at("metadata").at("resourceVersion")) {
      return Status(409, "Conflict");
    }
    json::object& spec = lease.at("spec").as_object();
    for (const auto& [key, value] : body.at("spec").as_object()) {
      if (value.is_null()) {
        spec.erase(key);
      } else {
        spec[key] = value;
      }
    }
    return Store(200);
  }

  int version_ = 100;
};

// The machine's wall clock is off; what it measures is right.
class SkewedLoop final : public Loop {
 public:
  SkewedLoop(Loop& loop, Duration skew) : loop_(loop), skew_(skew) {}
  Time Now() const override { return loop_.Now() + skew_; }
  Duration Monotonic() const override { return loop_.Monotonic() + skew_ * 2; }
  void Post(Callback callback) override { loop_.Post(std::move(callback)); }
  TimerId Schedule(Duration delay, Callback callback) override {
    return loop_.Schedule(delay, std::move(callback));
  }
  void Cancel(TimerId id) override { loop_.Cancel(id); }

 private:
  Loop& loop_;
  Duration skew_;
};

// One process that wants to lead.
class Process final : public ApiClient {
 public:
  Process(DirectNetwork& network, std::string identity, Duration skew = 0s, std::uint64_t seed = 1,
          Duration retry_period = 2s)
      : loop_(network.loop(), skew),
        direct_(std::make_unique<DirectApiClient>(network)),
        elector_(std::make_unique<LeaderElector>(
            *this,
            LeaderElectorOptions{.ns = "kube-system",
                                 .name = "basalt",
                                 .identity = identity,
                                 .retry_period = retry_period,
                                 .seed = seed},
            LeaderElector::Callbacks{
                .on_started_leading = [this] { Note("started"); },
                .on_stopped_leading = [this] { Note("stopped"); },
                .on_new_leader = [this](const std::string& who) { leaders_seen.push_back(who); },
            })) {
    elector_->Start();
  }

  void Send(ApiRequest request, ApiHandler handler) override {
    direct_->Send(std::move(request), std::move(handler));
  }
  std::unique_ptr<WatchStream> Watch(ApiRequest, WatchObserver&) override { return nullptr; }
  Loop& loop() override { return loop_; }

  void Crash() {
    direct_->Crash();
    elector_.reset();
  }
  bool IsLeader() const { return elector_ != nullptr && elector_->IsLeader(); }
  LeaderElector& elector() { return *elector_; }

  std::vector<std::string> notes;
  std::vector<std::string> leaders_seen;

 private:
  void Note(std::string_view what) {
    // By the time that one is told, the guard says the same.
    EXPECT_EQ(IsLeader(), what == "started");
    notes.emplace_back(what);
  }

  SkewedLoop loop_;
  std::unique_ptr<DirectApiClient> direct_;
  std::unique_ptr<LeaderElector> elector_;
};

class LeaderElectorTest : public testing::Test {
 protected:
  LeaderElectorTest() : network_(loop_, server_.handler(), {}) {}

  bool RunUntilLeads(const Process& process, Duration most) {
    return loop_.RunUntil([&] { return process.IsLeader(); }, most);
  }
  std::string Spec(std::string_view field) const {
    const json::value* value = server_.lease.at("spec").as_object().if_contains(field);
    if (value == nullptr) return "absent";
    return value->is_string() ? std::string(value->as_string()) : json::serialize(*value);
  }

  SimLoop loop_;
  LeaseServer server_;
  DirectNetwork network_;
};

TEST_F(LeaderElectorTest, TheFirstCreatesTheLeaseAndTheSecondWaits) {
  Process a(network_, "a");
  loop_.RunUntilIdle();
  EXPECT_TRUE(a.IsLeader());
  EXPECT_EQ(Spec("holderIdentity"), "a");
  EXPECT_EQ(Spec("leaseDurationSeconds"), "15");
  EXPECT_EQ(Spec("leaseTransitions"), "0");
  EXPECT_EQ(Spec("renewTime"), "2026-01-01T00:00:00.000000Z");
  Process b(network_, "b");
  loop_.RunFor(10min);
  EXPECT_TRUE(a.IsLeader());
  EXPECT_FALSE(b.IsLeader());
  EXPECT_THAT(a.notes, ElementsAre("started"));
  EXPECT_THAT(b.leaders_seen, ElementsAre("a"));
  EXPECT_EQ(Spec("acquireTime"), "2026-01-01T00:00:00.000000Z");
  EXPECT_EQ(Spec("renewTime"), "2026-01-01T00:10:00.000000Z");
}

TEST_F(LeaderElectorTest, ACrashedLeaderIsReplacedWhenItsLeaseHasRunOutAndNotBefore) {
  Process a(network_, "a");
  loop_.RunUntilIdle();
  Process b(network_, "b");
  loop_.RunFor(1s);
  a.Crash();
  EXPECT_FALSE(RunUntilLeads(b, 14s - 1ms));
  EXPECT_TRUE(RunUntilLeads(b, 1ms));
  EXPECT_EQ(Spec("leaseTransitions"), "1");
  EXPECT_EQ(Spec("holderIdentity"), "b");
}

// Whenever it dies between two renewals, and however late the other has seen the last of them.
TEST_F(LeaderElectorTest, ACrashedLeaderIsReplacedWithinItsLeaseAndASecond) {
  for (int step = 0; step < 20; ++step) {
    SCOPED_TRACE(step);
    SimLoop loop;
    LeaseServer server;
    DirectNetwork network(loop, server.handler(), {});
    Process a(network, "a");
    loop.RunUntilIdle();
    Process b(network, "b", 0s, static_cast<std::uint64_t>(step));
    loop.RunFor(20s + step * 100ms);
    a.Crash();
    const Duration crashed = loop.elapsed();
    ASSERT_TRUE(loop.RunUntil([&] { return b.IsLeader(); }, 30s));
    EXPECT_LE(loop.elapsed() - crashed, 15s + 1s);
    EXPECT_GE(loop.elapsed() - crashed, 15s - 2s);
  }
}

TEST_F(LeaderElectorTest, AReleasedLeaseIsTakenAtOnce) {
  Process a(network_, "a");
  loop_.RunUntilIdle();
  Process b(network_, "b");
  loop_.RunFor(3s);
  bool done = false;
  a.elector().Release([&] { done = true; });
  EXPECT_FALSE(a.IsLeader());
  EXPECT_THAT(a.notes, ElementsAre("started", "stopped"));
  EXPECT_TRUE(loop_.RunUntil([&] { return done; }, 1s));
  EXPECT_EQ(Spec("holderIdentity"), "absent");
  EXPECT_EQ(Spec("leaseDurationSeconds"), "1");
  EXPECT_TRUE(RunUntilLeads(b, 5s));
  loop_.RunFor(1min);
  EXPECT_FALSE(a.IsLeader());
}

TEST_F(LeaderElectorTest, ReleasingWhileARenewalIsUnderWayWorksToo) {
  network_.set_plan({.least_latency = 500ms, .most_latency = 500ms});
  Process a(network_, "a");
  ASSERT_TRUE(RunUntilLeads(a, 10s));
  loop_.RunFor(2100ms);  // a renewal is on its way
  const std::string renewed = Spec("renewTime");
  bool done = false;
  a.elector().Release([&] { done = true; });
  EXPECT_TRUE(loop_.RunUntil([&] { return done; }, 10s));
  EXPECT_NE(Spec("renewTime"), renewed);
  EXPECT_EQ(Spec("holderIdentity"), "absent");
}

TEST_F(LeaderElectorTest, OneThatDoesNotLeadReleasesNothing) {
  Process a(network_, "a");
  loop_.RunUntilIdle();
  Process b(network_, "b");
  loop_.RunFor(3s);
  bool done = false;
  b.elector().Release([&] { done = true; });
  loop_.RunFor(1min);
  EXPECT_TRUE(done);
  EXPECT_TRUE(a.IsLeader());
  EXPECT_EQ(Spec("holderIdentity"), "a");
}

TEST_F(LeaderElectorTest, ALeaderThatCannotRenewStopsInTimeAndLeadsAgainAfterwards) {
  Process a(network_, "a");
  loop_.RunUntilIdle();
  network_.Restart(30s);
  loop_.RunFor(9999ms);
  EXPECT_TRUE(a.IsLeader());
  loop_.RunFor(1ms);
  EXPECT_FALSE(a.IsLeader());
  EXPECT_THAT(a.notes, ElementsAre("started", "stopped"));
  EXPECT_TRUE(RunUntilLeads(a, 30s));
}

TEST_F(LeaderElectorTest, TheGuardIsFalseAtTheDeadlineEvenIfTheLoopIsLate) {
  Process a(network_, "a");
  loop_.RunUntilIdle();
  a.Crash();  // drops the elector; make one whose answers never come
  DirectApiClient direct(network_);
  LeaderElector elector(direct, {.ns = "kube-system", .name = "basalt", .identity = "a"}, {});
  elector.Start();
  loop_.RunUntilIdle();
  ASSERT_TRUE(elector.IsLeader());
  direct.Crash();
  bool seen = true;
  // This was asked for first, so it runs before the elector's own timer.
  loop_.Schedule(10s, [&] { seen = elector.IsLeader(); });
  loop_.RunFor(10s);
  EXPECT_FALSE(seen);
}

TEST_F(LeaderElectorTest, ARenewalWhoseAnswerWasLostIsNotAnotherLeader) {
  Process a(network_, "a");
  loop_.RunUntilIdle();
  network_.set_plan({.lose_response = 0.5});
  loop_.RunFor(10min);
  network_.set_plan({});
  loop_.RunFor(10s);
  EXPECT_TRUE(a.IsLeader());
  EXPECT_EQ(Spec("leaseTransitions"), "0");
  EXPECT_GT(network_.counts().lost_responses, 50u);
}

TEST_F(LeaderElectorTest, WhoMayNotHaveTheLeaseSaysSoAtOnceAndEveryMinute) {
  for (const char* method : {"GET", "POST", "PATCH"}) {
    SCOPED_TRACE(method);
    server_.lease = nullptr;
    server_.forbidden = method;
    testing::internal::CaptureStderr();
    Process a(network_, "a");
    loop_.RunUntilIdle();
    if (std::string_view(method) == "PATCH") loop_.RunFor(30s);  // made, but never renewed
    ASSERT_TRUE(a.elector().last_error());
    EXPECT_EQ(a.elector().last_error()->code, ErrorCode::kForbidden);
    loop_.RunFor(150s);
    const std::string said = testing::internal::GetCapturedStderr();
    int warnings = 0;
    for (std::size_t at = said.find("kube-system/basalt"); at != std::string::npos;
         at = said.find("kube-system/basalt", at + 1)) {
      ++warnings;
    }
    EXPECT_EQ(warnings, 3) << said;
    EXPECT_THAT(said, testing::HasSubstr("Forbidden"));
    server_.forbidden = "";
    EXPECT_TRUE(RunUntilLeads(a, 30s));
    EXPECT_EQ(a.elector().last_error(), std::nullopt);
    EXPECT_THAT(a.elector().last_renewal(), testing::Optional(testing::Gt(Duration::zero())));
  }
}

TEST_F(LeaderElectorTest, StandingByWhileAnotherLeadsIsNoFailure) {
  Process a(network_, "a");
  loop_.RunUntilIdle();
  Process b(network_, "b");
  testing::internal::CaptureStderr();
  loop_.RunFor(3min);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(b.elector().last_error(), std::nullopt);
  EXPECT_EQ(b.elector().last_renewal(), std::nullopt);
  EXPECT_GE(a.elector().last_renewal(), loop_.Monotonic() - 2s);
}

TEST_F(LeaderElectorTest, ALeaseTakenByForceEndsTheLeadership) {
  Process a(network_, "a");
  loop_.RunUntilIdle();
  server_.lease.at("spec").as_object()["holderIdentity"] = "intruder";
  server_.lease.at("metadata").as_object()["resourceVersion"] = "999";
  loop_.RunFor(3s);
  EXPECT_FALSE(a.IsLeader());
  EXPECT_THAT(a.notes, ElementsAre("started", "stopped"));
}

// Many processes, bad network, wrong clocks, crashes: never two leaders, and one in the end.
void RunElection(std::uint64_t seed) {
  SimLoop loop;
  LeaseServer server;
  Random random(seed);
  const FaultPlan faults{.least_latency = 1ms,
                         .most_latency = Duration(random.Below(3'000'000'000)),
                         .refuse = random.Uniform() * 0.4,
                         .lose_response = random.Uniform() * 0.4,
                         .too_many_requests = random.Uniform() * 0.2,
                         .internal_error = random.Uniform() * 0.2,
                         .restart_every = 60s,
                         .most_outage = 30s};
  DirectNetwork network(loop, server.handler(), {}, faults, seed);
  std::vector<std::unique_ptr<Process>> processes;
  int started = 0;
  const auto start = [&] {
    const Duration skew = std::chrono::seconds(random.Below(7200)) - 3600s;
    processes.push_back(std::make_unique<Process>(network, fmt::format("p{}", ++started), skew,
                                                  random.Next(),
                                                  Duration(100ms) + 10ms * random.Below(190)));
  };
  const auto check = [&] {
    int leaders = 0;
    for (const auto& process : processes) leaders += process->IsLeader() ? 1 : 0;
    ASSERT_LE(leaders, 1) << "at " << loop.elapsed().count();
  };
  for (int i = 0; i < 3; ++i) start();
  Duration led{0};
  while (loop.elapsed() < 10min) {
    const Duration until = loop.elapsed() + Duration(random.Below(30'000'000'000));
    while (loop.elapsed() < until && loop.Step()) {
      check();
      if (testing::Test::HasFatalFailure()) return;
    }
    for (const auto& process : processes) led += process->IsLeader() ? 1s : 0s;
    Process& victim = *processes[random.Below(processes.size())];
    switch (random.Below(4)) {
      case 0: victim.Crash(); break;
      case 1: victim.elector().Release([] {}); break;
      default: continue;
    }
    // A process that stopped is started anew, under a new name.
    loop.RunFor(0s);
    std::erase_if(processes, [&](const auto& process) { return process.get() == &victim; });
    start();
  }
  network.set_plan({});
  for (Duration end = loop.elapsed() + 1min; loop.elapsed() < end && loop.Step();) check();
  int leaders = 0;
  for (const auto& process : processes) leaders += process->IsLeader() ? 1 : 0;
  EXPECT_EQ(leaders, 1);
  EXPECT_GT(led, 0s) << "nobody ever led: the test tests nothing";
}

TEST(LeaderElectorFaultsTest, NeverTwoLeadersAndOneInTheEnd) {
  testutil::ForEachSeed(200, RunElection);
}

}  // namespace
}  // namespace basalt::kube
