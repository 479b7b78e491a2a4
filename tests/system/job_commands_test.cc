// deps: basalt_testing basalt_kube_client
// vcctl's commands against a whole cluster in one process, or on the real API server that
// $BASALT_TEST_KUBECONFIG names, where all roles run (tests/cluster/vcctl).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "testing/builders.h"
#include "tests/system/up_fixture.h"

namespace basalt::systemtest {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kFlowFile = R"(
apiVersion: flow.volcano.sh/v1alpha1
kind: JobTemplate
metadata: {name: step}
spec:
  tasks:
  - replicas: 1
    template: {spec: {containers: [{name: c, image: busybox}]}}
---
apiVersion: flow.volcano.sh/v1alpha1
kind: JobTemplate
metadata: {name: other}
spec:
  tasks:
  - replicas: 1
    template: {spec: {containers: [{name: c, image: busybox}]}}
)";

class JobCommandsTest : public UpTest {
 protected:
  struct Answer {
    int exit_code = -1;
    std::string out;
    std::string errors;
  };
  // By a name of Volcano's, or as basalt.
  Answer Ask(const std::string& program, std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--kubeconfig", kubeconfig_});
    ChildProcess process = ChildProcess::BasaltAs(program, std::move(arguments));
    Answer answer;
    answer.exit_code = process.Wait().value_or(-1);
    answer.out = process.Output();
    answer.errors = process.Errors();
    return answer;
  }
  // Its output; it must succeed.
  std::string Run(const std::string& program, std::vector<std::string> arguments) {
    const Answer answer = Ask(program, std::move(arguments));
    EXPECT_EQ(answer.exit_code, 0) << answer.errors;
    return answer.out;
  }
  std::string Refused(std::vector<std::string> arguments) {
    const Answer answer = Ask("basalt", std::move(arguments));
    EXPECT_NE(answer.exit_code, 0) << answer.out;
    return answer.errors;
  }
};

