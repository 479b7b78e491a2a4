#include "scheduler/framework/likeness.h"

#include <gtest/gtest.h>

#include <string>

#include "model/annotations.h"
#include "scheduler/framework/explanations.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler {
namespace {

using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::TestCluster;

// One of two jobs that would be alike, and what is different about it.
struct JobParts {
  kube::PodGroup group = MakeGroup("b", "q", 2);
  std::vector<kube::Pod> pods;
  int priority = 0;
};
struct Difference {
  const char* name;
  void (*make)(JobParts& job);
  bool alike;
};

JobParts TwoPods(const std::string& name) {
  JobParts job;
  job.group = MakeGroup(name, "q", 2);
  job.group.min_resources = testutil::Resources({{"cpu", "2"}});
  for (const char* pod : {"-x", "-y"}) {
    job.pods.push_back(MakePod(name + pod, name, {{"cpu", "1"}}));
  }
  return job;
}

class LikenessTest : public testing::TestWithParam<Difference> {};

TEST_P(LikenessTest, JobsAreAlikeThatDifferInNameAndAgeAlone) {
  TestCluster given;
  given.Add(MakeQueue("q")).Add(MakeQueue("r")).Add(MakeNode("n1", {{"cpu", "8"}}));
  const auto plugins = testutil::MakePlugins(Config(), PluginRegistry{});
  JobParts one = TwoPods("a"), other = TwoPods("b");
  GetParam().make(other);
  for (JobParts* job : {&one, &other}) {
    given.Add(job->group, job->priority);
    for (const kube::Pod& pod : job->pods) given.Add(pod);
  }
  const std::string a = LikenessOf(given.cluster, *plugins, given.job("a"));
  const std::string b = LikenessOf(given.cluster, *plugins, given.job("b"));
  EXPECT_FALSE(a.empty());
  EXPECT_EQ(a == b, GetParam().alike);
}

class Calendar final : public Plugin, public TimeDependent {
 public:
  std::optional<Time> ChangesAt(const Job&) const override { return std::nullopt; }
  std::int64_t KindOf(const Job& job) const override { return job.name == "b" ? 1 : 0; }
};

TEST(LikenessOfTest, JobsAreNotAlikeThatTimeHelpsDifferently) {
  TestCluster given;
  given.Add(MakeQueue("q"));
  for (const char* name : {"a", "b", "c"}) {
    given.Add(MakeGroup(name, "q", 1)).Add(MakePod(name, name, {{"cpu", "1"}}));
  }
  const auto plugins = testutil::MakePlugins(
      testutil::OneTier({"calendar"}),
      PluginRegistry{{{"calendar",
                       []() -> std::unique_ptr<Plugin> { return std::make_unique<Calendar>(); }}}});
  const auto likeness = [&](const char* name) {
    return LikenessOf(given.cluster, *plugins, given.job(name));
  };
  EXPECT_EQ(likeness("a"), likeness("c"));
  EXPECT_NE(likeness("a"), likeness("b"));
}

template <auto member>
void OfBothPods(JobParts& job) {
  for (kube::Pod& pod : job.pods) member(pod);
}

INSTANTIATE_TEST_SUITE_P(
    Differences, LikenessTest,
    testing::Values(
        Difference{"InName", [](JobParts&) {}, true},
        Difference{"InAge",
                   [](JobParts& job) { job.group.meta.creation_timestamp = testutil::kTestNow; },
                   true},
        Difference{"InQueue", [](JobParts& job) { job.group.queue = "r"; }, false},
        Difference{"InPhase",
                   [](JobParts& job) { job.group.phase = kube::PodGroupPhase::kPending; }, false},
        Difference{"InTheJobsPriority", [](JobParts& job) { job.priority = 3; }, false},
        Difference{"InItsMinimum", [](JobParts& job) { job.group.min_member = 1; }, false},
        Difference{"InAMinimumOfItsRole",
                   [](JobParts& job) {
                     job.group.min_task_member = {{"", 1}};
                   },
                   false},
        Difference{"InHowManyPodsItHas",
                   [](JobParts& job) {
                     job.pods.push_back(MakePod("z", "b", {{"cpu", "1"}}));
                   },
                   false},
        Difference{"InHavingMinimalResources",
                   [](JobParts& job) { job.group.min_resources.reset(); }, false},
        Difference{"InItsMinimalResources",
                   [](JobParts& job) {
                     job.group.min_resources = testutil::Resources({{"cpu", "1"}});
                   },
                   false},
        Difference{"InWhatItsPodsAskFor",
                   [](JobParts& job) {
                     for (kube::Pod& pod : job.pods) pod = MakePod(pod.meta.name, "b", {});
                   },
                   false},
        Difference{"InThePriorityOfOnePod", [](JobParts& job) { job.pods[0].spec.priority = 7; },
                   false},
        Difference{"InWhatOnePodAsksFor",
                   [](JobParts& job) {
                     job.pods[1] = MakePod(job.pods[1].meta.name, "b", {{"cpu", "2"}});
                   },
                   false},
        Difference{"InAPriorityOfOnePodThatCountsForNothing",
                   [](JobParts& job) { job.pods[1].spec.priority = 1; }, false},
        Difference{"InWhetherOnePodPreempts",
                   [](JobParts& job) {
                     job.pods[1].spec.preemption_policy = kube::PreemptionPolicy::kNever;
                   },
                   false},
        Difference{"InWhetherOnePodMayBePreempted",
                   [](JobParts& job) {
                     job.pods[1].meta.annotations.Set(model::annotations::kPreemptable, "false");
                   },
                   false},
        Difference{"InAGateOfOnePod",
                   [](JobParts& job) { job.pods[1].spec.scheduling_gates = {"x"}; }, false},
        Difference{"InThatOnePodOptedInToTheGate",
                   [](JobParts& job) {
                     job.pods[1].meta.annotations.Set(model::annotations::kQueueAllocationGate,
                                                      "true");
                   },
                   false},
        Difference{"InThePriorityOfBothPods",
                   &OfBothPods<[](kube::Pod& pod) { pod.spec.priority = 7; }>, false},
        Difference{"InAPriorityOfNothing",
                   &OfBothPods<[](kube::Pod& pod) { pod.spec.priority = 0; }>, false},
        Difference{"InAPriorityThatNoneWouldBeToo",
                   &OfBothPods<[](kube::Pod& pod) { pod.spec.priority = 1; }>, false},
        Difference{"InAPriorityThatAnAnnotationGives", &OfBothPods<[](kube::Pod& pod) {
                     pod.meta.annotations.Set(model::annotations::kTaskPriority, "5");
                   }>,
                   false},
        Difference{"InWhetherTheyPreempt", &OfBothPods<[](kube::Pod& pod) {
                     pod.spec.preemption_policy = kube::PreemptionPolicy::kNever;
                   }>,
                   false},
        Difference{"InWhetherTheyMayBePreempted", &OfBothPods<[](kube::Pod& pod) {
                     pod.meta.annotations.Set(model::annotations::kPreemptable, "false");
                   }>,
                   false},
        Difference{"InAGateOfSomebodyElse",
                   &OfBothPods<[](kube::Pod& pod) { pod.spec.scheduling_gates = {"x"}; }>, false},
        Difference{"InThatTheyOptedInToTheGate", &OfBothPods<[](kube::Pod& pod) {
                     pod.meta.annotations.Set(model::annotations::kQueueAllocationGate, "true");
                   }>,
                   false},
        Difference{"InANomination",
                   [](JobParts& job) { job.pods[1].status.nominated_node_name = "n1"; }, false},
        Difference{"InARoleOfOnePod",
                   [](JobParts& job) {
                     job.pods[1].meta.annotations.Set(model::annotations::kTaskSpec, "worker");
                   },
                   false},
        Difference{"InANetworkTopology",
                   [](JobParts& job) { job.group.network_topology.emplace(); }, false},
        Difference{"InThatOneRunsAlready",
                   [](JobParts& job) {
                     job.pods[1].spec.node_name = "n1";
                     job.pods[1].status.phase = kube::PodPhase::kRunning;
                   },
                   false}),
    [](const auto& row) { return std::string(row.param.name); });

class LikenessOfStatesTest : public testing::Test {
 protected:
  LikenessOfStatesTest() {
    given_.Add(MakeQueue("q"));
    for (const char* name : {"a", "b"}) {
      given_.Add(MakeGroup(name, "q", 1)).Add(MakePod(name, name, {{"cpu", "1"}}));
    }
    plugins_ = testutil::MakePlugins(Config(), PluginRegistry{});
  }
  std::string Of(std::string_view job) {
    return LikenessOf(given_.cluster, *plugins_, given_.job(job));
  }
  TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
};

TEST_F(LikenessOfStatesTest, AClaimOneThatLapsedAndAGateOnItsWayOutMakeADifference) {
  const model::TaskId id = given_.task("b").id;
  EXPECT_EQ(Of("a"), Of("b"));
  given_.cluster.Move(id, {.queue_claim = true});
  EXPECT_NE(Of("a"), Of("b"));
  given_.cluster.Move(id, {.lapsed = true});
  EXPECT_NE(Of("a"), Of("b"));
  given_.cluster.Move(id, {});
  EXPECT_EQ(Of("a"), Of("b"));
  given_.cluster.SetUngating(id, true);
  EXPECT_NE(Of("a"), Of("b"));
}

TEST_F(LikenessOfStatesTest, APodWithoutAGroupIsNotLikeOneThatIsAlone) {
  given_.Add(MakePod("alone", "its-own", {{"cpu", "1"}}));
  given_.cluster.SetShadow(given_.task("alone").id,
                           std::make_shared<const kube::PodGroup>(MakeGroup("", "q", 1)), "q");
  const model::Job& shadow = given_.cluster.job(given_.task("alone").job);
  ASSERT_TRUE(shadow.shadow);
  // A group that has all that the shadow has.
  kube::PodGroup like = MakeGroup("a", "q", 1, kube::PodGroupPhase::kPending);
  like.min_resources = testutil::Resources({{"cpu", "1"}, {"pods", "1"}});
  given_.Add(like);
  EXPECT_FALSE(LikenessOf(given_.cluster, *plugins_, shadow).empty());
  EXPECT_NE(LikenessOf(given_.cluster, *plugins_, shadow), Of("a"));
}

TEST_F(LikenessOfStatesTest, WhoOptedInToTheGateIsNotLikeOneThatItHoldsForGood) {
  for (const char* name : {"a", "b"}) {
    kube::Pod pod = MakePod(name, name, {{"cpu", "1"}});
    pod.spec.scheduling_gates = {std::string(model::annotations::kQueueAllocationGate)};
    if (*name == 'b') pod.meta.annotations.Set(model::annotations::kQueueAllocationGate, "true");
    given_.Add(std::move(pod));
  }
  EXPECT_FALSE(Of("a").empty());
  EXPECT_NE(Of("a"), Of("b"));
}

TEST_F(LikenessOfStatesTest, TheSameAmountOfAnotherResourceMakesADifference) {
  given_.Add(MakeNode("n1", {{"cpu", "8"}, {"example.com/gpu", "1"}}));
  const auto wants = [&](const char* job, const char* resource, const char* amount) {
    kube::PodGroup group = MakeGroup(job, "q", 1);
    group.min_resources = testutil::Resources({{resource, amount}});
    given_.Add(std::move(group));
  };
  wants("a", "pods", "1000");
  wants("b", "example.com/gpu", "1");  // counted in thousandths
  EXPECT_NE(Of("a"), Of("b"));
}

TEST_F(LikenessOfStatesTest, AJobWithoutAGroupOrWithoutPodsThatWaitIsLikeNoOther) {
  given_.Add(MakePod("early", "missing", {{"cpu", "1"}})).Add(MakeGroup("empty", "q", 1));
  EXPECT_EQ(Of("missing"), "");
  EXPECT_EQ(Of("empty"), "");
}

// ---- why tasks of a class have no node, for a while

TEST(ExplanationsTest, HoldForTenSecondsOfTheSameQuestion) {
  TestCluster given;
  given.Add(MakePod("p", "", {{"cpu", "1"}})).Add(MakePod("r", "", {{"cpu", "2"}}));
  const model::TaskClass* of = given.task("p").task_class;
  const Time now = testutil::kTestNow;
  Explanations known;
  const Explanations::Question asked{.task_class = of, .queue = 1, .objects = 5};
  EXPECT_EQ(known.Find(asked, now), nullptr);
  known.Keep(asked, {.nodes = 3}, now, std::nullopt);
  ASSERT_NE(known.Find(asked, now), nullptr);
  EXPECT_EQ(known.Find(asked, now)->nodes, 3);
  EXPECT_NE(known.Find(asked, now + 10s - 1ms), nullptr);
  EXPECT_EQ(known.Find(asked, now + 10s), nullptr);
  EXPECT_EQ(known.Find(asked, now - 1ms), nullptr) << "the clock went back";
  const auto other = [&](auto change) {
    Explanations::Question question = asked;
    change(question);
    return known.Find(question, now);
  };
  using Question = Explanations::Question;
  EXPECT_EQ(other([](Question& q) { q.queue = 2; }), nullptr);
  EXPECT_EQ(other([](Question& q) { q.objects = 6; }), nullptr);
  EXPECT_EQ(other([](Question& q) { q.room_counts = false; }), nullptr);
  EXPECT_EQ(other([&](Question& q) { q.task_class = given.task("r").task_class; }), nullptr);
  known.Keep(asked, {.nodes = 4}, now, now + 3s);
  EXPECT_NE(known.Find(asked, now + 2s), nullptr);
  EXPECT_EQ(known.Find(asked, now + 3s), nullptr) << "time changes it";
  known.Keep(asked, {.nodes = 4}, now, now + 30s);
  EXPECT_EQ(known.Find(asked, now + 10s), nullptr);
  known.Clear();
  EXPECT_EQ(known.Find(asked, now), nullptr);
}

}  // namespace
}  // namespace basalt::scheduler
