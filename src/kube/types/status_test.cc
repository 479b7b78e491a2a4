#include "kube/types/status.h"

#include <gtest/gtest.h>

namespace basalt::kube {
namespace {

TEST(DecodeStatus, TakesTheCodeFromTheReason) {
  const std::tuple<std::string, int, ErrorCode> cases[] = {
      {"NotFound", 404, ErrorCode::kNotFound},
      {"AlreadyExists", 409, ErrorCode::kAlreadyExists},
      {"Conflict", 409, ErrorCode::kConflict},
      {"Invalid", 422, ErrorCode::kInvalid},
      {"BadRequest", 400, ErrorCode::kInvalidArgument},
      {"Expired", 410, ErrorCode::kGone},
      {"TooManyRequests", 429, ErrorCode::kTooManyRequests},
      {"Timeout", 504, ErrorCode::kTimeout},
      {"MethodNotAllowed", 405, ErrorCode::kUnsupported},
      {"", 403, ErrorCode::kForbidden},
      {"SomethingNew", 503, ErrorCode::kUnavailable},
  };
  for (const auto& [reason, http, code] : cases) {
    const Error error =
        DecodeStatus(http, R"({"kind":"Status","message":"why","reason":")" + reason + "\"}");
    EXPECT_EQ(error.code, code) << reason;
    EXPECT_EQ(error.message, "why");
    EXPECT_EQ(error.http_status, http);
  }
}

TEST(DecodeStatus, ReadsHowLongToWait) {
  const Error error = DecodeStatus(
      429, R"({"kind":"Status","reason":"TooManyRequests","details":{"retryAfterSeconds":10}})");
  EXPECT_EQ(error.retry_after, std::chrono::seconds(10));
  EXPECT_EQ(error.message, "TooManyRequests");
}

TEST(DecodeStatus, WaitsNoLongerThanAMinute) {
  const Error error =
      DecodeStatus(429, R"({"kind":"Status","details":{"retryAfterSeconds":2147483647}})");
  EXPECT_EQ(error.retry_after, std::chrono::seconds(60));
  EXPECT_EQ(BoundedRetryAfter(-5), std::chrono::seconds(0));
  EXPECT_EQ(BoundedRetryAfter(59), std::chrono::seconds(59));
}

TEST(DecodeStatus, ShowsTheBeginningOfAnythingElse) {
  EXPECT_EQ(DecodeStatus(502, "bad gateway\n").message, "bad gateway");
  EXPECT_EQ(DecodeStatus(502, "bad gateway\n").code, ErrorCode::kUnavailable);
  EXPECT_EQ(DecodeStatus(500, std::string(10'000, 'x')).message.size(), 512u);
  EXPECT_EQ(DecodeStatus(404, "").message, "HTTP status 404");
  EXPECT_EQ(DecodeStatus(404, R"({"kind":"Pod"})").code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace basalt::kube
