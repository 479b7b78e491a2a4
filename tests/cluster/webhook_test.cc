// deps: basalt_webhook basalt_cli basalt_testing
#include "webhook/webhook.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <stdlib.h>

#include <boost/json/serialize.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "base/base64.h"
#include "testing/builders.h"
#include "tests/cluster/real_cluster.h"
#include "tests/support/webhook_outage.h"

namespace basalt::testutil {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;
using testing::HasSubstr;
using testing::IsEmpty;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "basalt-test.XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string PathOf(std::string_view name) const { return (path_ / name).string(); }
  void Write(std::string_view name, std::string_view text) const {
    std::ofstream(path_ / name) << text;
  }

 private:
  std::filesystem::path path_;
};

class WebhookOnRealClusterTest : public RealClusterTest {
 protected:
  void SetUp() override {
    RealClusterTest::SetUp();
    if (HasFatalFailure()) return;
    InstallKinds();
    CreatePod(MakePod("first").Ns(ns_).Text());  // the service account is there
  }
  void TearDown() override {
    if (client_ != nullptr) {
      Delete({resources::kMutatingWebhooks, "", webhook::kConfigurationName});
      Delete({resources::kValidatingWebhooks, "", webhook::kConfigurationName});
    }
    RealClusterTest::TearDown();
  }
  // A configuration takes a moment to reach the server's own cache: until what it is there for
  // happens to a pod.
  void WaitUntil(std::string_view what, const std::function<bool(int)>& happens) {
    const auto end = std::chrono::steady_clock::now() + 60s;
    for (int round = 0; !happens(round); ++round) {
      ASSERT_LT(std::chrono::steady_clock::now(), end) << what;
      Pause();
    }
  }
  // A pod of the flood's kind that is matched: whether the server asks for it.
  void Register(const WebhookOutage& outage) {
    for (const bool mutating : {true, false}) {
      const auto made =
          Create({mutating ? resources::kMutatingWebhooks : resources::kValidatingWebhooks},
                 json::serialize(outage.Configuration(mutating)));
      ASSERT_TRUE(made) << made.error().message;
    }
  }
  void FloodWith(WebhookOutage& outage) {
    const std::size_t asked = outage.requests();
    PodFlood flood(*client_, ns_);
    flood.Start(UnconcernedPods(ns_));
    RunUntil(
        "all pods are there", [&] { return flood.done(); }, 180s);
    EXPECT_THAT(flood.refusals(), IsEmpty());
    EXPECT_LT(flood.longest(), 2s) << "one has waited for the webhook";
    EXPECT_EQ(outage.requests(), asked);
    RecordProperty("longest_ms", static_cast<int>(flood.longest() / 1ms));
  }
};

TEST_F(WebhookOnRealClusterTest, RegistersItselfAndChangesThePodsThatItConcerns) {
  auto made = webhook::Webhook::Create(
      loop_, *client_,
      {.address = "127.0.0.1",
       .port = 0,
       .routes = {webhook::FindRoute("/pods/mutate"), webhook::FindRoute("/pods/validate")},
       .self_register = true,
       .secret = {.ns = ns_},
       .check_interval = 200ms});
  ASSERT_TRUE(made) << made.error().message;
  (*made)->Start();
  RunUntil("the webhook is ready", [&] { return (*made)->ready(); });
  json::value gang;
  WaitUntil("the gate is added", [&](int round) {
    const auto pod = Create({resources::kPods, ns_}, GangPod(ns_, "gang-" + std::to_string(round)));
    if (!pod) return false;
    gang = *pod;
    return FindPath(gang, "spec.schedulingGates") != nullptr;
  });
  EXPECT_EQ(TextAt(gang, "spec.schedulingGates.0.name"), kGate);
  EXPECT_EQ(gang.at("metadata").at("annotations").at("scheduling.k8s.io/group-name"),
            "podgroup-11111111-2222-3333-4444-555555555555");
  const auto kept = Create({resources::kPods, ns_},
                           MakePod("kept").Ns(ns_).Annotation(kGate, "true").Gate("a/b").Text());
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_EQ(kept->at("spec").at("schedulingGates").as_array().size(), 2u);
  const auto bad =
      Create({resources::kPods, ns_},
             MakePod("bad").Ns(ns_).Annotation("volcano.sh/jdb-min-available", "none").Text());
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().message, HasSubstr("want a positive integer"));
  // What the server stores is what was wanted: nothing is written again and again.
  const auto version = [&] {
    const auto found = Get({resources::kMutatingWebhooks, "", webhook::kConfigurationName});
    return found ? TextAt(*found, "metadata.resourceVersion") : "";
  };
  const std::string before = version();
  for (int i = 0; i < 10; ++i) Pause();
  EXPECT_NE(before, "");
  EXPECT_EQ(version(), before);
  const auto plain = Create({resources::kPods, ns_}, MakePod("plain").Ns(ns_).Text());
  ASSERT_TRUE(plain);
  EXPECT_EQ(FindPath(*plain, "spec.schedulingGates"), nullptr);
}

