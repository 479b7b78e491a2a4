#include "apiserver/admission/webhook.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>

#include "apiserver/kinds/checks.h"
#include "apiserver/object/json_text.h"
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

constexpr std::size_t kMostWarnings = 100;

std::optional<json::array> DecodePatch(std::string_view base64) {
  const std::optional<std::string> text = Base64Decode(base64);
  if (!text) return std::nullopt;
  Result<json::value> patch = ParseJson(*text);
  if (!patch || !patch->is_array()) return std::nullopt;
  return std::move(patch->get_array());
}

ApiStatus Denied(const json::object& response, std::string_view webhook_name) {
  const json::object& status = ObjectOf(response, "status");
  ApiStatus refusal;
  // A webhook may say what it likes, but a refusal is never a success.
  const std::int64_t code = GetInt(status, {"code"});
  refusal.code = code >= 400 ? static_cast<int>(code) : 400;
  refusal.reason = GetString(status, {"reason"});
  const std::string denied =
      fmt::format("admission webhook \"{}\" denied the request", webhook_name);
  const std::string_view message = GetString(status, {"message"});
  if (!message.empty()) {
    refusal.message = fmt::format("{}: {}", denied, message);
  } else if (!refusal.reason.empty()) {
    refusal.message = fmt::format("{}: {}", denied, refusal.reason);
  } else {
    refusal.message = denied + " without explanation";
  }
  return refusal;
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

std::string_view OperationName(Operation operation) {
  switch (operation) {
    case Operation::kCreate: return "CREATE";
    case Operation::kUpdate: return "UPDATE";
    case Operation::kDelete: return "DELETE";
    case Operation::kConnect: return "CONNECT";
  }
  return "";
}

std::string WriteReview(const AdmissionRequest& request, std::string_view uid) {
  const json::object resource{{"group", request.kind->group},
                              {"version", request.kind->version},
                              {"resource", request.kind->plural}};
  // What is sent to a subresource is not of the resource's own kind.
  const KindInfo& sent = request.object_kind != nullptr ? *request.object_kind : *request.kind;
  const json::object kind{{"group", sent.group}, {"version", sent.version}, {"kind", sent.kind}};
  json::object body{{"uid", uid},
                    {"kind", kind},
                    {"resource", resource},
                    {"requestKind", kind},
                    {"requestResource", resource}};
  if (!request.subresource.empty()) {
    body["subResource"] = request.subresource;
    body["requestSubResource"] = request.subresource;
  }
  if (!request.name.empty()) body["name"] = request.name;
  if (!request.ns.empty()) body["namespace"] = request.ns;
  body["operation"] = OperationName(request.operation);
  body["userInfo"] = {{"username", request.user},
                      {"groups", {"system:masters", "system:authenticated"}}};
  body["object"] = request.object.empty() ? json::value() : json::value(request.object);
  body["oldObject"] = request.old_object ? json::value(*request.old_object) : json::value();
  body["dryRun"] = request.dry_run;
  body["options"] = request.options.empty() ? json::value() : json::value(request.options);
  return json::serialize(json::object{{"kind", "AdmissionReview"},
                                      {"apiVersion", "admission.k8s.io/v1"},
                                      {"request", std::move(body)}});
}

Result<ReviewAnswer> ReadReview(std::string_view body, std::string_view uid,
                                std::string_view webhook_name) {
  const Result<json::value> document = ParseJson(body);
  if (!document || !document->is_object()) {
    return Fail(ErrorCode::kInvalidArgument, "the response is no AdmissionReview");
  }
  const json::object* response = FindObject(document->get_object(), {"response"});
  if (response == nullptr) {
    return Fail(ErrorCode::kInvalidArgument, "webhook response was absent");
  }
  if (GetString(*response, {"uid"}) != uid) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("expected response.uid={:?}, got {:?}",
                                                         uid, GetString(*response, {"uid"})));
  }
  ReviewAnswer answer{.allowed = GetBool(*response, {"allowed"})};
  for (const json::value& warning : ListOf(*response, "warnings")) {
    if (answer.warnings.size() == kMostWarnings) break;
    answer.warnings.emplace_back(AsText(warning));
  }
  if (!answer.allowed) {
    answer.refusal = Denied(*response, webhook_name);
    return answer;
  }
  if (const std::string_view patch = GetString(*response, {"patch"}); !patch.empty()) {
    if (GetString(*response, {"patchType"}) != "JSONPatch") {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("webhook returned response.patchType of {:?}, expected JSONPatch",
                              GetString(*response, {"patchType"})));
    }
    answer.patch = DecodePatch(patch);
    if (!answer.patch) return Fail(ErrorCode::kInvalidArgument, "the patch is no JSON patch");
  }
  return answer;
}

}  // namespace basalt::apiserver
