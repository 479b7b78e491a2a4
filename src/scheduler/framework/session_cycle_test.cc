// What a session does with jobs over a cycle: whose turn it is, what goes out when, what is said in
// the end, and who waits for what until the next one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/log.h"
#include "model/annotations.h"
#include "scheduler/framework/job_queues.h"
#include "scheduler/framework/session.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler {
namespace {

using model::Happening;
using model::TaskStatus;
using model::Waits;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using testutil::kTestNow;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;
using testutil::TestCluster;

// What the plugin of these tests says; the test writes it.
struct Opinions {
  std::set<std::string> invalid, not_ready, starving, overused;
  std::string condition;  // of every active job
  std::optional<Time> changes_at;
};
Opinions* opinions = nullptr;

class Opinionated final : public Plugin,
                          public JobValidator,
                          public JobReadiness,
                          public JobStarvation,
                          public QueueOveruse,
                          public TimeDependent,
                          public SessionObserver {
 public:
  void Open(const SessionView& view) override { view_ = &view; }
  void Close(StatusSink& sink) override {
    if (opinions->condition.empty()) return;
    for (const Job* job : view_->ActiveJobs()) {
      sink.SetCondition(*job,
                        {.type = "Unschedulable", .reason = "R", .message = opinions->condition});
    }
  }
  Verdict ValidateJob(const Job& job) const override {
    return opinions->invalid.contains(job.name) ? Verdict::Unschedulable("invalid") : Verdict::Ok();
  }
  bool IsJobReady(const Job& job) const override { return !opinions->not_ready.contains(job.name); }
  bool IsJobStarving(const Job& job) const override {
    return opinions->starving.contains(job.name);
  }
  bool IsOverused(const Queue& queue) const override {
    return opinions->overused.contains(queue.name);
  }
  std::optional<Time> ChangesAt(const Job&) const override { return opinions->changes_at; }
  std::int64_t KindOf(const Job&) const override { return 0; }

 private:
  const SessionView* view_ = nullptr;
};

const PluginRegistry kOpinionated{
    {{"opinions", [](const PluginContext&) -> Result<std::unique_ptr<Plugin>> {
        return std::make_unique<Opinionated>();
      }}}};

// A cycle that ends when the test wants.
class Host final : public CycleHost {
 public:
  std::uint64_t cycle() const override { return 7; }
  void SendOut(std::vector<model::Intent> intents) override { sent.push_back(intents.size()); }
  bool TimeIsLeft(std::string_view ns) override {
    asked.emplace_back(ns);
    return time_left;
  }
  bool HasShare(std::string_view ns) const override { return ns != greedy; }
  bool HadTurn(model::JobId job) const override { return had_turn.contains(job); }

  std::vector<std::size_t> sent;
  std::vector<std::string> asked;
  bool time_left = true;
  std::string greedy;
  std::set<model::JobId> had_turn;
};

class SessionCycleTest : public testing::Test {
 protected:
  SessionCycleTest() {
    opinions = &opinions_;
    given_.Add(MakeQueue("q")).Add(MakeQueue("r")).Add(MakeNode("n1", {{"cpu", "8"}}));
    UseActions({"allocate"});
  }
  ~SessionCycleTest() override { opinions = nullptr; }
  void UseActions(std::vector<std::string> actions) {
    Config config = testutil::OneTier({"opinions"});
    config.actions = std::move(actions);
    plugins_ = testutil::MakePlugins(std::move(config), kOpinionated);
  }
  // A job of one pod that waits.
  const model::Job& AddWaiting(const std::string& name, const std::string& queue = "q",
                               const char* cpu = "1", const std::string& ns = "ns") {
    kube::PodGroup group = MakeGroup(name, queue, 1);
    group.meta.ns = ns;
    group.meta.creation_timestamp = kTestNow - 1h + std::chrono::seconds(made_++);
    given_.Add(std::move(group));
    kube::Pod pod = MakePod(name + "-0", name, {{"cpu", cpu}});
    pod.meta.ns = ns;
    pod.meta.creation_timestamp = kTestNow - 1h;
    given_.Add(std::move(pod));
    return *given_.cluster.FindJob(ns, name);
  }
  std::unique_ptr<Session> Open(Time now = kTestNow) {
    return std::make_unique<Session>(given_.cluster, *plugins_, now, nullptr, &host_);
  }
  // A session in which the job is looked at, and waits for this.
  void ParkFor(const model::Job& job, const Waits& waits) {
    const auto session = Open();
    session->Needs(job, waits);
    session->Close();
  }
  std::vector<std::string> Active() {
    std::vector<std::string> names;
    for (const model::JobId id : given_.cluster.active_jobs()) {
      names.push_back(given_.cluster.job(id).name);
    }
    return names;
  }
  template <class T>
  static std::vector<const T*> Said(Session& session) {
    std::vector<const T*> said;
    for (const model::Intent& intent : session.intents()) {
      if (const T* one = std::get_if<T>(&intent)) said.push_back(one);
    }
    return said;
  }