TEST_F(JobCommandsTest, WhatVcctlDoesBasaltDoes) {
  std::optional<ChildProcess> up;
  if (const char* real = std::getenv("BASALT_TEST_KUBECONFIG")) {
    kubeconfig_ = real;
  } else {
    up.emplace(Up({"--nodes", "2", "--node-cpu", "4", "--listen", "127.0.0.1:0"}));
    ASSERT_TRUE(up->ReadLine().has_value()) << up->Errors();
  }
  const std::string jobs = "/apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs";

  // Queues.
  EXPECT_THAT(Run("vcctl", {"queue", "create", "-n", "q", "--weight", "4"}),
              HasSubstr("create queue q successfully"));
  EXPECT_THAT(Run("vqueues", {}), HasSubstr("Name      Weight   State"));
  EXPECT_EQ(json::parse(Run("basalt", {"queue", "get", "q", "-o", "json"})).at("spec").at("weight"),
            4);
  Run("basalt", {"queue", "operate", "--name", "q", "--action", "update", "--weight", "7"});
  EXPECT_THAT(Run("vqueues", {"-n", "q"}), HasSubstr("q      7"));
  const std::string queue = "/apis/scheduling.volcano.sh/v1beta1/queues/q";
  Run("vcctl", {"queue", "operate", "--name", "q", "--action", "close"});
  EXPECT_TRUE(Eventually(queue, [](const json::value& answer) {
    return testutil::TextAt(answer, "status.state") == "Closed";
  }));
  EXPECT_THAT(Refused({"queue", "operate", "q"}), HasSubstr("needs --action"));
  EXPECT_THAT(Refused({"queue", "operate", "q", "--action", "update"}), HasSubstr("--weight"));

  // Jobs.
  EXPECT_THAT(Run("vsub", {"-n", "train", "-N", "default", "--image", "x", "--replicas", "2",
                           "--min", "2", "--requests", "cpu=100m"}),
              HasSubstr("run job train successfully"));
  const auto made = Send({.path = jobs + "/train"});
  ASSERT_TRUE(made);
  EXPECT_EQ(testutil::TextAt(*made, "spec.queue"), "default") << "filled in by the webhook";
  EXPECT_THAT(Run("vcctl", {"job", "list"}), HasSubstr("train"));
  EXPECT_THAT(Run("vjobs", {}), HasSubstr("Name    Creation"));
  EXPECT_THAT(Run("basalt", {"job", "list", "--selector", "nothing"}), HasSubstr("No jobs"));
  EXPECT_THAT(Run("basalt", {"job", "list", "--queue", "q"}), HasSubstr("No jobs"));
  EXPECT_THAT(Run("basalt", {"job", "list", "-A", "--scheduler", "volcano"}), HasSubstr("train"));
  EXPECT_EQ(json::parse(Run("basalt", {"job", "list", "-o", "json"})).at("items").as_array().size(),
            1u);
  EXPECT_EQ(Run("basalt", {"job", "list", "-o", "name"}), "job.batch.volcano.sh/train\n");
  EXPECT_THAT(Run("basalt", {"job", "list", "-o", "wide"}), HasSubstr("Scheduler"));
  EXPECT_THAT(Run("kubectl-basalt", {"job", "list", "-l", "no=such"}), HasSubstr("No jobs"));
  EXPECT_THAT(Run("basalt", {"queue", "list", "-o", "wide"}), HasSubstr("Capability"));
  EXPECT_THAT(Run("basalt", {"podgroup", "list", "-o", "name"}),
              HasSubstr("podgroup.scheduling.volcano.sh/train-"));
  EXPECT_THAT(Refused({"queue", "lst"}), HasSubstr("Did you mean list?"));
  EXPECT_THAT(Run("vjobs", {"-n", "train"}), HasSubstr("minAvailable: 2"));
  EXPECT_THAT(Run("basalt", {"job", "view", "train", "-o", "yaml"}), HasSubstr("kind: Job"));
  EXPECT_THAT(Run("basalt", {"explain", "job", "train"}), HasSubstr("Job default/train"));
  EXPECT_THAT(Run("vsuspend", {"-n", "train"}), HasSubstr("suspend job train successfully"));
  EXPECT_THAT(Run("vresume", {"-n", "train"}), HasSubstr("resume job train successfully"));
  EXPECT_THAT(Run("basalt", {"pod", "list"}), Not(HasSubstr("error")));
  EXPECT_THAT(Run("vcancel", {"-n", "train"}), HasSubstr("delete job train successfully"));
  EXPECT_THAT(Refused({"job", "view", "train"}), HasSubstr("not found"));
  EXPECT_THAT(Refused({"job", "view"}), HasSubstr("needs a NAME"));
  EXPECT_THAT(Refused({"job", "run", "late", "-f", WriteFile("wrong.yaml", kFlowFile)}),
              HasSubstr("want a Job of batch.volcano.sh/v1alpha1, not JobTemplate"));

  // What the webhook refuses is refused here, with its words.
  const std::string file = WriteFile("job.yaml", R"(
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: stuck}
spec:
  queue: q
  tasks:
  - replicas: 1
    template: {spec: {containers: [{name: c, image: i}]}}
)");
  EXPECT_THAT(Refused({"job", "run", "-f", file}), HasSubstr("spec.queue: queue \"q\" is Closed"));

  // Templates and flows.
  const std::string templates = WriteFile("templates.yaml", kFlowFile);
  EXPECT_THAT(Run("vcctl", {"jobtemplate", "create", "-f", templates}),
              HasSubstr("Created jobtemplate: default/other"));
  const std::string flow = WriteFile("flow.yaml", R"(
apiVersion: flow.volcano.sh/v1alpha1
kind: JobFlow
metadata: {name: night}
spec: {flows: [{name: step}, {name: other, dependsOn: {targets: [step]}}]}
)");
  Run("vcctl", {"jobflow", "create", "--file", flow});
  EXPECT_THAT(Run("vcctl", {"jobtemplate", "list"}), HasSubstr("other   default"));
  EXPECT_THAT(Run("vcctl", {"jobflow", "get", "-N", "night"}), HasSubstr("night"));
  EXPECT_THAT(Run("vcctl", {"jobflow", "describe", "--name", "night"}), HasSubstr("kind: JobFlow"));
  EXPECT_THAT(Run("vcctl", {"jobflow", "list", "--format", "json"}), HasSubstr("\"night\""));
  Run("vcctl", {"jobflow", "delete", "--name", "night"});
  Run("vcctl", {"jobtemplate", "delete", "-f", templates});
  EXPECT_THAT(Run("vcctl", {"jobflow", "list"}), HasSubstr("No jobflows."));
  EXPECT_THAT(Run("vcctl", {"queue", "delete", "--name", "q"}), HasSubstr("delete queue q"));
}

}  // namespace
}  // namespace basalt::systemtest
