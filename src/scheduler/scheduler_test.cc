#include "scheduler/scheduler.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kube/types/priority_class.h"
#include "testing/model/test_cluster.h"
#include "testing/sim_loop.h"

namespace basalt::scheduler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;

constexpr std::string_view kConfig = R"(actions: "enqueue, allocate"
tiers:
- plugins:
  - name: priority
  - name: gang
  - name: predicates
  - name: nodeorder
)";

// A loop whose monotonic clock goes on a little with every look at it, as if work took time.
class WorkingLoop final : public Loop {
 public:
  explicit WorkingLoop(testutil::SimLoop& loop) : loop_(loop) {}

  Time Now() const override { return loop_.Now(); }
  Duration Monotonic() const override { return loop_.Monotonic() + (worked_ += per_look); }
  void Post(Callback callback) override { loop_.Post(std::move(callback)); }
  TimerId Schedule(Duration delay, Callback callback) override {
    delays.push_back(delay);
    return loop_.Schedule(delay, std::move(callback));
  }
  void Cancel(TimerId id) override { loop_.Cancel(id); }

  Duration per_look{0};
  std::vector<Duration> delays;  // of all timers

 private:
  testutil::SimLoop& loop_;
  mutable Duration worked_{0};
};

// A scheduler and what it decides. Nobody carries its decisions out.
class SchedulerTest : public testing::Test {
 protected:
  void Start(SchedulerOptions options) {
    scheduler_ = std::make_unique<Scheduler>(loop_, options, [this](auto intents) {
      batches_.push_back({});
      for (const model::Intent& intent : intents) {
        if (const auto* bind = std::get_if<model::Bind>(&intent)) {
          bound_.push_back(bind->pod->meta.name);
          batches_.back().push_back(bind->pod->meta.name);
        }
      }
      std::erase_if(batches_, [](const auto& batch) { return batch.empty(); });
    });
    ASSERT_TRUE(scheduler_->Configure(kConfig).has_value());
    Add(MakeQueue("q"));
    Add(MakeNode("n1", {{"cpu", "100"}, {"memory", "1Gi"}, {"pods", "100"}}));
    scheduler_->Start();
    sim_.RunFor(1s);
  }
  template <class T>
  void Add(T object) {
    if (object.meta.uid.empty()) object.meta.uid = object.meta.name;
    scheduler_->Apply(kube::InformerEvent<T>{.kind = kube::InformerEventKind::kAdded,
                                             .old_object = nullptr,
                                             .object = std::make_shared<const T>(object)});
  }
  // A job of some pods of one CPU each, the oldest first.
  void AddJob(const std::string& name, int pods = 1, std::string_view cpu = "1",
              const std::string& priority_class = "", const std::string& ns = "ns") {
    kube::PodGroup group = MakeGroup(name, "q", pods, kube::PodGroupPhase::kPending);
    group.meta.creation_timestamp = testutil::kTestNow + std::chrono::seconds(++jobs_);
    group.priority_class_name = priority_class;
    group.meta.ns = ns;
    Add(std::move(group));
    for (int i = 0; i < pods; ++i) {
      kube::Pod pod =
          MakePod(pods == 1 ? name : fmt::format("{}-{}", name, i), name, {{"cpu", cpu}});
      pod.meta.ns = ns;
      Add(std::move(pod));
    }
  }
  void RunCycle() { scheduler_->RunOnce(); }

  testutil::SimLoop sim_;
  WorkingLoop loop_{sim_};
  int jobs_ = 0;
  std::vector<std::string> bound_;
  std::vector<std::vector<std::string>> batches_;
  std::unique_ptr<Scheduler> scheduler_;
};

TEST_F(SchedulerTest, WhatIsDecidedForOneJobGoesOutBeforeTheNextIsLookedAt) {
  Start({});
  AddJob("a", 2);
  AddJob("b", 2);
  sim_.RunFor(10ms);
  EXPECT_THAT(batches_, ElementsAre(ElementsAre("a-0", "a-1"), ElementsAre("b-0", "b-1")));
}

TEST_F(SchedulerTest, ACycleThatHasUsedItsBudgetEndsBetweenTwoJobsAndTheNextGoesOnInOrder) {
  // Two steps for each of the two actions.
  Start({.cycle_steps = 4});
  for (const char* name : {"a", "b", "c", "d", "e"}) AddJob(name);
  RunCycle();
  EXPECT_THAT(bound_, ElementsAre("a", "b"));
  sim_.RunFor(10ms);
  EXPECT_THAT(bound_, ElementsAre("a", "b", "c", "d", "e"));
}

