#include "apiserver/rest/write.h"

#include <fmt/format.h>

#include <algorithm>

#include "apiserver/kinds/custom_kind.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/object/text.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {
namespace {

// "kubectl" of "kubectl/v1.36.1 (linux/amd64) kubernetes/abc".
std::string ManagerOf(const Call& call) {
  if (const std::string_view named = call.query.Get("fieldManager"); !named.empty()) {
    return std::string(named);
  }
  std::string prefix(Cut(HeaderText(call.http, "User-Agent"), '/').first);
  std::erase_if(prefix, [](unsigned char c) { return c < 0x20 || c > 0x7e; });
  prefix.resize(std::min<std::size_t>(prefix.size(), 128));
  return prefix;
}

// [{}]: the client asks for a new start.
bool IsReset(const json::object& object) {
  const json::value* given = Find(object, {"metadata", "managedFields"});
  const json::array& entries = ListAt(object, {"metadata", "managedFields"});
  return given != nullptr &&
         (entries.empty() || (entries.size() == 1 && AsObject(entries[0]).empty()));
}

constexpr int kNameAttempts = 8;

// Everything between the two halves of admission.
ApiResult<json::object> PrepareNew(Call& call, json::object object) {
  const ServedKind& kind = *call.kind;
  FillForCreate(call.core, object);
  const std::string generate(GetString(object, {"metadata", "generateName"}));
  if (Name(object).empty() && !generate.empty()) {
    std::string name = call.core.NewName(generate);
    for (int attempt = 1; attempt < kNameAttempts; ++attempt) {
      if (Store::Get(*kind.collection, kind.Key(call.path.ns, name)) == nullptr) break;
      name = call.core.NewName(generate);
    }
    Metadata(object)["name"] = name;
  }
  kind.info.rules->PrepareForCreate(object, call.core.loop.Now());
  FieldErrors errors;
  kind.info.rules->Validate(object, errors);
  if (!errors.empty()) return Refuse(refusal::Invalid(kind.info, Name(object), errors));
  return object;
}

void StoreAndReply(const CallPtr& call, json::object object) {
  if (!GetString(object, {"metadata", "resourceVersion"}).empty()) {
    return call->Refuse(refusal::Plain("a new object has no resourceVersion yet"));
  }
  const std::string name(Name(object));
  std::string key = call->kind->Key(call->path.ns, name);
  Collection& collection = *call->kind->collection;
  if (Store::Get(collection, key) != nullptr) {
    return call->Refuse(refusal::AlreadyExists(call->info(), name));
  }
  if (!call->Passes(CheckStorable(call->core, object))) return;
  if (!call->info().idle.empty()) call->warnings.push_back(call->info().idle);
  if (call->dry_run) return call->Reply(201, object);
  call->Reply(201, *call->core.store.Create(collection, std::move(key),
                                            call->kind->ToStored(std::move(object))));
}

}  // namespace

ApiResult<void> SettleNamespace(const ServedKind& kind, std::string_view ns, json::object& object) {
  json::object& metadata = Metadata(object);
  if (!kind.info.namespaced) {
    metadata.erase("namespace");
    return {};
  }
  const std::string_view own = Namespace(object);
  if (own.empty()) {
    metadata["namespace"] = ns;
  } else if (own != ns) {
    return Refuse(refusal::BadRequest(
        "the namespace of the provided object does not match the namespace sent on the request"));
  }
  return {};
}

void FillForCreate(Core& core, json::object& object) {
  json::object& metadata = Metadata(object);
  for (const char* key : {"deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"}) {
    metadata.erase(key);
  }
  metadata["uid"] = core.NewUid();
  metadata["creationTimestamp"] = FormatTime(core.loop.Now());
}

ApiStatus OtherName(std::string_view name, const Call& call) {
  return refusal::BadRequest(fmt::format(
      "the name of the object ({}) does not match the name on the URL ({})", name, call.path.name));
}

