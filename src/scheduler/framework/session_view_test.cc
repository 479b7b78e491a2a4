#include "scheduler/framework/session_view.h"

#include <gtest/gtest.h>

#include <string>

#include "scheduler/framework/session.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler {
namespace {

using testutil::kTestNow;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using testutil::TestCluster;

// Orders by priority alone: the higher first.
class ByPriority final : public Plugin, public JobOrder, public TaskOrder, public QueueOrder {
 public:
  std::weak_ordering CompareJobs(const Job& a, const Job& b) const override {
    return b.priority <=> a.priority;
  }
  std::weak_ordering CompareTasks(const Task& a, const Task& b) const override {
    return b.priority <=> a.priority;
  }
  std::weak_ordering CompareQueues(const Queue& a, const Queue& b) const override {
    return b.priority <=> a.priority;
  }
};

const PluginRegistry kOrders{
    {{"by-priority", [](const PluginContext&) -> Result<std::unique_ptr<Plugin>> {
        return std::make_unique<ByPriority>();
      }}}};

class SessionViewTest : public testing::Test {
 protected:
  SessionViewTest() {
    given_.Add(MakeNode("n1", {{"cpu", "64"}}));
    AddQueue("old", 0, 0s);
    AddQueue("new", 0, 5s);
    AddQueue("high", 3, 9s);
    AddJob("first", "old", 0, 1s);
    AddJob("second", "old", 0, 2s);
    AddJob("same-second", "old", 0, 2s);
    AddJob("important", "old", 5, 3s);
    AddJob("newer-queue", "new", 9, 3s);
    given_.Add(MakeRunningPod("orphan", "", {{"cpu", "1"}}, "n1"));
    given_.Add(MakeRunningPod("stray", "", {{"cpu", "1"}}, "n1"));
    plugins_ = testutil::MakePlugins(testutil::OneTier({"by-priority"}), kOrders);
    view_.emplace(given_.cluster, *plugins_, kTestNow);
  }
  void AddQueue(std::string name, int priority, Duration age) {
    kube::Queue queue = MakeQueue(std::move(name));
    queue.priority = priority;
    queue.meta.creation_timestamp = kTestNow + age;
    given_.Add(std::move(queue));
  }
  // With two pods that run.
  void AddJob(const std::string& name, const std::string& queue, int priority, Duration age) {
    kube::PodGroup group = MakeGroup(name, queue, 1);
    group.meta.creation_timestamp = kTestNow + age;
    given_.Add(std::move(group), priority);
    for (const char* pod : {"-0", "-1"}) {
      kube::Pod object = MakeRunningPod(name + pod, name, {{"cpu", "1"}}, "n1");
      object.meta.creation_timestamp = kTestNow + age;
      given_.Add(std::move(object));
    }
  }
  // a before b, and not b before a.
  void ExpectJobs(const char* a, const char* b) {
    EXPECT_TRUE(view_->JobBefore(given_.job(a), given_.job(b))) << a << " " << b;
    EXPECT_FALSE(view_->JobBefore(given_.job(b), given_.job(a))) << a << " " << b;
  }
  void ExpectVictims(const char* a, const char* b, const char* preemptor) {
    const Task& gains = given_.task(preemptor);
    EXPECT_TRUE(view_->VictimBefore(given_.task(a), given_.task(b), gains)) << a << " " << b;
    EXPECT_FALSE(view_->VictimBefore(given_.task(b), given_.task(a), gains)) << a << " " << b;
  }

  TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
  std::optional<SessionView> view_;
};

TEST_F(SessionViewTest, JobsGoByPolicyThenByAgeThenByWhoCameFirst) {
  ExpectJobs("important", "first");
  ExpectJobs("first", "second");
  ExpectJobs("second", "same-second");
  EXPECT_FALSE(view_->JobBefore(given_.job("first"), given_.job("first")));
  EXPECT_FALSE(view_->JobBefore(given_.job("second"), given_.job("second")));
}

TEST_F(SessionViewTest, QueuesGoByPolicyThenByAgeThenByName) {
  AddQueue("newt", 0, 5s);
  const auto before = [&](const char* a, const char* b) {
    return view_->QueueBefore(given_.queue(a), given_.queue(b));
  };
  EXPECT_TRUE(before("high", "old"));
  EXPECT_FALSE(before("old", "high"));
  EXPECT_TRUE(before("old", "new"));
  EXPECT_FALSE(before("new", "old"));
  EXPECT_TRUE(before("new", "newt"));
  EXPECT_FALSE(before("newt", "new"));
  EXPECT_FALSE(before("new", "new"));
}

TEST_F(SessionViewTest, OfVictimsTheLastInEveryOrderGoesFirst) {
  ExpectVictims("first-1", "first-0", "important-0");        // of one job
  ExpectVictims("second-0", "important-0", "first-0");       // the less important job's
  ExpectVictims("orphan", "second-0", "first-0");            // whose group is gone
  ExpectVictims("stray", "orphan", "first-0");               // both: by task alone
  ExpectVictims("newer-queue-0", "important-0", "first-0");  // the later queue's
  ExpectVictims("second-0", "newer-queue-0", "orphan");      // nobody's queue: jobs alone
  const Task& same = given_.task("first-0");
  EXPECT_FALSE(view_->VictimBefore(same, same, given_.task("important-0")));
}

TEST_F(SessionViewTest, AJobTakesPartOnceItsGroupAndItsQueueExist) {
  EXPECT_NE(view_->FindJob(given_.job("first").id), nullptr);
  given_.Add(MakeGroup("lost", "nowhere", 1)).Add(MakePod("lost-0", "lost", {}));
  given_.Add(MakePod("early-0", "early", {}));
  EXPECT_EQ(view_->FindJob(given_.job("lost").id), nullptr);
  EXPECT_EQ(view_->FindJob(given_.job("early").id), nullptr);
  EXPECT_EQ(view_->AllJobs().size(), 5u);
  given_.Add(MakeQueue("nowhere"));
  EXPECT_NE(view_->FindJob(given_.job("lost").id), nullptr);
  EXPECT_EQ(view_->AllJobs().size(), 6u);
  std::string queues;
  for (const Queue* queue : view_->Queues()) queues += queue->name + " ";
  EXPECT_EQ(queues, "high new nowhere old ");
}

TEST_F(SessionViewTest, TheLargestNodeHasOfEachResourceTheMost) {
  given_.Add(MakeNode("n2", {{"cpu", "1"}, {"memory", "8Gi"}}));
  const model::Amounts& largest = view_->LargestNode();
  EXPECT_EQ(largest.milli_cpu(), 64000);
  EXPECT_EQ(largest[model::kMemory], 8.0 * 1024 * 1024 * 1024);
}

}  // namespace
}  // namespace basalt::scheduler
