// What those are told who follow the answers of rules about other pods.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::plugins {
namespace {

using testutil::MakePod;

// Nodes a, b and c, the last two in one zone; pods x0, x1 and x2 of app x, and p, who has a rule
// about them. p and z are a gang.
class FollowedRuleTest : public testing::Test {
 protected:
  FollowedRuleTest() {
    for (const char* name : {"a", "b", "c"}) {
      kube::Node node = testutil::MakeNode(name, {{"cpu", "8"}});
      node.meta.labels.Set("zone", *name == 'a' ? "1" : "2");
      given_.Add(std::move(node));
    }
    given_.Add(testutil::MakeQueue("q")).Add(testutil::MakeGroup("g", "q", 2));
    given_.Add(MakePod("z", "g", {{"cpu", "1"}}));
    for (const char* name : {"x0", "x1", "x2"}) {
      kube::Pod pod = MakePod(name, "", {{"cpu", "1"}});
      pod.meta.labels.Set("app", "x");
      given_.Add(std::move(pod));
    }
  }
  void Open(kube::Pod p) {
    given_.Add(std::move(p));
    plugins_ = testutil::MakePlugins(testutil::OneTier({"predicates"}), BuiltinPlugins());
    session_.emplace(given_.cluster, *plugins_, testutil::kTestNow);
    statement_.emplace(*session_);
    filter_ = plugins_->hooks<NodeFilter>().front().front();
    std::vector<NodeFilter::Part> parts;
    filter_->FilterParts(given_.task("p"), &parts);
    part_ = std::ranges::find(parts, DependsOn::kCluster, &NodeFilter::Part::depends_on)->number;
  }
  void Place(const char* task, const char* node) {
    statement_->Allocate(given_.task(task).id, given_.node(node).id);
  }
  // Since the last time: "any", or the nodes by name.
  std::string Changes() {
    std::vector<NodeId> nodes;
    if (filter_->FindChanges(given_.task("p"), part_, &seen_, &nodes) !=
        NodeFilter::Changes::kListed) {
      return "any";
    }
    std::set<std::string> names;
    for (const NodeId node : nodes) names.insert(given_.cluster.node(node).name);
    std::string all;
    for (const std::string& name : names) all += name;
    return all;
  }

  testutil::TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
  std::optional<Session> session_;
  std::optional<Statement> statement_;
  const NodeFilter* filter_ = nullptr;
  int part_ = 0;
  std::vector<std::uint64_t> seen_;
};

kube::Pod NearX() {
  kube::Pod p = MakePod("p", "g", {{"cpu", "1"}});
  kube::PodAffinityTerm& term = p.spec.affinity.emplace().pod.required.emplace_back();
  term.label_selector = kube::LabelSelector::OfLabels({{"app", "x"}});
  term.topology_key = "zone";
  return p;
}

TEST_F(FollowedRuleTest, AffinityChangesWhereTheFirstComesOrTheLastGoes) {
  Open(NearX());
  Place("x0", "a");
  EXPECT_EQ(Changes(), "any") << "the first time";
  EXPECT_EQ(Changes(), "");
  Place("x1", "b");
  EXPECT_EQ(Changes(), "bc") << "the nodes of a zone";
  Place("x2", "c");
  EXPECT_EQ(Changes(), "") << "there is one already";
  statement_->Discard();
  EXPECT_EQ(Changes(), "abc");
}

TEST_F(FollowedRuleTest, AffinityMayChangeAnywhereWhenTheGangCountsOnItsPromises) {
  Open(NearX());
  Place("x0", "a");
  EXPECT_EQ(Changes(), "any");
  statement_->Pipeline(given_.task("z").id, given_.node("b").id, false);
  EXPECT_EQ(Changes(), "any");
  EXPECT_EQ(Changes(), "");
}

TEST_F(FollowedRuleTest, AfterMoreChangesThanAreKeptAnyNodesAnswerMayHaveChanged) {
  Open(NearX());
  EXPECT_EQ(Changes(), "any");
  for (int i = 0; i < 40'000; ++i) {
    Place("x1", "b");
    statement_->Discard();
  }
  EXPECT_EQ(Changes(), "any");
  EXPECT_EQ(Changes(), "");
}

TEST_F(FollowedRuleTest, SpreadingChangesWhereADomainGetsTooFullOrTheEmptiestFills) {
  kube::Pod p = MakePod("p", "g", {{"cpu", "1"}});
  p.meta.labels.Set("app", "x");
  p.spec.topology_spread_constraints.push_back(
      {.max_skew = 1,
       .topology_key = "zone",
       .label_selector = kube::LabelSelector::OfLabels({{"app", "x"}})});
  Open(std::move(p));
  EXPECT_EQ(Changes(), "any") << "the first time";
  EXPECT_EQ(Changes(), "");
  Place("x0", "a");
  EXPECT_EQ(Changes(), "a") << "one more would be two too many";
  Place("x1", "b");
  EXPECT_EQ(Changes(), "abc") << "the emptiest has one";
  Place("x2", "c");
  EXPECT_EQ(Changes(), "bc");
  statement_->Discard();
  EXPECT_EQ(Changes(), "bc") << "all may take it again";
}

}  // namespace
}  // namespace basalt::scheduler::plugins
