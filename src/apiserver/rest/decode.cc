#include "apiserver/rest/decode.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <utility>

#include "apiserver/crd/custom_kind.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/builtin_types.h"
#include "apiserver/schema/type_schema.h"
#include "base/ascii.h"

namespace basalt::apiserver {
namespace {

constexpr std::string_view kAcceptedBodies =
    "application/json, application/vnd.kubernetes.protobuf";

ApiStatus Unrecognized(const KindInfo& kind, std::string_view why) {
  return refusal::BadRequest(
      fmt::format("the object provided is unrecognized (must be of type {}): {}", kind.kind, why));
}

// Of a body that says what it is.
ApiStatus CannotBeHandled(const KindInfo& kind, std::string_view name, std::string_view version,
                          std::string_view why) {
  return refusal::BadRequest(fmt::format("{} in version {} cannot be handled as a {}: {}", name,
                                         Quoted(version.substr(version.find('/') + 1)), kind.kind,
                                         why));
}
ApiStatus CannotBeHandled(const KindInfo& kind, std::string_view why) {
  return CannotBeHandled(kind, kind.kind, kind.version, why);
}

// A custom resource must say what it is, and is refused in words of its own.
ApiResult<void> CheckCustomType(const Call& call, const json::object& object) {
  const KindInfo& kind = call.info();
  const std::string name(GetString(object, {"kind"}));
  const std::string version(GetString(object, {"apiVersion"}));
  if (name.empty()) {
    return Refuse(Unrecognized(kind, "its kind is missing"));
  }
  if (version != kind.ApiVersion()) {
    return Refuse(refusal::BadRequest(
        fmt::format("the API version in the data ({}) does not match the expected API version ({})",
                    version, kind.ApiVersion())));
  }
  if (name != kind.kind) {
    FieldErrors errors;
    errors.Invalid("kind", json::string(name), fmt::format("must be {}", kind.kind));
    KindInfo as_said = kind;
    as_said.kind = name;
    return Refuse(refusal::Invalid(as_said, Name(object), errors));
  }
  return {};
}

// The body, which must be an object (dispatch has turned protobuf into JSON).
ApiResult<json::object> ParseForm(const Call& call, const KindInfo& kind) {
  if (!IsJson(call.http)) {
    return Refuse(refusal::UnsupportedMediaType(kAcceptedBodies));
  }
  Result<json::value> parsed = ParseJson(call.http.body);
  if (!parsed) return Refuse(Unrecognized(kind, parsed.error().message));
  if (parsed->is_null()) return json::object();
  if (!parsed->is_object()) return Refuse(Unrecognized(kind, "it is no object"));
  for (const std::string_view field : {"apiVersion", "kind"}) {
    const json::value* value = Find(parsed->get_object(), {field});
    if (value == nullptr || value->is_string()) continue;
    return Refuse(Unrecognized(kind, fmt::format("{}: must be a string", field)));
  }
  return std::move(parsed->as_object());
}

// Parses the body into an object and settles its kind and apiVersion.
ApiResult<json::object> ParseBody(Call& call, const KindInfo& kind) {
  ApiResult<json::object> parsed = ParseForm(call, kind);
  if (!parsed) return parsed;
  json::object object = std::move(*parsed);
  if (call.kind != nullptr && &kind == &call.info() && call.kind->custom != nullptr) {
    if (ApiResult<void> checked = CheckCustomType(call, object); !checked) {
      return Refuse(checked.error());
    }
    return object;
  }
  std::string version(GetString(object, {"apiVersion"}));
  std::string name(GetString(object, {"kind"}));
  if (version.empty()) version = kind.ApiVersion();
  if (name.empty()) name = kind.kind;
  // Options are the same under every version.
  if (name == "DeleteOptions" && kind.kind == name) version = kind.ApiVersion();
  if (version != kind.ApiVersion() || name != kind.kind) {
    return Refuse(CannotBeHandled(kind, name, version, OtherTypeError(call, version, name, &kind)));
  }
  object["kind"] = kind.kind;
  object["apiVersion"] = kind.ApiVersion();
  return object;
}

}  // namespace

std::string ContentType(const net::HttpRequest& http) {
  const std::string* header = net::FindHeader(http.headers, "Content-Type");
  if (header == nullptr) return "";
  return ToLower(TrimSpace(std::string_view(*header).substr(0, header->find(';'))));
}

bool IsJson(const net::HttpRequest& http) {
  const std::string type = ContentType(http);
  return type.empty() || type == "application/json";
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
  if (unknown.empty()) return {};
  const std::string_view mode = call.query.Get("fieldValidation");
  std::vector<std::string> said;
  for (const std::string& field : unknown)
    said.push_back(fmt::format("unknown field \"{}\"", field));
  if (mode == "Strict") {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("strict decoding error: {}", fmt::join(said, ", ")));
  }
  if (mode == "Ignore") return {};
  // The default is Warn.
  for (std::string& text : said) call.warnings.push_back(std::move(text));
  return {};
}

std::string OtherTypeError(const Call& call, std::string_view version, std::string_view name,
                           const KindInfo* wanted) {
  const KindInfo& kind = wanted == nullptr ? call.info() : *wanted;
  if (call.core.kinds.FindByKind(version, name) == nullptr) {
    return fmt::format("no kind {} is served in version {}", Quoted(name), Quoted(version));
  }
  return fmt::format("a {} of {} is no {} of {}", name, version, kind.kind, kind.ApiVersion());
}

ApiResult<json::object> DecodeBody(Call& call) {
  ApiResult<json::object> object = ParseBody(call, call.info());
  if (!object) return object;
  std::vector<std::string> unknown;
  if (Result<void> conformed = ConformToKind(*call.kind, *object, &unknown); !conformed) {
    return Refuse(CannotBeHandled(call.info(), conformed.error().message));
  }
  if (Result<void> judged = JudgeUnknownFields(call, unknown); !judged) {
    return Refuse(CannotBeHandled(call.info(), judged.error().message));
  }
  return object;
}

ApiResult<json::object> DecodeBodyAs(Call& call, std::string_view type_id, const KindInfo& kind) {
  ApiResult<json::object> object = ParseBody(call, kind);
  if (!object) return object;
  const TypeSchema* schema = FindBuiltinType(type_id);
  if (schema == nullptr) return object;
  json::value value(std::move(*object));
  if (Result<void> conformed = Conform(value, *schema); !conformed) {
    return Refuse(CannotBeHandled(kind, conformed.error().message));
  }
  return std::move(value.as_object());
}

}  // namespace basalt::apiserver
