#include "controllers/jobflow/jobflow_controller.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::controllers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testutil::TextAt;
namespace json = boost::json;
namespace resources = kube::resources;

class JobFlowControllerTest : public testing::Test {
 protected:
  JobFlowControllerTest() {
    flows_.Start();
    templates_.Start();
  }
  void Run() { cluster_.loop().RunFor(1s); }
  void AddTemplate(std::string_view name) {
    cluster_.Create(testutil::MakeObject(resources::kJobTemplates, name)
                        .Set("spec", json::parse(R"({"queue": "default", "maxRetry": 2,
                             "tasks": [{"name": "w", "replicas": 1}]})")));
  }
  void AddFlow(std::string_view flows, std::string_view more = "") {
    cluster_.Create(
        testutil::MakeObject(resources::kJobFlows, "f")
            .Set("spec", json::parse(fmt::format(R"({{"flows": [{}]{}}})", flows, more))));
    Run();
  }
  // a, then b and c, then d.
  void AddDiamond(std::string_view more = "") {
    for (const std::string_view name : {"a", "b", "c", "d"}) AddTemplate(name);
    AddFlow(R"({"name": "a"}, {"name": "b", "dependsOn": {"targets": ["a"]}},
               {"name": "c", "dependsOn": {"targets": ["a"]}},
               {"name": "d", "dependsOn": {"targets": ["b", "c"]}})",
            more);
  }
  void End(std::string_view job, std::string_view phase = "Completed") {
    ASSERT_TRUE(cluster_.Patch({resources::kVcJobs, "default", job, "status"},
                               kube::PatchKind::kMerge,
                               fmt::format(R"({{"status": {{"state": {{"phase": "{}",
                        "lastTransitionTime": "2026-01-01T00:00:09Z"}}, "conditions": [
                        {{"status": "Running", "lastTransitionTime": "2026-01-01T00:00:05Z"}},
                        {{"status": "{}", "lastTransitionTime": "2026-01-01T00:00:09Z"}}]}}}})",
                                           phase, phase)));
    Run();
  }
  std::vector<std::string> Jobs() {
    std::vector<std::string> names;
    for (const json::value& job : cluster_.List(resources::kVcJobs)) {
      names.push_back(TextAt(job, "metadata.name"));
    }
    return names;
  }
  json::value Flow() { return cluster_.Get(resources::kJobFlows, "default", "f"); }
  std::string Phase() { return TextAt(Flow(), "status.state.phase"); }
  std::string Events() {
    std::string all;
    for (const json::value& event : cluster_.List(resources::kEvents)) {
      all += TextAt(event, "reason") + ": " + TextAt(event, "message") + "\n";
    }
    return all;
  }

  testutil::SchedulingCluster cluster_;
  kube::EventRecorder events_{cluster_.client(), {.component = "vc-controller-manager"}};
  JobFlowController flows_{cluster_.client(), events_};
  JobTemplateController templates_{cluster_.client()};
};

TEST_F(JobFlowControllerTest, JobsFollowEachOther) {
  AddDiamond();
  EXPECT_THAT(Jobs(), ElementsAre("f-a"));
  EXPECT_EQ(Phase(), "Pending");
  End("f-a", "Running");
  EXPECT_EQ(Phase(), "Running");
  End("f-a");
  EXPECT_THAT(Jobs(), ElementsAre("f-a", "f-b", "f-c"));
  End("f-b");
  EXPECT_THAT(Jobs(), SizeIs(3));
  End("f-c");
  EXPECT_THAT(Jobs(), SizeIs(4));
  End("f-d");
  EXPECT_EQ(Phase(), "Succeed");
  EXPECT_EQ(json::serialize(Flow().at("status").at("completedJobs")),
            R"(["f-a","f-b","f-c","f-d"])");
  EXPECT_EQ(json::serialize(Flow().at("status").at("jobStatusList").at(0).at("runningHistories")),
            R"([{"state":"Running","startTimestamp":"2026-01-01T00:00:05Z",)"
            R"("endTimestamp":"2026-01-01T00:00:09Z"},)"
            R"({"state":"Completed","startTimestamp":"2026-01-01T00:00:09Z"}])");
  EXPECT_THAT(Jobs(), SizeIs(4)) << "they are kept";
  const json::value job = cluster_.Get(resources::kVcJobs, "default", "f-b");
  EXPECT_EQ(job.at("metadata").at("labels").at(kCreatedByFlow), "default.f");
  EXPECT_EQ(job.at("metadata").at("annotations").at(kCreatedByTemplate), "default.b");
  EXPECT_EQ(json::serialize(cluster_.Get(resources::kJobTemplates, "default", "b")
                                .at("status")
                                .at("jobDependsOnList")),
            R"(["f-b"])");
  EXPECT_THAT(Events(), HasSubstr("Created: Created job f-d"));
}

