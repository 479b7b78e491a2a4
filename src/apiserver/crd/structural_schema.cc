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

std::string Dot(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "." + std::string(name);
}

}  // namespace

struct StructuralSchema::Node {
  std::string type;
  std::string format;
  bool nullable = false;
  bool preserve_unknown = false;
  bool int_or_string = false;
  bool embedded = false;
  std::optional<json::value> default_value;
  std::map<std::string, std::unique_ptr<Node>, std::less<>> properties;
  std::unique_ptr<Node> additional;  // additionalProperties as a schema
  bool any_additional = false;       // additionalProperties: true
  std::unique_ptr<Node> items;
  std::vector<std::string> required;
  std::vector<json::value> enumeration;
  std::optional<double> minimum, maximum, multiple_of;
  bool exclusive_minimum = false, exclusive_maximum = false;
  std::optional<std::size_t> min_length, max_length, min_items, max_items, min_properties,
      max_properties;
  std::string pattern;
  std::optional<boost::regex> regex;
  std::string list_type;
  std::vector<std::string> list_keys;
  std::vector<std::unique_ptr<Node>> all_of, any_of, one_of;
  std::unique_ptr<Node> not_;

  static Result<std::unique_ptr<Node>> Parse(const json::object& schema, const std::string& path,
                                             bool& has_rules);

  void Prune(json::value& value, const std::string& path, std::vector<std::string>* unknown) const;
  void PruneObject(json::object& object, const std::string& path, bool root,
                   std::vector<std::string>* unknown) const;
  void Default(json::value& value) const;
  void DefaultObject(json::object& object) const;
  void Validate(const json::value& value, const std::string& path, FieldErrors& errors) const;
  void ValidateObject(const json::object& object, const std::string& path, FieldErrors& errors,
                      bool root = false) const;

 private:
  Result<void> ParseBounds(const json::object& schema, const std::string& path);
  Result<void> ParseParts(const json::object& schema, const std::string& path, bool& has_rules);
  const Node* PropertyType(std::string_view name) const;
  bool CheckType(const json::value& value, const std::string& path, FieldErrors& errors) const;
  void ValidateNumber(const json::value& value, const std::string& path, FieldErrors& errors) const;
  void ValidateString(std::string_view text, const std::string& path, FieldErrors& errors) const;
  void ValidateArray(const json::array& array, const std::string& path, FieldErrors& errors) const;
  void ValidateListKeys(const json::array& array, const std::string& path,
                        FieldErrors& errors) const;
  void ValidateCombinations(const json::value& value, const std::string& path,
                            FieldErrors& errors) const;
};

Result<void> StructuralSchema::Node::ParseBounds(const json::object& schema,
                                                 const std::string& path) {
  const auto number = [&schema](std::string_view key) -> std::optional<double> {
    const json::value* value = Find(schema, {key});
    if (value == nullptr || !value->is_number()) return std::nullopt;
    return Number(*value);
  };
  const auto count = [&number](std::string_view key) -> std::optional<std::size_t> {
    const std::optional<double> value = number(key);
    if (!value || *value < 0) return std::nullopt;
    return static_cast<std::size_t>(std::min(*value, 1e15));  // more than anything is long
  };
  minimum = number("minimum");
  maximum = number("maximum");
  multiple_of = number("multipleOf");
  exclusive_minimum = GetBool(schema, {"exclusiveMinimum"});
  exclusive_maximum = GetBool(schema, {"exclusiveMaximum"});
  min_length = count("minLength");
  max_length = count("maxLength");
  min_items = count("minItems");
  max_items = count("maxItems");
  min_properties = count("minProperties");
  max_properties = count("maxProperties");
  pattern = GetString(schema, {"pattern"});
  if (!pattern.empty()) {
    try {
      regex.emplace(pattern, boost::regex::perl);
    } catch (const std::exception& error) {
      return Fail(ErrorCode::kInvalid, fmt::format("{}.pattern: {}", path, error.what()));
    }
  }
  if (const json::array* values = FindArray(schema, {"enum"})) {
    enumeration.assign(values->begin(), values->end());
  }
  return {};
}