  Opinions opinions_;
  TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
  Host host_;
  int made_ = 0;
};

// ---- whose turn it is

TEST_F(SessionCycleTest, WhoHadATurnOrWasPutOffIsNotLookedAt) {
  const model::Job& a = AddWaiting("a");
  const model::Job& b = AddWaiting("b");
  const model::Job& c = AddWaiting("c");
  host_.had_turn.insert(a.id);
  const auto session = Open();
  session->PutOff(b);
  EXPECT_THAT(session->JobsInTurn(), ElementsAre(&c));
  EXPECT_TRUE(session->IsPutOff(b));
  EXPECT_FALSE(session->IsPutOff(c));
  EXPECT_EQ(session->put_off(), 1u);
  session->Close();
  EXPECT_THAT(session->looked_at(), ElementsAre(c.id));
  EXPECT_TRUE(c.parked());
  EXPECT_FALSE(b.parked()) << "nothing is known of it";
}

TEST_F(SessionCycleTest, WhatWasDecidedGoesOutAfterEachJobAndNothingElseDoes) {
  const model::Job& a = AddWaiting("a");
  const auto session = Open();
  EXPECT_TRUE(session->GoOn(a));
  EXPECT_THAT(host_.sent, IsEmpty()) << "nothing was decided";
  EXPECT_FALSE(session->spoke());
  Statement statement(*session);
  statement.Allocate(given_.task("a-0").id, given_.node("n1").id);
  statement.Commit();
  EXPECT_TRUE(session->spoke()) << "it is about to go out";
  host_.time_left = false;
  EXPECT_FALSE(session->GoOn(a));
  EXPECT_THAT(host_.sent, ElementsAre(1u));
  EXPECT_TRUE(session->intents().empty());
  EXPECT_TRUE(session->spoke());
  EXPECT_THAT(host_.asked, ElementsAre("ns", "ns")) << "whose time it was";
}

TEST_F(SessionCycleTest, AJobIsStartedWhenACycleFirstSeesIt) {
  const model::Job& a = AddWaiting("a");
  EXPECT_FALSE(a.schedule_start.has_value());
  Open()->MarkStarted(a);
  EXPECT_EQ(a.schedule_start, kTestNow);
  Open(kTestNow + 5s)->MarkStarted(a);
  EXPECT_EQ(a.schedule_start, kTestNow) << "the first time counts";
}

TEST_F(SessionCycleTest, JobsOfATenantWithoutShareStandBackUntilNoOtherIsLeft) {
  const model::Job& greedy_1 = AddWaiting("g1", "q", "1", "greedy");
  const model::Job& greedy_2 = AddWaiting("g2", "q", "2", "greedy");
  const model::Job& other = AddWaiting("other", "q", "3");
  const model::Job& greedy_r = AddWaiting("g3", "r", "4", "greedy");
  host_.greedy = "greedy";
  const auto session = Open();
  JobQueues queues(*session, Attempts::kNone);
  for (const Job* job : session->JobsInTurn()) queues.Add(*job);
  std::vector<std::string> served;
  while (const Queue* queue = queues.TakeQueue()) {
    while (const Job* job = queues.TakeJob(*queue)) served.push_back(job->name);
  }
  EXPECT_THAT(served, ElementsAre("other", "g1", "g2", "g3"));
  EXPECT_FALSE(queues.StandsBack(greedy_1)) << "it had its turn in the end";
  (void)greedy_2, (void)other, (void)greedy_r;
}

TEST_F(SessionCycleTest, WhenTimeIsUpThoseThatAreLeftAndThoseThatStandBackArePutOff) {
  AddWaiting("first");
  const model::Job& second = AddWaiting("second", "q", "2");
  const model::Job& greedy = AddWaiting("greedy", "q", "3", "greedy");
  host_.greedy = "greedy";
  const auto session = Open();
  JobQueues queues(*session);
  for (const Job* job : session->JobsInTurn()) queues.Add(*job);
  int served = 0;
  queues.ServeByTurns([&](const Job&) {
    ++served;
    return false;
  });
  EXPECT_EQ(served, 1);
  EXPECT_TRUE(session->IsPutOff(second));
  EXPECT_TRUE(session->IsPutOff(greedy));
  EXPECT_EQ(session->put_off(), 2u);
}

TEST_F(SessionCycleTest, AQueueThatHasItsShareIsLeftOutUnlessPodsWaitAtItsGate) {
  AddWaiting("in-q");
  AddWaiting("in-r", "r");
  opinions_.overused = {"q"};
  const auto served = [&](bool leave_out) {
    std::vector<std::string> names;
    const auto session = Open();
    session->SetParking(false);
    JobQueues queues(*session);
    if (leave_out) queues.LeaveOutOverused();
    for (const Job* job : session->JobsInTurn()) queues.Add(*job);
    queues.ServeByTurns([&](const Job& job) {
      names.push_back(job.name);
      return true;
    });
    return names;
  };
  EXPECT_THAT(served(true), ElementsAre("in-r"));
  EXPECT_THAT(served(false), UnorderedElementsAre("in-q", "in-r"));
  kube::Pod gated = MakePod("in-q-1", "in-q", {{"cpu", "1"}});
  gated.meta.annotations.Set(model::annotations::kQueueAllocationGate, "true");
  given_.Add(std::move(gated));
  EXPECT_THAT(served(true), UnorderedElementsAre("in-q", "in-r"));
}

TEST_F(SessionCycleTest, OneLikeAJobThatHasFailedIsNotTriedUnlessSomebodyGaveSomethingUp) {
  AddWaiting("a");
  AddWaiting("other", "q", "2");
  AddWaiting("b");
  given_.Add(MakeGroup("runs", "q", 0)).Add(MakeRunningPod("r", "runs", {{"cpu", "1"}}, "n1"));
  const auto tried = [&](bool gives_up) {
    std::vector<std::string> names;
    const auto session = Open();
    JobQueues queues(*session);
    for (const Job* job : session->JobsInTurn()) {
      if (!job->pending.empty()) queues.Add(*job);
    }
    queues.ServeByTurns([&](const Job& job) {
      names.push_back(job.name);
      if (gives_up && job.name == "other") {
        Statement statement(*session);
        statement.Evict(given_.task("r").id, "test");
        statement.Commit();
      }
      return true;
    });
    return names;
  };
  EXPECT_THAT(tried(false), ElementsAre("a", "other"));
  EXPECT_THAT(tried(true), ElementsAre("a", "other", "b"));
}

TEST_F(SessionCycleTest, WhatOthersGotMattersToThoseThatMayEvict) {
  AddWaiting("a");
  AddWaiting("b", "q", "2");
  AddWaiting("a-too");
  for (const Attempts attempts : {Attempts::kPlace, Attempts::kEvict}) {
    std::vector<std::string> names;
    const auto session = Open();
    JobQueues queues(*session, attempts);
    for (const Job* job : session->JobsInTurn()) queues.Add(*job);
    queues.ServeByTurns([&](const Job& job) {
      names.push_back(job.name);
      if (job.name == "b") {
        Statement statement(*session);
        statement.Pipeline(given_.task("b-0").id, given_.node("n1").id, false);
        statement.Commit();
      }
      return true;
    });
    if (attempts == Attempts::kPlace) {
      EXPECT_THAT(names, ElementsAre("a", "b")) << "less room helps nobody";
    } else {
      EXPECT_THAT(names, ElementsAre("a", "b", "a-too")) << "b may be a victim now";
    }
    Statement back(*session);
    back.Unallocate(given_.task("b-0").id);
    back.Commit();
  }
}

// ---- what is said of those that were not tried

TEST_F(SessionCycleTest, WhatIsSaidOfOneHoldsForThoseThatAreLikeIt) {
  opinions_.not_ready = {"a", "b"};
  const model::Job& a = AddWaiting("a");
  const model::Job& b = AddWaiting("b");
  const auto session = Open();
  {
    JobQueues queues(*session);
    for (const Job* job : session->JobsInTurn()) queues.Add(*job);
    queues.ServeByTurns([&](const Job& job) {
      EXPECT_EQ(job.name, "a");
      session->RecordFailure(given_.task("a-0"), {.other = "no room"});
      session->Needs(job, Waits::For({Happening::kVolume}));
      return true;
    });
  }
  session->Close();
  std::vector<std::string> waits;
  for (const auto* one : Said<model::PodWaits>(*session)) {
    waits.push_back(one->pod->meta.name + ": " + one->message);
  }
  EXPECT_THAT(waits, UnorderedElementsAre("a-0: no room", "b-0: no room"));
  EXPECT_TRUE(a.parked());
  EXPECT_TRUE(b.parked());
  EXPECT_EQ(a.parked_in, b.parked_in) << "they wait together";
  given_.cluster.Raise(Happening::kQuota);
  Open();
  EXPECT_THAT(Active(), IsEmpty());
  given_.cluster.Raise(Happening::kVolume);
  Open();
  EXPECT_THAT(Active(), testing::Contains("a")) << "the first of those that are alike";
}

TEST_F(SessionCycleTest, TasksOfJobsThatAreAlikeAreToldWhatTheOnesInTheirPlaceAre) {
  opinions_.not_ready = {"a", "b"};
  for (const char* name : {"a", "b"}) {
    given_.Add(MakeGroup(name, "q", 2));
    // In the order of their names, whichever came first.
    for (const char* number : {"-p-1", "-p-0"}) {
      kube::Pod pod = MakePod(std::string(name) + number, name, {{"cpu", "1"}});
      pod.meta.creation_timestamp = kTestNow - 1h;
      given_.Add(std::move(pod));
    }
  }
  kube::Pod other = *given_.task("b-p-0").pod;
  given_.cluster.RemovePod("ns", "b-p-0");
  given_.Add(std::move(other));
  const auto session = Open();
  {
    JobQueues queues(*session);
    for (const Job* job : session->JobsInTurn()) queues.Add(*job);
    queues.ServeByTurns([&](const Job& job) {
      Statement trial(*session);
      trial.Allocate(given_.task(job.name + "-p-0").id, given_.node("n1").id);
      trial.Discard();
      return true;
    });
  }
  session->Close();
  std::vector<std::string> waits;
  for (const auto* one : Said<model::PodWaits>(*session)) {
    waits.push_back(one->pod->meta.name + ": " + one->message);
  }
  EXPECT_THAT(waits, UnorderedElementsAre("a-p-0: the pod fits, but its group is not complete",
                                          "b-p-0: the pod fits, but its group is not complete"));
}

TEST_F(SessionCycleTest, APodThatWouldFitNowOrLaterSaysSoWhileItsGroupIsNotComplete) {
  opinions_.not_ready = {"a"};
  AddWaiting("a");
  for (const bool now : {true, false}) {
    const auto session = Open();
    {
      Statement trial(*session);
      if (now) {
        trial.Allocate(given_.task("a-0").id, given_.node("n1").id);
      } else {
        trial.Pipeline(given_.task("a-0").id, given_.node("n1").id, false);
      }
    }
    const std::vector<PodWait> waits = session->WhyPodsWait(given_.job("a"));
    ASSERT_EQ(waits.size(), 1u);
    EXPECT_EQ(waits[0].message,
              now ? "the pod fits, but its group is not complete"
                  : "the pod will fit once others have left, but its group is not complete");
  }
}

// ---- the end

TEST_F(SessionCycleTest, WordsThatAGroupDoesNotSayYetAreSaidAgainUntilItDoes) {
  opinions_.condition = "new words";
  kube::PodGroup group = MakeGroup("a", "q", 1);
  group.conditions.push_back({.type = "Unschedulable",
                              .status = kube::ConditionStatus::kTrue,
                              .reason = "R",
                              .message = "old words"});
  given_.Add(group).Add(MakePod("a-0", "a", {{"cpu", "1"}}));
  const auto close = [&] {
    const auto session = Open();
    session->Close();
    return Said<model::GroupStatus>(*session).size();
  };
  EXPECT_EQ(close(), 1u);
  EXPECT_FALSE(given_.job("a").parked()) << "the write may have to wait its turn";
  EXPECT_EQ(close(), 1u);
  group.conditions[0].message = "new words";
  given_.Add(std::move(group));
  EXPECT_EQ(close(), 0u);
  EXPECT_TRUE(given_.job("a").parked());
}

TEST_F(SessionCycleTest, WordsOfAKindThatAGroupHasNotSaidAreSaidOnceAndTheJobWaits) {
  opinions_.condition = "words";
  AddWaiting("a");
  const auto session = Open();
  session->Close();
  EXPECT_EQ(Said<model::GroupStatus>(*session).size(), 1u);
  EXPECT_TRUE(given_.job("a").parked());
}

TEST_F(SessionCycleTest, ASessionClosesOnce) {
  opinions_.condition = "words";
  AddWaiting("a");
  const auto session = Open();
  session->Close();
  const std::size_t said = session->intents().size();
  session->Close();
  EXPECT_EQ(session->intents().size(), said);
}

TEST_F(SessionCycleTest, APodWhoseNominationIsVoidLosesItWithTheReasonUnlessItIsGated) {
  AddWaiting("a");
  AddWaiting("b", "q", "2");
  for (const char* name : {"a-0", "b-0"}) {
    kube::Pod pod = *given_.task(name).pod;
    pod.status.nominated_node_name = "n1";
    if (name == std::string_view("b-0")) pod.spec.scheduling_gates = {"example.com/x"};
    given_.cluster.SetPod(std::make_shared<const kube::Pod>(std::move(pod)),
                          name == std::string_view("a-0") ? "a" : "b", {});
  }
  const auto session = Open();
  session->RecordFailure(given_.task("a-0"), {.other = "no room"});
  session->Close();
  std::vector<std::string> said;
  for (const auto* promise : Said<model::Promise>(*session)) {
    said.push_back(promise->pod->meta.name + " '" + promise->node + "' " + promise->reason + ": " +
                   promise->message);
  }
  EXPECT_THAT(said, UnorderedElementsAre("a-0 '' Unschedulable: no room", "b-0 '' : "))
      << "a gated pod is never called unschedulable";
  EXPECT_THAT(Said<model::PodWaits>(*session), IsEmpty()) << "it is one write";
}

TEST_F(SessionCycleTest, APodThatIsPromisedANodeSaysSoUnlessItDoesOrIsGated) {
  struct Row {
    const char* when;
    const char* nominated;
    bool says_why, gated, said;
  };
  for (const Row& row : {Row{"its write was lost", "", false, false, true},
                         Row{"it names another node", "n9", true, false, true},
                         Row{"it does not say why it waits", "n1", false, false, true},
                         Row{"it says all of it", "n1", true, false, false},
                         Row{"a gate of others holds it back", "", false, true, false}}) {
    AddWaiting("a");
    kube::Pod pod = *given_.task("a-0").pod;
    pod.status.nominated_node_name = row.nominated;
    if (row.says_why) {
      pod.status.conditions.push_back(
          {.type = "PodScheduled",
           .status = kube::ConditionStatus::kFalse,
           .reason = "Unschedulable",
           .message = "promised node n1, once the pods that leave it are gone"});
    }
    if (row.gated) pod.spec.scheduling_gates = {"x"};
    given_.cluster.SetPod(std::make_shared<const kube::Pod>(std::move(pod)), "a",
                          {.status = TaskStatus::kPipelined, .node = given_.node("n1").id});
    const auto session = Open();
    session->Close();
    EXPECT_EQ(Said<model::Promise>(*session).size(), row.said ? 1u : 0u) << row.when;
    given_.cluster.RemovePod("ns", "a-0");
  }
}

TEST_F(SessionCycleTest, AShadowRunsOnOnlyWhileItsPodLeaves) {
  for (const bool leaves : {false, true}) {
    kube::Pod pod = leaves ? MakeRunningPod("p", "shadow", {{"cpu", "1"}}, "n1")
                           : MakePod("p", "shadow", {{"cpu", "1"}});
    if (leaves) pod.meta.deletion_timestamp = kTestNow;
    given_.Add(std::move(pod));
    given_.cluster.SetShadow(given_.task("p").id,
                             std::make_shared<const kube::PodGroup>(MakeGroup("shadow", "q", 1)),
                             "q");
    Open()->Close();
    EXPECT_EQ(given_.job("shadow").phase,
              leaves ? model::JobPhase::kRunning : model::JobPhase::kPending);
    given_.cluster.RemovePod("ns", "p");
  }
}

TEST_F(SessionCycleTest, EachConditionOfACycleHasTheCyclesId) {
  opinions_.condition = "words";
  AddWaiting("a");
  AddWaiting("b", "q", "2");
  const auto session = Open();
  session->Close();
  const auto said = Said<model::GroupStatus>(*session);
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[0]->transition_id, said[1]->transition_id);
  EXPECT_THAT(said[0]->transition_id, testing::StartsWith("7-"));
}

