// deps: basalt_testing basalt_testing_scheduling basalt_scheduler_service basalt_scheduler_query
// What people are told of pods that wait for their queue or for a node that they are promised, and
// of what autoscalers make of them: the scheduler as a role on an embedded cluster, on virtual
// time, asked through the handler of its query server.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <optional>

#include "scheduler/query/query_handler.h"
#include "scheduler/service/scheduler_service.h"
#include "testing/builders.h"
#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::scheduler {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakePodGroup;
using testutil::MakeQueue;
using testutil::TextAt;
namespace json = boost::json;
namespace resources = kube::resources;

using testutil::kGate;

class ExplainTest : public testing::Test {
 protected:
  void Start(std::string_view yaml = "") {
    service_.emplace(cluster_.loop(), cluster_.client());
    if (!yaml.empty()) {
      ASSERT_TRUE(service_->Configure(yaml).has_value());
    }
    service_->Start();
    RunFor(2s);
  }
  void RunFor(Duration duration) { cluster_.loop().RunFor(duration); }

  json::value Ask(const std::string& path, int status = 200) {
    const query::QueryHandler handler(
        "t", {.explainer = [this] { return service_->scheduler().MakeExplainer(); }});
    const net::HttpResponse answer = handler.Answer({.method = "GET",
                                                     .target = "/v1/explain/" + path,
                                                     .headers = {{"Authorization", "Bearer t"}},
                                                     .body = {}});
    EXPECT_EQ(answer.status, status) << path << ": " << answer.body;
    return json::parse(answer.body);
  }
  json::value AskPod(std::string_view name) { return Ask(fmt::format("pod/default/{}", name)); }
  // "who: sight: why" of the pod.
  std::string Sight(const json::value& scale, std::string_view pod, std::string_view who) {
    for (const json::value& row : scale.at("items").as_array()) {
      if (TextAt(row, "name") != pod) continue;
      return fmt::format("{}: {}", TextAt(row.at(who), "sight"), TextAt(row.at(who), "why"));
    }
    return "";
  }

  void CreateQueue(std::string_view name, std::string_view cpu) {
    cluster_.Create(MakeQueue(name)
                        .Set("spec.capability.cpu", cpu)
                        .Set("spec.capability.memory", "100Gi")
                        .Set("spec.reclaimable", true));
  }
  testutil::PodBuilder Gated(std::string_view name, std::string_view queue = "q") {
    auto pod = MakePod(name).Cpu("1").Gate(kGate);
    pod.Annotation(kGate, "true").Annotation("scheduling.volcano.sh/queue-name", queue);
    return pod;
  }
  void Delete(std::string_view name, int grace) {
    const auto done =
        cluster_.Delete({resources::kPods, "default", name}, {.grace_period_seconds = grace});
    ASSERT_TRUE(done.has_value()) << done.error().message;
  }

  testutil::SchedulingCluster cluster_;
  std::optional<SchedulerService> service_;
};

// An autoscaler looks at pods whose reason is Unschedulable, and at no others.
TEST_F(ExplainTest,
       WhenAQueueGetsRoomAndTheNodesHaveNoneAutoscalersSeeAllOfABacklogOfPodsThatAreAlike) {
  constexpr int kPods = 30;
  cluster_.Create(MakeNode("n0").Cpu("2"));
  CreateQueue("q", "2");
  Start();
  for (int i = 0; i < kPods; ++i) {
    auto pod = MakePod(fmt::format("pod-{:02}", i)).Cpu("1");
    cluster_.Create(pod.Annotation("scheduling.volcano.sh/queue-name", "q"));
  }
  RunFor(15s);
  const auto with_reason = [&](std::string_view reason) {
    int found = 0;
    for (int i = 0; i < kPods; ++i) {
      const json::value pod =
          cluster_.Get(resources::kPods, "default", fmt::format("pod-{:02}", i));
      for (const json::value& condition : pod.at("status").at("conditions").as_array()) {
        found +=
            TextAt(condition, "type") == "PodScheduled" && TextAt(condition, "reason") == reason;
      }
    }
    return found;
  };
  EXPECT_EQ(with_reason("WaitingForQueue"), kPods - 2);
  const auto raised = cluster_.Patch({resources::kQueues, "", "q"}, kube::PatchKind::kMerge,
                                     R"({"spec": {"capability": {"cpu": "100"}}})");
  ASSERT_TRUE(raised.has_value());
  RunFor(20s);
  EXPECT_EQ(with_reason("Unschedulable"), kPods - 2);
}

