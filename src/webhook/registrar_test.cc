#include "webhook/registrar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <memory>
#include <vector>

#include "base/base64.h"
#include "testing/cluster.h"

namespace basalt::webhook {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;
using testing::HasSubstr;
using testutil::TextAt;

// One replica, as a process of its own.
struct Replica {
  Replica(testutil::SimCluster& cluster, RegistrarOptions options)
      : api(cluster.network()),
        client(api),
        registrar(client, std::move(options),
                  [this](const net::CertificateAndKey& made) { shown.push_back(made); }) {}

  testutil::DirectApiClient api;
  kube::Client client;
  std::vector<net::CertificateAndKey> shown;
  Registrar registrar;
};

class RegistrarTest : public testing::Test {
 protected:
  static RegistrarOptions Options() {
    RegistrarOptions options;
    options.dns_names = {"localhost"};
    options.ip_addresses = {"127.0.0.1"};
    for (const Route& route : AllRoutes()) options.routes.push_back(&route);
    return options;
  }
  // For tests that take years.
  static RegistrarOptions SeldomLooking() {
    RegistrarOptions options = Options();
    options.check_interval = 24h;
    return options;
  }
  std::unique_ptr<Replica> Run(RegistrarOptions options = Options()) {
    auto replica = std::make_unique<Replica>(cluster, std::move(options));
    replica->registrar.Start();
    replica->registrar.Register({.url = "https://127.0.0.1:8443"});
    return replica;
  }
  json::value Mutating() {
    return cluster.Get(resources::kMutatingWebhooks, "", kConfigurationName);
  }
  std::string Bundle() {
    return Base64Decode(TextAt(Mutating(), "webhooks.0.clientConfig.caBundle")).value_or("");
  }
  std::string SecretBundle() {
    const json::value secret = cluster.Get(resources::kSecrets, "volcano-system", "basalt-webhook");
    const json::object& data = secret.at("data").as_object();
    return Base64Decode(data.at("ca.crt").as_string()).value_or("");
  }
  // Good now, and not about to end.
  void ExpectGood(const std::string& pem) {
    const auto info = net::ReadCertificate(pem);
    ASSERT_TRUE(info) << info.error().message;
    EXPECT_LE(info->not_before, cluster.loop().Now());
    EXPECT_GT(info->not_after, cluster.loop().Now() + 24h);
  }

  testutil::SimCluster cluster;
};

TEST_F(RegistrarTest, MakesAnAuthorityACertificateAndTheConfigurations) {
  const auto replica = Run();
  cluster.loop().RunFor(10s);
  EXPECT_TRUE(replica->registrar.registered());
  ASSERT_EQ(replica->shown.size(), 1u);
  ExpectGood(replica->shown.back().certificate_pem);
  EXPECT_EQ(Bundle(), SecretBundle());
  EXPECT_EQ(SplitBundle(Bundle()).size(), 1u);

  const json::value mutating = Mutating();
  const json::value& pods = mutating.at("webhooks").as_array().front();
  EXPECT_EQ(pods.at("failurePolicy"), "Ignore");
  EXPECT_EQ(pods.at("clientConfig").at("url"), "https://127.0.0.1:8443/pods/mutate");
  EXPECT_LE(pods.at("timeoutSeconds").as_int64(), 2);
  const std::string conditions = json::serialize(pods.at("matchConditions"));
  EXPECT_THAT(conditions, HasSubstr("schedulerName in [\\\"volcano\\\"]"));
  EXPECT_THAT(conditions, HasSubstr("group-min-member"));
  EXPECT_THAT(conditions, HasSubstr("queue-allocation-gate"));
  const json::value validating =
      cluster.Get(resources::kValidatingWebhooks, "", kConfigurationName);
  for (const json::value& webhook : validating.at("webhooks").as_array()) {
    const bool pod = webhook.at("name") == "validatepod.basalt.sh";
    EXPECT_EQ(webhook.at("failurePolicy"), pod ? "Ignore" : "Fail");
    if (!pod) continue;
    // Of updates it hears only when a pod on a node is to change its queue.
    const std::string text = json::serialize(webhook);
    EXPECT_THAT(text, HasSubstr(R"("operations":["CREATE","UPDATE"])"));
    EXPECT_THAT(text, HasSubstr("oldObject.spec.nodeName != "));
    EXPECT_THAT(text, HasSubstr("scheduling.volcano.sh/queue-name"));
  }
}

// While the webhook is away its own kinds are refused, but not to those who are Basalt.
TEST_F(RegistrarTest, WhatRefusesOthersLetsTheRolesThemselvesIn) {
  RegistrarOptions options = Options();
  options.policy.own_users = {"system:serviceaccount:volcano-system:basalt-controller"};
  const auto replica = Run(std::move(options));
  cluster.loop().RunFor(10s);
  int refusing = 0;
  for (const auto& resource : {resources::kMutatingWebhooks, resources::kValidatingWebhooks}) {
    const json::value configuration = cluster.Get(resource, "", kConfigurationName);
    for (const json::value& webhook : configuration.at("webhooks").as_array()) {
      if (webhook.at("failurePolicy") != "Fail") continue;
      ++refusing;
      EXPECT_EQ(json::serialize(webhook.at("matchConditions")),
                R"x([{"name":"not-basalt-itself","expression":"!(request.userInfo.username in )x"
                R"x([\"system:serviceaccount:volcano-system:basalt-controller\"])"}])x")
          << webhook.at("name");
    }
  }
  EXPECT_GE(refusing, 6);
}

