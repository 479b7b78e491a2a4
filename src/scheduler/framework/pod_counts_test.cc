#include "scheduler/framework/pod_counts.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler {
namespace {

using model::TaskStatus;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::TestCluster;

kube::LabelSelector Selector(std::string_view text) {
  return kube::LabelSelector::Parse(text).value();
}

kube::Pod LabelledPod(std::string name, std::string_view ns, std::string_view app) {
  kube::Pod pod = MakePod(std::move(name), "", {{"cpu", "1m"}});
  pod.meta.ns = std::string(ns);
  if (!app.empty()) pod.meta.labels.Set("app", app);
  return pod;
}

kube::PodAffinityTerm TermAbout(std::string_view selector, std::string_view topology) {
  kube::PodAffinityTerm term;
  term.label_selector = Selector(selector);
  term.topology_key = std::string(topology);
  return term;
}

// ---- which pods a term is about

struct MatcherRow {
  const char* name;
  kube::PodAffinityTerm term;
  bool web_here, web_there, db_here;  // pods of two namespaces
};

class PodMatcherTest : public testing::TestWithParam<MatcherRow> {};

model::Objects TwoNamespaces() {
  model::Objects objects;
  for (const char* name : {"here", "there"}) {
    kube::Namespace ns;
    ns.meta.name = name;
    ns.meta.labels.Set("team", name);
    objects.namespaces.Set(std::make_shared<const kube::Namespace>(ns));
  }
  return objects;
}

TEST_P(PodMatcherTest, MatchesByNamespaceAndLabels) {
  const MatcherRow& row = GetParam();
  const model::Objects objects = TwoNamespaces();
  const PodMatcher matcher = PodMatcher::Of(row.term, LabelledPod("me", "here", ""), objects);
  EXPECT_EQ(matcher.Matches(LabelledPod("a", "here", "web")), row.web_here);
  EXPECT_EQ(matcher.Matches(LabelledPod("b", "there", "web")), row.web_there);
  EXPECT_EQ(matcher.Matches(LabelledPod("c", "here", "db")), row.db_here);
}

kube::PodAffinityTerm InNamespaces(std::vector<std::string> names,
                                   std::optional<std::string_view> selector = {}) {
  kube::PodAffinityTerm term = TermAbout("app=web", "zone");
  term.namespaces = std::move(names);
  if (selector) term.namespace_selector = Selector(*selector);
  return term;
}

INSTANTIATE_TEST_SUITE_P(
    Terms, PodMatcherTest,
    testing::Values(
        MatcherRow{"TheOwnNamespaceWhereNoneIsNamed", TermAbout("app=web", "zone"), true, false,
                   false},
        MatcherRow{"NamedNamespaces", InNamespaces({"there"}), false, true, false},
        MatcherRow{"SelectedNamespaces", InNamespaces({}, "team=there"), false, true, false},
        MatcherRow{"NamedAndSelectedOnes", InNamespaces({"here"}, "team=there"), true, true, false},
        MatcherRow{"AllNamespaces", InNamespaces({}, ""), true, true, false},
        MatcherRow{"NoSelectorMatchesNothing", kube::PodAffinityTerm{.topology_key = "zone"}, false,
                   false, false},
        MatcherRow{"AnEmptySelectorMatchesEverything", TermAbout("", "zone"), true, false, true},
        MatcherRow{"OneOfSeveralValues", TermAbout("app in (web, db)", "zone"), true, false, true},
        MatcherRow{"AnyValue", TermAbout("app", "zone"), true, false, true},
        MatcherRow{"NoSuchLabel", TermAbout("!app", "zone"), false, false, false},
        MatcherRow{"AnotherValue", TermAbout("app!=db", "zone"), true, false, false}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(PodMatchersTest, OnesThatSayTheSameHaveOneNumberAndOthersHaveOthers) {
  const model::Objects objects = TwoNamespaces();
  const std::vector<kube::PodAffinityTerm> terms = {TermAbout("app=web", "zone"),
                                                    TermAbout("app=db", "zone"),
                                                    TermAbout("app!=web", "zone"),
                                                    TermAbout("app in (web, db)", "zone"),
                                                    TermAbout("app", "zone"),
                                                    TermAbout("!app", "zone"),
                                                    TermAbout("app notin (web)", "zone"),
                                                    TermAbout("size>1", "zone"),
                                                    TermAbout("", "zone"),
                                                    kube::PodAffinityTerm{},
                                                    InNamespaces({"there"}),
                                                    InNamespaces({}, "")};
  PodMatchers matchers;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    EXPECT_EQ(matchers.Intern(PodMatcher::Of(terms[i], LabelledPod("me", "here", ""), objects)), i);
  }
  for (std::size_t i = 0; i < terms.size(); ++i) {
    EXPECT_EQ(matchers.Intern(PodMatcher::Of(terms[i], LabelledPod("it", "here", ""), objects)), i)
        << "of another pod of the namespace the same";
  }
  // Those that match are found without asking the others.
  for (const char* ns : {"here", "there"}) {
    for (const char* app : {"web", "db", "", "none"}) {
      kube::Pod pod = LabelledPod("a", ns, app);
      for (const char* size : {"", "1", "2"}) {
        if (*size) pod.meta.labels.Set("size", size);
        for (const PodMatchers::Number from : {0u, 3u, 12u}) {
          std::vector<PodMatchers::Number> want, got;
          for (PodMatchers::Number n = from; n < matchers.size(); ++n) {
            if (matchers[n].Matches(pod)) want.push_back(n);
          }
          matchers.FindMatching(pod, from, &got);
          EXPECT_EQ(got, want) << ns << " " << app << " " << size << " from " << from;
        }
      }
    }
  }
  EXPECT_EQ(matchers.ValuesNeeded(0)->key, "app");
  EXPECT_EQ(matchers.ValuesNeeded(3)->values.size(), 2u);
  EXPECT_EQ(matchers.ValuesNeeded(2), nullptr);
  EXPECT_EQ(matchers.ValuesNeeded(9), nullptr);
}

TEST(PodMatchersTest, AllOfMatchesWhatEachMatches) {
  const model::Objects objects;
  const kube::Pod owner = LabelledPod("me", "here", "");
  std::vector<PodMatcher> both;
  both.push_back(PodMatcher::Of(TermAbout("app=web", "zone"), owner, objects));
  both.push_back(PodMatcher::Of(TermAbout("size", "zone"), owner, objects));
  const PodMatcher matcher = PodMatcher::AllOf(std::move(both));
  kube::Pod pod = LabelledPod("a", "here", "web");
  EXPECT_FALSE(matcher.Matches(pod));
  pod.meta.labels.Set("size", "1");
  EXPECT_TRUE(matcher.Matches(pod));
}

TEST(PodMatchersTest, ASpreadConstraintCountsPodsOfTheOwnersNamespaceAndOfItsOwnLabelValues) {
  kube::TopologySpreadConstraint constraint;
  const kube::Pod owner = LabelledPod("me", "here", "web");
  EXPECT_FALSE(PodMatcher::Of(constraint, owner).Matches(owner)) << "no selector";
  constraint.label_selector = Selector("");
  EXPECT_FALSE(PodMatcher::Of(constraint, owner).Matches(owner)) << "one that says nothing";
  constraint.match_label_keys = {"app", "missing"};
  const PodMatcher matcher = PodMatcher::Of(constraint, owner);
  EXPECT_TRUE(matcher.Matches(LabelledPod("a", "here", "web")));
  EXPECT_FALSE(matcher.Matches(LabelledPod("b", "here", "db")));
  EXPECT_FALSE(matcher.Matches(LabelledPod("c", "there", "web")));
}

// ---- counts, against counting by hand

void AffinityTerms(const kube::Pod& pod, std::vector<PodCounts::OwnTerm>* terms) {
  if (!pod.spec.affinity) return;
  int weight = 1;
  for (const kube::PodAffinityTerm& term : pod.spec.affinity->pod_anti.required) {
    terms->push_back({&term, weight++});
  }
}

class PodCountsTest : public testing::Test {
 protected:
  PodCountsTest() {
    for (int i = 0; i < 8; ++i) {
      kube::Node node = MakeNode("n" + std::to_string(i), {{"cpu", "8"}});
      if (i != 7) node.meta.labels.Set("zone", "z" + std::to_string(i % 3));
      node.meta.labels.Set("host", "h" + std::to_string(i));
      given_.Add(std::move(node));
    }
    const char* apps[] = {"web", "db", "", "cache"};
    for (int i = 0; i < 24; ++i) {
      kube::Pod pod = LabelledPod("p" + std::to_string(i), i % 2 ? "here" : "there", apps[i % 4]);
      pod.meta.labels.Set("i", std::to_string(i % 3));
      if (i % 3 == 0) {
        kube::Affinity affinity;
        affinity.pod_anti.required.push_back(TermAbout("app=web", i % 4 < 2 ? "zone" : "host"));
        affinity.pod_anti.required.push_back(TermAbout(i % 2 ? "app" : "i in (1, 2)", "zone"));
        pod.spec.affinity = affinity;
      }
      given_.Add(std::move(pod));
    }
    given_.cluster.SplitClasses();
    given_.cluster.tasks().ForEach([&](const model::Task& task) { tasks_.push_back(task.id); });
  }
  void Move(model::TaskId id, const model::Holding& to) {
    const model::Task& task = given_.cluster.task(id);
    const model::Holding from = task.holding;
    given_.cluster.Move(id, to);
    counts_.TaskMoved(task, from);
  }
  // A step that makes sense for a task as it stands.
  void Step(Random& random) {
    const model::Task& task = given_.cluster.task(tasks_[random.Below(tasks_.size())]);
    const model::NodeId node = given_.cluster.nodes()[random.Below(8)];
    switch (task.status()) {
      case TaskStatus::kPending:
        Move(task.id,
             {.status = random.Chance(0.7) ? TaskStatus::kAllocated : TaskStatus::kPipelined,
              .node = node});
        return;
      case TaskStatus::kAllocated:
        Move(task.id, random.Chance(0.5)
                          ? model::Holding{}
                          : model::Holding{.status = TaskStatus::kReleasing, .node = task.node()});
        return;
      default: Move(task.id, {}); return;
    }
  }
  std::vector<PodMatcher> Matchers() const {
    std::vector<PodMatcher> matchers;
    const kube::Pod owner = LabelledPod("me", "here", "");
    for (const char* text : {"app=web", "app in (web, db)", "app", "!app", "i!=1", "i=2", ""}) {
      matchers.push_back(PodMatcher::Of(TermAbout(text, "zone"), owner, given_.cluster.objects()));
      kube::PodAffinityTerm everywhere = TermAbout(text, "zone");
      everywhere.namespace_selector = kube::LabelSelector();
      matchers.push_back(PodMatcher::Of(everywhere, owner, given_.cluster.objects()));
    }
    return matchers;
  }
  void CheckMatching(const PodMatcher& matcher, const char* key, PodCounts::CountRule rule) {
    const Topology& topology = counts_.TopologyOf(key);
    const DomainCounts& counts = counts_.Matching(matcher, topology, rule);
    std::vector<std::int64_t> want(static_cast<std::size_t>(topology.domains()));
    given_.cluster.tasks().ForEach([&](const model::Task& task) {
      const std::int32_t domain = topology.DomainOf(task.node());
      if (!model::OccupiesNode(task.holding) || domain == Topology::kNoDomain) return;
      if (rule.Counts(task.holding) && matcher.Matches(*task.pod)) ++want[domain];
    });
    for (std::size_t d = 0; d < want.size(); ++d) {
      ASSERT_EQ(counts.Count(static_cast<std::int32_t>(d)), want[d]) << key << " " << d;
    }
  }
  void CheckAbout(const model::Task& task) {
    std::map<std::string, std::map<std::int32_t, std::int64_t>> want, got;
    std::vector<PodCounts::OwnTerm> terms;
    given_.cluster.tasks().ForEach([&](const model::Task& owner) {
      if (!model::OccupiesNode(owner.holding)) return;
      terms.clear();
      AffinityTerms(*owner.pod, &terms);
      for (const PodCounts::OwnTerm& own : terms) {
        const auto matcher = PodMatcher::Of(*own.term, *owner.pod, given_.cluster.objects());
        const std::int32_t domain =
            counts_.TopologyOf(own.term->topology_key).DomainOf(owner.node());
        if (domain != Topology::kNoDomain && matcher.Matches(*task.pod)) {
          want[own.term->topology_key][domain] += own.weight;
        }
      }
    });
    for (const auto& about : counts_.About(task)) {
      const char* key = &about->topology() == &counts_.TopologyOf("zone") ? "zone" : "host";
      about->ForEachDomain(
          [&](std::int32_t domain, std::int64_t weight) { got[key][domain] += weight; });
    }
    ASSERT_EQ(got, want) << task.name();
  }

  TestCluster given_;
  PodCounts counts_{&AffinityTerms};
  std::vector<model::TaskId> tasks_;
};

class PodCountsByHandTest : public PodCountsTest, public testing::WithParamInterface<int> {};

TEST_P(PodCountsByHandTest, AreWhatLookingAtEveryPodWouldGive) {
  Random random(static_cast<std::uint64_t>(GetParam()));
  const std::vector<PodMatcher> matchers = Matchers();
  for (int session = 0; session < 3; ++session) {
    counts_.Open(given_.cluster);
    for (int step = 0; step < 120; ++step) {
      Step(random);
      // Not everything is asked from the start: what comes later is counted then.
      const std::size_t some = random.Below(matchers.size());
      CheckMatching(matchers[some], random.Chance(0.5) ? "zone" : "host",
                    {.leaving = random.Chance(0.5), .promised = random.Chance(0.5)});
      if (HasFatalFailure()) return;
      if (step % 3 == 0) CheckAbout(given_.cluster.task(tasks_[random.Below(tasks_.size())]));
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, PodCountsByHandTest, testing::Range(1, 9));

TEST_F(PodCountsTest, ManyLabelKeysAreIndexedAllAtOnce) {
  counts_.Open(given_.cluster);
  Random random(5);
  for (int step = 0; step < 20; ++step) Step(random);
  const kube::Pod owner = LabelledPod("me", "here", "");
  for (int i = 0; i < 20; ++i) {
    const std::string key = i == 19 ? "app" : "key" + std::to_string(i);
    CheckMatching(
        PodMatcher::Of(TermAbout(key + " in (web, db)", "zone"), owner, given_.cluster.objects()),
        "host", {});
    Step(random);
  }
  CheckMatching(PodMatcher::Of(TermAbout("app=web", "zone"), owner, given_.cluster.objects()),
                "host", {});
}

TEST_F(PodCountsTest, AClassThatIsFirstPlacedWhenAllLabelsAreIndexedIsFoundByThem) {
  counts_.Open(given_.cluster);
  const kube::Pod owner = LabelledPod("me", "here", "");
  const auto about = [&](const std::string& selector) {
    return PodMatcher::Of(TermAbout(selector, "zone"), owner, given_.cluster.objects());
  };
  for (int i = 0; i < 20; ++i) CheckMatching(about("key" + std::to_string(i) + "=x"), "host", {});
  given_.Add(LabelledPod("fresh", "here", "fresh"));
  Move(given_.cluster.FindTask("here", "fresh")->id,
       {.status = TaskStatus::kAllocated, .node = given_.cluster.nodes()[0]});
  CheckMatching(about("app=fresh"), "host", {});
}

TEST_F(PodCountsTest, WhatWasPlacedBeforeAnybodyAskedIsCountedOnce) {
  counts_.Open(given_.cluster);
  for (const model::TaskId id : tasks_) {
    Move(id, {.status = TaskStatus::kAllocated, .node = given_.cluster.nodes()[id.value % 8]});
  }
  for (const model::TaskId id : tasks_) CheckAbout(given_.cluster.task(id));
}

TEST_F(PodCountsTest, AMoveOnTheSameNodeIsNone) {
  counts_.Open(given_.cluster);
  const model::TaskId id = tasks_.front();  // it has terms
  const model::NodeId node = given_.cluster.nodes()[0];
  Move(id, {.status = TaskStatus::kAllocated, .node = node});
  for (const model::TaskId other : tasks_) CheckAbout(given_.cluster.task(other));
  for (const TaskStatus status : {TaskStatus::kBinding, TaskStatus::kRunning}) {
    Move(id, {.status = status, .node = node});
    for (const model::TaskId other : tasks_) CheckAbout(given_.cluster.task(other));
  }
  Move(id, {.status = TaskStatus::kRunning, .node = given_.cluster.nodes()[1]});
  for (const model::TaskId other : tasks_) CheckAbout(given_.cluster.task(other));
}

TEST_F(PodCountsTest, HoweverManyMovesThereAreNoneIsLost) {
  kube::Pod many = LabelledPod("many", "here", "cache");
  kube::Affinity affinity;
  for (int i = 0; i < 64; ++i) {
    affinity.pod_anti.required.push_back(
        TermAbout(i % 2 ? "app=web" : "i!=" + std::to_string(i), i % 3 ? "zone" : "host"));
  }
  many.spec.affinity = affinity;
  given_.Add(std::move(many));
  given_.cluster.SplitClasses();
  const model::TaskId moves = given_.cluster.FindTask("here", "many")->id;
  counts_.Open(given_.cluster);
  const model::Holding there{.status = TaskStatus::kAllocated, .node = given_.cluster.nodes()[0]};
  Move(tasks_[3], there);
  for (const model::TaskId id : tasks_) CheckAbout(given_.cluster.task(id));
  Move(tasks_[6], there);            // nobody has asked since
  for (int i = 0; i < 9'000; ++i) {  // of 64 terms each: the log of changes is cut
    Move(moves, there);
    Move(moves, {});
  }
  Move(moves, there);
  for (const model::TaskId id : tasks_) CheckAbout(given_.cluster.task(id));
}

TEST(PodMatchersTest, AllNamespacesAreTheSameWhicheverAreNamedBeside) {
  const model::Objects objects = TwoNamespaces();
  PodMatchers matchers;
  const kube::Pod owner = LabelledPod("me", "here", "");
  const auto number = matchers.Intern(PodMatcher::Of(InNamespaces({}, ""), owner, objects));
  EXPECT_EQ(matchers.Intern(PodMatcher::Of(InNamespaces({"there"}, ""), owner, objects)), number);
}

TEST_F(PodCountsTest, ANamespaceThatGetsALabelIsSelectedFromTheNextSessionOn) {
  kube::PodAffinityTerm term = TermAbout("app=web", "zone");
  term.namespace_selector = Selector("team=a");
  const kube::Pod owner = LabelledPod("me", "here", "");
  for (const bool labelled : {false, true}) {
    kube::Namespace ns;
    ns.meta.name = "there";
    if (labelled) ns.meta.labels.Set("team", "a");
    given_.cluster.mutable_objects().namespaces.Set(std::make_shared<const kube::Namespace>(ns));
    counts_.Open(given_.cluster);
    Random random(3);
    for (int step = 0; step < 10; ++step) Step(random);
    CheckMatching(PodMatcher::Of(term, owner, given_.cluster.objects()), "host", {});
    for (const model::TaskId id : tasks_) CheckAbout(given_.cluster.task(id));
  }
}

}  // namespace
}  // namespace basalt::scheduler
