#include "scheduler/framework/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "base/random.h"
#include "model/annotations.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler {
namespace {

using model::TaskStatus;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using testutil::TestCluster;

// Scores nodes by how little is idle there, and refuses nodes of odd fill.
class Probe final : public Plugin, public NodeScorer, public NodeFilter, public SessionObserver {
 public:
  void Open(const SessionView& view) override { view_ = &view; }
  DependsOn ScoreDependsOn(const Task&) const override { return DependsOn::kNode; }
  void ScoreNodes(const Task&, std::span<const NodeId> nodes,
                  std::span<double> scores) const override {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      scores[i] += ScoreOf(view_->cluster(), nodes[i]);
    }
  }
  void FilterParts(const Task&, std::vector<Part>* parts) const override {
    parts->push_back({DependsOn::kNode, 0});
  }
  Verdict Filter(const Task&, const Node& node, int) const override {
    return Refuses(node) ? Verdict::Unschedulable("odd") : Verdict::Ok();
  }

  static double ScoreOf(const model::Cluster& cluster, NodeId node) {
    return -std::floor(cluster.ledger().idle(model::kCpu, node) / 2000);
  }
  static bool Refuses(const Node& node) { return node.tasks.size() % 5 == 4; }

 private:
  const SessionView* view_ = nullptr;
};

const PluginRegistry kRegistry{
    {{"probe", []() -> std::unique_ptr<Plugin> { return std::make_unique<Probe>(); }}}};

// A cluster with some of everything.
void Populate(TestCluster& given, int nodes, int groups) {
  given.Add(MakeQueue("root")).Add(MakeQueue("a")).Add(MakeQueue("b"));
  for (int i = 0; i < nodes; ++i) {
    given.Add(MakeNode("n" + std::to_string(i), {{"cpu", "8"}, {"memory", "8Gi"}}));
  }
  for (int g = 0; g < groups; ++g) {
    const std::string group = "g" + std::to_string(g);
    kube::PodGroup object = MakeGroup(group, g % 2 ? "a" : "b", 2);
    object.min_resources = testutil::Resources({{"cpu", "2"}});
    given.Add(std::move(object));
    for (int i = 0; i < 4; ++i) {
      const std::string pod = group + "-p-" + std::to_string(i);
      if (i == 0) {
        given.Add(MakeRunningPod(pod, group, {{"cpu", "1"}}, "n" + std::to_string(g % nodes)));
      } else if (i == 1) {
        given.Add(MakePod(pod, group, {{"cpu", "2"}, {"memory", "1Gi"}}));
      } else {
        given.Add(MakePod(pod, group, {{"cpu", "500m"}}));
      }
    }
  }
}

class StatementTest : public testing::Test {
 protected:
  StatementTest() {
    Populate(given_, 6, 8);
    plugins_ = testutil::MakePlugins(Config(), kRegistry);
    session_.emplace(given_.cluster, *plugins_, testutil::kTestNow);
    given_.cluster.tasks().ForEach([&](const Task& task) { tasks_.push_back(task.id); });
  }
  // A random step that makes sense for the task as it stands.
  void Step(Statement& statement, Random& random) {
    const Task& task = given_.cluster.task(tasks_[random.Below(tasks_.size())]);
    const NodeId node = given_.cluster.nodes()[random.Below(given_.cluster.nodes().size())];
    switch (task.status()) {
      case TaskStatus::kPending:
        if (random.Chance(0.5)) {
          statement.Allocate(task.id, node);
        } else if (random.Chance(0.5)) {
          statement.Pipeline(task.id, node, random.Chance(0.5));
        } else {
          statement.GrantQueueClaim(task.id);
        }
        return;
      case TaskStatus::kRunning: statement.Evict(task.id, "test"); return;
      case TaskStatus::kAllocated:
      case TaskStatus::kPipelined: statement.Unallocate(task.id); return;
      default: return;
    }
  }

  TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
  std::optional<Session> session_;
  std::vector<model::TaskId> tasks_;
};

TEST_F(StatementTest, DiscardRestoresTheStateBitForBit) {
  Random random(11);
  const std::uint64_t before = given_.cluster.Hash();
  for (int round = 0; round < 100000; ++round) {
    Statement statement(*session_);
    for (std::uint64_t i = random.Below(8); i > 0; --i) Step(statement, random);
    statement.Discard();
    ASSERT_EQ(given_.cluster.Hash(), before) << "round " << round;
  }
  EXPECT_EQ(given_.cluster.CheckLedgers(), "");
  EXPECT_TRUE(session_->intents().empty());
}

