#include "descheduler/migration/migration.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace basalt::descheduler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Phase = kube::ReservationPhase;

// A cluster in which nothing happens by itself.
class FakeWorld final : public World {
 public:
  const kube::Pod* Pod(std::string_view ns, std::string_view name) const override {
    return Find(pods, ns, name);
  }
  const kube::Node* Node(std::string_view name) const override { return Find(nodes, "", name); }
  const kube::Reservation* Reservation(std::string_view ns, std::string_view name) const override {
    return Find(reservations, ns, name);
  }
  bool BudgetForbids(const kube::Pod& pod) const override {
    return used_up.contains(pod.meta.owner_references[0].uid);
  }
  std::optional<GroupRoom> GroupOf(const kube::Pod& pod) const override {
    const auto found = groups.find(std::string(pod.meta.labels.Find("group").value_or("")));
    if (found == groups.end()) return std::nullopt;
    return found->second;
  }

  void AddNode(const std::string& name) { nodes["/" + name].meta.name = name; }
  void AddPod(const std::string& name, const std::string& controller = "rs",
              const std::string& group = "") {
    kube::Pod& pod = pods["ns/" + name];
    pod.meta.ns = "ns";
    pod.meta.name = name;
    pod.meta.uid = "uid-" + name;
    pod.meta.owner_references = {{.kind = "ReplicaSet", .uid = controller, .controller = true}};
    if (!group.empty()) pod.meta.labels = kube::StringMap({{"group", group}});
  }
  void AddReservation(const std::string& name) {
    kube::Reservation& made = reservations["ns/" + name];
    made.meta.ns = "ns";
    made.meta.name = name;
    made.meta.uid = "uid-" + name;
  }
  void SetPhase(const std::string& reservation, Phase phase, const std::string& node) {
    kube::Reservation& it = reservations["ns/" + reservation];
    it.status.phase = phase;
    it.status.placements = {{.task = "pod", .index = 0, .node = node, .phase = phase}};
  }

  std::map<std::string, kube::Pod> pods;
  std::map<std::string, kube::Node> nodes;
  std::map<std::string, kube::Reservation> reservations;
  std::map<std::string, GroupRoom> groups;
  std::set<std::string> used_up;  // controllers whose budget is

 private:
  template <class T>
  static const T* Find(const std::map<std::string, T>& in, std::string_view ns,
                       std::string_view name) {
    const auto found = in.find(fmt::format("{}/{}", ns, name));
    return found == in.end() ? nullptr : &found->second;
  }
};

// A plan of moves "POD FROM TO".
class MigrationTest : public testing::Test {
 protected:
  MigrationTest() {
    for (const char* node : {"s1", "s2", "s3", "t1", "t2"}) world_.AddNode(node);
    plan_.id = "p";
    plan_.rules.cool_down_ms = 0;
  }

  void AddMove(const std::string& pod, const std::string& from, const std::string& to,
               const std::string& controller = "rs", const std::string& group = "") {
    world_.AddPod(pod, controller, group);
    plan_.moves.push_back({.ns = "ns", .pod = pod, .uid = "uid-" + pod, .from = from, .to = to});
  }
  Migration& run() {
    if (!migration_) migration_.emplace(plan_);
    return *migration_;
  }
  // What is to be done now, in short; events are left out.
  std::vector<std::string> Step(Duration later = 0s) {
    now_ += later;
    std::vector<std::string> said;
    for (const Act& act : run().Step(now_, world_)) {
      if (const auto* it = std::get_if<Reserve>(&act)) {
        said.push_back(fmt::format("reserve {}", PodOf(it->move)));
        last_reserve_ = *it;
      } else if (const auto* un = std::get_if<Unreserve>(&act)) {
        said.push_back(fmt::format("unreserve {}", un->name));
      } else if (const auto* evict = std::get_if<Evict>(&act)) {
        said.push_back(fmt::format("evict {}", PodOf(evict->move)));
      } else if (const auto* taint = std::get_if<SetTaint>(&act)) {
        said.push_back(fmt::format("{} {}", taint->on ? "taint" : "untaint", taint->node));
      } else if (const auto* cool = std::get_if<CoolDown>(&act)) {
        said.push_back(fmt::format("cool {}", cool->node));
      } else if (const auto* tell = std::get_if<Tell>(&act)) {
        told_.push_back(
            fmt::format("{} {}", tell->move ? PodOf(*tell->move) : tell->node, tell->reason));
      }
    }
    return said;
  }
  std::string PodOf(std::size_t move) { return run().plan().moves[move].pod; }
  static std::string NameOf(std::size_t move) { return fmt::format("migration-p-{}", move); }

