#include <fmt/format.h>

#include "apiserver/object/object.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/request.h"
#include "apiserver/rest/write.h"
#include "yaml/json.h"

namespace basalt::apiserver {
namespace {

ApiStatus ConflictStatus(const std::vector<FieldConflict>& conflicts) {
  ApiStatus status{.code = 409, .reason = "Conflict", .details = StatusDetails{}};
  status.message = fmt::format("Apply failed with {} conflict{}:", conflicts.size(),
                               conflicts.size() == 1 ? "" : "s");
  for (const FieldConflict& conflict : conflicts) {
    status.message += fmt::format("\n- conflict with {}: {}", conflict.with, conflict.path);
    status.details->causes.push_back({.reason = "FieldManagerConflict",
                                      .message = fmt::format("conflict with {}", conflict.with),
                                      .field = conflict.path});
  }
  return status;
}

// The body: one object of the call's kind, in YAML or JSON.
ApiResult<json::object> ReadConfiguration(const Call& call) {
  const auto bad = [](std::string_view why) {
    return Refuse(refusal::BadRequest(fmt::format("the configuration cannot be read: {}", why)));
  };
  Result<std::vector<YamlDocument>> documents = ParseYaml(call.http.body);
  if (!documents) return bad(documents.error().message);
  if (documents->size() != 1 || !documents->front().value.is_object()) {
    return bad("one object is expected");
  }
  json::object applied = std::move(documents->front().value.get_object());
  if (GetString(applied, {"kind"}) != call.info().kind ||
      GetString(applied, {"apiVersion"}) != call.info().ApiVersion()) {
    return bad(fmt::format("a {} of {} is expected", call.info().kind, call.info().ApiVersion()));
  }
  if (Find(applied, {"metadata", "managedFields"}) != nullptr) {
    return bad("metadata.managedFields must be nil");
  }
  return applied;
}

ApiResult<json::object> ApplyTo(const Call& call, const TypeSchema& type,
                                const json::object& applied, const json::object* live) {
  const json::object zero = ZeroObject(*call.kind);
  auto result = ServerSideApply({.zero = zero,
                                 .live = live == nullptr ? zero : *live,
                                 .applied = applied,
                                 .type = type,
                                 .writer = WriterOf(call),
                                 .force = call.query.GetBool("force"),
                                 .creates = live == nullptr});
  if (!result && result.error().message.empty()) {
    return Refuse(ConflictStatus(result.error().conflicts));
  }
  if (!result) return Refuse(refusal::Plain(result.error().message));
  if (Result<void> conformed = ConformToKind(*call.kind, *result, nullptr); !conformed) {
    return Refuse(refusal::Plain(conformed.error().message));
  }
  return std::move(*result);
}

}  // namespace

void HandleApply(const CallPtr& call) {
  if (call->query.Get("fieldManager").empty()) {
    FieldErrors errors;
    errors.Required("fieldManager", "is required for apply patch");
    return call->Refuse(InvalidOptions("PatchOptions", errors));
  }
  const TypeSchema* type = MergeTypeOf(*call->kind);
  if (type == nullptr) {
    return call->Refuse(
        refusal::UnsupportedMediaType("application/json-patch+json, application/merge-patch+json"));
  }
  ApiResult<json::object> applied = ReadConfiguration(*call);
  if (!applied) return call->Refuse(applied.error());
  call->owners_settled = true;
  if (Store::Get(*call->kind->collection, call->Key()) == nullptr &&
      call->path.subresource.empty()) {
    ApiResult<json::object> made = ApplyTo(*call, *type, *applied, nullptr);
    if (!made) return call->Refuse(made.error());
    if (Name(*made) != call->path.name) return call->Refuse(OtherName(Name(*made), *call));
    if (!Uid(*made).empty()) {
      return call->Refuse(refusal::Conflict(call->info(), call->path.name,
                                            fmt::format("there is none of uid {}", Uid(*made))));
    }
    return CreateObject(call, std::move(*made));
  }
  UpdateObject(call, [call, type, applied = std::move(*applied)](const json::object& old) {
    return ApplyTo(*call, *type, applied, &old);
  });
}

}  // namespace basalt::apiserver