TEST_F(StatementTest, EachStepHoldsAtOnceAndIsTakenBack) {
  const Task& waits = given_.task("g0-p-1");
  const Task& runs = given_.task("g0-p-0");
  const NodeId node = runs.node();
  struct Row {
    const char* step;
    const Task& task;
    std::function<void(Statement& statement)> take;
    model::Holding holds;
  };
  for (const Row& row : std::vector<Row>{
           {"promise",
            waits,
            [&](Statement& s) { s.Pipeline(waits.id, node, true); },
            {.status = TaskStatus::kPipelined, .node = node, .after_eviction = true}},
           {"claim",
            waits,
            [&](Statement& s) { s.GrantQueueClaim(waits.id); },
            {.queue_claim = true}},
           {"lapse", waits, [&](Statement& s) { s.LapseQueueClaim(waits.id); }, {.lapsed = true}},
           {"evict",
            runs,
            [&](Statement& s) { s.Evict(runs.id, "test"); },
            {.status = TaskStatus::kReleasing, .node = node}},
           {"overdue",
            runs,
            [&](Statement& s) {
              s.Evict(runs.id, "test");
              s.MarkOverdue(runs.id);
            },
            {.status = TaskStatus::kReleasing, .node = node, .overdue = true}},
           {"vanish",
            runs,
            [&](Statement& s) { s.Vanish(runs.id); },
            {.status = TaskStatus::kUnknown}},
           {"take over",
            runs,
            [&](Statement& s) { s.Release(runs.id, waits.id); },
            {.status = TaskStatus::kSucceeded}}}) {
    const model::Holding before = row.task.holding;
    Statement statement(*session_);
    row.take(statement);
    EXPECT_EQ(row.task.holding, row.holds) << row.step;
    statement.Discard();
    EXPECT_EQ(row.task.holding, before) << row.step;
  }
}

TEST_F(StatementTest, TheDateOfAQueueClaimHoldsAtOnceAndIsTakenBack) {
  const Task& waits = given_.task("g0-p-1");
  const Time before = waits.claimed_since;
  for (const bool stays : {false, true}) {
    Statement statement(*session_);
    statement.DateQueueClaim(waits.id, testutil::kTestNow - 5s);
    EXPECT_EQ(waits.claimed_since, testutil::kTestNow - 5s);
    stays ? statement.Commit() : statement.Discard();
    EXPECT_EQ(waits.claimed_since, stays ? testutil::kTestNow - 5s : before);
  }
  EXPECT_TRUE(session_->intents().empty());
}

TEST_F(StatementTest, WhoIsToLeaveUsesUpABudgetUntilThatIsTakenBack) {
  kube::PodDisruptionBudget budget;
  budget.meta.ns = "ns";
  budget.meta.name = "b";
  budget.selector = kube::LabelSelector::Parse("app=web").value();
  budget.disruptions_allowed = 1;
  given_.cluster.mutable_objects().disruption_budgets.Set(
      std::make_shared<const kube::PodDisruptionBudget>(std::move(budget)));
  for (const char* name : {"x", "y"}) {
    kube::Pod pod = MakeRunningPod(name, "g0", {{"cpu", "1"}}, "n0");
    pod.meta.labels.Set("app", "web");
    given_.Add(std::move(pod));
  }
  EXPECT_TRUE(session_->budgets().Allow(given_.task("y")));
  Statement statement(*session_);
  statement.Evict(given_.task("x").id, "test");
  EXPECT_FALSE(session_->budgets().Allow(given_.task("y")));
  statement.Discard();
  EXPECT_TRUE(session_->budgets().Allow(given_.task("y")));
}

TEST_F(StatementTest, AGateIsTakenAwayOnce) {
  kube::Pod pod = MakePod("gated", "g0", {{"cpu", "1"}});
  const std::string gate(model::annotations::kQueueAllocationGate);
  pod.meta.annotations.Set(gate, "true");
  pod.spec.scheduling_gates = {gate};
  given_.Add(std::move(pod));
  const auto ungate = [&](const char* name) {
    Statement statement(*session_);
    statement.Ungate(given_.task(name).id);
    statement.Commit();
  };
  for (int i = 0; i < 2; ++i) ungate("gated");
  EXPECT_EQ(session_->intents().size(), 1u);
  ungate("g0-p-1");
  EXPECT_EQ(session_->intents().size(), 1u) << "it has none";
}

TEST_F(StatementTest, WithoutAHostThereIsTimeForAllAndNothingGoesOutBefore) {
  EXPECT_TRUE(given_.cluster.node_log().empty()) << "of changes since the session began";
  Statement statement(*session_);
  statement.Evict(given_.task("g0-p-0").id, "test");
  statement.Commit();
  EXPECT_TRUE(session_->GoOn(given_.job("g0")));
  EXPECT_EQ(session_->intents().size(), 1u);
}

