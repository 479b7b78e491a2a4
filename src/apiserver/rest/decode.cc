#include <fmt/format.h>

#include "apiserver/kinds/custom_kind.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/rest/write.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {
namespace {

std::unexpected<ApiStatus> Misread(const KindInfo& kind, std::string_view why) {
  return Refuse(
      refusal::BadRequest(fmt::format("the body cannot be read as a {}: {}", kind.kind, why)));
}

// The body, which must be an object that says of itself what it is, or nothing.
ApiResult<json::object> ParseBody(const Call& call, const KindInfo& kind) {
  const std::string media_type = ContentType(call.http);  // dispatch turns protobuf into JSON
  if (!media_type.empty() && media_type != "application/json") {
    return Refuse(
        refusal::UnsupportedMediaType("application/json, application/vnd.kubernetes.protobuf"));
  }
  Result<json::value> parsed = ParseJson(call.http.body);
  if (!parsed) return Misread(kind, parsed.error().message);
  if (parsed->is_null()) return json::object();
  if (!parsed->is_object()) return Misread(kind, "it is no object");
  for (const std::string_view field : {"apiVersion", "kind"}) {
    const json::value* value = Find(parsed->get_object(), {field});
    if (value != nullptr && !value->is_string()) {
      return Misread(kind, fmt::format("{}: must be a string", field));
    }
  }
  return std::move(parsed->get_object());
}

// A custom resource must say what it is; of others what they do not say is filled in.
ApiResult<void> SettleType(const KindInfo& kind, bool custom, json::object& object) {
  const std::string name(GetString(object, {"kind"}));
  const std::string_view version = GetString(object, {"apiVersion"});
  if (custom && name.empty()) return Misread(kind, "its kind is missing");
  const bool options = kind.kind == "DeleteOptions";  // the same under every version
  if (version != kind.ApiVersion() && (custom || !version.empty()) && !options) {
    return Misread(kind, fmt::format("it is of version {}, not {}", version, kind.ApiVersion()));
  }
  if (custom && name != kind.kind) {
    FieldErrors errors;
    errors.Invalid("kind", name, fmt::format("must be {}", kind.kind));
    KindInfo as_said = kind;
    as_said.kind = name;
    return Refuse(refusal::Invalid(as_said, Name(object), errors));
  }
  if (!name.empty() && name != kind.kind) return Misread(kind, "it is a " + name);
  object["kind"] = kind.kind;
  object["apiVersion"] = kind.ApiVersion();
  return {};
}

ApiResult<json::object> Decode(Call& call, const ServedKind& kind) {
  ApiResult<json::object> object = ParseBody(call, kind.info);
  if (!object) return object;
  const ApiResult<void> settled = SettleType(kind.info, kind.custom != nullptr, *object);
  if (!settled) return Refuse(settled.error());
  std::vector<std::string> unknown;
  Result<void> read = ConformToKind(kind, *object, &unknown);
  if (read) read = JudgeUnknownFields(call, unknown);
  if (!read) return Misread(kind.info, read.error().message);
  return object;
}

}  // namespace

ApiResult<json::object> DecodeBody(Call& call) { return Decode(call, *call.kind); }

ApiResult<json::object> DecodeBodyAs(Call& call, const KindInfo& kind) {
  ServedKind as{.info = kind};
  as.info.schema = FindBuiltinType(TypeIdOf(kind.ApiVersion(), kind.kind));
  return Decode(call, as);
}

Result<void> ConformToKind(const ServedKind& kind, json::object& object,
                           std::vector<std::string>* unknown) {
  if (kind.custom != nullptr) return kind.custom->Conform(object, unknown);
  if (kind.info.schema == nullptr) return {};
  json::value value(std::move(object));
  Result<void> conformed = Conform(value, *kind.info.schema, unknown);
  if (value.is_object()) object = std::move(value.get_object());
  return conformed;
}

Result<void> JudgeUnknownFields(Call& call, const std::vector<std::string>& unknown) {
  const std::string_view mode = call.query.Get("fieldValidation");
  if (unknown.empty() || mode == "Ignore") return {};
  if (mode == "Strict") {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("strict decoding error: unknown field \"{}\"",
                            fmt::join(unknown, "\", unknown field \"")));
  }
  for (const std::string& field : unknown) {
    call.warnings.push_back(fmt::format("unknown field \"{}\"", field));
  }
  return {};
}

}  // namespace basalt::apiserver