Result<void> StructuralSchema::Node::ParseParts(const json::object& schema, const std::string& path,
                                                bool& has_rules) {
  const auto child = [&](const json::value& value, const std::string& at,
                         std::unique_ptr<Node>& out) -> Result<void> {
    if (!value.is_object()) return Fail(ErrorCode::kInvalid, at + ": must be an object");
    Result<std::unique_ptr<Node>> node = Parse(value.get_object(), at, has_rules);
    if (!node) return std::unexpected(node.error());
    out = std::move(*node);
    return {};
  };
  if (const json::object* map = FindObject(schema, {"properties"})) {
    for (const auto& [name, value] : *map) {
      const std::string at = fmt::format("{}.properties[{}]", path, std::string_view(name));
      if (Result<void> done = child(value, at, properties[std::string(name)]); !done) return done;
    }
  }
  if (const json::value* value = Find(schema, {"additionalProperties"})) {
    if (value->is_bool()) {
      any_additional = value->get_bool();
    } else if (Result<void> done = child(*value, path + ".additionalProperties", additional);
               !done) {
      return done;
    }
  }
  if (const json::value* value = Find(schema, {"items"})) {
    if (Result<void> done = child(*value, path + ".items", items); !done) return done;
  }
  if (const json::value* value = Find(schema, {"not"})) {
    if (Result<void> done = child(*value, path + ".not", not_); !done) return done;
  }
  const std::pair<std::string_view, std::vector<std::unique_ptr<Node>>*> kCombinations[] = {
      {"allOf", &all_of}, {"anyOf", &any_of}, {"oneOf", &one_of}};
  for (const auto& [key, nodes] : kCombinations) {
    const json::array* list = FindArray(schema, {key});
    if (list == nullptr) continue;
    for (std::size_t i = 0; i < list->size(); ++i) {
      nodes->emplace_back();
      if (Result<void> done =
              child((*list)[i], fmt::format("{}.{}[{}]", path, key, i), nodes->back());
          !done) {
        return done;
      }
    }
  }
  return {};
}

Result<std::unique_ptr<StructuralSchema::Node>> StructuralSchema::Node::Parse(
    const json::object& schema, const std::string& path, bool& has_rules) {
  auto node = std::make_unique<Node>();
  node->type = GetString(schema, {"type"});
  node->format = GetString(schema, {"format"});
  node->nullable = GetBool(schema, {"nullable"});
  node->preserve_unknown = GetBool(schema, {"x-kubernetes-preserve-unknown-fields"});
  node->int_or_string = GetBool(schema, {"x-kubernetes-int-or-string"});
  node->embedded = GetBool(schema, {"x-kubernetes-embedded-resource"});
  node->list_type = GetString(schema, {"x-kubernetes-list-type"});
  if (const json::value* value = schema.if_contains("default")) node->default_value = *value;
  if (const json::array* rules = FindArray(schema, {"x-kubernetes-validations"})) {
    has_rules = has_rules || !rules->empty();
  }
  const auto strings = [&schema](std::string_view key) {
    std::vector<std::string> out;
    if (const json::array* list = FindArray(schema, {key})) {
      for (const json::value& item : *list) {
        if (item.is_string()) out.emplace_back(item.get_string());
      }
    }
    return out;
  };
  node->required = strings("required");
  node->list_keys = strings("x-kubernetes-list-map-keys");
  if (Result<void> done = node->ParseBounds(schema, path); !done) {
    return std::unexpected(done.error());
  }
  if (Result<void> done = node->ParseParts(schema, path, has_rules); !done) {
    return std::unexpected(done.error());
  }
  return node;
}

const StructuralSchema::Node* StructuralSchema::Node::PropertyType(std::string_view name) const {
  const auto it = properties.find(name);
  return it != properties.end() ? it->second.get() : additional.get();
}

void StructuralSchema::Node::PruneObject(json::object& object, const std::string& path, bool root,
                                         std::vector<std::string>* unknown) const {
  std::vector<std::string> gone;
  for (auto& [key, value] : object) {
    const std::string_view name = key;
    const bool of_type = name == "apiVersion" || name == "kind" || name == "metadata";
    if (of_type && (root || embedded)) continue;
    const Node* schema = PropertyType(name);
    if (schema == nullptr) {
      if (preserve_unknown || any_additional) continue;
      gone.emplace_back(name);
      if (unknown != nullptr) unknown->push_back(Dot(path, name));
      continue;
    }
    if (value.is_null() && !schema->nullable) {
      // Dropped, so that a default can take its place.
      gone.emplace_back(name);
      continue;
    }
    schema->Prune(value, Dot(path, name), unknown);
  }
  for (const std::string& name : gone) object.erase(name);
}

void StructuralSchema::Node::Prune(json::value& value, const std::string& path,
                                   std::vector<std::string>* unknown) const {
  if (json::object* object = value.if_object()) {
    PruneObject(*object, path, false, unknown);
  } else if (json::array* array = value.if_array(); array != nullptr && items != nullptr) {
    for (std::size_t i = 0; i < array->size(); ++i) {
      items->Prune((*array)[i], fmt::format("{}[{}]", path, i), unknown);
    }
  }
}