TEST_F(StatementTest, ACheckpointKeepsWhatWasBeforeAndMergeHandsOver) {
  Statement outer(*session_);
  const Task& p1 = given_.task("g0-p-1");
  const Task& p2 = given_.task("g0-p-2");
  const NodeId n0 = given_.node("n0").id;
  {
    Statement inner(*session_);
    inner.Allocate(p1.id, n0);
    const auto mark = inner.Mark();
    inner.Pipeline(p2.id, n0, false);
    inner.RollbackTo(mark);
    outer.Merge(inner);
  }
  EXPECT_EQ(p1.status(), TaskStatus::kAllocated);
  EXPECT_EQ(p2.status(), TaskStatus::kPending);
  outer.Commit();
  EXPECT_EQ(p1.status(), TaskStatus::kBinding);
  ASSERT_EQ(session_->intents().size(), 1u);
  EXPECT_EQ(std::get<model::Bind>(session_->intents()[0]).node, "n0");
}

TEST_F(StatementTest, ASparedVictimStaysAndIsNoIntent) {
  Statement statement(*session_);
  const Task& victim = given_.task("g0-p-0");
  const Task& other = given_.task("g1-p-0");
  statement.Evict(victim.id, "preempt", given_.task("g1-p-1").id);
  statement.Evict(other.id, "preempt", given_.task("g1-p-1").id);
  statement.Restore(victim.id);
  statement.Commit();
  EXPECT_EQ(victim.status(), TaskStatus::kRunning);
  ASSERT_EQ(session_->intents().size(), 1u);
  const auto& evict = std::get<model::Evict>(session_->intents()[0]);
  EXPECT_EQ(evict.pod->meta.name, "g1-p-0");
  EXPECT_EQ(evict.beneficiary, "ns/g1-p-1");
}

TEST_F(StatementTest, APromiseIsOneIntentWithAllWhoLeaveForItWhateverTheOrder) {
  const Task& gains = given_.task("g1-p-1");
  Statement statement(*session_);
  statement.Evict(given_.task("g0-p-0").id, "preempt", gains.id);
  statement.Pipeline(gains.id, given_.node("n0").id, true);
  statement.Evict(given_.task("g6-p-0").id, "preempt", gains.id);
  statement.Commit();
  ASSERT_EQ(session_->intents().size(), 1u);
  const auto& promise = std::get<model::Promise>(session_->intents()[0]);
  EXPECT_EQ(promise.node, "n0");
  EXPECT_EQ(promise.message, "promised node n0, once the pods that leave it are gone");
  ASSERT_EQ(promise.victims.size(), 2u);
  EXPECT_EQ(promise.victims[1].pod->meta.name, "g6-p-0");
}

TEST_F(StatementTest, ThatAPodIsNotEvictedIsSaidOnceAndOnlyToOneThatGetsNoPlace) {
  const Task& victim = given_.task("g0-p-0");
  const Task& again = given_.task("g1-p-1");
  const Task& placed = given_.task("g3-p-1");
  EvictionMemory memory;
  for (const Task* gains : {&again, &placed}) {
    memory.Record(given_.cluster, victim, *gains, testutil::kTestNow);
  }
  const auto said = [&] {
    std::vector<std::string> events;
    Session session(given_.cluster, *plugins_, testutil::kTestNow, &memory);
    for (const Task* gains : {&again, &placed}) {
      EXPECT_FALSE(session.MayEvict(victim, *gains));
      EXPECT_TRUE(session.intents().empty()) << "a question changes nothing";
      session.NoteSpared(victim, *gains);
    }
    if (placed.status() == TaskStatus::kPending) {
      Statement statement(session);
      statement.Allocate(placed.id, given_.node("n1").id);
      statement.Commit();
    }
    session.Close();
    for (const model::Intent& intent : session.intents()) {
      if (const auto* event = std::get_if<model::PodEvent>(&intent)) {
        events.push_back(event->pod->meta.name + " " + event->reason);
      }
    }
    return events;
  };
  session_.reset();
  EXPECT_THAT(said(), testing::ElementsAre("g1-p-1 EvictedBefore"));
  EXPECT_THAT(said(), testing::IsEmpty());
  EXPECT_TRUE(given_.job("g5").parked());
  EXPECT_FALSE(given_.job("g1").parked()) << "later the pod may be evicted";
}

