#include "model/reservation_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace basalt::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using Phase = kube::ReservationPhase;
using Status = kube::Reservation::Status;

kube::Quantity Amount(const char* text) { return *kube::Quantity::Parse(text); }

// Two tasks, "a" with two replicas of 1 CPU and "b" with one of 2, of which two must be there.
class ReservationStatusTest : public testing::Test {
 protected:
  ReservationStatusTest() {
    object_.tasks = {{.name = "a", .replicas = 2}, {.name = "b", .replicas = 1}};
    object_.min_available = 2;
  }

  // A letter for each of a:0, a:1 and b:0: (P)ending, (W)aiting, (A)vailable, (S)ucceeded,
  // (F)ailed.
  Status After(const Status& before, std::string_view places, bool ended = false,
               std::string_view reason = "Unschedulable", std::string_view message = "short") {
    std::vector<ReservedPlace> list;
    for (std::uint32_t i = 0; i < 3; ++i) {
      const Phase phase = places[i] == 'P'   ? Phase::kPending
                          : places[i] == 'W' ? Phase::kWaiting
                          : places[i] == 'A' ? Phase::kAvailable
                          : places[i] == 'S' ? Phase::kSucceeded
                                             : Phase::kFailed;
      const bool had_node = places[i] != 'P' && places[i] != 'F';
      list.push_back({.task = i < 2 ? 0u : 1u,
                      .index = i < 2 ? static_cast<std::int32_t>(i) : 0,
                      .node = had_node ? "n" : "",
                      .phase = phase,
                      .requests = i < 2 ? &one_ : &two_});
    }
    now_ += 10s;
    return StatusAfter(before, {.object = &object_,
                                .places = list,
                                .ended = ended,
                                .reason = reason,
                                .message = message,
                                .owner = {},
                                .now = now_});
  }

  kube::Reservation object_;
  kube::ResourceList one_{{"cpu", Amount("1")}};
  kube::ResourceList two_{{"cpu", Amount("2")}, {"x.io/y", Amount("1")}};
  Time now_{};
};

TEST_F(ReservationStatusTest, PhasesAndSumsFollowFromTheTasks) {
  struct Case {
    const char* places;
    bool ended;
    Phase phase;
    const char* reason;
    int pending, available, succeeded, failed;
    const char* allocatable;
    const char* allocated;
    std::size_t placements;
  };
  const Case cases[] = {
      {"PPP", false, Phase::kPending, "Unschedulable", 3, 0, 0, 0, "0", "0", 0},
      {"APP", false, Phase::kPending, "Unschedulable", 2, 1, 0, 0, "1", "0", 1},
      {"AWP", false, Phase::kWaiting, "WaitingForRoom", 2, 1, 0, 0, "1", "0", 2},
      {"WWP", false, Phase::kWaiting, "WaitingForRoom", 3, 0, 0, 0, "0", "0", 2},
      {"AAP", false, Phase::kAvailable, "Reserved", 1, 2, 0, 0, "2", "0", 2},
      {"AAW", false, Phase::kAvailable, "Reserved", 1, 2, 0, 0, "2", "0", 3},
      {"AAA", false, Phase::kAvailable, "Reserved", 0, 3, 0, 0, "4", "0", 3},
      {"SAA", false, Phase::kAvailable, "Reserved", 0, 2, 1, 0, "4", "1", 3},
      {"SSP", false, Phase::kAvailable, "Reserved", 1, 0, 2, 0, "2", "2", 2},
      {"SSS", false, Phase::kSucceeded, "Taken", 0, 0, 3, 0, "4", "4", 3},
      {"FFF", true, Phase::kFailed, "Expired", 0, 0, 0, 3, "0", "0", 0},
      {"SFF", true, Phase::kFailed, "Expired", 0, 0, 1, 2, "1", "1", 1},
  };
  for (const Case& c : cases) {
    const Status status = After({}, c.places, c.ended);
    EXPECT_EQ(status.phase, c.phase) << c.places;
    EXPECT_EQ(status.reason, c.reason) << c.places;
    EXPECT_EQ(status.pending, c.pending) << c.places;
    EXPECT_EQ(status.available, c.available) << c.places;
    EXPECT_EQ(status.succeeded, c.succeeded) << c.places;
    EXPECT_EQ(status.failed, c.failed) << c.places;
    EXPECT_EQ(status.allocatable.Get("cpu"), Amount(c.allocatable)) << c.places;
    EXPECT_EQ(status.allocated.Get("cpu"), Amount(c.allocated)) << c.places;
    EXPECT_THAT(status.placements, SizeIs(c.placements)) << c.places;
    EXPECT_EQ(status.min_available, 2);
    EXPECT_EQ(status.pending + status.available + status.succeeded + status.failed, 3) << c.places;
    ASSERT_THAT(status.conditions, SizeIs(1)) << c.places;
    EXPECT_EQ(status.conditions[0].status, c.phase) << c.places;
  }
}