TEST_F(SessionCycleTest, DecisionsAreInTheLogOneLineEach) {
  AddWaiting("a", "q", "1");
  given_.Add(MakeGroup("runs", "q", 0)).Add(MakeRunningPod("r", "runs", {{"cpu", "1"}}, "n1"));
  kube::PodGroup late = MakeGroup("late", "q", 1, kube::PodGroupPhase::kPending);
  given_.Add(std::move(late));
  log::Configure(log::Level::kDebug, log::Format::kText);
  testing::internal::CaptureStderr();
  {
    const auto session = Open();
    Statement statement(*session);
    statement.Enter(given_.job("late").id);
    statement.Evict(given_.task("r").id, "test", given_.task("a-0").id);
    statement.Pipeline(given_.task("a-0").id, given_.node("n1").id, true);
    statement.Commit();
  }
  const std::string logged = testing::internal::GetCapturedStderr();
  log::Configure(log::Level::kInfo, log::Format::kText);
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < logged.size();) {
    const std::size_t end = std::min(logged.find('\n', at), logged.size());
    if (logged.substr(at, end - at).find("decided") != std::string::npos) {
      lines.push_back(logged.substr(at, end - at));
    }
    at = end + 1;
  }
  ASSERT_EQ(lines.size(), 3u) << logged;
  EXPECT_THAT(lines[0], testing::AllOf(HasSubstr("enter"), HasSubstr("ns/late")));
  EXPECT_THAT(lines[1], testing::AllOf(HasSubstr("evict"), HasSubstr("ns/r"), HasSubstr("n1"),
                                       HasSubstr("ns/a-0")));
  EXPECT_THAT(lines[2], testing::AllOf(HasSubstr("pipeline"), HasSubstr("ns/a-0")));
}

