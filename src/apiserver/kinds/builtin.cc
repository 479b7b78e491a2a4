#include "apiserver/kinds/builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <map>

#include "apiserver/data/tables.h"
#include "apiserver/kinds/cells.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/field_rules.h"
#include "apiserver/object/text.h"
#include "apiserver/schema/type_schema.h"
#include "base/ascii.h"
#include "base/check.h"

namespace basalt::apiserver {
namespace {

// What a kind is beyond its KindInfo.
struct KindTraits {
  bool namespaced = true;
  bool generation = false;  // metadata.generation counts changes of the desired state
  std::string_view name_format = "dnsSubdomain";
  bool updates_are_checked = true;  // false: only that immutable fields are what they were
  bool keeps_status = false;        // a create may bring a status
  // Field selectors: names, and paths of the fields that they are; of several the first that is
  // there.
  std::map<std::string, std::vector<std::string>, std::less<>> selectable = {};
  std::string_view cells = "name .metadata.creationTimestamp";  // of kubectl's tables: cells.h
};

// The rules of a built-in kind: its table's and its hooks'.
class BuiltinRules final : public KindRules {
 public:
  BuiltinRules(const TypeSchema& schema, KindTraits traits)
      : schema_(schema), traits_(std::move(traits)), cells_(traits_.cells, schema) {
    const auto hooks = std::ranges::find(AllHooks(), schema.id, &Hooks::type);
    if (hooks != AllHooks().end()) hooks_ = *hooks;
    if (const TypeSchema::Field* status = schema.FindField("status")) {
      zero_status_ = json::object();
      BASALT_CHECK(Conform(zero_status_, *status->type).has_value());
    }
  }

  void Default(json::object& object) const override { FillDefaults(object, schema_); }

  void PrepareForCreate(json::object& object, Time now) const override {
    if (!zero_status_.is_null() && !traits_.keeps_status) object["status"] = zero_status_;
    if (traits_.generation) Metadata(object)["generation"] = 1;
    if (hooks_.prepare_create != nullptr) hooks_.prepare_create(object, now);
  }

  void PrepareForUpdate(json::object& object, const json::object& old) const override {
    if (const json::value* status = old.if_contains("status")) object["status"] = *status;
    if (traits_.generation) CountGeneration(object, old, DesiredStateDiffers(object, old));
    if (hooks_.prepare_update != nullptr) hooks_.prepare_update(object, old);
  }

  void PrepareForStatusUpdate(json::object& object, const json::object& old) const override {
    json::object kept = old;
    Restore(kept, object, "metadata");
    Restore(kept, object, "status");
    object = std::move(kept);
    if (hooks_.prepare_status != nullptr) hooks_.prepare_status(object, old);
  }

  void Validate(const json::object& object, FieldErrors& errors) const override {
    ValidateMeta(object, errors);
    CheckDesired(object, schema_, errors);
  }

  void ValidateUpdate(const json::object& object, const json::object& old,
                      FieldErrors& errors) const override {
    ValidateMeta(object, errors);
    ValidateObjectMetaUpdate(object, old, errors);
    if (traits_.updates_are_checked) CheckDesired(object, schema_, errors);
    CheckImmutable(object, old, schema_, false, errors);
    if (hooks_.check_update != nullptr) hooks_.check_update(object, old, errors);
  }

  void ValidateStatusUpdate(const json::object& object, const json::object& old,
                            FieldErrors& errors) const override {
    ValidateMeta(object, errors);
    ValidateObjectMetaUpdate(object, old, errors);
    CheckStatus(object, schema_, errors);
    CheckImmutable(object, old, schema_, true, errors);
  }

  std::vector<TableColumn> Columns() const override {
    return BuiltinColumns(std::string_view(schema_.id).substr(schema_.id.find('.') + 1));
  }

  json::array Cells(const json::object& object, Time now) const override {
    return hooks_.cells != nullptr ? hooks_.cells(object, now) : cells_.Of(object, now);
  }

  json::array RowConditions(const json::object& object) const override {
    return hooks_.row_conditions == nullptr ? json::array() : hooks_.row_conditions(object);
  }

  bool FieldValue(const json::object& object, std::string_view field,
                  std::string& value) const override {
    const auto found = traits_.selectable.find(field);
    if (found == traits_.selectable.end()) return false;
    for (const std::string& path : found->second) {
      value = TextAt(object, path, schema_);
      if (!value.empty()) break;
    }
    return true;
  }

 private:
  void ValidateMeta(const json::object& object, FieldErrors& errors) const {
    ValidateObjectMeta(object, traits_.namespaced, traits_.name_format, errors);
    ValidateFinalizerNames(object, errors);
  }