void StructuralSchema::Node::DefaultObject(json::object& object) const {
  for (const auto& [name, schema] : properties) {
    if (schema->default_value && !object.contains(name)) object[name] = *schema->default_value;
    if (json::value* value = object.if_contains(name)) schema->Default(*value);
  }
  if (additional == nullptr) return;
  for (auto& [key, value] : object) {
    if (!properties.contains(std::string_view(key))) additional->Default(value);
  }
}

void StructuralSchema::Node::Default(json::value& value) const {
  if (json::object* object = value.if_object()) {
    DefaultObject(*object);
  } else if (json::array* array = value.if_array(); array != nullptr && items != nullptr) {
    for (json::value& item : *array) items->Default(item);
  }
}

bool StructuralSchema::Node::CheckType(const json::value& value, const std::string& path,
                                       FieldErrors& errors) const {
  const auto wrong = [&](std::string_view wanted, std::string_view is) {
    errors.Add({"FieldValueTypeInvalid", path,
                fmt::format("Invalid value: \"{}\": {} in body must be of type {}: \"{}\"", is,
                            path, wanted, is)});
    return false;
  };
  const std::string_view is = TypeName(value);
  if (int_or_string) {
    return value.is_string() || IsIntegral(value) ? true : wrong("integer,string", is);
  }
  if (type.empty() || type == is || (type == "number" && value.is_number())) return true;
  if (type == "integer" && value.is_double() && (format == "int32" || format == "int64")) {
    wrong(format, "float64");
    errors.Add({"FieldValueInvalid", "<nil>",
                fmt::format("Invalid value: \"\": Checked value must be of type integer with "
                            "format {} in {}",
                            format, path)});
    return false;
  }
  return wrong(type, is);
}

void StructuralSchema::Node::ValidateNumber(const json::value& value, const std::string& path,
                                            FieldErrors& errors) const {
  const double number = Number(value);
  if (format == "int32" && (number < std::numeric_limits<std::int32_t>::min() ||
                            number > std::numeric_limits<std::int32_t>::max())) {
    errors.Add({"FieldValueInvalid", "<nil>",
                fmt::format("Invalid value: \"\": Checked value must be of type integer with "
                            "format int32 in {}",
                            path)});
  }
  const auto bound = [&](double limit, std::string_view words) {
    std::string text;
    AppendJson(text, json::value(limit));
    errors.Invalid(path, value, fmt::format("{} in body should be {} {}", path, words, text));
  };
  if (minimum && (exclusive_minimum ? number <= *minimum : number < *minimum)) {
    bound(*minimum, exclusive_minimum ? "greater than" : "greater than or equal to");
  }
  if (maximum && (exclusive_maximum ? number >= *maximum : number > *maximum)) {
    bound(*maximum, exclusive_maximum ? "less than" : "less than or equal to");
  }
  if (multiple_of && *multiple_of != 0 && std::fmod(number, *multiple_of) != 0) {
    bound(*multiple_of, "a multiple of");
  }
}

void StructuralSchema::Node::ValidateString(std::string_view text, const std::string& path,
                                            FieldErrors& errors) const {
  const std::size_t length = CountCharacters(text);
  const json::value shown(json::string{text});
  if (max_length && length > *max_length) errors.TooLong(path, *max_length);
  if (min_length && length < *min_length) {
    errors.Invalid(path, shown,
                   fmt::format("{} in body should be at least {} chars long", path, *min_length));
  }
  if (regex) {
    bool matches = false;
    try {
      matches = boost::regex_search(text.begin(), text.end(), *regex);
    } catch (const std::runtime_error&) {
      // Too costly to decide: refused, rather than let through unchecked.
    }
    if (!matches) {
      errors.Invalid(path, shown, fmt::format("{} in body should match '{}'", path, pattern));
    }
  }
  if (format == "date-time" && !LooksLikeDateTime(text)) {
    errors.Add({"FieldValueTypeInvalid", path,
                fmt::format("Invalid value: {}: {} in body must be of type date-time: {}",
                            ToText(shown), path, ToText(shown))});
  }
}

void StructuralSchema::Node::ValidateListKeys(const json::array& array, const std::string& path,
                                              FieldErrors& errors) const {
  if (list_type != "map" && list_type != "set") return;
  std::set<std::string> seen;  // as text: a list may be as long as a body
  for (std::size_t i = 0; i < array.size(); ++i) {
    json::value key = array[i];
    if (list_type == "map") {
      const json::object* item = array[i].if_object();
      if (item == nullptr) continue;
      json::object keys;
      for (const std::string& name : list_keys) {
        if (const json::value* value = item->if_contains(name)) keys[name] = *value;
      }
      key = std::move(keys);
    }
    if (!seen.insert(CanonicalText(key)).second) {
      errors.Duplicate(fmt::format("{}[{}]", path, i), key);
    }
  }
}

