// deps: basalt_testing basalt_descheduler_service
// The descheduler as a process: what it refuses at the start, its HTTP API, reloads, standing by,
// `basalt defrag`, and LoadAware with a Prometheus that the test plays.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <thread>

#include "base/loop_thread.h"
#include "kube/client/access_secret.h"
#include "net/http_client.h"
#include "net/http_server.h"
#include "net/url.h"
#include "tests/system/up_fixture.h"

namespace basalt::systemtest {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kPolicy = R"(apiVersion: descheduler/v1alpha2
kind: DeschedulerPolicy
profiles:
- name: default
  pluginConfig:
  - name: Defragmentation
    args:
      lowThresholds: {cpu: 40}
      defragmentThresholds: {cpu: 60}
      protectionThresholds: {cpu: 95}
      packUnderused: true
  plugins: {balance: {enabled: [Defragmentation]}}
)";
// LoadAware that asks nobody who could be asked.
constexpr const char* kNoAddress = R"(apiVersion: descheduler/v1alpha2
kind: DeschedulerPolicy
profiles:
- pluginConfig:
  - name: LoadAware
    args: {thresholds: {cpu: 30}, targetThresholds: {cpu: 60}, metrics: {type: prometheus, address: "host:port"}}
  plugins: {balance: {enabled: [LoadAware]}}
)";

// Pods of one CPU each that take a while to be ready, one of which may be away at a time.
std::string Workload(int replicas) {
  return fmt::format(R"(
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: default}}
spec:
  replicas: {}
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata:
      labels: {{app: web}}
      annotations: {{basalt.sh/start-delay: 2s, basalt.sh/termination: 100ms}}
    spec:
      schedulerName: volcano
      affinity:
        podAntiAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
          - weight: 100
            podAffinityTerm: {{topologyKey: kubernetes.io/hostname, labelSelector: {{matchLabels: {{app: web}}}}}}
      containers: [{{name: c, image: i, resources: {{requests: {{cpu: "1"}}}}}}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {{name: web, namespace: default}}
spec:
  maxUnavailable: 1
  selector: {{matchLabels: {{app: web}}}}
)",
                     replicas);
}

std::uint16_t FreePort() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  EXPECT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size), 0);
  close(fd);
  return ntohs(address.sin_port);
}

class DeschedulerProcessTest : public UpTest {
 protected:
  struct Answer {
    int exit_code = -1;
    std::string out, errors;
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
  ChildProcess Descheduler(std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"descheduler", "--kubeconfig", kubeconfig_});
    return ChildProcess::Basalt(std::move(flags));
  }
  // Waits until all of its pods run.
  void WaitForPods(int count) {
    EXPECT_TRUE(Eventually("/api/v1/namespaces/default/pods", [&](const json::value& list) {
      int running = 0;
      for (const json::value& pod : list.at("items").as_array()) {
        const json::value* phase = pod.at("status").as_object().if_contains("phase");
        running += phase && *phase == "Running";
      }
      return running == count;
    }));
  }
  // Where the leader in this namespace answers.
  kube::Access AccessIn(const std::string& ns, const std::string& not_this = "") {
    kube::Access access;
    Eventually(fmt::format("/api/v1/namespaces/{}/secrets/basalt-descheduler", ns),
               [&](const json::value& secret) {
                 auto read = kube::ReadAccessSecret("basalt-descheduler", json::serialize(secret));
                 if (!read || read->token == not_this) return false;
                 access = *read;
                 return true;
               });
    return access;
  }
  static net::HttpResponse Http(const std::string& address, const std::string& method,
                                const std::string& target, const std::string& token,
                                const std::string& body = "", const std::string& ca_pem = "") {
    AsioLoop loop;
    net::HttpClientOptions options;
    options.tls.ca_pem = ca_pem;
    options.tls.server_name = "basalt-descheduler";
    options.tls.insecure_skip_verify = ca_pem.empty();
    auto url = net::ParseUrl(address.starts_with("http") ? address : "https://" + address);
    auto client = net::HttpClient::Create(loop, *url, std::move(options));
    net::HttpResponse response{.status = 0, .headers = {}, .body = {}};
    net::HttpRequest request{.method = method, .target = target, .headers = {}, .body = body};
    if (!token.empty()) request.headers.push_back({"Authorization", "Bearer " + token});
    (*client)->Send(std::move(request), 10s, [&](Result<net::HttpResponse> result) {
      if (result) response = std::move(*result);
      loop.Stop();
    });
    loop.Run();
    return response;
  }
};

