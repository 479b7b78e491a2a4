#include "tests/cluster/real_cluster.h"

#include <unistd.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <utility>

#include "cli/applier.h"
#include "cli/crds.h"
#include "cli/manifests.h"
#include "kube/client/http_api_client.h"
#include "kube/client/kubeconfig.h"
#include "testing/builders.h"

namespace basalt::testutil {

namespace json = boost::json;

RealClusterTest::RealClusterTest() = default;
RealClusterTest::~RealClusterTest() = default;

void RealClusterTest::SetUp() {
  const char* kubeconfig = std::getenv("BASALT_TEST_KUBECONFIG");
  ASSERT_NE(kubeconfig, nullptr) << "run it through scripts/test --cluster";
  Result<kube::ClusterConfig> config = kube::LoadKubeconfig({kubeconfig});
  ASSERT_TRUE(config) << config.error().message;
  auto api = kube::HttpApiClient::Create(loop_, std::move(*config));
  ASSERT_TRUE(api) << api.error().message;
  api_ = std::move(*api);
  client_ = std::make_unique<kube::Client>(*api_);

  static std::atomic<int> number = 0;
  ns_ = "cluster-test-" + std::to_string(getpid()) + "-" + std::to_string(++number);
  const Answer made =
      Create({kube::resources::kNamespaces}, MakeObject(kube::resources::kNamespaces, ns_).Text());
  ASSERT_TRUE(made) << made.error().message;
}

void RealClusterTest::TearDown() {
  if (client_ != nullptr) Delete({kube::resources::kNamespaces, "", ns_});
}

void RealClusterTest::RunUntil(std::string_view what, const std::function<bool()>& done,
                               Duration limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!done()) {
    loop_.context().restart();
    loop_.context().run_one_for(std::chrono::milliseconds(50));
    if (std::chrono::steady_clock::now() > end) {
      ADD_FAILURE() << "waited in vain for: " << what;
      return;
    }
  }
}

void RealClusterTest::WaitFor(std::string_view what, const std::function<bool()>& done,
                              Duration limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!done()) {
    ASSERT_LT(std::chrono::steady_clock::now(), end) << "waited in vain for: " << what;
    Pause();
  }
}

RealClusterTest::Answer RealClusterTest::Await(const std::function<void(kube::ApiHandler)>& call) {
  std::optional<Result<kube::ApiResponse>> result;
  call([&result](Result<kube::ApiResponse> got) { result = std::move(got); });
  RunUntil(
      "an answer", [&] { return result.has_value(); }, 90s);
  if (!result) return Fail(ErrorCode::kTimeout, "no answer");
  if (!*result) return std::unexpected(result->error());
  // Objects may be nested as deep as the API server takes them.
  json::parse_options options;
  options.max_depth = 10'000;
  return json::parse((*result)->body, {}, options);
}

RealClusterTest::Answer RealClusterTest::Get(const kube::Target& target) {
  return Await([&](kube::ApiHandler done) { client_->Get(target, std::move(done)); });
}

RealClusterTest::Answer RealClusterTest::List(const kube::Resource& resource, std::string_view ns) {
  return Await(
      [&](kube::ApiHandler done) { client_->Send({.path = resource.Path(ns)}, std::move(done)); });
}

std::vector<json::value> RealClusterTest::Items(const kube::Resource& resource) {
  const Answer list = List(resource, ns_);
  EXPECT_TRUE(list) << list.error().message;
  if (!list) return {};
  const json::array& items = list->at("items").as_array();
  return {items.begin(), items.end()};
}

RealClusterTest::Answer RealClusterTest::Create(const kube::Target& target, std::string body) {
  return Await([&](kube::ApiHandler done) { client_->Create(target, body, std::move(done)); });
}

RealClusterTest::Answer RealClusterTest::Update(const kube::Target& target, std::string body) {
  return Await([&](kube::ApiHandler done) { client_->Update(target, body, std::move(done)); });
}

RealClusterTest::Answer RealClusterTest::Patch(const kube::Target& target, kube::PatchKind kind,
                                               std::string body) {
  return Await([&](kube::ApiHandler done) { client_->Patch(target, kind, body, std::move(done)); });
}

RealClusterTest::Answer RealClusterTest::Delete(const kube::Target& target,
                                                const kube::DeleteOptions& how) {
  return Await([&](kube::ApiHandler done) { client_->Delete(target, how, std::move(done)); });
}

void RealClusterTest::CreatePod(std::string body) {
  for (const auto end = std::chrono::steady_clock::now() + 30s;;) {
    const Answer made = Create({kube::resources::kPods, ns_}, body);
    if (made) return;
    const bool too_early = made.error().code == ErrorCode::kForbidden;
    if (!too_early || std::chrono::steady_clock::now() > end) {
      FAIL() << made.error().message;
    }
    Pause();
  }
}

std::string RealClusterTest::PhaseOf(std::string_view pod) {
  const Answer got = Get({kube::resources::kPods, ns_, pod});
  return got ? TextAt(*got, "status.phase") : "";
}

void RealClusterTest::InstallKinds() {
  auto crds = cli::ParseManifests(cli::CrdManifests(), "built-in CRDs");
  ASSERT_TRUE(crds) << crds.error().message;
  cli::Applier applier(*client_);
  std::optional<Result<void>> applied;
  applier.Apply(std::move(*crds), [&](Result<void> result) { applied = std::move(result); });
  RunUntil("the CRDs are applied", [&] { return applied.has_value(); });
  ASSERT_TRUE(applied && *applied) << (*applied).error().message;
  WaitFor("the kinds are served",
          [&] { return List(kube::resources::kQueues) && List(kube::resources::kPodGroups, ns_); });
}

void RealClusterTest::Pause(Duration duration) {
  bool passed = false;
  Timer timer(loop_);
  timer.Start(duration, [&] { passed = true; });
  RunUntil(
      "a moment", [&] { return passed; }, duration + 60s);
}

}  // namespace basalt::testutil
