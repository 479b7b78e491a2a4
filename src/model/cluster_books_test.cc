// The books come back bit for bit whatever the amounts, and names of resources come and go.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "kube/types/quantity.h"
#include "model/cluster.h"

namespace basalt::model {
namespace {

using Listed = std::vector<std::pair<std::string, std::string>>;

kube::ResourceList List(const Listed& amounts) {
  kube::ResourceList list;
  for (const auto& [name, amount] : amounts) list.Set(name, *kube::Quantity::Parse(amount));
  return list;
}

class ClusterBooksTest : public testing::Test {
 protected:
  ClusterBooksTest() {
    AddQueue("root", "");
    AddQueue("team", "root");
  }
  void AddQueue(const std::string& name, const std::string& parent, const Listed& capability = {}) {
    kube::Queue queue;
    queue.meta.name = name;
    queue.parent = parent;
    queue.state = kube::QueueState::kOpen;
    queue.capability = List(capability);
    cluster_.SetQueue(std::make_shared<const kube::Queue>(std::move(queue)));
  }
  void AddNode(const std::string& name, const Listed& allocatable) {
    kube::Node node;
    node.meta.name = name;
    node.status.allocatable = List(allocatable);
    cluster_.SetNode(std::make_shared<const kube::Node>(std::move(node)));
  }
  void AddGroup(const std::string& name, const Listed& min_resources = {}) {
    kube::PodGroup group;
    group.meta.ns = "ns";
    group.meta.name = group.meta.uid = name;
    group.min_member = 1;
    group.phase = kube::PodGroupPhase::kInqueue;
    group.min_resources = List(min_resources);
    cluster_.SetGroup(std::make_shared<const kube::PodGroup>(std::move(group)), "team");
  }
  TaskId AddPod(const std::string& name, const Listed& requests, const std::string& group = "job",
                const std::string& node = "") {
    kube::Pod pod;
    pod.meta.ns = "ns";
    pod.meta.name = pod.meta.uid = name;
    pod.spec.node_name = node;
    kube::Container container;
    container.resources.requests = List(requests);
    pod.spec.containers.push_back(std::move(container));
    auto shared = std::make_shared<const kube::Pod>(std::move(pod));
    const Holding holding = cluster_.HoldingOf(*shared);
    return cluster_.SetPod(shared, group, holding);
  }
  const Task& task(const std::string& name) const { return *cluster_.FindTask("ns", name); }
  int number(const std::string& name) const { return *cluster_.dimensions().Find(name); }

