#include "scheduler/framework/pod_counts.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <memory>
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
    const std::string key = i == 0 || i == 19 ? "app" : "key" + std::to_string(i);
    CheckMatching(
        PodMatcher::Of(TermAbout(key + " in (web, db)", "zone"), owner, given_.cluster.objects()),
        "host", {});
    Step(random);
  }
  CheckMatching(PodMatcher::Of(TermAbout("app=db", "zone"), owner, given_.cluster.objects()),
                "host", {});
}

TEST_F(PodCountsTest, APodCountsOnceThoughTwoOfItsLabelsReadTheSameWithTheirValues) {
  kube::Pod pod = LabelledPod("twice", "here", "");
  pod.meta.labels.Set("a", "bx");
  pod.meta.labels.Set("ab", "x");
  given_.Add(pod);
  counts_.Open(given_.cluster);
  Move(given_.cluster.FindTask("here", "twice")->id,
       {.status = TaskStatus::kAllocated, .node = given_.cluster.nodes()[0]});
  for (const char* selector : {"a=bx", "ab=x"}) {
    CheckMatching(PodMatcher::Of(TermAbout(selector, "zone"), pod, given_.cluster.objects()),
                  "host", {});
  }
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
  const auto check = [&] {
    for (const model::TaskId other : tasks_) CheckAbout(given_.cluster.task(other));
    for (const PodMatcher& matcher : Matchers()) CheckMatching(matcher, "host", {});
  };
  Move(id, {.status = TaskStatus::kAllocated, .node = node});
  check();
  const auto about = counts_.About(given_.cluster.task(tasks_[4]));
  ASSERT_FALSE(about.empty()) << "one of its terms is about that one";
  const std::uint64_t steps = about[0]->steps_end();
  for (const TaskStatus status : {TaskStatus::kBinding, TaskStatus::kRunning}) {
    Move(id, {.status = status, .node = node});
    check();
  }
  EXPECT_EQ(about[0]->steps_end(), steps);
  Move(id, {.status = TaskStatus::kRunning, .node = given_.cluster.nodes()[1]});
  check();
  Move(id, {.status = TaskStatus::kSucceeded, .node = given_.cluster.nodes()[1]});
  check();
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
  // One that is asked about early, and whose class's number another class gets.
  const auto add = [&](const char* name, const char* cpu) {
    kube::Pod pod = MakePod(name, "", {{"cpu", cpu}});
    pod.meta.labels.Set("app", "web");
    given_.Add(std::move(pod));
    return given_.task(name).task_class->id;
  };
  const std::uint32_t number = add("early", "2m");
  Move(tasks_[3], there);
  CheckAbout(given_.task("early"));
  given_.cluster.RemovePod("ns", "early");
  ASSERT_EQ(add("late", "3m"), number);
  CheckAbout(given_.task("late"));
  Move(tasks_[6], there);
  Move(moves, there);
  for (const model::TaskId id : tasks_) CheckAbout(given_.cluster.task(id));
  Move(tasks_[6], {});  // nobody has asked since
  Move(moves, {});
  for (int i = 0; i < 9'000; ++i) {  // of 64 terms each: the log of changes is cut
    Move(moves, there);
    Move(moves, {});
  }
  Move(moves, there);
  for (const model::TaskId id : tasks_) CheckAbout(given_.cluster.task(id));
}

// A pod whose term is about web servers in namespaces of team a.
kube::Pod OwnerOfTerm(std::string name, std::string_view topology) {
  kube::Pod pod = LabelledPod(std::move(name), "here", "");
  kube::PodAffinityTerm term = TermAbout("app=web", topology);
  term.namespace_selector = Selector("team=a");
  pod.spec.affinity.emplace().pod_anti.required.push_back(std::move(term));
  return pod;
}

TEST_F(PodCountsTest, TermsOfPlacedPodsAreAboutTheNamespacesThatTheySelectInThisSession) {
  for (const char* topology : {"zone", "host"}) given_.Add(OwnerOfTerm(topology, topology));
  given_.cluster.SplitClasses();
  const model::Holding placed{.status = TaskStatus::kAllocated, .node = given_.cluster.nodes()[0]};
  const auto open = [&](std::initializer_list<std::string_view> labels) {
    kube::Namespace ns;
    ns.meta.name = "there";
    for (const std::string_view key : labels) ns.meta.labels.Set(key, "a");
    given_.cluster.mutable_objects().namespaces.Set(std::make_shared<const kube::Namespace>(ns));
    counts_.Open(given_.cluster);
  };
  const auto check = [&] {
    for (const model::TaskId id : tasks_) CheckAbout(given_.cluster.task(id));
  };
  open({});
  Move(given_.cluster.FindTask("here", "zone")->id, placed);
  for (const model::TaskId id : tasks_) Move(id, placed);
  check();
  for (const PodMatcher& matcher : Matchers()) CheckMatching(matcher, "host", {});
  open({"team"});
  for (const model::TaskId id : tasks_) Move(id, {});
  check();
  open({"team", "more"});
  Move(given_.cluster.FindTask("here", "zone")->id, {});
  Move(given_.cluster.FindTask("here", "host")->id, placed);
  check();
}

TEST(PodCountsOfClustersTest, OfAnotherClusterEverythingIsFoundAnew) {
  const auto owner = std::make_shared<const kube::Pod>(OwnerOfTerm("owner", "host"));
  PodCounts counts{&AffinityTerms};
  TestCluster clusters[2];
  for (TestCluster& given : clusters) {
    const bool selected = &given == clusters;
    kube::Node node = MakeNode("n", {{"cpu", "8"}});
    node.meta.labels.Set("host", "n");
    given.Add(std::move(node));
    kube::Namespace ns;
    ns.meta.name = "there";
    ns.meta.labels.Set("team", selected ? "a" : "b");
    given.cluster.mutable_objects().namespaces.Set(std::make_shared<const kube::Namespace>(ns));
    given.cluster.SetPod(owner, "", {.status = TaskStatus::kAllocated, .node = given.node("n").id});
    given.Add(LabelledPod("web", "there", "web"));
    counts.Open(given.cluster);
    EXPECT_EQ(counts.About(*given.cluster.FindTask("there", "web")).size(), selected ? 1u : 0u);
  }
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
