#include "apiserver/kinds/structural_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/regex.hpp>
#include <cmath>
#include <map>
#include <set>

#include "apiserver/kinds/checks.h"
#include "apiserver/object/json_text.h"
#include "kube/types/time.h"

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

bool IsOfType(std::string_view field) {
  return field == "apiVersion" || field == "kind" || field == "metadata";
}

std::optional<double> NumberIn(const json::object& schema, std::string_view keyword) {
  const json::value* value = Find(schema, {keyword});
  return value != nullptr && value->is_number() ? std::optional(Number(*value)) : std::nullopt;
}

// What a property must be: its own schema, or that of all that have none; null: nothing is said.
const json::object* PropertyType(const json::object& schema, std::string_view name) {
  const json::object* property = FindObject(schema, {"properties", name});
  return property != nullptr ? property : FindObject(schema, {"additionalProperties"});
}

// Calls `see` with each value in a value that its schema says something of, and what it says.
template <class See>
void ForEachChild(json::value& value, const json::object& schema, const std::string& path,
                  See see) {
  const json::object* items = FindObject(schema, {"items"});
  if (json::object* object = value.if_object()) {
    for (auto& [name, child] : *object) {
      if (const json::object* type = PropertyType(schema, name)) see(child, *type, Sub(path, name));
    }
  } else if (json::array* array = value.if_array(); array != nullptr && items != nullptr) {
    for (std::size_t i = 0; i < array->size(); ++i) see((*array)[i], *items, At(path, i));
  }
}

// What is left of an object when that is gone which its schema does not name.
void DropUnknown(json::object& object, const json::object& schema, const std::string& path,
                 bool names_type, std::vector<std::string>* unknown) {
  const bool open = GetBool(schema, {"x-kubernetes-preserve-unknown-fields"}) ||
                    GetBool(schema, {"additionalProperties"});
  std::vector<std::string> gone;
  for (const auto& [key, value] : object) {
    const std::string_view name = key;
    if (names_type && IsOfType(name)) continue;
    const json::object* property = PropertyType(schema, name);
    const bool is_unknown = property == nullptr && !open;
    // A null goes so that a default can take its place.
    if (is_unknown || (property && value.is_null() && !GetBool(*property, {"nullable"}))) {
      gone.emplace_back(name);
    }
    if (is_unknown && unknown != nullptr) unknown->push_back(Sub(path, name));
  }
  for (const std::string& name : gone) object.erase(name);
}

void PruneValue(json::value& value, const json::object& schema, const std::string& path, bool root,
                std::vector<std::string>* unknown) {
  const bool names_type = root || GetBool(schema, {"x-kubernetes-embedded-resource"});
  if (value.is_object()) DropUnknown(value.get_object(), schema, path, names_type, unknown);
  ForEachChild(value, schema, path,
               [&](json::value& child, const json::object& type, const std::string& at) {
                 const std::string_view name = std::string_view(at).substr(at.rfind('.') + 1);
                 if (!names_type || !IsOfType(name)) PruneValue(child, type, at, false, unknown);
               });
}

void DefaultValue(json::value& value, const json::object& schema) {
  for (const auto& [name, property] : ObjectOf(schema, "properties")) {
    const json::value* given = AsObject(property).if_contains("default");
    if (given == nullptr || !value.is_object()) continue;
    if (!value.get_object().contains(name)) value.get_object()[name] = *given;
  }
  ForEachChild(value, schema, "",
               [](json::value& child, const json::object& type, const std::string&) {
                 DefaultValue(child, type);
               });
}

