#include "scheduler/service/scheduler_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::scheduler {
namespace {

using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakePodGroup;
using testutil::TextAt;
namespace json = boost::json;
namespace resources = kube::resources;

// A scheduler that stands for a process of its own.
struct Process {
  explicit Process(testutil::SimCluster& cluster, SchedulerServiceOptions options = {})
      : api(cluster.network()), client(api), service(cluster.loop(), client, std::move(options)) {
    service.Start();
  }
  testutil::DirectApiClient api;
  kube::Client client;
  SchedulerService service;
};

SchedulerServiceOptions Elected(const std::string& identity) {
  SchedulerServiceOptions options;
  options.election = {.ns = "kube-system", .name = "volcano", .identity = identity};
  return options;
}

class SchedulerServiceTest : public testing::Test {
 protected:
  void CreateNodes(int count) {
    for (int i = 0; i < count; ++i) cluster_.Create(MakeNode("n" + std::to_string(i)).Cpu("2"));
  }
  void CreateGang(const std::string& group, int pods, int min_member) {
    cluster_.Create(MakePodGroup(group, min_member));
    for (int i = 0; i < pods; ++i) {
      cluster_.Create(MakePod(group + "-" + std::to_string(i)).Cpu("1").Group(group));
    }
  }
  testutil::SimLoop& loop() { return cluster_.loop(); }

  testutil::SchedulingCluster cluster_;
};

TEST_F(SchedulerServiceTest, AGangThatFitsIsBound) {
  CreateNodes(4);
  CreateGang("train", 8, 8);
  Process process(cluster_);
  loop().RunFor(5s);
  EXPECT_TRUE(process.service.ready());
  EXPECT_EQ(cluster_.Bound(), 8);
}

TEST_F(SchedulerServiceTest, AGangThatIsOneTooLargeIsNotBoundInPart) {
  CreateNodes(4);
  CreateGang("train", 9, 9);
  Process process(cluster_);
  loop().RunFor(5s);
  EXPECT_EQ(cluster_.Bound(), 0);
}

TEST_F(SchedulerServiceTest, ANewNodeLetsAWaitingGangStartAtOnce) {
  CreateNodes(1);
  CreateGang("train", 4, 4);
  Process process(cluster_);
  loop().RunFor(5s);
  EXPECT_EQ(cluster_.Bound(), 0);
  cluster_.Create(MakeNode("n1").Cpu("2"));
  loop().RunFor(20ms);
  EXPECT_EQ(cluster_.Bound(), 4);
}

TEST_F(SchedulerServiceTest, WhenNothingWaitsThereAreNoCycles) {
  CreateNodes(1);
  Process process(cluster_);
  loop().RunFor(5s);
  const std::uint64_t before = process.service.scheduler().cycles();
  loop().RunFor(1h);
  EXPECT_EQ(process.service.scheduler().cycles(), before);
}

TEST_F(SchedulerServiceTest, PodsOfOthersThatHaveNoNodeCauseNoCycle) {
  CreateNodes(1);
  SchedulerServiceOptions options;
  options.scheduler.state.scheduler_names = {"volcano"};
  Process process(cluster_, options);
  loop().RunFor(5s);
  const std::uint64_t before = process.service.scheduler().cycles();
  cluster_.Create(MakePod("other").Scheduler("default-scheduler").Cpu("1"));
  loop().RunFor(5s);
  EXPECT_EQ(process.service.scheduler().cycles(), before);
}

TEST_F(SchedulerServiceTest, ABrokenConfigurationIsRefusedAndTheLastGoodOneStays) {
  CreateNodes(1);
  CreateGang("train", 1, 1);
  Process process(cluster_);
  const Result<void> refused = process.service.Configure("actions: \"enqueue, alocate\"\n");
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, testing::HasSubstr("allocate"));
  loop().RunFor(1s);
  EXPECT_EQ(cluster_.Bound(), 1);
}

TEST_F(SchedulerServiceTest, TheDefaultAndTheRootQueueAreMadeWhereTheyAreMissing) {
  Process process(cluster_);
  loop().RunFor(1s);
  const json::value root = cluster_.Get(resources::kQueues, "", "root");
  const json::value standard = cluster_.Get(resources::kQueues, "", "default");
  EXPECT_EQ(*testutil::FindPath(root, "spec.reclaimable"), false);
  EXPECT_EQ(*testutil::FindPath(standard, "spec.reclaimable"), true);
  EXPECT_EQ(*testutil::FindPath(standard, "spec.weight"), 1);
}