TEST_F(RegistrarTest, WorkloadsAreLookedAtOnlyWhereTheyAskOnTheirOwnMetadata) {
  const auto replica = Run();
  cluster.loop().RunFor(10s);
  const json::value mutating = Mutating();
  int workloads = 0;
  for (const json::value& webhook : mutating.at("webhooks").as_array()) {
    if (!std::string_view(webhook.at("name").as_string()).starts_with("mutateworkload")) continue;
    ++workloads;
    EXPECT_EQ(webhook.at("failurePolicy"), "Ignore");
    const std::string text = json::serialize(webhook.at("matchConditions"));
    EXPECT_THAT(text, HasSubstr("object.spec.template.spec.schedulerName in [\\\"volcano\\\"]"));
    // A Job of a CronJob is a gang too; a Deployment knows its ReplicaSets by their template.
    EXPECT_EQ(text.contains("!has(object.metadata.ownerReferences)"),
              webhook.at("name") == "mutateworkloadreplicaset.basalt.sh");
    EXPECT_THAT(text, HasSubstr("group-min-member\\\" in object.metadata.annotations"));
    EXPECT_THAT(text, HasSubstr("group-min-member\\\" in oldObject.metadata.annotations"));
  }
  EXPECT_EQ(workloads, 5);
}

TEST_F(RegistrarTest, NothingIsWrittenWhileAllIsWell) {
  const auto replica = Run();
  cluster.loop().RunFor(10s);
  const std::string before = TextAt(Mutating(), "metadata.resourceVersion");
  cluster.loop().RunFor(2h);
  EXPECT_EQ(TextAt(Mutating(), "metadata.resourceVersion"), before);
  EXPECT_EQ(replica->shown.size(), 1u);
}

// Otherwise a webhook with routes of one kind only would write the other configuration for ever.
TEST(ConfigurationsTest, AnEmptyListThatTheServerLeavesOutIsThere) {
  EXPECT_TRUE(Covers(json::parse(R"({"kind":"a"})"), json::parse(R"({"kind":"a","webhooks":[]})")));
  EXPECT_FALSE(Covers(json::parse(R"({"kind":"a"})"), json::parse(R"({"webhooks":["b"]})")));
  EXPECT_FALSE(Covers(json::parse(R"({"webhooks":["b"]})"), json::parse(R"({"webhooks":[]})")));
}

TEST_F(RegistrarTest, EverythingIsRenewedBeforeItEnds) {
  const auto replica = Run(SeldomLooking());
  cluster.loop().RunFor(1h);
  std::size_t authorities = 0;
  std::string newest;
  for (int day = 0; day < 3 * 365; ++day) {
    cluster.loop().RunFor(24h);
    ASSERT_FALSE(replica->shown.empty());
    ExpectGood(replica->shown.back().certificate_pem);
    const auto bundle = SplitBundle(Bundle());
    ASSERT_FALSE(bundle.empty());
    ExpectGood(bundle.front());
    EXPECT_LE(bundle.size(), 2u);
    if (bundle.front() != newest) ++authorities;
    newest = bundle.front();
  }
  EXPECT_GE(authorities, 4u);
  EXPECT_GE(replica->shown.size(), 3u * 12);
}

