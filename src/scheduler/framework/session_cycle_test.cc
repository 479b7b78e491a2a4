// What a session does with jobs over a cycle: whose turn it is, who follows whom, and what is said
// of those that were not tried.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/annotations.h"
#include "scheduler/framework/session_test_util.h"

namespace basalt::scheduler {
namespace {

using model::Happening;
using model::Waits;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using testutil::kTestNow;
using testutil::MakeGroup;
using testutil::MakePod;
using testutil::MakeRunningPod;

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
  const model::Job& greedy = AddWaiting("g1", "q", "1", "greedy");
  AddWaiting("g2", "q", "2", "greedy");
  AddWaiting("other", "q", "3");
  AddWaiting("g3", "r", "4", "greedy");
  AddWaiting("late", "r", "5");
  host_.greedy = "greedy";
  const auto session = Open();
  JobQueues queues(*session, Attempts::kNone);
  for (const Job* job : session->JobsInTurn()) queues.Add(*job);
  std::vector<std::string> served;
  while (const Queue* queue = queues.TakeQueue()) {
    while (const Job* job = queues.TakeJob(*queue)) served.push_back(job->name);
  }
  EXPECT_THAT(served, ElementsAre("other", "late", "g1", "g2", "g3"));
  EXPECT_FALSE(queues.StandsBack(greedy)) << "it had its turn in the end";
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

TEST_F(SessionCycleTest, ThoseThatNobodyTookAreListedByTheirIdsWhateverTheirQueues) {
  const model::Job& a = AddWaiting("a");
  const model::Job& b = AddWaiting("b", "r");
  const model::Job& c = AddWaiting("c");
  const auto session = Open();
  JobQueues queues(*session, Attempts::kNone);
  for (const model::Job* job : {&c, &b, &a}) queues.Add(*job);
  EXPECT_THAT(queues.Left(), ElementsAre(&a, &b, &c));
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
  const auto tried = [&](bool gives_up, bool parks = true) {
    std::vector<std::string> names;
    const auto session = Open();
    session->SetParking(parks);
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
  EXPECT_THAT(tried(false, /*parks=*/false), ElementsAre("a", "other", "b"));
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

// ---- those that are alike and wait together

class AlikeTest : public SessionCycleTest {
 protected:
  // Jobs a, b and c, which wait for volumes, as one of these comes.
  AlikeTest() {
    for (const char* name : {"a", "b", "c"}) {
      given_.cluster.SetPhase(AddWaiting(name).id, model::JobPhase::kPending);
    }
    const auto session = Open();
    for (const Job* job : session->JobsInTurn()) {
      session->Needs(*job, Waits::For({Happening::kVolume}));
    }
    session->Close();
  }
};

TEST_F(AlikeTest, WhenOneGoesOnTheNextFollowsInTheSameCycle) {
  given_.cluster.Raise(Happening::kVolume);
  const auto session = Open();
  std::vector<std::string> names;
  Serve(*session, session->JobsInTurn(), [&](const Job& job) {
    names.push_back(job.name);
    Place(*session, job.name + "-0");
    return true;
  });
  EXPECT_THAT(names, ElementsAre("a", "b", "c"));
  EXPECT_THAT(session->missed(), IsEmpty());
}

TEST_F(AlikeTest, OneThatWouldFollowWhenTimeIsUpIsPutOff) {
  given_.cluster.Raise(Happening::kVolume);
  const auto session = Open();
  Serve(*session, session->JobsInTurn(), [&](const Job& job) {
    Place(*session, job.name + "-0");
    return false;
  });
  EXPECT_GT(session->put_off(), 0u);
  for (const Job* job : session->JobsInTurn()) EXPECT_EQ(job->name, "a");
}

TEST_F(AlikeTest, WhenOneFailsTheOthersWaitOnUnlessItHasBecomeAnotherSinceItWaitedWithThem) {
  const model::Job& a = given_.job("a");
  given_.cluster.Raise(Happening::kVolume);
  const auto session = Open();
  int tried = 0;
  const auto fail = [&](const Job&) { return ++tried > 0; };
  Serve(*session, {&a}, fail);
  EXPECT_EQ(tried, 1);
  EXPECT_TRUE(given_.job("c").parked()) << "it would fail too";
  LetIn(*session, a);
  Serve(*session, {&a}, fail);
  EXPECT_EQ(tried, 3) << "the next was tried";
}

TEST_F(AlikeTest, WhoGoesOnThoughNothingHasHappenedWasMissedAndIsNamedOnce) {
  given_.cluster.WakeAllAsCheck();
  const auto session = Open();
  std::vector<model::JobId> went_on;
  Serve(*session, {&given_.job("a")}, [&](const Job& job) {
    went_on.push_back(job.id);
    Place(*session, job.name + "-0");
    return true;
  });
  EXPECT_EQ(session->missed(), went_on);
}

TEST_F(SessionCycleTest, OneThatWaitedAloneAndWasMissedIsNamedToo) {
  const model::Job& a = AddWaiting("a");
  given_.cluster.SetPhase(a.id, model::JobPhase::kPending);
  {
    const auto session = Open();
    session->Needs(a, Waits::For({Happening::kVolume}));
    session->Close();
  }
  given_.cluster.WakeAllAsCheck();
  const auto session = Open();
  Serve(*session, session->JobsInTurn(), [&](const Job& job) {
    Place(*session, job.name + "-0");
    return true;
  });
  EXPECT_THAT(session->missed(), ElementsAre(a.id));
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
  kube::Pod other = *given_.task("b-p-1").pod;
  given_.cluster.RemovePod("ns", "b-p-1");
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

TEST_F(SessionCycleTest, WhatKeepsAJobBackHoldsForThoseLikeItUnlessOneOfThemHasGoneOnOrIsGone) {
  struct Row {
    const char* what;
    std::function<void(Session& session, const Job& tried, const Job& other)> happens;
    bool holds;
  };
  const Row kRows[] = {
      {"nothing", [](Session&, const Job&, const Job&) {}, true},
      {"entered", [](Session& s, const Job&, const Job& other) { LetIn(s, other); }, false},
      {"tried entered", [](Session& s, const Job& tried, const Job&) { LetIn(s, tried); }, false},
      {"gone",
       [&](Session&, const Job&, const Job& other) {
         given_.cluster.RemoveGroup("ns", std::string(other.name));
       },
       false},
      {"tried gone",
       [&](Session&, const Job& tried, const Job&) {
         given_.cluster.RemoveGroup("ns", std::string(tried.name));
       },
       false}};
  for (const Row& row : kRows) {
    const std::string name = row.what;
    const model::Job& tried = AddWaiting("tried when " + name);
    const model::Job& other = AddWaiting("other when " + name);
    const auto session = Open();
    Serve(*session, {&tried, &other}, [&](const Job& job) {
      EXPECT_EQ(&job, &tried);
      session->RecordFailure(job, {.other = "held back"});
      return true;
    });
    const std::string pod = other.name + "-0";
    row.happens(*session, tried, other);
    session->Close();
    bool said = false;
    for (const auto* one : Said<model::PodWaits>(*session)) {
      said = said || (one->pod->meta.name == pod && one->message == "held back");
    }
    EXPECT_EQ(said, row.holds) << row.what;
  }
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

}  // namespace
}  // namespace basalt::scheduler