// ---- who waits, and for what

TEST_F(SessionCycleTest, AJobThatIsStuckWaitsAndOneThatTimeMayHelpDoesNot) {
  const model::Job& stuck = AddWaiting("stuck");
  const model::Job& timed = AddWaiting("timed", "q", "2");
  const model::Job& decided = AddWaiting("decided", "q", "3");
  const model::Job& promised = AddWaiting("promised", "q", "1500m");
  given_.cluster.Move(given_.task("promised-0").id,
                      {.status = TaskStatus::kPipelined, .node = given_.node("n1").id});
  const auto session = Open();
  session->DependsOnTime(timed);
  session->Enqueue(decided);
  session->Close();
  EXPECT_TRUE(stuck.parked());
  EXPECT_FALSE(timed.parked());
  EXPECT_FALSE(decided.parked());
  EXPECT_FALSE(promised.parked());
}

TEST_F(SessionCycleTest, WordsThatAPodDoesNotSayYetAreSaidAgainUntilItDoes) {
  const model::Job& a = AddWaiting("a");
  const auto say = [&](std::string message) {
    kube::Pod pod = *given_.task("a-0").pod;
    pod.status.conditions = {{.type = "PodScheduled",
                              .status = kube::ConditionStatus::kFalse,
                              .reason = "Unschedulable",
                              .message = std::move(message)}};
    given_.Add(std::move(pod));
  };
  const auto close = [&] {
    const auto session = Open();
    session->RecordFailure(given_.task("a-0"), {.other = "new words"});
    session->Close();
    return Said<model::PodWaits>(*session).size();
  };
  say("old words");
  EXPECT_EQ(close(), 1u);
  EXPECT_FALSE(a.parked()) << "the write may have to wait its turn";
  say("new words");
  EXPECT_EQ(close(), 0u);
  EXPECT_TRUE(a.parked());
}

