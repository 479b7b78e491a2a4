// deps: basalt_webhook basalt_cli basalt_testing
#include "webhook/webhook.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <memory>
#include <optional>
#include <string>

#include "apiserver/admission/https_webhook_caller.h"
#include "apiserver/server.h"
#include "base/base64.h"
#include "cli/applier.h"
#include "cli/crds.h"
#include "kube/client/http_api_client.h"
#include "net/http_client.h"
#include "testing/builders.h"
#include "tests/support/webhook_outage.h"

namespace basalt::systemtest {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;
using namespace testutil;  // NOLINT: builders
using testing::HasSubstr;
using testing::IsEmpty;

// An embedded API server with Basalt's kinds, and the webhook, on real sockets and one loop.
class WebhookTest : public testing::Test {
 protected:
  void SetUp() override {
    auto http = apiserver::Listen(loop_, server_, {});
    ASSERT_TRUE(http) << http.error().message;
    http_ = std::move(*http);
    kube::ClusterConfig config;
    config.server = "http://127.0.0.1:" + std::to_string(http_->port());
    auto api = kube::HttpApiClient::Create(loop_, config);
    ASSERT_TRUE(api) << api.error().message;
    api_ = std::move(*api);
    client_ = std::make_unique<kube::Client>(*api_);
    auto crds = cli::ParseManifests(cli::CrdManifests(), "CRDs");
    ASSERT_TRUE(crds);
    cli::Applier applier(*client_);
    std::optional<Result<void>> applied;
    applier.Apply(std::move(*crds), [&](Result<void> result) { applied = std::move(result); });
    RunUntil("the CRDs are there", [&] { return applied.has_value(); });
    ASSERT_TRUE(*applied) << applied->error().message;
  }

  void RunUntil(std::string_view what, const std::function<bool()>& done, Duration limit = 60s) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!done()) {
      loop_.context().restart();
      loop_.context().run_one_for(std::chrono::milliseconds(50));
      ASSERT_LT(std::chrono::steady_clock::now(), end) << "waited in vain for: " << what;
    }
  }
  using Answer = Result<json::value>;
  Answer Await(const std::function<void(kube::ApiHandler)>& call) {
    std::optional<Result<kube::ApiResponse>> result;
    call([&result](Result<kube::ApiResponse> got) { result = std::move(got); });
    RunUntil("an answer", [&] { return result.has_value(); });
    if (!result) return Fail(ErrorCode::kTimeout, "no answer");
    if (!*result) return std::unexpected(result->error());
    return json::parse((*result)->body);
  }
  template <class Builder>
  Answer Create(const Builder& object) {
    return CreateText(object.resource(), object.ns(), object.Text());
  }
  Answer CreateText(const kube::Resource& resource, std::string_view ns, const std::string& body) {
    return Await([&](kube::ApiHandler done) {
      client_->Create({resource, ns}, body, std::move(done));
    });
  }
  Answer Patch(const kube::Target& target, std::string body) {
    return Await([&](kube::ApiHandler done) {
      client_->Patch(target, kube::PatchKind::kMerge, body, std::move(done));
    });
  }
  Answer Delete(const kube::Target& target) {
    return Await([&](kube::ApiHandler done) { client_->Delete(target, {}, std::move(done)); });
  }

  void StartWebhook(webhook::WebhookOptions options = {}) {
    options.address = "127.0.0.1";
    options.port = 0;
    options.self_register = true;
    auto made = webhook::Webhook::Create(loop_, *client_, std::move(options));
    ASSERT_TRUE(made) << made.error().message;
    webhook_ = std::move(*made);
    webhook_->Start();
    RunUntil("the webhook is ready", [&] { return webhook_->ready(); });
  }
  void Register(const WebhookOutage& outage) {
    for (const bool mutating : {true, false}) {
      const auto made =
          CreateText(mutating ? resources::kMutatingWebhooks : resources::kValidatingWebhooks, "",
                     json::serialize(outage.Configuration(mutating)));
      ASSERT_TRUE(made) << made.error().message;
    }
  }
  // Nobody whom it does not concern is refused or delayed; own kinds are refused.
  void ExpectNobodyIsHeld(WebhookOutage& outage) {
    Register(outage);
    PodFlood flood(*client_, "default");
    flood.Start(UnconcernedPods("default"));
    RunUntil(
        "all pods are there", [&] { return flood.done(); }, 120s);
    EXPECT_THAT(flood.refusals(), IsEmpty());
    EXPECT_LT(flood.longest(), 2s) << "one has waited for the webhook";
    EXPECT_EQ(outage.requests(), 0u);
    const auto started = std::chrono::steady_clock::now();
    const auto gang = CreateText(resources::kPods, "default", GangPod("default", "gang"));
    ASSERT_TRUE(gang) << gang.error().message;
    EXPECT_EQ(FindPath(*gang, "spec.schedulingGates"), nullptr);
    EXPECT_LT(std::chrono::steady_clock::now() - started, 8s);
  }

  AsioLoop loop_;
  apiserver::HttpsWebhookCaller caller_{loop_};
  apiserver::Server server_{loop_, {}, &caller_};
  std::unique_ptr<net::HttpServer> http_;
  std::unique_ptr<kube::HttpApiClient> api_;
  std::unique_ptr<kube::Client> client_;
  std::unique_ptr<webhook::Webhook> webhook_;
};

