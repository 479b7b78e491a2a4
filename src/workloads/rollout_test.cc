#include "workloads/rollout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/random.h"

namespace basalt::workloads {
namespace {

std::string Text(const RolloutPlan& plan) {
  std::string text = plan.create_new ? "new=" + std::to_string(plan.new_replicas) : "";
  for (const ScaleTo& step : plan.scale) {
    if (!text.empty()) text += ' ';
    text += step.name + "->" + std::to_string(step.replicas);
  }
  return text;
}

RolloutSet Set(std::string name, std::int64_t replicas, std::int64_t available,
               std::int64_t desired_then = 0) {
  return {.name = std::move(name),
          .replicas = replicas,
          .actual = replicas,
          .available = available,
          .desired_then = desired_then};
}

TEST(RolloutTest, PlansOneStep) {
  struct Case {
    const char* name;
    RolloutInput input;
    const char* want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"first set", {.replicas = 3, .surge = 1, .unavailable = 0}, "new=3"},
           {"paused makes nothing", {.replicas = 3, .paused = true, .surge = 1}, ""},
           {"surge then wait",
            {.replicas = 3, .surge = 1, .unavailable = 0, .old_sets = {Set("a", 3, 3)}},
            "new=1"},
           {"new one available, one old goes",
            {.replicas = 3,
            .surge = 1,
            .unavailable = 0,
            .has_new = true,
            .new_set = Set("b", 1, 1),
            .old_sets = {Set("a", 3, 3)}},
            "a->2"},
           {"new one not available, nothing goes",
            {.replicas = 3,
            .surge = 1,
            .unavailable = 0,
            .has_new = true,
            .new_set = Set("b", 1, 0),
            .old_sets = {Set("a", 3, 3)}},
            ""},
           {"unavailable lets old ones go at once",
            {.replicas = 4, .surge = 0, .unavailable = 2, .old_sets = {Set("a", 4, 4)}},
            "new=0 a->2"},
           {"broken old pods go first",
            {.replicas = 4,
            .surge = 1,
            .unavailable = 1,
            .has_new = true,
            .new_set = Set("c", 1, 0),
            .old_sets = {Set("a", 2, 2), Set("b", 2, 1)}},
            "b->1"},
           {"done", {.replicas = 3, .surge = 1, .has_new = true, .new_set = Set("b", 3, 3)}, ""},
           {"scaled down",
            {.replicas = 2, .surge = 1, .has_new = true, .new_set = Set("b", 3, 3, 3)},
            "b->2"},
           {"scaled to zero",
            {.replicas = 0, .surge = 1, .has_new = true, .new_set = Set("b", 3, 3, 3)},
            "b->0"},
           {"scaled up while paused",
            {.replicas = 5,
            .paused = true,
            .surge = 1,
            .has_new = true,
            .new_set = Set("b", 3, 3, 3)},
            "b->5"},
           {"scaled in the middle of a rollout, in proportion",
            {.replicas = 20,
            .surge = 2,
            .unavailable = 2,
            .has_new = true,
            .new_set = Set("b", 4, 2, 10),
            .old_sets = {Set("a", 8, 8, 10)}},
            "a->15 b->7"},
           {"recreate waits for old pods to go",
            {.replicas = 2, .recreate = true, .old_sets = {Set("a", 2, 2)}, .old_pods_left = 2},
            "a->0"},
           {"recreate waits for terminating pods",
            {.replicas = 2, .recreate = true, .old_sets = {Set("a", 0, 0)}, .old_pods_left = 1},
            ""},
           {"recreate starts",
            {.replicas = 2, .recreate = true, .old_sets = {Set("a", 0, 0)}},
            "new=2"},
       }) {
    EXPECT_EQ(Text(PlanRollout(c.input)), c.want) << c.name;
  }
}

TEST(RolloutTest, FencepostsAreNeverBothZero) {
  EXPECT_EQ(ResolveFenceposts(0, 0, 5).unavailable, 1);
  EXPECT_EQ(ResolveFenceposts(1, 0, 5).unavailable, 0);
  EXPECT_EQ(ResolveFenceposts(1, 9, 5).unavailable, 5);
}

// Rolls out with pods that become available in random order, and with rollouts that start before
// the last one is over. Never are more than replicas + surge asked for, nor does a step take the
// number of available pods below replicas - unavailable; and it always ends.
TEST(RolloutTest, HoldsItsPromisesWhateverPodsDo) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Random random(seed);
    RolloutInput input;
    input.replicas = static_cast<std::int64_t>(1 + random.Below(12));
    const Fenceposts posts =
        ResolveFenceposts(static_cast<std::int64_t>(random.Below(4)),
                          static_cast<std::int64_t>(random.Below(4)), input.replicas);
    input.surge = posts.surge;
    input.unavailable = posts.unavailable;
    input.old_sets = {Set("v0", input.replicas, input.replicas)};
    int version = 1;
    bool done = false;
    for (int step = 0; step < 2000 && !done; ++step) {
      const RolloutPlan plan = PlanRollout(input);
      if (plan.create_new) {
        input.has_new = true;
        input.new_set = Set("v" + std::to_string(version), plan.new_replicas, 0);
      }
      const auto each = [&](auto fn) {
        for (RolloutSet& set : input.old_sets) fn(set);
        if (input.has_new) fn(input.new_set);
      };
      std::int64_t asked = 0, available = 0;
      each([&](RolloutSet& set) {
        for (const ScaleTo& to : plan.scale) {
          if (to.name == set.name) set.replicas = to.replicas;
        }
        // The set's controller deletes those that are not available first.
        set.available = std::min(set.available, set.replicas);
        asked += set.replicas;
        available += set.available;
      });
      ASSERT_LE(asked, input.replicas + input.surge) << "seed " << seed;
      ASSERT_GE(available, input.replicas - input.unavailable) << "seed " << seed;
      done = input.has_new && input.new_set.available == input.replicas && asked == input.replicas;
      each([&](RolloutSet& set) {
        if (set.available < set.replicas && random.Chance(0.5)) ++set.available;
      });
      if (version < 3 && random.Chance(0.05)) {
        if (input.has_new) input.old_sets.push_back(input.new_set);
        input.has_new = false;
        ++version;
        done = false;
      }
    }
    EXPECT_TRUE(done) << "seed " << seed;
  }
}

}  // namespace
}  // namespace basalt::workloads
