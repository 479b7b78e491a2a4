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
      {"/v1/explain/pod/ns/big/more", 404, "no such question"},
      {"/v1/explain/reservation/ns/r", 404, "reservation ns/r is not known to the scheduler"},
      {"/v1/explain/queue/none", 404, "queue none is not known to the scheduler"},
      {"/v1/explain/house/ns/big", 404, "no such question"},
      {"/v1/explain", 404, "no such question"},
      {"/v1/explain/scale?queue=q&queue=none", 200, R"("pods":1,)"},
      {"/v1/explain/scale?queue=%71", 200, R"("pods":1,)"},
      {"/v1/explain/scale?queues=none", 200, R"("pods":1,)"},
      {"//v1//queues//q", 200, R"("inqueue":1)"},
      {"/v1/podgroups/ns/g", 404, "no such question"},
      {"/v1/status/x", 404, "no such question"},
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

// ---- questions whose answers come later

class LaterTest : public testing::Test {
 protected:
  // What comes back at once; nothing: the answer is still to come.
  std::optional<net::HttpResponse> Ask(std::string method, std::string target,
                                       std::string authorization = "Bearer secret",
                                       net::Headers more = {}) {
    QuerySources sources{
        .explainer = []() -> std::optional<explain::Explainer> { return std::nullopt; }};
    if (has_sources_) {
      sources.simulate = [this](std::string body, std::string asker, QuerySources::Later later) {
        asked_ = "simulate " + body + " by " + asker;
        later_ = std::move(later);
      };
      sources.overview = [this](QuerySources::Later later) {
        asked_ = "overview";
        later_ = std::move(later);
      };
      sources.node = [this](std::string name, QuerySources::Later later) {
        asked_ = "node " + name;
        later_ = std::move(later);
      };
    }
    more.push_back({"authorization", std::move(authorization)});
    handler_.emplace("secret", std::move(sources));
    got_.reset();
    asked_.clear();
    handler_->Handle({.method = std::move(method),
                      .target = std::move(target),
                      .headers = std::move(more),
                      .body = "{}"},
                     [this](net::HttpResponse response) { got_ = std::move(response); });
    return got_;
  }

  bool has_sources_ = true;
  std::optional<QueryHandler> handler_;
  std::optional<net::HttpResponse> got_;
  std::string asked_;
  QuerySources::Later later_;
};

TEST_F(LaterTest, AreAskedWithTheirOwnMethodAndAnsweredWhenTheAnswerIsThere) {
  EXPECT_EQ(Ask("POST", "/v1/simulate", "Bearer secret", {{"X-Basalt-Asker", "me"}}), std::nullopt);
  EXPECT_EQ(asked_, "simulate {} by me");
  later_("{\"a\":1}");
  ASSERT_TRUE(got_.has_value());
  EXPECT_EQ(got_->status, 200);
  EXPECT_EQ(got_->body, "{\"a\":1}");
  EXPECT_EQ(Ask("POST", "/v1/simulate"), std::nullopt);
  EXPECT_EQ(asked_, "simulate {} by ") << "nobody in particular";
  EXPECT_EQ(Ask("GET", "/v1/overview"), std::nullopt);
  EXPECT_EQ(asked_, "overview");
  EXPECT_EQ(Ask("GET", "/v1/nodes/n1"), std::nullopt);
  EXPECT_EQ(asked_, "node n1");
}

TEST_F(LaterTest, AreRefusedWithAnotherMethodAndWithoutTheToken) {
  EXPECT_EQ(Ask("GET", "/v1/simulate")->status, 405);
  EXPECT_EQ(Ask("POST", "/v1/overview")->status, 405);
  EXPECT_EQ(Ask("DELETE", "/v1/nodes/n1")->status, 405);
  for (const char* target : {"/v1/simulate", "/v1/overview", "/v1/nodes/n1"}) {
    EXPECT_EQ(Ask("GET", target, "Bearer wrong")->status, 401) << target;
    EXPECT_EQ(asked_, "") << "nobody is asked";
  }
}

TEST_F(LaterTest, AreUnknownWhereNobodyAnswersThem) {
  has_sources_ = false;
  EXPECT_EQ(Ask("POST", "/v1/simulate")->status, 405) << "questions are asked with GET";
  EXPECT_EQ(Ask("GET", "/v1/overview")->status, 503) << "this one does not lead";
}

TEST_F(LaterTest, AnErrorHasItsStatus) {
  const auto status = [&](ErrorCode code) {
    EXPECT_EQ(Ask("GET", "/v1/overview"), std::nullopt);
    later_(Fail(code, "because"));
    EXPECT_THAT(got_->body, HasSubstr("because"));
    return got_->status;
  };
  EXPECT_EQ(status(ErrorCode::kInvalidArgument), 400);
  EXPECT_EQ(status(ErrorCode::kNotFound), 404);
  EXPECT_EQ(status(ErrorCode::kTooManyRequests), 429);
  EXPECT_EQ(status(ErrorCode::kTimeout), 504);
  EXPECT_EQ(status(ErrorCode::kInternal), 503);
}

TEST_F(QueryHandlerTest, OneThatDoesNotLeadSaysSo) {
  leads_ = false;
  EXPECT_EQ(Ask("/v1/queues").status, 503);
}

}  // namespace
}  // namespace basalt::scheduler::query