TEST_F(SessionCycleTest, AJobForWhichSomethingIsDecidedWaitsNoMore) {
  const model::Job& a = AddWaiting("a");
  given_.Add(MakeRunningPod("a-1", "a", {{"cpu", "1"}}, "n1"));
  ParkFor(a, Waits::For({Happening::kVolume}));  // it runs from now on: that is news
  ParkFor(a, Waits::For({Happening::kVolume}));
  ASSERT_TRUE(a.parked());
  const auto session = Open();
  Statement statement(*session);
  statement.Evict(given_.task("a-1").id, "test");
  statement.Commit();
  EXPECT_FALSE(a.parked());
}

TEST_F(SessionCycleTest, APolicyOfAnotherTierIsAskedWhereTheFirstHasNoneThatAnswers) {
  const model::Job& a = AddWaiting("a");
  Config config = testutil::OneTier({"silent"});
  config.tiers.push_back(testutil::OneTier({"opinions"}).tiers[0]);
  PluginRegistry registry = kOpinionated;
  registry.entries.push_back(
      {"silent", [](const PluginContext&) -> Result<std::unique_ptr<Plugin>> {
         return std::make_unique<Plugin>();
       }});
  plugins_ = testutil::MakePlugins(std::move(config), registry);
  EXPECT_FALSE(Open()->IsJobStarving(a));
  opinions_.starving = {"a"};
  EXPECT_TRUE(Open()->IsJobStarving(a));
}

