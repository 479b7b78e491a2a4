#include "scheduler/service/scheduler_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::scheduler {
namespace {

using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakePodGroup;
using testutil::TextAt;
namespace json = boost::json;
namespace resources = kube::resources;

// A scheduler that stands for a process of its own.
struct Process {
  explicit Process(testutil::SimCluster& cluster, SchedulerServiceOptions options = {})
      : api(cluster.network()), client(api), service(cluster.loop(), client, std::move(options)) {
    service.Start();
  }
  testutil::DirectApiClient api;
  kube::Client client;
  SchedulerService service;
};

SchedulerServiceOptions Elected(const std::string& identity) {
  SchedulerServiceOptions options;
  options.election = {.ns = "kube-system", .name = "volcano", .identity = identity};
  return options;
}

class SchedulerServiceTest : public testing::Test {
 protected:
  void CreateNodes(int count) {
    for (int i = 0; i < count; ++i) cluster_.Create(MakeNode("n" + std::to_string(i)).Cpu("2"));
  }
  void CreateGang(const std::string& group, int pods, int min_member) {
    cluster_.Create(MakePodGroup(group, min_member));
    for (int i = 0; i < pods; ++i) {
      cluster_.Create(MakePod(group + "-" + std::to_string(i)).Cpu("1").Group(group));
    }
  }
  testutil::SimLoop& loop() { return cluster_.loop(); }

  testutil::SchedulingCluster cluster_;
};

TEST_F(SchedulerServiceTest, AGangThatFitsIsBound) {
  CreateNodes(4);
  CreateGang("train", 8, 8);
  Process process(cluster_);
  loop().RunFor(5s);
  EXPECT_TRUE(process.service.ready());
  EXPECT_EQ(cluster_.Bound(), 8);
}

TEST_F(SchedulerServiceTest, AGangThatIsOneTooLargeIsNotBoundInPart) {
  CreateNodes(4);
  CreateGang("train", 9, 9);
  Process process(cluster_);
  loop().RunFor(5s);
  EXPECT_EQ(cluster_.Bound(), 0);
}

TEST_F(SchedulerServiceTest, ANewNodeLetsAWaitingGangStartAtOnce) {
  CreateNodes(1);
  CreateGang("train", 4, 4);
  Process process(cluster_);
  loop().RunFor(5s);
  EXPECT_EQ(cluster_.Bound(), 0);
  cluster_.Create(MakeNode("n1").Cpu("2"));
  loop().RunFor(20ms);
  EXPECT_EQ(cluster_.Bound(), 4);
}

TEST_F(SchedulerServiceTest, WhenNothingWaitsThereAreNoCycles) {
  CreateNodes(1);
  Process process(cluster_);
  loop().RunFor(5s);
  const std::uint64_t before = process.service.scheduler().cycles();
  loop().RunFor(1h);
  EXPECT_EQ(process.service.scheduler().cycles(), before);
}

TEST_F(SchedulerServiceTest, PodsOfOthersThatHaveNoNodeCauseNoCycle) {
  CreateNodes(1);
  SchedulerServiceOptions options;
  options.scheduler.state.scheduler_names = {"volcano"};
  Process process(cluster_, options);
  loop().RunFor(5s);
  const std::uint64_t before = process.service.scheduler().cycles();
  cluster_.Create(MakePod("other").Scheduler("default-scheduler").Cpu("1"));
  loop().RunFor(5s);
  EXPECT_EQ(process.service.scheduler().cycles(), before);
}

TEST_F(SchedulerServiceTest, ABrokenConfigurationIsRefusedAndTheLastGoodOneStays) {
  CreateNodes(1);
  CreateGang("train", 1, 1);
  Process process(cluster_);
  const Result<void> refused = process.service.Configure("actions: \"enqueue, alocate\"\n");
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, testing::HasSubstr("allocate"));
  loop().RunFor(1s);
  EXPECT_EQ(cluster_.Bound(), 1);
}

TEST_F(SchedulerServiceTest, TheDefaultAndTheRootQueueAreMadeWhereTheyAreMissing) {
  Process process(cluster_);
  loop().RunFor(1s);
  const json::value root = cluster_.Get(resources::kQueues, "", "root");
  const json::value standard = cluster_.Get(resources::kQueues, "", "default");
  EXPECT_EQ(*testutil::FindPath(root, "spec.reclaimable"), false);
  EXPECT_EQ(*testutil::FindPath(standard, "spec.reclaimable"), true);
  EXPECT_EQ(*testutil::FindPath(standard, "spec.weight"), 1);
}

