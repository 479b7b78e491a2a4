#include "scheduler/framework/task_rules.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "testing/model/test_cluster.h"

namespace basalt::scheduler {
namespace {

using testutil::MakeNode;
using testutil::MakePod;
using testutil::TestCluster;

bool HasLetter(const kube::StringMap& labels, char letter) {
  return labels.Get("rules").find(letter) != std::string_view::npos;
}

// What concerns a task is in its label, a letter each: a filter that is static, two of the node,
// one of the cluster, a score, a score of all nodes together. A node refuses by the letters of its.
class LetterRules final : public Plugin, public NodeFilter, public NodeScorer, public BatchScorer {
 public:
  void FilterParts(const Task& task, std::vector<Part>* parts) const override {
    const auto add = [&](char letter, DependsOn depends_on) {
      if (HasLetter(task.pod->meta.labels, letter)) parts->push_back({depends_on, letter});
    };
    add('s', DependsOn::kStatic);
    add('n', DependsOn::kNode);
    add('m', DependsOn::kNode);
    add('c', DependsOn::kCluster);
  }
  Verdict Filter(const Task&, const Node& node, int part) const override {
    if (!HasLetter(node.object->meta.labels, static_cast<char>(part))) return Verdict::Ok();
    return Verdict::Unschedulable(part == 's' ? "s" : part == 'n' ? "n" : "m");
  }
  DependsOn ScoreDependsOn(const Task& task) const override {
    return HasLetter(task.pod->meta.labels, 'o') ? DependsOn::kNode : DependsOn::kNothing;
  }
  void ScoreNodes(const Task&, std::span<const NodeId>, std::span<double>) const override {}
  bool Concerns(const Task& task) const override { return HasLetter(task.pod->meta.labels, 't'); }
  void ScoreBatch(const Task&, std::span<const NodeId>, std::span<double>) const override {}
};

class TaskRulesTest : public testing::Test {
 protected:
  TaskRulesTest() {
    plugins_ = testutil::MakePlugins(testutil::OneTier({"letters"}),
                                     PluginRegistry{{{"letters", []() -> std::unique_ptr<Plugin> {
                                                        return std::make_unique<LetterRules>();
                                                      }}}});
  }
  const Task& TaskWith(const std::string& letters) {
    kube::Pod pod = MakePod("pod" + letters, "", {{"cpu", "1"}});
    pod.meta.labels.Set("rules", letters);
    given_.Add(std::move(pod));
    return given_.task("pod" + letters);
  }
  const Node& NodeThatRefuses(const std::string& letters) {
    kube::Node node = MakeNode("node" + letters, {{"cpu", "1"}});
    node.meta.labels.Set("rules", letters);
    given_.Add(std::move(node));
    return given_.node("node" + letters);
  }
  static std::vector<std::size_t> Sizes(const TaskRules& rules) {
    return {rules.of_static.size(), rules.of_node.size(), rules.of_cluster.size(),
            rules.scorers.size(), rules.batch_scorers.size()};
  }

  TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
  TaskRules rules_;
};

TEST_F(TaskRulesTest, AreThoseOfTheLastTaskAlone) {
  const std::vector<std::size_t> all = {1, 2, 1, 1, 1}, none = {0, 0, 0, 0, 0};
  rules_.Find(*plugins_, TaskWith("snmcot"));
  EXPECT_EQ(Sizes(rules_), all);
  rules_.Find(*plugins_, TaskWith(""));
  EXPECT_EQ(Sizes(rules_), none);
}

TEST_F(TaskRulesTest, OfTheClusterComeAndGoWhileASessionLasts) {
  const Task& task = TaskWith("ct");
  rules_.Find(*plugins_, task);
  EXPECT_FALSE(rules_.FindClusterRules(*plugins_, task)) << "they are as they were";
  EXPECT_TRUE(rules_.FindClusterRules(*plugins_, TaskWith("")));
  EXPECT_EQ(Sizes(rules_), (std::vector<std::size_t>{0, 0, 0, 0, 0}));
  EXPECT_TRUE(rules_.FindClusterRules(*plugins_, task));
  EXPECT_EQ(Sizes(rules_), (std::vector<std::size_t>{0, 0, 1, 0, 1}));
}

TEST_F(TaskRulesTest, TheFirstThatRefusesANodeIsTheReason) {
  const Task& task = TaskWith("snm");
  rules_.Find(*plugins_, task);
  VerdictCache verdicts;
  for (const std::string letters : {"", "s", "n", "m", "sm", "nm"}) {
    const Node& node = NodeThatRefuses(letters);
    const auto statics = verdicts.StaticsOf(task, 0, given_.cluster.node_slots().bound());
    verdicts.ForgetStatics();
    EXPECT_EQ(verdicts.Get(verdicts.NodeVerdict(*statics, rules_, task, node)).reason,
              letters.substr(0, 1));
  }
}

// ---- VerdictCache

TEST(VerdictCacheTest, AVerdictHasOneNumberWhateverWasKeptSince) {
  VerdictCache verdicts;
  EXPECT_EQ(verdicts.Keep(Verdict::Ok()), VerdictCache::kFits);
  const auto full = verdicts.Keep(Verdict::Unschedulable("full"));
  const auto tainted = verdicts.Keep(Verdict::Unresolvable("tainted"));
  EXPECT_NE(full, tainted);
  EXPECT_EQ(verdicts.Keep(Verdict::Unschedulable("full")), full);
  EXPECT_EQ(verdicts.Keep(Verdict::Unresolvable("tainted")), tainted);
  EXPECT_EQ(verdicts.Get(full), Verdict::Unschedulable("full"));
  EXPECT_EQ(verdicts.bound(), 4u);
}

TEST(VerdictCacheTest, BeyondWhatANumberCanCountTheLastOneStandsForTheRest) {
  std::vector<std::string> reasons;
  for (int i = 0; i < 70'000; ++i) reasons.push_back(std::to_string(i));
  VerdictCache verdicts;
  const auto first = verdicts.Keep(Verdict::Unschedulable(reasons.front()));
  VerdictCache::Number last = 0;
  for (const std::string& reason : reasons) last = verdicts.Keep(Verdict::Unschedulable(reason));
  EXPECT_EQ(verdicts.bound(), 65'535u);
  EXPECT_EQ(last, verdicts.bound() - 1);
  EXPECT_EQ(verdicts.Keep(Verdict::Unschedulable(reasons.front())), first);
}

TEST(VerdictCacheTest, StaticVerdictsAreKeptUntilThereAreTooManyKinds) {
  TestCluster given;
  given.Add(MakePod("p", "", {{"cpu", "1"}}));
  const Task& task = given.task("p");
  VerdictCache verdicts;
  const std::weak_ptr<VerdictCache::Statics> first = verdicts.StaticsOf(task, 0, 1);
  for (std::uint64_t queue = 1; queue < 512; ++queue) verdicts.StaticsOf(task, queue, 1);
  EXPECT_EQ(verdicts.StaticsOf(task, 0, 1), first.lock());
  EXPECT_FALSE(first.expired());
  verdicts.StaticsOf(task, 512, 1);
  EXPECT_TRUE(first.expired());
}

}  // namespace
}  // namespace basalt::scheduler
