// deps: basalt_testing basalt_kube_client
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/json/value.hpp>
#include <csignal>

#include "testing/builders.h"
#include "tests/system/up_fixture.h"

namespace basalt::systemtest {
namespace {

using testing::HasSubstr;
using testutil::FindPath;
using testutil::TextAt;

constexpr const char* kGang = R"(
apiVersion: scheduling.volcano.sh/v1beta1
kind: PodGroup
metadata: {name: train}
spec: {minMember: 3, queue: default}
---
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  completions: 3
  parallelism: 3
  template:
    metadata: {annotations: {scheduling.k8s.io/group-name: train}}
    spec:
      schedulerName: volcano
      restartPolicy: Never
      containers:
      - {name: main, image: busybox, resources: {requests: {cpu: "1"}}}
)";

constexpr const char* kPods = R"(
apiVersion: scheduling.volcano.sh/v1beta1
kind: PodGroup
metadata: {name: train}
spec: {minMember: 2}
---
apiVersion: v1
kind: Pod
metadata: {name: train-0, annotations: {scheduling.k8s.io/group-name: train}}
spec: {schedulerName: volcano, containers: [{name: main, image: busybox}]}
---
apiVersion: v1
kind: Pod
metadata: {name: train-1, annotations: {scheduling.k8s.io/group-name: train}}
spec: {schedulerName: volcano, containers: [{name: main, image: busybox}]}
)";

class SchedulerCommandTest : public UpTest {
 protected:
  // All of them, and there are so many.
  bool AllRun(std::size_t count) {
    return Eventually("/api/v1/namespaces/default/pods", [count](const json::value& list) {
      const json::array& pods = list.at("items").as_array();
      for (const json::value& pod : pods) {
        if (TextAt(pod, "status.phase") != "Running") return false;
      }
      return pods.size() == count;
    });
  }
  // Of this machine, at which nobody listens now.
  static std::string FreeAddress() {
    boost::asio::io_context context;
    boost::asio::ip::tcp::acceptor acceptor(
        context, {boost::asio::ip::address_v4::loopback(), boost::asio::ip::port_type{0}});
    return "127.0.0.1:" + std::to_string(acceptor.local_endpoint().port());
  }
  // Asks over plain HTTP until the answer has the text.
  static bool EventuallySays(const std::string& address, const std::string& path,
                             std::string_view text) {
    AsioLoop loop;
    auto api = kube::HttpApiClient::Create(loop, {.server = "http://" + address});
    if (!api) return false;
    bool said = false;
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    std::function<void()> ask = [&] {
      (*api)->Send({.path = path}, [&](const Result<kube::ApiResponse>& answer) {
        said = answer && answer->body.find(text) != std::string::npos;
        if (said || std::chrono::steady_clock::now() > deadline) return loop.Stop();
        loop.Schedule(10ms, [&] { ask(); });
      });
    };
    loop.Post([&] { ask(); });
    loop.Run();
    return said;
  }
  ChildProcess Scheduler(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"scheduler", "--kubeconfig", kubeconfig_});
    return ChildProcess::Basalt(std::move(arguments));
  }
};

TEST_F(SchedulerCommandTest, UpBindsAGangAndRunsADeployment) {
  const std::string file = WriteFile("objects.yaml", std::string(kGang) + R"(
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      schedulerName: volcano
      containers: [{name: main, image: web, resources: {requests: {cpu: 100m}}}]
)");
  ChildProcess up = Up({"--nodes", "3", "--node-cpu", "2", "--apply", file});
  ASSERT_TRUE(up.ReadLine()) << (up.Wait(1s), up.Errors());
  EXPECT_TRUE(AllRun(6));
  EXPECT_TRUE(
      Eventually("/apis/apps/v1/namespaces/default/deployments/web", [](const json::value& web) {
        const json::value* ready = FindPath(web, "status.readyReplicas");
        return ready != nullptr && *ready == 3;
      }));
  EXPECT_TRUE(Eventually(
      "/apis/scheduling.volcano.sh/v1beta1/namespaces/default/podgroups/train",
      [](const json::value& group) { return TextAt(group, "status.phase") == "Running"; }));
  up.Signal(SIGTERM);
  EXPECT_EQ(up.Wait(), 0) << up.Errors();
}