TEST_F(DeschedulerProcessTest, WhatCannotBeUsedEndsTheStartAndIsNamed) {
  ChildProcess up = Up({"--nodes", "1", "--only", "api"});
  ASSERT_TRUE(up.ReadLine().has_value()) << up.Errors();
  const std::string good = WriteFile("good.yaml", kPolicy);
  const std::string empty = WriteFile("empty", " \n");
  struct {
    std::vector<std::string> flags;
    std::string says;
  } cases[] = {
      {{}, "--policy"},
      {{"--policy", folder_ / "none.yaml"}, "none.yaml"},
      {{"--policy", WriteFile("a.yaml", "profiles: [")}, "line"},
      {{"--policy", WriteFile("b.yaml", "")}, "profiles"},
      {{"--policy", WriteFile("c.yaml", std::string(kPolicy) + "unknown: 1\n")}, "unknown"},
      {{"--policy", WriteFile("d.yaml", kNoAddress)},
       "profiles[0].pluginConfig[0].args.metrics.address"},
      {{"--policy", good, "--descheduling-interval", "soon"}, "--descheduling-interval"},
      {{"--policy", good, "--descheduling-interval", "0s"}, "--descheduling-interval"},
      {{"--policy", good, "--cron", "61 * * * *"}, "--cron"},
      {{"--policy-config-file", good, "--descheduling-interval-cron-expression", "@never"},
       "--cron"},
      {{"--policy", good, "--token-file", folder_ / "none"}, "--token-file"},
      {{"--policy", good, "--token-file", empty}, "--token-file"},
      {{"--policy", good, "--query-address", "nowhere"}, "--query-address"},
      {{"--policy", good, "--scheduler-name", ""}, "--scheduler-name"},
  };
  for (auto& [flags, says] : cases) {
    ChildProcess process = Descheduler(flags);
    const std::optional<int> code = process.Wait(std::chrono::seconds(20));
    ASSERT_TRUE(code) << says;
    EXPECT_NE(*code, 0) << says;
    EXPECT_THAT(process.Errors(), HasSubstr(says));
  }
  const auto secrets = Send({.path = "/api/v1/secrets"});
  ASSERT_TRUE(secrets);
  EXPECT_TRUE(secrets->at("items").as_array().empty()) << "the cluster was not touched";
}