TEST_F(RegistrarTest, AnOldAuthorityIsTrustedUntilEveryReplicaHasChanged) {
  const auto replica = Run(SeldomLooking());
  cluster.loop().RunFor(1h);
  const std::string first = SplitBundle(Bundle()).front();
  ASSERT_TRUE(
      cluster.loop().RunUntil([&] { return SplitBundle(SecretBundle()).size() == 2; }, 24h * 365));
  cluster.loop().RunFor(10s);
  const auto bundle = SplitBundle(Bundle());
  ASSERT_EQ(bundle.size(), 2u);
  EXPECT_NE(bundle[0], first);
  EXPECT_EQ(bundle[1], first);
}

TEST_F(RegistrarTest, ReplicasThatStartTogetherShareOneAuthority) {
  std::vector<std::unique_ptr<Replica>> replicas;
  for (int i = 0; i < 3; ++i) replicas.push_back(Run(SeldomLooking()));
  cluster.loop().RunFor(1min);
  EXPECT_EQ(SplitBundle(SecretBundle()).size(), 1u);
  EXPECT_EQ(Bundle(), SecretBundle());
  for (const auto& replica : replicas) {
    EXPECT_TRUE(replica->registrar.registered());
    EXPECT_FALSE(replica->shown.empty());
  }
  // They go on together for more than a year: one new authority at a time, whoever makes it.
  for (int month = 0; month < 14; ++month) {
    cluster.loop().RunFor(24h * 30);
    EXPECT_LE(SplitBundle(SecretBundle()).size(), 2u);
    cluster.loop().RunFor(1min);
    EXPECT_EQ(Bundle(), SecretBundle());
    for (const auto& replica : replicas) ExpectGood(replica->shown.back().certificate_pem);
  }
}

TEST_F(RegistrarTest, WhatSomebodyBreaksIsPutBack) {
  const auto replica = Run();
  cluster.loop().RunFor(10s);
  ASSERT_TRUE(cluster.Delete({resources::kMutatingWebhooks, "", kConfigurationName}));
  ASSERT_TRUE(cluster.Patch({resources::kValidatingWebhooks, "", kConfigurationName},
                            kube::PatchKind::kMerge, R"({"webhooks":[]})"));
  cluster.loop().RunFor(2min);
  EXPECT_EQ(Bundle(), SecretBundle());
  EXPECT_FALSE(cluster.Get(resources::kValidatingWebhooks, "", kConfigurationName)
                   .at("webhooks")
                   .as_array()
                   .empty());
  ASSERT_TRUE(cluster.Patch({resources::kSecrets, "volcano-system", "basalt-webhook"},
                            kube::PatchKind::kMerge, R"({"data":{"ca.crt":"bm8="}})"));
  cluster.loop().RunFor(3min);
  ExpectGood(SplitBundle(SecretBundle()).front());
  EXPECT_EQ(Bundle(), SecretBundle());
}

TEST_F(RegistrarTest, WithoutTheGatesFeatureTheirAnnotationIsNotMatched) {
  RegistrarOptions options = Options();
  options.policy.queue_allocation_gates = false;
  const auto replica = Run(options);
  cluster.loop().RunFor(10s);
  EXPECT_THAT(json::serialize(Mutating()), Not(HasSubstr("queue-allocation-gate")));
}

TEST_F(RegistrarTest, AGivenBundleIsRegisteredAsItIs) {
  Replica replica(cluster, Options());
  replica.registrar.UseBundle("given");
  replica.registrar.Register({.service_ns = "ns", .service_name = "hook"});
  cluster.loop().RunFor(10s);
  EXPECT_TRUE(replica.registrar.registered());
  EXPECT_EQ(Bundle(), "given");
  EXPECT_EQ(TextAt(Mutating(), "webhooks.0.clientConfig.service.name"), "hook");
  EXPECT_TRUE(replica.shown.empty());
}

}  // namespace
}  // namespace basalt::webhook
