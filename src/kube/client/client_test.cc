#include "kube/client/client.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "testing/sim_loop.h"

namespace basalt::kube {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testutil::SimLoop;

// Answers from a script, one answer per request, each after a millisecond; 200 when it has run out.
class ScriptedApi : public ApiClient {
 public:
  struct Seen {
    Duration when;
    ApiRequest request;
  };

  explicit ScriptedApi(SimLoop& loop) : loop_(loop) {}

  void Send(ApiRequest request, ApiHandler handler) override {
    seen.push_back({loop_.elapsed(), std::move(request)});
    Result<ApiResponse> answer = ApiResponse{.status = 200, .body = "{}"};
    if (!script.empty()) {
      answer = std::move(script.front());
      script.pop_front();
    }
    if (silent) {
      answer = Fail(ErrorCode::kTimeout, "no answer");
      loop_.Schedule(seen.back().request.timeout,
                     [handler = std::move(handler), answer]() mutable { handler(answer); });
      return;
    }
    loop_.Schedule(1ms, [handler = std::move(handler), answer]() mutable { handler(answer); });
  }
  std::unique_ptr<WatchStream> Watch(ApiRequest request, WatchObserver&) override {
    seen.push_back({loop_.elapsed(), std::move(request)});
    return std::make_unique<WatchStream>();
  }
  Loop& loop() override { return loop_; }

  std::deque<Result<ApiResponse>> script;
  std::vector<Seen> seen;
  bool silent = false;

 private:
  SimLoop& loop_;
};

Result<ApiResponse> Refusal(int status, std::optional<std::chrono::seconds> retry_after = {}) {
  return std::unexpected(Error{.code = ErrorCode::kUnavailable,
                               .message = fmt::format("status {}", status),
                               .http_status = status,
                               .retry_after = retry_after});
}

std::string Show(const ApiRequest& request) {
  std::string text = request.method + " " + request.path;
  char separator = '?';
  for (const auto& [key, value] : request.query) {
    text += fmt::format("{}{}={}", separator, key, value);
    separator = '&';
  }
  if (!request.content_type.empty()) text += " " + request.content_type;
  if (!request.body.empty()) text += " " + request.body;
  return text;
}

class ClientTest : public testing::Test {
 protected:
  ApiHandler Store() {
    return [this](Result<ApiResponse> result) { results.push_back(std::move(result)); };
  }
  std::string ShowLast() { return api.seen.empty() ? "" : Show(api.seen.back().request); }

