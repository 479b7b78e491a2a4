// deps: basalt_testing basalt_kube_client
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/json/value.hpp>
#include <chrono>
#include <csignal>

#include "testing/builders.h"
#include "tests/system/child_process.h"
#include "tests/system/up_fixture.h"

namespace basalt::systemtest {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::StartsWith;
using testutil::TextAt;

TEST_F(UpTest, SaysReadyWritesAPrivateKubeconfigAndStopsCleanly) {
  ChildProcess up = Up({"--nodes", "3", "--node-gpu", "8", "--node-zones", "2"});
  const auto ready = up.ReadLine();
  ASSERT_TRUE(ready) << (up.Wait(1s), up.Errors());
  EXPECT_THAT(*ready, testing::MatchesRegex("ready https://127\\.0\\.0\\.1:[0-9]+ kubeconfig .*"));
  EXPECT_THAT(*ready, testing::EndsWith(kubeconfig_));
  struct stat status {};
  ASSERT_EQ(stat(kubeconfig_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);

  const auto nodes = Send({.path = "/api/v1/nodes"});
  ASSERT_TRUE(nodes) << nodes.error().message;
  ASSERT_EQ(nodes->at("items").as_array().size(), 3u);
  const json::value& node = nodes->at("items").at(1);
  EXPECT_EQ(TextAt(node, "metadata.name"), "node-0002");
  EXPECT_EQ(node.at("metadata").at("labels").at("topology.kubernetes.io/zone"), "zone-2");
  EXPECT_EQ(node.at("metadata").at("labels").at("kubernetes.io/hostname"), "node-0002");
  EXPECT_EQ(node.at("status").at("allocatable").at("nvidia.com/gpu"), "8");
  EXPECT_TRUE(Eventually("/api/v1/nodes/node-0002", [](const json::value& now) {
    const json::value* conditions = testutil::FindPath(now, "status.conditions");
    if (conditions == nullptr) return false;
    for (const json::value& condition : conditions->as_array()) {
      if (TextAt(condition, "type") == "Ready") return TextAt(condition, "status") == "True";
    }
    return false;
  }));

  const auto refused = Send({.path = "/api/v1/nodes"}, false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnauthorized);

  const auto begin = std::chrono::steady_clock::now();
  up.Signal(SIGTERM);
  EXPECT_EQ(up.Wait(), 0) << up.Errors();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
}

constexpr char kProduction[] = R"(apiVersion: v1
kind: Config
current-context: production
clusters: [{name: production, cluster: {server: "https://prod.example"}}]
users: [{name: admin, user: {token: secret}}]
contexts: [{name: production, context: {cluster: production, user: admin}}]
)";

std::string Contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(UpTest, AnExistingKubeconfigKeepsItsEntriesAndGetsItsContextBack) {
  std::filesystem::create_symlink(WriteFile("theirs", kProduction), kubeconfig_);
  ChildProcess up = Up({});
  ASSERT_TRUE(up.ReadLine()) << (up.Wait(1s), up.Errors());
  EXPECT_THAT(Contents(kubeconfig_),
              testing::AllOf(HasSubstr("https://prod.example"), HasSubstr("token: secret"),
                             HasSubstr("current-context: basalt\n")));
  EXPECT_TRUE(Send({.path = "/api/v1/nodes"}));
  up.Signal(SIGTERM);
  EXPECT_EQ(up.Wait(), 0) << up.Errors();
  EXPECT_TRUE(std::filesystem::is_symlink(kubeconfig_));
  EXPECT_THAT(Contents(folder_ / "theirs"),
              testing::AllOf(HasSubstr("https://prod.example"), HasSubstr("token: secret"),
                             HasSubstr("current-context: production\n"),
                             testing::Not(HasSubstr("127.0.0.1"))));
}

TEST_F(UpTest, TwoInOneFolderAreTwoContextsAndLeaveNothingBehind) {
  ChildProcess first = Up({"--nodes", "0"});
  ASSERT_TRUE(first.ReadLine()) << (first.Wait(1s), first.Errors());
  ChildProcess second = Up({"--nodes", "2"});
  ASSERT_TRUE(second.ReadLine()) << (second.Wait(1s), second.Errors());
  const auto nodes_of = [&](const char* context) -> std::size_t {
    auto config = kube::LoadKubeconfig({kubeconfig_}, context);
    if (!config) return 99;
    AsioLoop loop;
    auto api = kube::HttpApiClient::Create(loop, *config);
    std::size_t count = 99;
    loop.Post([&] {
      (*api)->Send({.path = "/api/v1/nodes"}, [&](Result<kube::ApiResponse> result) {
        if (result) count = json::parse(result->body).at("items").as_array().size();
        loop.Stop();
      });
    });
    loop.Run();
    return count;
  };
  EXPECT_EQ(nodes_of("basalt"), 0u);
  EXPECT_EQ(nodes_of("basalt-2"), 2u);
  EXPECT_EQ(nodes_of(""), 2u) << "the newest is the current one";
  second.Signal(SIGTERM);
  EXPECT_EQ(second.Wait(), 0) << second.Errors();
  EXPECT_THAT(second.Errors(), HasSubstr("basalt-2"));
  EXPECT_EQ(nodes_of(""), 0u) << "the first is current again";
  first.Signal(SIGTERM);
  EXPECT_EQ(first.Wait(), 0) << first.Errors();
  EXPECT_FALSE(std::filesystem::exists(kubeconfig_));
}

TEST_F(UpTest, WhatIsNoKubeconfigIsNotOverwritten) {
  WriteFile("kubeconfig", "my: [diary\n");
  ChildProcess up = Up({});
  EXPECT_EQ(up.Wait(), 1);
  EXPECT_THAT(up.Errors(), HasSubstr("it is no kubeconfig"));
  EXPECT_EQ(Contents(kubeconfig_), "my: [diary\n");
  const std::string below_a_file = kubeconfig_ + "/dir/kc";
  ChildProcess nowhere = ChildProcess::Basalt({"up", "--kubeconfig", below_a_file});
  EXPECT_EQ(nowhere.Wait(), 1);
  EXPECT_THAT(nowhere.Errors(), HasSubstr("--kubeconfig: " + below_a_file + ": its folder"));
}

TEST_F(UpTest, AConfigurationThatCannotBeUsedEndsIt) {
  struct Case {
    const char* text;
    const char* want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"actions: \"enqueue\"\ntiers:\n- plugin: []\n", "line 3"},
           {"actions: \"allocate\"\nconfigurations:\n- name: allocate\n"
            "  arguments: {gateRemoval: never}\n",
            "line 3: allocate: gateRemoval: must be admitted or bind, not never"},
       }) {
    ChildProcess up = Up({"--scheduler-conf", WriteFile("conf", c.text)});
    EXPECT_EQ(up.Wait(), 1);
    EXPECT_THAT(up.Errors(), HasSubstr(c.want));
  }
  ChildProcess up = Up({"--scheduler-conf", folder_ / "missing"});
  EXPECT_EQ(up.Wait(), 1);
  EXPECT_THAT(up.Errors(), HasSubstr("--scheduler-conf"));
}

