#include "model/queue_room.h"

#include <gtest/gtest.h>

#include "kube/types/quantity.h"
#include "model/annotations.h"

namespace basalt::model {
namespace {

// Queues q and, above it, top; a node of 10 CPUs. All amounts are whole CPUs.
class QueueRoomTest : public testing::Test {
 protected:
  QueueRoomTest() {
    kube::Node node;
    node.meta.name = "n";
    node.status.allocatable.Set("cpu", kube::Quantity::Of(10));
    node.status.allocatable.Set("memory", kube::Quantity::Of(10'000'000));
    node_ = cluster_.SetNode(std::make_shared<const kube::Node>(std::move(node)));
    for (const char* name : {"root", "top", "q"}) SetQueue(name, 0);
  }
  void SetQueue(const std::string& name, int cpus) {
    kube::Queue queue;
    queue.meta.name = name;
    queue.parent = name == "q" ? "top" : "";
    queue.state = kube::QueueState::kOpen;
    if (cpus > 0) queue.capability.Set("cpu", kube::Quantity::Of(cpus));
    cluster_.SetQueue(std::make_shared<const kube::Queue>(std::move(queue)));
  }
  // A group of one pod, both of that name, whose pod asks for all that the group needs.
  const Task& Add(const std::string& name, int cpus, const Holding& holding,
                  bool opted_in = false) {
    kube::PodGroup group;
    group.meta.ns = "ns";
    group.meta.name = group.meta.uid = name;
    group.min_member = 1;
    group.phase = kube::PodGroupPhase::kInqueue;
    group.min_resources.emplace().Set("cpu", kube::Quantity::Of(cpus));
    cluster_.SetGroup(std::make_shared<const kube::PodGroup>(std::move(group)), "q");
    kube::Pod pod;
    pod.meta.ns = "ns";
    pod.meta.name = pod.meta.uid = name;
    if (opted_in) pod.meta.annotations.Set(annotations::kQueueAllocationGate, "true");
    kube::Container container;
    container.resources.requests.Set("cpu", kube::Quantity::Of(cpus));
    pod.spec.containers.push_back(std::move(container));
    const TaskId id =
        cluster_.SetPod(std::make_shared<const kube::Pod>(std::move(pod)), name, holding);
    EXPECT_EQ(cluster_.CheckLedgers(), "");
    return cluster_.task(id);
  }
  double Load(QueueView view) {
    const double own = cluster_.FindQueue("q")->own.Load(view, kCpu);
    EXPECT_EQ(cluster_.FindQueue("top")->tree.Load(view, kCpu), own);
    return own / 1000;
  }
  const Job& JobOf(const std::string& name) { return *cluster_.FindJob("ns", name); }
  const Queue& q() { return *cluster_.FindQueue("q"); }

