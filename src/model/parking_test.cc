#include "model/parking.h"

#include <gtest/gtest.h>

namespace basalt::model {
namespace {

Parking::Place PlaceOf(std::uint32_t job, int second = 0) {
  return {Time{} + std::chrono::seconds(second), job, JobId{job}};
}

Waits ForRoom(double milli_cpu, double memory = 0) {
  Waits waits;
  waits.room = true;
  waits.least = Amounts(milli_cpu, memory);
  return waits;
}

TEST(ParkingTest, AKindOfEventWakesThoseWhoWaitForItAndThoseWhoWaitForAnything) {
  for (int waited = 0; waited < kHappenings; ++waited) {
    for (int happened = 0; happened < kHappenings; ++happened) {
      Parking parking;
      parking.Put("one", PlaceOf(1), Waits::For({static_cast<Happening>(waited)}));
      parking.Put("any", PlaceOf(2), Waits::ForAnything());
      parking.Put("news", PlaceOf(3), Waits{});
      parking.WakeFor({static_cast<Happening>(happened)});
      EXPECT_EQ(parking.Awake().size(), waited == happened ? 2u : 1u) << waited << " " << happened;
    }
  }
}

TEST(ParkingTest, RoomWakesOnlyThoseWhomItCouldHold) {
  const struct {
    Waits waits;
    Amounts room;
    bool more_in_future;
    bool wakes;
  } kCases[] = {
      {ForRoom(1000), Amounts(1000, 0), true, true},
      {ForRoom(1000), Amounts(999, 0), true, false},
      {ForRoom(1000, 5), Amounts(2000, 4), true, false},
      {ForRoom(1000), Amounts(2000, 0), false, false},
      {Waits::For({Happening::kNode}), Amounts(9000, 9), true, false},
  };
  for (const auto& c : kCases) {
    Parking parking;
    parking.Put("x", PlaceOf(1), c.waits);
    parking.WakeForRoom(c.room, c.more_in_future);
    EXPECT_EQ(!parking.Awake().empty(), c.wakes) << &c - kCases;
  }
}

TEST(ParkingTest, ATimeWakesThoseWhoWaitForItAndTheEarliestCounts) {
  const auto until = [](int second) {
    Waits waits;
    waits.until = Time{} + std::chrono::seconds(second);
    return waits;
  };
  Parking parking;
  EXPECT_EQ(parking.next_due(), std::nullopt);
  parking.Put("x", PlaceOf(1), until(9));
  parking.Put("x", PlaceOf(2), until(5));
  parking.Put("y", PlaceOf(3), until(7));
  EXPECT_EQ(parking.next_due(), Time{} + std::chrono::seconds(5));
  parking.WakeDue(Time{} + std::chrono::seconds(4));
  EXPECT_FALSE(parking.anybody_awake());
  parking.WakeDue(Time{} + std::chrono::seconds(5));
  EXPECT_TRUE(parking.anybody_awake());
  EXPECT_EQ(parking.next_due(), Time{} + std::chrono::seconds(7));
}

TEST(ParkingTest, WhoWaitsForPortsWakesWhenThoseThatWereLeavingAreGone) {
  Parking parking;
  Waits waits = ForRoom(0);
  waits.leaving = true;
  parking.Put("x", PlaceOf(1), waits);
  parking.WakeForRoom(Amounts(500, 0), /*more_in_future=*/false);
  EXPECT_EQ(parking.Awake().size(), 1u);
}

TEST(ParkingTest, AQueueWakesThoseWhoWaitForIt) {
  Parking parking;
  Waits waits;
  waits.queue = QueueId{3};
  parking.Put("x", PlaceOf(1), waits);
  parking.WakeForQueue(QueueId{4});
  EXPECT_TRUE(parking.Awake().empty());
  parking.WakeForQueue(QueueId{3});
  EXPECT_EQ(parking.Awake().size(), 1u);
  EXPECT_FALSE(parking.anybody_waits_for(QueueId{3}));
}

TEST(ParkingTest, TheOldestOfABucketIsItsFirst) {
  Parking parking;
  const auto bucket = parking.Put("x", PlaceOf(1, 9), ForRoom(1));
  EXPECT_EQ(parking.Put("x", PlaceOf(2, 3), ForRoom(1)), bucket);
  EXPECT_EQ(parking.bucket(bucket).members.begin()->job, JobId{2});
  EXPECT_EQ(parking.jobs(), 2u);
}

TEST(ParkingTest, WhoJoinsABucketThatSleepsAddsToWhatItWaitsFor) {
  Parking parking;
  parking.Put("x", PlaceOf(1), ForRoom(2000));
  parking.Put("x", PlaceOf(2), Waits::For({Happening::kVolume}));
  parking.WakeFor({Happening::kVolume});
  EXPECT_EQ(parking.Awake().size(), 1u);
}

TEST(ParkingTest, WhatABucketWaitedForBeforeAnotherJoinedItIsForgottenWithIt) {
  Parking parking;
  Waits more = ForRoom(2000), less = ForRoom(1000);
  more.until = Time{} + std::chrono::seconds(9);
  less.until = Time{} + std::chrono::seconds(5);
  const auto bucket = parking.Put("x", PlaceOf(1), more);
  parking.Put("x", PlaceOf(2), less);
  for (const std::uint32_t job : {1, 2}) parking.Take(bucket, PlaceOf(job));
  EXPECT_EQ(parking.buckets(), 0u);
  EXPECT_FALSE(parking.anybody_waits_for_room());
  EXPECT_EQ(parking.next_due(), std::nullopt);
}

TEST(ParkingTest, ABucketThatFellAsleepAgainWaitsForWhatItsLastJobSays) {
  Parking parking;
  const auto bucket = parking.Put("x", PlaceOf(1), Waits::For({Happening::kVolume}));
  parking.Put("x", PlaceOf(2), Waits::For({Happening::kVolume}));
  parking.WakeFor({Happening::kVolume});
  parking.Take(bucket, PlaceOf(1));
  parking.Put("x", PlaceOf(1), Waits::For({Happening::kNode}));
  parking.WakeFor({Happening::kVolume});
  EXPECT_TRUE(parking.Awake().empty());
  parking.WakeFor({Happening::kNode});
  EXPECT_EQ(parking.Awake().size(), 1u);
}

TEST(ParkingTest, ABucketThatNobodyIsInIsDropped) {
  Parking parking;
  const auto asleep = parking.Put("x", PlaceOf(1), Waits{});
  parking.Take(asleep, PlaceOf(1));
  EXPECT_EQ(parking.buckets(), 0u);
  const auto awake = parking.Put("y", PlaceOf(1), Waits::ForAnything());
  parking.WakeAll(false);
  parking.Take(awake, PlaceOf(1));
  EXPECT_TRUE(parking.Awake().empty());
  EXPECT_EQ(parking.buckets(), 0u);
}

// What helps the one or the other helps the two together, and nothing else does.
TEST(WaitsTest, TwoThatAreAlikeWaitForWhatHelpsEither) {
  const auto for_queue = [](std::uint32_t queue) {
    Waits waits;
    waits.queue = QueueId{queue};
    return waits;
  };
  const auto until = [](int second) {
    Waits waits;
    waits.until = Time{} + std::chrono::seconds(second);
    return waits;
  };
  const auto both = [](Waits one, const Waits& other) {
    one.Add(other);
    return one;
  };
  const Waits volume = Waits::For({Happening::kVolume});
  EXPECT_EQ(both(volume, Waits::For({Happening::kNode})).kinds,
            (Happenings{Happening::kVolume, Happening::kNode}));
  // Of room the lesser of each.
  const Waits room = both(ForRoom(2000, 5), ForRoom(1000, 9));
  EXPECT_EQ(room.least, Amounts(1000, 5));
  EXPECT_TRUE(both(volume, ForRoom(1000)).room);
  EXPECT_EQ(both(volume, ForRoom(1000)).least, Amounts(1000, 0));
  EXPECT_EQ(both(ForRoom(1000), volume).least, Amounts(1000, 0));
  Waits leaving = ForRoom(1000);
  leaving.leaving = true;
  EXPECT_TRUE(both(leaving, ForRoom(1)).leaving);
  EXPECT_TRUE(both(ForRoom(1), leaving).leaving);
  EXPECT_FALSE(both(ForRoom(1), ForRoom(1)).leaving);
  // Of times the earlier.
  EXPECT_EQ(both(until(9), until(5)).until, Time{} + 5s);
  EXPECT_EQ(both(until(5), until(9)).until, Time{} + 5s);
  EXPECT_EQ(both(volume, until(5)).until, Time{} + 5s);
  EXPECT_EQ(both(until(5), volume).until, Time{} + 5s);
  // One queue; of two whatever happens may be it.
  EXPECT_EQ(both(volume, for_queue(3)).queue, QueueId{3});
  EXPECT_EQ(both(for_queue(3), volume).queue, QueueId{3});
  EXPECT_EQ(both(for_queue(3), volume).kinds, volume.kinds);
  EXPECT_TRUE(both(for_queue(3), for_queue(3)).kinds.empty());
  EXPECT_EQ(both(for_queue(3), for_queue(4)).kinds, Happenings::All());
}

TEST(ParkingTest, ABucketThatIsWokenByAnEventIsNoCheckAnyMore) {
  Parking parking;
  const auto bucket = parking.Put("x", PlaceOf(1), Waits::For({Happening::kNode}));
  parking.WakeAll(/*as_check=*/true);
  EXPECT_TRUE(parking.bucket(bucket).checked);
  parking.WakeAll(/*as_check=*/true);
  EXPECT_TRUE(parking.bucket(bucket).checked);
  parking.Put("x", PlaceOf(1), Waits::For({Happening::kNode}));
  EXPECT_FALSE(parking.bucket(bucket).checked) << "it sleeps again";
  EXPECT_FALSE(parking.anybody_awake());
  parking.WakeFor({Happening::kNode});
  EXPECT_FALSE(parking.bucket(bucket).checked);
  parking.WakeAll(/*as_check=*/true);
  EXPECT_FALSE(parking.bucket(bucket).checked) << "it was awake before";
  EXPECT_EQ(parking.Awake().size(), 1u) << "however often it was woken";
}

TEST(ParkingTest, ACheckEndsThoughNobodyWasPutBackSince) {
  Parking parking;
  const auto bucket = parking.Put("x", PlaceOf(1), Waits::For({Happening::kNode}));
  const auto gone = parking.Put("y", PlaceOf(2), Waits::For({Happening::kNode}));
  parking.WakeAll(/*as_check=*/true);
  parking.Take(gone, PlaceOf(2));
  parking.EndChecks();
  EXPECT_FALSE(parking.bucket(bucket).checked);
  EXPECT_EQ(parking.Awake(), std::vector{bucket});
  parking.EndChecks();
  EXPECT_TRUE(parking.anybody_awake());
}

TEST(ParkingTest, ThoseThatAreAwakeAreInTheOrderInWhichTheyCame) {
  Parking parking;
  const auto first = parking.Put("a", PlaceOf(1), Waits::For({Happening::kNode}));
  const auto second = parking.Put("b", PlaceOf(2), Waits::For({Happening::kVolume}));
  parking.WakeFor({Happening::kVolume});
  parking.WakeFor({Happening::kNode});
  EXPECT_EQ(parking.TakeWoken(), (std::vector{first, second}));
  EXPECT_TRUE(parking.TakeWoken().empty()) << "it is known";
  EXPECT_EQ(parking.Awake(), (std::vector{first, second}));
}

TEST(ParkingTest, ManyWhoWaitForAKindAreLeftToTheEventItself) {
  for (const std::size_t most : {1u, 2u}) {
    Parking parking;
    parking.Put("a", PlaceOf(1), Waits::For({Happening::kArrival}));
    parking.Put("b", PlaceOf(2), Waits::For({Happening::kArrival}));
    parking.Put("c", PlaceOf(3), Waits::For({Happening::kNode}));
    parking.WakeForIfFew(Happening::kArrival, most);
    EXPECT_EQ(parking.Awake().size(), most == 2 ? 2u : 0u);
  }
}

TEST(ParkingTest, KnowsForWhomAndForWhatSomebodyWaits) {
  Parking parking;
  EXPECT_FALSE(parking.anybody_waits_for_room());
  const auto bucket = parking.Put("x", PlaceOf(1), ForRoom(1000));
  EXPECT_TRUE(parking.anybody_waits_for_room());
  Waits waits;
  waits.queue = QueueId{3};
  parking.Put("y", PlaceOf(2), waits);
  EXPECT_TRUE(parking.anybody_waits_for(QueueId{3}));
  EXPECT_EQ(parking.queues(), std::vector{QueueId{3}});
  EXPECT_EQ(parking.jobs(), 2u);
  parking.Take(bucket, PlaceOf(1));
  EXPECT_FALSE(parking.anybody_waits_for_room());
  EXPECT_FALSE(parking.exists(bucket));
  EXPECT_EQ(parking.jobs(), 1u);
}

}  // namespace
}  // namespace basalt::model
