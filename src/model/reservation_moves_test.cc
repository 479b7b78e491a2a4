#include "model/reservation_moves.h"

#include <gtest/gtest.h>

#include "model/annotations.h"
#include "model/reservations_test_util.h"

namespace basalt::model {
namespace {

using testutil::MakeGroup;
using testutil::MakeRunningPod;
using ReservationMovesTest = ReservationsTest;

TEST_F(ReservationMovesTest, AMoveCountsOnceWhileThePodHoldsItsNodeInTheSameQueueAndAsksForNoMore) {
  given_.Add(MakeGroup("g", "q", 1)).Add(MakeRunningPod("moved", "g", {{"cpu", "1"}}, "n1"));
  const auto moving = [](const std::string& name, int replicas, int second) {
    kube::Reservation object = *Object(name, replicas, second);
    object.meta.labels.Set(annotations::kMigratingPod, "moved");
    return std::make_shared<const kube::Reservation>(std::move(object));
  };
  Add(moving("r", 1, 5));
  Hold("r", 0, "n2");
  EXPECT_EQ(HeldIn("q"), 1000) << "as one";
  Add(moving("twice", 2, 1));
  for (std::size_t slot : {0, 1}) Hold("twice", slot, "n2");
  EXPECT_EQ(HeldIn("q"), 4000) << "the oldest is the move, and asks for too much";
  all().Remove("ns", "twice");
  EXPECT_EQ(HeldIn("q"), 1000) << "the next takes its place";
  Add(moving("second", 1, 6));
  Hold("second", 0, "n2");
  EXPECT_EQ(HeldIn("q"), 2000) << "another is growth";
  all().Remove("ns", "second");
  all().WakeThoseServed();
  // In another queue it is not the same share.
  given_.cluster.PutInQueue(given_.job("g").id, "other");
  EXPECT_EQ(HeldIn("q"), 1000);
  EXPECT_TRUE(all().has_news()) << "a pod that may use it is told";
  given_.cluster.PutInQueue(given_.job("g").id, "q");
  EXPECT_EQ(HeldIn("q"), 1000);
  Move("moved", {.status = TaskStatus::kReleasing, .node = node("n1")});
  EXPECT_EQ(HeldIn("q"), 1000) << "now the reservation's";
  given_.cluster.RemovePod("ns", "moved");
  EXPECT_EQ(HeldIn("q"), 1000);
  all().Remove("ns", "r");
  EXPECT_EQ(HeldIn("q"), 0);
  EXPECT_TRUE(all().moves().empty());
}

TEST_F(ReservationMovesTest, AMoveIsOneAlsoWhereItsPodIsSeenAfterIt) {
  kube::Reservation object = *Object("r");
  object.meta.labels.Set(annotations::kMigratingPod, "late");
  Add(std::make_shared<const kube::Reservation>(std::move(object)));
  Hold("r", 0, "n2");
  EXPECT_EQ(HeldIn("q"), 1000);
  given_.Add(MakeGroup("g", "q", 1)).Add(MakeRunningPod("late", "g", {{"cpu", "1"}}, "n1"));
  EXPECT_EQ(HeldIn("q"), 1000) << "as one";
}

TEST_F(ReservationMovesTest, AnotherPodInThePlaceOfTheOneThatIsGoneIsGrowth) {
  given_.Add(MakeGroup("g", "q", 1)).Add(MakeRunningPod("moved", "g", {{"cpu", "1"}}, "n1"));
  const TaskId id = given_.task("moved").id;
  kube::Reservation object = *Object("r");
  object.meta.labels.Set(annotations::kMigratingPod, "moved");
  Add(std::make_shared<const kube::Reservation>(std::move(object)));
  Hold("r", 0, "n2");
  given_.cluster.RemovePod("ns", "moved");
  given_.Add(MakeRunningPod("next", "g", {{"cpu", "1"}}, "n1"));
  ASSERT_EQ(given_.task("next").id, id) << "it has its number";
  given_.Add(MakeGroup("c", "other", 1));  // a job finds its queue: all moves are looked at
  EXPECT_EQ(HeldIn("q"), 2000);
}

TEST_F(ReservationMovesTest, AMoveThatEndsLeavesOthersAsTheyAre) {
  for (const char* pod : {"a", "b"}) {
    given_.Add(MakeGroup(pod, "q", 1)).Add(MakeRunningPod(pod, pod, {{"cpu", "1"}}, "n1"));
    kube::Reservation object = *Object(std::string("r-") + pod);
    object.meta.labels.Set(annotations::kMigratingPod, pod);
    Add(std::make_shared<const kube::Reservation>(std::move(object)));
    Hold(std::string("r-") + pod, 0, "n2");
  }
  EXPECT_EQ(HeldIn("q"), 2000);
  all().Remove("ns", "r-a");
  given_.Add(MakeGroup("c", "other", 1));  // a job finds its queue: all moves are looked at
  EXPECT_EQ(HeldIn("q"), 2000);
  EXPECT_FALSE(all().moves().empty());
}

}  // namespace
}  // namespace basalt::model