  SimLoop loop;
  ScriptedApi api{loop};
  std::vector<Result<ApiResponse>> results;
};

TEST_F(ClientTest, EachCallIsTheRequestThatKubernetesDocuments) {
  Client client(api);
  client.Get({resources::kPods, "a", "b"}, Store());
  EXPECT_EQ(ShowLast(), "GET /api/v1/namespaces/a/pods/b");
  client.Get({resources::kNodes, "", "n"}, Store());
  EXPECT_EQ(ShowLast(), "GET /api/v1/nodes/n");
  client.Get({resources::kDeployments, "a", "b", "scale"}, Store());
  EXPECT_EQ(ShowLast(), "GET /apis/apps/v1/namespaces/a/deployments/b/scale");
  client.Create({resources::kPods, "a"}, "{1}", Store(), {.dry_run = true, .field_manager = "me"});
  EXPECT_EQ(ShowLast(), "POST /api/v1/namespaces/a/pods?dryRun=All&fieldManager=me {1}");
  client.Create({resources::kPods, "a", "b", "binding"}, "{2}", Store());
  EXPECT_EQ(ShowLast(), "POST /api/v1/namespaces/a/pods/b/binding {2}");
  client.Update({resources::kPods, "a", "b", "status"}, "{3}", Store());
  EXPECT_EQ(ShowLast(), "PUT /api/v1/namespaces/a/pods/b/status {3}");
  client.Patch({resources::kPods, "a", "b"}, PatchKind::kJson, "[]", Store());
  EXPECT_EQ(ShowLast(), "PATCH /api/v1/namespaces/a/pods/b application/json-patch+json []");
  client.Patch({resources::kPods, "a", "b"}, PatchKind::kMerge, "{}", Store());
  EXPECT_EQ(ShowLast(), "PATCH /api/v1/namespaces/a/pods/b application/merge-patch+json {}");
  client.Patch({resources::kPods, "a", "b"}, PatchKind::kStrategic, "{}", Store());
  EXPECT_EQ(ShowLast(),
            "PATCH /api/v1/namespaces/a/pods/b application/strategic-merge-patch+json {}");
  client.Delete({resources::kPods, "a", "b"}, {}, Store());
  EXPECT_EQ(ShowLast(),
            R"(DELETE /api/v1/namespaces/a/pods/b {"kind":"DeleteOptions","apiVersion":"v1"})");
  client.Delete(
      {resources::kPods, "a", "b"},
      {.grace_period_seconds = 0, .propagation = "Background", .uid = "u", .resource_version = "9"},
      Store());
  EXPECT_THAT(ShowLast(), HasSubstr(R"("gracePeriodSeconds":0,"propagationPolicy":"Background",)"
                                    R"("preconditions":{"uid":"u","resourceVersion":"9"}})"));
  client.DeleteCollection(resources::kPods, "a", {}, {.label_selector = "x=y"}, Store());
  EXPECT_THAT(ShowLast(), HasSubstr("DELETE /api/v1/namespaces/a/pods?labelSelector=x=y {"));
}

TEST_F(ClientTest, AWatchCarriesItsVersionAndAsksForBookmarks) {
  struct Ignore : WatchObserver {
    void OnFrame(std::string_view) override {}
    void OnEnd(const Error&) override {}
  } observer;
  Client client(api);
  client.Watch(resources::kPods, "",
               {.field_selector = "spec.nodeName=",
                .resource_version = "12",
                .timeout = std::chrono::seconds(300)},
               observer);
  EXPECT_EQ(ShowLast(),
            "GET /api/v1/pods?watch=1&fieldSelector=spec.nodeName=&resourceVersion=12&"
            "allowWatchBookmarks=true&timeoutSeconds=300");
}

TEST_F(ClientTest, AForgottenNameIsRefusedAndNeverReachesACollection) {
  Client client(api);
  client.Delete({resources::kPods, "a", ""}, {}, Store());
  client.Delete({resources::kPods, "", "b"}, {}, Store());
  client.DeleteCollection(resources::kPods, "", {}, {}, Store());
  client.Get({resources::kPods, "a", "../b"}, Store());
  client.Get({resources::kPods, "..", "b"}, Store());
  client.Create({resources::kPods, "a", "b"}, "{}", Store());
  client.Create({resources::kPods, "a", "", "binding"}, "{}", Store());
  EXPECT_TRUE(results.empty()) << "answered from within the call";
  loop.RunFor(1s);
  EXPECT_TRUE(api.seen.empty());
  ASSERT_EQ(results.size(), 7u);
  for (const auto& result : results) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
  }
}

TEST_F(ClientTest, RetriesUntilAnsweredWithGrowingWaits) {
  for (int i = 0; i < 4; ++i) api.script.push_back(Refusal(500));
  Client client(api);
  client.Get({resources::kPods, "a", "b"}, Store());
  loop.RunFor(1min);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_TRUE(results[0]);
  ASSERT_EQ(api.seen.size(), 5u);
  Duration step = 100ms;
  for (std::size_t i = 1; i < api.seen.size(); ++i, step *= 2) {
    const Duration wait = api.seen[i].when - api.seen[i - 1].when - 1ms;
    EXPECT_GE(wait, step / 2) << i;
    EXPECT_LE(wait, step) << i;
  }
}

TEST_F(ClientTest, WaitsAtLeastAsLongAsTheServerWishes) {
  api.script.push_back(Refusal(429, std::chrono::seconds(7)));
  Client client(api);
  client.Create({resources::kPods, "a"}, "{}", Store());
  loop.RunFor(6900ms);
  EXPECT_EQ(api.seen.size(), 1u);
  loop.RunFor(300ms);
  EXPECT_EQ(api.seen.size(), 2u);
  EXPECT_EQ(Show(api.seen[0].request), Show(api.seen[1].request));
}

