#include <fmt/format.h>

#include <boost/json/serialize.hpp>

#include "apiserver/admission/webhook_rules.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/object/json_text.h"
#include "base/base64.h"

namespace basalt::apiserver {
namespace {

constexpr std::size_t kMostWarnings = 100;

// The group, version and kind of what is sent, which for subresources is not the resource's own.
json::object KindOf(const AdmissionRequest& request) {
  if (request.object_kind.empty()) {
    return {{"group", request.kind->group},
            {"version", request.kind->version},
            {"kind", request.kind->kind}};
  }
  const std::string_view api_version = request.object_api_version;
  const std::size_t slash = api_version.find('/');
  return {{"group", slash == api_version.npos ? "" : api_version.substr(0, slash)},
          {"version", slash == api_version.npos ? api_version : api_version.substr(slash + 1)},
          {"kind", request.object_kind}};
}

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
  json::object body{{"uid", uid},
                    {"kind", KindOf(request)},
                    {"resource", resource},
                    {"requestKind", KindOf(request)},
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
