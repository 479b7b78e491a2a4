#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/asio_loop.h"
#include "kube/client/client.h"
#include "net/http_server.h"
#include "net/tls.h"
#include "testing/builders.h"
#include "webhook/configurations.h"

namespace basalt::testutil {

// A webhook as it must not be: nobody listens, its certificate has ended, or it never answers.
class WebhookOutage {
 public:
  enum class Kind { kStopped, kExpired, kSlow };

  WebhookOutage(AsioLoop& loop, Kind kind) {
    const Time now = loop.Now();
    const auto authority = net::MakeCertificateAuthority("outage", now, 24h);
    const bool expired = kind == Kind::kExpired;
    const auto identity = net::MakeCertificate(*authority, {.common_name = "outage",
                                                            .organizations = {},
                                                            .dns_names = {},
                                                            .ip_addresses = {"127.0.0.1"},
                                                            .now = expired ? now - 48h : now,
                                                            .lifetime = expired ? 1h : 24h});
    ca_pem_ = authority->certificate_pem;
    auto server = net::HttpServer::Create(
        loop, {.tls = *identity},
        [this](const net::HttpRequest&, std::shared_ptr<net::HttpExchange> exchange) {
          held_.push_back(std::move(exchange));
        });
    EXPECT_TRUE(server) << server.error().message;
    url_ = "https://127.0.0.1:" + std::to_string((*server)->port());
    if (kind != Kind::kStopped) server_ = std::move(*server);
  }

  // How many have asked.
  std::size_t requests() const { return held_.size(); }

  boost::json::object Configuration(bool mutating) const {
    std::vector<const webhook::Route*> routes;
    for (const webhook::Route& route : webhook::AllRoutes()) routes.push_back(&route);
    return webhook::MakeConfiguration(mutating, routes, {.url = url_}, ca_pem_, {});
  }

 private:
  std::string ca_pem_;
  std::string url_;
  std::vector<std::shared_ptr<net::HttpExchange>> held_;
  std::unique_ptr<net::HttpServer> server_;
};

// Creates many pods, some at a time, and measures how long each takes.
class PodFlood {
 public:
  PodFlood(kube::Client& client, std::string ns) : client_(client), ns_(std::move(ns)) {}

  void Start(std::vector<std::string> bodies) {
    bodies_ = std::move(bodies);
    for (int i = 0; i < kAtOnce; ++i) Next();
  }
  bool done() const { return answered_ == bodies_.size(); }
  Duration longest() const { return longest_; }
  const std::vector<std::string>& refusals() const { return refusals_; }

 private:
  static constexpr int kAtOnce = 8;

  void Next() {
    if (sent_ == bodies_.size()) return;
    const Duration started = client_.loop().Monotonic();
    client_.Create({kube::resources::kPods, ns_}, bodies_[sent_++],
                   [this, started](const Result<kube::ApiResponse>& result) {
                     longest_ = std::max(longest_, client_.loop().Monotonic() - started);
                     ++answered_;
                     if (!result) refusals_.push_back(result.error().message);
                     Next();
                   });
  }

  kube::Client& client_;
  std::string ns_;
  std::vector<std::string> bodies_;
  std::size_t sent_ = 0;
  std::size_t answered_ = 0;
  Duration longest_{0};
  std::vector<std::string> refusals_;
};

// 1,000 pods that are none of Basalt's business, some of which look as if they were, and 100 plain
// pods of ours.
inline std::vector<std::string> UnconcernedPods(std::string_view ns) {
  std::vector<std::string> bodies;
  for (int i = 0; i < 1000; ++i) {
    PodBuilder pod("unrelated-" + std::to_string(i));
    pod.Ns(ns).Scheduler("default-scheduler");
    if (i % 2 == 0) pod.Annotation("scheduling.volcano.sh/queue-allocation-gate", "true");
    if (i % 3 == 0) pod.Annotation("scheduling.volcano.sh/group-min-member", "3");
    bodies.push_back(pod.Text());
  }
  for (int i = 0; i < 100; ++i) {
    PodBuilder pod("plain-" + std::to_string(i));
    pod.Ns(ns);
    if (i % 2 == 0) pod.Annotation("scheduling.volcano.sh/queue-name", "default");
    bodies.push_back(pod.Text());
  }
  return bodies;
}

// A pod that the webhook would change.
inline std::string GangPod(std::string_view ns, std::string_view name) {
  return PodBuilder(name)
      .Ns(ns)
      .Annotation("scheduling.volcano.sh/group-min-member", "3")
      .Annotation("scheduling.volcano.sh/queue-allocation-gate", "true")
      .Owner(kube::resources::kJobs, "train", "11111111-2222-3333-4444-555555555555")
      .Text();
}

}  // namespace basalt::testutil