TEST_F(JobFlowControllerTest, AJobThatFailsFailsTheFlowAndNothingFollows) {
  AddDiamond();
  End("f-a");
  End("f-b", "Terminated");
  EXPECT_EQ(Phase(), "Failed");
  End("f-c");
  EXPECT_THAT(Jobs(), SizeIs(3));
}

TEST_F(JobFlowControllerTest, JobsThatAreNotToBeKeptGoAndAreNotMadeAgain) {
  AddTemplate("a");
  AddFlow(R"({"name": "a"})", R"(, "jobRetainPolicy": "delete")");
  End("f-a");
  Run();
  EXPECT_THAT(Jobs(), IsEmpty());
  EXPECT_EQ(Phase(), "Succeed");
  cluster_.loop().RunFor(1min);
  EXPECT_THAT(Jobs(), IsEmpty());
}

TEST_F(JobFlowControllerTest, AJobThatCompletedAndIsGoneHasCompletedAllTheSame) {
  AddTemplate("a");
  AddTemplate("b");
  AddFlow(R"({"name": "a"}, {"name": "b", "dependsOn": {"targets": ["a"]}})");
  End("f-a");
  ASSERT_TRUE(cluster_.Delete({resources::kVcJobs, "default", "f-a"}));  // as its time to live does
  Run();
  EXPECT_THAT(Jobs(), ElementsAre("f-b"));
  const json::value running = Flow().at("status");
  EXPECT_EQ(json::serialize(running.at("completedJobs")), R"(["f-a"])");
  EXPECT_EQ(running.at("jobStatusList").as_array().size(), 2u);
  End("f-b");
  EXPECT_EQ(Phase(), "Succeed");
  ASSERT_TRUE(cluster_.Delete({resources::kVcJobs, "default", "f-b"}));
  cluster_.loop().RunFor(1min);
  EXPECT_THAT(Jobs(), IsEmpty());
  EXPECT_EQ(Phase(), "Succeed");
}

TEST_F(JobFlowControllerTest, AMissingTemplateIsWaitedFor) {
  AddFlow(R"({"name": "a"})");
  EXPECT_THAT(Events(), HasSubstr("there is no JobTemplate a in namespace default"));
  cluster_.loop().RunFor(10min);
  AddTemplate("a");
  Run();
  EXPECT_THAT(Jobs(), ElementsAre("f-a"));
}

TEST_F(JobFlowControllerTest, APatchIsMergedOverTheTemplateAndAProbeIsSaidToBeIgnored) {
  AddTemplate("a");
  AddFlow(R"({"name": "a", "dependsOn": {"probe": {"tcpSocketList": [{"port": 1}]}},
              "patch": {"jobSpec": {"maxRetry": 5, "tasks": [{"name": "w", "replicas": 3},
                                                             {"name": "x", "replicas": 1}]}}})");
  const json::value job = cluster_.Get(resources::kVcJobs, "default", "f-a");
  EXPECT_EQ(json::serialize(job.at("spec")),
            R"({"queue":"default","maxRetry":5,"tasks":[{"name":"w","replicas":3},)"
            R"({"name":"x","replicas":1}]})");
  EXPECT_THAT(Events(), HasSubstr("ProbeIgnored"));
}

TEST_F(JobFlowControllerTest, LongNamesAreLabelledAllTheSame) {
  const std::string name(60, 'f');
  AddTemplate("a");
  cluster_.Create(testutil::MakeObject(resources::kJobFlows, name)
                      .Set("spec", json::parse(R"({"flows": [{"name": "a"}]})")));
  Run();
  EXPECT_THAT(Jobs(), ElementsAre(name + "-a"));
}

}  // namespace
}  // namespace basalt::controllers
