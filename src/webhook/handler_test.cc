#include "webhook/handler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <optional>

#include "base/base64.h"
#include "testing/builders.h"
#include "testing/sim_loop.h"
#include "webhook/kept_exchange_test_util.h"

namespace basalt::webhook {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testutil::MakeObject;
using testutil::MakePod;

class HandlerTest : public testing::Test {
 protected:
  static std::string Review(const kube::Resource& resource, std::string_view operation,
                            const json::object& object, const json::object& old = {}) {
    json::object request{{"uid", "u-1"},
                         {"operation", operation},
                         {"namespace", "default"},
                         {"name", testutil::TextAt(object.empty() ? old : object, "metadata.name")},
                         {"resource", json::object{{"group", resource.group},
                                                   {"version", resource.version},
                                                   {"resource", resource.plural}}},
                         {"object", nullptr},
                         {"oldObject", nullptr}};
    if (!object.empty()) request["object"] = object;
    if (!old.empty()) request["oldObject"] = old;
    return json::serialize(json::object{
        {"apiVersion", "admission.k8s.io/v1"}, {"kind", "AdmissionReview"}, {"request", request}});
  }
  std::shared_ptr<KeptExchange> Send(std::string path, std::string body,
                                     std::string method = "POST",
                                     std::string type = "application/json") {
    auto exchange = std::make_shared<KeptExchange>();
    handler.Handle({.method = std::move(method),
                    .target = std::move(path),
                    .headers = {{"Content-Type", std::move(type)}},
                    .body = std::move(body)},
                   exchange);
    return exchange;
  }
  static json::value ResponseOf(const KeptExchange& exchange) {
    EXPECT_TRUE(exchange.answer);
    if (!exchange.answer) return {};
    EXPECT_EQ(exchange.answer->status, 200) << exchange.answer->body;
    return json::parse(exchange.answer->body).at("response");
  }
  void PutQueue(std::string_view name) {
    auto queue = std::make_shared<kube::Queue>();
    queue->meta.name = name;
    snapshot.PutQueue(queue);
    handler.OnSnapshotChanged();
  }

