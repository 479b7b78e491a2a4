// deps: basalt_testing basalt_testing_scheduling basalt_scheduler_service
// The metrics of gates, claims and evictions (contract C9), and what events tell when a gate cannot
// be removed: the scheduler as a role on an embedded cluster, on virtual time.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "scheduler/service/scheduler_service.h"
#include "testing/builders.h"
#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::scheduler {
namespace {

using testing::HasSubstr;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakePodGroup;
using testutil::MakeQueue;
using testutil::TextAt;
namespace json = boost::json;
namespace resources = kube::resources;

using testutil::kGate;

// Refuses the removal of gates while it is told to.
class RefusingApi final : public kube::ApiClient {
 public:
  explicit RefusingApi(testutil::DirectNetwork& network) : api_(network) {}

  void Send(kube::ApiRequest request, kube::ApiHandler handler) override {
    const bool removes_gate =
        request.method == "PATCH" && request.body.find("schedulingGates") != std::string::npos;
    if (!refuses || !removes_gate) return api_.Send(std::move(request), std::move(handler));
    ++refused;
    api_.loop().Schedule(1ms, [handler = std::move(handler)]() mutable {
      handler(std::unexpected(Error{.code = ErrorCode::kForbidden, .message = "not today"}));
    });
  }
  std::unique_ptr<kube::WatchStream> Watch(kube::ApiRequest request,
                                           kube::WatchObserver& observer) override {
    return api_.Watch(std::move(request), observer);
  }
  Loop& loop() override { return api_.loop(); }

  bool refuses = false;
  int refused = 0;

 private:
  testutil::DirectApiClient api_;
};

class GateMetricsTest : public testing::Test {
 protected:
  void Start(std::string_view yaml = "") {
    SchedulerServiceOptions options;
    options.metrics = &registry_;
    client_.emplace(api_);
    service_.emplace(cluster_.loop(), *client_, std::move(options));
    if (!yaml.empty()) {
      ASSERT_TRUE(service_->Configure(yaml).has_value());
    }
    service_->Start();
    RunFor(2s);
  }
  void RunFor(Duration duration) { cluster_.loop().RunFor(duration); }
  void CreateQueue(std::string_view name, std::string_view cpu) {
    cluster_.Create(MakeQueue(name).Set("spec.capability.cpu", cpu));
  }
  testutil::PodBuilder Gated(std::string_view name, std::string_view queue = "q") {
    auto pod = MakePod(name).Cpu("1").Gate(kGate);
    pod.Annotation(kGate, "true").Annotation("scheduling.volcano.sh/queue-name", queue);
    return pod;
  }
  void Delete(std::string_view name, int grace = 0) {
    const auto done =
        cluster_.Delete({resources::kPods, "default", name}, {.grace_period_seconds = grace});
    ASSERT_TRUE(done.has_value()) << done.error().message;
  }
  // Of a series, as the text of the exposition has it; "": it is not there.
  std::string Value(const std::string& series) {
    service_->CollectMetrics();
    const std::string text = "\n" + registry_.Text();
    const std::size_t at = text.find("\n" + series + " ");
    if (at == std::string::npos) return "";
    const std::size_t from = at + series.size() + 2;
    return text.substr(from, text.find('\n', from) - from);
  }
  std::string EventAbout(std::string_view name, std::string_view reason) {
    for (const json::value& event : cluster_.List(resources::kEvents)) {
      if (TextAt(event, "involvedObject.name") == name && TextAt(event, "reason") == reason) {
        return TextAt(event, "message");
      }
    }
    return "";
  }

