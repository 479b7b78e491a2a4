// deps: basalt_cli basalt_testing
// Pods that together, and one that alone, are larger than what a client takes in one response.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apiserver/server.h"
#include "kube/client/client.h"
#include "kube/client/http_api_client.h"
#include "kube/informer/informer.h"
#include "kube/types/pod.h"
#include "testing/builders.h"

namespace basalt::systemtest {
namespace {

using testing::ElementsAre;

class LargeObjectsTest : public testing::Test {
 protected:
  void SetUp() override {
    auto http = apiserver::Listen(loop_, server_, {});
    ASSERT_TRUE(http) << http.error().message;
    http_ = std::move(*http);
  }
  std::unique_ptr<kube::HttpApiClient> Connect(kube::HttpApiClientOptions options) {
    kube::ClusterConfig config;
    config.server = "http://127.0.0.1:" + std::to_string(http_->port());
    return std::move(*kube::HttpApiClient::Create(loop_, config, options));
  }
  void RunUntil(const std::function<bool()>& done) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!done()) {
      loop_.context().restart();
      loop_.context().run_one_for(std::chrono::milliseconds(50));
      ASSERT_LT(std::chrono::steady_clock::now(), end);
    }
  }
  void CreatePod(kube::Client& client, const std::string& name, std::size_t bytes) {
    bool done = false;
    client.Create({kube::resources::kPods, "default"},
                  testutil::MakePod(name).Command({std::string(bytes, 'x')}).Text(),
                  [&](Result<kube::ApiResponse> result) {
                    EXPECT_TRUE(result) << result.error().message;
                    done = true;
                  });
    RunUntil([&] { return done; });
  }

  AsioLoop loop_;
  apiserver::Server server_{loop_, {}};
  std::unique_ptr<net::HttpServer> http_;
};

TEST_F(LargeObjectsTest, AllThatFitOneByOneAreListedAndTheOtherIsNamed) {
  constexpr std::size_t kKilo = 1024;
  const auto writer_api = Connect({});
  kube::Client writer(*writer_api);
  for (int i = 0; i < 40; ++i) CreatePod(writer, fmt::format("large-{:02}", i), 60 * kKilo);
  CreatePod(writer, "monster", 300 * kKilo);
  CreatePod(writer, "small", 10);

  const auto api = Connect({.max_response_bytes = 200 * kKilo, .max_frame_bytes = 200 * kKilo});
  kube::Client client(*api);
  kube::Informer<kube::Pod> informer(client, nullptr);
  std::vector<std::string> bad;
  informer.OnBadItem([&](const kube::ItemIdentity& item, const Error&) {
    bad.push_back(item.ns + "/" + item.name);
  });
  informer.Start();
  RunUntil([&] { return informer.HasSynced(); });
  EXPECT_EQ(informer.store().size(), 41u);
  EXPECT_NE(informer.store().Find("default", "small"), nullptr);
  EXPECT_THAT(bad, ElementsAre("default/monster"));

  // A frame that is too large is passed over, and what comes after it arrives.
  CreatePod(writer, "second-monster", 300 * kKilo);
  CreatePod(writer, "later", 10);
  RunUntil([&] { return informer.store().Find("default", "later") != nullptr; });
  EXPECT_EQ(informer.store().size(), 42u);
}

}  // namespace
}  // namespace basalt::systemtest