  Cluster cluster_;
  NodeId node_;
};

TEST_F(QueueRoomTest, EachViewCountsItsOwnSums) {
  Add("runs", 1, {.status = TaskStatus::kRunning, .node = node_});
  Add("promised", 2, {.status = TaskStatus::kPipelined, .node = node_});
  Add("leaves", 4, {.status = TaskStatus::kReleasing, .node = node_});
  Add("overdue", 8, {.status = TaskStatus::kReleasing, .node = node_, .overdue = true});
  Add("claims", 16, {.queue_claim = true}, /*opted_in=*/true);
  Add("waits", 32, {});
  struct Row {
    QueueView view;
    double counts;
  };
  // Groups of those that leave have nothing allocated: until their phase changes they count as ones
  // that may still take their minimum.
  for (const Row& row : {Row{QueueView::kHeld, 1 + 2}, Row{QueueView::kNow, 1 + 4 + 8},
                         Row{QueueView::kFuture, 1 + 2 + 8}, Row{QueueView::kClaimed, 1 + 2 + 16},
                         Row{QueueView::kClaim, 1 + 2 + 4 + 8 + 16},
                         Row{QueueView::kEnqueue, 1 + 2 + 4 + 8 + 16 + 32},
                         Row{QueueView::kEnqueueOfNodes, 1 + 2 + 4 + 8 + 32}}) {
    EXPECT_EQ(Load(row.view), row.counts) << static_cast<int>(row.view);
  }
}

TEST_F(QueueRoomTest, APromiseCountsOnceForThoseWhoWantToEnter) {
  const Task& task = Add("promised", 4, {});
  EXPECT_EQ(Load(QueueView::kEnqueue), 4);
  cluster_.Move(task.id, {.status = TaskStatus::kPipelined, .node = node_});
  EXPECT_EQ(Load(QueueView::kEnqueue), 4);
  SetQueue("q", 8);
  Add("other", 4, {});
  EXPECT_FALSE(CapabilityShortfall(cluster_, JobOf("other"), cluster_.task(task.id)).exists());
}

TEST_F(QueueRoomTest, TheFirstQueueOnTheWayUpThatIsShortIsNamed) {
  Add("runs", 3, {.status = TaskStatus::kRunning, .node = node_});
  const Task& task = Add("waits", 2, {});
  EXPECT_EQ(CapabilityShortfall(cluster_, JobOf("waits"), task), Shortfall{});
  SetQueue("top", 4);
  const Shortfall of_top{cluster_.FindQueue("top")->id, Bit(kCpu)};
  EXPECT_EQ(CapabilityShortfall(cluster_, JobOf("waits"), task), of_top);
  SetQueue("q", 4);
  EXPECT_EQ(CapabilityShortfall(cluster_, JobOf("waits"), task).queue, q().id);
  SetQueue("q", 5);
  EXPECT_EQ(CapabilityShortfall(cluster_, JobOf("waits"), task), of_top);
}

TEST_F(QueueRoomTest, WhoeverLeavesIsWaitedForAndWhoIsOverdueIsNot) {
  SetQueue("q", 4);
  const Task& old = Add("old", 3, {.status = TaskStatus::kReleasing, .node = node_});
  const Task& task = Add("waits", 2, {});
  EXPECT_TRUE(MustWaitForLeaving(cluster_, q(), task));
  EXPECT_TRUE(QueueToWaitFor(cluster_, q(), task).exists());
  EXPECT_TRUE(FullUntilOthersLeave(cluster_, q(), task).exists());
  EXPECT_FALSE(FullOfOverdue(cluster_, q(), task).exists());
  Holding overdue = old.holding;
  overdue.overdue = true;
  cluster_.Move(old.id, overdue);
  EXPECT_FALSE(MustWaitForLeaving(cluster_, q(), task));
  EXPECT_TRUE(FullOfOverdue(cluster_, q(), task).exists());
}

// What leaves and what is promised, held against a capability of 6: who may start, and who waits.
TEST_F(QueueRoomTest, EachQuestionHasItsOwnAnswer) {
  struct Row {
    const char* name;
    int runs, leaves, overdue, promised;
    bool must_wait, waits_for_queue, no_claim, full_of_overdue, over;
  };
  for (const Row& row : {
           Row{"empty", 0, 0, 0, 0, false, false, false, false, false},
           Row{"full of others", 6, 0, 0, 0, false, false, false, false, false},
           Row{"others leave, and there is room beside them", 2, 2, 0, 0, false, false, false,
               false, false},
           Row{"others leave, and make room", 2, 3, 0, 0, true, true, true, false, false},
           Row{"others leave, and it does not suffice", 5, 1, 0, 0, false, true, true, false,
               false},
           Row{"their room is promised", 2, 3, 0, 3, false, true, true, false, false},
           Row{"others should be gone long ago, and there is room beside them", 1, 0, 3, 0, false,
               false, false, false, false},
           Row{"others should be gone long ago", 2, 0, 3, 0, false, true, true, true, false},
           Row{"of overdue ones there is more than it may have", 4, 0, 3, 0, false, true, true,
               true, true},
       }) {
    SetQueue("q", 6);
    const auto add = [&](const char* name, int cpus, const Holding& holding) {
      if (cpus > 0) Add(name, cpus, holding);
    };
    add("runs", row.runs, {.status = TaskStatus::kRunning, .node = node_});
    add("leaves", row.leaves, {.status = TaskStatus::kReleasing, .node = node_});
    add("overdue", row.overdue, {.status = TaskStatus::kReleasing, .node = node_, .overdue = true});
    add("promised", row.promised, {.status = TaskStatus::kPipelined, .node = node_});
    const Task& task = Add("asks", 2, {});
    EXPECT_EQ(MustWaitForLeaving(cluster_, q(), task), row.must_wait) << row.name;
    EXPECT_EQ(QueueToWaitFor(cluster_, q(), task).exists(), row.waits_for_queue) << row.name;
    EXPECT_EQ(FullUntilOthersLeave(cluster_, q(), task).exists(), row.no_claim) << row.name;
    EXPECT_EQ(FullOfOverdue(cluster_, q(), task).exists(), row.full_of_overdue) << row.name;
    EXPECT_EQ(IsOverCapability(cluster_, q(), task), row.over) << row.name;
    for (const char* name : {"runs", "leaves", "overdue", "promised", "asks"}) {
      cluster_.RemovePod("ns", name);
      cluster_.RemoveGroup("ns", name);
    }
  }
}

TEST_F(QueueRoomTest, WhatAJobNeedsToStartIsHeldAgainstWhatOthersHaveAndMayTake) {
  SetQueue("top", 6);
  Add("admitted", 4, {});
  Add("asks", 3, {});
  cluster_.SetPhase(JobOf("asks").id, JobPhase::kPending);
  EXPECT_EQ(CapabilityShortfall(cluster_, JobOf("asks")),
            (Shortfall{cluster_.FindQueue("top")->id, Bit(kCpu)}));
  SetQueue("top", 7);
  EXPECT_FALSE(CapabilityShortfall(cluster_, JobOf("asks")).exists());
  kube::PodGroup modest;
  modest.meta.ns = "ns";
  modest.meta.name = modest.meta.uid = "modest";
  cluster_.SetGroup(std::make_shared<const kube::PodGroup>(std::move(modest)), "q");
  SetQueue("top", 1);
  EXPECT_FALSE(CapabilityShortfall(cluster_, JobOf("modest")).exists()) << "it says no minimum";
}

TEST_F(QueueRoomTest, PodsThatOptedInOrHaveAClaimAreHeldToTheCapabilityAlone) {
  EXPECT_EQ(LimitFor(cluster_, Add("plain", 1, {})), QueueLimit::kNodes);
  EXPECT_EQ(LimitFor(JobOf("plain")), QueueLimit::kNodes);
  EXPECT_EQ(LimitFor(cluster_, Add("gated", 1, {}, /*opted_in=*/true)), QueueLimit::kCapability);
  EXPECT_EQ(LimitFor(JobOf("gated")), QueueLimit::kCapability);
  const Task& admitted = Add("of-a-gang", 1, {.queue_claim = true});
  EXPECT_EQ(LimitFor(cluster_, admitted), QueueLimit::kCapability);
  EXPECT_EQ(ViewFor(admitted), QueueView::kHeld);
}

TEST_F(QueueRoomTest, SoAreTheOthersOfAGangThatHasNotStartedOfWhichOneOptedIn) {
  const Task& gated = Add("gated", 1, {}, /*opted_in=*/true);
  kube::Pod plain;
  plain.meta.ns = "ns";
  plain.meta.name = plain.meta.uid = "plain";
  plain.spec.containers.emplace_back().resources.requests.Set("cpu", kube::Quantity::Of(1));
  const TaskId id =
      cluster_.SetPod(std::make_shared<const kube::Pod>(std::move(plain)), "gated", {});
  EXPECT_EQ(LimitFor(cluster_, cluster_.task(id)), QueueLimit::kCapability);
  cluster_.Move(gated.id, {.status = TaskStatus::kAllocated, .node = node_});
  EXPECT_EQ(LimitFor(cluster_, cluster_.task(id)), QueueLimit::kNodes) << "it has started";
}

TEST_F(QueueRoomTest, NamesOfQuotasAreNoMinimum) {
  kube::PodGroup group;
  group.meta.ns = "ns";
  group.meta.name = group.meta.uid = "of-a-volcano-job";
  group.phase = kube::PodGroupPhase::kInqueue;
  group.min_resources.emplace();
  for (const char* name :
       {"cpu", "requests.cpu", "limits.cpu", "requests.memory", "limits.memory", "count/pods",
        "pods", "requests.nvidia.com/gpu", "requests.ephemeral-storage", "services"}) {
    group.min_resources->Set(name, kube::Quantity::Of(2));
  }
  cluster_.SetGroup(std::make_shared<const kube::PodGroup>(group), "q");
  const Job& job = JobOf("of-a-volcano-job");
  EXPECT_FALSE(job.unknown_min_resource);
  EXPECT_EQ(job.min_resources->NonZero(), Bit(kCpu) | Bit(kPods));
  group.min_resources->Set("nvidia.com/gpu", kube::Quantity::Of(2));
  cluster_.SetGroup(std::make_shared<const kube::PodGroup>(group), "q");
  EXPECT_TRUE(job.unknown_min_resource) << "that is one that a node can have";
  EXPECT_EQ(cluster_.LackingNames(0, job), std::vector<std::string>{"nvidia.com/gpu"});
}

}  // namespace
}  // namespace basalt::model
