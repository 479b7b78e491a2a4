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

// What is wrong ends the reading, as what yaml-cpp finds does: LoadConfig says it with its line.
[[noreturn]] void Refuse(const YAML::Node& node, const std::string& message) {
  throw YAML::Exception(node.Mark(), message);
}

// `message`: what is wrong with a name that is not known.
void CheckName(const YAML::Node& at, std::string_view name, const std::vector<std::string>& known,
               std::string message) {
  if (std::ranges::find(known, name) != known.end()) return;
  const std::string_view nearest = Nearest(name, known);
  if (!nearest.empty()) message += fmt::format(", did you mean \"{}\"?", nearest);
  Refuse(at, message);
}

void CheckMap(const YAML::Node& node, std::string_view what, std::string_view with,
              const std::vector<std::string>& keys) {
  if (!node.IsMap()) Refuse(node, fmt::format("{} must be a map with {}", what, with));
  for (const auto& entry : node) {
    const std::string key = entry.first.as<std::string>("");
    CheckName(entry.first, key, keys, fmt::format("unknown key \"{}\" in {}", key, what));
  }
}

// What is no list has no items, and would be taken for an empty one.
YAML::Node ListIn(const YAML::Node& map, const char* key) {
  const YAML::Node list = map[key];
  if (list && !list.IsNull() && !list.IsSequence()) {
    Refuse(list, fmt::format("{} must be a list", key));
  }
  return list;
}

// What is not there, or empty, is an empty map.
YAML::Node MapIn(const YAML::Node& map, const char* key) {
  const YAML::Node value = map[key];
  if (!value || value.IsNull()) return YAML::Node(YAML::NodeType::Map);
  if (!value.IsMap()) Refuse(value, fmt::format("{} must be a map", key));
  return value;
}

std::string NameIn(const YAML::Node& map) {
  return map["name"] ? map["name"].as<std::string>("") : "";
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

Arguments ArgumentsIn(const YAML::Node& map) {
  return Arguments(ToJson(MapIn(map, "arguments")).as_object());
}

PluginConfig ReadPlugin(const YAML::Node& node, const KnownNames& known) {
  std::vector<std::string> keys = {"name", "arguments"};
  keys.insert(keys.end(), kSwitchNames.begin(), kSwitchNames.end());
  CheckMap(node, "a plugin", "a name", keys);

  PluginConfig plugin;
  plugin.line = LineOf(node);
  plugin.name = NameIn(node);
  if (plugin.name.empty()) Refuse(node, "a plugin without a name");
  CheckName(node["name"], plugin.name, known.plugins,
            fmt::format("unknown plugin \"{}\"", plugin.name));
  for (int i = 0; i < kSwitches; ++i) {
    const YAML::Node value = node[std::string(kSwitchNames[i])];
    if (!value || value.IsNull()) continue;
    plugin.switches[i] = value.IsScalar() ? ParseBool(value.Scalar()) : std::nullopt;
    if (!plugin.switches[i]) {
      Refuse(value, fmt::format("{} must be true or false", kSwitchNames[i]));
    }
  }
  plugin.arguments = ArgumentsIn(node);
  plugin.ApplyDefaults();
  return plugin;
}

std::vector<std::string> ReadActions(const YAML::Node& node, const KnownNames& known) {
  std::vector<std::string> actions;
  std::string_view rest = node.Scalar();
  while (true) {
    const std::size_t comma = rest.find(',');
    std::string_view name = rest.substr(0, comma);
    const std::size_t first = name.find_first_not_of(" \t\n");
    name = first == name.npos ? "" : name.substr(first, name.find_last_not_of(" \t\n") - first + 1);
    CheckName(node, name, known.actions, fmt::format("unknown action \"{}\"", name));
    actions.emplace_back(name);
    if (comma == rest.npos) return actions;
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

Tier ReadTier(const YAML::Node& node, const KnownNames& known) {
  CheckMap(node, "a tier", "plugins", {"plugins"});
  Tier tier;
  for (const YAML::Node& plugin : ListIn(node, "plugins")) {
    tier.plugins.push_back(ReadPlugin(plugin, known));
  }
  if (HierarchicalDrfWithProportion(tier)) {
    Refuse(node, "proportion and drf with hierarchy enabled conflicts");
  }
  return tier;
}

Result<Config> Read(const YAML::Node& root, const KnownNames& known) {
  if (!root.IsMap()) return Fail(ErrorCode::kInvalidArgument, "line 1: the file must be a map");
  CheckMap(root, "the configuration", "actions", {"actions", "tiers", "configurations", "metrics"});
  const YAML::Node actions = root["actions"];
  if (!actions || !actions.IsScalar()) {
    return Fail(ErrorCode::kInvalidArgument, "actions must be a list of names with commas between");
  }
  Config config;
  config.actions = ReadActions(actions, known);
  const YAML::Node tiers = ListIn(root, "tiers");
  const YAML::Node configurations = ListIn(root, "configurations");
  for (const YAML::Node& tier : tiers) config.tiers.push_back(ReadTier(tier, known));
  for (const YAML::Node& item : configurations) {
    CheckMap(item, "a configuration", "a name", {"name", "arguments"});
    const std::string name = NameIn(item);
    CheckName(item, name, known.actions,
              fmt::format("configuration of an unknown action \"{}\"", name));
    config.action_arguments.try_emplace(name, ArgumentsIn(item));  // the first one counts
    config.action_lines.try_emplace(name, LineOf(item));
  }
  MapIn(root, "metrics");  // Volcano's; nothing of it is read
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