TEST_F(UpTest, StopsOnInterrupt) {
  ChildProcess up = Up({});
  ASSERT_TRUE(up.ReadLine()) << (up.Wait(1s), up.Errors());
  up.Signal(SIGINT);
  EXPECT_EQ(up.Wait(), 0) << up.Errors();
}

TEST_F(UpTest, AppliesFilesRunsWorkloadsAndInstallsCrds) {
  const std::string file = WriteFile("objects.yaml", R"(
apiVersion: v1
kind: Namespace
metadata: {name: team}
---
apiVersion: batch/v1
kind: Job
metadata: {name: sum, namespace: team}
spec:
  completions: 2
  parallelism: 2
  template:
    spec:
      restartPolicy: Never
      nodeName: node-0001
      containers: [{name: main, image: busybox, command: [sleep, "0.1"]}]
)");
  ChildProcess up = Up({"--nodes", "1", "--apply", file});
  ASSERT_TRUE(up.ReadLine()) << (up.Wait(1s), up.Errors());
  EXPECT_TRUE(Eventually("/apis/batch/v1/namespaces/team/jobs/sum", [](const json::value& job) {
    const json::value* succeeded = testutil::FindPath(job, "status.succeeded");
    return succeeded != nullptr && *succeeded == 2;
  }));
  const auto queues = Send({.path = "/apis/scheduling.volcano.sh/v1beta1/queues"});
  EXPECT_TRUE(queues) << queues.error().message;
}

