#include <fmt/format.h>

#include <map>
#include <memory>
#include <utility>

#include "apiserver/apply/managed_fields.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/rest/decode.h"
#include "apiserver/rest/field_owners.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/update.h"
#include "apiserver/rest/write_options.h"
#include "yaml/json.h"

namespace basalt::apiserver {
namespace {

ApiStatus PlainFailure(std::string message) { return {.code = 500, .message = std::move(message)}; }

ApiStatus ConflictStatus(const std::vector<FieldConflict>& conflicts) {
  ApiStatus status{.code = 409, .reason = "Conflict", .details = StatusDetails{}};
  std::map<std::string_view, std::vector<std::string_view>> by_manager;
  for (const FieldConflict& conflict : conflicts) {
    status.details->causes.push_back({.reason = "FieldManagerConflict",
                                      .message = fmt::format("conflict with {}", conflict.with),
                                      .field = conflict.path});
    by_manager[conflict.with].push_back(conflict.path);
  }
  if (conflicts.size() == 1) {
    status.message = fmt::format("Apply failed with 1 conflict: conflict with {}: {}",
                                 conflicts[0].with, conflicts[0].path);
    return status;
  }
  status.message = fmt::format("Apply failed with {} conflicts:", conflicts.size());
  for (const auto& [manager, paths] : by_manager) {
    status.message += fmt::format(" conflicts with {}:", manager);
    for (const std::string_view path : paths) status.message += fmt::format("\n- {}", path);
  }
  return status;
}

// The body: one object of the call's kind, in YAML or JSON.
ApiResult<json::object> ReadConfiguration(const Call& call) {
  Result<std::vector<YamlDocument>> documents = ParseYaml(call.http.body);
  if (!documents) {
    return Refuse(refusal::BadRequest("error decoding YAML: " + documents.error().message));
  }
  if (documents->size() != 1 || !documents->front().value.is_object()) {
    return Refuse(refusal::BadRequest("error decoding YAML: one object is expected"));
  }
  json::object applied = std::move(documents->front().value.get_object());
  const std::string_view kind = GetString(applied, {"kind"});
  const std::string_view version = GetString(applied, {"apiVersion"});
  if (kind != call.info().kind || version != call.info().ApiVersion()) {
    return Refuse(refusal::BadRequest(
        fmt::format("invalid object type: {}, Kind={}: this path takes {}, Kind={}", version, kind,
                    call.info().ApiVersion(), call.info().kind)));
  }
  if (Find(applied, {"metadata", "managedFields"}) != nullptr) {
    return Refuse(refusal::BadRequest("metadata.managedFields must be nil"));
  }
  return applied;
}

ApiResult<json::object> ApplyTo(Call& call, const TypeSchema& type, const json::object& applied,
                                const json::object* live) {
  const json::object zero = ZeroObject(*call.kind);
  auto result = ServerSideApply({.zero = zero,
                                 .live = live == nullptr ? zero : *live,
                                 .applied = applied,
                                 .type = type,
                                 .writer = WriterOf(call, *call.kind, call.path.subresource),
                                 .force = call.query.GetBool("force"),
                                 .creates = live == nullptr});
  if (!result && !result.error().message.empty()) {
    return Refuse(PlainFailure(fmt::format(
        "failed to create typed patch object ({}/{}; {}, Kind={}): {}", call.path.ns,
        call.path.name, call.info().ApiVersion(), call.info().kind, result.error().message)));
  }
  if (!result) return Refuse(ConflictStatus(result.error().conflicts));
  if (Result<void> conformed = ConformToKind(*call.kind, *result, nullptr); !conformed) {
    return Refuse(PlainFailure(conformed.error().message));
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
    if (Name(*made) != call->path.name) {
      return call->Refuse(refusal::BadRequest(
          fmt::format("the name of the object ({}) does not match the name on the URL ({})",
                      Name(*made), call->path.name)));
    }
    if (!Uid(*made).empty()) {
      return call->Refuse(refusal::Conflict(
          call->info(), call->path.name,
          fmt::format("uid mismatch: the provided object specified uid {}, and no existing object "
                      "was found",
                      Uid(*made))));
    }
    return CreateObject(call, std::move(*made));
  }
  UpdateObject(call, [call, type, applied = std::move(*applied)](const json::object& old) {
    return ApplyTo(*call, *type, applied, &old);
  });
}

}  // namespace basalt::apiserver
