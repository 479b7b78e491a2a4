#include "apiserver/rest/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apiserver/crd/custom_kind.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/object/text.h"
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

}  // namespace basalt::apiserver