  const TypeSchema& schema_;
  KindTraits traits_;
  Hooks hooks_;
  RowCells cells_;
  json::value zero_status_;  // null: the kind has no status
};

template <class Property>
using Words = std::pair<std::string_view, Property>;

// Said of a kind, they turn what it is otherwise around.
constexpr Words<bool KindInfo::*> kKindFlags[] = {
    {"graceful", &KindInfo::graceful_deletion},
    {"orphans", &KindInfo::orphans},
    {"noCollectionDeletion", &KindInfo::collection_deletion},
    {"returnsDeleted", &KindInfo::returns_deleted},
    {"needsVersion", &KindInfo::update_needs_version},
    {"putCreates", &KindInfo::put_creates},
};
constexpr Words<bool KindTraits::*> kTraitFlags[] = {
    {"generation", &KindTraits::generation},
    {"updatesUnchecked", &KindTraits::updates_are_checked},
    {"keepsStatus", &KindTraits::keeps_status},
};
constexpr Words<std::vector<std::string> KindInfo::*> kLists[] = {
    {"short", &KindInfo::short_names},
    {"categories", &KindInfo::categories},
    {"subresources", &KindInfo::subresources},
};

// What a client is told that creates an object on which nothing acts.
std::string IdleText(std::string_view why, std::string_view kind) {
  if (why == "permissions") {
    return fmt::format("who has a token may do everything here: a {} is stored and nobody asks it",
                       kind);
  }
  return fmt::format("no controller here acts on {} {}: it is stored and nothing comes of it",
                     kind.starts_with('I') ? "an" : "a", kind);
}

template <class Table>
auto FindIn(const Table& table, std::string_view word) {
  const auto found = std::ranges::find(table, word, [](const auto& entry) { return entry.first; });
  return found == std::end(table) ? nullptr : &found->second;
}

void ReadProperty(std::string_view word, KindInfo& info, KindTraits& traits) {
  const auto [name, value] = Cut(word, '=');
  if (const auto* flag = FindIn(kKindFlags, name)) {
    info.*(*flag) = !(info.*(*flag));
  } else if (const auto* trait = FindIn(kTraitFlags, name)) {
    traits.*(*trait) = !(traits.*(*trait));
  } else if (const auto* list = FindIn(kLists, name)) {
    info.*(*list) = Split(value, ',');
  } else if (name == "select") {
    for (const std::string& field : Split(value, ',')) {
      traits.selectable[field.substr(0, field.find(':'))] =
          Split(field.substr(field.find(':') + 1), '|');
    }
  } else if (name == "idle") {
    info.idle = IdleText(value, info.kind);
  } else {
    BASALT_CHECK(name == "name" && IsFormat(value));
    traits.name_format = value;
  }
}

// The entry of a kind in data/kinds.txt: ID GROUP VERSION PLURAL SCOPE SUBRESOURCES...
std::string_view WireEntry(std::string_view type) {
  std::string_view text = KindsText();
  for (std::string_view entry = NextEntry(text); !entry.empty(); entry = NextEntry(text)) {
    if (NextWord(entry) == type) return entry;
  }
  BASALT_CHECK(false);
  return {};
}

KindInfo Make(std::string_view type, std::string_view words) {
  KindInfo info{.kind = std::string(type.substr(type.find('.') + 1)), .has_status = false};
  info.schema = FindBuiltinType(type);
  BASALT_CHECK(info.schema != nullptr);
  info.list_kind = info.kind + "List";
  info.singular = ToLower(info.kind);
  std::string_view entry = WireEntry(type);
  info.group = NextWord(entry);
  if (info.group == "core") info.group.clear();
  info.version = NextWord(entry);
  info.plural = NextWord(entry);
  info.namespaced = NextWord(entry) == "namespaced";
  for (std::string_view part = NextWord(entry); !part.empty(); part = NextWord(entry)) {
    info.has_status |= part == "status";
    info.has_scale |= part == "scale";
  }
  KindTraits traits{.namespaced = info.namespaced};
  for (std::string_view word = NextWord(words); !word.empty(); word = NextWord(words)) {
    if (word == "cells") {
      traits.cells = std::exchange(words, {});
    } else {
      ReadProperty(word, info, traits);
    }
  }
  info.rules = std::make_shared<BuiltinRules>(*info.schema, std::move(traits));
  return info;
}

}  // namespace

const std::vector<Hooks>& AllHooks() {
  static const std::vector<Hooks>* const all = [] {
    auto* hooks = new std::vector<Hooks>();
    for (const std::span<const Hooks> some : {PodHooks(), ClusterHooks(), EventHooks(),
                                              ConfigHooks(), WorkloadHooks(), DefinitionHooks()}) {
      hooks->insert(hooks->end(), some.begin(), some.end());
    }
    return hooks;
  }();
  return *all;
}

std::vector<KindInfo> BuiltinKinds() {
  std::vector<KindInfo> kinds;
  std::string_view text = BuiltinText();
  for (std::string_view entry = NextEntry(text); !entry.empty(); entry = NextEntry(text)) {
    if (entry.starts_with('#')) continue;
    std::string_view types = entry.substr(0, entry.find('\n'));
    const std::string_view words = entry.substr(types.size());
    for (std::string_view type = NextWord(types); !type.empty(); type = NextWord(types)) {
      kinds.push_back(Make(type, words));
    }
  }
  return kinds;
}

std::vector<json::object> InitialObjects() {
  std::vector<json::object> objects;
  std::string_view text = InitialText();
  for (std::string_view entry = NextEntry(text); !entry.empty(); entry = NextEntry(text)) {
    if (!entry.starts_with('#')) objects.push_back(std::move(json::parse(entry).as_object()));
  }
  return objects;
}

}  // namespace basalt::apiserver
