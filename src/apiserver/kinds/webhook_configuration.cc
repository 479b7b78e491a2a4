// MutatingWebhookConfiguration and ValidatingWebhookConfiguration.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <set>
#include <string>

#include "apiserver/kinds/builtin_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/paths.h"
#include "apiserver/kinds/pod_defaults.h"
#include "apiserver/kinds/rules.h"
#include "apiserver/kinds/table_text.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/builtin_types.h"

namespace basalt::apiserver {
namespace {

bool Contains(const json::array& list, std::string_view text) {
  return std::ranges::find(list, json::value(text)) != list.end();
}

void CheckRule(const json::object& rule, const std::string& path, FieldErrors& errors) {
  const json::array& operations = ListOf(rule, "operations");
  if (operations.empty()) errors.Required(Sub(path, "operations"));
  if (operations.size() > 1 && Contains(operations, "*")) {
    errors.Invalid(Sub(path, "operations"), operations,
                   "if '*' is present, must not specify other operations");
  }
  static const std::vector<std::string> kOperations{"*", "CONNECT", "CREATE", "DELETE", "UPDATE"};
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (std::ranges::find(kOperations, AsText(operations[i])) == kOperations.end()) {
      errors.NotSupported(At(Sub(path, "operations"), i), operations[i], kOperations);
    }
  }
  const auto check = [&](std::string_view field, std::string_view everything,
                         std::string_view what) {
    const json::array& list = ListOf(rule, field);
    if (list.empty()) errors.Required(Sub(path, field));
    if (list.size() > 1 && Contains(list, everything)) {
      errors.Invalid(
          Sub(path, field), list,
          fmt::format("if '{}' is present, must not specify other {}", everything, what));
    }
  };
  check("apiGroups", "*", "API groups");
  check("apiVersions", "*", "API versions");
  check("resources", "*/*", "resources");
  RequireOneOf(rule, "scope", path, {"*", "Cluster", "Namespaced"}, errors);
}

void CheckUrl(std::string_view url, const std::string& path, FieldErrors& errors) {
  const std::size_t scheme_end = url.find("://");
  const std::string_view scheme = scheme_end == url.npos ? "" : url.substr(0, scheme_end);
  if (scheme != "https") {
    errors.Invalid(path, scheme,
                   "'https' is the only allowed URL scheme; desired format: https://host[/path]");
    return;
  }
  const std::string_view rest = url.substr(scheme_end + 3);
  if (rest.empty() || rest.front() == '/') {
    errors.Invalid(path, "", "host must be specified; desired format: https://host[/path]");
  }
  if (const std::size_t query = rest.find('?'); query != rest.npos) {
    errors.Invalid(path, rest.substr(query + 1), "query parameters are not permitted in the URL");
  }
}

class WebhookRules final : public BuiltinRules {
 public:
  explicit WebhookRules(bool mutating)
      : BuiltinRules(
            *FindBuiltinType(mutating ? "admissionregistration.MutatingWebhookConfiguration"
                                      : "admissionregistration.ValidatingWebhookConfiguration"),
            {.namespaced = false, .generation = true, .checks_all_on_update = false}),
        mutating_(mutating) {}

  void Default(json::object& object) const override {
    json::array* webhooks = FindArray(object, {"webhooks"});
    if (webhooks == nullptr) return;
    for (json::value& item : *webhooks) {
      json::object& webhook = AsObject(item);
      SetDefault(webhook, "failurePolicy", "Fail");
      SetDefault(webhook, "matchPolicy", "Equivalent");
      SetDefault(webhook, "namespaceSelector", json::object());
      SetDefault(webhook, "objectSelector", json::object());
      SetDefault(webhook, "timeoutSeconds", 10);
      if (mutating_) SetDefault(webhook, "reinvocationPolicy", "Never");
      if (json::object* service = FindObject(webhook, {"clientConfig", "service"})) {
        SetDefault(*service, "port", 443);
      }
      if (json::array* rules = FindArray(webhook, {"rules"})) {
        for (json::value& rule : *rules) SetDefault(AsObject(rule), "scope", "*");
      }
    }
  }

  void CheckCreate(const json::object& object, FieldErrors& errors) const override {
    const json::array& webhooks = ListOf(object, "webhooks");
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < webhooks.size(); ++i) {
      const json::object& webhook = AsObject(webhooks[i]);
      const std::string at = At("webhooks", i);
      CheckWebhook(webhook, at, errors);
      const std::string_view name = GetString(webhook, {"name"});
      if (!name.empty() && !names.insert(name).second) errors.Duplicate(Sub(at, "name"), name);
    }
  }