  metrics::Registry registry_;
  testutil::SchedulingCluster cluster_;
  RefusingApi api_{cluster_.network()};
  std::optional<kube::Client> client_;
  std::optional<SchedulerService> service_;
};

TEST_F(GateMetricsTest, GatesAndClaimsAreCountedByQueue) {
  cluster_.Create(MakeNode("n0").Cpu("8"));
  CreateQueue("q", "1");
  CreateQueue("idle", "1");
  Start();
  EXPECT_EQ(Value("basalt_gated_pods{queue=\"q\"}"), "0");
  cluster_.Create(Gated("pod-1"));
  RunFor(3s);
  auto picky = Gated("pod-2");
  picky.NodeSelector("disk", "none-has-it");
  cluster_.Create(picky);
  RunFor(2s);
  cluster_.Create(Gated("pod-3"));
  RunFor(5s);
  EXPECT_EQ(Value("basalt_gated_pods{queue=\"q\"}"), "2");
  EXPECT_EQ(Value("basalt_queue_claims{queue=\"q\"}"), "0") << "pod-1 is on its node";
  EXPECT_EQ(Value("basalt_gate_removals_total{result=\"success\"}"), "1");
  EXPECT_EQ(Value("basalt_gate_hold_seconds_count"), "1");

  Delete("pod-1");
  RunFor(3s);
  EXPECT_EQ(Value("basalt_gated_pods{queue=\"q\"}"), "1");
  EXPECT_EQ(Value("basalt_queue_claims{queue=\"q\"}"), "1");
  EXPECT_EQ(Value("basalt_gated_pods{queue=\"idle\"}"), "0");
  EXPECT_EQ(Value("basalt_queue_claims{queue=\"idle\"}"), "0");
  EXPECT_EQ(Value("basalt_gate_removals_total{result=\"success\"}"), "2");
  EXPECT_EQ(Value("basalt_gate_removals_total{result=\"error\"}"), "0");
  EXPECT_EQ(Value("basalt_gate_hold_seconds_count"), "2");
  EXPECT_GE(std::stod(Value("basalt_gate_hold_seconds_sum")), 7) << "pod-2 had it for so long";
  // Nothing changes, and nothing is counted again.
  RunFor(1min);
  EXPECT_EQ(Value("basalt_gate_removals_total{result=\"success\"}"), "2");
}

TEST_F(GateMetricsTest, AGateThatCannotBeRemovedIsToldCountedAndTriedAgainLaterAndLater) {
  cluster_.Create(MakeNode("n0").Cpu("8"));
  CreateQueue("q", "1");
  api_.refuses = true;
  Start();
  auto picky = Gated("p");
  picky.NodeSelector("disk", "ssd");
  cluster_.Create(picky);
  RunFor(1min);
  EXPECT_THAT(EventAbout("p", "QueueGateRemovalFailed"), HasSubstr("not today"));
  EXPECT_GE(std::stod(Value("basalt_gate_removals_total{result=\"error\"}")), 2);
  EXPECT_LE(api_.refused, 40) << "not in every cycle";
  EXPECT_EQ(Value("basalt_queue_claims{queue=\"q\"}") + Value("basalt_gated_pods{queue=\"q\"}"),
            "11")
      << "it keeps its claim and its gate";
  api_.refuses = false;
  cluster_.Create(MakeNode("n1").Cpu("8").Label("disk", "ssd"));
  RunFor(20s);
  EXPECT_EQ(cluster_.Bound(), 1);
  EXPECT_EQ(Value("basalt_gate_removals_total{result=\"success\"}"), "1");
}

TEST_F(GateMetricsTest, PromisesAndEvictionsAreCounted) {
  cluster_.Create(testutil::MakeObject(resources::kPriorityClasses, "high").Set("value", 1000));
  cluster_.Create(MakeNode("n0").Cpu("2"));
  cluster_.Create(MakeQueue("q"));
  Start(testutil::kPreemptAndReclaim);
  cluster_.Create(MakePodGroup("old", 1, "q"));
  cluster_.Create(MakePod("old-0").Cpu("1").Group("old"));
  cluster_.Create(MakePod("old-1").Cpu("1").Group("old"));
  RunFor(3s);
  ASSERT_EQ(cluster_.Bound(), 2);
  for (const char* pod : {"old-0", "old-1"}) {
    ASSERT_TRUE(cluster_
                    .Patch({resources::kPods, "default", pod, "status"}, kube::PatchKind::kMerge,
                           R"({"status":{"phase":"Running"}})")
                    .has_value());
  }
  EXPECT_EQ(Value("basalt_future_claims"), "0");
  EXPECT_EQ(Value("basalt_evictions_total{action=\"preempt\",result=\"success\"}"), "0");
  cluster_.Create(MakePodGroup("new", 1, "q").Set("spec.priorityClassName", "high"));
  cluster_.Create(MakePod("new-0").Cpu("1").Group("new").Set("spec.priorityClassName", "high"));
  RunFor(3s);
  EXPECT_EQ(Value("basalt_future_claims"), "1");
  EXPECT_EQ(Value("basalt_evictions_total{action=\"preempt\",result=\"success\"}"), "1");
  EXPECT_EQ(Value("basalt_eviction_cycles_broken_total"), "0");
  EXPECT_EQ(Value("basalt_api_writes_total{code=\"201\",resource=\"pods/eviction\",verb=\"POST\"}"),
            "1");
  for (const char* stage :
       {"open", "enqueue", "allocate", "preempt", "reclaim", "backfill", "close", "all"}) {
    EXPECT_GT(
        std::stod("0" + Value(fmt::format("basalt_cycle_seconds_count{{stage=\"{}\"}}", stage))), 0)
        << stage;
  }
}

// What the PodGroup of a gated job says, and how often it is written.
TEST_F(GateMetricsTest, AGatedJobsGroupSaysWhyOnce) {
  cluster_.Create(MakeNode("n0").Cpu("8"));
  CreateQueue("q", "3");
  Start();
  cluster_.Create(MakePodGroup("gang", 4, "q"));
  for (int i = 0; i < 4; ++i) {
    auto pod = Gated(fmt::format("gang-{}", i));
    pod.Group("gang");
    cluster_.Create(pod);
  }
  RunFor(5s);
  const auto group = [&] { return cluster_.Get(resources::kPodGroups, "default", "gang"); };
  const auto pod = [&] { return cluster_.Get(resources::kPods, "default", "gang-0"); };
  EXPECT_THAT(json::serialize(group()), HasSubstr("queue q has not enough cpu left"));
  EXPECT_THAT(json::serialize(pod()), HasSubstr("SchedulingGated"));
  const std::string before = TextAt(group(), "metadata.resourceVersion");
  const std::string pod_before = TextAt(pod(), "metadata.resourceVersion");
  // Others come and go in the same queue.
  for (int i = 0; i < 5; ++i) {
    const std::string name = fmt::format("other-{}", i);
    cluster_.Create(Gated(name));
    RunFor(20s);
    Delete(name);
    RunFor(20s);
  }
  EXPECT_EQ(TextAt(group(), "metadata.resourceVersion"), before);
  EXPECT_EQ(TextAt(pod(), "metadata.resourceVersion"), pod_before);
}

}  // namespace
}  // namespace basalt::scheduler
