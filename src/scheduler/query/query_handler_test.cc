#include "scheduler/query/query_handler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler::query {
namespace {

using testing::HasSubstr;
using testutil::MakeGroup;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::MakeQueue;

class QueryHandlerTest : public testing::Test {
 protected:
  QueryHandlerTest() {
    Config config = testutil::OneTier({"gang", "predicates"});
    config.actions = {"enqueue", "allocate"};
    plugins_ = testutil::MakePlugins(std::move(config), BuiltinPlugins());
    given_.Add(MakeQueue("q")).Add(MakeNode("n1", {{"cpu", "2"}})).Add(MakeGroup("g", "q", 1));
    given_.Add(MakePod("big", "g", {{"cpu", "4"}}));
  }
  net::HttpResponse Ask(std::string target, std::string method = "GET",
                        std::string authorization = "Bearer secret") {
    const QueryHandler handler(
        "secret", {.explainer = [this]() -> std::optional<explain::Explainer> {
                     if (!leads_) return std::nullopt;
                     return explain::Explainer(given_.cluster, *plugins_, testutil::kTestNow);
                   },
                   .pod_of_others = [](std::string_view, std::string_view name) -> std::string {
                     return name == "theirs" ? "pod ns/theirs is for the scheduler other" : "";
                   },
                   .activity =
                       [] {
                         return boost::json::object{{"evictionsLastHour", 3}};
                       }});
    return handler.Answer({.method = std::move(method),
                           .target = std::move(target),
                           .headers = {{"authorization", std::move(authorization)}},
                           .body = {}});
  }

  bool leads_ = true;
  testutil::TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
};

TEST_F(QueryHandlerTest, AnswersEveryKindOfQuestion) {
  const struct {
    const char* target;
    int status;
    const char* has;
  } kCases[] = {
      {"/v1/explain/pod/ns/big", 200, R"("stage":"node")"},
      {"/v1/explain/podgroup/ns/g", 200, R"("kind":"PodGroup")"},
      {"/v1/explain/queue/q", 200, R"("waitingTotal":1)"},
      {"/v1/explain/scale", 200, R"("pods":1,)"},
      {"/v1/explain/scale/ns?queue=q", 200, R"("why":"no condition yet")"},
      {"/v1/explain/scale/other", 200, R"("items":[])"},
      {"/v1/explain/scale?x=y&queue=none", 404, "queue none is not known to the scheduler"},
      {"/v1/explain/scale/a/b", 404, "no such question"},
      {"/v1/podgroups", 200, R"("name":"g")"},
      {"/v1/podgroups/other", 200, R"("items":[])"},
      {"/v1/queues", 200, R"("name":"q")"},
      {"/v1/queues/q?x=y", 200, R"("inqueue":1)"},
      {"/v1/status", 200, R"("nodes":{"total":1,"ready":0,"cordoned":0,"allocatable":{"cpu":"2")"},
      {"/v1/status", 200, R"("waiting":[{"reason":"New","pods":1}])"},
      {"/v1/status", 200, R"("activity":{"evictionsLastHour":3})"},
      {"/v1/queues/none", 404, "queue none is not known to the scheduler"},
      {"/v1/explain/pod/ns/none", 404, "pod ns/none is not known to the scheduler"},
      {"/v1/explain/pod/ns/theirs", 404, "pod ns/theirs is for the scheduler other"},
      {"/v1/explain/podgroup/ns/theirs", 404, "podgroup ns/theirs is not known to the scheduler"},
      {"/v1/explain/pod/ns", 404, "no such question"},
      {"/v2/queues", 404, "no such question"},
      {"", 404, "no such question"},
  };
  for (const auto& [target, status, has] : kCases) {
    const net::HttpResponse got = Ask(target);
    EXPECT_EQ(got.status, status) << target;
    EXPECT_THAT(got.body, HasSubstr(has)) << target;
  }
}

TEST_F(QueryHandlerTest, OnlyWhoHasTheTokenMayAskAndOnlyShortQuestions) {
  EXPECT_EQ(Ask("/v1/queues", "GET", "Bearer wrong").status, 401);
  EXPECT_EQ(Ask("/v1/queues", "GET", "Bearer secre").status, 401);
  EXPECT_EQ(Ask("/v1/queues", "GET", "secret").status, 401);
  EXPECT_EQ(Ask("/v1/queues", "GET", "").status, 401);
  EXPECT_EQ(Ask("/v1/queues", "POST").status, 405);
  EXPECT_EQ(Ask("/v1/queues/" + std::string(5000, 'a')).status, 414);
}

TEST_F(QueryHandlerTest, OneThatDoesNotLeadSaysSo) {
  leads_ = false;
  EXPECT_EQ(Ask("/v1/queues").status, 503);
}

}  // namespace
}  // namespace basalt::scheduler::query