TEST_F(ClientTest, ACreateOfUnknownFateIsTheCallersToJudge) {
  api.script.push_back(Fail(ErrorCode::kUnavailable, "connection reset"));
  Client client(api);
  client.Create({resources::kPods, "a"}, "{}", Store());
  loop.RunFor(1min);
  EXPECT_EQ(api.seen.size(), 1u);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].error().message, "connection reset");
}

TEST_F(ClientTest, NothingIsRetriedWhenTheCallerSaysSo) {
  api.script.push_back(Refusal(500));
  Client client(api);
  client.Get({resources::kPods, "a", "b"}, Store(), {.retry = false});
  loop.RunFor(1min);
  EXPECT_EQ(api.seen.size(), 1u);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].error().http_status, 500);
}

TEST_F(ClientTest, GivesUpWithTheLastErrorBeforeTheDeadline) {
  for (int i = 0; i < 100; ++i) api.script.push_back(Refusal(503));
  Client client(api, {.deadline = 5s});
  client.Get({resources::kPods, "a", "b"}, Store());
  loop.RunFor(5s);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].error().http_status, 503);
  EXPECT_GE(api.seen.size(), 4u);
}

TEST_F(ClientTest, AttemptsNeverOutlastTheDeadline) {
  api.silent = true;
  Client client(api, {.deadline = 5s, .timeout = 3s});
  client.Get({resources::kPods, "a", "b"}, Store());
  loop.RunFor(5s);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].error().code, ErrorCode::kTimeout);
  ASSERT_EQ(api.seen.size(), 2u);
  EXPECT_EQ(api.seen[0].request.timeout, 3s);
  EXPECT_LE(api.seen[1].when + api.seen[1].request.timeout, 5s);
}

TEST_F(ClientTest, SendsInOrderAtTheAllowedRateAfterTheBurst) {
  Client client(api, {.pacing = {.qps = 10, .burst = 3}});
  for (int i = 0; i < 23; ++i) {
    client.Get({resources::kPods, "a", fmt::format("p{}", i)}, Store());
  }
  EXPECT_EQ(api.seen.size(), 3u);
  loop.RunFor(1050ms);
  EXPECT_EQ(api.seen.size(), 13u);
  loop.RunFor(1s);
  ASSERT_EQ(api.seen.size(), 23u);
  for (int i = 0; i < 23; ++i) {
    EXPECT_EQ(api.seen[i].request.path, fmt::format("/api/v1/namespaces/a/pods/p{}", i));
  }
}

TEST_F(ClientTest, ACallThatWaitsTooLongForTheRateLimitTimesOutAndCostsNoToken) {
  Client client(api, {.pacing = {.qps = 1, .burst = 1}, .deadline = 3500ms});
  for (int i = 0; i < 10; ++i) client.Get({resources::kPods, "a", "b"}, Store());
  loop.RunFor(3600ms);
  ASSERT_EQ(results.size(), 10u);
  EXPECT_EQ(std::count_if(results.begin(), results.end(), [](auto& r) { return r.has_value(); }),
            4);
  EXPECT_THAT(results.back().error().message, HasSubstr("rate limit"));
  EXPECT_EQ(client.pending(), 0u);
  client.Get({resources::kPods, "a", "c"}, Store());
  loop.RunFor(1s);
  EXPECT_EQ(results.size(), 11u);
  EXPECT_TRUE(results.back());
}