TEST_F(UpTest, WithoutFlagsAPlainDeploymentRunsAndTheNextLineToTypeIsPrinted) {
  const std::string file = WriteFile("web.yaml", R"(
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: nginx, image: nginx}]}
---
apiVersion: v1
kind: Pod
metadata: {name: theirs}
spec:
  schedulerName: another
  containers: [{name: c, image: i}]
)");
  ChildProcess up = Up({"--apply", file});
  ASSERT_TRUE(up.ReadLine()) << (up.Wait(1s), up.Errors());
  const auto dashboard = up.ReadLine();
  ASSERT_TRUE(dashboard);
  EXPECT_THAT(*dashboard, StartsWith("dashboard http://127.0.0.1:"));
  const auto next = up.ReadLine();
  ASSERT_TRUE(next);
  EXPECT_THAT(*next, HasSubstr("export KUBECONFIG=" + kubeconfig_ + "; kubectl create deployment"));
  EXPECT_TRUE(
      Eventually("/apis/apps/v1/namespaces/default/deployments/web", [](const json::value& web) {
        const json::value* available = testutil::FindPath(web, "status.availableReplicas");
        return available != nullptr && *available == 2;
      }));
  const auto nodes = Send({.path = "/api/v1/nodes"});
  ASSERT_TRUE(nodes);
  EXPECT_EQ(nodes->at("items").as_array().size(), 3u);

  ChildProcess web = ChildProcess::Basalt({"explain", "deploy/web", "--kubeconfig", kubeconfig_});
  EXPECT_EQ(web.Wait(), 0);
  EXPECT_EQ(web.Output(), "2 of 2 pods have a node.\n");
  ChildProcess status = ChildProcess::Basalt({"status", "--kubeconfig", kubeconfig_});
  EXPECT_EQ(status.Wait(), 0);
  EXPECT_THAT(status.Output(), testing::AllOf(HasSubstr("3 of 3 ready; 2 pods on them"),
                                              HasSubstr("default   Open")));
  ChildProcess figures =
      ChildProcess::Basalt({"status", "-o", "json", "--kubeconfig", kubeconfig_});
  EXPECT_EQ(figures.Wait(), 0);
  EXPECT_EQ(json::parse(figures.Output()).at("nodes").at("ready"), 3);
  ChildProcess watch = ChildProcess::Basalt({"queue", "list", "-w", "--kubeconfig", kubeconfig_});
  EXPECT_THAT(watch.ReadLine().value_or(""), StartsWith("Name"));
  ChildProcess explain =
      ChildProcess::Basalt({"explain", "pod", "theirs", "--kubeconfig", kubeconfig_});
  EXPECT_EQ(explain.Wait(), 1);
  EXPECT_THAT(explain.Errors(), HasSubstr("pod default/theirs is for the scheduler \"another\""));
  EXPECT_THAT(explain.Errors(), HasSubstr("default-scheduler or volcano"));
}

TEST_F(UpTest, OnlyApiLeavesTheWorkloadsAlone) {
  const std::string file = WriteFile("objects.json", R"({"apiVersion":"apps/v1","kind":"ReplicaSet",
    "metadata":{"name":"web"},"spec":{"replicas":1,"selector":{"matchLabels":{"a":"b"}},
    "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}
    {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},
     "spec":{"nodeName":"node-0001","containers":[{"name":"c","image":"i"}]}})");
  ChildProcess up = Up({"--nodes", "1", "--only", "api", "--apply", file});
  ASSERT_TRUE(up.ReadLine()) << (up.Wait(1s), up.Errors());
  EXPECT_TRUE(Eventually("/api/v1/namespaces/default/pods/p", [](const json::value& pod) {
    return TextAt(pod, "status.phase") == "Running";
  }));
  const auto pods = Send({.path = "/api/v1/namespaces/default/pods"});
  ASSERT_TRUE(pods);
  EXPECT_EQ(pods->at("items").as_array().size(), 1u);
}

constexpr char kOptedInPod[] = R"({"metadata":{"generateName":"p-","annotations":
    {"scheduling.volcano.sh/queue-allocation-gate":"true"}},"spec":{"schedulerName":"volcano",
    "containers":[{"name":"c","image":"i"}]}})";

TEST_F(UpTest, TheWebhookGatesAPodThatOptsIn) {
  ChildProcess up = Up({});
  ASSERT_TRUE(up.ReadLine()) << (up.Wait(1s), up.Errors());
  const auto pod = Send({.method = "POST",
                         .path = "/api/v1/namespaces/default/pods",
                         .query = {{"dryRun", "All"}},
                         .body = kOptedInPod});
  ASSERT_TRUE(pod) << pod.error().message;
  EXPECT_EQ(TextAt(*pod, "spec.schedulingGates.0.name"),
            "scheduling.volcano.sh/queue-allocation-gate");
}

TEST_F(UpTest, AFeatureGateTurnsTheGatesOff) {
  ChildProcess up = Up({"--feature-gates", "SchedulingGatesQueueAdmission=false"});
  ASSERT_TRUE(up.ReadLine()) << (up.Wait(1s), up.Errors());
  const auto pod = Send({.method = "POST",
                         .path = "/api/v1/namespaces/default/pods",
                         .query = {{"dryRun", "All"}},
                         .body = kOptedInPod});
  ASSERT_TRUE(pod) << pod.error().message;
  EXPECT_EQ(testutil::FindPath(*pod, "spec.schedulingGates"), nullptr);
}

