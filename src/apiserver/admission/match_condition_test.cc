#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <string>

#include "apiserver/admission/webhook.h"

namespace basalt::apiserver {
namespace {

using Outcome = MatchCondition::Outcome;

AdmissionRequest Request() {
  AdmissionRequest request;
  request.operation = Operation::kCreate;
  request.ns = "team";
  request.object = json::parse(R"({"metadata":{"name":"a","annotations":{"x/y":"true"}},
    "spec":{"schedulerName":"volcano","n":3,"list":["a","b"],"flag":true}})")
                       .as_object();
  return request;
}

TEST(MatchConditionTest, EvaluatesAsCelDoes) {
  struct Case {
    const char* expression;
    Outcome want;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"true", Outcome::kTrue},
           {"!true", Outcome::kFalse},
           {"object.spec.schedulerName == 'volcano'", Outcome::kTrue},
           {R"(object.spec.schedulerName in ["a", "volcano"])", Outcome::kTrue},
           {R"(object.spec.schedulerName in [])", Outcome::kFalse},
           {"object.spec.schedulerName != \"volcano\"", Outcome::kFalse},
           {"has(object.metadata.annotations)", Outcome::kTrue},
           {"has(object.metadata.labels)", Outcome::kFalse},
           {"has(object.status.phase)", Outcome::kError},
           {"\"x/y\" in object.metadata.annotations", Outcome::kTrue},
           {"'z' in object.metadata.annotations", Outcome::kFalse},
           {"object.metadata.annotations['x/y'] == 'true'", Outcome::kTrue},
           {"object.metadata.annotations[\"z\"] == 'true'", Outcome::kError},
           {"object.metadata.labels['a'] == 'b'", Outcome::kError},
           {"object.metadata.labels['a'] == 'b' || true", Outcome::kTrue},
           {"object.metadata.labels['a'] == 'b' && false", Outcome::kFalse},
           {"object.metadata.labels['a'] == 'b' || false", Outcome::kError},
           {"has(object.metadata.labels) && object.metadata.labels['a'] == 'b'", Outcome::kFalse},
           {"object.spec.n == 3 && object.spec.list[1] == 'b'", Outcome::kTrue},
           {"object.spec.list[2] == 'b'", Outcome::kError},
           {"object.spec.flag && !(object.spec.n == 4)", Outcome::kTrue},
           {"object.spec.n", Outcome::kError},
           {"oldObject == null", Outcome::kTrue},
           {"request.operation == 'CREATE' && request.namespace in ['team']", Outcome::kTrue},
           {"request.userInfo.username == 'nobody'", Outcome::kFalse},
           {"false || false || true", Outcome::kTrue},
           {"true && true && false", Outcome::kFalse},
           {"'it\\'s' == \"it's\"", Outcome::kTrue},
       }) {
    const auto condition = MatchCondition::Parse(c.expression);
    ASSERT_TRUE(condition) << c.expression;
    EXPECT_EQ(condition->Evaluate(Request()), c.want) << c.expression;
  }
}

TEST(MatchConditionTest, WhatItDoesNotKnowItSaysItDoesNotKnow) {
  for (const char* expression :
       {"", "object.", "object.spec.list.exists(x, x == 'a')", "size(object.spec.list) > 1",
        "1 + 1", "object.spec.n > 2", "authorizer.group('').check()", "'open", "(true", "[true",
        "has(object)", "true true", "variables.x", "1.5 == 1.5", "!"}) {
    EXPECT_FALSE(MatchCondition::Parse(expression)) << expression;
  }
  EXPECT_FALSE(MatchCondition::Parse(std::string(100'000, '(')));
  EXPECT_FALSE(MatchCondition::Parse(std::string(100'000, '!')));
  std::string chain = "true";
  for (int i = 0; i < 50'000; ++i) chain += "||true";
  EXPECT_FALSE(MatchCondition::Parse(chain));
}

}  // namespace
}  // namespace basalt::apiserver