TEST_F(WebhookTest, PodsGetTheirGroupQueueAndGate) {
  StartWebhook();
  ASSERT_TRUE(Create(MakeObject(resources::kNamespaces, "team")
                         .Annotation("scheduling.volcano.sh/queue-name", "research")));
  const auto pod = CreateText(resources::kPods, "team", GangPod("team", "gang"));
  ASSERT_TRUE(pod) << pod.error().message;
  const json::value& annotations = pod->at("metadata").at("annotations");
  EXPECT_EQ(annotations.at("scheduling.k8s.io/group-name"),
            "podgroup-11111111-2222-3333-4444-555555555555");
  EXPECT_EQ(annotations.at("scheduling.volcano.sh/queue-name"), "research");
  EXPECT_EQ(TextAt(*pod, "spec.schedulingGates.0.name"), kGate);
  const auto other = Create(MakePod("other").Annotation(kGate, "true").Scheduler("other"));
  ASSERT_TRUE(other);
  EXPECT_EQ(FindPath(*other, "spec.schedulingGates"), nullptr);
}

TEST_F(WebhookTest, QueuesGroupsAndReservationsAreJudged) {
  StartWebhook();
  const auto queue = Create(MakeObject(resources::kQueues, "a").Set("spec.capability.cpu", "4"));
  ASSERT_TRUE(queue) << queue.error().message;
  EXPECT_EQ(queue->at("spec").at("weight"), 1);
  EXPECT_EQ(queue->at("spec").at("reclaimable"), true);
  const auto wide = Create(
      MakeObject(resources::kQueues, "b").Set("spec.parent", "a").Set("spec.capability.cpu", "5"));
  ASSERT_FALSE(wide);
  EXPECT_THAT(wide.error().message, HasSubstr("more than the 4 of queue \"a\""));
  ASSERT_TRUE(Create(MakeObject(resources::kQueues, "b").Set("spec.parent", "a")));
  EXPECT_FALSE(Patch({resources::kQueues, "", "a"}, R"({"spec":{"parent":"b"}})"));
  EXPECT_FALSE(Delete({resources::kQueues, "", "a"}));

  const auto group = Create(MakeObject(resources::kPodGroups, "g").Set("spec.queue", "b"));
  ASSERT_TRUE(group) << group.error().message;
  EXPECT_EQ(group->at("spec").at("minMember"), 1);
  EXPECT_FALSE(Create(MakeObject(resources::kPodGroups, "h").Set("spec.queue", "nobody")));
  const auto used = Delete({resources::kQueues, "", "b"});
  ASSERT_FALSE(used);
  EXPECT_THAT(used.error().message, HasSubstr("has 1 jobs"));
  ASSERT_TRUE(Delete({resources::kPodGroups, "default", "g"}));
  EXPECT_TRUE(Delete({resources::kQueues, "", "b"}));
  EXPECT_TRUE(Delete({resources::kQueues, "", "a"}));

  const auto reservation = CreateText(
      resources::kReservations, "default",
      R"({"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Reservation","metadata":{"name":"r"},
          "spec":{"tasks":[{"name":"t","replicas":2,"template":{"spec":{"containers":[{"name":"c",
          "image":"i"}]}}}]}})");
  ASSERT_TRUE(reservation) << reservation.error().message;
  EXPECT_EQ(reservation->at("spec").at("minAvailable"), 2);
  EXPECT_EQ(reservation->at("spec").at("queue"), "default");
  EXPECT_FALSE(Patch({resources::kReservations, "default", "r"}, R"({"spec":{"tasks":[]}})"));
}

