#include "apiserver/patch/patch.h"

#include <fmt/format.h>

#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/request.h"
#include "apiserver/rest/write.h"

namespace basalt::apiserver {
namespace {

// The patch was understood but does not fit the object.
ApiStatus DoesNotApply() {
  return {422, "Invalid", "the patch does not apply to the object", StatusDetails{}};
}

// Applies it to an object of the call's kind, and makes sure that the result is one too.
ApiResult<json::object> PatchAndConform(Call& call, const PatchFunction& patch,
                                        const json::object& old) {
  ApiResult<json::object> patched = patch(CopyNear(old));
  if (!patched) return patched;
  const std::string_view kind = GetString(*patched, {"kind"});
  const std::string_view version = GetString(*patched, {"apiVersion"});
  if (kind != call.info().kind || version != call.info().ApiVersion()) {
    return Refuse(BadPatchResult(fmt::format("a {} of {} is no {} of {}", kind, version,
                                             call.info().kind, call.info().ApiVersion())));
  }
  std::vector<std::string> unknown;
  Result<void> fits = ConformToKind(*call.kind, *patched, &unknown);
  if (fits) fits = JudgeUnknownFields(call, unknown);
  if (!fits) return Refuse(BadPatchResult(fits.error().message));
  return patched;
}

}  // namespace

ApiStatus BadPatchResult(std::string_view why) {
  FieldErrors errors;
  errors.Invalid("patch", "what comes of it", why);
  return refusal::Invalid(KindInfo{}, "", errors);
}

ApiResult<PatchFunction> ReadPatch(const Call& call, const TypeSchema* schema) {
  constexpr std::string_view kForAll = "application/json-patch+json, application/merge-patch+json";
  const std::string type = ContentType(call.http);
  const bool operations = type == "application/json-patch+json";
  const bool strategic = type == "application/strategic-merge-patch+json";
  if (!operations && !strategic && type != "application/merge-patch+json") {
    ApiStatus unknown = refusal::UnsupportedMediaType(kForAll);
    unknown.details.emplace();
    return Refuse(std::move(unknown));
  }
  if (strategic && schema == nullptr) return Refuse(refusal::UnsupportedMediaType(kForAll));
  Result<json::value> parsed = ParseJson(call.http.body);
  if (!parsed) {
    return Refuse(refusal::BadRequest("error decoding patch: " + parsed.error().message));
  }
  if (operations ? !parsed->is_array() : !parsed->is_object()) {
    return Refuse(refusal::BadRequest(
        fmt::format("error decoding patch: {} is expected", operations ? "a list" : "an object")));
  }
  if (operations && parsed->get_array().size() > kMostPatchOperations) {
    return Refuse(refusal::TooLarge(
        fmt::format("a JSON patch has at most {} operations", kMostPatchOperations)));
  }
  return [patch = std::move(*parsed), operations, strategic,
          schema](json::object object) -> ApiResult<json::object> {
    if (strategic) {
      Result<void> applied = ApplyStrategicMergePatch(patch.get_object(), *schema, object);
      if (!applied) return Refuse(refusal::Plain(applied.error().message));
      return object;
    }
    json::value document(std::move(object));
    if (!operations) ApplyMergePatch(patch, document);
    if (operations && !ApplyJsonPatch(patch.get_array(), document)) return Refuse(DoesNotApply());
    if (!document.is_object()) return Refuse(DoesNotApply());
    return std::move(document.get_object());
  };
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