TEST_F(SchedulerCommandTest, AsAProcessItLeadsReloadsAndGivesItsLeaseBack) {
  ChildProcess up = Up({"--nodes", "1", "--only", "api", "--apply", WriteFile("pods", kPods)});
  ASSERT_TRUE(up.ReadLine()) << (up.Wait(1s), up.Errors());
  const std::string conf = WriteFile("conf", "actions: \"enqueue\"\n");
  ChildProcess scheduler =
      Scheduler({"--scheduler-conf", conf, "--leader-elect", "--listen-address", "127.0.0.1:0",
                 "--enable-healthz=false", "--logtostderr", "-v=3", "2>&1"});
  const std::string group =
      "/apis/scheduling.volcano.sh/v1beta1/namespaces/default/podgroups/train";
  EXPECT_TRUE(Eventually(
      group, [](const json::value& now) { return TextAt(now, "status.phase") == "Inqueue"; }));
  WriteFile("conf", "actions: \"enqueue, alocate\"\n");
  WriteFile("next", "actions: \"enqueue, backfill\"\ntiers:\n- plugins: [{name: gang}]\n");
  std::filesystem::rename(folder_ / "next", conf);
  EXPECT_TRUE(AllRun(2)) << "with backfill, which was not in force before, they get nodes";

  scheduler.Signal(SIGTERM);
  EXPECT_EQ(scheduler.Wait(), 0);
  EXPECT_THAT(scheduler.Errors(), HasSubstr("the configuration is in force"));
  const auto lease = Send({.path = "/apis/coordination.k8s.io/v1/namespaces/volcano-system/leases/"
                                   "volcano"});
  ASSERT_TRUE(lease) << lease.error().message;
  EXPECT_EQ(TextAt(*lease, "spec.holderIdentity"), "");
}

TEST_F(SchedulerCommandTest, HealthSaysWhenTheLoopLastRanAndHowTheLeaseStands) {
  ChildProcess up = Up({"--only", "api"});
  ASSERT_TRUE(up.ReadLine()) << (up.Wait(1s), up.Errors());
  const std::string address = FreeAddress();
  ChildProcess scheduler = Scheduler({"--leader-elect", "--healthz-address", address});
  EXPECT_TRUE(EventuallySays(address, "/healthz", "lease: held"));
  EXPECT_TRUE(EventuallySays(address, "/healthz", "loop: last ran"));
  scheduler.Signal(SIGTERM);
  EXPECT_EQ(scheduler.Wait(), 0);
}

TEST_F(SchedulerCommandTest, WrongFlagsAreExplained) {
  struct Case {
    std::vector<std::string> arguments;
    const char* want;
  };
  const std::string broken = WriteFile("conf", "actions: \"enqueue\"\ntiers:\n- plugin: []\n");
  WriteFile("kubeconfig", R"(
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
contexts: [{name: c, context: {cluster: c}}]
current-context: c
)");
  for (const Case& c : std::initializer_list<Case>{
           {{"--scheduler-nam", "x"}, "Did you mean --scheduler-name?"},
           {{"--schedule-period", "5"}, "--schedule-period: time: missing unit"},
           {{"--schedule-period", "0s"}, "--schedule-period: must be more than 0"},
           {{"--cycle-budget", "0s"}, "--cycle-budget: must be more than 0"},
           {{"--node-selector", "gpu"}, "--node-selector: \"gpu\": want LABEL:VALUE"},
           {{"--feature-gates", "SchedulingGatesQueueAdmision=true"},
            "did you mean SchedulingGatesQueueAdmission?"},
           {{"--disable-default-scheduler-config"}, "needs --scheduler-conf"},
           {{"--disable-default-scheduler-config", "--scheduler-conf", broken}, "line 3"},
           {{"--scheduler-conf", broken}, "line 3"},
           {{"--scheduler-conf", folder_ / "missing"}, "missing: No such file"},
           // An empty value is a value, and takes nothing from the next argument.
           {{"--feature-gates=", "--schedule-period", "0s"}, "--schedule-period: must be more"},
           {{"--listen-address", "nowhere"}, "--listen-address: \"nowhere\""},
       }) {
    ChildProcess scheduler = Scheduler(c.arguments);
    EXPECT_EQ(scheduler.Wait(10s), 2) << testing::PrintToString(c.arguments);
    EXPECT_THAT(scheduler.Errors(), HasSubstr(c.want));
  }
}

}  // namespace
}  // namespace basalt::systemtest
