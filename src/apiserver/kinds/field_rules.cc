#include "apiserver/kinds/field_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <map>
#include <ranges>
#include <set>

#include "apiserver/data/tables.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/object/object.h"
#include "apiserver/object/text.h"
#include "base/check.h"

namespace basalt::apiserver {
namespace {

using Kind = TypeSchema::Kind;

struct Condition {
  Path field;
  std::vector<std::string> values;  // empty: that it is there
  bool wanted = true;

  bool Holds(const json::object& holder) const {
    const json::value* found = Follow(holder, field);
    const bool holds = values.empty()
                           ? IsThere(found)
                           : std::ranges::find(values, found ? TextOf(*found) : "") != values.end();
    return holds == wanted;
  }
};

struct Row {
  std::string name;
  Path path;  // empty: the struct itself
  const TypeSchema* type = nullptr;
  bool pointer = false;
  std::optional<json::value> fill;
  std::vector<Condition> conditions;
  bool required = false;
  bool always = false;
  bool immutable = false;
  bool unchecked = false;
  std::vector<std::string> but;
  std::string at;
  Checked::Reason reason = Checked::Reason::kInvalid;
  std::vector<FieldCheck> checks;

  bool Applies(const json::object& holder) const {
    return std::ranges::all_of(conditions, [&](const Condition& one) { return one.Holds(holder); });
  }
};

using Flag = bool Row::*;
constexpr std::pair<std::string_view, Flag> kFlags[] = {{"required", &Row::required},
                                                        {"always", &Row::always},
                                                        {"immutable", &Row::immutable},
                                                        {"unchecked", &Row::unchecked}};

struct TypeRules {
  // Fields whose types have rules: structs and lists of them.
  struct Inside {
    std::string_view field;
    const TypeRules* rules;
    std::string at;  // as in Row
    bool checked = true;
  };

  std::vector<Row> rows;
  const Hooks* hooks = nullptr;
  std::vector<Inside> inside;
};

json::value ParseDefault(std::string_view text) {
  boost::system::error_code error;
  json::value value = json::parse(text, error);
  return error ? json::value(text) : value;
}

const TypeSchema& ElementOf(const TypeSchema& type) {
  return type.kind == Kind::kList ? ElementOf(*type.element) : type;
}

// The table

class RuleTable {
 public:
  RuleTable() {
    std::string_view text = FieldRulesText();
    for (std::string_view entry = NextEntry(text); !entry.empty(); entry = NextEntry(text)) {
      if (!entry.starts_with('#')) ReadEntry(entry);
    }
    for (const Hooks& hooks : AllHooks()) types_[std::string(hooks.type)].hooks = &hooks;
    std::string_view kinds = KindsText();
    for (std::string_view entry = NextEntry(kinds); !entry.empty(); entry = NextEntry(kinds)) {
      if (const TypeSchema* type = FindBuiltinType(NextWord(entry))) Connect(*type);
    }
  }

  // Nothing where there is nothing to do about a type.
  const TypeRules* Of(std::string_view id) const {
    const auto found = types_.find(id);
    return found == types_.end() || IsEmpty(found->second) ? nullptr : &found->second;
  }

 private:
  static bool IsEmpty(const TypeRules& rules) {
    return rules.rows.empty() && rules.hooks == nullptr && rules.inside.empty();
  }

  void ReadEntry(std::string_view entry) {
    std::string text(entry);
    constexpr std::string_view kMore = "\n    ";
    for (std::size_t at = text.find(kMore); at != text.npos; at = text.find(kMore, at)) {
      text.replace(at, kMore.size(), text[at - 1] == ',' ? "" : " ");
    }
    const std::size_t colon = text.find(": ");
    if (colon < text.find('\n')) text[colon] = '\n';
    const std::vector<std::string> lines = Split(text, '\n');
    for (const std::string& id : Split(lines[0], ' ')) {
      const TypeSchema* type = FindBuiltinType(id);
      if (type == nullptr) {
        const std::size_t dot = id.rfind('.');
        const TypeSchema* holder = FindBuiltinType(id.substr(0, dot));
        BASALT_CHECK(holder != nullptr);
        type = &ElementOf(*holder->FindField(id.substr(dot + 1))->type);
      }
      for (std::string_view line : lines | std::views::drop(1)) {
        for (const std::string& field : Split(NextWord(line), ',')) {
          if (!field.empty() && field != "#") ReadRow(*type, types_[id], field, line);
        }
      }
    }
  }