TEST_F(SchedulerServiceTest, OnlyNodesWithOneOfTheLabelsAreScheduledOn) {
  CreateNodes(1);
  cluster_.Create(MakeNode("labelled").Cpu("2").Label("pool", "batch"));
  CreateGang("train", 4, 1);
  SchedulerServiceOptions options;
  options.node_labels = {{"pool", "batch"}, {"pool", "gpu"}};
  Process process(cluster_, options);
  loop().RunFor(5s);
  EXPECT_EQ(cluster_.Bound(), 2);
  // A node that gets a label joins, one that loses it leaves.
  ASSERT_TRUE(cluster_.Patch({resources::kNodes, "", "n0"}, kube::PatchKind::kMerge,
                             R"({"metadata":{"labels":{"pool":"gpu"}}})"));
  loop().RunFor(1s);
  EXPECT_EQ(cluster_.Bound(), 4);
  ASSERT_TRUE(cluster_.Patch({resources::kNodes, "", "labelled"}, kube::PatchKind::kMerge,
                             R"({"metadata":{"labels":{"pool":null}}})"));
  loop().RunFor(1s);
  const model::Cluster& known = process.service.scheduler().state().cluster();
  EXPECT_FALSE(known.FindNode("labelled") && known.FindNode("labelled")->exists());
  EXPECT_TRUE(known.FindNode("n0")->exists());
}

TEST_F(SchedulerServiceTest, OfTwoOneLeadsAndTheOtherTakesOverWhenItDies) {
  CreateNodes(4);
  std::optional<Process> first(std::in_place, cluster_, Elected("first"));
  loop().RunFor(1s);
  Process second(cluster_, Elected("second"));
  loop().RunFor(10s);
  EXPECT_TRUE(first->service.leads());
  EXPECT_FALSE(second.service.leads());
  EXPECT_TRUE(second.service.ready()) << "it follows, so as to be quick";
  EXPECT_EQ(second.service.scheduler().cycles(), 0u);
  first->api.Crash();
  first.reset();
  CreateGang("train", 8, 8);
  loop().RunFor(1s);
  EXPECT_EQ(cluster_.Bound(), 0);
  loop().RunFor(30s);
  EXPECT_TRUE(second.service.leads());
  EXPECT_EQ(cluster_.Bound(), 8);
}

TEST_F(SchedulerServiceTest, OneThatLosesItsLeaseWritesNothingMoreUntilItLeadsAgain) {
  CreateNodes(4);
  Process process(cluster_, Elected("first"));
  loop().RunFor(1s);
  ASSERT_TRUE(process.service.leads());
  // Somebody takes the lease by force and keeps it for a minute.
  ASSERT_TRUE(cluster_.Patch({resources::kLeases, "kube-system", "volcano"},
                             kube::PatchKind::kMerge,
                             R"({"spec":{"holderIdentity":"thief","leaseDurationSeconds":60}})"));
  loop().RunUntil([&] { return !process.service.leads(); }, 20s);
  ASSERT_FALSE(process.service.leads());
  CreateGang("train", 8, 8);
  loop().RunFor(30s);
  EXPECT_EQ(cluster_.Bound(), 0);
  EXPECT_EQ(process.service.scheduler().cycles(), 0u);
  loop().RunFor(60s);
  EXPECT_TRUE(process.service.leads());
  EXPECT_EQ(cluster_.Bound(), 8);
}

TEST_F(SchedulerServiceTest, StoppingGivesTheLeaseBack) {
  Process process(cluster_, Elected("first"));
  loop().RunFor(1s);
  bool stopped = false;
  process.service.Stop([&] { stopped = true; });
  loop().RunUntil([&] { return stopped; }, 5s);
  ASSERT_TRUE(stopped);
  const json::value lease = cluster_.Get(resources::kLeases, "kube-system", "volcano");
  EXPECT_EQ(TextAt(lease, "spec.holderIdentity"), "");
  CreateNodes(1);
  CreateGang("train", 1, 1);
  loop().RunFor(5s);
  EXPECT_EQ(cluster_.Bound(), 0);
}

