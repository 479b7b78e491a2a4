// Requests that once ended the server, stopped it for long or left something behind that others
// could not read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string>
#include <vector>

#include "apiserver/admission/webhook.h"
#include "apiserver/core/core.h"
#include "apiserver/object/barrier.h"
#include "apiserver/object/json_text.h"
#include "apiserver/rest/call.h"
#include "apiserver/server_test_util.h"

namespace basalt::apiserver {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kThings = "/apis/example.com/v1/namespaces/default/things";

std::vector<std::string> Warnings(const Answer& answer) {
  std::vector<std::string> found;
  for (const net::Header& header : answer.headers) {
    if (header.name == "Warning") found.push_back(header.value);
  }
  return found;
}

// A kind whose spec holds anything; a list of its own is a set.
void DefineThings(TestServer& server) {
  const Answer made = server.Post(kDefinitions, R"({
      "metadata": {"name": "things.example.com"},
      "spec": {"group": "example.com", "scope": "Namespaced",
        "names": {"plural": "things", "kind": "Thing"},
        "versions": [{"name": "v1", "served": true, "storage": true, "schema": {
          "openAPIV3Schema": {"type": "object", "properties": {
            "spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {
              "set": {"type": "array", "x-kubernetes-list-type": "set",
                      "items": {"type": "integer"}},
              "map": {"type": "array", "x-kubernetes-list-type": "map",
                      "x-kubernetes-list-map-keys": ["a", "b"],
                      "items": {"type": "object", "properties": {
                        "a": {"type": "integer"}, "b": {"type": "integer"}}}}}}}}}}]}})");
  ASSERT_EQ(made.status, 201) << made.body;
}

std::string Thing(const std::string& name, const std::string& spec) {
  return R"({"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":")" + name +
         R"("},"spec":)" + spec + "}";
}

std::string Nested(int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += R"({"a":)";
  return text + "1" + std::string(static_cast<std::size_t>(depth), '}');
}

TEST(HostileRequestTest, ANullAmongBinaryDataIsAnEmptyValue) {
  TestServer server;
  EXPECT_EQ(server.Post(kMaps, R"({"metadata":{"name":"a"},"binaryData":{"x":null}})").status, 201);
  EXPECT_EQ(server.Get(kMaps + "/a").status, 200);
}

TEST(HostileRequestTest, ARequestWhoseHandlingThrowsIsA500AndTheServerGoesOn) {
  testutil::SimLoop loop;
  Core core(loop, {}, nullptr);
  const auto exchange = std::make_shared<TestExchange>();
  auto call = std::make_shared<Call>(core, net::HttpRequest(), exchange);
  EXPECT_FALSE(Survives("a request", [held = std::exchange(call, nullptr)]() mutable {
    const CallPtr mine = std::move(held);
    throw std::invalid_argument("not a string");
  }));
  EXPECT_EQ(exchange->answer.status, 500);
  EXPECT_EQ(exchange->answer.At("kind"), "Status");
  EXPECT_EQ(exchange->answer.At("reason"), "InternalError");

  bool next = false;
  core.loop.Post([] { throw std::runtime_error("a controller's mistake"); });
  core.loop.Schedule(1s, [] { throw 7; });
  core.loop.Schedule(2s, [&next] { next = true; });
  loop.RunFor(3s);
  EXPECT_TRUE(next);
}

// Answers its first call later, as told, and throws at the second.
class FaultyCaller final : public WebhookCaller {
 public:
  explicit FaultyCaller(int good_calls) : good_calls_(good_calls) {}
  void Call(WebhookTarget, std::string body, Duration,
            std::move_only_function<void(Result<std::string>)> done) override {
    if (good_calls_-- <= 0) throw std::runtime_error("the caller is broken");
    const boost::json::value review = boost::json::parse(body);
    answer_ = [done = std::move(done), uid = Answer::TextAt(review, "request.uid")]() mutable {
      done(R"({"response":{"allowed":true,"uid":")" + uid + R"("}})");
    };
  }
  void AnswerNow() { std::exchange(answer_, nullptr)(); }
  void LetGo() { answer_ = nullptr; }

 private:
  int good_calls_;
  std::move_only_function<void()> answer_;
};

void Register(TestServer& server, const std::string& kind, const std::vector<std::string>& names) {
  std::string webhooks;
  for (const std::string& name : names) {
    if (!webhooks.empty()) webhooks += ",";
    webhooks += R"({"name":")" + name + R"(.example.com","clientConfig":{"url":"https://x/y"},
        "sideEffects":"None","admissionReviewVersions":["v1"],
        "rules":[{"operations":["*"],"apiGroups":[""],"apiVersions":["v1"],
                  "resources":["configmaps"]}]})";
  }
  std::string plural = kind + "s";
  std::ranges::transform(plural, plural.begin(), [](unsigned char c) { return std::tolower(c); });
  const Answer made = server.Post("/apis/admissionregistration.k8s.io/v1/" + plural,
                                  R"({"metadata":{"name":"hooks"},"webhooks":[)" + webhooks + "]}");
  ASSERT_EQ(made.status, 201) << made.body;
}