  static void ReadRow(const TypeSchema& type, TypeRules& rules, const std::string& field,
                      std::string_view words) {
    Row row{.name = field, .always = field == "."};
    for (std::string_view word = NextWord(words); !word.empty(); word = NextWord(words)) {
      const auto [name, value] = Cut(word, '=');
      const auto flag = std::ranges::find(kFlags, name, &std::pair<std::string_view, Flag>::first);
      if (name.empty()) {
        row.fill = ParseDefault(value);
      } else if (name == "if" || name == "unless") {
        const std::vector<std::string> condition = Split(NextWord(words), '=');
        row.conditions.push_back({.field = Split(condition[0], '.'), .wanted = name == "if"});
        if (condition.size() > 1) row.conditions.back().values = Split(condition[1], ',');
      } else if (flag != std::end(kFlags)) {
        row.*flag->second = true;
      } else if (name == "at") {
        row.at = value;
      } else if (name == "but") {
        row.but = Split(value, ',');
      } else if (name == "as") {
        row.reason = value == "required" ? Checked::Reason::kRequired : Checked::Reason::kForbidden;
      } else {
        row.checks.push_back(FieldCheckOf(word, row.always));
      }
    }
    if (field != ".") {
      Resolve(type, row);
    } else if (row.at.empty()) {
      row.at = ".";
    }
    rules.rows.push_back(std::move(row));
  }

  static void Resolve(const TypeSchema& type, Row& row) {
    row.path = Split(row.name, '.');
    row.type = &type;
    for (const std::string& name : row.path) {
      const TypeSchema::Field* field = row.type->FindField(name);
      BASALT_CHECK(field != nullptr || row.type->kind == Kind::kMap);
      row.pointer = field == nullptr || field->pointer;
      row.type = field == nullptr ? row.type->element : field->type;
    }
  }

  // Finds which fields of a type lead to rules. A type within itself does not lead there twice.
  const TypeRules* Connect(const TypeSchema& type) {
    TypeRules& rules = types_[type.id];
    if (connected_.insert(type.id).second) {
      for (const TypeSchema::Field& field : type.fields) {
        const TypeSchema& element = ElementOf(*field.type);
        if (element.kind != Kind::kStruct) continue;
        const auto row = std::ranges::find(rules.rows, field.name, &Row::name);
        for (const TypeRules* found :
             {Connect(element), Of(fmt::format("{}.{}", type.id, field.name))}) {
          if (found == nullptr) continue;
          const bool none = row == rules.rows.end();
          rules.inside.push_back({.field = field.name,
                                  .rules = found,
                                  .at = none ? "" : row->at,
                                  .checked = none || !row->unchecked});
        }
      }
    }
    return IsEmpty(rules) ? nullptr : &rules;
  }

