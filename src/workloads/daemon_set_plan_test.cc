#include "workloads/daemon_set_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "workloads/daemon_set_controller.h"

namespace basalt::workloads {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Time kDaemonNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

// Nodes a, b and c. Pods are written as their node and what they are: "a+" ready, "a" not ready,
// "a-" going, "a!" failed; behind it "'" when it is of an old revision.
class DaemonSetPlanTest : public testing::Test {
 protected:
  DaemonSetPlanTest() {
    for (const char* name : {"a", "b", "c"}) Node(name);
  }
  kube::Node& Node(const std::string& name) {
    kube::Node& node = nodes_.emplace_back();
    node.meta.name = name;
    node.meta.labels = {{"name", name}};
    return node;
  }
  kube::Node& At(std::size_t i) { return nodes_[i]; }

  DaemonSetPlan Plan(std::initializer_list<std::string_view> texts) {
    pods_.clear();
    std::vector<const kube::Pod*> pods;
    for (std::string_view text : texts) {
      kube::Pod& pod = pods_.emplace_back();
      pods.push_back(&pod);
      const bool old = text.ends_with('\'');
      if (old) text.remove_suffix(1);
      pod.spec.node_name = text.substr(0, text.find_first_of("+-!"));
      pod.meta.name = fmt::format("{}-{}", pod.spec.node_name, pods_.size());
      pod.meta.labels = {{"controller-revision-hash", old ? "old" : "new"}};
      pod.status.phase = kube::PodPhase::kRunning;
      if (text.ends_with('+')) {
        pod.status.conditions.push_back({.type = "Ready",
                                         .status = kube::ConditionStatus::kTrue,
                                         .last_transition_time = kDaemonNow - 5s});
      }
      if (text.ends_with('-')) pod.meta.deletion_timestamp = kDaemonNow;
      if (text.ends_with('!')) pod.status.phase = kube::PodPhase::kFailed;
    }
    std::vector<const kube::Node*> nodes;
    for (const kube::Node& node : nodes_) nodes.push_back(&node);
    return PlanDaemonSet(set, pods, nodes, "new", kDaemonNow);
  }

  // "+a +b -c-1".
  std::string Does(std::initializer_list<std::string_view> pods) {
    const DaemonSetPlan plan = Plan(pods);
    std::string text;
    for (const std::string& node : plan.create) text += " +" + node;
    for (const kube::Pod* pod : plan.remove) text += " -" + pod->meta.name;
    return text.empty() ? "" : text.substr(1);
  }

  kube::DaemonSet set;

 private:
  std::deque<kube::Node> nodes_;
  std::deque<kube::Pod> pods_;
};

TEST_F(DaemonSetPlanTest, KeepsOnePodOnEachNode) {
  EXPECT_EQ(Does({}), "+a +b +c");
  EXPECT_EQ(Does({"a+", "b", "c+"}), "");
  EXPECT_EQ(Does({"a+", "a+", "b+", "c+"}), "-a-2") << "the oldest stays";
  EXPECT_EQ(Does({"a!", "b+", "c+"}), "-a-1") << "made again when it is gone";
  EXPECT_EQ(Does({"a-", "b+", "c+"}), "");
  EXPECT_EQ(Does({"a+", "b+", "c+", "gone+"}), "-gone-4");
}

TEST_F(DaemonSetPlanTest, OnlyNodesThatMatchCount) {
  set.pod_template.spec.node_selector = {{"name", "a"}};
  EXPECT_EQ(Does({"b+"}), "+a -b-1");
  EXPECT_EQ(Plan({"b+"}).status.misscheduled, 1);
  set.pod_template.spec.node_selector = {};
  kube::NodeSelector wanted;
  wanted.terms.push_back(
      {.match_expressions = {{.key = "name",
                              .op = kube::NodeSelectorRequirement::Operator::kNotIn,
                              .values = {"a", "b"}}}});
  set.pod_template.spec.affinity.emplace().node.emplace().required = wanted;
  EXPECT_EQ(Does({}), "+c");
}

TEST_F(DaemonSetPlanTest, TaintsKeepThemOffUnlessTolerated) {
  At(0).spec.taints = {{"dedicated", "x", kube::TaintEffect::kNoSchedule}};
  At(1).spec.taints = {{"node.kubernetes.io/unschedulable", "", kube::TaintEffect::kNoSchedule}};
  At(2).spec.taints = {{"soft", "", kube::TaintEffect::kPreferNoSchedule}};
  EXPECT_EQ(Does({}), "+b +c");
  kube::Toleration every{.op = kube::Toleration::Operator::kExists};
  set.pod_template.spec.tolerations = std::vector{every};
  EXPECT_EQ(Does({}), "+a +b +c");
}

TEST_F(DaemonSetPlanTest, AnUpdateTakesAsManyAsMayBeAway) {
  EXPECT_EQ(Does({"a+'", "b+'", "c+'"}), "-a-1");
  EXPECT_EQ(Does({"a", "b+'", "c+'"}), "") << "one is away already";
  EXPECT_EQ(Does({"a+", "b'", "c+'"}), "-b-2") << "what does not work is replaced at once";
  set.max_unavailable = kube::IntOrString{.number = 2};
  EXPECT_EQ(Does({"a+'", "b+'", "c+'"}), "-a-1 -b-2");
  set.strategy = kube::DaemonSet::Strategy::kOnDelete;
  EXPECT_EQ(Does({"a+'", "b+'", "c+'"}), "");
}

TEST_F(DaemonSetPlanTest, TheStatusCountsNodes) {
  set.min_ready_seconds = 30;
  const DaemonSetPlan plan = Plan({"a+", "b'"});
  EXPECT_EQ(plan.status,
            (DaemonSetStatus{
                .current_scheduled = 2, .desired = 3, .ready = 1, .available = 0, .updated = 1}));
  EXPECT_EQ(plan.look_again, kDaemonNow + 25s);
}

TEST_F(DaemonSetPlanTest, APodAsksForItsNode) {
  set.meta.name = "agent";
  set.pod_template.raw = R"({"spec":{"containers":[{"name":"c"}],"affinity":{"podAffinity":{}}}})";
  const boost::json::value pod(DaemonPod(set, "new", "b", "agent-x"));
  EXPECT_EQ(boost::json::serialize(pod.at("spec").at("affinity").at("nodeAffinity")),
            R"({"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":)"
            R"([{"matchFields":[{"key":"metadata.name","operator":"In","values":["b"]}]}]}})");
  EXPECT_TRUE(pod.at("spec").at("affinity").as_object().contains("podAffinity"));
  EXPECT_EQ(pod.at("spec").at("tolerations").as_array().size(), 6u);

  kube::Pod waiting;
  waiting.spec.affinity.emplace().node.emplace().required.emplace().terms.push_back(
      {.match_fields = {{.key = "metadata.name", .values = {"b"}}}});
  EXPECT_EQ(NodeOfDaemon(waiting), "b");
  EXPECT_EQ(NodeOfDaemon(kube::Pod()), "");
}

}  // namespace
}  // namespace basalt::workloads