void StructuralSchema::Node::ValidateArray(const json::array& array, const std::string& path,
                                           FieldErrors& errors) const {
  if (max_items && array.size() > *max_items) errors.TooMany(path, array.size(), *max_items);
  if (min_items && array.size() < *min_items) {
    errors.Invalid(path, array.size(),
                   fmt::format("{} in body should have at least {} items", path, *min_items));
  }
  if (items != nullptr) {
    for (std::size_t i = 0; i < array.size(); ++i) {
      items->Validate(array[i], fmt::format("{}[{}]", path, i), errors);
    }
  }
  ValidateListKeys(array, path, errors);
}

void StructuralSchema::Node::ValidateObject(const json::object& object, const std::string& path,
                                            FieldErrors& errors, bool root) const {
  for (const std::string& name : required) {
    if (!object.contains(name)) errors.Required(Dot(path, name));
  }
  if (embedded) {
    for (const std::string_view name : {"apiVersion", "kind"}) {
      if (GetString(object, {name}).empty()) errors.Required(Dot(path, name), "must not be empty");
    }
  }
  if (max_properties && object.size() > *max_properties) {
    errors.TooMany(path, object.size(), *max_properties);
  }
  if (min_properties && object.size() < *min_properties) {
    errors.Invalid(
        path, object.size(),
        fmt::format("{} in body should have at least {} properties", path, *min_properties));
  }
  for (const auto& [key, value] : object) {
    const std::string_view name = key;
    if (root && (name == "apiVersion" || name == "kind" || name == "metadata")) continue;
    if (const Node* schema = PropertyType(name)) schema->Validate(value, Dot(path, name), errors);
  }
}

void StructuralSchema::Node::ValidateCombinations(const json::value& value, const std::string& path,
                                                  FieldErrors& errors) const {
  const auto passes = [&](const std::unique_ptr<Node>& node) {
    FieldErrors scratch;
    node->Validate(value, path, scratch);
    return scratch.empty();
  };
  const auto complain = [&](std::string_view words) {
    errors.Invalid(path, value, fmt::format("{} in body {}", path, words));
  };
  for (const std::unique_ptr<Node>& node : all_of) node->Validate(value, path, errors);
  if (!any_of.empty() && std::ranges::none_of(any_of, passes)) {
    complain("must validate at least one schema (anyOf)");
  }
  if (!one_of.empty()) {
    const auto count = std::ranges::count_if(one_of, passes);
    if (count != 1) complain("must validate one and only one schema (oneOf)");
  }
  if (not_ != nullptr && passes(not_)) complain("must not validate the schema (not)");
}

void StructuralSchema::Node::Validate(const json::value& value, const std::string& path,
                                      FieldErrors& errors) const {
  if (value.is_null() && nullable) return;
  if (!CheckType(value, path, errors)) return;
  if (value.is_number()) {
    ValidateNumber(value, path, errors);
  } else if (value.is_string()) {
    ValidateString(value.get_string(), path, errors);
  } else if (value.is_array()) {
    ValidateArray(value.get_array(), path, errors);
  } else if (value.is_object()) {
    ValidateObject(value.get_object(), path, errors);
  }
  if (!enumeration.empty() && std::ranges::find(enumeration, value) == enumeration.end()) {
    std::vector<std::string> supported;
    for (const json::value& item : enumeration) {
      supported.push_back(item.is_string() ? std::string(item.get_string()) : ToText(item));
    }
    errors.NotSupported(path, value, supported);
  }
  ValidateCombinations(value, path, errors);
}

StructuralSchema::StructuralSchema() = default;
StructuralSchema::~StructuralSchema() = default;

Result<std::shared_ptr<const StructuralSchema>> StructuralSchema::Parse(
    const json::object& schema) {
  std::shared_ptr<StructuralSchema> parsed(new StructuralSchema());
  Result<std::unique_ptr<Node>> root = Node::Parse(schema, "openAPIV3Schema", parsed->has_rules_);
  if (!root) return std::unexpected(root.error());
  parsed->root_ = std::move(*root);
  return parsed;
}

void StructuralSchema::Prune(json::object& object, std::vector<std::string>* unknown) const {
  root_->PruneObject(object, "", true, unknown);
}

void StructuralSchema::Default(json::object& object) const { root_->DefaultObject(object); }

void StructuralSchema::Validate(const json::object& object, FieldErrors& errors) const {
  root_->ValidateObject(object, "", errors, true);
}

}  // namespace basalt::apiserver