TEST_F(SessionCycleTest, AReservationThatGivesUpItsPlaceIsToBePlacedAnew) {
  kube::Reservation object;
  object.meta.ns = "ns";
  object.meta.name = object.meta.uid = "r";
  object.tasks.push_back({.name = "t"});
  object.tasks[0].pod_template.spec = MakePod("t", "", {{"cpu", "1"}}).spec;
  model::Reservations& reservations = given_.cluster.mutable_reservations();
  reservations.Add(std::make_shared<const kube::Reservation>(std::move(object)), "q");
  const model::ReservationRecord& record = *reservations.Find("ns", "r");
  const model::Task& task = given_.cluster.task(record.slots[0].id);
  const auto decide = [&](auto act) {
    const auto session = Open();
    Statement statement(*session);
    act(statement);
    statement.Commit();
  };
  decide([&](Statement& statement) { statement.Allocate(task.id, given_.node("n1").id); });
  EXPECT_EQ(task.status(), TaskStatus::kBound) << "there is no pod to bind";
  EXPECT_EQ(record.slots[0].node, "n1");
  reservations.WakeThoseServed();
  ASSERT_FALSE(reservations.has_news());
  decide([&](Statement& statement) { statement.Unallocate(task.id); });
  EXPECT_EQ(task.status(), TaskStatus::kPending);
  EXPECT_TRUE(reservations.has_news()) << "those whom it serves wait for it again";
}

TEST_F(SessionCycleTest, WhereNobodyParksEverybodyIsLookedAt) {
  AddWaiting("a");
  const auto session = Open();
  session->SetParking(false);
  session->Close();
  EXPECT_THAT(Active(), ElementsAre("a"));
}

TEST_F(SessionCycleTest, AJobIsWokenByWhatItWaitsForAlone) {
  const model::Job& a = AddWaiting("a");
  ParkFor(a, Waits::For({Happening::kBudget}));
  given_.cluster.Raise(Happening::kQuota);
  Open();
  EXPECT_TRUE(a.parked());
  given_.cluster.Raise(Happening::kBudget);
  Open();
  EXPECT_FALSE(a.parked());
}

TEST_F(SessionCycleTest, OneThatLacksPodsWaitsForNothingButThem) {
  opinions_.invalid = {"a"};
  const model::Job& a = AddWaiting("a");
  Open()->Close();
  ASSERT_TRUE(a.parked());
  for (int kind = 0; kind < model::kHappenings; ++kind) {
    given_.cluster.Raise(static_cast<Happening>(kind));
  }
  Open();
  EXPECT_TRUE(a.parked());
  given_.Add(MakePod("a-1", "a", {{"cpu", "1"}}));
  EXPECT_FALSE(a.parked());
}

TEST_F(SessionCycleTest, OneOfWhichNothingIsKnownWaitsForAnything) {
  const model::Job& a = AddWaiting("a");
  Open()->Close();
  ASSERT_TRUE(a.parked());
  given_.cluster.Raise(Happening::kPriority);
  Open();
  EXPECT_FALSE(a.parked());
}

