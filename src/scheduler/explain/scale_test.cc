#include "scheduler/explain/scale.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <chrono>
#include <iostream>

#include "model/annotations.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::explain {
namespace {

using testing::ElementsAre;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;
using testutil::MakeRunningPod;

constexpr std::string_view kQueueGate = model::annotations::kQueueAllocationGate;

class ScaleTest : public testing::Test {
 protected:
  ScaleTest() {
    given_.Add(MakeQueue("q")).Add(MakeQueue("other")).Add(MakeNode("n1", {{"cpu", "4"}}));
    given_.Add(MakeGroup("g", "q", 1));
  }
  kube::Pod Pod(const char* name, const char* reason = "") {
    kube::Pod pod = MakePod(name, "g", {{"cpu", "1"}});
    if (*reason) {
      pod.status.conditions.push_back(
          {.type = "PodScheduled", .status = kube::ConditionStatus::kFalse, .reason = reason});
    }
    return pod;
  }
  static std::string Text(const SightOf& sight) {
    return fmt::format("{}: {}", ToString(sight.sight), sight.why);
  }
  ScaleRow Row(std::string_view name) {
    rows_ = ExplainScale(given_.cluster, {2min}, {});
    for (const ScaleRow& row : rows_) {
      if (row.task->name() == name) return row;
    }
    ADD_FAILURE() << name << " is not told of";
    return {};
  }
  std::string ClusterAutoscaler(std::string_view name) {
    return Text(Row(name).cluster_autoscaler);
  }
  std::string Karpenter(std::string_view name) { return Text(Row(name).karpenter); }
  static std::vector<std::string> Names(const std::vector<ScaleRow>& rows) {
    std::vector<std::string> names;
    for (const ScaleRow& row : rows) names.push_back(row.task->ns() + "/" + row.task->name());
    return names;
  }