  void Reserve_(std::size_t move) {
    world_.AddReservation(NameOf(move));
    run().Reserved(move, Answer::kDone, "uid-" + NameOf(move), "");
  }
  void Hold(std::size_t move) {
    world_.SetPhase(NameOf(move), Phase::kAvailable, run().plan().moves[move].to);
  }
  void Take(std::size_t move) {
    world_.SetPhase(NameOf(move), Phase::kSucceeded, run().plan().moves[move].to);
  }
  // By this pod, which is to start.
  void TakeBy(std::size_t move, const std::string& pod) {
    Take(move);
    world_.AddPod(pod, "rs");
    world_.pods["ns/" + pod].status.phase = kube::PodPhase::kPending;
    kube::ObjectReference taker;
    taker.kind = "Pod";
    taker.name = pod;
    world_.reservations["ns/" + NameOf(move)].status.current_owner = taker;
  }
  // All of a source is reserved, held and tainted, and its pods are asked to go.
  void ReserveAll(std::initializer_list<std::size_t> moves, const std::string& node) {
    Step();
    for (const std::size_t move : moves) Reserve_(move);
    Step();
    for (const std::size_t move : moves) Hold(move);
    EXPECT_THAT(Step(), ElementsAre("taint " + node));
    run().TaintSet(node, true, Answer::kDone);
  }
  void PodGoes(const std::string& pod) { world_.pods.erase("ns/" + pod); }
  void Unreserve_(std::size_t move) {
    world_.reservations.erase("ns/" + NameOf(move));
    run().Unreserved(NameOf(move), Answer::kDone);
  }
  // "STATE REASON" of each move.
  std::vector<std::string> States() {
    std::vector<std::string> states;
    for (const Move& move : run().plan().moves) {
      states.push_back(
          fmt::format("{}{}{}", ToString(move.state), move.reason.empty() ? "" : " ", move.reason));
      EXPECT_EQ(move.reason.empty(), move.message.empty());
    }
    return states;
  }

  FakeWorld world_;
  Plan plan_;
  std::optional<Migration> migration_;
  Duration now_ = 1000s;
  Reserve last_reserve_;
  std::vector<std::string> told_;
};

TEST_F(MigrationTest, APlanWithoutMovesHasSucceeded) {
  EXPECT_THAT(Step(), IsEmpty());
  EXPECT_TRUE(run().ended());
  EXPECT_EQ(run().plan().state, PlanState::kSucceeded);
}

TEST_F(MigrationTest, AllPlacesAreHeldThenTheNodeIsTaintedThenPodsGoThenNothingIsLeft) {
  AddMove("a", "s1", "t1", "rs-a");
  AddMove("b", "s1", "t2", "rs-b");
  plan_.rules.cool_down_ms = 1000;
  EXPECT_THAT(Step(), ElementsAre("reserve a", "reserve b"));
  EXPECT_GT(last_reserve_.ttl, 0s);
  Reserve_(0);
  Reserve_(1);
  EXPECT_THAT(Step(), IsEmpty());
  Hold(0);
  EXPECT_THAT(Step(), IsEmpty()) << "the other place is not held yet";
  Hold(1);
  EXPECT_THAT(Step(), ElementsAre("taint s1"));
  EXPECT_THAT(Step(), IsEmpty());
  run().TaintSet("s1", true, Answer::kDone);
  EXPECT_THAT(Step(), ElementsAre("evict a", "evict b"));
  EXPECT_THAT(States(), ElementsAre("Evicting", "Evicting"));
  run().Evicted(0, Answer::kDone, "");
  run().Evicted(1, Answer::kDone, "");
  EXPECT_THAT(Step(), IsEmpty());
  EXPECT_THAT(States(), ElementsAre("Rebinding", "Rebinding"));
  PodGoes("a");
  PodGoes("b");
  Take(0);
  EXPECT_THAT(Step(), IsEmpty()) << "what can wait waits until the last move has ended";
  Take(1);
  EXPECT_THAT(Step(), ElementsAre("cool s1", "cool t1", "cool t2", "unreserve migration-p-0",
                                  "unreserve migration-p-1", "untaint s1"));
  run().TaintSet("s1", false, Answer::kDone);
  Unreserve_(0);
  EXPECT_FALSE(run().ended());
  Unreserve_(1);
  Step();
  EXPECT_TRUE(run().ended());
  EXPECT_EQ(run().plan().state, PlanState::kSucceeded);
  EXPECT_THAT(told_,
              ElementsAre("s1 Defragmenting", "a Migrating", "b Migrating", "s1 Defragmented"));
}

