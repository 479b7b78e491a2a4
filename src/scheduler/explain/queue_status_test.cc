#include "scheduler/explain/queue_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/explain/overview.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::explain {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using testutil::Resources;
using testutil::TestCluster;

kube::Queue QueueBelow(std::string name, std::string parent) {
  kube::Queue queue = MakeQueue(std::move(name));
  queue.parent = std::move(parent);
  return queue;
}

TEST(QueueStatusTest, CountsGroupsByPhaseAndWhatIsHeldUpTheTree) {
  TestCluster given;
  given.Add(MakeQueue("root")).Add(QueueBelow("q", "root")).Add(MakeNode("n1", {{"cpu", "8"}}));
  given.Add(MakeGroup("runs", "q", 1, kube::PodGroupPhase::kRunning));
  given.Add(MakeRunningPod("a", "runs", {{"cpu", "1500m"}, {"memory", "1Gi"}}, "n1"));
  given.Add(MakeGroup("waits", "q", 1, kube::PodGroupPhase::kPending));
  given.Add(MakePod("b", "waits", {{"cpu", "1"}}));
  given.Add(MakeGroup("promised", "q", 1, kube::PodGroupPhase::kPending));
  given.Add(MakePod("c", "promised", {{"cpu", "2"}}));
  given.cluster.Move(given.task("c").id,
                     {.status = model::TaskStatus::kPipelined, .node = given.node("n1").id});
  const auto statuses = QueueStatuses(given.cluster);
  ASSERT_THAT(statuses, SizeIs(2));
  EXPECT_EQ(statuses[0].queue->meta.name, "q");
  EXPECT_EQ(statuses[0].running, 1);
  EXPECT_EQ(statuses[0].pending, 2);
  EXPECT_EQ(statuses[0].allocated.Get("cpu").ToString(), "1500m");
  EXPECT_EQ(statuses[0].allocated.Get("memory").ToString(), "1Gi");
  EXPECT_EQ(statuses[1].running, 0) << "the counts are of the queue's own groups";
  EXPECT_EQ(statuses[1].allocated.Get("cpu").ToString(), "1500m");
}

TEST(QueueStatusTest, AQueueThatSaysAllOfItAlreadyIsNotWritten) {
  TestCluster given;
  kube::Queue queue = MakeQueue("q");
  queue.running = 1;
  queue.allocated = Resources({{"cpu", "1"}, {"memory", "0"}, {"pods", "1"}});
  given.Add(std::move(queue)).Add(MakeNode("n1", {{"cpu", "8"}}));
  given.Add(MakeGroup("runs", "q", 1, kube::PodGroupPhase::kRunning));
  given.Add(MakeRunningPod("a", "runs", {{"cpu", "1"}}, "n1"));
  EXPECT_THAT(QueueStatusIntents(given.cluster), IsEmpty());
  given.cluster.RemovePod("ns", "a");
  EXPECT_THAT(QueueStatusIntents(given.cluster), SizeIs(1));
}

TEST(QueueStatusTest, EachQueueOfACycleIsToldTheWay) {
  TestCluster given;
  given.Add(QueueBelow("a", "b")).Add(QueueBelow("b", "c")).Add(QueueBelow("c", "a"));
  given.Add(MakeQueue("fine"));
  const auto events = QueueCycleEvents(given.cluster);
  ASSERT_THAT(events, SizeIs(3));
  EXPECT_THAT(std::get<model::QueueEvent>(events[0]).message, HasSubstr("(a -> b -> c -> a)"));
  EXPECT_THAT(std::get<model::QueueEvent>(events[1]).message, HasSubstr("(b -> c -> a -> b)"));
}

TEST(ListingTest, ShowsGroupsOfOneNamespaceOrOfAllAndQueues) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeGroup("g", "q", 2)).Add(MakePod("a", "g", {{"cpu", "1"}}));
  EXPECT_THAT(ListPodGroups(given.cluster, "other"), IsEmpty());
  const auto groups = ListPodGroups(given.cluster, "ns");
  ASSERT_THAT(groups, SizeIs(1));
  EXPECT_EQ(groups[0].at("minMember"), 2);
  EXPECT_EQ(groups[0].at("shadow"), false);
  EXPECT_EQ(groups[0].at("pending"), 1);
  EXPECT_EQ(DescribeQueue(given.cluster, "q").at("inqueue"), 1);
  EXPECT_THAT(DescribeQueue(given.cluster, "none"), IsEmpty());
}

}  // namespace
}  // namespace basalt::scheduler::explain
