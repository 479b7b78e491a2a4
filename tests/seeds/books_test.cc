// deps: basalt_testing_scheduling
// Books that nobody can spoil: pods of any amount, and names of resources that nobody offers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/scheduling/scheduler_process.h"
#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::testutil {
namespace {

using testing::HasSubstr;
namespace resources = kube::resources;

constexpr std::string_view kProportion = R"(actions: "enqueue, allocate, preempt, backfill"
tiers:
- plugins:
  - name: priority
  - name: gang
- plugins:
  - name: predicates
  - name: proportion
  - name: nodeorder
)";

class BooksTest : public testing::Test {
 protected:
  void Start(std::string_view config = scheduler::DefaultConfigYaml()) {
    process_.reset();
    process_ = std::make_unique<SchedulerProcess>(
        cluster_.network(), scheduler::SchedulerServiceOptions{}, std::string(config));
    cluster_.loop().RunFor(2s);
  }
  void RunFor(Duration duration) { cluster_.loop().RunFor(duration); }
  bool IsBound(const std::string& pod) {
    return !TextAt(cluster_.Get(resources::kPods, "default", pod), "spec.nodeName").empty();
  }
  // Whether it is bound within some seconds.
  bool Runs(const PodBuilder& pod) {
    cluster_.Create(pod);
    RunFor(5s);
    return IsBound(pod.name());
  }
  void DeletePod(const std::string& name) {
    ASSERT_TRUE(cluster_.Delete({resources::kPods, "default", name}, {.grace_period_seconds = 0}));
    RunFor(2s);
  }
  const model::Cluster& state() { return process_->service().scheduler().state().cluster(); }
  static PodBuilder Junk(const std::string& name) {
    PodBuilder pod = MakePod(name).Cpu("1");
    for (int i = 0; i < 70; ++i) pod.Request(fmt::format("junk{}.example.com/x", i), "1", "1");
    return pod;
  }
  static AnyBuilder JunkGroup(const std::string& name) {
    json::object least{{"cpu", "1"}};
    for (int i = 0; i < 70; ++i) least[fmt::format("other{}.example.com/x", i)] = "1";
    return MakePodGroup(name, 1).Set("spec.minResources", json::value(least));
  }

  SchedulingCluster cluster_;
  std::unique_ptr<SchedulerProcess> process_;
};

TEST_F(BooksTest, ANodeIsNotOvercommittedAfterAGiantPodHasComeAndGone) {
  cluster_.Create(MakeNode("n0").Cpu("16"));
  Start();
  for (int i = 0; i < 15; ++i) ASSERT_TRUE(Runs(MakePod(fmt::format("a{}", i)).Cpu("1")));
  ASSERT_TRUE(Runs(MakePod("a15").Cpu("400m")));
  for (const char* amount : {"9200000000000000", "1e29", "9007199254740993m"}) {
    cluster_.Create(MakePod("giant").Cpu(amount).Node("n0").Scheduler("default-scheduler"));
    RunFor(2s);
    EXPECT_EQ(state().CheckLedgers(), "");
    DeletePod("giant");
    EXPECT_FALSE(Runs(MakePod("over").Cpu("1"))) << amount;  // 600m are left
    DeletePod("over");
    EXPECT_TRUE(Runs(MakePod("fits").Cpu("600m"))) << amount;
    DeletePod("fits");
  }
  EXPECT_EQ(state().CheckLedgers(), "");
}

TEST_F(BooksTest, AQueueDoesNotStarveAfterAGiantPodHasWaitedInIt) {
  for (const char* name : {"n0", "n1"}) cluster_.Create(MakeNode(name).Cpu("8"));
  Start(kProportion);
  for (const char* amount : {"9200000000000000", "1e29"}) {
    cluster_.Create(MakePod("giant").Cpu(amount));
    RunFor(2s);
    for (int i = 0; i < 10; ++i) {
      EXPECT_TRUE(Runs(MakePod(fmt::format("a{}", i)).Cpu("500m"))) << amount;
    }
    DeletePod("giant");
    for (int i = 0; i < 10; ++i) DeletePod(fmt::format("a{}", i));
    const model::Queue& queue = *state().FindQueue("default");
    EXPECT_EQ(queue.tree.request.value().milli_cpu(), 0) << amount;
    for (int i = 0; i < 8; ++i) {
      EXPECT_TRUE(Runs(MakePod(fmt::format("b{}", i)).Cpu("500m"))) << amount;
    }
    for (int i = 0; i < 8; ++i) DeletePod(fmt::format("b{}", i));
  }
  EXPECT_EQ(state().CheckLedgers(), "");
}

TEST_F(BooksTest, InventedResourcesDoNotKeepARealOneFromBeingCounted) {
  cluster_.Create(MakeNode("n0").Cpu("8"));
  cluster_.Create(Junk("before"));
  Start();
  cluster_.Create(JunkGroup("junk"));
  cluster_.Create(MakePod("in-junk").Cpu("1").Group("junk"));
  cluster_.Create(Junk("after"));
  cluster_.Create(MakePod("early").Gpu("1"));
  RunFor(3s);
  for (const char* pod : {"before", "after", "in-junk", "early"}) EXPECT_FALSE(IsBound(pod)) << pod;
  const json::value early = cluster_.Get(resources::kPods, "default", "early");
  EXPECT_THAT(json::serialize(early), HasSubstr("no node has nvidia.com/gpu"));
  cluster_.Create(MakeNode("gpu-1").Gpu("8"));
  RunFor(3s);
  EXPECT_TRUE(IsBound("early"));
  EXPECT_TRUE(Runs(MakePod("gpu").Gpu("1")));
  EXPECT_EQ(state().CheckLedgers(), "");
  // A scheduler that starts with all of them there.
  Start();
  EXPECT_TRUE(Runs(MakePod("gpu-after-restart").Gpu("1")));
  for (const char* pod : {"before", "after", "in-junk"}) DeletePod(pod);
  EXPECT_TRUE(Runs(MakePod("gpu-after-junk").Gpu("1")));
  EXPECT_EQ(state().CheckLedgers(), "");
}

}  // namespace
}  // namespace basalt::testutil
