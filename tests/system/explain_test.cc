// deps: basalt_testing
// The questions that people ask with the basalt command, against a whole cluster in one process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "tests/system/child_process.h"

namespace basalt::systemtest {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

constexpr std::string_view kObjects = R"(
apiVersion: scheduling.volcano.sh/v1beta1
kind: PodGroup
metadata: {name: train, namespace: default}
spec: {minMember: 1, queue: default}
---
apiVersion: v1
kind: Pod
metadata:
  name: train-0
  namespace: default
  annotations: {scheduling.k8s.io/group-name: train}
spec:
  schedulerName: volcano
  containers: [{name: c, image: i, resources: {requests: {cpu: "3"}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: plain, namespace: default}
spec:
  schedulerName: volcano
  containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]
)";

class ExplainSystemTest : public testing::Test {
 protected:
  ExplainSystemTest() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "basalt-explain.XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    kubeconfig_ = (folder_ / "kubeconfig").string();
    std::ofstream(folder_ / "objects.yaml") << kObjects;
  }
  ~ExplainSystemTest() override { std::filesystem::remove_all(folder_); }

  struct Answer {
    int exit_code = -1;
    std::string out;
    std::string errors;
  };
  Answer Ask(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--kubeconfig", kubeconfig_});
    ChildProcess process = ChildProcess::Basalt(std::move(arguments));
    Answer answer;
    answer.exit_code = process.Wait().value_or(-1);
    answer.out = process.Output();
    answer.errors = process.Errors();
    return answer;
  }
  // Asks again until the answer holds `text`.
  Answer AskUntil(const std::vector<std::string>& arguments, std::string_view text) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (true) {
      Answer answer = Ask(arguments);
      const bool done = answer.out.find(text) != std::string::npos;
      if (done || std::chrono::steady_clock::now() > deadline) return answer;
    }
  }

  std::filesystem::path folder_;
  std::string kubeconfig_;
};

TEST_F(ExplainSystemTest, APodThatWaitsIsExplainedToPeopleAndPrograms) {
  ChildProcess up = ChildProcess::Basalt({"up", "--kubeconfig", kubeconfig_, "--nodes", "2",
                                          "--node-cpu", "2", "--listen", "127.0.0.1:0", "--apply",
                                          (folder_ / "objects.yaml").string()});
  ASSERT_TRUE(up.ReadLine().has_value()) << up.Errors();

  const Answer text = AskUntil({"explain", "pod", "train-0"}, "Insufficient cpu");
  EXPECT_EQ(text.exit_code, 0) << text.errors;
  EXPECT_THAT(text.out, HasSubstr("Stage:   node"));
  EXPECT_THAT(text.out, HasSubstr("Change:  one more node with room for cpu 3"));

  const Answer programs = Ask({"explain", "podgroup", "train", "-n", "default", "-o", "json"});
  EXPECT_EQ(programs.exit_code, 0) << programs.errors;
  const json::value parsed = json::parse(programs.out);
  EXPECT_EQ(parsed.at("stage"), "node");
  EXPECT_EQ(parsed.at("nodes").as_array()[0].at("count"), 2);

  const Answer yaml = Ask({"explain", "queue", "default", "-o", "yaml"});
  EXPECT_THAT(yaml.out, HasSubstr("stage: node\n"));

  const Answer groups = AskUntil({"podgroup", "list"}, "shadow");
  EXPECT_THAT(groups.out, HasSubstr("shadow"));
  EXPECT_THAT(groups.out, HasSubstr("train"));
  EXPECT_THAT(Ask({"queue", "list"}).out, HasSubstr("default"));
  EXPECT_THAT(Ask({"queue", "get", "default"}).out, HasSubstr("cpu 1"));

  const Answer scale = AskUntil({"explain", "scale"}, "seen: adds a node");
  EXPECT_EQ(scale.exit_code, 0) << scale.errors;
  EXPECT_THAT(scale.out, HasSubstr("1 pod without a node: Cluster Autoscaler ("));
  EXPECT_THAT(scale.out, HasSubstr("CLUSTER AUTOSCALER"));
  const json::value figures =
      json::parse(Ask({"explain", "scale", "--queue", "default", "-o", "json"}).out);
  EXPECT_EQ(figures.at("karpenter").at("seen"), 1);
  EXPECT_EQ(figures.at("items").as_array()[0].at("name"), "train-0");
  EXPECT_THAT(Ask({"explain", "scale", "-n", "elsewhere"}).out, HasSubstr("0 pods without a node"));
  EXPECT_EQ(Ask({"explain", "scale", "--queue", "none"}).exit_code, 1);
  EXPECT_EQ(Ask({"explain", "scale", "train-0"}).exit_code, 2);
  EXPECT_EQ(Ask({"explain", "pod"}).exit_code, 2);

  const Answer nothing = Ask({"explain", "pod", "none"});
  EXPECT_EQ(nothing.exit_code, 1);
  EXPECT_EQ(nothing.errors, "basalt: error: pod default/none is not known to the scheduler\n");
  EXPECT_EQ(Ask({"explain", "node", "n1"}).exit_code, 2);
}