TEST_F(UpTest, AWebhookOfItsOwnRegistersItselfAndStopsCleanly) {
  ChildProcess up = Up({"--only", "api"});
  ASSERT_TRUE(up.ReadLine()) << (up.Wait(1s), up.Errors());
  ChildProcess webhook =
      ChildProcess::Basalt({"webhook", "--kubeconfig", kubeconfig_, "--self-register",
                            "--listen-address", "127.0.0.1", "--port", "0"});
  const auto deadline = std::chrono::steady_clock::now() + 60s;
  bool gated = false;
  while (!gated && std::chrono::steady_clock::now() < deadline) {
    const auto pod = Send({.method = "POST",
                           .path = "/api/v1/namespaces/default/pods",
                           .query = {{"dryRun", "All"}},
                           .body = kOptedInPod});
    gated = pod && testutil::FindPath(*pod, "spec.schedulingGates") != nullptr;
  }
  EXPECT_TRUE(gated);
  webhook.Signal(SIGTERM);
  EXPECT_EQ(webhook.Wait(), 0) << webhook.Errors();
}

TEST_F(UpTest, APortInUseIsAClearError) {
  const int taken = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(bind(taken, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(listen(taken, 1), 0);
  socklen_t size = sizeof address;
  getsockname(taken, reinterpret_cast<sockaddr*>(&address), &size);
  const std::string port = std::to_string(ntohs(address.sin_port));
  ChildProcess up = Up({"--listen", "127.0.0.1:" + port});
  EXPECT_EQ(up.Wait(), 1);
  EXPECT_THAT(up.Errors(), HasSubstr("127.0.0.1 port " + port));
  EXPECT_THAT(up.Errors(), HasSubstr("in use"));
  EXPECT_EQ(up.Output(), "");
  close(taken);
}

TEST_F(UpTest, ABadFileToApplyIsNamedWithDocumentAndLine) {
  struct Case {
    const char* text;
    const char* want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\nkind: Pod\n",
            "document 2, line 5: apiVersion is missing"},
           {"a: [\n", "document 1, line 2"},
           {"apiVersion: v1\nkind: Namespace\nmetadata: {name: NOT_VALID}\n",
            "document 1, line 1: Namespace NOT_VALID"},
       }) {
    ChildProcess up = Up({"--apply", WriteFile("bad.yaml", c.text)});
    EXPECT_EQ(up.Wait(), 1);
    EXPECT_THAT(up.Errors(), HasSubstr(c.want));
    EXPECT_THAT(up.Errors(), HasSubstr("bad.yaml"));
  }
  ChildProcess up = Up({"--apply", folder_ / "missing.yaml"});
  EXPECT_EQ(up.Wait(), 1);
  EXPECT_THAT(up.Errors(), HasSubstr("missing.yaml: No such file"));
}

TEST(CommandLineTest, WrongUseIsExplainedWithExitCodeTwo) {
  struct Case {
    std::vector<std::string> arguments;
    const char* want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {{"up", "--node", "3"}, "unknown flag --node. Did you mean --nodes?"},
           {{"up", "--kubeconfg=x"}, "unknown flag --kubeconfg. Did you mean --kubeconfig?"},
           {{"pu"}, "unknown command pu. Did you mean up?"},
           {{"up", "--nodes", "many"}, "--nodes"},
           {{"up", "--nodes", "-1"}, "--nodes"},
           {{"up", "--node-cpu", "lots"}, "--node-cpu: \"lots\""},
           {{"up", "--listen", "nowhere"}, "--listen: \"nowhere\": want ADDRESS:PORT"},
           {{"up", "--only", "scheduler"}, "--only"},
           {{"up", "--log-level", "loud"}, "--log-level"},
           {{"webhook", "--port", "70000"}, "--port"},
           {{"help", "nothing"}, "there is no command \"nothing\""},
       }) {
    ChildProcess basalt = ChildProcess::Basalt(c.arguments);
    EXPECT_EQ(basalt.Wait(), 2) << testing::PrintToString(c.arguments);
    EXPECT_THAT(basalt.Errors(), HasSubstr(c.want));
  }
}

TEST(CommandLineTest, ExplainsItself) {
  ChildProcess version = ChildProcess::Basalt({"version"});
  EXPECT_EQ(version.Wait(), 0);
  EXPECT_THAT(version.Output(), StartsWith("basalt "));
  ChildProcess help = ChildProcess::Basalt({"help", "up"});
  EXPECT_EQ(help.Wait(), 0);
  EXPECT_THAT(help.Output(), HasSubstr("--node-gpu"));
  ChildProcess help_of_help = ChildProcess::Basalt({"help", "--help"});
  EXPECT_EQ(help_of_help.Wait(), 0);
  EXPECT_THAT(help_of_help.Output(), HasSubstr("help COMMAND"));
  ChildProcess crds = ChildProcess::Basalt({"crds"});
  EXPECT_THAT(crds.Output(), HasSubstr("podgroups.scheduling.volcano.sh"));
  EXPECT_EQ(crds.Wait(), 0);
}

}  // namespace
}  // namespace basalt::systemtest
