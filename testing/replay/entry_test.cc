// The lines of a recording, and what stands in them.
#include "testing/replay/entry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace basalt::scheduler {
namespace {

using testing::HasSubstr;

TEST(EntryTest, ALineIsReadAsItWasWritten) {
  for (const Entry& entry : {Entry{"run", 7, ""}, Entry{"answer", 18446744073709551615u, "200 {}"},
                             Entry{"frame", 0, "two  spaces "}}) {
    std::string line = ToLine(entry);
    ASSERT_TRUE(line.ends_with('\n'));
    line.pop_back();
    const Result<Entry> read = ParseEntry(line);
    ASSERT_TRUE(read.has_value()) << line;
    EXPECT_EQ(*read, entry);
  }
}

TEST(EntryTest, WhatHasNoNumberIsNoEntry) {
  for (const char* line : {"", "run", "run 7", "run x text", "run  text", "run -1 text", "run 7x t",
                           "run 18446744073709551616 t"}) {
    const Result<Entry> read = ParseEntry(line);
    ASSERT_FALSE(read.has_value()) << line;
    EXPECT_THAT(read.error().message, HasSubstr("not an entry of a recording"));
  }
}

TEST(EntryTest, AnyTextFitsALine) {
  for (const std::string text : {"", "plain", "two\nlines", "\"quoted\" \\ and\ttabs", "ümlaut"}) {
    const std::string quoted = QuoteText(text);
    EXPECT_EQ(quoted.find('\n'), std::string::npos);
    EXPECT_EQ(UnquoteText(quoted).value(), text);
  }
  for (const char* bad : {"", "plain", "7", "\"open", "[\"a\"]"}) {
    EXPECT_FALSE(UnquoteText(bad).has_value()) << bad;
  }
}

TEST(EntryTest, AnErrorIsReadAsItWasWritten) {
  const Error whole{.code = ErrorCode::kTooManyRequests,
                    .message = "slow down",
                    .http_status = 429,
                    .retry_after = std::chrono::seconds(3),
                    .unsent = true};
  const Error plain{.code = ErrorCode::kInternal, .message = ""};
  for (const Error& error : {whole, plain}) {
    const Result<Error> read = ParseErrorText(ErrorText(error));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->code, error.code);
    EXPECT_EQ(read->message, error.message);
    EXPECT_EQ(read->http_status, error.http_status);
    EXPECT_EQ(read->retry_after, error.retry_after);
    EXPECT_EQ(read->unsent, error.unsent);
  }
}

TEST(EntryTest, WhatSaysNotWhichErrorItIsIsNone) {
  for (const char* bad : {"", "[]", "{}", R"({"code":1})", R"({"message":"m"})",
                          R"({"code":-1,"message":"m"})", R"({"code":9999,"message":"m"})",
                          R"({"code":"1","message":"m"})", R"({"code":1,"message":2})"}) {
    EXPECT_FALSE(ParseErrorText(bad).has_value()) << bad;
  }
  const Result<Error> bare = ParseErrorText(R"({"code":1,"message":"m","unsent":"yes"})");
  ASSERT_TRUE(bare.has_value());
  EXPECT_FALSE(bare->unsent);
  EXPECT_EQ(bare->retry_after, std::nullopt);
}

TEST(EntryTest, ARequestIsItsMethodPathQueryAndBody) {
  kube::ApiRequest request;
  request.method = "GET";
  request.path = "/api/v1/nodes";
  EXPECT_EQ(RequestText(request), R"("GET /api/v1/nodes")");
  request.query = {{"watch", "true"}, {"resourceVersion", "7"}};
  EXPECT_EQ(RequestText(request), R"("GET /api/v1/nodes?watch=true&resourceVersion=7")");
  request.query.clear();
  request.method = "POST";
  request.content_type = "application/json";
  request.body = "{}";
  EXPECT_EQ(RequestText(request), R"("POST /api/v1/nodes application/json {}")");
}

}  // namespace
}  // namespace basalt::scheduler