// Each command that shows something, with each of the flags that all of them have.
TEST_F(ExplainSystemTest, OneFormForAllCommands) {
  ChildProcess up =
      ChildProcess::Basalt({"up", "--kubeconfig", kubeconfig_, "--node-cpu", "2", "--listen",
                            "127.0.0.1:0", "--apply", (folder_ / "objects.yaml").string()});
  ASSERT_TRUE(up.ReadLine().has_value()) << up.Errors();
  AskUntil({"explain", "pod", "train-0"}, "Insufficient cpu");
  ASSERT_EQ(Ask({"job", "run", "work"}).exit_code, 0);
  ASSERT_EQ(Ask({"defrag", "plan"}).exit_code, 0);
  const std::vector<std::vector<std::string>> shows = {
      {"queue", "list"},  {"podgroup", "list"},
      {"job", "list"},    {"reservation", "list"},
      {"defrag", "plan"}, {"explain", "queue", "default"},
      {"status"},         {"defrag", "status"}};
  const auto with = [](std::vector<std::string> words, std::vector<std::string> more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  for (const std::vector<std::string>& words : shows) {
    SCOPED_TRACE(words[0] + " " + words.back());
    const Answer programs = Ask(with(words, {"-o", "json"}));
    EXPECT_TRUE(json::parse(programs.out).is_object()) << programs.errors;
    for (const char* form : {"yaml", "wide"}) {
      const Answer answer = Ask(with(words, {"-o", form}));
      EXPECT_EQ(answer.exit_code, 0) << form << answer.errors;
      EXPECT_NE(answer.out, "") << form;
    }
    const Answer names = Ask(with(words, {"-o", "name"}));
    EXPECT_EQ(names.exit_code, 0) << names.errors;
    EXPECT_TRUE(words[0] == "reservation" || names.out.find("/") != std::string::npos);
    EXPECT_EQ(names.out.find("/\n"), std::string::npos) << names.out;
    if (words[0] != "explain") {
      EXPECT_EQ(Ask(with(words, {"-A"})).exit_code, 0);
    }
    ChildProcess watch = ChildProcess::Basalt(with(words, {"-w", "--kubeconfig", kubeconfig_}));
    EXPECT_TRUE(watch.ReadLine().has_value()) << watch.Errors();
    watch.Signal(SIGTERM);
  }
  EXPECT_THAT(Ask({"explain", "pod", "-A"}).out, HasSubstr("Pod default/train-0"));
  EXPECT_THAT(Ask({"explain", "podgroup", "-A"}).out, HasSubstr("PodGroup default/train"));
  EXPECT_THAT(Ask({"explain", "queue", "-l", "no=such"}).errors, HasSubstr("no queue has"));
  EXPECT_EQ(json::parse(Ask({"explain", "queues", "-l", "!no", "-o", "json"}).out).at("found"), 2);
  EXPECT_EQ(Ask({"explain", "pod", "train-0", "-A"}).exit_code, 2);
  EXPECT_THAT(Ask({"status", "-l", "no=such", "-o", "json"}).out, HasSubstr(R"("queues":[])"));
  EXPECT_THAT(Ask({"queue", "list", "--watchh"}).errors, HasSubstr("Did you mean --watch?"));
  EXPECT_THAT(Ask({"queue", "list", "-Z"}).errors, HasSubstr("unknown flag -Z. See"));
}

TEST_F(ExplainSystemTest, WithoutASchedulerTheRemedyIsNamed) {
  ChildProcess up = ChildProcess::Basalt(
      {"up", "--only", "api", "--kubeconfig", kubeconfig_, "--listen", "127.0.0.1:0"});
  ASSERT_TRUE(up.ReadLine().has_value()) << up.Errors();
  const Answer answer = Ask({"explain", "pod", "train-0"});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.errors, HasSubstr("no scheduler answers questions"));
}

}  // namespace
}  // namespace basalt::systemtest
