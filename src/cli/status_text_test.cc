#include "cli/status_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "kube/types/time.h"

namespace basalt::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(StatusTextTest, IsOneScreen) {
  auto status = boost::json::parse(R"({
    "nodes":{"total":3,"ready":2,"cordoned":1,"allocatable":{"cpu":"48","memory":"192Gi"},
             "used":{"cpu":"24","memory":"19Gi"}},
    "runningPods":5,
    "queues":[{"name":"root","state":"Open","allocated":{},"capability":{}},
              {"name":"team","state":"Open","allocated":{"cpu":"9","memory":"1Gi"},
               "capability":{"cpu":"10"},"running":2,"inqueue":1,"pending":3,"waitingPods":7}],
    "claims":{"withoutNode":4,"promised":1},
    "waiting":[{"reason":"Unschedulable","pods":6},{"reason":"WaitingForQueue","pods":1}],
    "reservations":{"Available":1,"Pending":0},
    "fragmentation":{"cpu":0.3333},
    "activity":{"lastCycle":{"number":12,"at":"2026-01-01T00:00:00Z","milliseconds":1.25},
                "lastDecision":{"at":"2026-01-01T00:00:00Z","binds":1,"promises":0,"evictions":2},
                "evictionsLastHour":2,"leadsSince":"2026-01-01T00:00:00Z"}})");
  const auto leases = boost::json::parse(R"([{"metadata":{"name":"volcano"},
      "spec":{"holderIdentity":"host-1","renewTime":"2026-01-01T00:00:03.000000Z"}}])");
  const Time now = *kube::ParseTime("2026-01-01T00:00:05Z");
  status.as_object()["leases"] = LeaseRows(leases.as_array());
  const std::string text = StatusText(status.as_object(), "https://example", now);
  for (const char* want :
       {"volcano   host-1    2s ago", "number 12, 5s ago, took 1.2 ms",
        "last decision 5s ago: 1 bind, 0 promises, 2 evictions", "2 of 3 ready, 1 cordoned",
        "█████·····  50%  24 of 48", "team    Open    █████████·   90%   cpu 9 of 10",
        "7 pods: 6 Unschedulable, 1 WaitingForQueue", "4 admitted without a node, 1 promised one",
        "2 in the last hour", "1 Available", "of the free room cpu 33% is beside pods"}) {
    EXPECT_THAT(text, HasSubstr(want));
  }
  EXPECT_THAT(text, Not(HasSubstr("root")));
  EXPECT_LT(std::ranges::count(text, '\n'), 24);
}

TEST(StatusTextTest, SaysWhereThereIsNothing) {
  const std::string text = StatusText({}, "https://example", Time{});
  for (const char* want : {"no leases", "none yet", "0 of 0 ready", "nothing waits", "none"}) {
    EXPECT_THAT(text, HasSubstr(want));
  }
}

// A queue with so many pods that wait, and so much of ten cpus allocated.
boost::json::object QueueWith(int number, int waiting, int cpu) {
  return {{"name", "q" + std::to_string(number)},
          {"waitingPods", waiting},
          {"allocated", {{"cpu", std::to_string(cpu)}}},
          {"capability", {{"cpu", "10"}}}};
}

TEST(StatusTextTest, OfManyQueuesThoseAreShownThatNeedAnEyeOnThem) {
  boost::json::array queues;
  for (int i = 0; i < 100; ++i) queues.push_back(QueueWith(i, i == 50 ? 3 : 0, i == 70 ? 9 : 1));
  const boost::json::object status{{"nodes", {{"allocatable", {{"cpu", "1000"}}}}},
                                   {"queues", queues}};
  const std::string text = StatusText(status, "https://example", Time{});
  EXPECT_LT(text.find("q50"), text.find("q70")) << "what waits goes before what is full";
  EXPECT_LT(text.find("q70"), text.find("q0 ")) << "what is full before the rest";
  EXPECT_THAT(text, HasSubstr("and 92 more queues (-o wide has all)"));
  const std::string all = StatusText(status, "https://example", Time{}, true);
  EXPECT_THAT(all, Not(HasSubstr("more queue")));
  EXPECT_LT(all.find("q0 "), all.find("q50")) << "all of them in their order";
  EXPECT_THAT(all, HasSubstr("q99"));
}

TEST(StatusTextTest, LeasesThatCannotBeReadAreNotCalledMissing) {
  const std::string text =
      StatusText({{"leasesUnknown", "leases is forbidden"}}, "https://example", Time{});
  EXPECT_THAT(text, HasSubstr("leases cannot be read: leases is forbidden"));
  EXPECT_THAT(text, Not(HasSubstr("runs alone")));
}

}  // namespace
}  // namespace basalt::cli