TEST_F(StatementTest, ThatAPodIsNotEvictedIsSaidOfNobodyWhoIsGoneByThen) {
  EvictionMemory memory;
  for (const auto& [victim, gains, gone] :
       {std::tuple{"g0-p-0", "g1-p-1", "g0-p-0"}, std::tuple{"g2-p-0", "g3-p-1", "g3-p-1"}}) {
    memory.Record(given_.cluster, given_.task(victim), given_.task(gains), testutil::kTestNow);
    Session session(given_.cluster, *plugins_, testutil::kTestNow, &memory);
    session.NoteSpared(given_.task(victim), given_.task(gains));
    given_.cluster.RemovePod("ns", gone);
    session.Close();
    for (const model::Intent& intent : session.intents()) {
      EXPECT_FALSE(std::holds_alternative<model::PodEvent>(intent)) << gone;
    }
  }
}

TEST_F(StatementTest, AnEvictionThatIsDecidedIsRemembered) {
  const Task& victim = given_.task("g0-p-0");
  const Task& gains = given_.task("g1-p-1");
  EvictionMemory memory;
  Session session(given_.cluster, *plugins_, testutil::kTestNow, &memory);
  EXPECT_TRUE(session.MayEvict(victim, gains));
  Statement statement(session);
  statement.Evict(victim.id, "preempt", gains.id);
  statement.Commit();
  EXPECT_FALSE(session.MayEvict(victim, gains)) << "not twice";
}

// What the finder must give, by looking at every node anew.
std::optional<NodeFinder::Found> ByHand(const model::Cluster& cluster, const Task& task) {
  std::optional<NodeFinder::Found> best;
  double best_score = 0;
  for (const NodeId id : cluster.nodes()) {
    if (Probe::Refuses(cluster.node(id))) continue;
    if (!cluster.ledger().FitsFuture(task.request(), id)) continue;
    const bool now = cluster.ledger().FitsIdle(task.request(), id);
    const double score = Probe::ScoreOf(cluster, id);
    if (!best || (now && !best->now) || (now == best->now && score > best_score)) {
      best = NodeFinder::Found{.node = id, .now = now};
      best_score = score;
    }
  }
  return best;
}

TEST(NodeFinderTest, FindsWhatLookingAtEveryNodeWouldFind) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    TestCluster given;
    Populate(given, 1 + static_cast<int>(random.Below(40)), 30);
    const auto plugins = testutil::MakePlugins(testutil::OneTier({"probe"}), kRegistry);
    Session session(given.cluster, *plugins, testutil::kTestNow);
    std::vector<model::TaskId> pending;
    given.cluster.tasks().ForEach([&](const Task& task) {
      if (task.status() == TaskStatus::kPending) pending.push_back(task.id);
    });
    Statement statement(session);
    for (int step = 0; step < 200; ++step) {
      const Task& task = given.cluster.task(pending[random.Below(pending.size())]);
      if (task.status() != TaskStatus::kPending) {
        statement.Unallocate(task.id);
        continue;
      }
      const auto want = ByHand(given.cluster, task);
      const auto got = session.finder().Best(task, NodeFinder::Room::kChecked);
      ASSERT_EQ(got.has_value(), want.has_value()) << "seed " << seed << " step " << step;
      if (!got) continue;
      ASSERT_EQ(given.cluster.node(got->node).name, given.cluster.node(want->node).name);
      ASSERT_EQ(got->now, want->now);
      if (got->now) {
        statement.Allocate(task.id, got->node);
      } else {
        statement.Pipeline(task.id, got->node, false);
      }
    }
  }
}

TEST(NodeFinderTest, OneNodeIsScoredAsItIsAmongOthers) {
  TestCluster given;
  given.Add(MakeNode("n1", {{"cpu", "8"}})).Add(MakePod("p", "", {{"cpu", "1"}}));
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"probe"}), kRegistry);
  Session session(given.cluster, *plugins, testutil::kTestNow);
  EXPECT_EQ(session.Score(given.task("p"), given.node("n1")), -4);
}

TEST(NodeFinderTest, SaysHowManyNodesRefuseForWhichReason) {
  TestCluster given;
  given.Add(MakeNode("big", {{"cpu", "8"}})).Add(MakeNode("small", {{"cpu", "1"}}));
  for (int i = 0; i < 4; ++i) {
    given.Add(MakeRunningPod("x" + std::to_string(i), "", {}, "big"));
  }
  given.Add(MakePod("p", "", {{"cpu", "2"}, {"memory", "1Gi"}}));
  const auto plugins = testutil::MakePlugins(testutil::OneTier({"probe"}), kRegistry);
  Session session(given.cluster, *plugins, testutil::kTestNow);
  EXPECT_FALSE(session.finder().Best(given.task("p"), NodeFinder::Room::kChecked));
  EXPECT_EQ(session.finder().Explain(given.task("p"), NodeFinder::Room::kChecked).Message(),
            "0/2 nodes are available: 1 Insufficient cpu, 2 Insufficient memory.");
}

}  // namespace
}  // namespace basalt::scheduler
