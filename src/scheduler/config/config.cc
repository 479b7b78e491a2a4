#include "scheduler/config/config.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>

#include "base/nearest.h"

namespace basalt::scheduler {
namespace {

constexpr std::array<std::string_view, kSwitches> kSwitchNames = {
    "enableJobOrder",          "enableHierarchy",        "enableJobReady",
    "enableJobPipelined",      "enableTaskOrder",        "enablePreemptable",
    "enableReclaimable",       "enablePreemptive",       "enableQueueOrder",
    "EnabledClusterOrder",     "enablePredicate",        "enableBestNode",
    "enableNodeOrder",         "enableTargetJob",        "enableReservedNodes",
    "enableJobEnqueued",       "enabledVictim",          "enableJobStarving",
    "enabledOverused",         "enabledAllocatable",     "enabledHyperNodeOrder",
    "enabledSubJobReady",      "enabledSubJobPipelined", "enabledSubJobOrder",
    "enabledHyperNodeGradient"};

int LineOf(const YAML::Node& node) { return node.Mark().line + 1; }

std::unexpected<Error> At(const YAML::Node& node, std::string message) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("line {}: {}", LineOf(node), message));
}

std::string WithNearest(std::string message, std::string_view name,
                        const std::vector<std::string>& known) {
  const std::string_view nearest = Nearest(name, known);
  if (!nearest.empty()) message += fmt::format(", did you mean \"{}\"?", nearest);
  return message;
}

// Of an action or a plugin.
Result<void> CheckName(const YAML::Node& at, std::string_view what, std::string_view name,
                       const std::vector<std::string>& known) {
  if (std::ranges::find(known, name) != known.end()) return {};
  return At(at, WithNearest(fmt::format("{} \"{}\"", what, name), name, known));
}

Result<void> CheckKeys(const YAML::Node& map, std::string_view what,
                       const std::vector<std::string>& known) {
  for (const auto& entry : map) {
    const std::string key = entry.first.as<std::string>("");
    if (std::ranges::find(known, key) != known.end()) continue;
    return At(entry.first,
              WithNearest(fmt::format("unknown key \"{}\" in {}", key, what), key, known));
  }
  return {};
}

// What is no list has no items, and would be taken for an empty one.
Result<void> CheckList(const YAML::Node& node, std::string_view what) {
  if (!node || node.IsNull() || node.IsSequence()) return {};
  return At(node, fmt::format("{} must be a list", what));
}

