#include "scheduler/state/cluster_state.h"

#include <gtest/gtest.h>

#include "kube/types/quantity.h"
#include "model/annotations.h"
#include "model/bound_queue.h"
#include "testing/test_signer.h"

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

  state_.BindFailed(task("p").id, "p", ClusterState::AfterRefusal::kTryAgain);
  EXPECT_EQ(task("p").status(), TaskStatus::kPending);
  EXPECT_EQ(state_.cluster().ledger().Idle(n1).milli_cpu(), 4000);
  EXPECT_EQ(state_.cluster().CheckLedgers(), "");
}

TEST_F(ClusterStateTest, WhoDecidesTellsEachPodOfOursWhatIsWrongWithItOnce) {
  const auto torn = [](const std::string& name, std::string_view scheduler = "volcano") {
    auto pod = Pod(name);
    pod->spec.scheduler_name = scheduler;
    pod->meta.annotations.Set(model::annotations::kVolcanoGroupName, "another");
    return pod;
  };
  const auto told = [&] {
    std::vector<std::string> names;
    for (const model::Intent& news : state_.TakeNews()) {
      const auto& event = std::get<model::PodEvent>(news);
      EXPECT_EQ(event.reason, "PodGroupConflict");
      names.push_back(event.pod->meta.name);
    }
    return names;
  };
  using Names = std::vector<std::string>;
  state_.Set(torn("ours"));
  state_.Set(torn("foreign", "another-scheduler"));
  EXPECT_EQ(told(), Names{"ours"});
  auto newer = torn("ours");
  newer->meta.labels.Set("a", "b");
  state_.Set(newer);
  EXPECT_EQ(told(), Names{});
  // Another scheduler leads meanwhile, and tells them.
  state_.SetDeciding(false);
  state_.Set(torn("later"));
  EXPECT_EQ(told(), Names{});
  state_.SetDeciding(true);
  EXPECT_EQ(told(), (Names{"ours", "later"}));
}

TEST_F(ClusterStateTest, AnEvictionUnderWayOutlivesAnEchoAndCanFail) {
  state_.Set(Node("n1"));
  state_.Set(Pod("p", "n1"));
  state_.cluster().Move(task("p").id, {.status = TaskStatus::kReleasing, .node = task("p").node()});
  state_.Set(Pod("p", "n1"));
  EXPECT_EQ(task("p").status(), TaskStatus::kReleasing);
  state_.EvictionFailed(task("p").id, "p");
  EXPECT_EQ(task("p").status(), TaskStatus::kRunning);
}

