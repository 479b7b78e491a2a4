#include "apiserver/kinds/field_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "apiserver/data/tables.h"
#include "apiserver/kinds/field_checks.h"
#include "apiserver/kinds/object_meta.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/builtin_types.h"
#include "base/check.h"

namespace basalt::apiserver {
namespace {

using Kind = TypeSchema::Kind;

struct Row {
  const TypeSchema::Field* field = nullptr;
  std::optional<json::value> fill;
  std::string if_field;  // empty: always
  std::vector<std::string> if_values;
  bool required = false;
  bool always = false;
  bool immutable = false;
  std::vector<FieldCheck> checks;
};

struct TypeRules {
  struct Inside {
    std::string_view field;
    const TypeRules* rules;
  };

  std::vector<Row> rows;
  std::vector<FieldCheck> of_itself;
  std::vector<std::string> exclusive;  // fields of which there is one, in the order that they count
  const TypeHooks* hooks = nullptr;
  std::vector<Inside> inside;  // fields whose types have rules: structs and lists of them
};

json::value ParseDefault(std::string_view text) {
  boost::system::error_code error;
  json::value value = json::parse(text, error);
  return error ? json::value(text) : value;
}

// The table

class RuleTable {
 public:
  RuleTable() {
    ReadRows();
    for (const auto& hooks : {SelectorHooks(), PodSpecHooks(), ContainerHooks(), AffinityHooks(),
                              VolumeHooks(), JobHooks(), NetworkHooks(), WebhookHooks()}) {
      for (const TypeHooks& hook : hooks) types_[std::string(hook.type)].hooks = &hook;
    }
    std::string_view kinds = KindsText();
    for (std::string_view entry = NextEntry(kinds); !entry.empty(); entry = NextEntry(kinds)) {
      if (const TypeSchema* type = FindBuiltinType(NextWord(entry))) Connect(*type);
    }
  }

  // Nothing where there is nothing to do about a type.
  const TypeRules* Of(const TypeSchema& type) const {
    const auto found = types_.find(type.id);
    return found == types_.end() || IsEmpty(found->second) ? nullptr : &found->second;
  }

 private:
  static bool IsEmpty(const TypeRules& rules) {
    return rules.rows.empty() && rules.of_itself.empty() && rules.exclusive.empty() &&
           rules.hooks == nullptr && rules.inside.empty();
  }

  void ReadRows() {
    std::vector<const TypeSchema*> types;
    for (const std::string& line : Split(FieldRulesText(), '\n')) {
      if (line.empty() || line.starts_with('#')) continue;
      std::string_view rest = line;
      if (!line.starts_with(' ')) {
        types.clear();
        for (std::string_view id = NextWord(rest); !id.empty(); id = NextWord(rest)) {
          types.push_back(FindBuiltinType(id));
          BASALT_CHECK(types.back() != nullptr);
        }
        continue;
      }
      const std::vector<std::string> fields = Split(NextWord(rest), ',');
      for (const TypeSchema* type : types) {
        for (const std::string& field : fields) ReadRow(*type, field, rest);
      }
    }
  }

  void ReadRow(const TypeSchema& type, const std::string& field, std::string_view words) {
    TypeRules& rules = types_[type.id];
    Row row;
    for (std::string_view word = NextWord(words); !word.empty(); word = NextWord(words)) {
      if (word.starts_with('=')) {
        row.fill = ParseDefault(word.substr(1));
      } else if (word == "if") {
        const std::vector<std::string> condition = Split(NextWord(words), '=');
        BASALT_CHECK(condition.size() == 2);
        row.if_field = condition[0];
        row.if_values = Split(condition[1], ',');
      } else if (word == "required") {
        row.required = true;
      } else if (word == "always") {
        row.always = true;
      } else if (word == "immutable") {
        row.immutable = true;
      } else if (constexpr std::string_view kExclusive = "exclusive=";
                 word.starts_with(kExclusive)) {
        rules.exclusive = Split(word.substr(kExclusive.size()), ',');
      } else {
        row.checks.push_back(FieldCheckOf(word, row.always));
      }
    }
    if (field == ".") {
      rules.of_itself = std::move(row.checks);
      return;
    }
    row.field = type.FindField(field);
    BASALT_CHECK(row.field != nullptr);
    rules.rows.push_back(std::move(row));
  }

