#include "dashboard/dashboard_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/http_client.h"
#include "net/url.h"

namespace basalt::dashboard {
namespace {

using testing::HasSubstr;
using testing::Not;

class DashboardServerTest : public testing::Test {
 protected:
  DashboardServerTest() {
    auto made = DashboardServer::Create(
        loop_, {},
        {.scheduler =
             [this](net::HttpRequest request, DashboardSources::Done done) {
               asked_.push_back(request.method + " " + request.target);
               done(net::HttpResponse{.status = 200, .headers = {}, .body = answer_});
             },
         .descheduler =
             [this](net::HttpRequest request, DashboardSources::Done done) {
               asked_.push_back(request.method + " " + request.target + " " + request.body);
               done(net::HttpResponse{.status = 202, .headers = {}, .body = "{}"});
             }});
    server_ = std::move(*made);
    server_->Use(AdmitByOneToken("right"));
    server_->Start();
    client_ = *net::HttpClient::Create(
        loop_, *net::ParseUrl("http://127.0.0.1:" + std::to_string(server_->port())), {});
  }

  net::HttpResponse Send(const std::string& method, const std::string& target,
                         const std::string& token = "right", const std::string& body = "") {
    net::HttpRequest request{.method = method, .target = target, .headers = {}, .body = body};
    if (!token.empty()) request.headers.push_back({"Authorization", "Bearer " + token});
    net::HttpResponse out;
    client_->Send(std::move(request), 5s, [&](Result<net::HttpResponse> response) {
      EXPECT_TRUE(response.has_value());
      if (response) out = std::move(*response);
      loop_.Stop();
    });
    loop_.Run();
    return out;
  }

  AsioLoop loop_;
  std::string answer_ = R"({"message":"<script>alert(1)</script>"})";
  std::vector<std::string> asked_;
  std::unique_ptr<DashboardServer> server_;
  std::unique_ptr<net::HttpClient> client_;
};

TEST_F(DashboardServerTest, WithoutTheTokenNothingIsSaid) {
  for (const char* token : {"", "wrong", "righ"}) {
    for (const char* path : {"stream", "overview", "history", "nodes/n1", "explain/pod/a/b"}) {
      EXPECT_EQ(Send("GET", std::string("/api/v1/") + path, token).status, 401) << token << path;
    }
    EXPECT_EQ(Send("POST", "/api/v1/simulate", token, "{}").status, 401);
    EXPECT_EQ(Send("POST", "/api/v1/defragmentation", token, "{}").status, 401);
  }
}

TEST_F(DashboardServerTest, ThePageMayLoadNothingFromElsewhere) {
  const net::HttpResponse page = Send("GET", "/", "");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.content_type, HasSubstr("text/html"));
  const std::string* policy = net::FindHeader(page.headers, "Content-Security-Policy");
  ASSERT_NE(policy, nullptr);
  EXPECT_THAT(*policy, HasSubstr("default-src 'none'"));
  EXPECT_THAT(*policy, Not(HasSubstr("unsafe")));
  EXPECT_THAT(page.body, Not(HasSubstr("http")));
  EXPECT_EQ(Send("GET", "/../../etc/passwd", "").status, 404);
  EXPECT_EQ(Send("POST", "/", "").status, 405);
}

TEST_F(DashboardServerTest, QuestionsArePassedOnAndOnlyThose) {
  asked_.clear();
  EXPECT_EQ(Send("GET", "/api/v1/explain/pod/a/b").status, 200);
  EXPECT_EQ(Send("GET", "/api/v1/nodes/n1").status, 200);
  EXPECT_EQ(Send("POST", "/api/v1/simulate", "right", R"({"cordon":["n1"]})").status, 200);
  EXPECT_EQ(Send("POST", "/api/v1/defragmentation", "right", R"({"dryRun":true})").status, 202);
  EXPECT_EQ(Send("GET", "/api/v1/podgroups").status, 404);
  EXPECT_EQ(Send("DELETE", "/api/v1/defragmentation/x").status, 405);
  EXPECT_EQ(Send("POST", "/api/v1/simulate", "right", "nonsense").status, 400);
  EXPECT_THAT(asked_, testing::ElementsAre("GET /v1/explain/pod/a/b", "GET /v1/nodes/n1",
                                           "POST /v1/simulate",
                                           R"(POST /v1/defragmentation {"dryRun":true})"));
}

// One person, who may list the pods of one namespace.
class OnePerson final : public Admission {
 public:
  void Admit(const std::string&, Done done) override {
    done(Sight{.person = "ann", .namespaces = {"a"}});
  }
};

TEST_F(DashboardServerTest, APersonSeesAndAsksAboutTheirNamespacesAlone) {
  server_->Use(std::make_unique<OnePerson>());
  answer_ = R"({"pods":[{"namespace":"a","name":"mine"},{"namespace":"b","name":"secret"}]})";
  EXPECT_EQ(Send("GET", "/api/v1/explain/pod/a/x").status, 200);
  EXPECT_EQ(Send("GET", "/api/v1/explain/pod/b/x").status, 404);
  EXPECT_EQ(Send("GET", "/api/v1/defragmentation").status, 403);
  EXPECT_EQ(Send("POST", "/api/v1/defragmentation").status, 403);
  const net::HttpResponse node = Send("GET", "/api/v1/nodes/n1");
  EXPECT_THAT(node.body, HasSubstr("mine"));
  EXPECT_THAT(node.body, Not(HasSubstr("secret")));
  EXPECT_EQ(Send("POST", "/api/v1/simulate", "t", R"({"finish":["pod/b/x"]})").status, 403);
  EXPECT_EQ(Send("POST", "/api/v1/simulate", "t", R"({"finish":["pod/x"]})").status, 403);
  EXPECT_EQ(Send("POST", "/api/v1/simulate", "t", R"({"objects":[{"metadata":{"namespace":"b"}}]})")
                .status,
            403);
  EXPECT_EQ(Send("POST", "/api/v1/simulate", "t",
                 R"({"namespace":"a","set":["podgroup/b/x.minMember=2"]})")
                .status,
            403);
  EXPECT_EQ(Send("POST", "/api/v1/simulate", "t",
                 R"({"namespace":"a","set":["podgroup/x.minMember=2","queue/q.weight=2",)"
                 R"("queue/q.capability.example.com/gpu=2"]})")
                .status,
            200);
  const net::HttpResponse mine =
      Send("POST", "/api/v1/simulate", "t", R"({"namespace":"a","finish":["pod/x"]})");
  EXPECT_EQ(mine.status, 200);
  EXPECT_THAT(mine.body, Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace basalt::dashboard
