// deps: basalt_simnode basalt_workloads basalt_testing_scheduling
// Volcano's issues with evictions on the real API server, with simulated nodes. The same on virtual
// time: tests/pipelines.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <memory>
#include <string>

#include "model/annotations.h"
#include "testing/counting_api_client.h"
#include "testing/scheduling/eviction_scenario.h"
#include "testing/scheduling/scheduling_cluster.h"
#include "tests/cluster/pod_history.h"
#include "tests/cluster/simulated_cluster.h"
#include "workloads/workloads.h"

namespace basalt::testutil {
namespace {

namespace resources = kube::resources;

class EvictionsOnRealClusterTest : public SimulatedClusterTest,
                                   public testing::WithParamInterface<EvictionScenario> {
 protected:
  void SetUp() override {
    SimulatedClusterTest::SetUp();
    if (HasFatalFailure()) return;
    workloads_ = std::make_unique<workloads::Workloads>(*client_);
    workloads_->Start();
    counting_ = std::make_unique<CountingApiClient>(*api_);
    own_client_ = std::make_unique<kube::Client>(*counting_);
    history_ = std::make_unique<PodHistory>(*client_, ns_);
    for (const auto& [name, value] : {std::pair{"low", 10}, {"high", 1000}}) {
      Add(MakeObject(resources::kPriorityClasses, Own(name)).Set("value", value));
    }
    RunUntil("the agents know everything",
             [&] { return workloads_->HasSynced() && history_->HasSynced(); });
  }
  void TearDown() override {
    scheduler_.reset();
    own_client_.reset();
    history_.reset();
    workloads_.reset();
    SimulatedClusterTest::TearDown();
  }

  void StartScheduler() {
    scheduler_.reset();
    scheduler_ = std::make_unique<scheduler::SchedulerService>(loop_, *own_client_, OwnScheduler());
    ASSERT_TRUE(scheduler_->Configure(kPreemptAndReclaim));
    scheduler_->Start();
    RunUntil("the scheduler knows everything", [&] { return scheduler_->ready(); });
  }
  void AddNodes(const std::vector<EvictionScenario::Node>& nodes) {
    for (const auto& node : nodes) AddNode(MakeNode(Own(node.name)).Cpu(node.cpu));
  }
  void AddQueue(const EvictionScenario::Queue& queue) {
    AnyBuilder made = MakeQueue(Own(queue.name)).Set("spec.reclaimable", true);
    if (!queue.deserved.empty()) made.Set("spec.deserved", json::object{{"cpu", queue.deserved}});
    Add(made);
  }
  void Take(const EvictionScenario::Step& step) {
    for (const auto& group : step.groups) {
      AnyBuilder made = MakePodGroup(group.name, group.min_member, Own(group.queue)).Ns(ns_);
      if (!group.priority.empty()) made.Set("spec.priorityClassName", Own(group.priority));
      const Answer answer = Create({resources::kPodGroups, ns_}, made.Text());
      ASSERT_TRUE(answer) << answer.error().message;
    }
    for (const auto& pod : step.pods) {
      PodBuilder made = OwnPod(pod.name, pod.cpu)
                            .Group(pod.group)
                            .Label("app", pod.name)
                            .Set("spec.terminationGracePeriodSeconds", 4);
      if (pod.comes_back) {
        AddDeployment(made);
      } else {
        CreatePod(made.Text());
      }
    }
  }
  // One replica, which comes back when it is evicted.
  void AddDeployment(PodBuilder& pod) {
    pod.RestartPolicy("Always");
    json::object metadata = pod.Json().at("metadata").as_object();
    metadata.erase("name");
    metadata.erase("namespace");
    const json::value labels = metadata.at("labels");
    const Answer made =
        Create({resources::kDeployments, ns_},
               MakeObject(resources::kDeployments, pod.name())
                   .Ns(ns_)
                   .Set("spec.replicas", 1)
                   .Set("spec.selector", json::object{{"matchLabels", labels}})
                   .Set("spec.template",
                        json::object{{"metadata", metadata}, {"spec", pod.Json().at("spec")}})
                   .Text());
    ASSERT_TRUE(made) << made.error().message;
  }
  // The names of those that run and stay: of a Deployment's pods its own.
  std::set<std::string> Running() {
    std::set<std::string> running;
    for (const json::value& pod : Items(resources::kPods)) {
      const bool leaving = FindPath(pod, "metadata.deletionTimestamp") != nullptr;
      if (TextAt(pod, "status.phase") == "Running" && !leaving) {
        running.insert(TextAt(pod, "metadata.labels.app"));
      }
    }
    return running;
  }
  bool AllRun(const auto& pods, auto name_of) {
    const std::set<std::string> running = Running();
    return std::ranges::all_of(pods,
                               [&](const auto& pod) { return running.contains(name_of(pod)); });
  }

  std::unique_ptr<workloads::Workloads> workloads_;
  std::unique_ptr<CountingApiClient> counting_;
  std::unique_ptr<kube::Client> own_client_;
  std::unique_ptr<PodHistory> history_;
  std::unique_ptr<scheduler::SchedulerService> scheduler_;
};

TEST_P(EvictionsOnRealClusterTest, SettleAcrossARestartAndTheBeneficiaryRuns) {
  const EvictionScenario& scenario = GetParam();
  AddNodes(scenario.nodes);
  for (const auto& queue : scenario.queues) AddQueue(queue);
  StartScheduler();
  Take(scenario.first);
  WaitFor("the first ones run",
          [&] { return AllRun(scenario.first.pods, [](const auto& pod) { return pod.name; }); });
  Take(scenario.then);
  if (scenario.evictions > 0) {
    WaitFor("somebody leaves", [&] { return !history_->deleted().empty(); });
    EXPECT_TRUE(std::ranges::any_of(Items(resources::kPods), [](const json::value& pod) {
      const json::value* carried = FindPath(pod, "metadata.annotations");
      return carried && carried->as_object().contains(model::annotations::kEvictions);
    })) << "the next scheduler would not know for whom";
  } else {
    Pause(2s);
  }
  StartScheduler();  // what was promised is on the pods
  Take(scenario.late);
  if (!scenario.later_nodes.empty()) {
    Pause(5s);
    AddNodes(scenario.later_nodes);
  }
  WaitFor("all run that can",
          [&] { return AllRun(scenario.run, [](const std::string& name) { return name; }); });
  Pause(8s);  // nothing happens any more
  EXPECT_TRUE(AllRun(scenario.run, [](const std::string& name) { return name; }));
  EXPECT_EQ(history_->deleted().size(), scenario.evictions);
  EXPECT_EQ(!history_->nominated().empty(), scenario.nominates);
  std::cout << fmt::format("figures: {}: evictions: {} ({}), calls of the eviction API: {}\n",
                           scenario.name, history_->deleted().size(),
                           fmt::join(history_->deleted(), " "),
                           counting_->writes("POST pods/eviction"));
}

INSTANTIATE_TEST_SUITE_P(Volcanos, EvictionsOnRealClusterTest,
                         testing::ValuesIn(EvictionScenarios()),
                         [](const auto& test) { return test.param.id; });

}  // namespace
}  // namespace basalt::testutil