  // Finds which fields of a type lead to rules. A type within itself does not lead there twice.
  const TypeRules* Connect(const TypeSchema& type) {
    TypeRules& rules = types_[type.id];
    if (connected_.insert(type.id).second) {
      for (const TypeSchema::Field& field : type.fields) {
        const TypeSchema* element = field.type;
        while (element->kind == Kind::kList) element = element->element;
        if (element->kind != Kind::kStruct) continue;
        if (const TypeRules* found = Connect(*element)) rules.inside.push_back({field.name, found});
      }
    }
    return IsEmpty(rules) ? nullptr : &rules;
  }

  std::map<std::string, TypeRules, std::less<>> types_;
  std::set<std::string> connected_;
};

const RuleTable& TheRules() {
  static const RuleTable* const table = new RuleTable();
  return *table;
}

// Applying it

// Decoding has dropped what Go cannot tell from absent, so that a zero here is one that somebody
// wrote; but for an empty string that Go always encodes.
bool IsUnset(const json::value* value, const TypeSchema::Field& field) {
  if (value == nullptr || value->is_null()) return true;
  return !field.pointer && value->is_string() && value->get_string().empty();
}

bool Applies(const Row& row, const json::object& value) {
  return row.if_field.empty() ||
         std::ranges::find(row.if_values, GetString(value, {row.if_field})) != row.if_values.end();
}

void Fill(json::object& value, const TypeRules& rules) {
  for (const Row& row : rules.rows) {
    if (!row.fill || !IsUnset(value.if_contains(row.field->name), *row.field)) continue;
    if (Applies(row, value)) value[row.field->name] = *row.fill;
  }
  for (const TypeRules::Inside& inside : rules.inside) {
    json::value* found = value.if_contains(inside.field);
    if (found == nullptr) continue;
    if (json::array* list = found->if_array()) {
      for (json::value& item : *list) {
        if (item.is_object()) Fill(item.get_object(), *inside.rules);
      }
    } else if (found->is_object()) {
      Fill(found->get_object(), *inside.rules);
    }
  }
  if (rules.hooks != nullptr && rules.hooks->fill != nullptr) rules.hooks->fill(value);
}

bool IsMissing(const json::value* value) {
  if (value == nullptr || value->is_null()) return true;
  if (value->is_string()) return value->get_string().empty();
  if (value->is_array()) return value->get_array().empty();
  return value->is_int64() && value->get_int64() == 0;
}

bool IsOneOf(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

json::value EmptyOf(const TypeSchema& type) {
  const bool number =
      type.kind == Kind::kInt32 || type.kind == Kind::kInt64 || type.kind == Kind::kIntOrString;
  return number ? json::value(0) : json::value("");
}

// Goes through a value with its path, which grows and shrinks on the way: it is made once.
class Checker {
 public:
  explicit Checker(FieldErrors& errors) : errors_(errors) {}

  void Struct(const json::object& value, const TypeRules& rules) {
    for (const Row& row : rules.rows) Field(value, row);
    for (const FieldCheck& check : rules.of_itself) check(value, path_, errors_);
    const std::string_view counts = Exclusive(value, rules.exclusive);
    for (const TypeRules::Inside& inside : rules.inside) {
      const bool other = inside.field != counts && IsOneOf(rules.exclusive, inside.field);
      if (!other) Inside(value, inside);
    }
    if (rules.hooks != nullptr && rules.hooks->check != nullptr) {
      rules.hooks->check(value, path_, errors_);
    }
  }

  // Which of the fields counts: the first one. The others may not be there, and are not looked
  // into.
  std::string_view Exclusive(const json::object& value, const std::vector<std::string>& fields) {
    std::string_view first;
    for (const std::string& field : fields) {
      if (Find(value, {field}) == nullptr) continue;
      if (first.empty()) {
        first = field;
      } else {
        errors_.Forbidden(At(field), fmt::format("may not be specified beside {}", first));
      }
    }
    if (first.empty() && !fields.empty()) {
      errors_.Required(path_, fmt::format("must have one of {}", fmt::join(fields, ", ")));
    }
    return first;
  }

  void Field(const json::object& value, const Row& row) {
    const json::value* found = value.if_contains(row.field->name);
    const bool missing = IsMissing(found);
    if (missing && row.required) {
      errors_.Required(At(row.field->name));
      return;
    }
    const bool absent = found == nullptr || found->is_null();
    if (row.checks.empty() || (absent && !row.always)) return;
    const std::string path = At(row.field->name);
    const json::value empty = absent ? EmptyOf(*row.field->type) : json::value();
    for (const FieldCheck& check : row.checks) check(absent ? empty : *found, path, errors_);
  }

  void Inside(const json::object& value, const TypeRules::Inside& inside) {
    const json::value* found = value.if_contains(inside.field);
    if (found == nullptr) return;
    const std::size_t length = path_.size();
    path_ = At(inside.field);
    if (const json::array* list = found->if_array()) {
      const std::size_t list_length = path_.size();
      for (std::size_t i = 0; i < list->size(); ++i) {
        path_ += fmt::format("[{}]", i);
        Struct(AsObject((*list)[i]), *inside.rules);
        path_.resize(list_length);
      }
    } else if (found->is_object()) {
      Struct(found->get_object(), *inside.rules);
    }
    path_.resize(length);
  }

 private:
  std::string At(std::string_view field) const {
    return path_.empty() ? std::string(field) : fmt::format("{}.{}", path_, field);
  }

  FieldErrors& errors_;
  std::string path_;
};

void CheckUnchanged(const json::object& object, const json::object& old, const TypeSchema& type,
                    const std::string& path, FieldErrors& errors) {
  const TypeRules* rules = TheRules().Of(type);
  if (rules == nullptr) return;
  const auto at = [&](const std::string& field) {
    return path.empty() ? field : fmt::format("{}.{}", path, field);
  };
  for (const Row& row : rules->rows) {
    if (row.immutable) {
      RequireUnchanged(object, old, row.field->name, at(row.field->name), errors);
    }
  }
  for (const TypeSchema::Field& field : type.fields) {
    if (field.type->kind != Kind::kStruct || field.name == "status") continue;
    const json::object* now = FindObject(object, {field.name});
    const json::object* before = FindObject(old, {field.name});
    if (now == nullptr || before == nullptr) continue;
    CheckUnchanged(*now, *before, *field.type, at(field.name), errors);
  }
}

}  // namespace

void FillDefaults(json::object& object, const TypeSchema& kind) {
  if (const TypeRules* rules = TheRules().Of(kind)) Fill(object, *rules);
}

void CheckDesired(const json::object& object, const TypeSchema& kind, FieldErrors& errors) {
  const TypeRules* rules = TheRules().Of(kind);
  if (rules == nullptr) return;
  Checker checker(errors);
  for (const Row& row : rules->rows) checker.Field(object, row);
  for (const TypeRules::Inside& inside : rules->inside) {
    if (inside.field != "status") checker.Inside(object, inside);
  }
}

void CheckStatus(const json::object& object, const TypeSchema& kind, FieldErrors& errors) {
  const TypeRules* rules = TheRules().Of(kind);
  if (rules == nullptr) return;
  Checker checker(errors);
  for (const TypeRules::Inside& inside : rules->inside) {
    if (inside.field == "status") checker.Inside(object, inside);
  }
}

void CheckImmutable(const json::object& object, const json::object& old, const TypeSchema& kind,
                    FieldErrors& errors) {
  CheckUnchanged(object, old, kind, "", errors);
}

}  // namespace basalt::apiserver
