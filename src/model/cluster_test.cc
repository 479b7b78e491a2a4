#include "model/cluster.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "kube/types/quantity.h"
#include "model/annotations.h"

namespace basalt::model {
namespace {

std::shared_ptr<const kube::Pod> Pod(const std::string& name, std::int64_t milli_cpu,
                                     const std::string& role = "", bool gpu = false) {
  kube::Pod pod;
  pod.meta.ns = "ns";
  pod.meta.name = pod.meta.uid = name;
  if (!role.empty()) pod.meta.annotations.Set(annotations::kTaskSpec, role);
  kube::Container container;
  if (milli_cpu > 0) {
    container.resources.requests.Set("cpu", kube::Quantity::OfMilli(milli_cpu));
    container.resources.requests.Set("memory", kube::Quantity::Of(milli_cpu * 1000));
  }
  if (gpu) container.resources.requests.Set("nvidia.com/gpu", kube::Quantity::Of(1));
  pod.spec.containers.push_back(std::move(container));
  return std::make_shared<const kube::Pod>(std::move(pod));
}

std::shared_ptr<const kube::Node> NodeOf(const std::string& name, std::int64_t cpu) {
  kube::Node node;
  node.meta.name = name;
  node.status.allocatable.Set("cpu", kube::Quantity::Of(cpu));
  node.status.allocatable.Set("memory", kube::Quantity::Of(cpu * 1'000'000));
  node.status.allocatable.Set("pods", kube::Quantity::Of(110));
  return std::make_shared<const kube::Node>(std::move(node));
}

std::shared_ptr<const kube::Queue> QueueOf(const std::string& name,
                                           const std::string& parent = "") {
  kube::Queue queue;
  queue.meta.name = name;
  queue.parent = parent;
  queue.state = kube::QueueState::kOpen;
  return std::make_shared<const kube::Queue>(std::move(queue));
}

std::shared_ptr<const kube::PodGroup> Group(const std::string& name, int min_member,
                                            std::int64_t min_milli_cpu = 0) {
  kube::PodGroup group;
  group.meta.ns = "ns";
  group.meta.name = group.meta.uid = name;
  group.min_member = min_member;
  group.phase = kube::PodGroupPhase::kInqueue;
  if (min_milli_cpu > 0) {
    group.min_resources.emplace();
    group.min_resources->Set("cpu", kube::Quantity::OfMilli(min_milli_cpu));
  }
  return std::make_shared<const kube::PodGroup>(std::move(group));
}

TEST(ClusterTest, AMoveChargesTheNodeTheJobAndTheQueueWithItsAncestors) {
  Cluster cluster;
  cluster.SetQueue(QueueOf("root"));
  cluster.SetQueue(QueueOf("dept"));
  cluster.SetQueue(QueueOf("team", "dept"));
  const NodeId node = cluster.SetNode(NodeOf("n1", 4));
  const JobId job = cluster.SetGroup(Group("g", 1, 3000), "team");
  const TaskId task = cluster.SetPod(Pod("p", 1000), "g", {});

  cluster.Move(task, {.status = TaskStatus::kAllocated, .node = node});

  EXPECT_EQ(cluster.ledger().Idle(node).milli_cpu(), 3000);
  EXPECT_EQ(cluster.ledger().Used(node)[kPods], 1);
  EXPECT_EQ(cluster.job(job).allocated.value().milli_cpu(), 1000);
  EXPECT_EQ(cluster.job(job).ready_tasks(), 1);
  for (const char* queue : {"team", "dept", "root"}) {
    EXPECT_EQ(cluster.FindQueue(queue)->tree.allocated.value().milli_cpu(), 1000) << queue;
    EXPECT_EQ(cluster.FindQueue(queue)->tree.in_queue.value().milli_cpu(), 2000) << queue;
  }
  EXPECT_EQ(cluster.FindQueue("dept")->own.allocated.value().milli_cpu(), 0);
  EXPECT_EQ(cluster.CheckLedgers(), "");
}

TEST(ClusterTest, ReleasingTasksHoldTheirNodeButNotTheirQueue) {
  Cluster cluster;
  cluster.SetQueue(QueueOf("q"));
  const NodeId node = cluster.SetNode(NodeOf("n1", 4));
  cluster.SetGroup(Group("g", 1), "q");
  const TaskId task = cluster.SetPod(Pod("p", 1000), "g", {});
  cluster.Move(task, {.status = TaskStatus::kRunning, .node = node});
  cluster.Move(task, {.status = TaskStatus::kReleasing, .node = node});

  EXPECT_EQ(cluster.ledger().Idle(node).milli_cpu(), 3000);
  EXPECT_EQ(cluster.ledger().Future(node).milli_cpu(), 4000);
  EXPECT_EQ(cluster.FindQueue("q")->own.allocated.value().milli_cpu(), 0);
}

TEST(ClusterTest, APromiseTakesFutureRoomAndQueueRoom) {
  Cluster cluster;
  cluster.SetQueue(QueueOf("q"));
  const NodeId node = cluster.SetNode(NodeOf("n1", 4));
  cluster.SetGroup(Group("g", 1), "q");
  const TaskId task = cluster.SetPod(Pod("p", 1000), "g", {});
  cluster.Move(task, {.status = TaskStatus::kPipelined, .node = node});

  EXPECT_EQ(cluster.ledger().Idle(node).milli_cpu(), 4000);
  EXPECT_EQ(cluster.ledger().Future(node).milli_cpu(), 3000);
  EXPECT_EQ(cluster.FindQueue("q")->own.allocated.value().milli_cpu(), 1000);
  EXPECT_EQ(cluster.job(cluster.task(task).job).waiting_tasks(), 1);
}

// A large job waits, others fill the queue, a small one waits too, and somebody leaves: there may
// be room for the small one, though it is less than when the large one was refused.
TEST(ClusterTest, WhoWaitsForAQueueComesBackWhenItIsLessFullThanForAnyOfThem) {
  Cluster cluster;
  cluster.SetQueue(QueueOf("q"));
  const QueueId queue = cluster.FindQueue("q")->id;
  const auto add = [&](const std::string& name, int milli_cpu, bool runs) {
    cluster.SetGroup(Group(name, 1), "q");
    return cluster.SetPod(Pod(name, milli_cpu), name,
                          {.status = runs ? TaskStatus::kRunning : TaskStatus::kPending,
                           .node = runs ? cluster.NodeSlot("n") : NodeId{}});
  };
  const auto wait = [&](const std::string& name) {
    const JobId job = cluster.FindJob("ns", name)->id;
    cluster.Settle(job);
    cluster.NoteRefusal(queue);
    Waits waits;
    waits.queue = queue;
    cluster.Park(job, name, waits);
  };
  const auto active = [&](const std::string& name) {
    return cluster.FindJob("ns", name)->list == Job::List::kActive;
  };
  cluster.SetNode(NodeOf("n", 20));
  add("runs", 7000, true);
  add("leaves", 1000, true);
  cluster.WakeParked(Time{});
  add("large", 3000, false);
  wait("large");
  add("fills", 2000, true);
  add("small", 1000, false);
  wait("small");
  cluster.WakeParked(Time{});
  EXPECT_FALSE(active("large"));
  EXPECT_FALSE(active("small"));
  cluster.RemovePod("ns", "leaves");
  cluster.WakeParked(Time{});
  EXPECT_TRUE(active("small"));
}

TEST(ClusterTest, ANodeMayGoBeforeThePodsThatHaveEndedOnIt) {
  Cluster cluster;
  cluster.SetNode(NodeOf("n", 4));
  kube::Pod pod = *Pod("p", 1000);
  pod.spec.node_name = "n";
  pod.status.phase = kube::PodPhase::kSucceeded;
  const auto ended = std::make_shared<const kube::Pod>(pod);
  const TaskId task = cluster.SetPod(ended, "", cluster.HoldingOf(*ended));
  cluster.RemoveNode("n");
  cluster.SetNode(NodeOf("other", 4));  // in the same slot
  EXPECT_FALSE(cluster.task(task).node().valid());
  cluster.RemoveNode("other");
  cluster.RemovePod("ns", "p");
  EXPECT_EQ(cluster.CheckLedgers(), "");
}

TEST(ClusterTest, NobodyCountsOnTheRoomOfATaskThatIsOverdue) {
  Cluster cluster;
  const NodeId node = cluster.SetNode(NodeOf("n1", 4));
  const TaskId task = cluster.SetPod(Pod("p", 1000), "", {});
  cluster.Move(task, {.status = TaskStatus::kReleasing, .node = node});
  EXPECT_EQ(cluster.ledger().Future(node).milli_cpu(), 4000);
  cluster.Move(task, {.status = TaskStatus::kReleasing, .node = node, .overdue = true});
  EXPECT_EQ(cluster.ledger().Future(node).milli_cpu(), 3000);
  EXPECT_EQ(cluster.releasing().size(), 1u);
  EXPECT_EQ(cluster.CheckLedgers(), "");
}

TEST(ClusterTest, UndoingRandomMovesRestoresTheHash) {
  Random random(7);
  Cluster cluster;
  for (const char* name : {"root", "a", "b"}) cluster.SetQueue(QueueOf(name));
  std::vector<NodeId> nodes;
  for (int i = 0; i < 5; ++i) nodes.push_back(cluster.SetNode(NodeOf("n" + std::to_string(i), 8)));
  std::vector<TaskId> tasks;
  for (int j = 0; j < 6; ++j) {
    const std::string group = "g" + std::to_string(j);
    cluster.SetGroup(Group(group, 2, 1500), j % 2 ? "a" : "b");
    for (int i = 0; i < 4; ++i) {
      tasks.push_back(cluster.SetPod(
          Pod(group + "-p-" + std::to_string(i), i * 500, i % 2 ? "w" : "", i == 3), group, {}));
    }
  }
  const TaskStatus statuses[] = {
      TaskStatus::kPending,   TaskStatus::kAllocated, TaskStatus::kPipelined, TaskStatus::kRunning,
      TaskStatus::kReleasing, TaskStatus::kSucceeded, TaskStatus::kBinding,   TaskStatus::kBound};
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t before = cluster.Hash();
    std::vector<std::pair<TaskId, Holding>> undo;
    for (int step = 0; step < 10; ++step) {
      const TaskId task = tasks[random.Below(tasks.size())];
      Holding to{.status = statuses[random.Below(std::size(statuses))]};
      if (to.status == TaskStatus::kPending) {
        to.queue_claim = random.Chance(0.5);
      } else {
        to.node = nodes[random.Below(nodes.size())];
        to.overdue = to.status == TaskStatus::kReleasing && random.Chance(0.5);
      }
      undo.emplace_back(task, cluster.task(task).holding);
      cluster.Move(task, to);
    }
    EXPECT_NE(cluster.Hash(), before);
    ASSERT_EQ(cluster.CheckLedgers(), "");
    while (!undo.empty()) {
      cluster.Move(undo.back().first, undo.back().second);
      undo.pop_back();
    }
    ASSERT_EQ(cluster.Hash(), before);
    // Go on from somewhere else.
    cluster.Move(tasks[random.Below(tasks.size())],
                 {.status = TaskStatus::kRunning, .node = nodes[random.Below(nodes.size())]});
  }
}

TEST(ClusterTest, PodsThatDifferInWhatAPolicyReadsAreOfDifferentClasses) {
  Cluster cluster;
  const NodeId node = cluster.SetNode(NodeOf("n", 8));
  const auto add = [&](const std::string& name, const std::string& zone) -> const Task& {
    kube::Pod pod = *Pod(name, 1000);
    if (!zone.empty()) pod.meta.annotations.Set("zone", zone);
    return cluster.task(cluster.SetPod(std::make_shared<const kube::Pod>(std::move(pod)), "",
                                       {.status = TaskStatus::kRunning, .node = node}));
  };
  const Task& a = add("a", "1");
  const Task& b = add("b", "2");
  const Task& none = add("none", "");
  EXPECT_EQ(a.task_class, b.task_class);
  cluster.SetPodKeys({"zone"});
  EXPECT_NE(a.task_class->static_class, b.task_class->static_class);
  EXPECT_NE(a.task_class, none.task_class);
  EXPECT_EQ(cluster.CheckLedgers(), "");
  cluster.SetPodKeys({});
  EXPECT_EQ(a.task_class, b.task_class);
  EXPECT_EQ(cluster.task_classes().size(), 1u);
  EXPECT_EQ(cluster.CheckLedgers(), "");
}

TEST(ClusterTest, PodsFromOneTemplateShareAClassAndDifferentRequestsAStaticClass) {
  Cluster cluster;
  const Task& a = cluster.task(cluster.SetPod(Pod("a", 1000), "", {}));
  const Task& b = cluster.task(cluster.SetPod(Pod("b", 1000), "", {}));
  const Task& c = cluster.task(cluster.SetPod(Pod("c", 2000), "", {}));
  EXPECT_EQ(a.task_class, b.task_class);
  EXPECT_NE(a.task_class, c.task_class);
  EXPECT_EQ(a.task_class->static_class, c.task_class->static_class);
  cluster.RemovePod("ns", "a");
  cluster.RemovePod("ns", "b");
  EXPECT_EQ(cluster.task_classes().size(), 1u);
}

TEST(ClusterTest, AQueueTreeWithACycleIsCutLoose) {
  Cluster cluster;
  cluster.SetQueue(QueueOf("root"));
  cluster.SetQueue(QueueOf("a", "b"));
  cluster.SetQueue(QueueOf("b", "a"));
  cluster.SetQueue(QueueOf("c"));
  EXPECT_TRUE(cluster.FindQueue("a")->in_cycle);
  EXPECT_FALSE(cluster.FindQueue("a")->parent.valid());
  EXPECT_EQ(cluster.FindQueue("c")->parent, cluster.FindQueue("root")->id);
}

TEST(ClusterTest, JobsAndNodesMayBeNamedBeforeTheyExist) {
  Cluster cluster;
  const auto running = [] {
    auto pod = std::make_shared<kube::Pod>(*Pod("p", 1000));
    pod->spec.node_name = "n1";
    pod->status.phase = kube::PodPhase::kRunning;
    return pod;
  }();
  const TaskId task = cluster.SetPod(running, "g", cluster.HoldingOf(*running));
  EXPECT_EQ(cluster.FindNode("n1"), nullptr);
  EXPECT_FALSE(cluster.job(cluster.task(task).job).exists());
  cluster.SetGroup(Group("g", 1), "q");
  cluster.SetNode(NodeOf("n1", 4));
  cluster.SetQueue(QueueOf("q"));
  EXPECT_EQ(cluster.ledger().Idle(cluster.FindNode("n1")->id).milli_cpu(), 3000);
  EXPECT_EQ(cluster.FindQueue("q")->own.allocated.value().milli_cpu(), 1000);
  cluster.RemoveNode("n1");
  cluster.RemoveGroup("ns", "g");
  cluster.RemoveQueue("q");
  cluster.RemovePod("ns", "p");
  EXPECT_EQ(cluster.tasks().live() + cluster.jobs().live() + cluster.queues().live() +
                cluster.node_slots().live(),
            0u);
}

}  // namespace
}  // namespace basalt::model