  Cluster cluster_;
};

const std::string kAmounts[] = {
    "1",      "1m", "9007199254740991", "9007199254740993", "9.2e15", "1e29", "7", "1e-30",
    "500e24", "3"};

TEST_F(ClusterBooksTest, AnyMovesThereAndBackRestoreEveryLedgerWhateverTheAmounts) {
  Random random(7);
  for (const char* name : {"n0", "n1", "n2"}) AddNode(name, {{"cpu", "16"}, {"memory", "64Gi"}});
  AddNode("huge", {{"cpu", "1e29"}, {"memory", "16Ei"}, {"example.com/x", "9.2e15"}});
  AddGroup("job", {{"cpu", "9007199254740993m"}, {"memory", "1e29"}});
  AddGroup("other", {{"cpu", "1"}});
  std::vector<TaskId> tasks;
  for (int i = 0; i < 60; ++i) {
    const auto any = [&] { return kAmounts[random.Below(std::size(kAmounts))]; };
    tasks.push_back(AddPod(fmt::format("p{}", i),
                           {{"cpu", any()}, {"memory", any()}, {"example.com/x", any()}},
                           i % 3 == 0 ? "other" : "job"));
  }
  ASSERT_EQ(cluster_.CheckLedgers(), "");
  const TaskStatus statuses[] = {TaskStatus::kPipelined, TaskStatus::kAllocated,
                                 TaskStatus::kRunning, TaskStatus::kReleasing};
  for (int round = 0; round < 20; ++round) {
    const std::uint64_t before = cluster_.Hash();
    std::vector<std::pair<TaskId, Holding>> undo;
    for (int i = 0; i < 100; ++i) {
      const TaskId id = tasks[random.Below(tasks.size())];
      undo.emplace_back(id, cluster_.task(id).holding);
      cluster_.Move(id, {.status = statuses[random.Below(std::size(statuses))],
                         .node = cluster_.nodes()[random.Below(cluster_.nodes().size())],
                         .overdue = random.Below(2) == 0});
    }
    ASSERT_EQ(cluster_.CheckLedgers(), "");
    // Some stay where they are, so that rounds begin from different states.
    const std::size_t kept = undo.size() / 4;
    const std::uint64_t after = cluster_.Hash();
    for (std::size_t i = undo.size(); i-- > 0;) cluster_.Move(undo[i].first, undo[i].second);
    ASSERT_EQ(cluster_.Hash(), before);
    ASSERT_NE(after, before);
    for (std::size_t i = 0; i < kept; ++i) {
      cluster_.Move(undo[i].first, {.status = TaskStatus::kRunning, .node = cluster_.nodes()[0]});
    }
  }
}

TEST_F(ClusterBooksTest, WhatAGiantPodDidIsUndoneWhenItGoes) {
  AddNode("n", {{"cpu", "16"}, {"memory", "64Gi"}});
  AddGroup("job");
  for (int i = 0; i < 15; ++i) AddPod(fmt::format("a{}", i), {{"cpu", "1"}}, "job", "n");
  AddPod("a15", {{"cpu", "400m"}}, "job", "n");
  const NodeId node = cluster_.FindNode("n")->id;
  const Queue& queue = *cluster_.FindQueue("team");
  ASSERT_EQ(cluster_.ledger().idle(kCpu, node), 600);
  const std::uint64_t before = cluster_.Hash();
  for (const char* amount : {"9200000000000000", "1e29", "9007199254740993m"}) {
    AddPod("giant", {{"cpu", amount}}, "job", "n");
    EXPECT_LT(cluster_.ledger().idle(kCpu, node), -9e15);
    cluster_.RemovePod("ns", "giant");
    EXPECT_EQ(cluster_.ledger().idle(kCpu, node), 600) << amount;
    EXPECT_EQ(cluster_.total_held().milli_cpu(), 15400) << amount;
    EXPECT_EQ(cluster_.Hash(), before) << amount;
  }
  // It waits while the others come and go.
  AddPod("giant", {{"cpu", "9200000000000000"}});
  for (int i = 0; i < 16; ++i) cluster_.RemovePod("ns", fmt::format("a{}", i));
  cluster_.RemovePod("ns", "giant");
  EXPECT_EQ(queue.tree.request.value().milli_cpu(), 0);
  EXPECT_EQ(cluster_.CheckLedgers(), "");
}

TEST_F(ClusterBooksTest, WhatPodsAndGroupsAskForTakesNoNumbers) {
  Listed junk = {{"cpu", "1"}};
  for (int i = 0; i < 70; ++i) junk.emplace_back(fmt::format("junk{}.example.com/x", i), "1");
  AddGroup("job", junk);
  AddPod("junk", junk);
  EXPECT_EQ(cluster_.dimensions().size(), 3);
  EXPECT_TRUE(task("junk").task_class->unknown_resource);
  EXPECT_TRUE(cluster_.FindJob("ns", "job")->unknown_min_resource);
  EXPECT_EQ(cluster_.LackingNames(Bit(kCpu), *cluster_.FindJob("ns", "job")).size(), 71u);
  AddNode("gpu-1", {{"cpu", "8"}, {"nvidia.com/gpu", "8"}});
  AddPod("gpu", {{"nvidia.com/gpu", "1"}}, "other");
  EXPECT_FALSE(task("gpu").task_class->unknown_resource);
  EXPECT_EQ(task("gpu").request()[number("nvidia.com/gpu")], 1000);
}

TEST_F(ClusterBooksTest, ARequestIsReadAgainWhenANodeBringsTheResourceAndWhenItTakesItAway) {
  AddNode("plain", {{"cpu", "8"}});
  AddGroup("job", {{"cpu", "1"}, {"nvidia.com/gpu", "2"}});
  AddPod("a", {{"cpu", "1"}, {"nvidia.com/gpu", "2"}});
  AddPod("b", {{"nvidia.com/gpu", "1"}}, "job", "plain");
  EXPECT_FALSE(task("a").best_effort());
  EXPECT_TRUE(cluster_.dimensions().Names(~DimensionSet{0}).size() == 3);
  const std::uint64_t before = cluster_.Hash();
  for (int i = 0; i < 3; ++i) {
    AddNode("gpu-1", {{"cpu", "8"}, {"nvidia.com/gpu", "8"}});
    const int gpu = number("nvidia.com/gpu");
    EXPECT_EQ(task("a").request()[gpu], 2000);
    EXPECT_FALSE(task("a").task_class->unknown_resource);
    EXPECT_EQ(cluster_.FindQueue("team")->tree.request.value()[gpu], 3000);
    EXPECT_EQ((*cluster_.FindJob("ns", "job")->min_resources)[gpu], 2000);
    EXPECT_EQ(cluster_.ledger().used(gpu)[cluster_.FindNode("plain")->id.index()], 1000);
    EXPECT_EQ(cluster_.CheckLedgers(), "");
    cluster_.RemoveNode("gpu-1");
    EXPECT_TRUE(task("a").task_class->unknown_resource);
    EXPECT_TRUE(cluster_.FindJob("ns", "job")->unknown_min_resource);
    EXPECT_EQ(cluster_.Hash(), before);
    EXPECT_EQ(cluster_.CheckLedgers(), "");
  }
}

TEST_F(ClusterBooksTest, APodOfNoGroupIsReadAgainTogetherWithItsShadow) {
  AddPod("a", {{"nvidia.com/gpu", "2"}}, "shadow-of-a");
  cluster_.SetShadow(task("a").id, std::make_shared<const kube::PodGroup>(), "team");
  const Job& job = *cluster_.FindJob("ns", "shadow-of-a");
  EXPECT_TRUE(job.unknown_min_resource);
  EXPECT_EQ(cluster_.LackingNames(0, job), std::vector<std::string>{"nvidia.com/gpu"});
  AddNode("gpu-1", {{"nvidia.com/gpu", "8"}});
  EXPECT_FALSE(job.unknown_min_resource);
  EXPECT_EQ(*job.min_resources, task("a").request());
  cluster_.RemoveNode("gpu-1");
  EXPECT_TRUE(job.unknown_min_resource);
  EXPECT_EQ(job.min_resources, task("a").request());
}

TEST_F(ClusterBooksTest, WhatIsAskedForIsReadAgainWhenAQueueBringsTheResourceToo) {
  AddPod("a", {{"example.com/x", "1"}});
  EXPECT_TRUE(task("a").task_class->unknown_resource);
  AddQueue("q", "root", {{"example.com/x", "3"}});
  EXPECT_FALSE(task("a").task_class->unknown_resource);
  EXPECT_EQ(task("a").request()[number("example.com/x")], 1000);
  cluster_.RemoveQueue("q");
  EXPECT_TRUE(task("a").task_class->unknown_resource);
}

TEST_F(ClusterBooksTest, AJobThatWaitsIsLookedAtAgainWhenItsMinimumIsReadAgain) {
  AddGroup("job", {{"nvidia.com/gpu", "2"}});
  const Job& job = *cluster_.FindJob("ns", "job");
  cluster_.Settle(job.id);
  cluster_.Park(job.id, "like", {});
  AddNode("plain", {{"cpu", "8"}});
  EXPECT_TRUE(job.parked());
  AddNode("gpu-1", {{"nvidia.com/gpu", "8"}});
  EXPECT_FALSE(job.parked());
}

TEST_F(ClusterBooksTest, ANameThatGoesIsNoNewsOfOtherNodes) {
  AddNode("plain", {{"cpu", "8"}});
  AddNode("gpu-1", {{"nvidia.com/gpu", "8"}});
  const std::uint64_t before = cluster_.node_objects_generation();
  cluster_.RemoveNode("gpu-1");
  EXPECT_EQ(cluster_.node_objects_generation(), before + 1);
}

TEST_F(ClusterBooksTest, AnAdmittedJobMayTakeWhatItsMinimumStillLacks) {
  AddNode("n", {{"cpu", "8"}, {"nvidia.com/gpu", "2"}});
  AddGroup("job", {{"cpu", "3"}, {"nvidia.com/gpu", "1"}});
  AddPod("a", {{"cpu", "1"}, {"nvidia.com/gpu", "1"}}, "job", "n");
  const Job& job = *cluster_.FindJob("ns", "job");
  struct Row {
    JobPhase phase;
    double milli_cpu;
  };
  for (const Row& row :
       {Row{JobPhase::kInqueue, 2000}, Row{JobPhase::kRunning, 2000}, Row{JobPhase::kPending, 0},
        Row{JobPhase::kUnknown, 0}, Row{JobPhase::kCompleted, 0}}) {
    cluster_.SetPhase(job.id, row.phase);
    EXPECT_EQ(job.in_queue, Amounts(row.milli_cpu, 0)) << static_cast<int>(row.phase);
  }
  cluster_.SetPhase(job.id, JobPhase::kRunning);
  cluster_.RemovePod("ns", "a");
  EXPECT_EQ(job.in_queue, Amounts()) << "it has lost its gang";
  EXPECT_EQ(cluster_.CheckLedgers(), "");
}

TEST_F(ClusterBooksTest, NamesComeAndGoWithNodesAndQueuesWithoutRunningOut) {
  AddNode("plain", {{"cpu", "8"}, {"memory", "8Gi"}, {"pods", "110"}});
  AddPod("waits", {{"example.com/r7", "1"}, {"example.com/q7", "1"}});
  const std::uint64_t before = cluster_.Hash();
  for (int i = 0; i < 1000; ++i) {
    const std::string resource = fmt::format("example.com/r{}", i % 100);
    const std::string of_queue = fmt::format("example.com/q{}", i % 100);
    AddNode("n", {{"cpu", "1"}, {resource, "4"}});
    AddQueue("q", "root", {{of_queue, "3"}});
    AddPod("p", {{resource, "1"}}, "job", "n");
    ASSERT_EQ(cluster_.ledger().idle(number(resource), cluster_.FindNode("n")->id), 3000);
    ASSERT_EQ(cluster_.FindQueue("q")->capability[number(of_queue)], 3000);
    ASSERT_EQ(cluster_.CheckLedgers(), "");
    cluster_.RemoveNode("n");
    cluster_.RemovePod("ns", "p");
    cluster_.RemoveQueue("q");
    ASSERT_LE(cluster_.dimensions().size(), 6);
  }
  EXPECT_EQ(cluster_.Hash(), before);
}

TEST_F(ClusterBooksTest, OfTooManyNamesTheLastAreLeftOutUntilThereIsANumberForThem) {
  Listed many = {{"cpu", "8"}};
  for (int i = 0; i < 70; ++i) many.emplace_back(fmt::format("example.com/r{}", i), "4");
  AddNode("many", many);
  AddNode("gpu-1", {{"cpu", "8"}, {"nvidia.com/gpu", "8"}});
  AddPod("gpu", {{"nvidia.com/gpu", "1"}});
  AddQueue("late", "root", {{"example.com/late", "3"}});
  EXPECT_TRUE(cluster_.dimensions().some_uncounted());
  EXPECT_TRUE(task("gpu").task_class->unknown_resource);
  AddNode("many", {{"cpu", "8"}, {"example.com/r3", "4"}});
  EXPECT_FALSE(cluster_.dimensions().some_uncounted());
  EXPECT_EQ(task("gpu").request()[number("nvidia.com/gpu")], 1000);
  EXPECT_EQ(cluster_.ledger().idle(number("nvidia.com/gpu"), cluster_.FindNode("gpu-1")->id), 8000);
  ASSERT_TRUE(cluster_.dimensions().Find("example.com/late"));
  EXPECT_EQ(cluster_.FindQueue("late")->capability[number("example.com/late")], 3000);
  EXPECT_EQ(cluster_.CheckLedgers(), "");
}

TEST_F(ClusterBooksTest, PodsThatDifferNeverShareAClass) {
  kube::Pod port;
  port.meta.ns = "ns";
  port.meta.name = port.meta.uid = "port";
  port.spec.containers.push_back({});
  kube::Pod claim = port;
  claim.meta.name = claim.meta.uid = "claim";
  // Without an end the list of ports could be read as one of volumes: one of them, its kind, and a
  // name of one letter.
  kube::ContainerPort host;
  host.host_port = 1;
  host.host_ip = "\x02";
  host.protocol = static_cast<decltype(host.protocol)>(0);
  std::vector<kube::ContainerPort> ports = {host};
  kube::Container container;
  container.ports = ports;
  port.spec.containers.clear();
  port.spec.containers.push_back(container);
  kube::Volume volume;
  volume.kind = kube::Volume::Kind::kPersistentVolumeClaim;
  volume.source = std::string(1, '\0');
  claim.spec.volumes.push_back(volume);
  TaskClasses classes;
  const TaskClass* a = classes.Acquire(std::make_shared<const kube::Pod>(port), {});
  const TaskClass* b = classes.Acquire(std::make_shared<const kube::Pod>(claim), {});
  EXPECT_NE(a, b);
}

}  // namespace
}  // namespace basalt::model
