#include <fmt/format.h>

#include <algorithm>

#include "apiserver/data/tables.h"
#include "apiserver/object/text.h"
#include "apiserver/schema/type_schema.h"
#include "base/check.h"

namespace basalt::apiserver {
namespace {

using Kind = TypeSchema::Kind;

constexpr std::pair<std::string_view, Kind> kScalars[] = {
    {"string", Kind::kString},     {"bool", Kind::kBool},
    {"int32", Kind::kInt32},       {"int64", Kind::kInt64},
    {"float64", Kind::kDouble},    {"quantity", Kind::kQuantity},
    {"time", Kind::kTime},         {"microtime", Kind::kMicroTime},
    {"duration", Kind::kDuration}, {"intorstring", Kind::kIntOrString},
    {"bytes", Kind::kBytes},       {"any", Kind::kAny},
};

// Cuts what follows `mark` off `word`; nothing where there is no such mark.
std::optional<std::string_view> CutBehind(std::string_view& word, char mark) {
  const std::size_t at = word.find(mark);
  if (at == word.npos) return std::nullopt;
  const std::string_view behind = word.substr(at + 1);
  word = word.substr(0, at);
  return behind;
}

}  // namespace

TypeTable::TypeTable(std::string_view text) {
  std::map<std::string_view, std::string_view> groups;  // published names: io.k8s.api.core.v1
  std::vector<std::pair<TypeSchema*, std::string_view>> entries;
  while (!text.empty()) {
    std::string_view entry = NextEntry(text);
    std::string_view id = NextWord(entry);
    if (id.empty()) continue;
    if (id.starts_with('=')) {
      groups[id.substr(1)] = NextWord(entry);
      continue;
    }
    TypeSchema& type = New(Kind::kStruct);
    type.atomic = id.ends_with('#');
    if (type.atomic) id.remove_suffix(1);
    const auto [group, name] = Cut(id, '.');
    type.id = id;
    type.published_name = fmt::format("{}.{}", groups[group], name);
    BASALT_CHECK(!name.empty() && structs_.emplace(id, &type).second);
    entries.emplace_back(&type, entry);
  }
  for (auto& [type, rest] : entries) {
    for (std::string_view word = NextWord(rest); !word.empty(); word = NextWord(rest)) {
      type->fields.push_back(ParseField(word));
    }
    std::ranges::sort(type->fields, {}, &TypeSchema::Field::name);
  }
  for (const auto& [copy, original] : copies_) {
    *copy = *original;
    copy->retain_keys = true;
  }
}

TypeSchema& TypeTable::New(Kind kind) {
  TypeSchema& type = types_.emplace_back();
  type.kind = kind;
  return type;
}

TypeSchema::Field TypeTable::ParseField(std::string_view word) {
  auto [name, rest] = Cut(word, ':');
  TypeSchema::Field field{.name = std::string(name)};
  if (const auto value = CutBehind(rest, '&')) field.default_value = *value;
  const std::optional<std::string_view> list_keys = CutBehind(rest, '=');
  const std::optional<std::string_view> merge_key = CutBehind(rest, '+');
  const std::size_t end = rest.find_last_not_of("!~%$#") + 1;
  const auto flag = [flags = rest.substr(end)](char c) { return flags.find(c) != flags.npos; };
  field.omit_empty = !flag('!');
  field.omit_zero = flag('~');
  field.required = flag('$');
  field.pointer = rest.starts_with('*');
  TypeSchema* type = &ParseType(rest.substr(field.pointer ? 1 : 0, end - (field.pointer ? 1 : 0)));
  if (flag('%') && type->kind == Kind::kStruct) {
    // The struct itself is shared with fields that are patched differently.
    copies_.emplace_back(&New(Kind::kStruct), type);
    type = copies_.back().first;
  }
  if (merge_key) {
    type->merge = true;
    type->merge_key = *merge_key;
  }
  if (list_keys) {
    type->list_type = list_keys->empty() ? TypeSchema::ListType::kSet : TypeSchema::ListType::kMap;
    for (const std::string_view key : Pieces(*list_keys, ',')) type->list_keys.emplace_back(key);
    std::ranges::sort(type->list_keys);
  }
  type->retain_keys |= flag('%');
  type->atomic |= flag('#');  // of a map: a struct says it of itself
  field.type = type;
  return field;
}

TypeSchema& TypeTable::ParseType(std::string_view word) {
  for (const auto& [name, kind] : kScalars) {
    if (name == word) return New(kind);
  }
  if (word.starts_with("[]") || word.starts_with("{}")) {
    const TypeSchema& element = ParseType(word.substr(2));
    TypeSchema& type = New(word.starts_with("[]") ? Kind::kList : Kind::kMap);
    type.element = &element;
    return type;
  }
  const auto found = structs_.find(word);
  BASALT_CHECK(found != structs_.end());
  return *found->second;
}

const TypeSchema* TypeTable::Find(std::string_view id) const {
  const auto found = structs_.find(id);
  return found == structs_.end() ? nullptr : found->second;
}

const TypeSchema::Field* TypeSchema::FindField(std::string_view name) const {
  const auto found = std::ranges::lower_bound(fields, name, {}, &Field::name);
  return found != fields.end() && found->name == name ? &*found : nullptr;
}

const TypeSchema* FindBuiltinType(std::string_view id) {
  static const auto* const table = new TypeTable(TypesText());
  return table->Find(id);
}

std::string TypeIdOf(std::string_view api_version, std::string_view kind) {
  if (kind.ends_with("Options")) return fmt::format("meta.{}", kind);
  const auto [group, version] = Cut(api_version, '/');
  if (version.empty()) return fmt::format("core.{}", kind);
  // autoscaling/v2 has types of its own.
  return fmt::format("{}{}.{}", Cut(group, '.').first, version == "v1" ? "" : version, kind);
}

}  // namespace basalt::apiserver