TEST_F(WebhookOnRealClusterTest, AWorkloadThatAsksOnItsOwnMetadataAsksInItsTemplateToo) {
  auto made = webhook::Webhook::Create(loop_, *client_,
                                       {.address = "127.0.0.1",
                                        .port = 0,
                                        .routes = {webhook::FindRoute("/deployments/mutate"),
                                                   webhook::FindRoute("/batchjobs/mutate")},
                                        .self_register = true,
                                        .secret = {.ns = ns_},
                                        .check_interval = 200ms});
  ASSERT_TRUE(made) << made.error().message;
  (*made)->Start();
  RunUntil("the webhook is ready", [&] { return (*made)->ready(); });
  const std::string_view key = "scheduling.volcano.sh/group-min-member";
  const json::object pod_spec{
      {"schedulerName", "volcano"},
      {"restartPolicy", "Never"},
      {"containers", json::array{json::object{{"name", "main"}, {"image", "example/main"}}}}};
  const auto in_template = [&](const json::value& workload) -> std::string {
    const json::value* annotations = FindPath(workload, "spec.template.metadata.annotations");
    const json::value* value =
        annotations != nullptr ? annotations->as_object().if_contains(key) : nullptr;
    return value != nullptr ? std::string(value->as_string()) : "";
  };
  // A template without metadata.
  WaitUntil("a job is changed", [&](int round) {
    const auto job =
        Create({resources::kJobs, ns_}, MakeObject(resources::kJobs, "job-" + std::to_string(round))
                                            .Ns(ns_)
                                            .Annotation(key, "2")
                                            .Set("spec.template.spec", pod_spec)
                                            .Text());
    EXPECT_TRUE(job) << job.error().message;
    return job && in_template(*job) == "2";
  });
  const auto of_a_cron_job =
      Create({resources::kJobs, ns_},
             MakeObject(resources::kJobs, "nightly-1")
                 .Ns(ns_)
                 .Annotation(key, "2")
                 .Set("metadata.ownerReferences",
                      json::array{json::object{{"apiVersion", "batch/v1"},
                                               {"kind", "CronJob"},
                                               {"name", "nightly"},
                                               {"uid", "11111111-2222-3333-4444-555555555555"},
                                               {"controller", true}}})
                 .Set("spec.template.spec", pod_spec)
                 .Text());
  ASSERT_TRUE(of_a_cron_job) << of_a_cron_job.error().message;
  EXPECT_EQ(in_template(*of_a_cron_job), "2");
  json::object always = pod_spec;
  always["restartPolicy"] = "Always";
  const auto deployment =
      Create({resources::kDeployments, ns_}, MakeObject(resources::kDeployments, "web")
                                                 .Ns(ns_)
                                                 .Annotation(key, "4")
                                                 .Set("spec.replicas", 0)
                                                 .Set("spec.selector.matchLabels.app", "web")
                                                 .Set("spec.template.metadata.labels.app", "web")
                                                 .Set("spec.template.spec", always)
                                                 .Text());
  ASSERT_TRUE(deployment) << deployment.error().message;
  EXPECT_EQ(in_template(*deployment), "4");
  const auto annotate = [&](json::value value) {
    const json::value patch{
        {"metadata", json::object{{"annotations", json::object{{key, std::move(value)}}}}}};
    return Patch({resources::kDeployments, ns_, "web"}, kube::PatchKind::kMerge,
                 json::serialize(patch));
  };
  const auto changed = annotate("6");
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(in_template(*changed), "6");
  const auto taken_back = annotate(nullptr);
  ASSERT_TRUE(taken_back) << taken_back.error().message;
  EXPECT_EQ(in_template(*taken_back), "");
}

// The kinds that only Basalt looks at are refused while its webhook is away, but for what its own
// roles write.
TEST_F(WebhookOnRealClusterTest, WithTheWebhookDownTheRolesStillWriteTheirKinds) {
  const std::vector<const webhook::Route*> routes = {webhook::FindRoute("/podgroups/validate"),
                                                     webhook::FindRoute("/podgroups/mutate")};
  const auto register_for = [&](std::string user) {
    webhook::Policy policy;
    policy.own_users = {std::move(user)};
    const webhook::CallTarget nobody{.url = "https://127.0.0.1:9"};
    const auto authority = net::MakeCertificateAuthority("nobody", loop_.Now(), 24h);
    for (const bool mutating : {true, false}) {
      const auto& kind = mutating ? resources::kMutatingWebhooks : resources::kValidatingWebhooks;
      Delete({kind, "", webhook::kConfigurationName});
      const auto registered =
          Create({kind}, json::serialize(webhook::MakeConfiguration(
                             mutating, routes, nobody, authority->certificate_pem, policy)));
      ASSERT_TRUE(registered) << registered.error().message;
    }
  };
  const auto group = [&](const std::string& name) {
    return Create({resources::kPodGroups, ns_},
                  MakeObject(resources::kPodGroups, name).Ns(ns_).Set("spec.minMember", 1).Text());
  };
  register_for("somebody-else");
  WaitUntil("groups are refused",
            [&](int round) { return !group("refused-" + std::to_string(round)); });
  register_for("admin");  // as whom the test itself is logged in
  WaitUntil("groups are accepted",
            [&](int round) { return group("accepted-" + std::to_string(round)).has_value(); });
  EXPECT_TRUE(group("another"));
}