TEST_F(SessionCycleTest, WhereOthersMayBeEvictedAStarvingJobWaitsForAnything) {
  opinions_.starving = {"a"};
  const model::Job& a = AddWaiting("a");
  for (const char* action : {"preempt", "reclaim", "backfill"}) {
    UseActions({"allocate", action});
    ParkFor(a, Waits::For({Happening::kVolume}));
    ASSERT_TRUE(a.parked());
    given_.cluster.Raise(Happening::kPriority);
    Open();
    EXPECT_EQ(a.parked(), action == std::string_view("backfill")) << action;
  }
}

TEST_F(SessionCycleTest, TimeWakesAJobWhenAPolicySaysThatItMayHelp) {
  const model::Job& a = AddWaiting("a");
  opinions_.changes_at = kTestNow + 10s;
  const auto session = Open();
  session->Needs(a, Waits::For({Happening::kVolume}));
  session->Close();
  EXPECT_EQ(session->wake_at(), kTestNow + 10s);
  Open(kTestNow + 9s);
  EXPECT_TRUE(a.parked());
  Open(kTestNow + 10s);
  EXPECT_FALSE(a.parked());
}

struct GivenUp {
  const char* name;
  std::vector<Happening> waits;
  void (*act)(Statement& statement, const TestCluster& given);
  bool woken = true;
};

class GivenUpTest : public SessionCycleTest, public testing::WithParamInterface<GivenUp> {};

TEST_P(GivenUpTest, IsNewsToThoseThatWaitForIt) {
  given_.Add(MakeGroup("runs", "q", 0)).Add(MakeRunningPod("r", "runs", {{"cpu", "1"}}, "n1"));
  given_.Add(MakePod("promised", "runs", {{"cpu", "1"}})).Add(MakePod("w", "runs", {{"cpu", "1"}}));
  given_.cluster.Move(given_.task("promised").id,
                      {.status = TaskStatus::kPipelined, .node = given_.node("n1").id});
  given_.cluster.Move(given_.task("w").id, {.queue_claim = true});
  const model::Job& a = AddWaiting("a");
  Waits waits;
  for (const Happening one : GetParam().waits) waits.kinds |= {one};
  ParkFor(a, waits);
  ASSERT_TRUE(a.parked());
  {
    const auto session = Open();
    ASSERT_TRUE(a.parked());
    Statement statement(*session);
    GetParam().act(statement, given_);
    statement.Commit();
  }
  Open();
  EXPECT_EQ(!a.parked(), GetParam().woken);
}