TEST_F(DeschedulerProcessTest, ARunIsPlannedDoneFollowedAndShown) {
  ChildProcess up =
      Up({"--nodes", "4", "--node-cpu", "8", "--apply", WriteFile("web.yaml", Workload(4))});
  ASSERT_TRUE(up.ReadLine().has_value()) << up.Errors();
  WaitForPods(4);
  EXPECT_TRUE(Eventually("/apis/policy/v1/namespaces/default/poddisruptionbudgets/web",
                         [](const json::value& budget) {
                           const json::value* status = budget.as_object().if_contains("status");
                           return status && status->at("disruptionsAllowed") == 1;
                         }));
  const Answer none = Ask({"defrag", "status"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.errors, HasSubstr("no plan yet"));

  // The descheduler hears of the budget, too.
  Answer plan = Ask({"defrag", "plan"});
  for (int i = 0; i < 50 && plan.out.find("no moves") != std::string::npos; ++i) {
    plan = Ask({"defrag", "plan"});
  }
  EXPECT_EQ(plan.exit_code, 0) << plan.errors;
  EXPECT_THAT(plan.out, AllOf(HasSubstr("NAMESPACE   POD"), HasSubstr("NODE        ROLE"),
                              HasSubstr("Planned"), Not(HasSubstr("█"))));
  EXPECT_THAT(Ask({"defrag", "plan", "-o", "yaml"}).out, HasSubstr("state: Planned"));
  EXPECT_THAT(Ask({"defrag", "plan", "-l", "no=such"}).out, HasSubstr("no moves"));
  const json::value dry = json::parse(Ask({"defrag", "plan", "-o", "json"}).out);
  EXPECT_EQ(dry.at("state"), "Planned");
  EXPECT_EQ(dry.at("dryRun"), true);
  EXPECT_FALSE(dry.at("moves").as_array().empty());

  // While one is under way no other begins, but a dry run is made.
  const Answer begun = Ask({"defrag", "run", "--no-wait"});
  EXPECT_EQ(begun.exit_code, 0) << begun.errors;
  const std::string id = begun.out.substr(0, begun.out.find('\n'));
  const kube::Access access = AccessIn("volcano-system");
  const auto call = [&](const char* method, const std::string& target, const char* body = "") {
    return Http(access.address, method, target, access.token, body, access.ca_pem);
  };
  const net::HttpResponse busy = call("POST", "/v1/defragmentation");
  EXPECT_EQ(busy.status, 409) << busy.body;
  EXPECT_EQ(json::parse(busy.body).at("id").as_string(), id);
  const Answer refused = Ask({"defrag", "run"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.errors, HasSubstr(id));
  EXPECT_EQ(call("POST", "/v1/defragmentation", R"({"dryRun": true})").status, 200);
  EXPECT_EQ(json::parse(call("GET", "/v1/defragmentation/" + id).body).at("state"), "Running");
  for (const char* token : {"", "wrong"}) {
    EXPECT_EQ(Http(access.address, "GET", "/v1/defragmentation", token, "", access.ca_pem).status,
              401);
  }
  EXPECT_EQ(call("POST", "/v1/defragmentation", "[1]").status, 400);
  EXPECT_EQ(call("POST", "/v1/defragmentation", R"({"dryRun":true,"nodeSelector":"!!"})").status,
            400);
  EXPECT_EQ(call("POST", "/v1/defragmentation", R"({"dryRun":true,"profile":"x"})").status, 400);
  EXPECT_EQ(call("DELETE", "/v1/defragmentation").status, 405);
  EXPECT_EQ(call("GET", "/v1/nothing").status, 404);
  EXPECT_EQ(call("GET", "/v1/defragmentation/nothing").status, 404);

  EXPECT_TRUE(Until([&] {
    return json::parse(call("GET", "/v1/defragmentation/" + id).body).at("state") != "Running";
  }));
  const Answer status = Ask({"defrag", "status", id});
  EXPECT_THAT(status.out, HasSubstr("Succeeded"));
  const Answer again = Ask({"defrag", "run"});
  EXPECT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_THAT(again.out, HasSubstr("no moves"));
  EXPECT_THAT(Ask({"defrag", "status", "nothing"}).errors, HasSubstr("no plan nothing"));
  EXPECT_THAT(Ask({"defrag", "plan", "--resource", "memory"}).errors, HasSubstr("resourceType"));
  const Answer missing = Ask({"defrag", "plan", "--descheduler-namespace", "default"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.errors, HasSubstr("descheduler"));
  EXPECT_EQ(Ask({"defrag", "plan", "id"}).exit_code, 2);
}

// The trigger as strangers, the clumsy and the hasty use it: nothing begins but by one who may.
TEST_F(DeschedulerProcessTest, OfTwoTriggersAtOnceOneBeginsAndRefusedOnesBeginNothing) {
  ChildProcess up =
      Up({"--nodes", "4", "--node-cpu", "8", "--apply", WriteFile("web.yaml", Workload(4))});
  ASSERT_TRUE(up.ReadLine().has_value()) << up.Errors();
  WaitForPods(4);
  const kube::Access access = AccessIn("volcano-system");
  const auto post = [&](const std::string& token, const std::string& body) {
    return Http(access.address, "POST", "/v1/defragmentation", token, body, access.ca_pem);
  };
  const auto message = [](const net::HttpResponse& answer) {
    return std::string(json::parse(answer.body).at("message").as_string());
  };
  struct {
    std::string token, body;
    int status;
    const char* says;
  } refusals[] = {
      {"", "{}", 401, "token"},
      {"wrong", "{}", 401, "token"},
      {access.token + "x", "{}", 401, "token"},
      {access.token.substr(1), "{}", 401, "token"},
      {access.token, "[]", 400, "JSON object"},
      {access.token, "{", 400, "JSON object"},
      {access.token, R"({"dryrun": false})", 400, "dryrun"},
      {access.token, R"({"dryRun": 0})", 400, "dryRun"},
      {access.token, R"({"resourceType": "memory"})", 400, "resourceType"},
      {access.token, R"({"nodeSelector": "a in b"})", 400, "nodeSelector"},
  };
  for (const auto& it : refusals) {
    SCOPED_TRACE(it.body);
    const net::HttpResponse answer = post(it.token, it.body);
    EXPECT_EQ(answer.status, it.status) << answer.body;
    EXPECT_THAT(message(answer), HasSubstr(it.says));
  }
  const auto plans = [&] {
    const net::HttpResponse all =
        Http(access.address, "GET", "/v1/defragmentation", access.token, "", access.ca_pem);
    const json::value list = json::parse(all.body);
    // Only so many are kept, and the next question may be asked often: dry ones are not counted.
    return std::ranges::count_if(list.at("items").as_array(), [](const json::value& plan) {
      return !plan.at("dryRun").as_bool();
    });
  };
  EXPECT_EQ(plans(), 0) << "a trigger that is refused begins nothing";

  // There must be something to do: a run without moves is over before the second asks.
  EXPECT_TRUE(Until([&] {
    const json::value dry = json::parse(post(access.token, R"({"dryRun": true})").body);
    return !dry.at("moves").as_array().empty();
  }));
  net::HttpResponse answers[2];
  {
    std::vector<std::jthread> callers;
    for (net::HttpResponse& answer : answers) {
      callers.emplace_back([&] { answer = post(access.token, ""); });
    }
  }
  if (answers[0].status == 409) std::swap(answers[0], answers[1]);
  EXPECT_EQ(answers[0].status, 202) << answers[0].body;
  EXPECT_EQ(answers[1].status, 409) << answers[1].body;
  const std::string id(json::parse(answers[0].body).at("id").as_string());
  EXPECT_EQ(json::parse(answers[1].body).at("id").as_string(), id);
  EXPECT_THAT(message(answers[1]), HasSubstr(id));
  const std::string* location = net::FindHeader(answers[0].headers, "Location");
  ASSERT_TRUE(location);
  EXPECT_EQ(*location, "/v1/defragmentation/" + id);
  EXPECT_EQ(plans(), 1);
}

TEST_F(DeschedulerProcessTest, APolicyThatChangesIsInForceAndABrokenOneIsNot) {
  ChildProcess up = Up({"--nodes", "1"});
  ASSERT_TRUE(up.ReadLine().has_value()) << up.Errors();
  const std::string policy = WriteFile("policy.yaml", kPolicy);
  const std::string token = WriteFile("token", "\n the-token \n");
  const std::string first = AccessIn("volcano-system").token;
  ChildProcess process =
      Descheduler({"--policy", policy, "--token-file", token, "--lock-object-namespace", "own"});
  const kube::Access access = AccessIn("own");
  EXPECT_EQ(access.token, "the-token");
  const auto plan = [&](const char* resource) {
    return Http(access.address, "POST", "/v1/defragmentation", "the-token",
                fmt::format(R"({{"dryRun":true,"resourceType":"{}"}})", resource), access.ca_pem)
        .status;
  };
  EXPECT_EQ(plan("cpu"), 200);
  EXPECT_EQ(plan("memory"), 400);
  WriteFile("policy.yaml", std::string(kPolicy) + "surprise: 1\n");
  EXPECT_TRUE(Until([&] {
    return process.Errors().find("the last good one stays in force") != std::string::npos;
  }));
  EXPECT_THAT(process.Errors(), HasSubstr("surprise"));
  EXPECT_EQ(plan("cpu"), 200);
  std::string other(kPolicy);
  for (std::size_t at = 0; (at = other.find("{cpu: ", at)) != std::string::npos; at += 20) {
    other.insert(at + 1, "memory: 50, ");
  }
  // low 50, defragment 50, protection must be more: 95 of the CPUs stays, memory gets its own.
  const std::size_t protection = other.find("protectionThresholds: {memory: 50");
  ASSERT_NE(protection, std::string::npos);
  other.replace(protection, 33, "protectionThresholds: {memory: 90");
  WriteFile("policy.yaml", other);
  EXPECT_TRUE(Until([&] { return plan("memory") == 200; }));
  process.Signal(SIGTERM);
  EXPECT_EQ(process.Wait(), 0);
}

TEST_F(DeschedulerProcessTest, OneLeadsAndTheOtherStandsByUntilItIsNeeded) {
  ChildProcess up = Up({"--nodes", "1", "--only", "api"});
  ASSERT_TRUE(up.ReadLine().has_value()) << up.Errors();
  ASSERT_TRUE(Send(
      {.method = "POST", .path = "/api/v1/namespaces", .body = R"({"metadata":{"name":"own"}})"}));
  const std::string policy = WriteFile("policy.yaml", kPolicy);
  const std::string token = WriteFile("token", "t");
  const std::string ports[] = {fmt::format("127.0.0.1:{}", FreePort()),
                               fmt::format("127.0.0.1:{}", FreePort())};
  const auto start = [&](const std::string& address) {
    return Descheduler({"--policy", policy, "--token-file", token, "--leader-elect",
                        "--lock-object-namespace", "own", "--query-address", address});
  };
  ChildProcess first = start(ports[0]);
  EXPECT_EQ(AccessIn("own").address, ports[0]);
  ChildProcess second = start(ports[1]);
  int status = 0;
  const auto answers = [&] {
    return status = Http(ports[1], "GET", "/v1/defragmentation", "t").status;
  };
  EXPECT_TRUE(Until([&] { return answers() != 0; }));
  EXPECT_EQ(status, 503);
  EXPECT_EQ(Http(ports[0], "GET", "/v1/defragmentation", "t").status, 200);
  first.Signal(SIGTERM);  // gives its lease back
  EXPECT_EQ(first.Wait(), 0);
  EXPECT_TRUE(Until([&] { return answers() == 200; })) << status;
  EXPECT_TRUE(Eventually("/api/v1/namespaces/own/secrets/basalt-descheduler",
                         [&](const json::value& secret) {
                           auto read = kube::ReadAccessSecret("s", json::serialize(secret));
                           return read && read->address == ports[1];
                         }));
}

TEST_F(DeschedulerProcessTest, WithDryRunEveryRunIsOneAndNothingIsWritten) {
  ChildProcess up =
      Up({"--nodes", "4", "--node-cpu", "8", "--apply", WriteFile("web.yaml", Workload(4))});
  ASSERT_TRUE(up.ReadLine().has_value()) << up.Errors();
  WaitForPods(4);
  const std::string health = fmt::format("127.0.0.1:{}", FreePort());
  const auto start = [&] {
    return Descheduler({"--policy", WriteFile("policy.yaml", kPolicy), "--dry-run",
                        "--descheduling-interval", "1s", "--lock-object-namespace", "own",
                        "--scheduler-name", "other", "--scheduler-name", "volcano",
                        "--healthz-address", health});
  };
  ChildProcess process = start();
  const kube::Access access = AccessIn("own");
  EXPECT_TRUE(Until([&] { return Http("http://" + health, "GET", "/healthz", "").status == 200; }));
  json::array plans;
  EXPECT_TRUE(Until([&] {
    const net::HttpResponse all =
        Http(access.address, "GET", "/v1/defragmentation", access.token, "", access.ca_pem);
    plans = json::parse(all.body).at("items").as_array();
    return plans.size() >= 2 && !plans[0].at("moves").as_array().empty();
  }));
  for (const json::value& plan : plans) {
    EXPECT_EQ(plan.at("trigger"), "interval");
    EXPECT_EQ(plan.at("dryRun"), true);
    EXPECT_EQ(plan.at("state"), "Planned");
  }
  const net::HttpResponse asked = Http(access.address, "POST", "/v1/defragmentation", access.token,
                                       R"({"dryRun": false})", access.ca_pem);
  EXPECT_EQ(asked.status, 200) << asked.body;
  EXPECT_EQ(json::parse(asked.body).at("state"), "Planned");
  const auto reservations = Send({.path = "/apis/batch.volcano.sh/v1alpha1/reservations"});
  ASSERT_TRUE(reservations) << reservations.error().message;
  EXPECT_TRUE(reservations->at("items").as_array().empty());
  const auto nodes = Send({.path = "/api/v1/nodes"});
  ASSERT_TRUE(nodes);
  EXPECT_THAT(json::serialize(*nodes), Not(HasSubstr("cool-down")));
  EXPECT_THAT(json::serialize(*nodes), Not(HasSubstr("basalt.sh/defragmentation")));
  const auto events = Send({.path = "/api/v1/events"});
  ASSERT_TRUE(events);
  EXPECT_THAT(json::serialize(*events), Not(HasSubstr("basalt-descheduler")));
  // The next one has a token of its own.
  process.Signal(SIGTERM);
  EXPECT_EQ(process.Wait(), 0);
  ChildProcess next = start();
  EXPECT_NE(AccessIn("own", access.token).token, access.token);
}

// A Prometheus that knows the load of two nodes.
class FakePrometheus {
 public:
  FakePrometheus() {
    thread_.Start();
    thread_.RunThere([this] {
      server_ = std::move(*net::HttpServer::Create(
          thread_.loop(), {},
          [](net::HttpRequest request, const std::shared_ptr<net::HttpExchange>& exchange) {
            const std::string query = net::PercentDecode(request.target).value_or("");
            std::string result;
            if (query.find("node_cpu_seconds_total") != std::string::npos) {
              result = Node("node-0001", "0.9") + "," + Node("node-0002", "0.1");
            } else if (query.find("node_memory_MemAvailable_bytes") != std::string::npos) {
              result = Node("node-0001", "0.1") + "," + Node("node-0002", "0.1");
            }
            exchange->Respond(
                {.status = 200,
                 .headers = {},
                 .body = R"({"status":"success","data":{"resultType":"vector","result":[)" +
                         result + "]}}"});
          }));
    });
  }
  ~FakePrometheus() {
    thread_.RunThere([this] { server_.reset(); });
  }
  std::uint16_t port() const { return server_->port(); }

 private:
  static std::string Node(const std::string& name, const std::string& value) {
    return fmt::format(R"({{"metric":{{"instance":"{}"}},"value":[1,"{}"]}})", name, value);
  }
  LoopThread thread_;
  std::unique_ptr<net::HttpServer> server_;
};

TEST_F(DeschedulerProcessTest, LoadAwareRelievesANodeThatPrometheusCallsOverloaded) {
  FakePrometheus prometheus;
  const std::string policy = WriteFile("load.yaml", fmt::format(R"(
apiVersion: descheduler/v1alpha2
kind: DeschedulerPolicy
profiles:
- name: load
  pluginConfig:
  - name: LoadAware
    args:
      thresholds: {{cpu: 30, memory: 30}}
      targetThresholds: {{cpu: 80, memory: 85}}
      metrics: {{type: prometheus, address: "http://127.0.0.1:{}"}}
  plugins: {{balance: {{enabled: [LoadAware]}}}}
)",
                                                                prometheus.port()));
  ChildProcess up =
      Up({"--nodes", "2", "--node-cpu", "8", "--apply", WriteFile("web.yaml", Workload(6)),
          "--policy", policy, "--descheduling-interval", "5s"});
  ASSERT_TRUE(up.ReadLine().has_value()) << up.Errors();
  bool moved = false;
  EXPECT_TRUE(Until([&] {
    const Answer status = Ask({"defrag", "status", "-o", "json"});
    if (status.exit_code != 0) return false;
    const json::value plan = json::parse(status.out);
    for (const json::value& move : plan.at("moves").as_array()) {
      moved = moved || move.at("state") == "Succeeded";
      EXPECT_EQ(move.at("from"), "node-0001");
      EXPECT_EQ(move.at("to"), "node-0002");
    }
    return moved;
  }));
  EXPECT_TRUE(Eventually("/api/v1/nodes/node-0001", [](const json::value& node) {
    const json::value* annotations = node.at("metadata").as_object().if_contains("annotations");
    return annotations && annotations->as_object().contains("loadaware.basalt.sh/cool-down-until");
  }));
}

}  // namespace
}  // namespace basalt::systemtest
