#include "apiserver/rest/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "apiserver/object/json_text.h"
#include "net/url.h"

namespace basalt::apiserver {
namespace {

// Of a form: a plus is a blank.
std::optional<std::string> Decoded(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  return net::PercentDecode(spaced);
}

}  // namespace

Query Query::Parse(std::string_view text) {
  Query query;
  while (!text.empty()) {
    const std::size_t end = text.find('&');
    const std::string_view piece = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (piece.empty()) continue;
    const std::size_t equals = piece.find('=');
    std::optional<std::string> name = Decoded(piece.substr(0, equals));
    std::optional<std::string> value =
        equals == std::string_view::npos ? std::string() : Decoded(piece.substr(equals + 1));
    if (name && value) query.values_.emplace_back(std::move(*name), std::move(*value));
  }
  return query;
}

const std::string* Query::Find(std::string_view name) const {
  for (const auto& [key, value] : values_) {
    if (key == name) return &value;
  }
  return nullptr;
}

std::string_view Query::Get(std::string_view name) const {
  const std::string* value = Find(name);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

std::vector<std::string> Query::All(std::string_view name) const {
  std::vector<std::string> all;
  for (const auto& [key, value] : values_) {
    if (key == name) all.push_back(value);
  }
  return all;
}

bool Query::GetBool(std::string_view name) const {
  const std::string* value = Find(name);
  return value != nullptr && *value != "false" && *value != "0";
}

ApiResult<std::optional<std::int64_t>> Query::GetInt(std::string_view name) const {
  const std::string* value = Find(name);
  if (value == nullptr || value->empty()) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), number);
  if (error != std::errc() || end != value->data() + value->size()) {
    return Refuse(
        refusal::BadRequest(fmt::format("{}: {} is no number of 64 bits", name, Quoted(*value))));
  }
  return number;
}

}  // namespace basalt::apiserver