TEST_F(ReservationStatusTest, CountsAreByTaskWithThoseThatWaitOnTheirOwn) {
  const Status status = After({}, "AWS");
  ASSERT_THAT(status.task_status_count, SizeIs(2));
  EXPECT_EQ(status.task_status_count[0].task, "a");
  EXPECT_THAT(status.task_status_count[0].phases,
              ElementsAre(Pair("Available", 1), Pair("Waiting", 1)));
  EXPECT_THAT(status.task_status_count[1].phases, ElementsAre(Pair("Succeeded", 1)));
  EXPECT_EQ(status.placements[2],
            (kube::Reservation::Placement{
                .task = "b", .index = 0, .node = "n", .phase = Phase::kSucceeded}));
}

TEST_F(ReservationStatusTest, CountsAreInTheOrderOfTheTasksNames) {
  object_.tasks[0].name = "z";
  const Status status = After({}, "AAS");
  EXPECT_EQ(status.task_status_count[0].task, "b");
  EXPECT_EQ(status.task_status_count[1].task, "z");
}

TEST_F(ReservationStatusTest, AConditionIsAddedWithEachChangeOfPhaseAndOnlyThen) {
  const Status pending = After({}, "PPP");
  const Status still = After(pending, "PPP");
  EXPECT_EQ(still, pending) << "nothing has changed";
  const Status available = After(still, "AAP");
  const Status fuller = After(available, "AAA");
  EXPECT_EQ(fuller.last_transition_time, available.last_transition_time);
  EXPECT_GT(available.last_transition_time, pending.last_transition_time);
  EXPECT_THAT(fuller.conditions, SizeIs(2));
  EXPECT_EQ(fuller.conditions.back().status, Phase::kAvailable);
  EXPECT_EQ(fuller.conditions.back().last_transition_time, fuller.last_transition_time);
  const Status again = After(fuller, "APP");
  EXPECT_THAT(again.conditions, SizeIs(3));
}

TEST_F(ReservationStatusTest, WhyItWaitsIsSaidOnceWhileItWaits) {
  const Status first = After({}, "PPP", false, "WaitingForQueue", "queue q: cpu");
  EXPECT_EQ(first.reason, "WaitingForQueue");
  EXPECT_EQ(first.message, "queue q: cpu");
  EXPECT_EQ(After(first, "PPP", false, "Unschedulable", "other"), first);
  EXPECT_EQ(After(After(first, "AAA"), "PPP", false, "Unschedulable", "other").message, "other");
  EXPECT_EQ(After({}, "PPP", false, "", "").reason, "Unschedulable") << "never empty";
}

TEST_F(ReservationStatusTest, WithoutAMinimumAllMustBeThere) {
  object_.min_available.reset();
  EXPECT_EQ(After({}, "AAP").phase, Phase::kPending);
  EXPECT_EQ(After({}, "AAP").min_available, 3);
  object_.min_available = 0;
  EXPECT_EQ(After({}, "AAP").phase, Phase::kPending);
  EXPECT_EQ(After({}, "AAA").phase, Phase::kAvailable);
}

TEST_F(ReservationStatusTest, WhoTookFromItLastStays) {
  Status before;
  before.current_owner = {.api_version = {},
                          .kind = "Pod",
                          .ns = {},
                          .name = "p",
                          .uid = {},
                          .resource_version = {},
                          .field_path = {}};
  EXPECT_EQ(After(before, "SSS").current_owner->name, "p");
  EXPECT_THAT(After({}, "SSS").placements, SizeIs(3));
  EXPECT_FALSE(After({}, "SSS").current_owner);
}

}  // namespace
}  // namespace basalt::model
