#include "scheduler/effects/write_lanes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "testing/sim_loop.h"

namespace basalt::scheduler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class WriteLanesTest : public testing::Test {
 protected:
  void Add(WriteLanes& lanes, Lane lane, const std::string& key, std::string name = "",
           const std::string& tenant = "") {
    if (name.empty()) name = key;
    lanes.Add(
        lane, key,
        [this, name](WriteLanes::Done done) {
          started_.push_back(name);
          running_[name] = std::move(done);
        },
        tenant);
  }
  void Finish(const std::string& name) {
    WriteLanes::Done done = std::move(running_.at(name));
    running_.erase(name);
    done();
  }

  testutil::SimLoop loop_;
  std::vector<std::string> started_;
  std::map<std::string, WriteLanes::Done> running_;
};

TEST_F(WriteLanesTest, ABindGoesBeforeAStatusThatWaitsLonger) {
  WriteLanes lanes(loop_, {.parallel = 1});
  Add(lanes, Lane::kStatus, "first");
  Add(lanes, Lane::kStatus, "status");
  Add(lanes, Lane::kEvict, "evict");
  Add(lanes, Lane::kBind, "bind");
  for (const char* name : {"first", "bind", "evict", "status"}) Finish(name);
  EXPECT_THAT(started_, ElementsAre("first", "bind", "evict", "status"));
  EXPECT_TRUE(lanes.idle());
}

TEST_F(WriteLanesTest, TenantsTakeTurnsSoThatOneWriteDoesNotWaitForAThousandOfAnother) {
  WriteLanes lanes(loop_, {.parallel = 1});
  for (const char* key : {"a1", "a2", "a3", "a4"}) Add(lanes, Lane::kBind, key, "", "a");
  Add(lanes, Lane::kBind, "b1", "", "b");
  EXPECT_TRUE(lanes.Drop(Lane::kBind, "a3"));
  for (const char* name : {"a1", "a2", "b1", "a4"}) Finish(name);
  EXPECT_THAT(started_, ElementsAre("a1", "a2", "b1", "a4"));
  EXPECT_TRUE(lanes.idle());
}

TEST_F(WriteLanesTest, AWriteThatHasNotStartedIsReplacedByTheNextOfItsKey) {
  WriteLanes lanes(loop_, {.parallel = 1});
  Add(lanes, Lane::kStatus, "other");
  Add(lanes, Lane::kStatus, "pod", "old");
  Add(lanes, Lane::kStatus, "pod", "new");
  Finish("other");
  EXPECT_THAT(started_, ElementsAre("other", "new"));
}

TEST_F(WriteLanesTest, WritesOfOneKeyNeverOvertakeEachOther) {
  WriteLanes lanes(loop_, {.parallel = 8});
  Add(lanes, Lane::kStatus, "pod", "status");
  Add(lanes, Lane::kBind, "pod", "bind");
  Add(lanes, Lane::kBind, "another");
  EXPECT_THAT(started_, ElementsAre("status", "another"));
  Finish("status");
  EXPECT_THAT(started_, ElementsAre("status", "another", "bind"));
}

TEST_F(WriteLanesTest, NoMoreThanAllowedRunAtOnce) {
  WriteLanes lanes(loop_, {.parallel = 2});
  for (const char* key : {"a", "b", "c"}) Add(lanes, Lane::kBind, key);
  EXPECT_THAT(started_, ElementsAre("a", "b"));
  EXPECT_EQ(lanes.waiting(), 1u);
}

TEST_F(WriteLanesTest, RemovalsOfGatesHaveALimitOfTheirOwnThatHoldsUpNobodyElse) {
  WriteLanes lanes(loop_, {.parallel = 8, .parallel_gates = 1});
  for (const char* key : {"a", "b"}) Add(lanes, Lane::kGate, key);
  Add(lanes, Lane::kStatus, "c");
  EXPECT_THAT(started_, ElementsAre("a", "c"));
  Finish("a");
  EXPECT_THAT(started_, ElementsAre("a", "c", "b"));
}

TEST_F(WriteLanesTest, TheRateHoldsOverAllLanes) {
  WriteLanes lanes(loop_, {.qps = 10, .burst = 1, .parallel = 8});
  Add(lanes, Lane::kBind, "a");
  Add(lanes, Lane::kStatus, "b");
  EXPECT_THAT(started_, ElementsAre("a"));
  loop_.RunFor(101ms);
  EXPECT_THAT(started_, ElementsAre("a", "b"));
}

TEST_F(WriteLanesTest, ItSaysWhenItIsIdle) {
  WriteLanes lanes(loop_, {});
  std::vector<bool> said;
  lanes.OnIdleChange([&](bool idle) { said.push_back(idle); });
  Add(lanes, Lane::kBind, "a");
  Add(lanes, Lane::kBind, "b");
  Finish("a");
  Finish("b");
  EXPECT_THAT(said, ElementsAre(false, true));
  EXPECT_THAT(running_, IsEmpty());
}

}  // namespace
}  // namespace basalt::scheduler