  std::map<std::string, TypeRules, std::less<>> types_;
  std::set<std::string> connected_;
};

const TypeRules* RulesOf(const TypeSchema& type) {
  static const RuleTable* const table = new RuleTable();
  return table->Of(type.id);
}

// Applying it

// Decoding has dropped what Go cannot tell from absent, so that a zero here is one that the client
// wrote; but for an empty string that Go always encodes.
bool IsUnset(const json::value* value, const Row& row) {
  if (value == nullptr || value->is_null()) return true;
  return !row.pointer && value->is_string() && value->get_string().empty();
}

void Fill(json::object& value, const TypeRules& rules) {
  for (const Row& row : rules.rows) {
    if (!row.fill || !IsUnset(value.if_contains(row.name), row)) continue;
    if (row.Applies(value)) value[row.name] = *row.fill;
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

// A number that cannot be absent is so where it is zero.
bool IsMissing(const json::value* value, const Row& row) {
  if (!IsThere(value)) return true;
  const bool nullable = row.pointer && row.type->kind != Kind::kIntOrString;
  return value->is_int64() && value->get_int64() == 0 && !nullable;
}

json::value EmptyOf(const TypeSchema* type) {
  if (type == nullptr) return {};
  const bool number =
      type->kind == Kind::kInt32 || type->kind == Kind::kInt64 || type->kind == Kind::kIntOrString;
  return number ? json::value(0) : json::value("");
}

// What complaints call a field of the struct at `path`.
std::string Where(const std::string& path, std::string_view field, std::string_view at) {
  if (at.empty()) return Sub(path, field);
  if (at == ".") return path;
  if (at.starts_with('/')) return std::string(at.substr(1));
  if (!at.starts_with("..")) return Sub(path, at);
  const std::string list = path.substr(0, path.rfind('['));
  return at == ".." ? list : Sub(list, at.substr(3));
}

// Goes through a value with its path, which grows and shrinks on the way: it is made once.
class Checker {
 public:
  explicit Checker(FieldErrors& errors) : errors_(errors) {}

  // All of a struct; of an object either its status or everything else.
  void Struct(const json::object& value, const TypeRules& rules, bool root = false,
              bool status = false) {
    const std::size_t told = errors_.all().size();
    for (const Row& row : rules.rows) {
      if (!status && row.Applies(value)) Field(value, row);
    }
    // What may not be there is not looked into.
    const auto is_forbidden = [&](std::string_view field) {
      return std::ranges::any_of(errors_.all() | std::views::drop(told), [&](const FieldError& it) {
        return it.type == "FieldValueForbidden" && it.field == Sub(path_, field);
      });
    };
    for (const TypeRules::Inside& inside : rules.inside) {
      const bool wanted = !root || (inside.field == "status") == status;
      if (inside.checked && wanted && !is_forbidden(inside.field)) Inside(value, inside);
    }
    if (rules.hooks != nullptr && rules.hooks->check != nullptr && !status) {
      rules.hooks->check(value, path_, errors_);
    }
  }

 private:
  void Field(const json::object& value, const Row& row) {
    const json::value* found = row.path.empty() ? nullptr : Follow(value, row.path);
    if (row.required && IsMissing(found, row)) {
      errors_.Required(Where(path_, row.name, row.at));
      return;
    }
    const bool absent = found == nullptr || found->is_null();
    if (row.checks.empty() || (absent && !row.always)) return;
    const std::string path = Where(path_, row.name, row.at);
    const json::value empty = absent ? EmptyOf(row.type) : json::value();
    for (const FieldCheck& check : row.checks) {
      check({.value = absent ? empty : *found,
             .holder = value,
             .path = path,
             .reason = row.reason,
             .indexed = row.at.empty(),
             .errors = errors_});
    }
  }

  void Inside(const json::object& value, const TypeRules::Inside& inside) {
    const json::value* found = value.if_contains(inside.field);
    if (found == nullptr) return;
    const std::string before = path_;
    path_ = Where(path_, inside.field, inside.at);
    if (const json::array* list = found->if_array()) {
      const std::size_t length = path_.size();
      for (std::size_t i = 0; i < list->size(); ++i) {
        path_ += fmt::format("[{}]", i);
        Struct(AsObject((*list)[i]), *inside.rules);
        path_.resize(length);
      }
    } else if (found->is_object()) {
      Struct(found->get_object(), *inside.rules);
    }
    path_ = before;
  }

  FieldErrors& errors_;
  std::string path_;
};

}  // namespace

void FillDefaults(json::object& object, const TypeSchema& kind) {
  if (const TypeRules* rules = RulesOf(kind)) Fill(object, *rules);
}

void CheckDesired(const json::object& object, const TypeSchema& kind, FieldErrors& errors) {
  if (const TypeRules* rules = RulesOf(kind)) Checker(errors).Struct(object, *rules, true, false);
}

void CheckStatus(const json::object& object, const TypeSchema& kind, FieldErrors& errors) {
  if (const TypeRules* rules = RulesOf(kind)) Checker(errors).Struct(object, *rules, true, true);
}

void CheckImmutable(const json::object& object, const json::object& old, const TypeSchema& type,
                    bool status, FieldErrors& errors, const std::string& path) {
  const TypeRules* rules = RulesOf(type);
  if (rules == nullptr) return;
  const bool root = path.empty();
  for (const Row& row : rules->rows) {
    if (!row.immutable || (root && status) || !row.Applies(old)) continue;
    if (!row.path.empty()) {
      RequireUnchanged(Follow(object, row.path), Follow(old, row.path), Sub(path, row.name), errors,
                       row.reason == Checked::Reason::kForbidden);
      continue;
    }
    json::object rest = object;
    for (const std::string& field : row.but) Restore(rest, old, field);
    if (rest == old) continue;
    errors.Forbidden(Where(path, "", row.at),
                     "may not change: " + ChangedFields(old, rest, type.id));
  }
  for (const TypeSchema::Field& field : type.fields) {
    if (field.type->kind != Kind::kStruct || (root && (field.name == "status") != status)) continue;
    const json::object* now = FindObject(object, {field.name});
    const json::object* before = FindObject(old, {field.name});
    if (now == nullptr || before == nullptr) continue;
    CheckImmutable(*now, *before, *field.type, status, errors, Sub(path, field.name));
  }
}

}  // namespace basalt::apiserver