  testutil::TestCluster given_;
  std::vector<ScaleRow> rows_;
};

TEST_F(ScaleTest, PodsThatNoNodeFitsAreSeenAndThoseThatNobodyHasLookedAtAreNot) {
  given_.Add(Pod("odd", "so \"odd\""));
  EXPECT_EQ(boost::json::parse(ToJsonText({Row("odd")})).at("items").as_array()[0].at("karpenter"),
            (boost::json::object{{"sight", "not seen"},
                                 {"why", "its condition says so \"odd\": a node would not help"}}));
  given_.Add(Pod("fits-nowhere", "Unschedulable"))
      .Add(Pod("new"))
      .Add(Pod("few", "NotEnoughTasks"));
  EXPECT_EQ(ClusterAutoscaler("fits-nowhere"), "seen: adds a node");
  EXPECT_EQ(Karpenter("fits-nowhere"), "seen: adds a node");
  for (const auto& [pod, text] :
       {std::pair("new", "not seen: no condition yet"),
        std::pair("few", "not seen: its condition says NotEnoughTasks: a node would not help")}) {
    EXPECT_EQ(ClusterAutoscaler(pod), text);
    EXPECT_EQ(Karpenter(pod), text);
  }
}

TEST_F(ScaleTest, GatedPodsAreNotSeenAndSayWhoseGateItIs) {
  kube::Pod ours = Pod("ours", "SchedulingGated");
  ours.spec.scheduling_gates = {std::string(kQueueGate)};
  ours.meta.annotations.Set(kQueueGate, "true");
  given_.Add(ours);
  EXPECT_EQ(ClusterAutoscaler("ours"), "not seen: gated, waits for its queue");
  EXPECT_EQ(Karpenter("ours"), "not seen: gated, waits for its queue");
  given_.cluster.SetUngating(given_.task("ours").id, true);
  EXPECT_EQ(Karpenter("ours"), "not seen: its gate is being removed");
  ours.spec.scheduling_gates.clear();
  given_.Add(std::move(ours));
  EXPECT_EQ(Karpenter("ours"), "not seen: its gate is gone, its condition will follow");

  kube::Pod foreign = Pod("foreign", "SchedulingGated");
  foreign.spec.scheduling_gates = {"example.com/wait"};
  given_.Add(std::move(foreign));
  EXPECT_EQ(Karpenter("foreign"),
            "not seen: gated by example.com/wait, which Basalt does not remove");
  kube::Pod many = Pod("many", "SchedulingGated");
  for (int i = 0; i < 300; ++i) many.spec.scheduling_gates.push_back("x" + std::to_string(i));
  given_.Add(std::move(many));
  EXPECT_EQ(Karpenter("many"),
            "not seen: gated by x0, x1, x2 and 297 more, which Basalt does not remove");
}

TEST_F(ScaleTest, PromisedPodsCountOnTheirNodesUntilThePromiseEnds) {
  kube::Pod leaving = MakeRunningPod("leaves", "g", {{"cpu", "4"}}, "n1");
  leaving.meta.deletion_timestamp = testutil::kTestNow;
  given_.Add(std::move(leaving));
  kube::Pod promised = Pod("promised", "Unschedulable");
  promised.status.nominated_node_name = "n1";
  given_.Add(promised);
  given_.cluster.Move(given_.task("promised").id,
                      {.status = model::TaskStatus::kPipelined, .node = given_.node("n1").id});
  EXPECT_EQ(ClusterAutoscaler("promised"),
            "placed: counted as placed on n1 until 2025-12-18T00:02:00Z");
  EXPECT_EQ(Karpenter("promised"), "not seen: nominated to n1 until 2025-12-18T00:02:00Z");

  kube::Pod stale = Pod("stale", "Unschedulable");
  stale.status.nominated_node_name = "gone";
  given_.Add(std::move(stale));
  EXPECT_EQ(ClusterAutoscaler("stale"),
            "seen: adds a node, as gone, which it is nominated to, does not exist");
  EXPECT_EQ(Karpenter("stale"), "not seen: nominated to gone, until the nomination is cleared");
}

TEST_F(ScaleTest, TheAutoscalersDifferInWhatTheyLeaveOut) {
  kube::Pod low = Pod("low", "Unschedulable");
  low.spec.priority = -20;
  given_.Add(std::move(low));
  EXPECT_EQ(ClusterAutoscaler("low"),
            "not seen: its priority -20 is below -10, for which no node is made");
  EXPECT_EQ(Karpenter("low"), "seen: adds a node");
  kube::Pod daemon = Pod("daemon", "Unschedulable");
  daemon.meta.owner_references.push_back({.api_version = "apps/v1", .kind = "DaemonSet"});
  given_.Add(std::move(daemon));
  EXPECT_EQ(Karpenter("daemon"), "not seen: of a DaemonSet, or a static pod");
}

TEST_F(ScaleTest, RowsAreSortedFilteredAndCountedAndOnlyOfPodsWithoutANode) {
  given_.Add(MakeGroup("h", "other", 1));
  given_.Add(Pod("b", "Unschedulable")).Add(Pod("a")).Add(MakePod("c", "h", {{"cpu", "1"}}));
  given_.Add(MakeRunningPod("runs", "g", {{"cpu", "1"}}, "n1"));
  given_.Add(MakePod("lost", "nowhere", {{"cpu", "1"}}));
  EXPECT_THAT(Names(ExplainScale(given_.cluster, {2min}, {})),
              ElementsAre("ns/a", "ns/b", "ns/c", "ns/lost"));
  EXPECT_THAT(Names(ExplainScale(given_.cluster, {2min}, {.queue = "q"})),
              ElementsAre("ns/a", "ns/b"));
  EXPECT_THAT(Names(ExplainScale(given_.cluster, {2min}, {.ns = "elsewhere"})), ElementsAre());
  const boost::json::value got =
      boost::json::parse(ToJsonText(ExplainScale(given_.cluster, {2min}, {.queue = "q"})));
  EXPECT_EQ(got.at("pods"), 2);
  EXPECT_EQ(got.at("clusterAutoscaler").at("seen"), 1);
  EXPECT_EQ(got.at("karpenter").at("notSeen"), 1);
  EXPECT_EQ(got.at("items").as_array()[1].at("name"), "b");
  EXPECT_EQ(got.at("items").as_array()[1].at("karpenter").at("sight"), "seen");
  EXPECT_THAT(std::string(got.at("message").as_string()),
              testing::StartsWith("2 pods without a node: Cluster Autoscaler ("));
}

TEST_F(ScaleTest, PodsOfParkedJobsAreThereTooAndAHundredThousandAreNoTrouble) {
  constexpr int kPods = 100'000;
  for (int i = 0; i < kPods; ++i) {
    const std::string name = fmt::format("p{:06}", i);
    kube::Pod pod = MakePod(name, name, {{"cpu", "1"}});
    pod.spec.scheduling_gates = {std::string(kQueueGate)};
    pod.meta.annotations.Set(kQueueGate, "true");
    given_.Add(MakeGroup(name, "q", 1)).Add(std::move(pod));
    model::Waits waits;
    waits.queue = given_.queue("q").id;
    given_.cluster.Park(given_.job(name).id, "alike", waits);
  }
  const auto began = std::chrono::steady_clock::now();
  const std::vector<ScaleRow> rows = ExplainScale(given_.cluster, {2min}, {});
  const auto found = std::chrono::steady_clock::now();
  const std::string text = ToJsonText(rows);
  const auto written = std::chrono::steady_clock::now();
  using Milliseconds = std::chrono::duration<double, std::milli>;
  EXPECT_EQ(rows.size(), kPods);
  std::cout << fmt::format("{} pods: {:.0f} ms to find out, {:.0f} ms to write {:.1f} MB\n", kPods,
                           Milliseconds(found - began).count(),
                           Milliseconds(written - found).count(), text.size() / 1e6);
}

}  // namespace
}  // namespace basalt::scheduler::explain
