#include "apiserver/rest/field_owners.h"

#include <utility>

#include "apiserver/crd/custom_kind.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {
namespace {

// "kubectl" of "kubectl/v1.36.1 (linux/amd64) kubernetes/abc".
std::string ManagerOf(const Call& call) {
  if (const std::string_view named = call.query.Get("fieldManager"); !named.empty()) {
    return std::string(named);
  }
  const std::string* agent = net::FindHeader(call.http.headers, "User-Agent");
  if (agent == nullptr) return "";
  std::string prefix = agent->substr(0, agent->find('/'));
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

const TypeSchema* MergeTypeOf(const ServedKind& kind) {
  if (kind.custom != nullptr) return &kind.custom->MergeType();
  // Objects that are stored in another form (events) have no owners.
  return kind.from_stored != nullptr ? nullptr : kind.info.schema;
}

FieldWriter WriterOf(const Call& call, const ServedKind& kind, std::string_view subresource) {
  return {.manager = ManagerOf(call),
          .api_version = kind.info.ApiVersion(),
          .subresource = std::string(subresource),
          .status_apart = kind.info.has_status,
          .now = call.core.loop.Now()};
}

json::object ZeroObject(const ServedKind& kind) {
  json::object zero{{"apiVersion", kind.info.ApiVersion()}, {"kind", kind.info.kind}};
  if (kind.custom != nullptr || kind.info.schema == nullptr) return zero;
  json::value value(std::move(zero));
  (void)Conform(value, *kind.info.schema);
  return std::move(value.as_object());
}

void TrackOwners(const Call& call, const ServedKind& kind, std::string_view subresource,
                 const json::object* old, json::object& object) {
  ManagedFields managed;
  if (subresource.empty() && !IsReset(object)) managed = ReadManagedFields(object);
  if (managed.empty() && old != nullptr && (!subresource.empty() || !IsReset(object))) {
    managed = ReadManagedFields(*old);
  }
  const TypeSchema* type = MergeTypeOf(kind);
  const bool begins = old == nullptr && call.query.Has("fieldManager");
  if (type == nullptr || (managed.empty() && !begins)) {
    if (json::object* metadata = FindObject(object, {"metadata"})) metadata->erase("managedFields");
    return;
  }
  const json::object before = old == nullptr ? ZeroObject(kind) : *old;
  managed =
      OwnChanges(std::move(managed), before, object, *type, WriterOf(call, kind, subresource));
  WriteManagedFields(std::move(managed), object);
}

}  // namespace basalt::apiserver
