#include "scheduler/framework/session_view.h"

#include <gtest/gtest.h>

#include <string>

#include "scheduler/framework/reasons.h"
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
    {{"by-priority", []() -> std::unique_ptr<Plugin> { return std::make_unique<ByPriority>(); }}}};

// A queue's policy that lets in everybody or nobody.
template <bool open>
class Door final : public Plugin, public QueueAdmission {
 public:
  Verdict MayAllocate(const Queue&, const Task&) const override {
    return open ? Verdict::Ok() : Verdict::Unschedulable("shut");
  }
};

// Looks at each node, and finds nothing.
class Content final : public Plugin, public NodeFilter {
 public:
  void FilterParts(const Task&, std::vector<Part>* parts) const override {
    parts->push_back({DependsOn::kNode, 0});
  }
  Verdict Filter(const Task&, const Node&, int) const override { return Verdict::Ok(); }
};
// Has no rule that concerns anybody.
class Unconcerned final : public Plugin, public NodeFilter {
 public:
  void FilterParts(const Task&, std::vector<Part>*) const override {}
  Verdict Filter(const Task&, const Node&, int) const override {
    return Verdict::Unschedulable("nobody asked");
  }
};

// Changes its mind after so many seconds; 0: never.
template <int seconds>
class Timed final : public Plugin, public TimeDependent {
 public:
  std::optional<Time> ChangesAt(const Job&) const override {
    if (seconds == 0) return std::nullopt;
    return kTestNow + std::chrono::seconds(seconds);
  }
  std::int64_t KindOf(const Job&) const override { return 0; }
};

template <class T>
std::unique_ptr<Plugin> Make() {
  return std::make_unique<T>();
}
const PluginRegistry kOthers{{{"open", Make<Door<true>>},
                              {"shut", Make<Door<false>>},
                              {"content", Make<Content>},
                              {"unconcerned", Make<Unconcerned>},
                              {"soon", Make<Timed<10>>},
                              {"late", Make<Timed<20>>},
                              {"never", Make<Timed<0>>}}};

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

TEST_F(SessionViewTest, APlaceHasToPassWhatConcernsTheTaskAndNothingElse) {
  const auto plugins =
      testutil::MakePlugins(testutil::OneTier({"content", "unconcerned"}), kOthers);
  const SessionView view(given_.cluster, *plugins, kTestNow);
  EXPECT_TRUE(view.Filter(given_.task("orphan"), given_.node("n1")).ok());
}

TEST_F(SessionViewTest, TheFirstPolicyToChangeItsMindCounts) {
  for (const auto& [names, seconds] : {std::pair{testutil::OneTier({"soon", "late", "never"}), 10},
                                       std::pair{testutil::OneTier({"never", "late", "soon"}), 10},
                                       std::pair{testutil::OneTier({"late"}), 20}}) {
    const auto plugins = testutil::MakePlugins(names, kOthers);
    const SessionView view(given_.cluster, *plugins, kTestNow);
    EXPECT_EQ(view.ChangesAt(given_.job("first")), kTestNow + std::chrono::seconds(seconds));
  }
}

// A queue of two CPUs, one pod that is on its way out of it and one that asks for a CPU.
TEST(QueueAdmissionTest, PodsThatLeaveCountUntilTheyAreGoneWhereThereIsAPolicyOfQueues) {
  struct Row {
    const char* name;
    const char* policy;  // "": none
    const char* leaves;  // so many CPUs
    bool overdue, moves;
    std::string_view allocate, claim;  // why not
    bool start;
  };
  const std::string_view wait = reasons::kOthersMustLeave, late = reasons::kQueueFullOfOverdue;
  for (const Row& row : {
           Row{"promised, but not started", "open", "2", false, false, "", wait, false},
           Row{"room beside it", "open", "1", false, false, "", "", true},
           Row{"the policy refuses", "shut", "2", false, false, "shut", "shut", false},
           Row{"no policy", "", "2", false, false, "", "", true},
           Row{"its pod counts for it", "open", "2", false, true, "", wait, true},
           Row{"too late", "open", "2", true, false, late, late, true},
           Row{"too late and refused", "shut", "2", true, false, "shut", "shut", true},
           Row{"too late, no policy", "", "2", true, false, "", "", true},
       }) {
    TestCluster given;
    kube::Queue queue = MakeQueue("q");
    queue.capability = testutil::Resources({{"cpu", "2"}});
    given.Add(std::move(queue)).Add(MakeNode("n1", {{"cpu", "8"}}));
    given.Add(MakeGroup("old", "q", 1)).Add(MakeGroup("new", "q", 1));
    given.Add(MakeRunningPod("leaves", "old", {{"cpu", row.leaves}}, "n1"));
    given.Add(MakePod("comes", "new", {{"cpu", "1"}}));
    given.cluster.Move(given.task("leaves").id, {.status = model::TaskStatus::kReleasing,
                                                 .node = given.node("n1").id,
                                                 .overdue = row.overdue});
    given.cluster.SetCountsWithPod(given.job("new").id, row.moves);
    Config config = testutil::OneTier({});
    if (*row.policy) config = testutil::OneTier({row.policy});
    const auto plugins = testutil::MakePlugins(std::move(config), kOthers);
    const SessionView view(given.cluster, *plugins, kTestNow);
    const model::Task& comes = given.task("comes");
    EXPECT_EQ(view.MayAllocate(given.queue("q"), comes).reason, row.allocate) << row.name;
    EXPECT_EQ(view.MayClaim(given.queue("q"), comes).reason, row.claim) << row.name;
    EXPECT_EQ(view.MayStart(given.queue("q"), comes), row.start) << row.name;
  }
}

TEST_F(SessionViewTest, TheLargestNodeHasOfEachResourceTheMost) {
  given_.Add(MakeNode("n2", {{"cpu", "1"}, {"memory", "8Gi"}}));
  const model::Amounts& largest = view_->LargestNode();
  EXPECT_EQ(largest.milli_cpu(), 64000);
  EXPECT_EQ(largest[model::kMemory], 8.0 * 1024 * 1024 * 1024);
}

}  // namespace
}  // namespace basalt::scheduler