TEST_F(WebhookTest, StoppedItDelaysNobody) {
  WebhookOutage outage(loop_, WebhookOutage::Kind::kStopped);
  ExpectNobodyIsHeld(outage);
  const auto queue = Create(MakeObject(resources::kQueues, "a"));
  ASSERT_FALSE(queue);
  EXPECT_THAT(queue.error().message, HasSubstr("failed calling webhook"));
}

TEST_F(WebhookTest, WithCertificatesThatHaveEndedItDelaysNobody) {
  WebhookOutage outage(loop_, WebhookOutage::Kind::kExpired);
  ExpectNobodyIsHeld(outage);
}

TEST_F(WebhookTest, SlowItDelaysOnlyThoseWhomItConcernsAndNotForLong) {
  WebhookOutage outage(loop_, WebhookOutage::Kind::kSlow);
  ExpectNobodyIsHeld(outage);
  EXPECT_GT(outage.requests(), 0u);  // the gang pod's
}

TEST_F(WebhookTest, ReplicasShareAnAuthorityAndEitherIsBelieved) {
  StartWebhook();
  const std::unique_ptr<webhook::Webhook> first = std::move(webhook_);
  StartWebhook();
  // The configurations name the second now, with the first one's authority.
  const auto pod = CreateText(resources::kPods, "default", GangPod("default", "gang"));
  ASSERT_TRUE(pod);
  EXPECT_NE(FindPath(*pod, "spec.schedulingGates"), nullptr);
}

TEST_F(WebhookTest, WrongHugeAndSlowRequestsAreRefusedAndItGoesOn) {
  webhook::WebhookOptions options;
  options.request_timeout = 300ms;
  StartWebhook(options);
  net::HttpClientOptions client_options;
  client_options.tls.insecure_skip_verify = true;
  auto client = net::HttpClient::Create(
      loop_, {.tls = true, .host = "127.0.0.1", .port = webhook_->port()}, client_options);
  ASSERT_TRUE(client);
  const auto post = [&](std::string body) {
    std::optional<Result<net::HttpResponse>> result;
    (*client)->Send({.method = "POST",
                     .target = "/pods/mutate",
                     .headers = {{"Content-Type", "application/json"}},
                     .body = std::move(body)},
                    30s, [&](Result<net::HttpResponse> got) { result = std::move(got); });
    RunUntil("an answer", [&] { return result.has_value(); });
    return result && *result ? (*result)->status : 0;
  };
  EXPECT_EQ(post("{"), 400);
  EXPECT_EQ(post(std::string(1 << 20, '{')), 400);
  EXPECT_EQ(post(std::string(1 << 20, '\0')), 400);
  const int huge = post(std::string(64 << 20, 'x'));
  EXPECT_TRUE(huge == 413 || huge == 0) << huge;  // refused before it was sent whole

  // Peers that speak no TLS, or begin and never end.
  boost::asio::ip::tcp::socket plain(loop_.context());
  boost::asio::ip::tcp::socket mute(loop_.context());
  const boost::asio::ip::tcp::endpoint endpoint(boost::asio::ip::address_v4::loopback(),
                                                webhook_->port());
  plain.connect(endpoint);
  mute.connect(endpoint);
  boost::asio::write(plain, boost::asio::buffer("POST /pods/mutate HTTP/1.1\r\n\r\n", 30));
  char byte = 0;
  bool plain_ended = false;
  bool mute_ended = false;
  plain.async_read_some(boost::asio::buffer(&byte, 1),
                        [&](boost::system::error_code, std::size_t) { plain_ended = true; });
  boost::asio::async_read(mute, boost::asio::buffer(&byte, 1),
                          [&](boost::system::error_code, std::size_t) { mute_ended = true; });
  RunUntil("they are cut off", [&] { return plain_ended && mute_ended; });

  const auto pod = CreateText(resources::kPods, "default", GangPod("default", "gang"));
  ASSERT_TRUE(pod);
  EXPECT_NE(FindPath(*pod, "spec.schedulingGates"), nullptr);
}

}  // namespace
}  // namespace basalt::systemtest
