#include "apiserver/schema/type_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "apiserver/data/tables.h"

namespace basalt::apiserver {
namespace {

using Kind = TypeSchema::Kind;

struct Scalar {
  std::string_view token;
  Kind kind;
};
constexpr std::array<Scalar, 12> kScalars{{
    {"string", Kind::kString},
    {"bool", Kind::kBool},
    {"int32", Kind::kInt32},
    {"int64", Kind::kInt64},
    {"float64", Kind::kDouble},
    {"quantity", Kind::kQuantity},
    {"time", Kind::kTime},
    {"microtime", Kind::kMicroTime},
    {"duration", Kind::kDuration},
    {"intorstring", Kind::kIntOrString},
    {"bytes", Kind::kBytes},
    {"any", Kind::kAny},
}};

// Cuts what follows `mark` off `word`; nothing where there is no such mark.
std::optional<std::string_view> CutBehind(std::string_view& word, char mark) {
  const std::size_t at = word.find(mark);
  if (at == word.npos) return std::nullopt;
  const std::string_view behind = word.substr(at + 1);
  word = word.substr(0, at);
  return behind;
}

std::vector<std::string> SplitKeys(std::string_view text) {
  std::vector<std::string> keys;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    keys.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  std::ranges::sort(keys);
  return keys;
}

}  // namespace

class TypeTableParser {
 public:
  explicit TypeTableParser(TypeTable& table) : table_(table) {}

  Result<void> Parse(std::string_view text) {
    std::vector<std::pair<TypeSchema*, std::string_view>> entries;
    while (!text.empty()) {
      std::string_view entry = NextEntry(text);
      std::string_view id = NextWord(entry);
      if (id.empty()) continue;
      if (id.starts_with('=')) {
        groups_.emplace(id.substr(1), NextWord(entry));
        continue;
      }
      TypeSchema& type = New(Kind::kStruct);
      if (id.ends_with('#')) {
        type.atomic = true;
        id.remove_suffix(1);
      }
      const std::size_t dot = id.find('.');
      if (dot == id.npos) return Bad(id);
      const auto group = groups_.find(id.substr(0, dot));
      type.id = id;
      if (group != groups_.end()) {
        type.published_name = fmt::format("{}{}", group->second, id.substr(dot));
      }
      if (!table_.structs_.emplace(id, &type).second) return Bad(id);
      entries.emplace_back(&type, entry);
    }
    for (auto& [type, rest] : entries) {
      for (std::string_view word = NextWord(rest); !word.empty(); word = NextWord(rest)) {
        Result<TypeSchema::Field> field = ParseField(word);
        if (!field) return std::unexpected(field.error());
        type->fields.push_back(std::move(*field));
      }
      std::ranges::sort(type->fields, {}, &TypeSchema::Field::name);
    }
    for (const auto& [copy, original] : copies_) {
      const bool retain_keys = copy->retain_keys;
      *copy = *original;
      copy->retain_keys = retain_keys;
    }
    return {};
  }

 private:
  TypeSchema& New(Kind kind) {
    TypeSchema& type = table_.types_.emplace_back();
    type.kind = kind;
    return type;
  }

  static std::unexpected<Error> Bad(std::string_view word) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("type table: cannot read {:?}", word));
  }

  Result<TypeSchema::Field> ParseField(std::string_view word) {
    const std::string_view whole = word;
    const std::size_t colon = word.find(':');
    if (colon == word.npos) return Bad(whole);
    TypeSchema::Field field{.name = std::string(word.substr(0, colon))};
    word.remove_prefix(colon + 1);

    if (const auto value = CutBehind(word, '&')) field.default_value = *value;
    const std::optional<std::string_view> list_keys = CutBehind(word, '=');
    const std::optional<std::string_view> merge_key = CutBehind(word, '+');
    bool retain_keys = false;
    bool atomic = false;
    for (; !word.empty(); word.remove_suffix(1)) {
      if (word.back() == '!') {
        field.omit_empty = false;
      } else if (word.back() == '~') {
        field.omit_zero = true;
      } else if (word.back() == '%') {
        retain_keys = true;
      } else if (word.back() == '$') {
        field.required = true;
      } else if (word.back() == '#') {
        atomic = true;
      } else {
        break;
      }
    }
    if (word.starts_with('*')) {
      field.pointer = true;
      word.remove_prefix(1);
    }
    TypeSchema* type = ParseType(word);
    if (type == nullptr) return Bad(whole);
    if (retain_keys && type->kind == Kind::kStruct) {
      // The struct itself is shared with fields that are patched differently.
      TypeSchema& copy = New(Kind::kStruct);
      copies_.emplace_back(&copy, type);
      type = &copy;
    }
    if (merge_key) {
      type->merge = true;
      type->merge_key = *merge_key;
    }
    if (list_keys) {
      type->list_type =
          list_keys->empty() ? TypeSchema::ListType::kSet : TypeSchema::ListType::kMap;
      type->list_keys = SplitKeys(*list_keys);
    }
    type->retain_keys |= retain_keys;
    type->atomic |= atomic;  // of a map: a struct says it of itself
    field.type = type;
    return field;
  }

  TypeSchema* ParseType(std::string_view word) {
    const auto scalar = std::ranges::find(kScalars, word, &Scalar::token);
    if (scalar != kScalars.end()) return &New(scalar->kind);
    if (word.starts_with("[]") || word.starts_with("{}")) {
      TypeSchema* element = ParseType(word.substr(2));
      if (element == nullptr) return nullptr;
      TypeSchema& type = New(word.starts_with("[]") ? Kind::kList : Kind::kMap);
      type.element = element;
      return &type;
    }
    const auto found = table_.structs_.find(word);
    return found == table_.structs_.end() ? nullptr : found->second;
  }

  TypeTable& table_;
  std::map<std::string, std::string, std::less<>> groups_;  // published names: io.k8s.api.core.v1
  std::vector<std::pair<TypeSchema*, const TypeSchema*>> copies_;
};

Result<TypeTable> TypeTable::Parse(std::string_view text) {
  TypeTable table;
  if (Result<void> parsed = TypeTableParser(table).Parse(text); !parsed) {
    return std::unexpected(parsed.error());
  }
  return table;
}

const TypeSchema* TypeTable::Find(std::string_view id) const {
  const auto found = structs_.find(id);
  return found == structs_.end() ? nullptr : found->second;
}

const TypeSchema::Field* TypeSchema::FindField(std::string_view name) const {
  const auto found = std::ranges::lower_bound(fields, name, {}, &Field::name);
  return found != fields.end() && found->name == name ? &*found : nullptr;
}

}  // namespace basalt::apiserver