// As cert-manager renews them, here with another authority.
TEST_F(WebhookOnRealClusterTest, CertificatesFromFilesAreReadAgainAndTheServerGoesOnAsking) {
  TemporaryFolder folder;
  std::string trusted;
  const auto renew = [&](std::string_view name) {
    const auto authority = net::MakeCertificateAuthority(name, loop_.Now(), 24h);
    const auto identity = net::MakeCertificate(*authority, {.common_name = std::string(name),
                                                            .organizations = {},
                                                            .dns_names = {},
                                                            .ip_addresses = {"127.0.0.1"},
                                                            .now = loop_.Now(),
                                                            .lifetime = 24h});
    trusted = authority->certificate_pem;
    folder.Write("ca.crt", trusted);
    folder.Write("tls.crt", identity->certificate_pem);
    folder.Write("tls.key", identity->key_pem);
  };
  renew("first");
  auto made = webhook::Webhook::Create(loop_, *client_,
                                       {.address = "127.0.0.1",
                                        .port = 0,
                                        .routes = {webhook::FindRoute("/pods/mutate")},
                                        .certificate_file = folder.PathOf("tls.crt"),
                                        .key_file = folder.PathOf("tls.key"),
                                        .ca_file = folder.PathOf("ca.crt"),
                                        .self_register = true,
                                        .check_interval = 200ms});
  ASSERT_TRUE(made) << made.error().message;
  (*made)->Start();
  RunUntil("the webhook is ready", [&] { return (*made)->ready(); });
  int pods = 0;
  const auto gives_gates = [&](int) {
    const auto pod = Create({resources::kPods, ns_}, GangPod(ns_, fmt::format("pod-{}", ++pods)));
    return pod && FindPath(*pod, "spec.schedulingGates") != nullptr;
  };
  WaitUntil("gates with the first certificate", gives_gates);
  renew("second");
  WaitUntil("the new authority is registered", [&](int) {
    const auto found = Get({resources::kMutatingWebhooks, "", webhook::kConfigurationName});
    return found && TextAt(*found, "webhooks.0.clientConfig.caBundle") == Base64Encode(trusted);
  });
  WaitUntil("gates with the second certificate", gives_gates);
}

TEST_F(WebhookOnRealClusterTest, StoppedItDelaysNobody) {
  WebhookOutage outage(loop_, WebhookOutage::Kind::kStopped);
  Register(outage);
  FloodWith(outage);
  const auto gang = Create({resources::kPods, ns_}, GangPod(ns_, "gang"));
  ASSERT_TRUE(gang) << gang.error().message;
  EXPECT_EQ(FindPath(*gang, "spec.schedulingGates"), nullptr);
}

TEST_F(WebhookOnRealClusterTest, WithCertificatesThatHaveEndedItDelaysNobody) {
  WebhookOutage outage(loop_, WebhookOutage::Kind::kExpired);
  Register(outage);
  FloodWith(outage);
  const auto gang = Create({resources::kPods, ns_}, GangPod(ns_, "gang"));
  EXPECT_TRUE(gang) << gang.error().message;
}

TEST_F(WebhookOnRealClusterTest, SlowItDelaysOnlyThoseWhomItConcernsAndNotForLong) {
  WebhookOutage outage(loop_, WebhookOutage::Kind::kSlow);
  Register(outage);
  int round = 0;
  WaitUntil("the server asks", [&](int number) {
    round = number;
    EXPECT_TRUE(Create({resources::kPods, ns_}, GangPod(ns_, "asked-" + std::to_string(number))));
    return outage.requests() > 0;
  });
  FloodWith(outage);
  const auto started = std::chrono::steady_clock::now();
  const auto gang = Create({resources::kPods, ns_}, GangPod(ns_, "gang"));
  EXPECT_TRUE(gang) << gang.error().message;
  EXPECT_LT(std::chrono::steady_clock::now() - started, 8s);
}

}  // namespace
}  // namespace basalt::testutil
