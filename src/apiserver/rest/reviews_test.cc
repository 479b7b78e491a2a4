#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "apiserver/server_test_util.h"

namespace basalt::apiserver {
namespace {

const std::string kAccounts = "/api/v1/namespaces/default/serviceaccounts";
const std::string kReview = "/apis/authentication.k8s.io/v1/tokenreviews";

class TokenTest : public testing::Test {
 protected:
  Answer Send(std::string method, std::string target, std::string body, const std::string& token) {
    return server_.Send(std::move(method), std::move(target), std::move(body), "",
                        {{"Authorization", "Bearer " + token}});
  }
  std::string TokenOf(const std::string& account, int seconds = 600) {
    return Send("POST", kAccounts + "/" + account + "/token",
                R"({"spec":{"expirationSeconds":)" + std::to_string(seconds) + "}}", "secret")
        .At("status.token");
  }

  TestServer server_{ServerOptions{.bearer_token = "secret"}};
};

TEST_F(TokenTest, AnAccountsTokenIsKnownUntilItEnds) {
  ASSERT_EQ(Send("POST", kAccounts, R"({"metadata":{"name":"robot"}})", "secret").status, 201);
  const std::string token = TokenOf("robot");
  EXPECT_EQ(Send("GET", kAccounts, "", token).status, 200);
  EXPECT_EQ(Send("POST", kReview, R"({"spec":{"token":")" + token + "\"}}", "secret")
                .At("status.user.username"),
            "system:serviceaccount:default:robot");
  server_.loop().RunFor(601s);
  EXPECT_EQ(Send("GET", kAccounts, "", token).status, 401);
}

TEST_F(TokenTest, ATokenGoesWithItsAccount) {
  ASSERT_EQ(Send("POST", kAccounts, R"({"metadata":{"name":"robot"}})", "secret").status, 201);
  const std::string token = TokenOf("robot");
  ASSERT_EQ(Send("DELETE", kAccounts + "/robot", "", "secret").status, 200);
  EXPECT_EQ(Send("GET", kAccounts, "", token).status, 401);
  ASSERT_EQ(Send("POST", kAccounts, R"({"metadata":{"name":"robot"}})", "secret").status, 201);
  EXPECT_EQ(Send("GET", kAccounts, "", token).status, 401) << "another account of the same name";
}

TEST_F(TokenTest, NobodyMakesOneUp) {
  ASSERT_EQ(Send("POST", kAccounts, R"({"metadata":{"name":"robot"}})", "secret").status, 201);
  const std::string token = TokenOf("robot");
  std::string changed = token;
  changed[token.find('/') + 2] ^= 1;
  const std::string unsigned_one = token.substr(0, token.rfind('/') + 1);
  for (const std::string& bad : {changed, unsigned_one, std::string("/"), std::string("////"),
                                 std::string("a/b/c/9999999999/d"), std::string()}) {
    EXPECT_EQ(Send("GET", kAccounts, "", bad).status, 401) << bad;
  }
}

TEST_F(TokenTest, WhoeverIsKnownMayDoEverything) {
  const Answer rules = Send("POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                            R"({"spec":{"namespace":"default"}})", "secret");
  EXPECT_EQ(rules.status, 201);
  EXPECT_EQ(rules.At("status.resourceRules.0.verbs.0"), "*");
  EXPECT_EQ(Send("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}", "secret")
                .At("status.userInfo.username"),
            "admin");
}

TEST_F(TokenTest, AKindThatNobodyActsOnIsStoredWithAWarning) {
  const Answer made = Send("POST", "/apis/rbac.authorization.k8s.io/v1/clusterroles",
                           R"({"metadata":{"name":"reader"},"rules":[]})", "secret");
  EXPECT_EQ(made.status, 201);
  const std::string* warning = net::FindHeader(made.headers, "Warning");
  ASSERT_NE(warning, nullptr);
  EXPECT_THAT(*warning, testing::HasSubstr("a ClusterRole is stored and nobody asks it"));
}

}  // namespace
}  // namespace basalt::apiserver
