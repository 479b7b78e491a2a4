#include "apiserver/crd/json_path.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <charconv>
#include <utility>

namespace basalt::apiserver {
namespace {

// Set makes objects this deep; objects deeper than kMostDepth are not stored.
constexpr std::size_t kMostSteps = 100;

std::unexpected<Error> BadPath(std::string_view text, std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("bad path {}: {}", text, why));
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

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

Result<JsonPath> JsonPath::Parse(std::string_view text) {
  JsonPath path;
  std::string_view rest = text;
  if (rest.starts_with('{') && rest.ends_with('}')) rest = rest.substr(1, rest.size() - 2);
  if (rest.starts_with('$')) rest.remove_prefix(1);
  while (!rest.empty()) {
    if (rest.front() == '.') {
      rest.remove_prefix(1);
      if (rest.starts_with('[')) continue;
      Step step;
      step.name = TakeName(rest, ".[");
      if (step.name == "*") step.kind = Step::Kind::kAll;
      if (!step.name.empty()) path.steps_.push_back(std::move(step));
      continue;
    }
    if (rest.front() != '[') return BadPath(text, "expected '.' or '['");
    // A filter may hold brackets only inside quotes, which nobody writes: up to the first ']'.
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) return BadPath(text, "a '[' is not closed");
    std::string_view inside = Trim(rest.substr(1, end - 1));
    rest.remove_prefix(end + 1);
    Step step;
    if (inside == "*") {
      step.kind = Step::Kind::kAll;
    } else if (inside.size() >= 2 && (inside.front() == '\'' || inside.front() == '"')) {
      step.name = inside.substr(1, inside.size() - 2);
    } else if (inside.starts_with("?(") && inside.ends_with(')')) {
      inside = inside.substr(2, inside.size() - 3);
      std::size_t at = inside.find("==");
      if (at == std::string_view::npos) {
        at = inside.find("!=");
        step.equal = false;
      }
      if (at == std::string_view::npos) return BadPath(text, "a filter compares with == or !=");
      std::string_view left = Trim(inside.substr(0, at));
      std::string_view right = Trim(inside.substr(at + 2));
      if (!left.starts_with("@.")) return BadPath(text, "a filter starts with @.");
      left.remove_prefix(1);
      while (left.starts_with('.')) {
        left.remove_prefix(1);
        step.filter.push_back(TakeName(left, "."));
      }
      if (right.size() >= 2 && (right.front() == '\'' || right.front() == '"')) {
        step.wanted = json::string(right.substr(1, right.size() - 2));
      } else if (right == "true" || right == "false") {
        step.wanted = right == "true";
      } else {
        std::int64_t number = 0;
        const auto [last, error] =
            std::from_chars(right.data(), right.data() + right.size(), number);
        if (error != std::errc() || last != right.data() + right.size()) {
          return BadPath(text, "a filter compares with a string, a number, true or false");
        }
        step.wanted = number;
      }
      step.kind = Step::Kind::kFilter;
    } else {
      const auto [last, error] =
          std::from_chars(inside.data(), inside.data() + inside.size(), step.index);
      if (error != std::errc() || last != inside.data() + inside.size()) {
        return BadPath(text, "an index is a number");
      }
      step.kind = Step::Kind::kIndex;
    }
    path.steps_.push_back(std::move(step));
  }
  if (path.steps_.size() > kMostSteps) return BadPath(text, "it is too long");
  return path;
}

bool JsonPath::Passes(const Step& step, const json::value& item) {
  const json::value* at = &item;
  for (const std::string& name : step.filter) {
    const json::object* object = at->if_object();
    at = object == nullptr ? nullptr : object->if_contains(name);
    if (at == nullptr) return false;
  }
  return (*at == step.wanted) == step.equal;
}

std::vector<const json::value*> JsonPath::Find(const json::object& object) const {
  const json::value* root = nullptr;
  std::vector<const json::value*> found;
  std::size_t first = 0;
  if (steps_.empty()) return found;
  // The root is an object and not a value: its first step is a name.
  if (steps_[0].kind != Step::Kind::kName) return found;
  root = object.if_contains(steps_[0].name);
  if (root == nullptr) return found;
  found.push_back(root);
  for (first = 1; first < steps_.size(); ++first) {
    const Step& step = steps_[first];
    std::vector<const json::value*> next;
    for (const json::value* value : found) {
      const json::object* map = value->if_object();
      const json::array* list = value->if_array();
      switch (step.kind) {
        case Step::Kind::kName:
          if (map != nullptr) {
            if (const json::value* child = map->if_contains(step.name)) next.push_back(child);
          }
          break;
        case Step::Kind::kIndex: {
          if (list == nullptr) break;
          const std::int64_t size = static_cast<std::int64_t>(list->size());
          const std::int64_t index = step.index < 0 ? step.index + size : step.index;
          if (index >= 0 && index < size) next.push_back(&(*list)[static_cast<std::size_t>(index)]);
          break;
        }
        case Step::Kind::kAll:
          if (list != nullptr) {
            for (const json::value& item : *list) next.push_back(&item);
          } else if (map != nullptr) {
            for (const auto& [key, item] : *map) next.push_back(&item);
          }
          break;
        case Step::Kind::kFilter:
          if (list == nullptr) break;
          for (const json::value& item : *list) {
            if (Passes(step, item)) next.push_back(&item);
          }
          break;
      }
    }
    found = std::move(next);
  }
  return found;
}

const json::value* JsonPath::First(const json::object& object) const {
  const std::vector<const json::value*> found = Find(object);
  return found.empty() ? nullptr : found.front();
}

bool JsonPath::Set(json::object& object, json::value value) const {
  if (steps_.empty()) return false;
  json::object* at = &object;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].kind != Step::Kind::kName) return false;
    json::value& child = (*at)[steps_[i].name];
    if (i + 1 == steps_.size()) {
      child = std::move(value);
      return true;
    }
    if (child.is_null()) child.emplace_object();
    at = child.if_object();
    if (at == nullptr) return false;
  }
  return false;
}

}  // namespace basalt::apiserver