TEST_F(ClusterStateTest, ALaterPodOfTheSameNameStartsAfresh) {
  state_.Set(Node("n1"));
  state_.Set(Pod("p", "n1"));
  auto later = Pod("p");
  later->meta.uid = "p2";
  state_.Set(later);
  EXPECT_EQ(task("p").status(), TaskStatus::kPending);
  state_.BindFailed(task("p").id, "p",
                    ClusterState::AfterRefusal::kTryAgain);  // of the former one: nobody cares
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
  // Unless another scheduler leads: then it is that one's promise, until it is taken back.
  state_.SetDeciding(false);
  state_.Set(wished);
  EXPECT_EQ(task("q").status(), TaskStatus::kPipelined);
  state_.Set(Pod("q"));
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

// ---- shadows

std::shared_ptr<kube::Pod> PlainPod(const std::string& name, const std::string& node = "") {
  auto pod = Pod(name, node);
  pod->meta.annotations = {};
  pod->meta.uid = "uid-" + name;
  return pod;
}

std::shared_ptr<kube::Queue> Queue(const std::string& name) {
  auto queue = std::make_shared<kube::Queue>();
  queue->meta.name = queue->meta.uid = name;
  queue->state = kube::QueueState::kOpen;
  return queue;
}

std::shared_ptr<kube::Namespace> Namespace(const std::string& queue) {
  auto ns = std::make_shared<kube::Namespace>();
  ns->meta.name = "ns";
  if (!queue.empty()) ns->meta.annotations.Set(model::annotations::kQueueName, queue);
  return ns;
}

class ShadowTest : public ClusterStateTest {
 protected:
  const model::Job& job(const char* pod) { return state_.cluster().job(task(pod).job); }
  const std::string& queue(const char* pod) { return state_.cluster().queue(job(pod).queue).name; }
  void CheckLedgers() { EXPECT_EQ(state_.cluster().CheckLedgers(), ""); }
};

TEST_F(ShadowTest, APlainPodHasAGroupOfItsOwn) {
  auto pod = PlainPod("p");
  pod->meta.creation_timestamp = Time{5s};
  pod->meta.annotations.Set("a", "b");
  pod->meta.labels.Set("c", "d");
  pod->spec.priority_class_name = "high";
  auto high = std::make_shared<kube::PriorityClass>();
  high->meta.name = "high";
  high->value = 100;
  state_.Set(high);
  state_.Set(pod);

  const model::Job& shadow = job("p");
  EXPECT_TRUE(shadow.exists());
  EXPECT_TRUE(shadow.shadow);
  EXPECT_EQ(shadow.key(), "ns/podgroup-uid-p");
  EXPECT_EQ(shadow.uid(), "podgroup-uid-p");
  EXPECT_EQ(shadow.created(), Time{5s});
  EXPECT_EQ(shadow.min_available, 1);
  EXPECT_EQ(shadow.min_resources->milli_cpu(), 1000);
  EXPECT_EQ(shadow.priority, 100);
  EXPECT_EQ(shadow.phase, model::JobPhase::kPending);
  EXPECT_EQ(shadow.group->meta.annotations.Get("a"), "b");
  EXPECT_EQ(shadow.group->meta.labels.Get("c"), "d");
  EXPECT_EQ(queue("p"), "default");
}

TEST_F(ShadowTest, ItGoesWithItsPodAndLeavesNothingBehind) {
  state_.Set(Node("n1"));
  state_.Set(Queue("default"));
  const std::uint64_t empty = state_.cluster().Hash();
  for (int i = 0; i < 100; ++i) {
    auto pod = PlainPod("p" + std::to_string(i), i % 2 ? "n1" : "");
    pod->meta.labels.Set("i", std::to_string(i));
    state_.Set(pod);
    state_.Set(pod);
  }
  EXPECT_EQ(state_.cluster().jobs().live(), 100u);
  CheckLedgers();
  for (int i = 0; i < 100; ++i) state_.Remove(*PlainPod("p" + std::to_string(i)));
  EXPECT_EQ(state_.cluster().jobs().live(), 0u);
  EXPECT_TRUE(state_.cluster().active_jobs().empty());
  EXPECT_TRUE(state_.cluster().queue(state_.cluster().FindQueue("default")->id).jobs.empty());
  EXPECT_EQ(state_.cluster().Hash(), empty);
}

TEST_F(ShadowTest, PodsThatLookAlikeShareAnObject) {
  state_.Set(PlainPod("a"));
  state_.Set(PlainPod("b"));
  auto other = PlainPod("c");
  other->meta.labels.Set("x", "y");
  state_.Set(other);
  auto larger = PlainPod("d");
  larger->spec.containers.emplace_back().resources.requests.Set("cpu", kube::Quantity::Of(2));
  state_.Set(larger);
  EXPECT_EQ(job("a").group, job("b").group);
  EXPECT_NE(job("a").group, job("c").group);
  EXPECT_NE(job("a").group, job("d").group);
  EXPECT_EQ(job("d").min_resources->milli_cpu(), 3000);
}

TEST_F(ShadowTest, BoundAndFinishedPodsCountInTheirQueueAfterARestart) {
  state_.Set(PlainPod("running", "n1"));
  auto done = PlainPod("done", "n1");
  done->status.phase = kube::PodPhase::kSucceeded;
  state_.Set(done);
  auto promised = PlainPod("promised");
  promised->status.nominated_node_name = "n1";
  state_.Set(promised);
  state_.Set(Queue("default"));
  EXPECT_EQ(job("running").phase, model::JobPhase::kRunning);
  EXPECT_EQ(job("done").phase, model::JobPhase::kCompleted);
  EXPECT_EQ(job("promised").phase, model::JobPhase::kInqueue);
  const model::Queue& queue = *state_.cluster().FindQueue("default");
  EXPECT_EQ(queue.jobs.size(), 3u);
  EXPECT_EQ(queue.own.allocated.value().milli_cpu(), 2000);  // the running and the promised one
  CheckLedgers();
}

TEST_F(ShadowTest, APhaseOutlivesNewVersionsOfThePod) {
  state_.Set(PlainPod("p"));
  state_.cluster().SetPhase(task("p").job, model::JobPhase::kInqueue);
  state_.Set(PlainPod("p"));
  EXPECT_EQ(job("p").phase, model::JobPhase::kInqueue);
  auto changed = PlainPod("p");
  changed->meta.labels.Set("x", "y");
  state_.Set(changed);
  EXPECT_EQ(job("p").phase, model::JobPhase::kInqueue);
  EXPECT_EQ(job("p").group->meta.labels.Get("x"), "y");
}

TEST_F(ShadowTest, TheQueueIsThePodsThenItsNamespacesThenTheDefault) {
  state_.Set(PlainPod("plain"));
  auto own = PlainPod("own");
  own->meta.annotations.Set(model::annotations::kQueueName, "mine");
  state_.Set(own);
  EXPECT_EQ(queue("plain"), "default");
  state_.Set(Namespace("team"));
  EXPECT_EQ(queue("plain"), "team");
  EXPECT_EQ(queue("own"), "mine");
  state_.Set(Namespace(""));
  EXPECT_EQ(queue("plain"), "default");
  CheckLedgers();
}

TEST_F(ShadowTest, AGroupNameThatComesLaterTakesThePodAway) {
  state_.Set(PlainPod("p"));
  auto named = PlainPod("p");
  named->meta.annotations.Set(model::annotations::kVolcanoGroupName, "g");
  state_.Set(named);
  EXPECT_EQ(job("p").name, "g");
  EXPECT_FALSE(job("p").exists());
  EXPECT_EQ(state_.cluster().jobs().live(), 1u);
  state_.Set(PlainPod("p"));
  EXPECT_TRUE(job("p").shadow);
  EXPECT_EQ(state_.cluster().jobs().live(), 1u);
  CheckLedgers();
}

TEST_F(ShadowTest, ARealGroupOfTheSameNameGoesFirst) {
  state_.Set(PlainPod("p"));
  state_.Set(Group("podgroup-uid-p"));
  EXPECT_FALSE(job("p").shadow);
  EXPECT_EQ(job("p").uid(), "podgroup-uid-p");
  auto changed = PlainPod("p");
  changed->meta.labels.Set("x", "y");
  state_.Set(changed);
  EXPECT_FALSE(job("p").shadow);
  state_.Remove(*Group("podgroup-uid-p"));
  EXPECT_TRUE(job("p").shadow);
  CheckLedgers();
}

TEST_F(ShadowTest, APodThatAsksForAGroupWaitsForIt) {
  auto pod = PlainPod("p");
  pod->meta.annotations.Set(model::annotations::kGroupMinMember, "2");
  pod->meta.owner_references = {{.kind = "ReplicaSet", .uid = "rs", .controller = true}};
  state_.Set(pod);
  EXPECT_EQ(job("p").name, "podgroup-rs");
  EXPECT_FALSE(job("p").exists());
  EXPECT_TRUE(state_.cluster().active_jobs().empty());
  EXPECT_EQ(state_.cluster().groupless_jobs().size(), 1u);
  state_.Set(Group("podgroup-rs"));
  EXPECT_TRUE(job("p").exists());
  EXPECT_FALSE(job("p").shadow);
  EXPECT_TRUE(state_.cluster().groupless_jobs().empty());
  EXPECT_EQ(state_.cluster().active_jobs().size(), 1u);
}

TEST_F(ShadowTest, PodsOfOtherSchedulersHaveNone) {
  auto pod = PlainPod("p", "n1");
  pod->spec.scheduler_name = "default-scheduler";
  state_.Set(pod);
  EXPECT_FALSE(task("p").job.valid());
  EXPECT_EQ(state_.cluster().jobs().live(), 0u);
}

// ---- queues of those that have nodes

// A pod without a group, in that queue; with a record of a bind in another one, where that is
// given.
std::shared_ptr<kube::Pod> PodIn(const std::string& name, const std::string& queue,
                                 const std::string& node, const std::string& bound_in = "",
                                 std::uint64_t key = 1) {
  auto pod = Pod(name, node);
  pod->meta.annotations = {{model::annotations::kQueueName, queue}};
  if (!bound_in.empty()) {
    pod->meta.annotations.Set(model::annotations::kBoundQueue,
                              model::SealBoundQueue(testutil::TestSigner(key), *pod, bound_in));
  }
  return pod;
}

class BoundQueueStateTest : public testing::Test {
 protected:
  BoundQueueStateTest() {
    state_.SetDeciding(false);
    state_.Set(Node("n1"));
    for (const char* queue : {"root", "default", "a", "b"}) state_.Set(Queue(queue));
  }
  // CPUs of the queue's tasks.
  double Holds(const char* queue) {
    EXPECT_EQ(state_.cluster().CheckLedgers(), "");
    return state_.cluster().FindQueue(queue)->own.allocated.value().milli_cpu() / 1000;
  }
  // Its warnings about queues.
  int Warnings() {
    int warnings = 0;
    for (const model::Intent& intent : state_.TakeNews()) {
      const auto* event = std::get_if<model::PodEvent>(&intent);
      warnings += event && event->reason == "QueueChanged" ? 1 : 0;
    }
    return warnings;
  }
  testutil::TestSigner signer_;
  ClusterState state_{{.scheduler_names = {"volcano"}, .signer = &signer_}};
};

TEST_F(BoundQueueStateTest, APodOnANodeStaysInItsQueueWhateverItSaysLater) {
  state_.SetDeciding(true);
  state_.Set(PodIn("p", "a", ""));
  state_.cluster().Move(state_.cluster().FindTask("ns", "p")->id,
                        {.status = TaskStatus::kBinding, .node = state_.cluster().NodeSlot("n1")});
  for (const char* queue : {"b", "nowhere", "", "a"}) {
    state_.Set(PodIn("p", queue, "n1"));
    EXPECT_EQ(Holds("a"), 1) << queue;
    EXPECT_EQ(Holds("b"), 0) << queue;
  }
  EXPECT_EQ(Warnings(), 3);
  auto with_group = PodIn("p", "a", "n1");
  with_group->meta.annotations.Set(model::annotations::kGroupName, "g");
  state_.Set(with_group);
  EXPECT_EQ(Holds("a"), 1) << "in a group that does not exist";
  state_.Remove(*with_group);
  EXPECT_EQ(Holds("a"), 0);
}

TEST_F(BoundQueueStateTest, APodThatWaitsMayGoToAnotherQueue) {
  state_.SetDeciding(true);
  state_.Set(PodIn("p", "a", ""));
  state_.Set(PodIn("p", "b", ""));
  EXPECT_EQ(state_.cluster().FindQueue("b")->jobs.size(), 1u);
  EXPECT_EQ(state_.cluster().FindQueue("a")->jobs.size(), 0u);
}

TEST_F(BoundQueueStateTest, AfterARestartPodsCountWhereTheyWereBound) {
  state_.Set(PodIn("p", "nowhere", "n1", "a"));
  state_.Set(PodIn("q", "b", "n1", "a"));
  state_.SetDeciding(true);
  EXPECT_EQ(Holds("a"), 2);
  state_.Set(PodIn("late", "b", "n1", "a"));  // bound by the one before, and heard of late
  EXPECT_EQ(Holds("a"), 3);
  EXPECT_EQ(Holds("b"), 0);
  EXPECT_EQ(Warnings(), 0);
}

TEST_F(BoundQueueStateTest, ARecordThatWeDidNotWriteDoesNotCountAndIsToldOf) {
  auto copied = PodIn("p", "b", "n1");
  const std::string record(
      PodIn("other", "a", "n1", "a")->meta.annotations.Get(model::annotations::kBoundQueue));
  copied->meta.annotations.Set(model::annotations::kBoundQueue, record);
  state_.Set(copied);
  state_.Set(PodIn("q", "b", "n1", "a", /*key=*/2));
  state_.SetDeciding(true);
  EXPECT_EQ(Holds("a"), 0);
  EXPECT_EQ(Holds("b"), 2);
  EXPECT_EQ(Warnings(), 2);
}

TEST_F(BoundQueueStateTest, AfterARestartNobodyOnANodeCountsNowhere) {
  state_.Set(PodIn("p", "nowhere", "n1"));                  // no record at all
  state_.Set(PodIn("q", "nowhere", "n1", "a", /*key=*/2));  // not ours, but better than nothing
  state_.Set(Pod("r", "n1"));                               // its group is gone
  state_.SetDeciding(true);
  EXPECT_EQ(Holds("default"), 2);
  EXPECT_EQ(Holds("a"), 1);
}

TEST_F(BoundQueueStateTest, AGroupStaysInItsQueueWhileItsPodsHaveNodes) {
  auto in_a = Group("g"), in_b = Group("g");
  in_a->queue = "a";
  in_b->queue = "b";
  state_.SetDeciding(true);
  state_.Set(in_a);
  state_.Set(Pod("p", "n1"));
  state_.Set(Pod("waits"));
  state_.Set(in_b);
  EXPECT_EQ(Holds("a"), 1) << "another queue";
  state_.Remove(*in_b);
  EXPECT_EQ(Holds("a"), 1) << "no group";
  state_.Set(in_b);
  EXPECT_EQ(Holds("a"), 1) << "made anew elsewhere";
  state_.Remove(*Pod("p", "n1"));
  EXPECT_EQ(Holds("a"), 0);
  EXPECT_EQ(state_.cluster().FindJob("ns", "g")->queue, state_.cluster().FindQueue("b")->id);
  state_.Remove(*in_b);
  EXPECT_FALSE(state_.cluster().FindJob("ns", "g")->queue.valid()) << "nobody has a node";
}

TEST_F(BoundQueueStateTest, AfterARestartAGroupIsWhereItsPodsWereBound) {
  const auto bound_in = [](const char* name, const char* queue) {
    auto pod = Pod(name, "n1");
    pod->meta.annotations.Set(model::annotations::kBoundQueue,
                              model::SealBoundQueue(testutil::TestSigner(), *pod, queue));
    return pod;
  };
  auto group = Group("g");
  group->queue = "b";
  state_.Set(group);
  state_.Set(bound_in("p", "a"));
  state_.SetDeciding(true);
  EXPECT_EQ(Holds("a"), 1);
  EXPECT_EQ(state_.cluster().FindJob("ns", "g")->queue, state_.cluster().FindQueue("a")->id);

  state_.SetDeciding(false);
  state_.Set(bound_in("q", "b"));  // one was bound in the group's own queue: the other is apart
  state_.SetDeciding(true);
  EXPECT_EQ(Holds("a"), 1);
  EXPECT_EQ(Holds("b"), 1);
  EXPECT_EQ(state_.cluster().FindJob("ns", "g")->queue, state_.cluster().FindQueue("b")->id);
}

// ---- binds that are refused

TEST_F(ClusterStateTest, ATaskThatRestsGivesItsRoomBackAndWantsNothing) {
  state_.Set(Node("n1"));
  auto group = Group("g");
  group->phase = kube::PodGroupPhase::kInqueue;
  group->min_member = 1;
  group->min_resources.emplace().Set("cpu", kube::Quantity::Of(1));
  state_.Set(group);
  state_.Set(Pod("p"));
  const auto n1 = state_.cluster().FindNode("n1")->id;
  EXPECT_EQ(state_.cluster().total_in_queue().milli_cpu(), 1000);
  state_.cluster().Move(task("p").id, {.status = TaskStatus::kBinding, .node = n1});
  state_.SayBindRefused(task("p"), {.code = ErrorCode::kForbidden, .message = "no"});
  state_.BindFailed(task("p").id, "p", ClusterState::AfterRefusal::kRest);
  EXPECT_EQ(state_.cluster().ledger().Idle(n1).milli_cpu(), 4000);
  EXPECT_EQ(state_.cluster().total_in_queue().milli_cpu(), 0);
  EXPECT_FALSE(task("p").may_be_placed());
  const auto news = state_.TakeNews();
  ASSERT_EQ(news.size(), 1u);
  EXPECT_EQ(std::get<model::PodWaits>(news[0]).message, "binding to n1: no");
  state_.Set(Pod("p"));  // an echo
  EXPECT_FALSE(task("p").may_be_placed());
  state_.EndRest(task("p").id, "p");
  EXPECT_TRUE(task("p").may_be_placed());
  EXPECT_EQ(state_.cluster().total_in_queue().milli_cpu(), 1000);
}

}  // namespace
}  // namespace basalt::scheduler
