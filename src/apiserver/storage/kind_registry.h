#pragma once

#include <map>
#include <tuple>

#include "apiserver/object/kind.h"
#include "apiserver/storage/store.h"
#include "base/function_ref.h"

namespace basalt::apiserver {

// What the generic handlers need of a custom resource beyond its rules; kinds/custom_kind.h.
class CustomKind;

// One kind as it is served: a version of a resource. Shared with the requests under way, so that a
// CRD may go while they run.
struct ServedKind {
  KindInfo info;
  Collection* collection = nullptr;
  std::string prefix;                        // {"kind":"Pod","apiVersion":"v1",
  std::shared_ptr<const CustomKind> custom;  // null: built in
  // Where the kind is another face of objects that are stored in another form (events).
  json::object (*to_stored)(const json::object&) = nullptr;
  json::object (*from_stored)(const json::object&) = nullptr;

  // Where an object of the kind is in its collection.
  std::string Key(std::string_view ns, std::string_view name) const;
  // The text that a client gets.
  std::string Text(const StoredObject& object) const;
  void AppendText(std::string& out, const StoredObject& object) const;
  // The same as an item of a list: those of built-in kinds do not name their kind again.
  void AppendItem(std::string& out, const StoredObject& object) const;
  // Parsed, with kind and apiVersion.
  json::object Load(const StoredObject& object) const;
  // What is to be stored of an object of this kind.
  json::object ToStored(json::object object) const {
    return to_stored == nullptr ? std::move(object) : to_stored(object);
  }
};
using KindPtr = std::shared_ptr<const ServedKind>;

// The kinds that are served now. Owned by the server; loop thread only.
class KindRegistry {
 public:
  // Replaces the one of the same group, version and plural.
  void Add(ServedKind kind);
  // All versions of a resource.
  void Remove(std::string_view group, std::string_view plural);

  KindPtr Find(std::string_view group, std::string_view version, std::string_view plural) const;
  KindPtr FindByKind(std::string_view api_version, std::string_view kind) const {
    return FindIf([&](const KindInfo& info) {
      return info.kind == kind && info.ApiVersion() == api_version;
    });
  }
  // Any version.
  KindPtr FindResource(std::string_view group, std::string_view plural) const {
    return FindIf(
        [&](const KindInfo& info) { return info.group == group && info.plural == plural; });
  }
  bool HasGroup(std::string_view group) const {
    return FindIf([&](const KindInfo& info) { return info.group == group; }) != nullptr;
  }
  // Sorted by group, version, plural.
  std::vector<KindPtr> All() const;
  // Changes whenever the kinds do; never 0 once there are some.
  std::uint64_t revision() const { return revision_; }

 private:
  KindPtr FindIf(FunctionRef<bool(const KindInfo&)> matches) const;

  std::uint64_t revision_ = 0;
  std::map<std::tuple<std::string, std::string, std::string>, KindPtr> kinds_;
};

}  // namespace basalt::apiserver
