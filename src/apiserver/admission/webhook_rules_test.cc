#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <map>

#include "apiserver/admission/webhook.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

// One namespace, with labels.
class OneNamespace final : public ObjectReader {
 public:
  std::optional<json::object> Get(std::string_view, std::string_view plural, std::string_view,
                                  std::string_view name) const override {
    if (plural != "namespaces" || name != "n") return std::nullopt;
    return json::parse(R"({"metadata":{"name":"n","labels":{"team":"a"}}})").as_object();
  }
  std::vector<json::object> List(std::string_view, std::string_view,
                                 std::string_view) const override {
    return {};
  }
  std::uint64_t LastChange(std::string_view, std::string_view) const override { return 1; }
};

TEST(WebhookRulesTest, AWebhookSeesWhatItsRulesAndSelectorsName) {
  const KindInfo pods{.version = "v1", .kind = "Pod", .plural = "pods"};
  AdmissionRequest request;
  request.kind = &pods;
  request.operation = Operation::kCreate;
  request.ns = "n";
  request.object = json::parse(R"({"metadata":{"name":"p","labels":{"app":"b"}}})").as_object();
  const std::string rules =
      R"("rules":[{"operations":["CREATE"],"apiGroups":[""],"apiVersions":["v1"],
        "resources":["pods"],"scope":"*"}])";
  const auto with_rule = [](const char* operation, const char* group, const char* resource,
                            const char* scope) {
    return std::string(R"("rules":[{"operations":[")") + operation + R"("],"apiGroups":[")" +
           group + R"("],"apiVersions":["v1"],"resources":[")" + resource + R"("],"scope":")" +
           scope + "\"}]";
  };
  const std::pair<std::string, bool> rows[] = {
      {rules, true},
      {R"("rules":[])", false},
      {with_rule("*", "*", "*", "*"), true},
      {with_rule("*", "*", "*/*", "Namespaced"), true},
      {with_rule("UPDATE", "", "pods", "*"), false},
      {with_rule("CREATE", "apps", "pods", "*"), false},
      {with_rule("CREATE", "", "pods/status", "*"), false},
      {with_rule("CREATE", "", "services", "*"), false},
      {with_rule("CREATE", "", "pods", "Cluster"), false},
      {rules + R"(,"namespaceSelector":{"matchLabels":{"team":"a"}})", true},
      {rules + R"(,"namespaceSelector":{"matchLabels":{"team":"b"}})", false},
      {rules + R"(,"objectSelector":{"matchLabels":{"app":"b"}})", true},
      {rules + R"(,"objectSelector":{"matchLabels":{"app":"c"}})", false},
      {rules + R"(,"objectSelector":{"matchExpressions":[{"key":"x","operator":"Exists"}]})",
       false},
  };
  for (const auto& [text, wanted] : rows) {
    const std::vector<Webhook> webhooks =
        ReadWebhooks({json::parse(R"({"webhooks":[{"name":"a.b.c",)" + text + "}]}").as_object()});
    ASSERT_EQ(webhooks.size(), 1u);
    EXPECT_EQ(Wants(webhooks[0], request, OneNamespace()), wanted) << text;
  }
}

TEST(WebhookRulesTest, NothingStandsBetweenAnAdministratorAndTheConfigurations) {
  const KindInfo kind{.group = "admissionregistration.k8s.io",
                      .version = "v1",
                      .plural = "mutatingwebhookconfigurations",
                      .namespaced = false};
  AdmissionRequest request;
  request.kind = &kind;
  request.operation = Operation::kDelete;
  const std::vector<Webhook> webhooks =
      ReadWebhooks({json::parse(
                        R"({"webhooks":[{"name":"a","rules":[{"operations":["*"],"apiGroups":["*"],
        "apiVersions":["*"],"resources":["*"]}]}]})")
                        .as_object()});
  EXPECT_FALSE(Wants(webhooks[0], request, OneNamespace()));
}

TEST(WebhookRulesTest, AConfigurationIsReadAsItSays) {
  const std::vector<Webhook> webhooks =
      ReadWebhooks({json::parse(
                        R"({"webhooks":[{"name":"a","timeoutSeconds":3,"failurePolicy":"Ignore",
        "reinvocationPolicy":"IfNeeded","clientConfig":{"url":"https://h","caBundle":"YQ=="}},
        {"name":"b"}]})")
                        .as_object()});
  ASSERT_EQ(webhooks.size(), 2u);
  EXPECT_EQ(webhooks[0].target.url, "https://h");
  EXPECT_EQ(webhooks[0].target.ca_bundle, "a");
  EXPECT_EQ(webhooks[0].timeout, Duration(3s));
  EXPECT_TRUE(webhooks[0].fail_open);
  EXPECT_TRUE(webhooks[0].reinvoke);
  EXPECT_EQ(webhooks[1].timeout, Duration(10s));
  EXPECT_FALSE(webhooks[1].fail_open);
}

}  // namespace
}  // namespace basalt::apiserver
