#include "apiserver/admission/webhook_rules.h"

#include <algorithm>

#include "apiserver/kinds/checks.h"
#include "apiserver/object/object.h"
#include "base/base64.h"

namespace basalt::apiserver {
namespace {

bool Lists(const json::array& list, std::string_view text) {
  return std::ranges::any_of(
      list, [text](const json::value& item) { return item == "*" || AsText(item) == text; });
}

// "pods", "pods/*", "*/status", "*", "*/*".
bool ListsResource(const json::array& list, std::string_view plural, std::string_view sub) {
  return std::ranges::any_of(list, [&](const json::value& item) {
    const std::string_view pattern = AsText(item);
    const std::size_t slash = pattern.find('/');
    const std::string_view resource = pattern.substr(0, slash);
    const std::string_view wanted_sub =
        slash == pattern.npos ? std::string_view() : pattern.substr(slash + 1);
    const bool sub_matches =
        slash == pattern.npos ? sub.empty() : wanted_sub == "*" || wanted_sub == sub;
    return sub_matches && (resource == "*" || resource == plural);
  });
}

bool RuleMatches(const json::object& rule, const AdmissionRequest& request) {
  const std::string_view scope = GetString(rule, {"scope"});
  // A namespace itself is of no namespace.
  const bool namespaced = request.kind->namespaced;
  if ((scope == "Namespaced" && !namespaced) || (scope == "Cluster" && namespaced)) return false;
  return Lists(ListOf(rule, "operations"), OperationName(request.operation)) &&
         Lists(ListOf(rule, "apiGroups"), request.kind->group) &&
         Lists(ListOf(rule, "apiVersions"), request.kind->version) &&
         ListsResource(ListOf(rule, "resources"), request.kind->plural, request.subresource);
}

bool NamespaceMatches(const json::object& selector, const AdmissionRequest& request,
                      const ObjectReader& objects) {
  if (selector.empty()) return true;
  if (request.kind->group.empty() && request.kind->plural == "namespaces") {
    const json::object& itself = request.operation == Operation::kDelete && request.old_object
                                     ? *request.old_object
                                     : request.object;
    return SelectorMatches(&selector, FindObject(itself, {"metadata", "labels"}));
  }
  if (!request.kind->namespaced) return true;
  const std::optional<json::object> ns = objects.Get("", "namespaces", "", request.ns);
  return ns && SelectorMatches(&selector, FindObject(*ns, {"metadata", "labels"}));
}

bool ObjectMatches(const json::object& selector, const AdmissionRequest& request) {
  if (selector.empty()) return true;
  if (SelectorMatches(&selector, FindObject(request.object, {"metadata", "labels"})) &&
      !request.object.empty()) {
    return true;
  }
  return request.old_object &&
         SelectorMatches(&selector, FindObject(*request.old_object, {"metadata", "labels"}));
}

// One that is false keeps the webhook out; an error does so where failures are ignored.
bool ConditionsMatch(const Webhook& webhook, const AdmissionRequest& request) {
  bool error = false;
  for (const MatchCondition& condition : webhook.conditions) {
    const MatchCondition::Outcome outcome = condition.Evaluate(request);
    if (outcome == MatchCondition::Outcome::kFalse) return false;
    error = error || outcome == MatchCondition::Outcome::kError;
  }
  return !error || !webhook.fail_open;
}

}  // namespace

std::vector<Webhook> ReadWebhooks(const std::vector<json::object>& configurations) {
  std::vector<Webhook> webhooks;
  for (const json::object& configuration : configurations) {
    for (const json::value& item : ListOf(configuration, "webhooks")) {
      Webhook webhook;
      webhook.configuration = AsObject(item);
      const json::object& text = webhook.configuration;
      webhook.name = GetString(text, {"name"});
      webhook.target.url = GetString(text, {"clientConfig", "url"});
      webhook.target.ca_bundle =
          Base64Decode(GetString(text, {"clientConfig", "caBundle"})).value_or("");
      webhook.timeout = std::chrono::seconds(GetInt(text, {"timeoutSeconds"}, 10));
      webhook.fail_open = GetString(text, {"failurePolicy"}) == "Ignore";
      webhook.reinvoke = GetString(text, {"reinvocationPolicy"}) == "IfNeeded";
      for (const json::value& condition : ListOf(text, "matchConditions")) {
        const std::string_view expression = GetString(AsObject(condition), {"expression"});
        if (auto parsed = MatchCondition::Parse(expression)) {
          webhook.conditions.push_back(std::move(*parsed));
        }
      }
      webhooks.push_back(std::move(webhook));
    }
  }
  return webhooks;
}

bool Wants(const Webhook& webhook, const AdmissionRequest& request, const ObjectReader& objects) {
  // Nothing may stand between an administrator and the way out.
  if (request.kind->group == "admissionregistration.k8s.io") return false;
  const json::array& rules = ListOf(webhook.configuration, "rules");
  return std::ranges::any_of(
             rules,
             [&](const json::value& rule) { return RuleMatches(AsObject(rule), request); }) &&
         NamespaceMatches(ObjectOf(webhook.configuration, "namespaceSelector"), request, objects) &&
         ObjectMatches(ObjectOf(webhook.configuration, "objectSelector"), request) &&
         ConditionsMatch(webhook, request);
}

}  // namespace basalt::apiserver
