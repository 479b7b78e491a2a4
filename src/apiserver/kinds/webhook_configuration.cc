// Webhooks in MutatingWebhookConfiguration and ValidatingWebhookConfiguration.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <string>

#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/field_rules.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

bool Contains(const json::array& list, std::string_view text) {
  return std::ranges::find(list, json::value(text)) != list.end();
}

// Who asks for everything asks for nothing else.
void CheckWebhookRule(const json::object& rule, const std::string& path, FieldErrors& errors) {
  for (const std::string_view field : {"operations", "apiGroups", "apiVersions", "resources"}) {
    const std::string_view everything = field == "resources" ? "*/*" : "*";
    const json::array& list = ListOf(rule, field);
    if (list.size() > 1 && Contains(list, everything)) {
      errors.Invalid(Sub(path, field), list,
                     fmt::format("if '{}' is present, must not specify others", everything));
    }
  }
}

void CheckUrl(std::string_view url, const std::string& path, FieldErrors& errors) {
  constexpr std::string_view kScheme = "https://";
  if (!url.starts_with(kScheme)) {
    errors.Invalid(path, url,
                   "'https' is the only allowed URL scheme; desired format: https://host[/path]");
    return;
  }
  const std::string_view rest = url.substr(kScheme.size());
  if (rest.empty() || rest.front() == '/') {
    errors.Invalid(path, url, "host must be specified; desired format: https://host[/path]");
  }
  if (rest.find('?') != rest.npos) {
    errors.Invalid(path, url, "query parameters are not permitted in the URL");
  }
}

void CheckClientConfig(const json::object& config, const std::string& path, FieldErrors& errors) {
  const json::value* url = Find(config, {"url"});
  if ((url == nullptr) == (Find(config, {"service"}) == nullptr)) {
    errors.Required(path, "exactly one of url or service is required");
  } else if (url != nullptr) {
    CheckUrl(AsText(*url), Sub(path, "url"), errors);
  }
}

void CheckWebhook(const json::object& webhook, const std::string& path, FieldErrors& errors) {
  const json::array& versions = ListOf(webhook, "admissionReviewVersions");
  if (!versions.empty() && !Contains(versions, "v1") && !Contains(versions, "v1beta1")) {
    errors.Invalid(Sub(path, "admissionReviewVersions"), versions,
                   "must include at least one of v1, v1beta1");
  }
}

constexpr TypeHooks kWebhookTypes[] = {
    {.type = "admissionregistration.MutatingWebhook", .check = CheckWebhook},
    {.type = "admissionregistration.ValidatingWebhook", .check = CheckWebhook},
    {.type = "admissionregistration.RuleWithOperations", .check = CheckWebhookRule},
    {.type = "admissionregistration.WebhookClientConfig", .check = CheckClientConfig},
};

}  // namespace

std::span<const TypeHooks> WebhookHooks() { return kWebhookTypes; }

}  // namespace basalt::apiserver