TEST_F(MigrationTest, WithoutTaintsPodsGoWhenAllPlacesAreHeld) {
  plan_.rules.taints_sources = false;
  AddMove("a", "s1", "t1");
  Step();
  Reserve_(0);
  Hold(0);
  EXPECT_THAT(Step(), ElementsAre("evict a"));
  EXPECT_THAT(told_, IsEmpty());
}

TEST_F(MigrationTest, NoMoreThanMaxParallelAreOutInTheWholeRun) {
  plan_.rules.max_parallel = 2;
  for (const char* pod : {"a", "b", "c"}) AddMove(pod, "s1", "t1", std::string("rs-") + pod);
  AddMove("d", "s2", "t1", "rs-d");
  ReserveAll({0, 1, 2}, "s1");
  EXPECT_THAT(Step(), ElementsAre("evict a", "evict b"));
  run().Evicted(0, Answer::kDone, "");
  run().Evicted(1, Answer::kDone, "");
  EXPECT_THAT(Step(), IsEmpty());
  EXPECT_THAT(Step(2min), ElementsAre("unreserve migration-p-0", "unreserve migration-p-1",
                                      "unreserve migration-p-2", "untaint s1"))
      << "they were not replaced in time";
  EXPECT_THAT(States(), ElementsAre("Failed ReplacementTimeout", "Failed ReplacementTimeout",
                                    "Cancelled Cancelled", "Planned"));
}

TEST_F(MigrationTest, WaitingForATurnIsNoWaitThatEnds) {
  plan_.rules.max_parallel = 1;
  AddMove("a", "s1", "t1", "rs-a");
  AddMove("b", "s1", "t1", "rs-b");
  ReserveAll({0, 1}, "s1");
  EXPECT_THAT(Step(), ElementsAre("evict a"));
  run().Evicted(0, Answer::kDone, "");
  Step();
  for (int i = 0; i < 3; ++i) Step(30s);
  PodGoes("a");
  Take(0);
  EXPECT_THAT(Step(20s), ElementsAre("evict b"));
}

TEST_F(MigrationTest, AReplacementThatStartsQuicklyHasStartedBeforeTheNextGoes) {
  plan_.rules.max_parallel = 1;
  for (const char* pod : {"a", "b", "c"}) AddMove(pod, "s1", "t1", std::string("rs-") + pod);
  ReserveAll({0, 1, 2}, "s1");
  EXPECT_THAT(Step(), ElementsAre("evict a"));
  run().Evicted(0, Answer::kDone, "");
  TakeBy(0, "a2");
  EXPECT_THAT(Step(), IsEmpty()) << "it starts";
  EXPECT_THAT(States(), ElementsAre("Succeeded", "Reserving", "Reserving"));
  EXPECT_EQ(run().away(), 1);
  world_.pods["ns/a2"].status.phase = kube::PodPhase::kRunning;
  EXPECT_THAT(Step(), ElementsAre("evict b"));
  // One that takes its time does not hold up the others.
  run().Evicted(1, Answer::kDone, "");
  TakeBy(1, "b2");
  EXPECT_THAT(Step(), IsEmpty());
  EXPECT_EQ(run().wake_at(), now_ + 1s);
  EXPECT_THAT(Step(1s), ElementsAre("evict c"));
  // Nor does one that is gone.
  run().Evicted(2, Answer::kDone, "");
  TakeBy(2, "c2");
  EXPECT_THAT(Step(), IsEmpty());
  PodGoes("c2");
  EXPECT_THAT(Step(), SizeIs(4)) << "the source is empty";
  EXPECT_EQ(run().away(), 0);
}