TEST_F(ClientTest, ListsPageByPageAndEndsWithTheVersionToWatchFrom) {
  api.script = {
      ApiResponse{200, R"({"metadata":{"resourceVersion":"5","continue":"c1"},"items":[1]})"},
      ApiResponse{200, R"({"items":[2],"metadata":{"continue":"c2","resourceVersion":"5"}})"},
      Refusal(500),
      ApiResponse{200, R"({"metadata":{"resourceVersion":"5","continue":null},"items":[3]})"}};
  Client client(api);
  std::vector<std::string> pages;
  std::optional<Result<std::string>> done;
  client.List(
      resources::kPods, "", {.label_selector = "a", .resource_version = "0", .limit = 1},
      [&](std::string body) { pages.push_back(body.substr(body.find("\"items\""), 11)); },
      [&](Result<std::string> version) { done = std::move(version); });
  loop.RunFor(1s);
  EXPECT_THAT(pages, ElementsAre("\"items\":[1]", "\"items\":[2]", "\"items\":[3]"));
  ASSERT_TRUE(done && *done);
  EXPECT_EQ(**done, "5");
  ASSERT_EQ(api.seen.size(), 4u);
  EXPECT_EQ(Show(api.seen[0].request),
            "GET /api/v1/pods?labelSelector=a&limit=1&resourceVersion=0");
  EXPECT_EQ(Show(api.seen[1].request), "GET /api/v1/pods?labelSelector=a&limit=1&continue=c1");
  EXPECT_EQ(Show(api.seen[3].request), "GET /api/v1/pods?labelSelector=a&limit=1&continue=c2");
}

class PagesTest : public ClientTest {
 protected:
  static ApiResponse Page(std::string_view next, std::size_t bytes = 10) {
    return {200, fmt::format(R"({{"metadata":{{"resourceVersion":"5","continue":"{}"}},"x":"{}"}})",
                             next, std::string(bytes, 'x'))};
  }
  static Result<ApiResponse> TooLarge() { return Fail(ErrorCode::kTooLarge, "too large"); }
  // The limits and tokens that were asked for: "500 250 125/c1".
  std::string Asked() {
    std::string asked;
    for (const auto& [when, request] : std::exchange(api.seen, {})) {
      if (!asked.empty()) asked += ' ';
      for (const auto& [key, value] : request.query) {
        if (key == "limit") asked += value;
        if (key == "continue") asked += "/" + value;
      }
      if (!request.accept.empty()) asked += "(metadata)";
    }
    return asked;
  }
  // "5 in 3 pages", or the error.
  std::string List(Client& client, int limit = 500) {
    int pages = 0;
    std::string said;
    ListOptions options{.limit = limit};
    options.left_out = [&](std::string metadata, const Error&) { left_out.push_back(metadata); };
    client.List(
        resources::kPods, "", std::move(options), [&](std::string) { ++pages; },
        [&](Result<std::string> version) {
          said = version ? fmt::format("{} in {} pages", *version, pages) : version.error().message;
        });
    loop.RunUntil([&] { return !said.empty(); }, 10min);
    return said;
  }
  std::vector<std::string> left_out;
};

TEST_F(PagesTest, APageThatIsTooLargeIsHalvedAndTheNextListRemembers) {
  constexpr std::size_t kLarge = 5 << 20;
  Client client(api);
  api.script = {Page("c1"), TooLarge(), TooLarge(), Page("c2", kLarge), Page("", kLarge)};
  EXPECT_EQ(List(client), "5 in 3 pages");
  EXPECT_EQ(Asked(), "500 500/c1 250/c1 125/c1 125/c2");
  api.script = {Page("c1", kLarge), Page("c2"), Page("c3"), Page("c4"), Page("")};
  EXPECT_EQ(List(client), "5 in 5 pages");
  EXPECT_EQ(Asked(), "125 125/c1 250/c2 500/c3 500/c4") << "small pages grow again";
  api.script = {Page("")};
  List(client);
  EXPECT_EQ(Asked(), "500");
  EXPECT_THAT(left_out, testing::IsEmpty());
}

TEST_F(PagesTest, AListWithoutPagesThatIsTooLargeIsReadInPages) {
  Client client(api);
  api.script = {TooLarge(), Page("c1"), Page("")};
  EXPECT_EQ(List(client, 0), "5 in 2 pages");
  EXPECT_EQ(Asked(), "500 500/c1") << "after one without a limit";
}

TEST_F(PagesTest, OneObjectThatIsTooLargeIsLeftOutByNameAndTheRestIsRead) {
  Client client(api);
  api.script = {Page("c1"), TooLarge(), TooLarge(), Page("c2"), Page("c3"), Page("")};
  EXPECT_EQ(List(client, 2), "5 in 3 pages");
  EXPECT_EQ(Asked(), "2 2/c1 1/c1 1/c1(metadata) 1/c2 2/c3");
  ASSERT_EQ(left_out.size(), 1u);
  EXPECT_EQ(left_out[0], Page("c2").body);
}

