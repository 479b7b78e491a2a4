// What becomes of what is decided in a session.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/log.h"
#include "scheduler/framework/session_test_util.h"

namespace basalt::scheduler {
namespace {

using model::TaskStatus;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeRunningPod;

TEST_F(SessionCycleTest, PodsThatDifferInWhatPoliciesReadOrRulesSelectAreNotAlikeFromTheStart) {
  for (const char* name : {"plain", "read", "selected"}) {
    kube::Pod pod = MakePod(name, "", {{"cpu", "1"}});
    if (name == std::string_view("read")) pod.meta.annotations.Set("example.com/policy", "x");
    if (name == std::string_view("selected")) pod.meta.labels.Set("app", "web");
    given_.Add(std::move(pod));
  }
  const auto alike = [&](const char* name) {
    return given_.task(name).task_class == given_.task("plain").task_class;
  };
  EXPECT_TRUE(alike("read"));
  Open();
  EXPECT_FALSE(alike("read"));
  EXPECT_TRUE(alike("selected"));
  kube::PodAffinityTerm term;
  term.topology_key = "zone";
  term.label_selector = kube::LabelSelector::OfLabels({{"app", "web"}});
  kube::Pod selects = MakePod("selects", "", {{"cpu", "1"}});
  selects.spec.affinity.emplace().pod_anti.required.push_back(std::move(term));
  given_.Add(std::move(selects));
  Open();
  EXPECT_FALSE(alike("selected"));
}

TEST_F(SessionCycleTest, PoliciesHearWhoEntersAndPlanWhatABindNeeds) {
  const model::Job& a = AddWaiting("a");
  const auto session = Open();
  LetIn(*session, a);
  EXPECT_THAT(opinions_.entered, ElementsAre("a"));
  Place(*session, "a-0");
  const auto said = Said<model::Bind>(*session);
  ASSERT_EQ(said.size(), 1u);
  ASSERT_EQ(said[0]->volumes.size(), 1u);
  EXPECT_EQ(said[0]->volumes[0].claim, "of a-0");
}

TEST_F(SessionCycleTest, APromiseThatIsTakenBackIsSaidSoEvenIfThePodDoesNotNameItsNodeYet) {
  opinions_.not_ready = {"a"};
  const model::Job& a = AddWaiting("a");
  const model::TaskId pod = given_.task("a-0").id;
  const model::NodeId node = given_.node("n1").id;
  for (const bool promised : {true, false}) {
    if (promised) given_.cluster.Move(pod, {.status = TaskStatus::kPipelined, .node = node});
    const auto session = Open();
    Statement statement(*session);
    if (!promised) statement.Allocate(pod, node);
    statement.Unallocate(pod);
    statement.Commit();
    EXPECT_THAT(session->WhyPodsWait(a), IsEmpty()) << "that it would fit is not known any more";
    session->Close();
    EXPECT_EQ(Said<model::Promise>(*session).size(), promised ? 1u : 0u);
  }
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

TEST_F(SessionCycleTest, APolicyOfAnotherTierIsAskedWhereTheFirstHasNoneThatAnswers) {
  const model::Job& a = AddWaiting("a");
  Config config = testutil::OneTier({"silent"});
  config.tiers.push_back(testutil::OneTier({"opinions"}).tiers[0]);
  PluginRegistry registry = kOpinionated;
  registry.entries.push_back(
      {"silent", []() -> std::unique_ptr<Plugin> { return std::make_unique<Plugin>(); }});
  plugins_ = testutil::MakePlugins(std::move(config), registry);
  EXPECT_FALSE(Open()->IsJobStarving(a));
  opinions_.starving = {"a"};
  EXPECT_TRUE(Open()->IsJobStarving(a));
}

// ---- reservations

// A reservation of one task, which is held on n1.
class SessionReservationTest : public SessionCycleTest {
 protected:
  SessionReservationTest() {
    kube::Reservation object;
    object.meta.ns = "ns";
    object.meta.name = object.meta.uid = "r";
    object.tasks.push_back({.name = "t"});
    object.tasks[0].pod_template.spec = MakePod("t", "", {{"cpu", "1"}}).spec;
    all().Add(std::make_shared<const kube::Reservation>(std::move(object)), "q");
    Decide([&](Statement& statement) { statement.Allocate(task().id, given_.node("n1").id); });
  }
  void Decide(const std::function<void(Statement& statement)>& act) {
    const auto session = Open();
    Statement statement(*session);
    act(statement);
    statement.Commit();
  }
  model::Reservations& all() { return given_.cluster.mutable_reservations(); }
  const model::ReservedSlot& slot() { return all().Find("ns", "r")->slots[0]; }
  const model::Task& task() { return given_.cluster.task(slot().id); }
};

TEST_F(SessionReservationTest, OneThatGivesUpItsPlaceIsToBePlacedAnew) {
  EXPECT_EQ(task().status(), TaskStatus::kBound) << "there is no pod to bind";
  EXPECT_EQ(slot().node, "n1");
  all().WakeThoseServed();
  ASSERT_FALSE(all().has_news());
  Decide([&](Statement& statement) { statement.Unallocate(task().id); });
  EXPECT_EQ(task().status(), TaskStatus::kPending);
  EXPECT_TRUE(all().has_news()) << "those whom it serves wait for it again";
}

TEST_F(SessionReservationTest, OneThatWasFoundUsableIsNotLookedAtBeforeItsNodeChanges) {
  EXPECT_EQ(slot().looked_at, 0u);
  Open()->NoteUsable(task());
  EXPECT_NE(slot().looked_at, 0u);
  EXPECT_EQ(slot().looked_at, model::GenerationFor(task(), given_.node("n1")));
}

TEST_F(SessionReservationTest, WhatAPodTookOverIsGivenBackWhenThePodGoesElsewhereOrNowhere) {
  given_.Add(MakeNode("n2", {{"cpu", "8"}}));
  AddWaiting("a");
  const model::Task& pod = given_.task("a-0");
  const model::NodeId n1 = given_.node("n1").id, n2 = given_.node("n2").id;
  struct Row {
    const char* where;
    std::function<void(Statement& statement)> goes;
  };
  for (const Row& row :
       {Row{"nowhere", [](Statement&) {}},
        Row{"promised elsewhere", [&](Statement& s) { s.Pipeline(pod.id, n2, false); }},
        Row{"elsewhere", [&](Statement& s) { s.Allocate(pod.id, n2); }}}) {
    Decide([&](Statement& statement) {
      if (pod.status() == TaskStatus::kPipelined) statement.Unallocate(pod.id);
      statement.Release(task().id, pod.id);
      statement.Pipeline(pod.id, n1, false);
    });
    EXPECT_EQ(slot().taker, pod.id) << row.where;
    Decide([&](Statement& statement) {
      statement.Unallocate(pod.id);
      row.goes(statement);
    });
    EXPECT_FALSE(slot().taker.valid()) << row.where;
    EXPECT_EQ(task().status(), TaskStatus::kBound) << row.where;
    EXPECT_EQ(task().node(), n1) << row.where;
  }
}

}  // namespace
}  // namespace basalt::scheduler
