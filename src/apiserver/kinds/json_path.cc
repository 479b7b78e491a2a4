#include <fmt/format.h>

#include <algorithm>

#include "apiserver/kinds/cells.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/text.h"

namespace basalt::apiserver {
namespace {

// Set makes objects this deep; objects deeper than kMostDepth are not stored.
constexpr std::size_t kMostSteps = 100;

std::unexpected<Error> BadPath(std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, std::string(why));
}

// Reads a name up to one of `stops`; a backslash makes the next character plain.
std::string TakeName(std::string_view& text, std::string_view stops) {
  std::string name;
  std::size_t i = 0;
  for (; i < text.size() && stops.find(text[i]) == std::string_view::npos; ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    name += text[i];
  }
  text.remove_prefix(i);
  return name;
}

// A string in quotes of either kind, a number, a truth.
Result<json::value> ParseLiteral(std::string_view text) {
  std::string literal(text);
  if (literal.size() >= 2 && literal.starts_with('\'')) literal.front() = literal.back() = '"';
  return ParseJson(literal);
}

}  // namespace

Result<JsonPath> JsonPath::Parse(std::string_view text) {
  JsonPath path;
  std::string_view rest = text;
  if (rest.starts_with('{') && rest.ends_with('}')) rest = rest.substr(1, rest.size() - 2);
  if (rest.starts_with('$')) rest.remove_prefix(1);
  while (!rest.empty()) {
    if (rest.starts_with('.')) {
      rest.remove_prefix(1);
      Step step{.name = TakeName(rest, ".[")};
      if (step.name == "*") step.kind = Step::Kind::kAll;
      if (!step.name.empty()) path.steps_.push_back(std::move(step));
      continue;
    }
    // A filter may hold brackets only inside quotes, which nobody writes: up to the first ']'.
    const std::size_t end = rest.find(']');
    if (!rest.starts_with('[') || end == rest.npos) {
      return BadPath(fmt::format("bad path {}: expected '.' or '[…]'", text));
    }
    Result<Step> step = ParseBrackets(WithoutBlanks(rest.substr(1, end - 1)));
    if (!step) return BadPath(fmt::format("bad path {}: {}", text, step.error().message));
    path.steps_.push_back(std::move(*step));
    rest.remove_prefix(end + 1);
  }
  if (path.steps_.size() > kMostSteps) return BadPath("a path is too long");
  return path;
}

Result<JsonPath::Step> JsonPath::ParseBrackets(std::string_view inside) {
  if (inside == "*") return Step{.kind = Step::Kind::kAll};
  if (inside.starts_with("?(") && inside.ends_with(')')) {
    return ParseFilter(inside.substr(2, inside.size() - 3));
  }
  const Result<json::value> literal = ParseLiteral(inside);
  if (literal && literal->is_string()) return Step{.name = std::string(literal->get_string())};
  if (!literal || !literal->is_int64()) return BadPath("an index is a number or a name in quotes");
  return Step{.kind = Step::Kind::kIndex, .index = literal->get_int64()};
}

Result<JsonPath::Step> JsonPath::ParseFilter(std::string_view filter) {
  const std::size_t at = std::min(filter.find("=="), filter.find("!="));
  if (at == filter.npos) return BadPath("a filter compares with == or !=");
  Step step{.kind = Step::Kind::kFilter, .equal = filter[at] == '='};
  std::string_view left = WithoutBlanks(filter.substr(0, at));
  if (!left.starts_with("@.")) return BadPath("a filter starts with @.");
  left.remove_prefix(1);
  while (left.starts_with('.')) {
    left.remove_prefix(1);
    step.filter.push_back(TakeName(left, "."));
  }
  Result<json::value> wanted = ParseLiteral(WithoutBlanks(filter.substr(at + 2)));
  if (!wanted || wanted->is_structured()) {
    return BadPath("a filter compares with a string, a number, true or false");
  }
  step.wanted = std::move(*wanted);
  return step;
}

bool JsonPath::Step::Passes(const json::value& item) const {
  const json::object* object = item.if_object();
  const json::value* found = object == nullptr ? nullptr : Follow(*object, filter);
  return found != nullptr && (*found == wanted) == equal;
}

void JsonPath::Step::Take(const json::value& from, std::vector<const json::value*>& to) const {
  if (const json::object* map = from.if_object()) {
    const json::value* child = kind == Kind::kName ? map->if_contains(name) : nullptr;
    if (child != nullptr) to.push_back(child);
    for (const auto& [key, item] : *map) {
      if (kind == Kind::kAll) to.push_back(&item);
    }
  } else if (const json::array* list = from.if_array()) {
    const std::int64_t size = static_cast<std::int64_t>(list->size());
    const std::int64_t wanted_index = index < 0 ? index + size : index;
    for (std::int64_t i = 0; i < size; ++i) {
      const json::value& item = (*list)[static_cast<std::size_t>(i)];
      const bool taken = kind == Kind::kAll || (kind == Kind::kIndex && i == wanted_index) ||
                         (kind == Kind::kFilter && Passes(item));
      if (taken) to.push_back(&item);
    }
  }
}

std::vector<const json::value*> JsonPath::Find(const json::object& object) const {
  std::vector<const json::value*> found;
  // The root is an object and not a value: its first step is a name.
  if (steps_.empty() || steps_[0].kind != Step::Kind::kName) return found;
  if (const json::value* root = object.if_contains(steps_[0].name)) found.push_back(root);
  for (std::size_t i = 1; i < steps_.size(); ++i) {
    std::vector<const json::value*> next;
    for (const json::value* value : found) steps_[i].Take(*value, next);
    found = std::move(next);
  }
  return found;
}

const json::value* JsonPath::First(const json::object& object) const {
  const std::vector<const json::value*> found = Find(object);
  return found.empty() ? nullptr : found.front();
}

bool JsonPath::Set(json::object& object, json::value value) const {
  json::object* at = &object;
  for (std::size_t i = 0; i < steps_.size() && at != nullptr; ++i) {
    if (steps_[i].kind != Step::Kind::kName) return false;
    json::value& child = (*at)[steps_[i].name];
    if (i + 1 == steps_.size()) {
      child = std::move(value);
      return true;
    }
    if (child.is_null()) child.emplace_object();
    at = child.if_object();
  }
  return false;
}

}  // namespace basalt::apiserver