TEST_F(MigrationTest, ANodeIsToldToCoolDownThoughItsSourceTakesLong) {
  plan_.rules.cool_down_ms = 1000;
  AddMove("a", "s1", "t1", "rs-a");
  ReserveAll({0}, "s1");
  Step();
  run().Evicted(0, Answer::kDone, "");
  EXPECT_THAT(Step(), IsEmpty());
  EXPECT_EQ(run().wake_at(), now_ + 5s);
  EXPECT_THAT(Step(5s), ElementsAre("cool s1", "cool t1"));
  Take(0);
  EXPECT_THAT(Step(), ElementsAre("unreserve migration-p-0", "untaint s1"));
}

TEST_F(MigrationTest, NodesOfAMoveThatFailedAfterItsEvictionCoolDownAndOthersDoNot) {
  plan_.rules.cool_down_ms = 1000;
  plan_.rules.max_parallel = 1;
  AddMove("a", "s1", "t1", "rs-a");
  AddMove("b", "s1", "t2", "rs-b");
  ReserveAll({0, 1}, "s1");
  Step();
  run().Evicted(0, Answer::kDone, "");
  Step();
  world_.nodes.erase("/t1");
  EXPECT_THAT(Step(), ElementsAre("cool s1", "cool t1", "unreserve migration-p-0",
                                  "unreserve migration-p-1", "untaint s1"));
  EXPECT_THAT(States(), ElementsAre("Failed TargetGone", "Cancelled Cancelled"));
}

TEST_F(MigrationTest, TheNextSourceBeginsWhileTheLastOfThisOneAreUnderWay) {
  plan_.rules.max_parallel = 2;
  AddMove("a", "s1", "t1", "rs-a");
  AddMove("b", "s2", "t1", "rs-b");
  AddMove("c", "s3", "t1", "rs-c");
  EXPECT_THAT(Step(), ElementsAre("reserve a", "reserve b"));
}

TEST_F(MigrationTest, BeforeItsPodsGoASourceIsUndoneByAnyFailure) {
  AddMove("a", "s1", "t1", "rs-a");
  AddMove("b", "s1", "t2", "rs-b");
  const Plan plan = plan_;
  const FakeWorld world = world_;
  const std::pair<std::function<void()>, std::string> cases[] = {
      {[&] { PodGoes("a"); }, "Failed PodGone"},
      {[&] { world_.pods["ns/a"].meta.deletion_timestamp = Time{}; }, "Failed PodGone"},
      {[&] { world_.pods["ns/a"].meta.uid = "another"; }, "Failed PodGone"},
      {[&] { world_.nodes.erase("/t1"); }, "Failed TargetGone"},
      {[&] { world_.reservations.erase("ns/" + NameOf(0)); }, "Failed ReservationLost"},
      {[&] { world_.reservations["ns/" + NameOf(0)].meta.uid = "another"; },
       "Failed ReservationLost"},
      {[&] { world_.reservations["ns/" + NameOf(0)].meta.deletion_timestamp = Time{}; },
       "Failed ReservationLost"},
      {[&] { world_.SetPhase(NameOf(0), Phase::kFailed, "t1"); }, "Failed ReservationLost"},
      {[&] { world_.SetPhase(NameOf(0), Phase::kSucceeded, "t1"); }, "Failed ReservationLost"},
      {[&] { now_ += 121s; }, "Failed ReservationTimeout"},
  };
  for (const auto& [happens, state] : cases) {
    SCOPED_TRACE(state);
    plan_ = plan;
    world_ = world;
    migration_.reset();
    Step();
    Reserve_(0);
    Reserve_(1);
    Step();
    happens();
    Hold(1);
    Step();
    EXPECT_THAT(States(), ElementsAre(state, "Cancelled Cancelled"));
    Unreserve_(0);
    Unreserve_(1);
    EXPECT_THAT(Step(), IsEmpty()) << "it was never tainted";
    EXPECT_TRUE(run().ended());
    EXPECT_EQ(run().plan().state, PlanState::kFailed);
  }
}

