#include "apiserver/rest/patch_handler.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <utility>

#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/patch/patch.h"
#include "apiserver/rest/decode.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/write_options.h"

namespace basalt::apiserver {
namespace {

constexpr std::string_view kStrategic = "application/strategic-merge-patch+json";

ApiStatus UnsupportedPatch(std::string message) {
  return {.code = 415,
          .reason = "UnsupportedMediaType",
          .message = std::move(message),
          .details = StatusDetails{}};
}

// The patch was understood but does not fit the object.
ApiStatus DoesNotApply() {
  return {.code = 422,
          .reason = "Invalid",
          .message = "the server rejected our request due to an error in our request",
          .details = StatusDetails{}};
}

}  // namespace

ApiStatus BadPatchResult(std::string_view shown, std::string_view why) {
  FieldErrors errors;
  errors.Invalid("patch", json::string(shown), why);
  return refusal::Invalid(KindInfo{}, "", errors);
}

ApiResult<PatchFunction> ReadPatch(const Call& call, const TypeSchema* schema) {
  const std::string type = ContentType(call.http);
  if (type != "application/json-patch+json" && type != "application/merge-patch+json" &&
      type != kStrategic) {
    return Refuse(UnsupportedPatch("415: Unsupported Media Type"));
  }
  const bool strategic = type == kStrategic;
  Result<json::value> parsed = ParseJson(call.http.body);
  if (!parsed) {
    return Refuse(refusal::BadRequest("error decoding patch: " + parsed.error().message));
  }
  if (type == "application/json-patch+json") {
    if (!parsed->is_array()) {
      return Refuse(refusal::BadRequest("error decoding patch: a list of operations is expected"));
    }
    if (parsed->get_array().size() > kMostPatchOperations) {
      return Refuse(refusal::TooLarge(
          fmt::format("The allowed maximum operations in a JSON patch is {}, got {}",
                      kMostPatchOperations, parsed->get_array().size())));
    }
    return
        [patch = std::move(parsed->get_array())](json::object object) -> ApiResult<json::object> {
          json::value document(std::move(object));
          if (!ApplyJsonPatch(patch, document) || !document.is_object())
            return Refuse(DoesNotApply());
          return std::move(document.get_object());
        };
  }
  if (!parsed->is_object()) {
    return Refuse(refusal::BadRequest("error decoding patch: an object is expected"));
  }
  if (!strategic) {
    return [patch = std::move(*parsed)](json::object object) -> ApiResult<json::object> {
      json::value document(std::move(object));
      ApplyMergePatch(patch, document);
      return std::move(document.get_object());
    };
  }
  if (schema == nullptr) {
    return Refuse(
        refusal::UnsupportedMediaType("application/json-patch+json, application/merge-patch+json"));
  }
  return [patch = std::move(parsed->get_object()),
          schema](json::object object) -> ApiResult<json::object> {
    if (Result<void> applied = ApplyStrategicMergePatch(patch, *schema, object); !applied) {
      return Refuse({.code = 500, .message = applied.error().message});
    }
    return object;
  };
}

ApiResult<json::object> PatchAndConform(Call& call, const PatchFunction& patch,
                                        const json::object& old) {
  ApiResult<json::object> patched = patch(CopyNear(old));
  if (!patched) return patched;
  // A complaint about the result shows a strategic merge patch itself, else what came of it.
  const auto shown = [&call](const json::object& result) {
    if (ContentType(call.http) != kStrategic) return ToText(result);
    const Result<json::value> body = ParseJson(call.http.body);
    return body ? ToText(*body) : std::string();
  };
  const std::string kind(GetString(*patched, {"kind"}));
  const std::string version(GetString(*patched, {"apiVersion"}));
  if (kind != call.info().kind || version != call.info().ApiVersion()) {
    return Refuse(BadPatchResult(shown(*patched), OtherTypeError(call, version, kind)));
  }
  std::vector<std::string> unknown;
  std::string why;
  if (Result<void> conformed = ConformToKind(*call.kind, *patched, &unknown); !conformed) {
    why = conformed.error().message;
  } else if (Result<void> judged = JudgeUnknownFields(call, unknown); !judged) {
    why = judged.error().message;
  } else {
    return patched;
  }
  const ApiResult<json::object> before = patch(CopyNear(old));  // what was conformed is spoilt
  if (!before) return before;
  return Refuse(BadPatchResult(shown(*before), why));
}

void HandlePatch(const CallPtr& call) {
  if (ContentType(call->http) == "application/apply-patch+yaml") return HandleApply(call);
  if (call->query.Has("force")) {
    FieldErrors errors;
    errors.Forbidden("force", "may not be specified for non-apply patch");
    return call->Refuse(InvalidOptions("PatchOptions", errors));
  }
  ApiResult<PatchFunction> patch = ReadPatch(*call, call->info().schema);
  if (!patch) return call->Refuse(patch.error());
  UpdateObject(call, [call, patch = std::move(*patch)](const json::object& old) {
    call->warnings.clear();  // of an attempt that came to nothing
    return PatchAndConform(*call, patch, old);
  });
}

}  // namespace basalt::apiserver
