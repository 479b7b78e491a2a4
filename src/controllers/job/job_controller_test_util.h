#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/job/job_controller.h"
#include "testing/counting_api_client.h"
#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::controllers {

// A cluster on virtual time with a job controller that can be killed and started again, and a test
// that stands in for scheduler and kubelets.
class JobCluster {
 public:
  explicit JobCluster(const testutil::SimClusterOptions& options = {}) : cluster_(options) {
    StartController();
  }

  // ---- the controller
  struct Process {
    explicit Process(JobCluster& in)
        : api(in.cluster_.network()),
          counting(api),
          client(counting),
          events(client, {.component = "vc-controller-manager"}),
          controller(client, events, {.max_requeue = 3}) {
      controller.Start();
    }
    testutil::DirectApiClient api;
    testutil::CountingApiClient counting;
    kube::Client client;
    kube::EventRecorder events;
    JobController controller;
  };
  void StartController() { process_ = std::make_unique<Process>(*this); }
  void KillController() { process_.reset(); }
  Process& process() { return *process_; }

  void Run(Duration duration = 2s) { cluster_.loop().RunFor(duration); }

  // ---- jobs
  // `spec` is what stands between the braces of a job's spec.
  void AddJob(std::string_view spec, std::string_view name = "train") {
    auto job = testutil::MakeObject(kube::resources::kVcJobs, name);
    job.Set("spec", boost::json::parse(fmt::format("{{{}}}", spec)));
    cluster_.Create(job);
    Run();
  }
  static std::string Task(std::string_view name, int replicas, std::string_view more = "") {
    return fmt::format(
        R"({{"name": "{}", "replicas": {}, {} "template": {{"spec": {{"restartPolicy": "Never",
           "containers": [{{"name": "c", "image": "i"}}]}}}}}})",
        name, replicas, more);
  }
  boost::json::value Job(std::string_view name = "train") {
    return cluster_.Get(kube::resources::kVcJobs, "default", name);
  }
  std::string Phase(std::string_view name = "train") {
    return testutil::TextAt(Job(name), "status.state.phase");
  }
  std::int64_t Count(std::string_view what) {
    const boost::json::value job = Job();
    const boost::json::value* found = testutil::FindPath(job, fmt::format("status.{}", what));
    return found ? found->to_number<std::int64_t>() : 0;
  }
  // "Pending Running Completed".
  std::string Phases() {
    std::string text;
    const boost::json::value job = Job();
    const boost::json::value* conditions = testutil::FindPath(job, "status.conditions");
    if (!conditions) return "";
    for (const boost::json::value& condition : conditions->get_array()) {
      if (!text.empty()) text += " ";
      text += testutil::TextAt(condition, "status");
    }
    return text;
  }
  void Command(std::string_view action) {
    const std::string uid = testutil::TextAt(Job(), "metadata.uid");
    cluster_.Create(
        testutil::MakeObject(kube::resources::kCommands, fmt::format("c{}", ++commands_))
            .Set("action", action)
            .Set("target", boost::json::object{{"apiVersion", "batch.volcano.sh/v1alpha1"},
                                               {"kind", "Job"},
                                               {"name", "train"},
                                               {"uid", uid}}));
    Run();
  }

  // ---- what a scheduler and kubelets would do
  void Admit() {
    for (const boost::json::value& group : cluster_.List(kube::resources::kPodGroups)) {
      SetGroupPhase(testutil::TextAt(group, "metadata.name"), "Inqueue");
    }
    Run();
  }
  void SetGroupPhase(std::string_view name, std::string_view phase) {
    EXPECT_TRUE(cluster_.Patch({kube::resources::kPodGroups, "default", name, "status"},
                               kube::PatchKind::kMerge,
                               fmt::format(R"({{"status": {{"phase": "{}"}}}})", phase)));
  }
  void SetPod(std::string_view name, std::string_view phase, int exit_code = 0, int restarts = 0) {
    const std::string state =
        phase == "Running" ? R"({"running": {}})"
                           : fmt::format(R"({{"terminated": {{"exitCode": {}}}}})", exit_code);
    const auto done = cluster_.Patch(
        {kube::resources::kPods, "default", name, "status"}, kube::PatchKind::kMerge,
        fmt::format(R"({{"status": {{"phase": "{}", "containerStatuses": [{{"name": "c",
                        "image": "i", "imageID": "", "ready": {}, "restartCount": {},
                        "state": {}}}]}}}})",
                    phase, phase == "Running", restarts, state));
    // It may have gone meanwhile.
    EXPECT_TRUE(done || done.error().code == ErrorCode::kNotFound) << done.error().message;
  }
  void SetAll(std::string_view phase) {
    for (const std::string& pod : Pods()) SetPod(pod, phase);
    Run();
  }
  void DeletePod(std::string_view name) {
    const auto done = cluster_.Delete({kube::resources::kPods, "default", name});
    EXPECT_TRUE(done || done.error().code == ErrorCode::kNotFound) << done.error().message;
  }

  std::vector<std::string> Pods() { return Names(kube::resources::kPods); }
  std::vector<std::string> Names(const kube::Resource& resource) {
    std::vector<std::string> names;
    for (const boost::json::value& object : cluster_.List(resource, "default")) {
      names.push_back(testutil::TextAt(object, "metadata.name"));
    }
    return names;
  }
  std::string UidOf(std::string_view pod) {
    return testutil::TextAt(cluster_.Get(kube::resources::kPods, "default", pod), "metadata.uid");
  }
  // All events' reasons and messages.
  std::string Events() {
    std::string all;
    for (const boost::json::value& event : cluster_.List(kube::resources::kEvents)) {
      all += testutil::TextAt(event, "reason") + ": " + testutil::TextAt(event, "message") + "\n";
    }
    return all;
  }

  testutil::SchedulingCluster& cluster() { return cluster_; }

 private:
  testutil::SchedulingCluster cluster_;
  std::unique_ptr<Process> process_;
  int commands_ = 0;
};

}  // namespace basalt::controllers
