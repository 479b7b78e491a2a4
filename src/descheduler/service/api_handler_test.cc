#include "descheduler/service/api_handler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

namespace basalt::descheduler {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

class FakeRuns final : public RunControl {
 public:
  bool leads() const override { return leads_; }
  bool IsDry(const RunRequest& request) const override { return request.dry_run.value_or(false); }
  std::string under_way() const override { return under_way_; }
  Result<Plan> Begin(const RunRequest& request) override {
    if (request.resource_type == "nonsense") {
      return Fail(ErrorCode::kInvalidArgument, "resourceType: nonsense is in no threshold");
    }
    Plan plan;
    plan.id = "new";
    plans_.push_back(plan);
    return plan;
  }
  std::optional<Plan> Find(std::string_view id) const override {
    for (const Plan& plan : plans_) {
      if (plan.id == id) return plan;
    }
    return std::nullopt;
  }
  std::vector<Plan> All() const override { return plans_; }

  bool leads_ = true;
  std::string under_way_;
  std::vector<Plan> plans_;
};

class ApiHandlerTest : public testing::Test {
 protected:
  net::HttpResponse Ask(std::string method, std::string target, std::string body = "",
                        std::string authorization = "Bearer secret") {
    return ApiHandler("secret", runs_)
        .Answer({.method = std::move(method),
                 .target = std::move(target),
                 .headers = {{"Authorization", std::move(authorization)}},
                 .body = std::move(body)});
  }
  FakeRuns runs_;
};

TEST_F(ApiHandlerTest, EveryRefusalHasItsCodeAndASentence) {
  runs_.under_way_ = "run1";
  struct {
    const char *method, *target, *body, *authorization;
    int status;
    const char* says;
  } cases[] = {
      {"GET", "/v1/defragmentation", "", "", 401, "token"},
      {"GET", "/v1/defragmentation", "", "Bearer wrong!", 401, "token"},
      {"POST", "/v1/defragmentation", "{}", "secret", 401, "token"},
      {"GET", "/v1/other", "", "Bearer secret", 404, "there is only"},
      {"GET", "/", "", "Bearer secret", 404, "there is only"},
      {"GET", "/v1/defragmentation/", "", "Bearer secret", 404, "there is only"},
      {"GET", "/v1/defragmentation/none", "", "Bearer secret", 404, "no plan none"},
      {"PUT", "/v1/defragmentation", "", "Bearer secret", 405, "GET, POST"},
      {"DELETE", "/v1/defragmentation/none", "", "Bearer secret", 405, "GET"},
      {"POST", "/v1/defragmentation", "[]", "Bearer secret", 400, "JSON object"},
      {"POST", "/v1/defragmentation", "{", "Bearer secret", 400, "JSON object"},
      {"POST", "/v1/defragmentation", R"({"dryrun": true})", "Bearer secret", 400, "dryrun"},
      {"POST", "/v1/defragmentation", R"({"dryRun": "yes"})", "Bearer secret", 400, "dryRun"},
      {"POST", "/v1/defragmentation", R"({"profile": 1})", "Bearer secret", 400, "profile"},
      {"POST", "/v1/defragmentation", R"({"dryRun": true, "resourceType": "nonsense"})",
       "Bearer secret", 400, "resourceType"},
      {"POST", "/v1/defragmentation", R"({"resourceType": ""})", "Bearer secret", 400,
       "resourceType"},
      {"POST", "/v1/defragmentation", "{}", "Bearer secret", 409, "run1"},
  };
  for (const auto& it : cases) {
    SCOPED_TRACE(it.target + std::string(" ") + it.body);
    const net::HttpResponse answer = Ask(it.method, it.target, it.body, it.authorization);
    EXPECT_EQ(answer.status, it.status);
    const json::value body = json::parse(answer.body);
    EXPECT_THAT(std::string(body.at("message").as_string()), HasSubstr(it.says));
    if (it.status == 409) {
      EXPECT_EQ(body.at("id"), "run1");
    }
  }
}

TEST_F(ApiHandlerTest, ARunIsBegunAndADryRunIsAnsweredThoughOneIsUnderWay) {
  net::HttpResponse answer = Ask("POST", "/v1/defragmentation", " ");
  EXPECT_EQ(answer.status, 202);
  const std::string* location = net::FindHeader(answer.headers, "Location");
  ASSERT_TRUE(location);
  EXPECT_EQ(*location, "/v1/defragmentation/new");
  runs_.under_way_ = "new";
  EXPECT_EQ(Ask("POST", "/v1/defragmentation", R"({"dryRun": true})").status, 200);
  EXPECT_EQ(Ask("GET", *location).status, 200);
  answer = Ask("GET", "/v1/defragmentation?x=y");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(json::parse(answer.body).at("items").as_array().size(), 2u);
}

TEST_F(ApiHandlerTest, WhoStandsByAnswersNothingElse) {
  runs_.leads_ = false;
  EXPECT_EQ(Ask("GET", "/v1/defragmentation").status, 503);
  EXPECT_EQ(Ask("GET", "/v1/defragmentation", "", "").status, 503);
}

}  // namespace
}  // namespace basalt::descheduler
