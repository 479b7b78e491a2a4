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
  std::string_view go_name;
};
constexpr std::array<Scalar, 12> kScalars{{
    {"string", Kind::kString, "string"},
    {"bool", Kind::kBool, "bool"},
    {"int32", Kind::kInt32, "int32"},
    {"int64", Kind::kInt64, "int64"},
    {"float64", Kind::kDouble, "float64"},
    {"quantity", Kind::kQuantity, "resource.Quantity"},
    {"time", Kind::kTime, "v1.Time"},
    {"microtime", Kind::kMicroTime, "v1.MicroTime"},
    {"duration", Kind::kDuration, "v1.Duration"},
    {"intorstring", Kind::kIntOrString, "intstr.IntOrString"},
    {"bytes", Kind::kBytes, "[]uint8"},
    {"any", Kind::kAny, "interface {}"},
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
        Group& group = groups_[std::string(id.substr(1))];
        group.published = NextWord(entry);
        group.package = NextWord(entry);
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
      const bool known = group != groups_.end();
      type.id = id;
      type.go_name = fmt::format("{}{}", known ? group->second.package : "v1", id.substr(dot));
      if (known) type.published_name = fmt::format("{}{}", group->second.published, id.substr(dot));
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
    std::string_view name;
    if (const std::size_t at = word.rfind('@'); at != word.npos) {
      name = word.substr(at + 1);
      word = word.substr(0, at);
    }
    const auto scalar = std::ranges::find(kScalars, word, &Scalar::token);
    if (scalar != kScalars.end()) {
      TypeSchema& type = New(scalar->kind);
      type.go_name = name.empty() ? scalar->go_name : name;
      return &type;
    }
    if (word.starts_with("[]") || word.starts_with("{}")) {
      // A name belongs to the outermost type only where the element is not a scalar: Go names
      // "[]string@v1.OperationType" the element.
      const bool list = word.starts_with("[]");
      const std::string_view inner = word.substr(2);
      const bool named_element = list && !name.empty() && inner == "string";
      TypeSchema* element =
          ParseType(named_element ? fmt::format("{}@{}", inner, name) : std::string(inner));
      if (element == nullptr) return nullptr;
      TypeSchema& type = New(list ? Kind::kList : Kind::kMap);
      type.element = element;
      type.go_name = !name.empty() && !named_element
                         ? std::string(name)
                         : fmt::format("{}{}", list ? "[]" : "map[string]", element->go_name);
      return &type;
    }
    const auto found = table_.structs_.find(word);
    return found == table_.structs_.end() ? nullptr : found->second;
  }

  struct Group {
    std::string published;  // io.k8s.api.core.v1
    std::string package;    // v1
  };

  TypeTable& table_;
  std::map<std::string, Group, std::less<>> groups_;
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
