#include "descheduler/policy/field.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "base/nearest.h"
#include "kube/types/time.h"

namespace basalt::descheduler {
namespace {

bool LooksLikeNumber(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789.eE+-") == text.npos &&
         text.find_first_of("0123456789") != text.npos && text.front() != 'e' &&
         text.front() != 'E';
}

template <class T>
std::optional<T> ParseWhole(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

// YAML's other numbers, which JSON has not.
bool IsOddNumber(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  for (const char* odd : {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"}) {
    if (text == odd) return true;
  }
  return false;
}

}  // namespace

Field::Kind Field::kind() const {
  if (!node_.IsDefined()) return Kind::kNull;
  switch (node_.Type()) {
    case YAML::NodeType::Sequence: return Kind::kList;
    case YAML::NodeType::Map: return Kind::kMap;
    case YAML::NodeType::Scalar: break;
    default: return Kind::kNull;
  }
  const std::string& text = node_.Scalar();
  if (node_.Tag() == "!" || node_.Tag() == "!!str") return Kind::kString;  // quoted
  if (text == "true" || text == "false" || text == "True" || text == "False" || text == "TRUE" ||
      text == "FALSE") {
    return Kind::kBool;
  }
  return LooksLikeNumber(text) || IsOddNumber(text) ? Kind::kNumber : Kind::kString;
}

std::string_view Field::KindName() const {
  switch (kind()) {
    case Kind::kNull: return "nothing";
    case Kind::kBool: return "true or false";
    case Kind::kNumber: return "a number";
    case Kind::kString: return "a string";
    case Kind::kList: return "a list";
    case Kind::kMap: return "a map";
  }
  return "";
}

void Field::CheckKeys() const {
  if (!present()) return;
  if (kind() != Kind::kMap) return Refuse(fmt::format("must be a map, not {}", KindName()));
  std::set<std::string> seen;
  for (const auto& entry : node_) {
    if (!entry.first.IsScalar()) return Refuse("has a key that is no name");
    if (!seen.insert(entry.first.Scalar()).second) {
      return complaint_.Say(PathOf(entry.first.Scalar()), "is there twice; keep one");
    }
  }
}

void Field::CheckMap(std::initializer_list<std::string_view> known) const {
  CheckKeys();
  for (const std::string& key : Keys()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    const std::vector<std::string> names(known.begin(), known.end());
    const std::string_view nearest = Nearest(key, names);
    return complaint_.Say(PathOf(key),
                          nearest.empty()
                              ? fmt::format("unknown field; known are {}", fmt::join(known, ", "))
                              : fmt::format("unknown field, did you mean \"{}\"?", nearest));
  }
}

std::vector<std::string> Field::Keys() const {
  std::vector<std::string> keys;
  if (kind() != Kind::kMap) return keys;
  for (const auto& entry : node_) {
    if (entry.first.IsScalar()) keys.push_back(entry.first.Scalar());
  }
  return keys;
}

Field Field::operator[](std::string_view key) const {
  // What is no map has been complained of.
  if (kind() != Kind::kMap) return Field(YAML::Node(), PathOf(key), complaint_);
  const YAML::Node& map = node_;
  return Field(map[std::string(key)], PathOf(key), complaint_);
}

std::vector<Field> Field::Items() const {
  std::vector<Field> items;
  if (!present()) return items;
  if (kind() != Kind::kList) {
    Refuse(fmt::format("must be a list, not {}", KindName()));
    return items;
  }
  std::size_t i = 0;
  for (const YAML::Node& item : node_) {
    items.emplace_back(item, fmt::format("{}[{}]", path_, i++), complaint_);
  }
  return items;
}

void Field::Read(bool* target) const {
  if (!present()) return;
  if (kind() != Kind::kBool) {
    return Refuse(fmt::format("must be true or false, not {}", KindName()));
  }
  const char first = node_.Scalar().front();
  *target = first == 't' || first == 'T';
}

void Field::Read(std::string* target) const {
  if (!present()) return;
  if (kind() != Kind::kString) return Refuse(fmt::format("must be a string, not {}", KindName()));
  *target = node_.Scalar();
}

void Field::Read(std::vector<std::string>* target) const {
  for (const Field& item : Items()) {
    if (!item.present()) return item.Refuse("must be a string, not nothing");
    item.Read(&target->emplace_back());
  }
}

std::optional<std::int64_t> Field::Whole(std::int64_t least, std::int64_t most) const {
  const std::string allowed = most == std::numeric_limits<std::int64_t>::max()
                                  ? fmt::format("a whole number of {} or more", least)
                                  : fmt::format("a whole number from {} to {}", least, most);
  if (kind() != Kind::kNumber) {
    Refuse(fmt::format("must be {}, not {}", allowed, KindName()));
    return {};
  }
  const auto value = ParseWhole<std::int64_t>(node_.Scalar());
  if (!value || *value < least || *value > most) {
    Refuse(fmt::format("must be {}, not {}", allowed, node_.Scalar()));
    return {};
  }
  return value;
}

void Field::Read(std::int64_t* target, std::int64_t least, std::int64_t most) const {
  if (!present()) return;
  if (const auto value = Whole(least, most)) *target = *value;
}

void Field::Read(std::optional<std::int64_t>* target, std::int64_t least, std::int64_t most) const {
  if (!present()) return;
  if (const auto value = Whole(least, most)) *target = *value;
}

void Field::Read(Duration* target, BareNumber bare) const {
  if (!present()) return;
  if (kind() == Kind::kNumber && bare == BareNumber::kSeconds) {
    constexpr std::int64_t kMostSeconds = 1'000'000'000;  // some thirty years
    if (const auto seconds = Whole(0, kMostSeconds)) *target = std::chrono::seconds(*seconds);
    return;
  }
  const auto parsed = kind() == Kind::kString ? kube::ParseDuration(node_.Scalar())
                                              : Result<Duration>(Fail(ErrorCode::kInvalid, ""));
  if (!parsed) return Refuse("must be a duration such as 90s, 10m or 1h30m");
  *target = *parsed;
}

std::optional<double> Field::Number() const {
  if (kind() != Kind::kNumber) {
    Refuse(fmt::format("must be a number, not {}", KindName()));
    return {};
  }
  const auto value = ParseWhole<double>(node_.Scalar());
  if (!value || !std::isfinite(*value)) {
    Refuse(fmt::format("must be a number, not {}", node_.Scalar()));
    return {};
  }
  return value;
}

}  // namespace basalt::descheduler
