// deps: basalt_simnode basalt_workloads basalt_testing
#include "workloads/workloads.h"

#include <boost/json/serialize.hpp>
#include <memory>
#include <set>
#include <string>

#include "tests/cluster/simulated_cluster.h"

namespace basalt::testutil {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;

// Simulated nodes and our controllers in the place of kubelets and of kube-controller-manager's.
class WorkloadsOnRealClusterTest : public SimulatedClusterTest {
 protected:
  void SetUp() override {
    SimulatedClusterTest::SetUp();
    if (HasFatalFailure()) return;
    node_ = Own("node");
    AddNode(MakeNode(node_));
    workloads_ = std::make_unique<workloads::Workloads>(*client_);
    workloads_->Start();
    RunUntil("the controllers know everything", [&] { return workloads_->HasSynced(); });
  }
  void TearDown() override {
    workloads_.reset();
    SimulatedClusterTest::TearDown();
  }

  json::object Template(std::string_view app, std::string_view restart, json::array command) {
    return {{"metadata", json::object{{"labels", json::object{{"app", app}}}}},
            {"spec", json::object{{"nodeName", node_},
                                  {"restartPolicy", restart},
                                  {"terminationGracePeriodSeconds", 1},
                                  {"containers",
                                   json::array{json::object{{"name", "main"},
                                                            {"image", "registry.example/app:1"},
                                                            {"command", std::move(command)}}}}}}};
  }
  // One object, until it is as wanted.
  void WaitForObject(const kube::Resource& resource, std::string_view name, std::string_view what,
                     const std::function<bool(const json::value&)>& wanted) {
    WaitFor(what, [&] {
      const Answer got = Get({resource, ns_, name});
      return got && wanted(*got);
    });
  }
  std::set<std::string> PodNames(std::string_view app, std::string_view phase) {
    std::set<std::string> names;
    for (const json::value& pod : Items(resources::kPods)) {
      const bool leaving = FindPath(pod, "metadata.deletionTimestamp") != nullptr;
      if (TextAt(pod, "metadata.labels.app") == app && TextAt(pod, "status.phase") == phase &&
          !leaving) {
        names.insert(TextAt(pod, "metadata.name"));
      }
    }
    return names;
  }

  std::string node_;
  std::unique_ptr<workloads::Workloads> workloads_;
};

bool HasCondition(const json::value& object, std::string_view type) {
  const json::value* conditions = FindPath(object, "status.conditions");
  if (conditions == nullptr) return false;
  for (const json::value& condition : conditions->as_array()) {
    if (TextAt(condition, "type") == type) return TextAt(condition, "status") == "True";
  }
  return false;
}

int NumberAt(const json::value& object, std::string_view path) {
  const json::value* number = FindPath(object, path);
  return number == nullptr ? 0 : number->to_number<int>();
}

TEST_F(WorkloadsOnRealClusterTest, ASimulatedNodeBecomesReady) {
  WaitFor("it is ready", [&] {
    const Answer node = Get({resources::kNodes, "", node_});
    return node && HasCondition(*node, "Ready");
  });
}

TEST_F(WorkloadsOnRealClusterTest, ADeploymentBecomesAvailableAndReplacesALostPod) {
  AnyBuilder deployment = MakeObject(resources::kDeployments, "web");
  deployment.Ns(ns_)
      .Set("spec.replicas", 3)
      .Set("spec.selector.matchLabels.app", "web")
      .Set("spec.template", Template("web", "Always", {"serve"}));
  ASSERT_TRUE(Create({resources::kDeployments, ns_}, deployment.Text()));
  WaitForObject(resources::kDeployments, "web", "three available", [](const json::value& web) {
    return NumberAt(web, "status.availableReplicas") == 3 && HasCondition(web, "Available");
  });
  const std::set<std::string> before = PodNames("web", "Running");
  ASSERT_EQ(before.size(), 3u);
  ASSERT_TRUE(
      Create({resources::kPods, ns_, *before.begin(), "eviction"},
             json::serialize(json::object{{"apiVersion", "policy/v1"},
                                          {"kind", "Eviction"},
                                          {"metadata", json::object{{"name", *before.begin()}}}})));
  WaitFor("the evicted pod is replaced", [&] {
    const std::set<std::string> now = PodNames("web", "Running");
    return now.size() == 3 && !now.contains(*before.begin());
  });
}

TEST_F(WorkloadsOnRealClusterTest, ADeploymentRollsOut) {
  AnyBuilder deployment = MakeObject(resources::kDeployments, "web");
  deployment.Ns(ns_)
      .Set("spec.replicas", 2)
      .Set("spec.selector.matchLabels.app", "web")
      .Set("spec.template", Template("web", "Always", {"serve"}));
  ASSERT_TRUE(Create({resources::kDeployments, ns_}, deployment.Text()));
  const auto rolled_out = [](int generation) {
    return [generation](const json::value& web) {
      return NumberAt(web, "status.observedGeneration") >= generation &&
             NumberAt(web, "status.updatedReplicas") == 2 &&
             NumberAt(web, "status.replicas") == 2 &&
             NumberAt(web, "status.availableReplicas") == 2;
    };
  };
  WaitForObject(resources::kDeployments, "web", "the first version", rolled_out(1));
  const std::set<std::string> before = PodNames("web", "Running");
  ASSERT_EQ(before.size(), 2u);
  const Answer patched = Patch(
      {resources::kDeployments, ns_, "web"}, kube::PatchKind::kStrategic,
      R"({"spec":{"template":{"spec":{"containers":[{"name":"main","image":"registry.example/app:2"}]}}}})");
  ASSERT_TRUE(patched);
  // A Deployment's annotations count too: its revision has moved the generation already.
  WaitForObject(resources::kDeployments, "web", "the second version",
                rolled_out(NumberAt(*patched, "metadata.generation")));
  const std::set<std::string> after = PodNames("web", "Running");
  EXPECT_EQ(after.size(), 2u);
  for (const std::string& pod : after) EXPECT_FALSE(before.contains(pod));
}

TEST_F(WorkloadsOnRealClusterTest, AJobCompletes) {
  AnyBuilder job = MakeObject(resources::kJobs, "sum");
  job.Ns(ns_)
      .Set("spec.completions", 3)
      .Set("spec.parallelism", 2)
      .Set("spec.template", Template("sum", "Never", {"sleep", "1"}));
  ASSERT_TRUE(Create({resources::kJobs, ns_}, job.Text()));
  WaitForObject(resources::kJobs, "sum", "the job completes", [](const json::value& sum) {
    return HasCondition(sum, "Complete") && NumberAt(sum, "status.succeeded") == 3;
  });
  EXPECT_EQ(PodNames("sum", "Succeeded").size(), 3u);
}

}  // namespace
}  // namespace basalt::testutil