TEST_F(PagesTest, AnObjectWhoseVeryNameIsTooLargeEndsTheListWithAClearError) {
  Client client(api);
  api.script = {TooLarge(), TooLarge()};
  EXPECT_EQ(List(client, 1), "one object alone is too large to be read: too large");
  EXPECT_EQ(Asked(), "1 1(metadata)");
}

TEST_F(PagesTest, PagesWithoutAnEndEndWithAnError) {
  Client client(api);
  for (int i = 0; i < 30'000; ++i) api.script.push_back(Page(fmt::format("c{}", i)));
  EXPECT_THAT(List(client), HasSubstr("more than 20000 pages"));
  for (const int circle : {1, 2, 7, 100}) {
    api.script.clear();
    api.seen.clear();
    for (int i = 0; i < 5; ++i) api.script.push_back(Page(fmt::format("start{}", i)));
    for (int i = 0; i < 1000; ++i) api.script.push_back(Page(fmt::format("c{}", i % circle)));
    EXPECT_THAT(List(client), HasSubstr("comes back to a page that it had"));
    EXPECT_LE(static_cast<int>(api.seen.size()), 3 * circle + 20);
  }
}

TEST_F(ClientTest, AListThatExpiresOrIsBrokenEndsWithItsError) {
  struct Row {
    Result<ApiResponse> second;
    ErrorCode code;
  };
  const Row rows[] = {
      {std::unexpected(Error{.code = ErrorCode::kGone, .http_status = 410}), ErrorCode::kGone},
      {ApiResponse{200, "[]"}, ErrorCode::kInternal},
      {ApiResponse{200, "{\"metadata\":"}, ErrorCode::kInternal},
      {ApiResponse{200, R"({"metadata":{"continue":1}})"}, ErrorCode::kInternal},
      {ApiResponse{200, ""}, ErrorCode::kInternal},
  };
  for (const Row& row : rows) {
    api.script = {ApiResponse{200, R"({"metadata":{"resourceVersion":"5","continue":"c"}})"},
                  row.second};
    Client client(api);
    int pages = 0;
    std::optional<Result<std::string>> done;
    client.List(
        resources::kPods, "a", {}, [&](std::string) { ++pages; },
        [&](Result<std::string> version) { done = std::move(version); });
    loop.RunFor(1s);
    EXPECT_EQ(pages, 1);
    ASSERT_TRUE(done && !*done);
    EXPECT_EQ(done->error().code, row.code);
  }
}

TEST_F(ClientTest, ADestroyedClientCallsNobody) {
  api.script.push_back(Refusal(500));
  auto client = std::make_unique<Client>(api, ClientOptions{.pacing = {.qps = 1, .burst = 2}});
  client->Get({resources::kPods, "a", "retried"}, Store());
  client->Get({resources::kPods, "a", "sent"}, Store());
  client->Get({resources::kPods, "a", "queued"}, Store());
  client->Get({resources::kPods, "", "refused"}, Store());
  client.reset();
  loop.RunFor(10min);
  EXPECT_TRUE(results.empty());
  EXPECT_EQ(api.seen.size(), 2u);
}

TEST_F(ClientTest, TheHookSeesEveryAttempt) {
  std::vector<std::string> seen;
  PacerOptions pacing;
  pacing.on_outcome = [&](const RequestOutcome& outcome) {
    EXPECT_EQ(outcome.took, 1ms);
    seen.push_back(fmt::format("{} {} {}", outcome.verb, outcome.resource, outcome.code));
  };
  Client client(api, {.pacing = pacing});
  api.script = {Refusal(429), ApiResponse{201, "{}"}, Fail(ErrorCode::kUnavailable, "gone")};
  client.Create({resources::kPods, "a", "b", "binding"}, "{}", Store());
  loop.RunFor(1s);
  client.Delete({resources::kNodes, "", "n"}, {}, Store(), {.retry = false});
  loop.RunFor(1s);
  EXPECT_THAT(seen,
              ElementsAre("POST pods/binding 429", "POST pods/binding 201", "DELETE nodes 0"));
}

}  // namespace
}  // namespace basalt::kube