INSTANTIATE_TEST_SUITE_P(
    Sessions, GivenUpTest,
    testing::ValuesIn<GivenUp>({
        {.name = "AnEvictionIsADeparture",
         .waits = {Happening::kDeparture},
         .act = [](Statement& statement,
                   const TestCluster& given) { statement.Evict(given.task("r").id, "test"); }},
        {.name = "AnEvictionChangesNoVolume",
         .waits = {Happening::kVolume},
         .act = [](Statement& statement,
                   const TestCluster& given) { statement.Evict(given.task("r").id, "test"); },
         .woken = false},
        {.name = "APromiseTakenBackIsADeparture",
         .waits = {Happening::kDeparture},
         .act = [](Statement& statement,
                   const TestCluster& given) { statement.Unallocate(given.task("promised").id); }},
        {.name = "APlaceIsNoDeparture",
         .waits = {Happening::kDeparture},
         .act =
             [](Statement& statement, const TestCluster& given) {
               statement.Allocate(given.task("w").id, given.node("n1").id);
             },
         .woken = false},
        {.name = "AClaimThatLapsesIsNewsOfAPod",
         .waits = {Happening::kPod},
         .act = [](Statement& statement,
                   const TestCluster& given) { statement.LapseQueueClaim(given.task("w").id); }},
        {.name = "AnEvictionIsNoNewsOfAPodBeforeItIsGone",
         .waits = {Happening::kPod},
         .act = [](Statement& statement,
                   const TestCluster& given) { statement.Evict(given.task("r").id, "test"); },
         .woken = false},
    }),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(SessionCycleTest, WithinACycleThoseThatGainAreWokenOnceSomethingIsGivenUp) {
  given_.Add(MakeGroup("runs", "q", 0)).Add(MakeRunningPod("r", "runs", {{"cpu", "1"}}, "n1"));
  const model::Job& a = AddWaiting("a");
  ParkFor(a, Waits::For({Happening::kDeparture}));
  const auto session = Open();
  given_.cluster.Raise(Happening::kDeparture);
  session->WakeWhoGains();
  EXPECT_TRUE(a.parked()) << "nobody has given anything up in this cycle";
  Statement statement(*session);
  statement.Evict(given_.task("r").id, "test");
  statement.Commit();
  session->WakeWhoGains();
  EXPECT_FALSE(a.parked());
}

TEST_F(SessionCycleTest, ARehearsalWakesAndParksNobody) {
  const model::Job& a = AddWaiting("a");
  ParkFor(a, Waits::For({Happening::kBudget}));
  given_.cluster.Raise(Happening::kBudget);
  {
    Session rehearsal(given_.cluster, *plugins_, kTestNow, nullptr, nullptr,
                      Session::Purpose::kRehearsal);
    EXPECT_TRUE(a.parked());
    rehearsal.Enqueue(a);
    EXPECT_TRUE(a.parked()) << "nothing was decided";
  }
  Open();
  EXPECT_FALSE(a.parked()) << "the news were kept for a cycle";
}

TEST_F(SessionCycleTest, AJobWhoseQueueDoesNotExistWaitsForQueuesAlone) {
  kube::PodGroup group = MakeGroup("lost", "nowhere", 1);
  group.meta.creation_timestamp = kTestNow - 1s;
  given_.Add(std::move(group)).Add(MakePod("lost-0", "lost", {{"cpu", "1"}}));
  const model::Job& lost = given_.job("lost");
  Open(kTestNow - 1ms)->Close();
  ASSERT_FALSE(lost.parked()) << "the queue may be on its way";
  Open()->Close();
  ASSERT_TRUE(lost.parked());
  given_.cluster.Raise(Happening::kNode);
  Open();
  EXPECT_TRUE(lost.parked());
  given_.Add(MakeQueue("elsewhere"));
  Open();
  EXPECT_FALSE(lost.parked());
}

// ---- what would help a task that fits no node

struct NeedRow {
  const char* name;
  void (*make)(kube::Pod& pod);
  Happening what;
  bool woken;
};

class NeedsNodeTest : public SessionCycleTest, public testing::WithParamInterface<NeedRow> {};

TEST_P(NeedsNodeTest, IsWhatItsRulesLookAt) {
  given_.Add(MakeGroup("a", "q", 1));
  kube::Pod pod = MakePod("a-0", "a", {{"cpu", "100"}});
  GetParam().make(pod);
  given_.Add(std::move(pod));
  given_.cluster.SplitClasses();
  const auto session = Open();
  session->NeedsNode(given_.task("a-0"), NodeFinder::Room::kChecked);
  session->Close();
  ASSERT_TRUE(given_.job("a").parked());
  given_.cluster.Raise(GetParam().what);
  Open();
  EXPECT_EQ(!given_.job("a").parked(), GetParam().woken);
}

TEST_F(SessionCycleTest, NobodyIsParkedForATaskOfNoJob) {
  given_.Add(MakePod("alone", "", {{"cpu", "100"}}));
  Open()->NeedsNode(given_.task("alone"), NodeFinder::Room::kChecked);
  EXPECT_EQ(given_.cluster.parking().jobs(), 0u);
}

void WithVolume(kube::Pod& pod) {
  kube::Volume volume;
  volume.name = "v";
  volume.kind = kube::Volume::Kind::kPersistentVolumeClaim;
  volume.source = "c";
  pod.spec.volumes.push_back(std::move(volume));
}
void WithSpread(kube::Pod& pod) {
  kube::TopologySpreadConstraint spread;
  spread.topology_key = "zone";
  spread.label_selector = kube::LabelSelector::OfLabels({{"app", "web"}});
  pod.spec.topology_spread_constraints.push_back(std::move(spread));
}
template <bool anti>
void WithPodRule(kube::Pod& pod) {
  kube::PodAffinityTerm term;
  term.topology_key = "zone";
  term.label_selector = kube::LabelSelector::OfLabels({{"app", "web"}});
  kube::Affinity affinity;
  (anti ? affinity.pod_anti : affinity.pod).required.push_back(std::move(term));
  pod.spec.affinity = std::move(affinity);
}

INSTANTIATE_TEST_SUITE_P(
    Sessions, NeedsNodeTest,
    testing::ValuesIn<NeedRow>({
        {"ANodeHelpsAnyPod", [](kube::Pod&) {}, Happening::kNode, true},
        {"AnotherQueueMayUseOtherNodes", [](kube::Pod&) {}, Happening::kQueue, true},
        {"AnArrivalDoesNotHelpAPlainPod", [](kube::Pod&) {}, Happening::kArrival, false},
        {"ANamespaceDoesNotHelpAPlainPod", [](kube::Pod&) {}, Happening::kNamespace, false},
        {"AVolumeDoesNotHelpAPodWithoutOne", [](kube::Pod&) {}, Happening::kVolume, false},
        {"AVolumeHelpsAPodThatNeedsOne", WithVolume, Happening::kVolume, true},
        {"ADepartureHelpsAPodWithAVolume", WithVolume, Happening::kDeparture, true},
        {"AnArrivalHelpsAPodThatSpreads", WithSpread, Happening::kArrival, true},
        {"ADepartureHelpsAPodThatSpreads", WithSpread, Happening::kDeparture, true},
        {"AnArrivalHelpsAPodThatWantsCompany", WithPodRule<false>, Happening::kArrival, true},
        {"AnArrivalDoesNotHelpAPodThatWantsToBeAlone", WithPodRule<true>, Happening::kArrival,
         false},
        {"ADepartureHelpsAPodThatWantsToBeAlone", WithPodRule<true>, Happening::kDeparture, true},
        {"ANamespaceMayChangeWhomARuleIsAbout", WithPodRule<true>, Happening::kNamespace, true},
    }),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace basalt::scheduler