TEST(HostileRequestTest, WhatWaitsForAWebhookIsAnsweredWhenTheServerEndsAndNotLater) {
  FaultyCaller caller(1);
  auto server = std::make_unique<TestServer>(ServerOptions{}, &caller);
  Register(*server, "MutatingWebhookConfiguration", {"a"});
  const auto exchange = server->Begin("POST", kMaps, R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(exchange->answer.status, 0);
  server.reset();
  EXPECT_EQ(exchange->answer.status, 500);
  caller.AnswerNow();
}

TEST(HostileRequestTest, ACallThatACallerLetsGoOfIsAnsweredThen) {
  FaultyCaller caller(1);
  TestServer server({}, &caller);
  Register(server, "MutatingWebhookConfiguration", {"a"});
  const auto exchange = server.Begin("POST", kMaps, R"({"metadata":{"name":"a"}})");
  caller.LetGo();
  EXPECT_EQ(exchange->answer.status, 500);
}

TEST(HostileRequestTest, WorkForARequestThatThrowsLaterIsA500Too) {
  for (const int good_calls : {0, 1}) {
    FaultyCaller caller(good_calls);
    TestServer server({}, &caller);
    Register(server, "MutatingWebhookConfiguration", {"a", "b"});
    const auto exchange = server.Begin("POST", kMaps, R"({"metadata":{"name":"a"}})");
    if (good_calls > 0) {
      EXPECT_EQ(exchange->answer.status, 0);
      caller.AnswerNow();
    }
    EXPECT_EQ(exchange->answer.status, 500);
    EXPECT_EQ(exchange->answer.At("reason"), "InternalError");
    EXPECT_EQ(server.Get(kMaps).status, 200);
  }
}

TEST(HostileRequestTest, CopiesOfCopiesAreRefused) {
  TestServer server;
  DefineThings(server);
  ASSERT_EQ(server.Post(kThings, Thing("a", R"({"x":["abcdefgh"]})")).status, 201);
  std::string doubling = "[";
  for (int i = 0; i < 26; ++i) {
    if (i > 0) doubling += ",";
    doubling += R"({"op":"copy","from":"/spec/x","path":"/spec/x/-"})";
  }
  const Answer wide = server.Send("PATCH", kThings + "/a", doubling + "]", kJsonPatch);
  EXPECT_EQ(wide.status, 422) << wide.body;

  std::string deepening = "[";
  for (int i = 0; i < 18; ++i) {
    if (i > 0) deepening += ",";
    deepening += R"({"op":"copy","from":"/spec","path":"/spec/y"})";
  }
  const Answer deep = server.Send("PATCH", kThings + "/a", deepening + "]", kJsonPatch);
  EXPECT_TRUE(deep.status == 200 || deep.status == 422) << deep.body;
  EXPECT_EQ(server.Get(kThings + "/a").status, 200);
}

TEST(HostileRequestTest, NothingIsStoredThatNestsTooDeep) {
  TestServer server;
  DefineThings(server);
  // A body of 200 levels is one; 201 are not.
  EXPECT_EQ(server.Post(kThings, Thing("deep", Nested(199))).status, 201);
  const Answer deeper = server.Post(kThings, Thing("deeper", Nested(200)));
  EXPECT_EQ(deeper.status, 400);
  EXPECT_THAT(deeper.At("message"), HasSubstr("too deep"));

  ASSERT_EQ(server.Post(kThings, Thing("a", Nested(190))).status, 201);
  std::string path = "/spec";
  for (int i = 0; i < 100; ++i) path += "/a";
  const Answer patched = server.Send(
      "PATCH", kThings + "/a",
      R"([{"op":"add","path":")" + path + R"(","value":)" + Nested(150) + "}]", kJsonPatch);
  EXPECT_EQ(patched.status, 422) << patched.body;
  for (const char* name : {"/a", "/deep", ""}) EXPECT_EQ(server.Get(kThings + name).status, 200);
}

TEST(HostileRequestTest, NothingIsStoredThatIsTooLarge) {
  TestServer server({.max_object_bytes = 10'000});
  DefineThings(server);
  const Answer large =
      server.Post(kThings, Thing("a", R"({"x":")" + std::string(10'000, 'x') + R"("})"));
  EXPECT_EQ(large.status, 413);
  EXPECT_EQ(large.At("reason"), "RequestEntityTooLarge");
  EXPECT_EQ(large.At("message"), "etcdserver: request is too large");

  // Nor does one become so by many small patches.
  ASSERT_EQ(server.Post(kThings, Thing("a", R"({"x":[]})")).status, 201);
  const std::string more =
      R"([{"op":"add","path":"/spec/x/-","value":")" + std::string(900, 'x') + R"("}])";
  int status = 200;
  int patches = 0;
  for (; patches < 100 && status == 200; ++patches) {
    status = server.Send("PATCH", kThings + "/a", more, kJsonPatch).status;
  }
  EXPECT_EQ(status, 413);
  EXPECT_GT(patches, 5);
  EXPECT_LT(server.Get(kThings + "/a").body.size(), 10'200u);
}

TEST(HostileRequestTest, BytesThatAreNoTextAreReplacedAsGoReplacesThem) {
  TestServer server;
  const std::string bad = "\xff\xc3(\xe2\x82\xed\xa0\x80";
  const Answer made = server.Post(kMaps, R"({"metadata":{"name":"a","annotations":{"k":")" + bad +
                                             "\xc3\xa4\"}},\"data\":{\"x\":\"" + bad + R"("}})");
  ASSERT_EQ(made.status, 201);
  const Answer read = server.Get(kMaps + "/a");
  const std::string mark = "\xef\xbf\xbd";
  const std::string want = mark + mark + "(" + mark + mark + mark + mark + mark;
  EXPECT_EQ(read.At("metadata.annotations.k"), want + "\xc3\xa4");
  EXPECT_EQ(read.At("data.x"), want);
  // Whatever is read: no answer breaks a reader.
  EXPECT_TRUE(IsValidUtf8(server.Get(kMaps).body));
  EXPECT_TRUE(IsValidUtf8(server.Get(kMaps + "/%ff%fe").body));
  EXPECT_TRUE(IsValidUtf8(server.Get(kMaps + "?labelSelector=%ff%fe").body));
}

TEST(HostileRequestTest, ALongSetIsCheckedInNoTime) {
  TestServer server;
  DefineThings(server);
  std::string set = "[";
  std::string map = "[";
  for (int i = 0; i < 60'000; ++i) {
    if (i > 0) set += ",", map += ",";
    set += std::to_string(i);
    map += R"({"b":)" + std::to_string(i) + R"(,"a":0})";
  }
  EXPECT_EQ(server.Post(kThings, Thing("a", R"({"set":)" + set + "]}")).status, 201);
  EXPECT_EQ(server.Post(kThings, Thing("b", R"({"map":)" + map + "]}")).status, 201);
  // The order of the keys makes no other element.
  const Answer twice = server.Post(kThings, Thing("c", R"({"map":)" + map + R"(,{"a":0,"b":7}]})"));
  EXPECT_EQ(twice.status, 422);
  EXPECT_THAT(twice.At("message"), HasSubstr("spec.map[60000]: Duplicate value"));
}

TEST(HostileRequestTest, TimesBeyondWhatNanosecondsHoldAreTimes) {
  TestServer server;
  const std::string pods = "/api/v1/namespaces/default/pods";
  ASSERT_EQ(server
                .Post(pods, R"({"metadata":{"name":"a"},"spec":{"nodeName":"n",
      "terminationGracePeriodSeconds":9223372036854775807,
      "containers":[{"name":"c","image":"i"}]}})")
                .status,
            201);
  EXPECT_EQ(server.Delete(pods + "/a").status, 200);
  EXPECT_EQ(server.Delete(pods + "/a", R"({"gracePeriodSeconds":9223372036854775806})").status,
            200);
  EXPECT_EQ(server.Get(pods + "/a").At("metadata.deletionTimestamp").substr(0, 4), "2262");
  const std::string events = "/api/v1/namespaces/default/events";
  ASSERT_EQ(server
                .Post(events, R"({"metadata":{"name":"e","namespace":"default"},
      "involvedObject":{"namespace":"default"},"lastTimestamp":"0001-01-02T00:00:00Z"})")
                .status,
            201);
  EXPECT_EQ(server.Get(events, "application/json;as=Table;v=v1;g=meta.k8s.io").status, 200);
}