  json::array Cells(const json::object& object, Time now) const override {
    return {json::string(Name(object)),
            static_cast<std::int64_t>(ListOf(object, "webhooks").size()),
            json::string(Age(object, now))};
  }

 private:
  static void CheckName(std::string_view name, const std::string& path, FieldErrors& errors) {
    if (name.empty()) {
      errors.Required(path);
      return;
    }
    const syntax::Complaints complaints = syntax::Dns1123Subdomain(name);
    AddInvalid(path, name, complaints, errors);
    if (complaints.empty() && std::ranges::count(name, '.') < 2) {
      errors.Invalid(path, name,
                     "should be a domain with at least three segments separated by dots");
    }
  }

  void CheckWebhook(const json::object& webhook, const std::string& at, FieldErrors& errors) const {
    CheckName(GetString(webhook, {"name"}), Sub(at, "name"), errors);
    const json::array& versions = ListOf(webhook, "admissionReviewVersions");
    if (versions.empty()) {
      errors.Required(Sub(at, "admissionReviewVersions"), "must specify one of v1, v1beta1");
    } else if (!Contains(versions, "v1") && !Contains(versions, "v1beta1")) {
      errors.Invalid(Sub(at, "admissionReviewVersions"), versions,
                     "must include at least one of v1, v1beta1");
    }
    const json::array& rules = ListOf(webhook, "rules");
    for (std::size_t i = 0; i < rules.size(); ++i) {
      CheckRule(AsObject(rules[i]), At(Sub(at, "rules"), i), errors);
    }
    RequireOneOf(webhook, "failurePolicy", at, {"Fail", "Ignore"}, errors);
    RequireOneOf(webhook, "matchPolicy", at, {"Equivalent", "Exact"}, errors);
    if (Find(webhook, {"sideEffects"}) == nullptr) {
      errors.Required(Sub(at, "sideEffects"), "must specify one of None, NoneOnDryRun");
    } else {
      RequireOneOf(webhook, "sideEffects", at, {"None", "NoneOnDryRun"}, errors);
    }
    const std::int64_t timeout = GetInt(webhook, {"timeoutSeconds"});
    if (timeout < 1 || timeout > 30) {
      errors.Invalid(Sub(at, "timeoutSeconds"), timeout,
                     "the timeout value must be between 1 and 30 seconds");
    }
    for (const std::string_view selector : {"namespaceSelector", "objectSelector"}) {
      if (const json::object* found = FindObject(webhook, {selector})) {
        ValidateLabelSelector(*found, Sub(at, selector), errors);
      }
    }
    const json::object& client = ObjectOf(webhook, "clientConfig");
    const json::value* url = Find(client, {"url"});
    const json::object* service = FindObject(client, {"service"});
    if ((url == nullptr) == (service == nullptr)) {
      errors.Required(Sub(at, "clientConfig"), "exactly one of url or service is required");
    } else if (url != nullptr) {
      CheckUrl(GetString(client, {"url"}), Sub(at, "clientConfig.url"), errors);
    } else {
      for (const std::string_view field : {"name", "namespace"}) {
        if (GetString(*service, {field}).empty()) {
          errors.Required(Sub(at, Sub("clientConfig.service", field)),
                          "service " + std::string(field) + " is required");
        }
      }
    }
    const json::array& conditions = ListOf(webhook, "matchConditions");
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      const json::object& condition = AsObject(conditions[i]);
      const std::string condition_at = At(Sub(at, "matchConditions"), i);
      if (GetString(condition, {"expression"}).empty()) {
        errors.Required(Sub(condition_at, "expression"));
      }
      const std::string_view name = GetString(condition, {"name"});
      if (name.empty()) {
        errors.Required(Sub(condition_at, "name"));
      } else {
        AddInvalid(Sub(condition_at, "name"), name, syntax::QualifiedName(name), errors);
      }
    }
    if (mutating_) {
      RequireOneOf(webhook, "reinvocationPolicy", at, {"IfNeeded", "Never"}, errors);
    }
  }

  bool mutating_;
};

}  // namespace

std::shared_ptr<const KindRules> WebhookRulesInstance(bool mutating) {
  return std::make_shared<WebhookRules>(mutating);
}

}  // namespace basalt::apiserver