// The scenario of seed 000, as people are told of it.
TEST_F(ExplainTest, PodsBehindTheirQueueSayTheirPlaceWhatIsShortAndForWhomTheyWait) {
  cluster_.Create(MakeNode("n0").Cpu("8"));
  CreateQueue("q", "1");
  Start();
  cluster_.Create(Gated("pod-1"));
  RunFor(3s);
  auto picky = Gated("pod-2");
  picky.NodeSelector("disk", "none-has-it");
  cluster_.Create(picky);
  RunFor(3s);
  cluster_.Create(Gated("pod-3"));
  RunFor(10s);

  json::value why = AskPod("pod-3");
  EXPECT_EQ(why.at("stage"), "gated");
  EXPECT_EQ(why.at("queue").at("name"), "q");
  EXPECT_EQ(why.at("queue").at("resource"), "cpu");
  EXPECT_EQ(why.at("queue").at("holders").as_array()[0].at("name"), "pod-1");
  EXPECT_THAT(TextAt(why, "message"),
              AllOf(HasSubstr("2nd of 2 jobs waiting in queue q"),
                    HasSubstr("cpu 1 short of a limit of 1"), HasSubstr("default/pod-1 (1)")));
  EXPECT_THAT(TextAt(AskPod("pod-2"), "message"), HasSubstr("1st of 2 jobs waiting in queue q"));
  json::value scale = Ask("scale");
  EXPECT_THAT(TextAt(scale, "message"), StartsWith("2 pods without a node: Cluster Autoscaler"));
  EXPECT_EQ(scale.at("clusterAutoscaler").at("seen"), 0);
  EXPECT_EQ(Sight(scale, "pod-2", "karpenter"), "not seen: gated, waits for its queue");

  Delete("pod-1", 0);
  RunFor(5min + 500ms);
  why = AskPod("pod-3");
  EXPECT_EQ(why.at("stage"), "gated");
  EXPECT_THAT(TextAt(why, "message"),
              AllOf(HasSubstr("1st of 1 job waiting in queue q"),
                    HasSubstr("waits for default/pod-2 (cpu 1, for 5m0s), which has a claim and no "
                              "node that fits"),
                    HasSubstr("gateHoldTimeout")));
  EXPECT_EQ(why.at("queue").at("holders").as_array()[0].at("name"), "pod-2");
  why = AskPod("pod-2");
  EXPECT_EQ(why.at("stage"), "node");
  EXPECT_THAT(TextAt(why, "message"), HasSubstr("its queue has admitted it 5m0s ago"));
  scale = Ask("scale?queue=q");
  EXPECT_EQ(scale.at("clusterAutoscaler").at("seen"), 1);
  EXPECT_EQ(Sight(scale, "pod-2", "clusterAutoscaler"), "seen: adds a node");
  EXPECT_EQ(Sight(scale, "pod-3", "clusterAutoscaler"), "not seen: gated, waits for its queue");
  EXPECT_EQ(Ask("scale/elsewhere").at("pods"), 0);
  Ask("scale?queue=nothing", 404);

  // After a restart the time counts from when the pod was said to fit nowhere.
  Start();
  EXPECT_THAT(TextAt(AskPod("pod-3"), "message"), HasSubstr("waits for default/pod-2 (cpu 1, for"));
}

TEST_F(ExplainTest, AHundredBehindOneThatNoNodeFitsAreToldForWhomTheyWait) {
  cluster_.Create(MakeNode("n0").Cpu("8"));
  CreateQueue("q", "1");
  Start();
  auto bad = Gated("bad");
  bad.NodeSelector("disk", "none-has-it");
  cluster_.Create(bad);
  RunFor(3s);
  for (int i = 0; i < 100; ++i) {
    cluster_.Create(Gated(fmt::format("good-{:02}", i)));
    RunFor(1100ms);
  }
  const json::value why = AskPod("good-41");
  EXPECT_EQ(why.at("stage"), "gated");
  EXPECT_THAT(TextAt(why, "message"),
              AllOf(HasSubstr("42nd of 100 jobs waiting in queue q"), HasSubstr("default/bad")));
}

TEST_F(ExplainTest, AForeignGateIsNamed) {
  CreateQueue("q", "1");
  Start();
  auto pod = Gated("p");
  pod.Gate("example.com/mine");
  cluster_.Create(pod);
  RunFor(3s);
  const json::value why = AskPod("p");
  EXPECT_EQ(why.at("stage"), "gated");
  EXPECT_THAT(TextAt(why, "message"), HasSubstr("example.com/mine is somebody else's"));
  // The other gate it does remove.
  EXPECT_EQ(Sight(Ask("scale"), "p", "karpenter"),
            "not seen: gated by example.com/mine, which Basalt does not remove");
}

TEST_F(ExplainTest, APromisedPodSaysWhichNodeForWhomAndUntilWhen) {
  cluster_.Create(MakeNode("n0").Cpu("2"));
  Start(testutil::kPreemptAndReclaim);
  cluster_.Create(MakePod("old").Cpu("2"));
  RunFor(3s);
  Delete("old", 30);
  cluster_.Create(MakePod("next").Cpu("2"));
  RunFor(3s);
  const json::value why = AskPod("next");
  EXPECT_EQ(why.at("stage"), "pipelined");
  EXPECT_THAT(TextAt(why, "message"),
              HasSubstr("node n0 is promised to the pod, once default/old has left it"));
  const std::string until = TextAt(why, "until");
  EXPECT_NE(until, "");
  const json::value scale = Ask("scale");
  EXPECT_EQ(scale.at("clusterAutoscaler").at("placed"), 1);
  EXPECT_EQ(Sight(scale, "next", "clusterAutoscaler"),
            "placed: counted as placed on n0 until " + until);
  EXPECT_EQ(Sight(scale, "next", "karpenter"), "not seen: nominated to n0 until " + until);
  // Nobody plays the kubelet: the pod never goes, and the lease ends.
  RunFor(3min);
  EXPECT_EQ(AskPod("next").at("stage"), "node");
  EXPECT_EQ(Sight(Ask("scale"), "next", "karpenter"), "seen: adds a node");
}

}  // namespace
}  // namespace basalt::scheduler