TEST_F(MigrationTest, WhatIsHeldAndLostAgainIsWaitedForOnce) {
  AddMove("a", "s1", "t1", "rs-a");
  AddMove("b", "s1", "t2", "rs-b");
  Step();
  Reserve_(0);
  Reserve_(1);
  Hold(0);
  Step(60s);
  world_.SetPhase(NameOf(0), Phase::kPending, "");
  Hold(1);
  EXPECT_THAT(Step(1s), IsEmpty());
  EXPECT_THAT(Step(100s), IsEmpty());
  Step(20s);
  EXPECT_THAT(States(), ElementsAre("Failed ReservationLost", "Cancelled Cancelled"));
}

TEST_F(MigrationTest, AReservationOnAnotherNodeIsNotTheOneThatWasAskedFor) {
  AddMove("a", "s1", "t1");
  Step();
  Reserve_(0);
  world_.SetPhase(NameOf(0), Phase::kAvailable, "t2");
  EXPECT_THAT(Step(), IsEmpty());
}

TEST_F(MigrationTest, APlanWithoutATargetTakesTheOneThatIsHeld) {
  plan_.rules.taints_sources = false;
  AddMove("a", "s1", "");
  Step();
  Reserve_(0);
  world_.SetPhase(NameOf(0), Phase::kAvailable, "t2");
  EXPECT_THAT(Step(), ElementsAre("evict a"));
  EXPECT_EQ(run().plan().moves[0].to, "t2");
}

TEST_F(MigrationTest, AReservationThatCannotBeMadeEndsTheMove) {
  AddMove("a", "s1", "t1");
  Step();
  run().Reserved(0, Answer::kRefused, "", "queue q is closed");
  EXPECT_THAT(Step(), IsEmpty()) << "there is nothing to take back";
  EXPECT_THAT(States(), ElementsAre("Failed ReservationLost"));
  EXPECT_TRUE(run().ended());
  EXPECT_THAT(told_,
              ElementsAre("s1 Defragmenting", "a MigrationFailed", "s1 DefragmentationFailed"));
}

TEST_F(MigrationTest, AReservationThatMayHaveBeenMadeIsAskedForAgainAndTakenBackInTheEnd) {
  AddMove("a", "s1", "t1");
  Step();
  run().Reserved(0, Answer::kUnknown, "", "timeout");
  EXPECT_THAT(Step(), IsEmpty());
  EXPECT_THAT(Step(1s), ElementsAre("reserve a"));
  run().Reserved(0, Answer::kUnknown, "", "timeout");
  EXPECT_THAT(Step(120s), ElementsAre("reserve a"));
  EXPECT_THAT(States(), ElementsAre("Failed ReservationTimeout"));
  EXPECT_THAT(Step(), IsEmpty()) << "its request is still under way";
  run().Reserved(0, Answer::kDone, "u", "");
  EXPECT_THAT(Step(), ElementsAre("unreserve migration-p-0"));
  run().Unreserved(NameOf(0), Answer::kNotNow);
  EXPECT_THAT(Step(), IsEmpty());
  EXPECT_THAT(Step(1s), ElementsAre("unreserve migration-p-0"));
  run().Unreserved(NameOf(0), Answer::kGone);
  Step();
  EXPECT_TRUE(run().ended());
}

TEST_F(MigrationTest, ABudgetThatRefusesIsAskedAgainUntilTheTimeIsOver) {
  AddMove("a", "s1", "t1", "rs-a");
  AddMove("b", "s1", "t1", "rs-b");
  ReserveAll({0, 1}, "s1");
  EXPECT_THAT(Step(), ElementsAre("evict a", "evict b"));
  run().Evicted(0, Answer::kNotNow, "the budget forbids it");
  run().Evicted(1, Answer::kDone, "");
  EXPECT_THAT(Step(), IsEmpty());
  EXPECT_THAT(Step(1s), ElementsAre("evict a"));
  run().Evicted(0, Answer::kNotNow, "the budget forbids it");
  EXPECT_THAT(Step(), IsEmpty());
  EXPECT_THAT(Step(118s), ElementsAre("evict a"));
  run().Evicted(0, Answer::kNotNow, "the budget forbids it");
  EXPECT_THAT(Step(2s),
              ElementsAre("unreserve migration-p-0", "unreserve migration-p-1", "untaint s1"));
  EXPECT_EQ(run().plan().moves[0].message, "the budget forbids it");
  EXPECT_THAT(States(), ElementsAre("Failed EvictionRefused", "Failed ReplacementTimeout"));
}