TEST(HostileRequestTest, EventsGoAnHourAfterTheirLastChange) {
  TestServer server;
  const std::string events = "/api/v1/namespaces/default/events";
  const auto event = [](const std::string& name) {
    return R"({"metadata":{"name":")" + name + R"(","namespace":"default"},
               "involvedObject":{"namespace":"default"}})";
  };
  ASSERT_EQ(server.Post(events, event("a")).status, 201);
  ASSERT_EQ(server.Post(events, event("b")).status, 201);
  ASSERT_EQ(server.Post(kMaps, R"({"metadata":{"name":"stays"}})").status, 201);
  const auto watch = server.Watch(events + "?watch=1&timeoutSeconds=36000");
  watch->Take();
  server.loop().RunFor(50min);
  ASSERT_EQ(server.Patch(events + "/b", R"({"count":2})").status, 200);
  EXPECT_THAT(watch->Take(), ElementsAre("MODIFIED b"));
  server.loop().RunFor(11min);
  EXPECT_THAT(watch->Take(), ElementsAre("DELETED a"));
  EXPECT_EQ(server.Get(events + "/b").status, 200);
  server.loop().RunFor(50min);
  EXPECT_EQ(server.Get(events + "/b").status, 404);
  EXPECT_EQ(server.Get(kMaps + "/stays").status, 200);
}