TEST_F(SchedulerServiceTest, MetricsSayWhatHappenedAndWhatIsTheCase) {
  CreateNodes(4);
  cluster_.Create(testutil::MakeQueue("default"));
  CreateGang("train", 8, 8);
  CreateGang("waits", 4, 4);
  metrics::Registry registry;
  SchedulerServiceOptions options;
  options.metrics = &registry;
  Process process(cluster_, options);
  loop().RunFor(5s);
  process.service.CollectMetrics();
  const std::string text = registry.Text();
  for (const char* line : {
           "volcano_schedule_attempts_total{result=\"scheduled\"} 8\n",
           "basalt_api_writes_total{code=\"201\",resource=\"pods/binding\",verb=\"POST\"} 8\n",
           "volcano_queue_allocated_milli_cpu{queue_name=\"default\"} 8000\n",
           "volcano_queue_request_milli_cpu{queue_name=\"default\"} 12000\n",
           "volcano_unschedule_task_count{job_id=\"waits\"} 4\n",
           "volcano_unschedule_job_count 1\n",
           "basalt_queue_claims{queue=\"default\"} 0\n",
           "basalt_future_claims 0\n",
           "basalt_state_drift_total 0\n",
           "volcano_task_scheduling_latency_milliseconds_count{stage=\"Bound\"} 8\n",
           "basalt_cycle_seconds_count{stage=\"allocate\"}",
       }) {
    EXPECT_THAT(text, testing::HasSubstr(line));
  }
  // What is gone is no longer told.
  ASSERT_TRUE(cluster_.Delete({resources::kPodGroups, "default", "waits"}));
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(cluster_.Delete({resources::kPods, "default", "waits-" + std::to_string(i)}));
  }
  loop().RunFor(1s);
  process.service.CollectMetrics();
  EXPECT_THAT(registry.Text(), testing::Not(testing::HasSubstr("job_id=\"waits\"")));
  EXPECT_THAT(registry.Text(), testing::HasSubstr("volcano_unschedule_job_count 0\n"));
}

TEST_F(SchedulerServiceTest, NoMoreJobsThanAskedForHaveSeriesAndTheNewestDo) {
  CreateNodes(1);
  cluster_.Create(testutil::MakeQueue("default"));
  for (const char* name : {"first", "second", "third", "fourth"}) {
    CreateGang(name, 1, 1);
    loop().RunFor(2s);
  }
  const auto text_with = [&](std::size_t most) {
    metrics::Registry registry;
    SchedulerServiceOptions options;
    options.metrics = &registry;
    options.metrics_max_jobs = most;
    Process process(cluster_, options);
    loop().RunFor(2s);
    process.service.CollectMetrics();
    return registry.Text();
  };
  const std::string two = text_with(2);
  for (const char* name : {"third", "fourth"}) {
    EXPECT_THAT(two, testing::HasSubstr(fmt::format("job_name=\"{}\"", name)));
  }
  for (const char* name : {"first", "second"}) {
    EXPECT_THAT(two, testing::Not(testing::HasSubstr(fmt::format("\"{}\"", name))));
  }
  EXPECT_THAT(two, testing::HasSubstr("basalt_metrics_jobs_left_out 2\n"));
  const std::string none = text_with(0);
  EXPECT_THAT(none, testing::Not(testing::HasSubstr("job_name=")));
  EXPECT_THAT(none, testing::HasSubstr("basalt_metrics_jobs_left_out 4\n"));
  EXPECT_THAT(text_with(4), testing::HasSubstr("basalt_metrics_jobs_left_out 0\n"));
}

TEST_F(SchedulerServiceTest, WithGatesSwitchedOffTheyAreRemovedFromOurPods) {
  CreateNodes(1);
  const auto gated = [](const std::string& name) {
    return MakePod(name)
        .Cpu("1")
        .Annotation("scheduling.volcano.sh/queue-allocation-gate", "true")
        .Gate("scheduling.volcano.sh/queue-allocation-gate");
  };
  cluster_.Create(gated("before"));
  cluster_.Create(gated("of-others").Scheduler("default-scheduler"));
  SchedulerServiceOptions options;
  options.scheduler.state.scheduler_names = {"volcano"};
  options.scheduler.state.queue_gates = false;
  Process process(cluster_, options);
  loop().RunFor(1s);
  cluster_.Create(gated("after"));
  loop().RunFor(1s);
  const auto has_gate = [&](const std::string& name) {
    const json::value pod = cluster_.Get(resources::kPods, "default", name);
    const json::value* gates = testutil::FindPath(pod, "spec.schedulingGates");
    return gates != nullptr && !gates->as_array().empty();
  };
  EXPECT_FALSE(has_gate("before"));
  EXPECT_FALSE(has_gate("after"));
  EXPECT_TRUE(has_gate("of-others"));
  EXPECT_EQ(cluster_.Bound(), 2);
}

}  // namespace
}  // namespace basalt::scheduler