TEST_F(SchedulerServiceTest, OnlyNodesWithOneOfTheLabelsAreScheduledOn) {
  CreateNodes(1);
  cluster_.Create(MakeNode("labelled").Cpu("2").Label("pool", "batch"));
  CreateGang("train", 4, 1);
  SchedulerServiceOptions options;
  options.node_labels = {{"pool", "batch"}, {"pool", "gpu"}};
  Process process(cluster_, options);
  loop().RunFor(5s);
  EXPECT_EQ(cluster_.Bound(), 2);
  // A node that gets a label joins, one that loses it leaves.
  ASSERT_TRUE(cluster_.Patch({resources::kNodes, "", "n0"}, kube::PatchKind::kMerge,
                             R"({"metadata":{"labels":{"pool":"gpu"}}})"));
  loop().RunFor(1s);
  EXPECT_EQ(cluster_.Bound(), 4);
  ASSERT_TRUE(cluster_.Patch({resources::kNodes, "", "labelled"}, kube::PatchKind::kMerge,
                             R"({"metadata":{"labels":{"pool":null}}})"));
  loop().RunFor(1s);
  const model::Cluster& known = process.service.scheduler().state().cluster();
  EXPECT_FALSE(known.FindNode("labelled") && known.FindNode("labelled")->exists());
  EXPECT_TRUE(known.FindNode("n0")->exists());
}

TEST_F(SchedulerServiceTest, OfTwoOneLeadsAndTheOtherTakesOverWhenItDies) {
  CreateNodes(4);
  std::optional<Process> first(std::in_place, cluster_, Elected("first"));
  loop().RunFor(1s);
  Process second(cluster_, Elected("second"));
  loop().RunFor(10s);
  EXPECT_TRUE(first->service.leads());
  EXPECT_FALSE(second.service.leads());
  EXPECT_TRUE(second.service.ready()) << "it follows, so as to be quick";
  EXPECT_EQ(second.service.scheduler().cycles(), 0u);
  first->api.Crash();
  first.reset();
  CreateGang("train", 8, 8);
  loop().RunFor(1s);
  EXPECT_EQ(cluster_.Bound(), 0);
  loop().RunFor(30s);
  EXPECT_TRUE(second.service.leads());
  EXPECT_EQ(cluster_.Bound(), 8);
}

TEST_F(SchedulerServiceTest, OneThatLosesItsLeaseWritesNothingMoreUntilItLeadsAgain) {
  CreateNodes(4);
  Process process(cluster_, Elected("first"));
  loop().RunFor(1s);
  ASSERT_TRUE(process.service.leads());
  // Somebody takes the lease by force and keeps it for a minute.
  ASSERT_TRUE(cluster_.Patch({resources::kLeases, "kube-system", "volcano"},
                             kube::PatchKind::kMerge,
                             R"({"spec":{"holderIdentity":"thief","leaseDurationSeconds":60}})"));
  loop().RunUntil([&] { return !process.service.leads(); }, 20s);
  ASSERT_FALSE(process.service.leads());
  CreateGang("train", 8, 8);
  loop().RunFor(30s);
  EXPECT_EQ(cluster_.Bound(), 0);
  EXPECT_EQ(process.service.scheduler().cycles(), 0u);
  loop().RunFor(60s);
  EXPECT_TRUE(process.service.leads());
  EXPECT_EQ(cluster_.Bound(), 8);
}

TEST_F(SchedulerServiceTest, StoppingGivesTheLeaseBack) {
  Process process(cluster_, Elected("first"));
  loop().RunFor(1s);
  bool stopped = false;
  process.service.Stop([&] { stopped = true; });
  loop().RunUntil([&] { return stopped; }, 5s);
  ASSERT_TRUE(stopped);
  const json::value lease = cluster_.Get(resources::kLeases, "kube-system", "volcano");
  EXPECT_EQ(TextAt(lease, "spec.holderIdentity"), "");
  CreateNodes(1);
  CreateGang("train", 1, 1);
  loop().RunFor(5s);
  EXPECT_EQ(cluster_.Bound(), 0);
}

}  // namespace
}  // namespace basalt::scheduler
