#include "apiserver/admission/admission.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <map>

#include "apiserver/admission/webhook.h"
#include "apiserver/kinds/builtin.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

class FakeObjects final : public ObjectReader {
 public:
  std::optional<json::object> Get(std::string_view, std::string_view plural, std::string_view ns,
                                  std::string_view name) const override {
    for (const json::object& object : List("", plural, ns)) {
      if (Name(object) == name) return object;
    }
    return std::nullopt;
  }
  std::vector<json::object> List(std::string_view, std::string_view plural,
                                 std::string_view) const override {
    const auto found = objects.find(std::string(plural));
    return found == objects.end() ? std::vector<json::object>() : found->second;
  }
  std::uint64_t LastChange(std::string_view, std::string_view) const override { return 1; }

  std::map<std::string, std::vector<json::object>> objects;
};

class FakeCaller final : public WebhookCaller {
 public:
  void Call(WebhookTarget, std::string body, Duration,
            std::move_only_function<void(Result<std::string>)> done) override {
    ++calls;
    const json::value review = json::parse(body);
    const std::string uid(GetString(review.as_object(), {"request", "uid"}));
    if (response.empty()) return done(Fail(ErrorCode::kUnavailable, "connection refused"));
    json::value answer = json::parse(response);
    answer.as_object()["response"].as_object()["uid"] = uid;
    done(json::serialize(answer));
  }
  int calls = 0;
  std::string response;  // empty: the call fails
};

class AdmissionTest : public testing::Test {
 protected:
  AdmissionTest() {
    objects_.objects["namespaces"] = {json::parse(R"({"metadata":{"name":"n"}})").as_object()};
    const std::vector<KindInfo> kinds = BuiltinKinds();
    pods_ = kinds.front();
  }
  AdmissionRequest Pod(const char* spec) {
    AdmissionRequest request;
    request.kind = &pods_;
    request.ns = "n";
    request.name = "p";
    request.object = {{"apiVersion", "v1"},
                      {"kind", "Pod"},
                      {"metadata", {{"name", "p"}, {"namespace", "n"}}},
                      {"spec", json::parse(spec)}};
    return request;
  }
  ApiResult<json::object> Mutate(AdmissionRequest request) {
    Admission admission(objects_, &caller_);
    ApiResult<json::object> result = Refuse({});
    admission.Admit(
        std::move(request), [](json::object object) { return object; },
        [&](ApiResult<json::object> admitted) { result = std::move(admitted); });
    return result;
  }
  void AddWebhook(const char* failure_policy) {
    json::value configuration = json::parse(R"({"webhooks":[{"name":"a.b.c",
        "clientConfig":{"url":"https://x/y"},"rules":[{"operations":["CREATE"],"apiGroups":[""],
        "apiVersions":["v1"],"resources":["pods"],"scope":"*"}]}]})");
    configuration.at("webhooks").at(0).as_object()["failurePolicy"] = failure_policy;
    objects_.objects["mutatingwebhookconfigurations"] = {configuration.as_object()};
  }

  FakeObjects objects_;
  FakeCaller caller_;
  KindInfo pods_;
};

TEST_F(AdmissionTest, ResolvesPriorityAndToleratesAbsence) {
  objects_.objects["priorityclasses"] = {
      json::parse(R"({"metadata":{"name":"high"},"value":7})").as_object()};
  const ApiResult<json::object> pod = Mutate(Pod(R"({"priorityClassName":"high"})"));
  ASSERT_TRUE(pod.has_value());
  EXPECT_EQ(GetInt(*pod, {"spec", "priority"}), 7);
  EXPECT_EQ(FindArray(*pod, {"spec", "tolerations"})->size(), 2u);
  EXPECT_EQ(Mutate(Pod(R"({"priorityClassName":"nope"})")).error().message,
            "pods \"p\" is forbidden: no PriorityClass with name nope was found");
}

TEST_F(AdmissionTest, RefusesANamespaceThatIsNotThere) {
  objects_.objects.clear();
  EXPECT_EQ(Mutate(Pod("{}")).error().message, "namespaces \"n\" not found");
}

TEST_F(AdmissionTest, AppliesAWebhooksPatchAndDefaultsAgain) {
  AddWebhook("Fail");
  // [{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]
  caller_.response = R"({"response":{"allowed":true,"patchType":"JSONPatch","patch":
      "W3sib3AiOiJhZGQiLCJwYXRoIjoiL21ldGFkYXRhL2xhYmVscyIsInZhbHVlIjp7ImEiOiJiIn19XQ=="}})";
  const ApiResult<json::object> pod = Mutate(Pod("{}"));
  ASSERT_TRUE(pod.has_value()) << pod.error().message;
  EXPECT_EQ(GetString(*pod, {"metadata", "labels", "a"}), "b");
  EXPECT_EQ(GetString(*pod, {"spec", "restartPolicy"}), "Always");
  EXPECT_EQ(caller_.calls, 1);
}

TEST_F(AdmissionTest, AWebhookThatFailsStopsTheRequestOrDoesNot) {
  AddWebhook("Ignore");
  EXPECT_TRUE(Mutate(Pod("{}")).has_value());
  AddWebhook("Fail");
  EXPECT_EQ(Mutate(Pod("{}")).error().message,
            "Internal error occurred: failed calling webhook \"a.b.c\": failed to call webhook: "
            "connection refused");
}

TEST_F(AdmissionTest, ADenialNamesTheWebhook) {
  AddWebhook("Fail");
  caller_.response = R"({"response":{"allowed":false,"status":{"code":403,"message":"no"}}})";
  const ApiResult<json::object> pod = Mutate(Pod("{}"));
  EXPECT_EQ(pod.error().code, 403);
  EXPECT_EQ(pod.error().message, "admission webhook \"a.b.c\" denied the request: no");
}

}  // namespace
}  // namespace basalt::apiserver