  testutil::SimLoop loop;
  Snapshot snapshot;
  metrics::Registry metrics;
  Handler handler{loop, snapshot, {}, &metrics};
  const json::object group =
      MakeObject(kube::resources::kPodGroups, "g").Set("spec.queue", "q").Json();
};

TEST_F(HandlerTest, AMutationIsAPatchAndARefusalAStatus) {
  kube::Namespace ns;
  ns.meta.name = "default";
  snapshot.PutNamespace(ns);
  const auto pod =
      MakePod("a").Annotation("scheduling.volcano.sh/queue-allocation-gate", "true").Json();
  const json::value patched =
      ResponseOf(*Send("/pods/mutate?timeout=2s", Review(kube::resources::kPods, "CREATE", pod)));
  EXPECT_EQ(patched.at("uid"), "u-1");
  EXPECT_EQ(patched.at("allowed"), true);
  EXPECT_EQ(patched.at("patchType"), "JSONPatch");
  EXPECT_THAT(*Base64Decode(patched.at("patch").as_string()), HasSubstr("/spec/schedulingGates"));

  const auto bad = MakeObject(kube::resources::kQueues, "default").Json();
  const json::value refused =
      ResponseOf(*Send("/queues/validate", Review(kube::resources::kQueues, "DELETE", {}, bad)));
  EXPECT_EQ(refused.at("allowed"), false);
  EXPECT_EQ(refused.at("status").at("code"), 403);
  EXPECT_THAT(refused.at("status").at("message").as_string().c_str(), HasSubstr("default"));
  EXPECT_THAT(metrics.Text(), HasSubstr("basalt_admission_requests_total{path=\"/pods/mutate\","
                                        "result=\"patched\"} 1"));
}

TEST_F(HandlerTest, WhatIsNoReviewIsRefused) {
  const auto status = [](const std::shared_ptr<KeptExchange>& exchange) {
    return exchange->answer ? exchange->answer->status : 0;
  };
  EXPECT_EQ(status(Send("/nowhere", "{}")), 404);
  EXPECT_EQ(status(Send("/", "")), 404);
  EXPECT_EQ(status(Send("/pods/mutate", "", "GET")), 405);
  EXPECT_EQ(status(Send("/pods/mutate", "{}", "POST", "text/plain")), 415);
  EXPECT_EQ(status(Send("/pods/mutate", "")), 400);
  EXPECT_EQ(status(Send("/pods/mutate", "{}")), 400);
  EXPECT_EQ(status(Send("/pods/mutate", std::string(1 << 20, '['))), 400);
}

TEST_F(HandlerTest, AnObjectThatCannotBeReadIsRefusedByName) {
  const json::value other = ResponseOf(
      *Send("/pods/mutate", Review(kube::resources::kQueues, "CREATE", MakePod("a").Json())));
  EXPECT_EQ(other.at("allowed"), false);
  EXPECT_EQ(other.at("status").at("code"), 400);
  const auto pod = MakePod("a").Set("spec.schedulingGates", "text").Json();
  const json::value wrong =
      ResponseOf(*Send("/pods/mutate", Review(kube::resources::kPods, "CREATE", pod)));
  EXPECT_EQ(wrong.at("allowed"), false);
  EXPECT_THAT(wrong.at("status").at("message").as_string().c_str(),
              HasSubstr("request.object: spec.schedulingGates"));
  const json::value none =
      ResponseOf(*Send("/pods/mutate", Review(kube::resources::kPods, "CREATE", {})));
  EXPECT_THAT(none.at("status").at("message").as_string().c_str(), HasSubstr("object: missing"));
}

TEST_F(HandlerTest, WhatIsNotJudgedPasses) {
  const json::value response =
      ResponseOf(*Send("/pods/mutate", Review(kube::resources::kPods, "UPDATE", MakePod("a").Json(),
                                              MakePod("a").Json())));
  EXPECT_EQ(response.at("allowed"), true);
}

TEST_F(HandlerTest, AQueueThatIsOnItsWayIsWaitedFor) {
  handler.SetSynced();
  const auto exchange =
      Send("/podgroups/validate", Review(kube::resources::kPodGroups, "CREATE", group));
  EXPECT_FALSE(exchange->answer);
  loop.RunFor(50ms);
  PutQueue("other");
  loop.RunFor(50ms);
  EXPECT_FALSE(exchange->answer);
  PutQueue("q");
  loop.RunFor(0ms);
  EXPECT_EQ(ResponseOf(*exchange).at("allowed"), true);
}

TEST_F(HandlerTest, AQueueThatDoesNotComeIsARefusalSoon) {
  handler.SetSynced();
  const auto first =
      Send("/podgroups/validate", Review(kube::resources::kPodGroups, "CREATE", group));
  loop.RunFor(200ms);
  const auto second =
      Send("/podgroups/validate", Review(kube::resources::kPodGroups, "CREATE", group));
  loop.RunFor(101ms);
  EXPECT_EQ(ResponseOf(*first).at("allowed"), false);
  EXPECT_FALSE(second->answer);
  loop.RunFor(200ms);
  EXPECT_EQ(ResponseOf(*second).at("allowed"), false);
}

TEST_F(HandlerTest, BeforeTheClusterIsKnownNothingIsRefusedForWhatIsMissing) {
  const auto exchange =
      Send("/podgroups/validate", Review(kube::resources::kPodGroups, "CREATE", group));
  loop.RunFor(301ms);
  ASSERT_TRUE(exchange->answer);
  EXPECT_EQ(exchange->answer->status, 503);
}

TEST(RoutesTest, EnabledAdmissionNamesPaths) {
  std::vector<std::string> passed_over;
  const auto all = ParseEnabledAdmission("", passed_over);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->size(), AllRoutes().size());
  const auto some =
      ParseEnabledAdmission("/pods/mutate, queues/validate,/numatopologies/validate", passed_over);
  ASSERT_TRUE(some);
  ASSERT_EQ(some->size(), 2u);
  EXPECT_EQ((*some)[1]->path, "/queues/validate");
  EXPECT_THAT(passed_over, testing::ElementsAre("/numatopologies/validate"));
  const auto wrong = ParseEnabledAdmission("/pod/mutate", passed_over);
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("did you mean /pods/mutate?"));
}

}  // namespace
}  // namespace basalt::webhook