ApiResult<void> CheckStorable(const Core& core, const json::object& object) {
  const JsonExtent extent = MeasureJson(object);
  if (extent.depth > kMostDepth) return Refuse(refusal::BadRequest("exceeded max depth"));
  const std::size_t limit = core.options.max_object_bytes;
  if (extent.most_bytes > limit && ToText(object).size() > limit) {
    return Refuse(refusal::TooLarge("etcdserver: request is too large"));
  }
  return {};
}

void KeepForUpdate(json::object& object, const json::object& old) {
  json::object& metadata = Metadata(object);
  metadata.erase("selfLink");
  const json::object* old_metadata = FindObject(old, {"metadata"});
  if (old_metadata == nullptr) return;
  // Times, deletion and generation belong to the server alone.
  for (const std::string_view key :
       {"creationTimestamp", "generation", "deletionTimestamp", "deletionGracePeriodSeconds"}) {
    Restore(metadata, *old_metadata, key);
  }
  // A uid of the user's own is for validation to refuse; what is missing is filled in.
  for (const std::string_view key : {"uid", "namespace", "generateName"}) {
    if (Find(metadata, {key}) == nullptr) Restore(metadata, *old_metadata, key);
  }
}

const TypeSchema* MergeTypeOf(const ServedKind& kind) {
  if (kind.custom != nullptr) return &kind.custom->MergeType();
  // Objects that are stored in another form (events) have no owners.
  return kind.from_stored != nullptr ? nullptr : kind.info.schema;
}

FieldWriter WriterOf(const Call& call) {
  return {.manager = ManagerOf(call),
          .api_version = call.info().ApiVersion(),
          .subresource = call.path.subresource,
          .status_apart = call.info().has_status,
          .now = call.core.loop.Now()};
}

json::object ZeroObject(const ServedKind& kind) {
  json::object zero{{"apiVersion", kind.info.ApiVersion()}, {"kind", kind.info.kind}};
  if (kind.custom != nullptr || kind.info.schema == nullptr) return zero;
  json::value value(std::move(zero));
  (void)Conform(value, *kind.info.schema);
  return std::move(value.as_object());
}

void TrackOwners(const Call& call, const json::object* old, json::object& object) {
  const std::string& subresource = call.path.subresource;
  ManagedFields managed;
  if (subresource.empty() && !IsReset(object)) managed = ReadManagedFields(object);
  if (managed.empty() && old != nullptr && (!subresource.empty() || !IsReset(object))) {
    managed = ReadManagedFields(*old);
  }
  const TypeSchema* type = MergeTypeOf(*call.kind);
  const bool begins = old == nullptr && call.query.Has("fieldManager");
  if (type == nullptr || (managed.empty() && !begins)) {
    if (json::object* metadata = FindObject(object, {"metadata"})) metadata->erase("managedFields");
    return;
  }
  const json::object before = old == nullptr ? ZeroObject(*call.kind) : *old;
  WriteManagedFields(OwnChanges(std::move(managed), before, object, *type, WriterOf(call)), object);
}

void CreateObject(const CallPtr& call, json::object object) {
  if (!call->Passes(SettleNamespace(*call->kind, call->path.ns, object))) return;
  call->info().rules->Default(object);
  if (!call->owners_settled) TrackOwners(*call, nullptr, object);
  AdmissionRequest request = call->ForAdmission(Operation::kCreate, "CreateOptions");
  request.name = Name(object);
  request.object = std::move(object);
  call->core.admission.Admit(
      std::move(request),
      [call](json::object mutated) { return PrepareNew(*call, std::move(mutated)); },
      [call](ApiResult<json::object> admitted) {
        admitted ? StoreAndReply(call, std::move(*admitted)) : call->Refuse(admitted.error());
      });
}

void HandleCreate(const CallPtr& call) {
  ApiResult<json::object> object = DecodeBody(*call);
  object ? CreateObject(call, std::move(*object)) : call->Refuse(object.error());
}

}  // namespace basalt::apiserver