// Runs `change` on an object as the value that it is.
template <class Change>
void AsValue(json::object& object, Change change) {
  json::value value(std::move(object));
  change(value);
  object = std::move(value.get_object());
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
    Size(object.size(), schema, path, "minProperties", "maxProperties");
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
      for (const json::value& item : allowed) supported.push_back(TextOf(item));
      errors_.NotSupported(path, value, supported);
    }
    Combinations(value, schema, path);
  }

  bool CheckType(const json::value& value, const json::object& schema, const std::string& path) {
    const std::string_view is = TypeName(value);
    const bool either = GetBool(schema, {"x-kubernetes-int-or-string"});
    const std::string_view type = either ? "integer or string" : GetString(schema, {"type"});
    const bool fits = either
                          ? is == "integer" || is == "string"
                          : type.empty() || type == is || (type == "number" && value.is_number());
    if (!fits) {
      errors_.Add({"FieldValueTypeInvalid", path,
                   fmt::format("Invalid value: \"{}\": must be of type {}", is, type)});
    }
    return fits;
  }

  void NumberValue(const json::value& value, const json::object& schema, const std::string& path) {
    const double number = Number(value);
    const auto require = [&](bool fine, std::string_view words, double limit) {
      if (!fine) errors_.Invalid(path, value, fmt::format("should be {} {}", words, limit));
    };
    constexpr double kInt32 = 2147483648.0;
    if (GetString(schema, {"format"}) == "int32") {
      require(number >= -kInt32 && number < kInt32, "less than", kInt32);
    }
    const bool above = GetBool(schema, {"exclusiveMinimum"});
    const bool below = GetBool(schema, {"exclusiveMaximum"});
    if (const auto least = NumberIn(schema, "minimum")) {
      require(above ? number > *least : number >= *least,
              above ? "greater than" : "greater than or equal to", *least);
    }
    if (const auto most = NumberIn(schema, "maximum")) {
      require(below ? number < *most : number <= *most,
              below ? "less than" : "less than or equal to", *most);
    }
    if (const auto step = NumberIn(schema, "multipleOf"); step && *step != 0) {
      require(std::fmod(number, *step) == 0, "a multiple of", *step);
    }
  }

  void Text(const json::value& value, const json::object& schema, const std::string& path) {
    const std::string_view text = value.get_string();
    Size(CountCharacters(text), schema, path, "minLength", "maxLength");
    const auto pattern = patterns_.find(GetString(schema, {"pattern"}));
    if (pattern != patterns_.end() && !Matches(text, pattern->second)) {
      errors_.Invalid(path, value, fmt::format("must match '{}'", pattern->first));
    }
    if (GetString(schema, {"format"}) == "date-time" && !kube::ParseTime(text)) {
      errors_.Add({"FieldValueTypeInvalid", path,
                   fmt::format("Invalid value: {}: must be a date-time", ToText(value))});
    }
  }

  static bool Matches(std::string_view text, const boost::regex& pattern) {
    try {
      return boost::regex_search(text.begin(), text.end(), pattern);
    } catch (const std::runtime_error&) {
      return false;  // too costly to decide: refused, rather than let through unchecked
    }
  }

  // How long a text, a list or an object may be.
  void Size(std::size_t size, const json::object& schema, const std::string& path,
            std::string_view least_of, std::string_view most_of) {
    const auto most = NumberIn(schema, most_of);
    const auto least = NumberIn(schema, least_of);
    if (most && static_cast<double>(size) > *most) {
      const auto limit = static_cast<std::size_t>(std::max(*most, 0.0));
      most_of == "maxLength" ? errors_.TooLong(path, limit) : errors_.TooMany(path, size, limit);
    }
    if (least && static_cast<double>(size) < *least) {
      errors_.Invalid(path, size, fmt::format("must have at least {}", *least));
    }
  }

  void Array(const json::array& array, const json::object& schema, const std::string& path) {
    Size(array.size(), schema, path, "minItems", "maxItems");
    if (const json::object* items = FindObject(schema, {"items"})) {
      for (std::size_t i = 0; i < array.size(); ++i) {
        Value(array[i], *items, At(path, i));
      }
    }
    const std::string_view list_type = GetString(schema, {"x-kubernetes-list-type"});
    if (list_type != "map" && list_type != "set") return;
    std::set<std::string> seen;  // as text: a list may be as long as a body
    for (std::size_t i = 0; i < array.size(); ++i) {
      json::object keys;
      for (const json::value& name : ListOf(schema, "x-kubernetes-list-map-keys")) {
        const json::value* found = AsObject(array[i]).if_contains(AsText(name));
        if (found != nullptr) keys[AsText(name)] = *found;
      }
      const json::value key = list_type == "map" ? json::value(std::move(keys)) : array[i];
      if (!seen.insert(CanonicalText(key)).second) errors_.Duplicate(At(path, i), key);
    }
  }

  void Combinations(const json::value& value, const json::object& schema, const std::string& path) {
    const auto passes = [&](const json::value& part) {
      FieldErrors scratch;
      Validation(patterns_, scratch).Value(value, AsObject(part), path);
      return scratch.empty();
    };
    const auto complain = [&](std::string_view words) { errors_.Invalid(path, value, words); };
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

class ParsedSchema final : public StructuralSchema {
 public:
  explicit ParsedSchema(const json::object& schema) : schema_(schema) {}

  // Looks through all of it, whatever it calls a schema within a schema; `names`: the keys are
  // names of properties and no keywords.
  Result<void> Read(const json::value& part, const std::string& path, bool names = false) {
    if (const json::array* list = part.if_array()) {
      for (const json::value& item : *list) {
        if (Result<void> read = Read(item, path); !read) return read;
      }
    }
    const json::object& object = AsObject(part);
    has_rules_ = has_rules_ || !ListOf(object, "x-kubernetes-validations").empty();
    if (const std::string pattern(GetString(object, {"pattern"})); !pattern.empty()) {
      try {
        patterns_.try_emplace(pattern, pattern, boost::regex::perl);
      } catch (const std::exception& error) {
        return Fail(ErrorCode::kInvalid, fmt::format("{}.pattern: {}", path, error.what()));
      }
    }
    for (const auto& [key, inner] : object) {
      const bool is_value = key == "default" || key == "enum" || key == "example";
      if (is_value && !names) continue;
      if (Result<void> read = Read(inner, Sub(path, key), key == "properties" && !names); !read) {
        return read;
      }
    }
    return {};
  }

  void Prune(json::object& object, std::vector<std::string>* unknown) const override {
    AsValue(object, [&](json::value& it) { PruneValue(it, schema_, "", true, unknown); });
  }
  void Default(json::object& object) const override {
    AsValue(object, [&](json::value& it) { DefaultValue(it, schema_); });
  }
  void Validate(const json::object& object, FieldErrors& errors) const override {
    Validation(patterns_, errors).Object(object, schema_, "", true);
  }
  bool has_rules() const override { return has_rules_; }

 private:
  const json::object schema_;
  Patterns patterns_;
  bool has_rules_ = false;
};

}  // namespace

Result<std::shared_ptr<const StructuralSchema>> StructuralSchema::Parse(
    const json::object& schema) {
  auto parsed = std::make_shared<ParsedSchema>(schema);
  if (Result<void> read = parsed->Read(schema, "openAPIV3Schema"); !read) {
    return std::unexpected(read.error());
  }
  return parsed;
}

}  // namespace basalt::apiserver
