#include "apiserver/crd/structural_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/regex.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "apiserver/kinds/checks.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

bool IsIntegral(const json::value& value) {
  if (value.is_int64() || value.is_uint64()) return true;
  return value.is_double() && value.get_double() == std::trunc(value.get_double());
}

double Number(const json::value& value) {
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  if (value.is_uint64()) return static_cast<double>(value.get_uint64());
  return value.get_double();
}

// The type's name as validation messages have it.
std::string_view TypeName(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null: return "null";
    case json::kind::bool_: return "boolean";
    case json::kind::string: return "string";
    case json::kind::array: return "array";
    case json::kind::object: return "object";
    case json::kind::double_: return IsIntegral(value) ? "integer" : "number";
    default: return "integer";
  }
}

std::size_t CountCharacters(std::string_view utf8) {
  return static_cast<std::size_t>(std::ranges::count_if(
      utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

bool LooksLikeDateTime(std::string_view text) {
  static const boost::regex kPattern(
      R"(^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$)");
  return boost::regex_match(text.begin(), text.end(), kPattern);
}

// The same for values that are equal: an object's keys in order.
void AppendCanonical(std::string& out, const json::value& value) {
  if (const json::object* object = value.if_object()) {
    std::map<std::string_view, const json::value*> sorted;
    for (const auto& [key, item] : *object) sorted.emplace(key, &item);
    out += '{';
    for (const auto& [key, item] : sorted) {
      AppendJsonString(out, key);
      AppendCanonical(out, *item);
    }
    out += '}';
  } else if (const json::array* array = value.if_array()) {
    out += '[';
    for (const json::value& item : *array) {
      AppendCanonical(out, item);
      out += ',';
    }
    out += ']';
  } else {
    AppendJson(out, value);
  }
}

std::string CanonicalText(const json::value& value) {
  std::string out;
  AppendCanonical(out, value);
  return out;
}

bool IsOfType(std::string_view field) {
  return field == "apiVersion" || field == "kind" || field == "metadata";
}

std::optional<double> NumberIn(const json::object& schema, std::string_view keyword) {
  const json::value* value = Find(schema, {keyword});
  return value != nullptr && value->is_number() ? std::optional(Number(*value)) : std::nullopt;
}

std::optional<std::size_t> CountIn(const json::object& schema, std::string_view keyword) {
  const std::optional<double> value = NumberIn(schema, keyword);
  if (!value || *value < 0) return std::nullopt;
  return static_cast<std::size_t>(std::min(*value, 1e15));  // more than anything is long
}

// What a property must be: its own schema, or that of all that have none; null: nothing is said.
const json::object* PropertyType(const json::object& schema, std::string_view name) {
  const json::object* property = FindObject(schema, {"properties", name});
  return property != nullptr ? property : FindObject(schema, {"additionalProperties"});
}

// Calls `see` with each schema within a schema and where it is, until that fails.
template <class See>
Result<void> ForEachPart(const json::object& schema, const std::string& path, See see) {
  for (const auto& [name, part] : ObjectOf(schema, "properties")) {
    const std::string at = fmt::format("{}.properties[{}]", path, std::string_view(name));
    if (Result<void> seen = see(part, at); !seen) return seen;
  }
  for (const std::string_view keyword : {"additionalProperties", "items", "not"}) {
    const json::value* part = Find(schema, {keyword});
    if (part == nullptr || (part->is_bool() && keyword == "additionalProperties")) continue;
    if (Result<void> seen = see(*part, Sub(path, keyword)); !seen) return seen;
  }
  for (const std::string_view keyword : {"allOf", "anyOf", "oneOf"}) {
    const json::array& list = ListOf(schema, keyword);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string at = fmt::format("{}.{}[{}]", path, keyword, i);
      if (Result<void> seen = see(list[i], at); !seen) return seen;
    }
  }
  return {};
}

void PruneObject(json::object& object, const json::object& schema, const std::string& path,
                 bool root, std::vector<std::string>* unknown);

void PruneValue(json::value& value, const json::object& schema, const std::string& path,
                std::vector<std::string>* unknown) {
  const json::object* items = FindObject(schema, {"items"});
  if (json::object* object = value.if_object()) {
    PruneObject(*object, schema, path, false, unknown);
  } else if (json::array* array = value.if_array(); array != nullptr && items != nullptr) {
    for (std::size_t i = 0; i < array->size(); ++i) {
      PruneValue((*array)[i], *items, fmt::format("{}[{}]", path, i), unknown);
    }
  }
}

void PruneObject(json::object& object, const json::object& schema, const std::string& path,
                 bool root, std::vector<std::string>* unknown) {
  const bool names_type = root || GetBool(schema, {"x-kubernetes-embedded-resource"});
  const bool open = GetBool(schema, {"x-kubernetes-preserve-unknown-fields"}) ||
                    GetBool(schema, {"additionalProperties"});
  std::vector<std::string> gone;
  for (auto& [key, value] : object) {
    const std::string_view name = key;
    if (names_type && IsOfType(name)) continue;
    const json::object* property = PropertyType(schema, name);
    if (property == nullptr) {
      if (open) continue;
      gone.emplace_back(name);
      if (unknown != nullptr) unknown->push_back(Sub(path, name));
    } else if (value.is_null() && !GetBool(*property, {"nullable"})) {
      gone.emplace_back(name);  // so that a default can take its place
    } else {
      PruneValue(value, *property, Sub(path, name), unknown);
    }
  }
  for (const std::string& name : gone) object.erase(name);
}

void DefaultObject(json::object& object, const json::object& schema);

void DefaultValue(json::value& value, const json::object& schema) {
  const json::object* items = FindObject(schema, {"items"});
  if (json::object* object = value.if_object()) {
    DefaultObject(*object, schema);
  } else if (json::array* array = value.if_array(); array != nullptr && items != nullptr) {
    for (json::value& item : *array) DefaultValue(item, *items);
  }
}

void DefaultObject(json::object& object, const json::object& schema) {
  for (const auto& [name, property] : ObjectOf(schema, "properties")) {
    const json::value* given = AsObject(property).if_contains("default");
    if (given != nullptr && !object.contains(name)) object[name] = *given;
  }
  for (auto& [name, value] : object) {
    if (const json::object* property = PropertyType(schema, name)) DefaultValue(value, *property);
  }
}

using Patterns = std::map<std::string, boost::regex, std::less<>>;  // by their text

// One object's validation.
class Validation {
 public:
  Validation(const Patterns& patterns, FieldErrors& errors)
      : patterns_(patterns), errors_(errors) {}

  void Object(const json::object& object, const json::object& schema, const std::string& path,
              bool root = false) {
    for (const json::value& name : ListOf(schema, "required")) {
      if (name.is_string() && !object.contains(AsText(name))) {
        errors_.Required(Sub(path, AsText(name)));
      }
    }
    if (GetBool(schema, {"x-kubernetes-embedded-resource"})) {
      for (const std::string_view name : {"apiVersion", "kind"}) {
        if (GetString(object, {name}).empty()) {
          errors_.Required(Sub(path, name), "must not be empty");
        }
      }
    }
    Size(object.size(), schema, path, "minProperties", "maxProperties", "properties");
    for (const auto& [key, value] : object) {
      const std::string_view name = key;
      if (root && IsOfType(name)) continue;
      if (const json::object* property = PropertyType(schema, name)) {
        Value(value, *property, Sub(path, name));
      }
    }
  }

 private:
  void Value(const json::value& value, const json::object& schema, const std::string& path) {
    if (value.is_null() && GetBool(schema, {"nullable"})) return;
    if (!CheckType(value, schema, path)) return;
    if (value.is_number()) {
      NumberValue(value, schema, path);
    } else if (value.is_string()) {
      Text(value, schema, path);
    } else if (value.is_array()) {
      Array(value.get_array(), schema, path);
    } else if (value.is_object()) {
      Object(value.get_object(), schema, path);
    }
    const json::array& allowed = ListOf(schema, "enum");
    if (!allowed.empty() && std::ranges::find(allowed, value) == allowed.end()) {
      std::vector<std::string> supported;
      for (const json::value& item : allowed) {
        supported.push_back(item.is_string() ? std::string(item.get_string()) : ToText(item));
      }
      errors_.NotSupported(path, value, supported);
    }
    Combinations(value, schema, path);
  }

  bool CheckType(const json::value& value, const json::object& schema, const std::string& path) {
    const auto wrong = [&](std::string_view wanted, std::string_view is) {
      errors_.Add({"FieldValueTypeInvalid", path,
                   fmt::format("Invalid value: \"{}\": {} in body must be of type {}: \"{}\"", is,
                               path, wanted, is)});
      return false;
    };
    const std::string_view is = TypeName(value);
    if (GetBool(schema, {"x-kubernetes-int-or-string"})) {
      return value.is_string() || IsIntegral(value) ? true : wrong("integer,string", is);
    }
    const std::string_view type = GetString(schema, {"type"});
    const std::string_view format = GetString(schema, {"format"});
    if (type.empty() || type == is || (type == "number" && value.is_number())) return true;
    if (type == "integer" && value.is_double() && (format == "int32" || format == "int64")) {
      wrong(format, "float64");
      NotOfFormat(format, path);
      return false;
    }
    return wrong(type, is);
  }

  void NotOfFormat(std::string_view format, const std::string& path) {
    errors_.Add({"FieldValueInvalid", "<nil>",
                 fmt::format("Invalid value: \"\": Checked value must be of type integer with "
                             "format {} in {}",
                             format, path)});
  }

  void NumberValue(const json::value& value, const json::object& schema, const std::string& path) {
    const double number = Number(value);
    if (GetString(schema, {"format"}) == "int32" &&
        (number < std::numeric_limits<std::int32_t>::min() ||
         number > std::numeric_limits<std::int32_t>::max())) {
      NotOfFormat("int32", path);
    }
    const auto bound = [&](double limit, std::string_view words) {
      errors_.Invalid(
          path, value,
          fmt::format("{} in body should be {} {}", path, words, ToText(json::value(limit))));
    };
    const bool above = GetBool(schema, {"exclusiveMinimum"});
    const bool below = GetBool(schema, {"exclusiveMaximum"});
    if (const auto least = NumberIn(schema, "minimum");
        least && (above ? number <= *least : number < *least)) {
      bound(*least, above ? "greater than" : "greater than or equal to");
    }
    if (const auto most = NumberIn(schema, "maximum");
        most && (below ? number >= *most : number > *most)) {
      bound(*most, below ? "less than" : "less than or equal to");
    }
    if (const auto step = NumberIn(schema, "multipleOf");
        step && *step != 0 && std::fmod(number, *step) != 0) {
      bound(*step, "a multiple of");
    }
  }

  void Text(const json::value& value, const json::object& schema, const std::string& path) {
    const std::string_view text = value.get_string();
    const std::size_t length = CountCharacters(text);
    if (const auto most = CountIn(schema, "maxLength"); most && length > *most) {
      errors_.TooLong(path, *most);
    }
    if (const auto least = CountIn(schema, "minLength"); least && length < *least) {
      errors_.Invalid(path, value,
                      fmt::format("{} in body should be at least {} chars long", path, *least));
    }
    const std::string_view pattern = GetString(schema, {"pattern"});
    if (!pattern.empty() && !Matches(text, patterns_.find(pattern)->second)) {
      errors_.Invalid(path, value, fmt::format("{} in body should match '{}'", path, pattern));
    }
    if (GetString(schema, {"format"}) == "date-time" && !LooksLikeDateTime(text)) {
      errors_.Add({"FieldValueTypeInvalid", path,
                   fmt::format("Invalid value: {}: {} in body must be of type date-time: {}",
                               ToText(value), path, ToText(value))});
    }
  }

  static bool Matches(std::string_view text, const boost::regex& pattern) {
    try {
      return boost::regex_search(text.begin(), text.end(), pattern);
    } catch (const std::runtime_error&) {
      return false;  // too costly to decide: refused, rather than let through unchecked
    }
  }

  void Size(std::size_t size, const json::object& schema, const std::string& path,
            std::string_view least_of, std::string_view most_of, std::string_view what) {
    if (const auto most = CountIn(schema, most_of); most && size > *most) {
      errors_.TooMany(path, size, *most);
    }
    if (const auto least = CountIn(schema, least_of); least && size < *least) {
      errors_.Invalid(path, size,
                      fmt::format("{} in body should have at least {} {}", path, *least, what));
    }
  }

  void Array(const json::array& array, const json::object& schema, const std::string& path) {
    Size(array.size(), schema, path, "minItems", "maxItems", "items");
    if (const json::object* items = FindObject(schema, {"items"})) {
      for (std::size_t i = 0; i < array.size(); ++i) {
        Value(array[i], *items, fmt::format("{}[{}]", path, i));
      }
    }
    const std::string_view list_type = GetString(schema, {"x-kubernetes-list-type"});
    if (list_type != "map" && list_type != "set") return;
    std::set<std::string> seen;  // as text: a list may be as long as a body
    for (std::size_t i = 0; i < array.size(); ++i) {
      json::value key = array[i];
      if (list_type == "map") {
        const json::object* item = array[i].if_object();
        if (item == nullptr) continue;
        json::object keys;
        for (const json::value& name : ListOf(schema, "x-kubernetes-list-map-keys")) {
          if (const json::value* found = item->if_contains(AsText(name))) {
            keys[AsText(name)] = *found;
          }
        }
        key = std::move(keys);
      }
      if (!seen.insert(CanonicalText(key)).second) {
        errors_.Duplicate(fmt::format("{}[{}]", path, i), key);
      }
    }
  }

  void Combinations(const json::value& value, const json::object& schema, const std::string& path) {
    const auto passes = [&](const json::value& part) {
      FieldErrors scratch;
      Validation(patterns_, scratch).Value(value, AsObject(part), path);
      return scratch.empty();
    };
    const auto complain = [&](std::string_view words) {
      errors_.Invalid(path, value, fmt::format("{} in body {}", path, words));
    };
    for (const json::value& part : ListOf(schema, "allOf")) Value(value, AsObject(part), path);
    const json::array& any = ListOf(schema, "anyOf");
    if (!any.empty() && std::ranges::none_of(any, passes)) {
      complain("must validate at least one schema (anyOf)");
    }
    const json::array& one = ListOf(schema, "oneOf");
    if (!one.empty() && std::ranges::count_if(one, passes) != 1) {
      complain("must validate one and only one schema (oneOf)");
    }
    const json::value* none = Find(schema, {"not"});
    if (none != nullptr && passes(*none)) complain("must not validate the schema (not)");
  }

  const Patterns& patterns_;
  FieldErrors& errors_;
};

}  // namespace

struct StructuralSchema::Parsed {
  json::object schema;
  Patterns patterns;
  bool has_rules = false;

  // Refuses what is no schema.
  Result<void> Read(const json::value& part, const std::string& path) {
    if (!part.is_object()) return Fail(ErrorCode::kInvalid, path + ": must be an object");
    const json::object& object = part.get_object();
    has_rules = has_rules || !ListOf(object, "x-kubernetes-validations").empty();
    if (const std::string pattern(GetString(object, {"pattern"})); !pattern.empty()) {
      try {
        patterns.try_emplace(pattern, pattern, boost::regex::perl);
      } catch (const std::exception& error) {
        return Fail(ErrorCode::kInvalid, fmt::format("{}.pattern: {}", path, error.what()));
      }
    }
    return ForEachPart(object, path, [this](const json::value& inner, const std::string& at) {
      return Read(inner, at);
    });
  }
};

StructuralSchema::StructuralSchema(std::unique_ptr<const Parsed> parsed)
    : parsed_(std::move(parsed)) {}
StructuralSchema::~StructuralSchema() = default;

Result<std::shared_ptr<const StructuralSchema>> StructuralSchema::Parse(
    const json::object& schema) {
  auto parsed = std::make_unique<Parsed>(Parsed{.schema = schema});
  if (Result<void> read = parsed->Read(schema, "openAPIV3Schema"); !read) {
    return std::unexpected(read.error());
  }
  return std::shared_ptr<const StructuralSchema>(new StructuralSchema(std::move(parsed)));
}

void StructuralSchema::Prune(json::object& object, std::vector<std::string>* unknown) const {
  PruneObject(object, parsed_->schema, "", true, unknown);
}

void StructuralSchema::Default(json::object& object) const {
  DefaultObject(object, parsed_->schema);
}

void StructuralSchema::Validate(const json::object& object, FieldErrors& errors) const {
  Validation(parsed_->patterns, errors).Object(object, parsed_->schema, "", true);
}

bool StructuralSchema::has_rules() const { return parsed_->has_rules; }

}  // namespace basalt::apiserver