// Warns, and allows or not.
class WarningCaller final : public WebhookCaller {
 public:
  void Call(WebhookTarget, std::string body, Duration,
            std::move_only_function<void(Result<std::string>)> done) override {
    const std::string uid = Answer::TextAt(boost::json::parse(body), "request.uid");
    done(R"({"response":{"uid":")" + uid + R"(","allowed":)" + (allows ? "true" : "false") +
         R"(,"warnings":[)" + warnings + "]}}");
  }
  bool allows = true;
  std::string warnings = R"("say \"so\"","on\ntwo lines","say \"so\"")";
};

TEST(HostileRequestTest, WhatWebhooksWarnOfReachesTheClientWhateverComesOfTheRequest) {
  for (const char* kind : {"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}) {
    WarningCaller caller;
    TestServer server({}, &caller);
    Register(server, kind, {"a", "b"});
    const auto want = ElementsAre(R"(299 - "say \"so\"")", R"(299 - "on two lines")");
    const Answer made = server.Post(kMaps, R"({"metadata":{"name":"a"}})");
    EXPECT_EQ(made.status, 201) << made.body;
    EXPECT_THAT(Warnings(made), want) << kind;
    EXPECT_THAT(Warnings(server.Patch(kMaps + "/a", R"({"data":{"x":"1"}})")), want);
    EXPECT_THAT(Warnings(server.Delete(kMaps + "/a")), want);
    caller.allows = false;
    const Answer refused = server.Post(kMaps, R"({"metadata":{"name":"b"}})");
    EXPECT_EQ(refused.status, 400);
    EXPECT_THAT(Warnings(refused), want);

    caller.warnings.clear();
    for (int i = 0; i < 90; ++i) {
      if (i > 0) caller.warnings += ",";
      caller.warnings += "\"" + std::string(1000, 'w') + std::to_string(i) + "\"";
    }
    std::size_t bytes = 0;
    for (const std::string& text : Warnings(server.Post(kMaps, R"({"metadata":{"name":"c"}})"))) {
      bytes += text.size();
    }
    EXPECT_GT(bytes, 3000u);
    EXPECT_LT(bytes, 5000u);
  }
}

TEST(HostileRequestTest, WhoCreatesWhatNobodyActsOnIsTold) {
  TestServer server;
  const Answer made = server.Post("/apis/batch/v1/namespaces/default/cronjobs", R"({
      "metadata":{"name":"a"},"spec":{"schedule":"* * * * *","jobTemplate":{"spec":{"template":{
      "spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}}})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_THAT(Warnings(made), Contains(HasSubstr("no controller here acts on a CronJob")));
  EXPECT_THAT(Warnings(server.Post(kMaps, R"({"metadata":{"name":"a"}})")), ElementsAre());
}

TEST(HostileRequestTest, AProtobufBodyOfAKindThatIsNotServedIs404) {
  TestServer server;
  // runtime.Unknown of a kind that is not served, without content.
  std::string body("k8s\0", 4);
  const std::string version = "certificates.k8s.io/v1";
  const std::string kind = "CertificateSigningRequest";
  std::string meta = std::string("\x0a") + static_cast<char>(version.size()) + version;
  meta += std::string("\x12") + static_cast<char>(kind.size()) + kind;
  body += std::string("\x0a") + static_cast<char>(meta.size()) + meta + std::string("\x12\0", 2);
  const std::string type = "application/vnd.kubernetes.protobuf";
  for (const char* target : {"/apis/certificates.k8s.io/v1/certificatesigningrequests",
                             "/apis/apps/v1/namespaces/default/nothings"}) {
    EXPECT_EQ(server.Send("POST", target, body, type).status, 404) << target;
  }
  EXPECT_EQ(server.Send("POST", kMaps, body, type).status, 415);
}

}  // namespace
}  // namespace basalt::apiserver