TEST_F(MigrationTest, ABudgetThatOthersOfTheControllerHaveUsedUpIsWaitedForLikeATurn) {
  AddMove("a", "s1", "t1");
  AddMove("b", "s1", "t1");
  world_.used_up = {"rs"};
  ReserveAll({0, 1}, "s1");
  EXPECT_THAT(Step(), ElementsAre("evict a")) << "somebody has to ask";
  run().Evicted(0, Answer::kDone, "");
  EXPECT_THAT(Step(), IsEmpty());
  EXPECT_THAT(Step(100s), IsEmpty());
  PodGoes("a");
  Take(0);
  EXPECT_THAT(Step(10s), ElementsAre("evict b"));
}

TEST_F(MigrationTest, AFailureAfterEvictionsCancelsThoseThatHaveNotGoneAlone) {
  plan_.rules.max_parallel = 2;
  for (const char* pod : {"a", "b", "c"}) AddMove(pod, "s1", "t1", std::string("rs-") + pod);
  ReserveAll({0, 1, 2}, "s1");
  Step();
  run().Evicted(0, Answer::kDone, "");
  run().Evicted(1, Answer::kDone, "");
  Step();
  world_.reservations.erase("ns/" + NameOf(0));
  EXPECT_THAT(Step(), ElementsAre("unreserve migration-p-0", "unreserve migration-p-2"));
  EXPECT_THAT(States(), ElementsAre("Failed ReservationLost", "Rebinding", "Cancelled Cancelled"));
  PodGoes("b");
  Take(1);
  Step();
  EXPECT_THAT(States()[1], "Succeeded");
}

TEST_F(MigrationTest, APlaceThatIsNoLongerHeldIsNoReasonToAskAgain) {
  AddMove("a", "s1", "t1");
  ReserveAll({0}, "s1");
  Step();
  run().Evicted(0, Answer::kNotNow, "later");
  world_.SetPhase(NameOf(0), Phase::kPending, "");
  EXPECT_THAT(Step(), IsEmpty());
  EXPECT_THAT(Step(2s), IsEmpty());
  Hold(0);
  EXPECT_THAT(Step(), ElementsAre("evict a"));
}

TEST_F(MigrationTest, AnEvictionWhoseAnswerIsLostCountsWhenThePodLeaves) {
  AddMove("a", "s1", "t1");
  ReserveAll({0}, "s1");
  Step();
  run().Evicted(0, Answer::kUnknown, "timeout");
  Step();
  PodGoes("a");
  Step();
  EXPECT_THAT(States(), ElementsAre("Rebinding"));
}

TEST_F(MigrationTest, APodThatIsGoneBeforeItsEvictionIsNotOurs) {
  AddMove("a", "s1", "t1");
  ReserveAll({0}, "s1");
  Step();
  run().Evicted(0, Answer::kGone, "");
  Step();
  EXPECT_THAT(States(), ElementsAre("Failed PodGone"));
}

TEST_F(MigrationTest, ATargetThatGoesWhileTheReplacementIsAwaitedEndsTheMove) {
  AddMove("a", "s1", "t1");
  ReserveAll({0}, "s1");
  Step();
  run().Evicted(0, Answer::kDone, "");
  Step();
  world_.nodes.erase("/t1");
  Step();
  EXPECT_THAT(States(), ElementsAre("Failed TargetGone"));
}

TEST_F(MigrationTest, AReplacementMayTakeAnyPlaceOfItsController) {
  plan_.rules.max_parallel = 1;
  AddMove("a", "s1", "t1");
  AddMove("b", "s1", "t2");
  ReserveAll({0, 1}, "s1");
  EXPECT_THAT(Step(), ElementsAre("evict a"));
  run().Evicted(0, Answer::kDone, "");
  Step();
  PodGoes("a");
  Take(1);
  EXPECT_THAT(Step(), ElementsAre("evict b"));
  EXPECT_THAT(States(), ElementsAre("Succeeded", "Evicting"));
  EXPECT_EQ(run().plan().moves[0].to, "t2");
  EXPECT_EQ(run().plan().moves[1].to, "t1");
}

