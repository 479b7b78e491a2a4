#include "controllers/job/plugins/plugin_flags.h"

#include <fmt/format.h>

#include <charconv>

namespace basalt::controllers {

PluginFlags::PluginFlags(std::string_view plugin, const std::vector<std::string>& arguments)
    : plugin_(plugin) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string_view text = arguments[i];
    if (!text.starts_with('-')) {
      complaints_.push_back(
          fmt::format("plugin {}: {}: an argument begins with --, as in --port=22", plugin_, text));
      continue;
    }
    text.remove_prefix(text.starts_with("--") ? 2 : 1);
    Given given;
    const std::size_t equals = text.find_first_of("= ");
    if (equals != std::string_view::npos) {
      given.value = text.substr(equals + 1);
      given.has_value = true;
    } else if (i + 1 < arguments.size() && !arguments[i + 1].starts_with('-')) {
      given.value = arguments[++i];
      given.has_value = true;
    }
    given_[std::string(text.substr(0, equals))] = std::move(given);
  }
}

PluginFlags::Given* PluginFlags::Take(std::string_view name) {
  const auto found = given_.find(name);
  if (found == given_.end()) return nullptr;
  found->second.taken = true;
  return &found->second;
}

void PluginFlags::Complain(std::string_view name, std::string_view value,
                           std::string_view expected) {
  complaints_.push_back(
      fmt::format("plugin {}: --{}={}: expected {}", plugin_, name, value, expected));
}

void PluginFlags::Text(std::string_view name, std::string& value) {
  const Given* given = Take(name);
  if (!given) return;
  if (given->value.empty()) return Complain(name, "", "a value");
  value = given->value;
}

void PluginFlags::Number(std::string_view name, std::int32_t& value) {
  const Given* given = Take(name);
  if (!given) return;
  std::int32_t number = 0;
  const std::string& text = given->value;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number <= 0) {
    return Complain(name, text, "a positive number");
  }
  value = number;
}

void PluginFlags::YesNo(std::string_view name, bool& value) {
  const Given* given = Take(name);
  if (!given) return;
  const std::string& text = given->value;
  if (!given->has_value || text == "true" || text == "1") {
    value = true;
  } else if (text == "false" || text == "0") {
    value = false;
  } else {
    Complain(name, text, "true or false");
  }
}

std::vector<std::string> PluginFlags::Complaints() const {
  std::vector<std::string> complaints = complaints_;
  for (const auto& [name, given] : given_) {
    if (!given.taken) {
      complaints.push_back(fmt::format("plugin {}: it has no argument --{}", plugin_, name));
    }
  }
  return complaints;
}

}  // namespace basalt::controllers
