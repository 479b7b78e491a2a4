#include "cli/job_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "cli/program_names.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(JobBodyTest, MakesAJobOfOneTask) {
  const auto body = JobBody({.name = "train",
                             .ns = "team",
                             .image = "pytorch",
                             .min_available = 2,
                             .replicas = 3,
                             .requests = "cpu=1000m,memory=100Mi",
                             .limits = "nvidia.com/gpu=1",
                             .scheduler = "volcano"});
  ASSERT_TRUE(body);
  EXPECT_EQ(json::value(*body), json::parse(R"({
    "apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job",
    "metadata": {"name": "train", "namespace": "team"},
    "spec": {"minAvailable": 2, "schedulerName": "volcano", "tasks": [
      {"name": "train", "replicas": 3, "template": {
        "metadata": {"labels": {"job.volcano.sh": "train"}},
        "spec": {"restartPolicy": "Never", "containers": [
          {"name": "train", "image": "pytorch", "resources": {
            "requests": {"cpu": "1000m", "memory": "100Mi"},
            "limits": {"nvidia.com/gpu": "1"}}}]}}}]}})"));
}

TEST(JobBodyTest, SaysWhichAmountIsWrong) {
  for (const auto& [text, want] :
       {std::pair<const char*, const char*>{"cpu", "--requests: \"cpu\""},
        {"=1", "--requests: \"=1\""},
        {"cpu=much", "--requests: cpu: \"much\""},
        {"cpu=1,memory=-1", "--requests: memory: \"-1\""}}) {
    const auto body = JobBody({.name = "x", .requests = text});
    ASSERT_FALSE(body) << text;
    EXPECT_THAT(body.error().message, HasSubstr(want));
  }
}

TEST(JobBodyTest, ACommandNamesItsTarget) {
  const json::object job{{"apiVersion", "batch.volcano.sh/v1alpha1"},
                         {"kind", "Job"},
                         {"metadata", json::object{{"name", "train"}, {"uid", "u-1"}}}};
  const json::value command(CommandBody(job, "team", "AbortJob"));
  EXPECT_EQ(command.at("action"), "AbortJob");
  EXPECT_EQ(command.at("metadata").at("namespace"), "team");
  EXPECT_EQ(command.at("metadata").at("generateName"), "train-abortjob-");
  EXPECT_EQ(command.at("target"), command.at("metadata").at("ownerReferences").as_array()[0]);
  EXPECT_EQ(command.at("target").at("uid"), "u-1");
  EXPECT_EQ(command.at("target").at("kind"), "Job");
}

TEST(ProgramNamesTest, VolcanosNamesAreCommandsOfBasalt) {
  const auto as = [](const char* program, std::vector<std::string> arguments) {
    return ArgumentsByName(program, std::move(arguments));
  };
  EXPECT_THAT(as("basalt", {"job", "list", "-n", "a"}), ElementsAre("job", "list", "-n", "a"));
  EXPECT_THAT(as("/usr/bin/vcctl", {"job", "list", "-n", "a"}),
              ElementsAre("job", "list", "-n", "a"));
  EXPECT_THAT(as("vsub", {"-n", "train", "-N", "team", "--image=x"}),
              ElementsAre("job", "run", "--name", "train", "--namespace", "team", "--image=x"));
  EXPECT_THAT(as("./vjobs", {}), ElementsAre("job", "list"));
  EXPECT_THAT(as("vjobs", {"-ntrain"}), ElementsAre("job", "view", "--name=train"));
  EXPECT_THAT(as("vsuspend", {"-n=train"}), ElementsAre("job", "suspend", "--name=train"));
  EXPECT_THAT(as("vresume", {"--name", "train"}), ElementsAre("job", "resume", "--name", "train"));
  EXPECT_THAT(as("vcancel", {"-n", "train"}), ElementsAre("job", "delete", "--name", "train"));
  EXPECT_THAT(as("vqueues", {}), ElementsAre("queue", "list"));
  EXPECT_THAT(as("vqueues", {"-n", "q"}), ElementsAre("queue", "get", "--name", "q"));
}

}  // namespace
}  // namespace basalt::cli