TEST_F(MigrationTest, WhileAPlaceOfItsControllerIsMissingNoOtherGoes) {
  plan_.rules.max_parallel = 2;
  AddMove("a", "s1", "t1");
  AddMove("b", "s1", "t2");
  ReserveAll({0, 1}, "s1");
  Step();  // both are asked
  run().Evicted(0, Answer::kDone, "");
  run().Evicted(1, Answer::kNotNow, "");
  Step();
  PodGoes("a");
  world_.SetPhase(NameOf(0), Phase::kPending, "");
  Step(1s);
  EXPECT_THAT(States(), ElementsAre("Rebinding", "Evicting"));
}

TEST_F(MigrationTest, OfAGangSoManyGoAtATimeAsLeaveItsMinimum) {
  world_.groups["g"] = {.name = "g", .running = 4, .min_member = 3};
  for (const char* pod : {"a", "b", "c"}) AddMove(pod, "s1", "t1", "job", "g");
  ReserveAll({0, 1, 2}, "s1");
  EXPECT_THAT(Step(), ElementsAre("evict a"));
  run().Evicted(0, Answer::kDone, "");
  world_.groups["g"].running = 3;
  PodGoes("a");
  EXPECT_THAT(Step(), IsEmpty());
  Take(0);
  EXPECT_THAT(Step(), IsEmpty()) << "the replacement does not run yet";
  world_.groups["g"].running = 4;
  EXPECT_THAT(Step(), ElementsAre("evict b"));
}

TEST_F(MigrationTest, AGangThatStaysAtItsMinimumIsNotWaitedForForever) {
  world_.groups["g"] = {.name = "g", .running = 3, .min_member = 3};
  AddMove("a", "s1", "t1", "job", "g");
  ReserveAll({0}, "s1");
  EXPECT_THAT(Step(), IsEmpty());
  Step(121s);
  EXPECT_THAT(States(), ElementsAre("Failed EvictionRefused"));
}

TEST_F(MigrationTest, ATaintThatIsRefusedForNowIsTriedAgainAndForGoodEndsTheSource) {
  AddMove("a", "s1", "t1");
  Step();
  Reserve_(0);
  Hold(0);
  EXPECT_THAT(Step(), ElementsAre("taint s1"));
  run().TaintSet("s1", true, Answer::kNotNow);
  EXPECT_THAT(Step(), IsEmpty());
  EXPECT_THAT(Step(1s), ElementsAre("taint s1"));
  run().TaintSet("s1", true, Answer::kRefused);
  EXPECT_THAT(Step(), ElementsAre("unreserve migration-p-0"));
  EXPECT_THAT(States(), ElementsAre("Failed EvictionRefused"));
}

TEST_F(MigrationTest, ATaintThatMayBeThereIsTakenAway) {
  AddMove("a", "s1", "t1");
  Step();
  Reserve_(0);
  Hold(0);
  Step();
  run().TaintSet("s1", true, Answer::kUnknown);
  PodGoes("a");
  EXPECT_THAT(Step(), ElementsAre("unreserve migration-p-0"));
  EXPECT_THAT(Step(1s), ElementsAre("untaint s1"));
  run().TaintSet("s1", false, Answer::kUnknown);
  Unreserve_(0);
  EXPECT_FALSE(run().ended());
  EXPECT_THAT(Step(1s), ElementsAre("untaint s1"));
  run().TaintSet("s1", false, Answer::kDone);
  Step();
  EXPECT_TRUE(run().ended());
}

TEST_F(MigrationTest, ThePlanGoesOnWithTheNextSourceAfterAFailure) {
  plan_.rules.max_parallel = 1;
  AddMove("a", "s1", "t1", "rs-a");
  AddMove("b", "s2", "t1", "rs-b");
  Step();
  PodGoes("a");
  run().Reserved(0, Answer::kGone, "", "");
  EXPECT_THAT(Step(), ElementsAre("reserve b"));
}

TEST_F(MigrationTest, FiveThousandMovesAreLookedAtAFewAtATime) {
  for (int i = 0; i < 5000; ++i) {
    AddMove(fmt::format("p{}", i), fmt::format("s{}", i / 5), "t1", fmt::format("rs{}", i));
  }
  EXPECT_THAT(Step(), SizeIs(5));
  EXPECT_TRUE(run().Owns("ns", NameOf(0)));
  EXPECT_FALSE(run().Owns("other", NameOf(0)));
  EXPECT_FALSE(run().Owns("ns", NameOf(5)));
}

}  // namespace
}  // namespace basalt::descheduler
