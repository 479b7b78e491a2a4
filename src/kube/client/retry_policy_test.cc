#include "kube/client/retry_policy.h"

#include <gtest/gtest.h>

namespace basalt::kube {
namespace {

struct Row {
  std::string_view why;
  ApiRequest request;
  Error error;
  bool may_retry;
};

Error Http(int status, std::optional<std::chrono::seconds> retry_after = {}) {
  return {.code = ErrorCode::kUnavailable, .http_status = status, .retry_after = retry_after};
}
Error Connection(bool unsent) { return {.code = ErrorCode::kUnavailable, .unsent = unsent}; }

const ApiRequest kGet{.method = "GET"};
const ApiRequest kDelete{.method = "DELETE"};
const ApiRequest kPost{.method = "POST", .path = "/api/v1/namespaces/a/pods/b/binding"};
const ApiRequest kEviction{.method = "POST", .path = "/api/v1/namespaces/a/pods/b/eviction"};
const ApiRequest kBlindPut{.method = "PUT", .body = R"({"metadata":{"name":"a"}})"};
const ApiRequest kPut{.method = "PUT", .body = R"({"metadata":{"resourceVersion":"7"}})"};
const ApiRequest kPatch{.method = "PATCH", .body = R"({"metadata":{"resourceVersion":"7"}})"};
const ApiRequest kBlindPatch{.method = "PATCH", .body = R"({"metadata":{"labels":{"a":"b"}}})"};
const ApiRequest kJsonPatch{.method = "PATCH",
                            .body = R"([{"op":"test","path":"/a"},{"op":"add","path":"/b"}])"};
const ApiRequest kBlindJsonPatch{.method = "PATCH", .body = R"([{"op":"add","path":"/b"}])"};

TEST(RetryPolicyTest, RepeatsOnlyWhatCannotTakeEffectTwice) {
  const Row rows[] = {
      {"a read after a cut connection", kGet, Connection(false), true},
      {"a read after our own timeout", kGet, {.code = ErrorCode::kTimeout}, true},
      {"a read after 500", kGet, Http(500), true},
      {"a read after 502", kGet, Http(502), true},
      {"a read after 504", kGet, Http(504), true},
      {"501 does not pass", kGet, Http(501), false},
      {"404 does not pass", kGet, Http(404), false},
      {"409 does not pass", kPut, Http(409), false},
      {"410 does not pass", kGet, Http(410), false},
      {"a broken answer does not pass", kGet, {.code = ErrorCode::kInternal}, false},
      {"a delete after a cut connection", kDelete, Connection(false), true},
      {"an update that would be refused", kPut, Connection(false), true},
      {"an update after 500", kPut, Http(500), true},
      {"an update without a version", kBlindPut, Connection(false), false},
      {"the same, turned away", kBlindPut, Http(429), true},
      {"a patch with a version", kPatch, Connection(false), true},
      {"a patch without", kBlindPatch, Connection(false), false},
      {"a JSON patch with a test", kJsonPatch, Connection(false), true},
      {"a JSON patch without", kBlindJsonPatch, Connection(false), false},
      {"a create whose connection was cut", kPost, Connection(false), false},
      {"a create that never left", kPost, Connection(true), true},
      {"a create after our own timeout", kPost, {.code = ErrorCode::kTimeout}, false},
      {"a create after 429", kPost, Http(429), true},
      {"a create after 500", kPost, Http(500), false},
      {"a create after 503 without a wish", kPost, Http(503), false},
      {"a create after 503 with Retry-After", kPost, Http(503, std::chrono::seconds(1)), true},
      {"a server that is not trusted",
       kGet,
       {.code = ErrorCode::kInvalidArgument, .unsent = true},
       false},
      {"an eviction that a budget refused", kEviction, Http(429, std::chrono::seconds(10)), false},
      {"an eviction that never left", kEviction, Connection(true), true},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(MayRetry(row.request, row.error), row.may_retry) << row.why;
  }
}

TEST(RetryPolicyTest, ABodyThatIsNotJsonHasNoPrecondition) {
  for (const char* body : {"", "{", "null", "[1]", "[{}]", R"([{"op":1}])", R"({"metadata":1})",
                           R"({"metadata":{"resourceVersion":""}})"}) {
    EXPECT_FALSE(HasPrecondition({.method = "PUT", .body = body})) << body;
  }
}

}  // namespace
}  // namespace basalt::kube
