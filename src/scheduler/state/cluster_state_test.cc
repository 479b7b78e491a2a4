#include "scheduler/state/cluster_state.h"

#include <gtest/gtest.h>

#include "kube/types/quantity.h"
#include "model/annotations.h"

namespace basalt::scheduler {
namespace {

using model::TaskStatus;

std::shared_ptr<kube::Pod> Pod(const std::string& name, const std::string& node = "") {
  auto pod = std::make_shared<kube::Pod>();
  pod->meta.ns = "ns";
  pod->meta.name = pod->meta.uid = name;
  pod->meta.annotations.Set(model::annotations::kGroupName, "g");
  pod->spec.node_name = node;
  pod->spec.scheduler_name = "volcano";
  pod->spec.containers.emplace_back().resources.requests.Set("cpu", kube::Quantity::Of(1));
  if (!node.empty()) pod->status.phase = kube::PodPhase::kRunning;
  return pod;
}

std::shared_ptr<kube::Node> Node(const std::string& name) {
  auto node = std::make_shared<kube::Node>();
  node->meta.name = name;
  node->status.allocatable.Set("cpu", kube::Quantity::Of(4));
  return node;
}

std::shared_ptr<kube::PodGroup> Group(const std::string& name, const std::string& priority = "") {
  auto group = std::make_shared<kube::PodGroup>();
  group->meta.ns = "ns";
  group->meta.name = group->meta.uid = name;
  group->priority_class_name = priority;
  group->phase = kube::PodGroupPhase::kPending;
  return group;
}

class ClusterStateTest : public testing::Test {
 protected:
  const model::Task& task(const char* name) { return *state_.cluster().FindTask("ns", name); }
  ClusterState state_{{.scheduler_names = {"volcano"}}};
};

TEST_F(ClusterStateTest, ABindUnderWayOutlivesAnEchoThatDoesNotKnowOfIt) {
  state_.Set(Node("n1"));
  state_.Set(Pod("p"));
  const auto n1 = state_.cluster().FindNode("n1")->id;
  state_.cluster().Move(task("p").id, {.status = TaskStatus::kBinding, .node = n1});
  auto echo = Pod("p");
  echo->meta.labels.Set("a", "b");
  state_.Set(echo);
  EXPECT_EQ(task("p").status(), TaskStatus::kBinding);
  EXPECT_EQ(state_.cluster().ledger().Idle(n1).milli_cpu(), 3000);

  state_.BindFailed("ns", "p", "p");
  EXPECT_EQ(task("p").status(), TaskStatus::kPending);
  EXPECT_EQ(state_.cluster().ledger().Idle(n1).milli_cpu(), 4000);
  EXPECT_EQ(state_.cluster().CheckLedgers(), "");
}

TEST_F(ClusterStateTest, AnEvictionUnderWayOutlivesAnEchoAndCanFail) {
  state_.Set(Node("n1"));
  state_.Set(Pod("p", "n1"));
  state_.cluster().Move(task("p").id, {.status = TaskStatus::kReleasing, .node = task("p").node()});
  state_.Set(Pod("p", "n1"));
  EXPECT_EQ(task("p").status(), TaskStatus::kReleasing);
  state_.EvictionFailed("ns", "p", "p");
  EXPECT_EQ(task("p").status(), TaskStatus::kRunning);
}

TEST_F(ClusterStateTest, ALaterPodOfTheSameNameStartsAfresh) {
  state_.Set(Node("n1"));
  state_.Set(Pod("p", "n1"));
  auto later = Pod("p");
  later->meta.uid = "p2";
  state_.Set(later);
  EXPECT_EQ(task("p").status(), TaskStatus::kPending);
  state_.BindFailed("ns", "p", "p");  // of the former one: nobody cares
  EXPECT_EQ(state_.cluster().CheckLedgers(), "");
}

TEST_F(ClusterStateTest, PodsOfOtherSchedulersCountOnTheirNodesOnly) {
  state_.Set(Node("n1"));
  auto foreign = Pod("p", "n1");
  foreign->spec.scheduler_name = "default-scheduler";
  state_.Set(foreign);
  EXPECT_FALSE(task("p").job.valid());
  EXPECT_EQ(state_.cluster().ledger().Idle(task("p").node()).milli_cpu(), 3000);
  auto pending = Pod("q");
  pending->spec.scheduler_name = "default-scheduler";
  state_.Set(pending);
  EXPECT_EQ(state_.cluster().FindTask("ns", "q"), nullptr);
}

TEST_F(ClusterStateTest, APhaseThatWeSetOutlivesAnEchoWithTheFormerOne) {
  state_.Set(Group("g"));
  const auto job = state_.cluster().FindJob("ns", "g")->id;
  state_.cluster().SetPhase(job, model::JobPhase::kInqueue);
  state_.Set(Group("g"));
  EXPECT_EQ(state_.cluster().job(job).phase, model::JobPhase::kInqueue);
  auto running = Group("g");
  running->phase = kube::PodGroupPhase::kRunning;
  state_.Set(running);
  EXPECT_EQ(state_.cluster().job(job).phase, model::JobPhase::kRunning);
}

TEST_F(ClusterStateTest, AJobsPriorityIsItsClasssAlsoWhenThatComesLater) {
  state_.Set(Group("a", "high"));
  state_.Set(Group("b"));
  auto high = std::make_shared<kube::PriorityClass>();
  high->meta.name = "high";
  high->value = 100;
  auto usual = std::make_shared<kube::PriorityClass>();
  usual->meta.name = "usual";
  usual->value = 7;
  usual->global_default = true;
  state_.Set(high);
  state_.Set(usual);
  EXPECT_EQ(state_.cluster().FindJob("ns", "a")->priority, 100);
  EXPECT_EQ(state_.cluster().FindJob("ns", "b")->priority, 7);
  state_.Remove(*usual);
  EXPECT_EQ(state_.cluster().FindJob("ns", "b")->priority, 0);
}

TEST_F(ClusterStateTest, APromiseFromBeforeARestartIsReadBackFromThePodInAnyOrder) {
  auto promised = Pod("p");
  promised->status.nominated_node_name = "n1";
  state_.Set(promised);
  state_.Set(Node("n1"));
  EXPECT_EQ(task("p").status(), TaskStatus::kPipelined);
  EXPECT_TRUE(task("p").holding.restored);
  const auto n1 = state_.cluster().FindNode("n1")->id;
  EXPECT_EQ(state_.cluster().ledger().Future(n1).milli_cpu(), 3000);
  EXPECT_EQ(state_.cluster().CheckLedgers(), "");
  // A nomination on a pod that is known already is an echo, or somebody else's wish: no claim.
  state_.Set(Pod("q"));
  auto wished = Pod("q");
  wished->status.nominated_node_name = "n1";
  state_.Set(wished);
  EXPECT_EQ(task("q").status(), TaskStatus::kPending);
}

TEST_F(ClusterStateTest, APodThatIsOverdueStaysSo) {
  state_.Set(Node("n1"));
  auto leaving = Pod("p", "n1");
  leaving->meta.deletion_timestamp = Time{};
  state_.Set(leaving);
  state_.cluster().Move(
      task("p").id, {.status = TaskStatus::kReleasing, .node = task("p").node(), .overdue = true});
  auto again = std::make_shared<kube::Pod>(*leaving);
  again->meta.labels.Set("a", "b");
  state_.Set(again);
  EXPECT_TRUE(task("p").holding.overdue);
}

TEST_F(ClusterStateTest, APromiseGoesWithItsNode) {
  state_.Set(Node("n1"));
  state_.Set(Pod("p"));
  state_.cluster().Move(task("p").id, {.status = TaskStatus::kPipelined,
                                       .node = state_.cluster().FindNode("n1")->id});
  state_.Remove(*Node("n1"));
  EXPECT_EQ(task("p").status(), TaskStatus::kPending);
  EXPECT_EQ(state_.cluster().CheckLedgers(), "");
}

}  // namespace
}  // namespace basalt::scheduler