TEST_F(SchedulerTest, AfterTenCyclesInWhichNothingHappenedEverythingIsLookedAtAllTheSame) {
  Start({});
  kube::Pod leaving = MakeRunningPod("leaving", "", {{"cpu", "100"}}, "n1");
  leaving.meta.deletion_timestamp = sim_.Now();
  leaving.meta.deletion_grace_period_seconds = 3600;
  Add(leaving);
  Add(MakeQueue("default"));
  kube::Pod waits = MakePod("waits", "", {{"cpu", "1"}});
  waits.status.nominated_node_name = "n1";
  waits.status.conditions.push_back(
      {.type = "PodScheduled",
       .status = kube::ConditionStatus::kFalse,
       .reason = "Unschedulable",
       .message = "promised node n1, once the pods that leave it are gone"});
  Add(waits);
  sim_.RunFor(10ms);
  const model::Cluster& cluster = scheduler_->state().cluster();
  ASSERT_EQ(cluster.FindTask("ns", "waits")->status(), model::TaskStatus::kPipelined);
  while (scheduler_->cycles() < 8) sim_.RunFor(1s);  // nothing more is to be said
  // Behind the scheduler's back: it hears of nothing.
  const_cast<model::Cluster&>(cluster).RemovePod("ns", "leaving");  // NOLINT
  const std::uint64_t before = scheduler_->cycles();
  while (bound_.empty() && scheduler_->cycles() < before + 30) sim_.RunFor(1s);
  EXPECT_THAT(bound_, ElementsAre("waits"));
  EXPECT_GE(scheduler_->cycles() - before, 2u);
  EXPECT_LE(scheduler_->cycles() - before, 11u);
}

TEST_F(SchedulerTest, AJobThatComesWhileOthersArePutOffGoesInItsPlace) {
  Start({.cycle_steps = 4});
  for (const char* name : {"a", "b", "c", "d"}) AddJob(name);
  RunCycle();
  kube::PriorityClass high;
  high.meta.name = "high";
  high.value = 100;
  Add(std::move(high));
  AddJob("urgent", 1, "1", "high");
  sim_.RunFor(10ms);
  EXPECT_THAT(bound_, ElementsAre("a", "b", "urgent", "c", "d"));
}

TEST_F(SchedulerTest, AGangThatTakesLongerThanTheBudgetIsPlacedAllTheSame) {
  Start({.cycle_steps = 2});
  AddJob("gang", 60);
  sim_.RunFor(10ms);
  EXPECT_EQ(bound_.size(), 60u);
}

TEST_F(SchedulerTest, JobsThatFitNowhereStarveNobodyHoweverOftenEventsWakeThem) {
  Start({.cycle_steps = 4});
  for (int i = 0; i < 10; ++i) AddJob(fmt::format("huge-{}", i), 1, "1000");
  AddJob("small");
  for (int i = 0; i < 40 && bound_.empty(); ++i) {
    RunCycle();
    // A node that grows, which is news for all that fit nowhere.
    Add(MakeNode("n1", {{"cpu", std::to_string(101 + i)}, {"memory", "1Gi"}, {"pods", "100"}}));
  }
  EXPECT_THAT(bound_, ElementsAre("small"));
}

TEST_F(SchedulerTest, JobsOfATenantWhoHasHadHisShareOfACycleStandBackForOthers) {
  // Eight steps for the four jobs to enter, and as many for places; two are a share.
  Start({.cycle_steps = 8});
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) AddJob(name);
  RunCycle();  // they enter, as far as there are steps
  AddJob("of-another", 1, "1", "", "other");
  sim_.RunFor(10ms);
  ASSERT_EQ(bound_.size(), 7u);
  const auto place = std::ranges::find(bound_, "of-another") - bound_.begin();
  EXPECT_LT(place, 6);
}

TEST_F(SchedulerTest, NothingIsSaidOfAJobThatWasPutOff) {
  Start({.cycle_steps = 2});
  AddJob("huge", 1, "1000");
  AddJob("put-off", 1, "1000");
  RunCycle();
  EXPECT_EQ(scheduler_->state().cluster().FindJob("ns", "put-off")->phase,
            model::JobPhase::kPending);
  EXPECT_THAT(bound_, IsEmpty());
}

TEST_F(SchedulerTest, ABudgetOfTimeEndsACycleToo) {
  Start({.cycle_budget = 10ms});
  for (int i = 0; i < 40; ++i) AddJob(fmt::format("j{:02}", i));
  loop_.per_look = 1ms;
  RunCycle();
  EXPECT_GE(bound_.size(), 1u);
  EXPECT_LT(bound_.size(), 20u);
  sim_.RunFor(10s);
  EXPECT_EQ(bound_.size(), 40u);
  EXPECT_TRUE(std::ranges::is_sorted(bound_));
}

TEST_F(SchedulerTest, ThePauseAfterALongCycleIsATenthOfASecondAtMost) {
  Start({.cycle_budget = 1h});
  loop_.per_look = 1s;
  AddJob("a");
  sim_.RunFor(1s);
  loop_.per_look = 0ms;
  loop_.delays.clear();
  AddJob("b");
  ASSERT_FALSE(loop_.delays.empty());
  EXPECT_LE(loop_.delays.front(), 100ms);
}

// The program that ships is built so (tests/system/hardening_test.cc): with a few thousand groups
// the check takes longer than the cycle.
TEST(SchedulerOptionsTest, BooksAreCountedAnewAfterEachActionInDebugBuildsAlone) {
#ifdef NDEBUG
  EXPECT_FALSE(SchedulerOptions{}.after_action);
#else
  EXPECT_TRUE(SchedulerOptions{}.after_action);
#endif
}

}  // namespace
}  // namespace basalt::scheduler