template <class T>
std::optional<T> ParseYamlNumber(std::string_view text) {
  T value{};
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<bool> ParseBool(std::string_view text) {
  for (const char* yes : {"true", "True", "TRUE", "yes", "on", "y"}) {
    if (text == yes) return true;
  }
  for (const char* no : {"false", "False", "FALSE", "no", "off", "n"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

boost::json::value ToJson(const YAML::Node& node) {
  switch (node.Type()) {
    case YAML::NodeType::Sequence: {
      boost::json::array array;
      for (const YAML::Node& item : node) array.push_back(ToJson(item));
      return array;
    }
    case YAML::NodeType::Map: {
      boost::json::object object;
      for (const auto& entry : node) object[entry.first.as<std::string>("")] = ToJson(entry.second);
      return object;
    }
    case YAML::NodeType::Scalar: {
      const std::string& text = node.Scalar();
      if (node.Tag() == "!") return boost::json::value(text);  // quoted
      if (const auto truth = ParseBool(text)) return *truth;
      if (const auto number = ParseYamlNumber<std::int64_t>(text)) return *number;
      if (const auto number = ParseYamlNumber<double>(text)) return *number;
      if (text == "null" || text == "~") return nullptr;
      return boost::json::value(text);
    }
    default: return nullptr;
  }
}

Result<Arguments> ReadArguments(const YAML::Node& node) {
  if (!node || node.IsNull()) return Arguments();
  if (!node.IsMap()) return At(node, "arguments must be a map");
  return Arguments(ToJson(node).as_object());
}

Result<PluginConfig> ReadPlugin(const YAML::Node& node, const KnownNames& known) {
  if (!node.IsMap()) return At(node, "a plugin must be a map with a name");
  std::vector<std::string> keys = {"name", "arguments"};
  keys.insert(keys.end(), kSwitchNames.begin(), kSwitchNames.end());
  if (auto ok = CheckKeys(node, "a plugin", keys); !ok) return std::unexpected(ok.error());

  PluginConfig plugin;
  plugin.line = LineOf(node);
  plugin.name = node["name"] ? node["name"].as<std::string>("") : "";
  if (plugin.name.empty()) return At(node, "a plugin without a name");
  if (auto ok = CheckName(node["name"], "unknown plugin", plugin.name, known.plugins); !ok) {
    return std::unexpected(ok.error());
  }
  for (int i = 0; i < kSwitches; ++i) {
    const YAML::Node value = node[std::string(kSwitchNames[i])];
    if (!value || value.IsNull()) continue;
    const std::optional<bool> on =
        value.IsScalar() ? ParseBool(value.Scalar()) : std::optional<bool>();
    if (!on) return At(value, fmt::format("{} must be true or false", kSwitchNames[i]));
    plugin.switches[i] = *on;
  }
  auto arguments = ReadArguments(node["arguments"]);
  if (!arguments) return std::unexpected(arguments.error());
  plugin.arguments = std::move(*arguments);
  plugin.ApplyDefaults();
  return plugin;
}

Result<void> ReadActions(const YAML::Node& node, const KnownNames& known, Config& config) {
  if (!node || !node.IsScalar()) {
    return Fail(ErrorCode::kInvalidArgument, "actions must be a list of names with commas between");
  }
  std::string_view rest = node.Scalar();
  while (true) {
    const std::size_t comma = rest.find(',');
    std::string_view name = rest.substr(0, comma);
    const std::size_t first = name.find_first_not_of(" \t\n");
    name = first == name.npos ? "" : name.substr(first, name.find_last_not_of(" \t\n") - first + 1);
    if (auto ok = CheckName(node, "unknown action", name, known.actions); !ok) return ok;
    config.actions.emplace_back(name);
    if (comma == rest.npos) return {};
    rest.remove_prefix(comma + 1);
  }
}

// Volcano's rule: the two divide the cluster in different ways.
bool HierarchicalDrfWithProportion(const Tier& tier) {
  bool hierarchical_drf = false, proportion = false;
  for (const PluginConfig& plugin : tier.plugins) {
    hierarchical_drf |= plugin.name == "drf" && plugin.IsOn(Switch::kHierarchy);
    proportion |= plugin.name == "proportion";
  }
  return hierarchical_drf && proportion;
}

Result<Config> Read(const YAML::Node& root, const KnownNames& known) {
  if (!root.IsMap()) return Fail(ErrorCode::kInvalidArgument, "line 1: the file must be a map");
  if (auto ok =
          CheckKeys(root, "the configuration", {"actions", "tiers", "configurations", "metrics"});
      !ok) {
    return std::unexpected(ok.error());
  }
  Config config;
  if (auto ok = ReadActions(root["actions"], known, config); !ok) {
    return std::unexpected(ok.error());
  }
  for (const char* list : {"tiers", "configurations"}) {
    if (auto ok = CheckList(root[list], list); !ok) return std::unexpected(ok.error());
  }
  for (const YAML::Node& tier_node : root["tiers"]) {
    if (!tier_node.IsMap()) return At(tier_node, "a tier must be a map with plugins");
    if (auto ok = CheckKeys(tier_node, "a tier", {"plugins"}); !ok) {
      return std::unexpected(ok.error());
    }
    if (auto ok = CheckList(tier_node["plugins"], "plugins"); !ok) {
      return std::unexpected(ok.error());
    }
    Tier tier;
    for (const YAML::Node& plugin_node : tier_node["plugins"]) {
      auto plugin = ReadPlugin(plugin_node, known);
      if (!plugin) return std::unexpected(plugin.error());
      tier.plugins.push_back(std::move(*plugin));
    }
    if (HierarchicalDrfWithProportion(tier)) {
      return At(tier_node, "proportion and drf with hierarchy enabled conflicts");
    }
    config.tiers.push_back(std::move(tier));
  }
  for (const YAML::Node& item : root["configurations"]) {
    if (!item.IsMap()) return At(item, "a configuration must be a map with a name");
    if (auto ok = CheckKeys(item, "a configuration", {"name", "arguments"}); !ok) {
      return std::unexpected(ok.error());
    }
    const std::string name = item["name"] ? item["name"].as<std::string>("") : "";
    if (auto ok = CheckName(item, "configuration of an unknown action", name, known.actions); !ok) {
      return std::unexpected(ok.error());
    }
    auto arguments = ReadArguments(item["arguments"]);
    if (!arguments) return std::unexpected(arguments.error());
    config.action_arguments.try_emplace(name, std::move(*arguments));  // the first one counts
    config.action_lines.try_emplace(name, LineOf(item));
  }
  const YAML::Node metrics = root["metrics"];
  if (metrics && !metrics.IsNull() && !metrics.IsMap()) return At(metrics, "metrics must be a map");
  for (const auto& entry : metrics) {
    config.metrics[entry.first.as<std::string>("")] = entry.second.as<std::string>("");
  }
  return config;
}

}  // namespace

std::optional<Switch> FindSwitch(std::string_view name) {
  const auto it = std::ranges::find(kSwitchNames, name);
  if (it == kSwitchNames.end()) return std::nullopt;
  return static_cast<Switch>(it - kSwitchNames.begin());
}

void PluginConfig::ApplyDefaults() {
  for (int i = 0; i < kSwitches; ++i) {
    const auto which = static_cast<Switch>(i);
    if (which == Switch::kHierarchy || which == Switch::kClusterOrder) continue;
    if (!switches[i]) switches[i] = true;
  }
}

bool Config::HasAction(std::string_view name) const {
  return std::ranges::find(actions, name) != actions.end();
}

const Arguments& Config::ArgumentsOf(std::string_view action) const {
  static const Arguments kNone;
  const auto it = action_arguments.find(action);
  return it == action_arguments.end() ? kNone : it->second;
}

std::string Config::WhereIs(std::string_view action) const {
  const auto it = action_lines.find(action);
  return it == action_lines.end() ? std::string(action)
                                  : fmt::format("line {}: {}", it->second, action);
}

Result<Config> LoadConfig(std::string_view yaml, const KnownNames& known) {
  try {
    return Read(YAML::Load(std::string(yaml)), known);
  } catch (const YAML::Exception& error) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("line {}: {}", error.mark.line + 1, error.msg));
  }
}

std::string_view DefaultConfigYaml() {
  return R"(actions: "enqueue, reserve, allocate, backfill"
tiers:
- plugins:
  - name: priority
  - name: gang
  - name: conformance
  - name: reservation
- plugins:
  - name: overcommit
  - name: drf
  - name: predicates
  - name: capacity
  - name: nodeorder
  - name: binpack
)";
}

}  // namespace basalt::scheduler
