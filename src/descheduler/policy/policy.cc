#include "descheduler/policy/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/nearest.h"
#include "descheduler/policy/field.h"
#include "descheduler/policy/plugin_args.h"

namespace basalt::descheduler {
namespace {

constexpr std::int64_t kMostCount = std::numeric_limits<std::int64_t>::max();

enum class Point : unsigned char { kDeschedule, kBalance, kFilter, kPreEvictionFilter, kSort };

struct KnownPlugin {
  std::string_view name;
  std::vector<Point> points;
};

const std::vector<KnownPlugin>& KnownPlugins() {
  static const std::vector<KnownPlugin> kPlugins = {
      {"DefaultEvictor", {Point::kFilter, Point::kPreEvictionFilter}},
      {"Defragmentation", {Point::kBalance}},
      {"LoadAware", {Point::kBalance}},
      {"RemovePodsViolatingInterPodAntiAffinity", {Point::kDeschedule}},
      {"RemovePodsViolatingNodeAffinity", {Point::kDeschedule}},
      {"RemovePodsViolatingNodeTaints", {Point::kDeschedule}},
  };
  return kPlugins;
}

const KnownPlugin* FindPlugin(std::string_view name) {
  const auto it = std::ranges::find(KnownPlugins(), name, &KnownPlugin::name);
  return it == KnownPlugins().end() ? nullptr : &*it;
}

std::string UnknownPlugin(std::string_view name) {
  std::vector<std::string> names;
  for (const KnownPlugin& plugin : KnownPlugins()) names.emplace_back(plugin.name);
  const std::string_view nearest = Nearest(name, names);
  if (!nearest.empty()) {
    return fmt::format("unknown plugin \"{}\", did you mean \"{}\"?", name, nearest);
  }
  return fmt::format("unknown plugin \"{}\"; known are {}", name, fmt::join(names, ", "));
}

struct PointName {
  std::string_view key;
  Point point;
};
constexpr PointName kPointNames[] = {
    {"deschedule", Point::kDeschedule},
    {"balance", Point::kBalance},
    {"filter", Point::kFilter},
    {"preEvictionFilter", Point::kPreEvictionFilter},
    // As kubernetes-sigs/descheduler spells it in its own types.
    {"preevictionfilter", Point::kPreEvictionFilter},
    {"sort", Point::kSort},
    {"presort", Point::kSort},
};

std::string PointsOf(const KnownPlugin& plugin) {
  std::vector<std::string_view> names;
  for (const PointName& name : kPointNames) {
    if (name.key != "preevictionfilter" && std::ranges::count(plugin.points, name.point) > 0) {
      names.push_back(name.key);
    }
  }
  return fmt::format("{}", fmt::join(names, " and "));
}

// Which plugins a profile enables and disables, with where it says so.
struct Choices {
  std::vector<std::pair<std::string, Field>> enabled;
  std::vector<std::pair<std::string, Field>> disabled;
};

void ReadPoint(const Field& field, Point point, Choices* choices) {
  field.CheckMap({"enabled", "disabled"});
  const auto read = [](const Field& list, std::vector<std::pair<std::string, Field>>* out) {
    for (const Field& item : list.Items()) {
      std::string name;
      if (!item.present()) item.Refuse("must be the name of a plugin");
      item.Read(&name);
      out->emplace_back(std::move(name), item);
    }
  };
  const std::size_t enabled_before = choices->enabled.size();
  read(field["enabled"], &choices->enabled);
  read(field["disabled"], &choices->disabled);
  for (std::size_t i = enabled_before; i < choices->enabled.size(); ++i) {
    const auto& [name, item] = choices->enabled[i];
    const KnownPlugin* plugin = FindPlugin(name);
    if (!plugin) {
      item.Refuse(UnknownPlugin(name));
    } else if (std::ranges::count(plugin->points, point) == 0) {
      item.Refuse(fmt::format("{} is no plugin of this point; it belongs under {}", name,
                              PointsOf(*plugin)));
    }
    for (const auto& [other, other_item] : choices->disabled) {
      if (other == name) {
        item.Refuse(fmt::format("{} is in {} too; keep one", name, other_item.path()));
      }
    }
    for (std::size_t j = enabled_before; j < i; ++j) {
      if (choices->enabled[j].first == name) {
        item.Refuse(
            fmt::format("{} is in {} too; keep one", name, choices->enabled[j].second.path()));
      }
    }
  }
}

bool Names(const std::vector<std::pair<std::string, Field>>& list, std::string_view name) {
  return std::ranges::any_of(
      list, [&](const auto& entry) { return entry.first == name || entry.first == "*"; });
}

// The arguments of a plugin that is enabled and whose pluginConfig is not there are those of an
// empty one; what they lack is complained of where it is enabled.
template <class Args, class Reader>
void Enable(const std::map<std::string, Field>& configs, std::string_view name,
            const Choices& choices, Reader reader, std::optional<Args>* args) {
  const auto config = configs.find(std::string(name));
  std::optional<Args> read;
  if (config != configs.end()) read = reader(config->second["args"]);
  for (const auto& [enabled, item] : choices.enabled) {
    if (enabled != name) continue;
    if (!read) {
      Complaint missing;
      read = reader(Field(YAML::Node(YAML::NodeType::Map), "args", missing));
      if (!missing.empty()) {
        item.Refuse(fmt::format("{} needs a pluginConfig: {}", name, missing.text()));
      }
    }
    *args = std::move(read);
    return;
  }
}

Profile ReadProfile(const Field& field) {
  Profile profile;
  if (!field.present()) field.Refuse("must be a profile with name, pluginConfig and plugins");
  field.CheckMap({"name", "pluginConfig", "plugins"});
  field["name"].Read(&profile.name);

  std::map<std::string, Field> configs;
  for (const Field& config : field["pluginConfig"].Items()) {
    config.CheckMap({"name", "args"});
    std::string name;
    config["name"].Read(&name);
    if (name.empty()) config["name"].Refuse("is required: the plugin's name");
    if (!FindPlugin(name)) config["name"].Refuse(UnknownPlugin(name));
    const auto [known, is_new] = configs.emplace(name, config);
    if (!is_new) {
      config["name"].Refuse(
          fmt::format("{} has its arguments in {} already; keep one", name, known->second.path()));
    }
  }

  const Field plugins = field["plugins"];
  plugins.CheckMap({"deschedule", "balance", "filter", "preEvictionFilter", "preevictionfilter",
                    "sort", "presort"});
  std::map<Point, Choices> points;
  for (const PointName& name : kPointNames) {
    ReadPoint(plugins[name.key], name.point, &points[name.point]);
  }
  for (const auto& [name, item] : points[Point::kDeschedule].enabled) {
    profile.deschedule.push_back(name);
  }
  for (const auto& [name, item] : points[Point::kBalance].enabled) profile.balance.push_back(name);
  profile.evictor_filters = !Names(points[Point::kFilter].disabled, "DefaultEvictor");
  profile.evictor_prefilters = !Names(points[Point::kPreEvictionFilter].disabled, "DefaultEvictor");
  if (const auto evictor = configs.find("DefaultEvictor"); evictor != configs.end()) {
    profile.evictor = ReadDefaultEvictor(evictor->second["args"]);
  }
  Enable(configs, "Defragmentation", points[Point::kBalance], ReadDefragmentation,
         &profile.defragmentation);
  Enable(configs, "LoadAware", points[Point::kBalance], ReadLoadAware, &profile.load_aware);
  const Choices& deschedule = points[Point::kDeschedule];
  Enable(configs, "RemovePodsViolatingNodeAffinity", deschedule, ReadNodeAffinity,
         &profile.node_affinity);
  Enable(configs, "RemovePodsViolatingNodeTaints", deschedule, ReadNodeTaints,
         &profile.node_taints);
  Enable(configs, "RemovePodsViolatingInterPodAntiAffinity", deschedule, ReadInterPodAntiAffinity,
         &profile.inter_pod_anti_affinity);
  return profile;
}

// Fields that are accepted for the sake of files that have them, and change nothing here:
// LoadAware's own arguments name the source that it asks.
void CheckMetricsFields(const Field& root) {
  const Field collector = root["metricsCollector"];
  collector.CheckMap({"enabled"});
  bool ignored = false;
  collector["enabled"].Read(&ignored);
  for (const Field& provider : root["metricsProviders"].Items()) {
    provider.CheckMap({"source", "prometheus"});
    std::string source, url, text;
    provider["source"].Read(&source);
    if (source != "KubernetesMetrics" && source != "Prometheus") {
      provider["source"].Refuse("must be KubernetesMetrics or Prometheus");
    }
    const Field prometheus = provider["prometheus"];
    prometheus.CheckMap({"url", "authToken"});
    prometheus["url"].Read(&url);
    const Field token = prometheus["authToken"];
    token.CheckMap({"secretReference"});
    token["secretReference"].CheckMap({"namespace", "name"});
    token["secretReference"]["namespace"].Read(&text);
    token["secretReference"]["name"].Read(&text);
  }
}

Policy ReadPolicy(const Field& root) {
  Policy policy;
  if (!root.present()) {
    root["profiles"].Refuse("is required: the file is empty");
    return policy;
  }
  root.CheckMap({"apiVersion", "kind", "nodeSelector", "maxNoOfPodsToEvictPerNode",
                 "maxNoOfPodsToEvictPerNamespace", "maxNoOfPodsToEvictTotal", "gracePeriodSeconds",
                 "evictionFailureEventNotification", "metricsCollector", "metricsProviders",
                 "profiles"});
  std::string version, kind;
  root["apiVersion"].Read(&version);
  if (version != "descheduler/v1alpha2") {
    root["apiVersion"].Refuse("must be descheduler/v1alpha2" +
                              (version.empty() ? std::string() : ", not " + version));
  }
  root["kind"].Read(&kind);
  if (kind != "DeschedulerPolicy") {
    root["kind"].Refuse("must be DeschedulerPolicy" +
                        (kind.empty() ? std::string() : ", not " + kind));
  }
  ReadTextSelector(root["nodeSelector"], &policy.node_selector);
  root["maxNoOfPodsToEvictPerNode"].Read(&policy.max_pods_per_node, 0, kMostCount);
  root["maxNoOfPodsToEvictPerNamespace"].Read(&policy.max_pods_per_namespace, 0, kMostCount);
  root["maxNoOfPodsToEvictTotal"].Read(&policy.max_pods_total, 0, kMostCount);
  root["gracePeriodSeconds"].Read(&policy.grace_period_seconds, 0, kMostCount);
  root["evictionFailureEventNotification"].Read(&policy.eviction_failure_event_notification);
  CheckMetricsFields(root);
  std::map<std::string, std::string> paths;  // by name
  for (const Field& item : root["profiles"].Items()) {
    policy.profiles.push_back(ReadProfile(item));
    const std::string& name = policy.profiles.back().name;
    const auto [known, is_new] = paths.emplace(name, item.PathOf("name"));
    if (!is_new) {
      item["name"].Refuse(fmt::format("\"{}\" is {} too; names must differ", name, known->second));
    }
  }
  if (policy.profiles.empty()) {
    root["profiles"].Refuse(
        "is required: at least one profile with name, pluginConfig and plugins");
  }
  return policy;
}

// The line in which a second document begins; 0: there is none. (Of what YAML takes for several
// documents the library reads the first, or reads for ever.)
int SecondDocument(std::string_view text) {
  bool has_content = false;
  for (int line = 1; !text.empty(); ++line) {
    const std::string_view current = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), current.size() + 1));
    const bool begins =
        current.starts_with("---") && current.substr(3).find_first_not_of(" \t\r") != 0;
    if (begins && has_content) return line;
    const std::size_t first = current.find_first_not_of(" \t\r");
    has_content |= !begins && first != current.npos && current[first] != '#' && current[0] != '%';
  }
  return 0;
}

}  // namespace

bool NamespaceChoice::Takes(std::string_view ns) const {
  if (!include.empty()) return std::ranges::find(include, ns) != include.end();
  return std::ranges::find(exclude, ns) == exclude.end();
}

const Profile* Policy::FindDefragmentation(std::string_view name) const {
  for (const Profile& profile : profiles) {
    if (profile.defragmentation && (name.empty() || profile.name == name)) return &profile;
  }
  return nullptr;
}

std::expected<Policy, std::string> ParsePolicy(std::string_view text) {
  try {
    if (const int line = SecondDocument(text)) {
      return std::unexpected(
          fmt::format("line {}: the file has more than one document; keep one", line));
    }
    const YAML::Node root = YAML::Load(std::string(text));
    if (root.IsDefined() && !root.IsNull() && !root.IsMap()) {
      return std::unexpected("line 1: the file must be a map with apiVersion, kind and profiles");
    }
    Complaint complaint;
    Policy policy = ReadPolicy(Field(root, "", complaint));
    if (!complaint.empty()) return std::unexpected(complaint.text());
    return policy;
  } catch (const YAML::Exception& error) {
    return std::unexpected(fmt::format("line {}: {}", error.mark.line + 1, error.msg));
  }
}

Policy BuiltinPolicy() {
  DefragmentationArgs args;
  args.low = {{"cpu", 40}};
  args.defragment = {{"cpu", 60}};
  args.protection = {{"cpu", 95}};
  args.pack_underused = true;
  Profile profile;
  profile.name = "default";
  profile.balance = {"Defragmentation"};
  profile.defragmentation = std::move(args);
  Policy policy;
  policy.profiles.push_back(std::move(profile));
  return policy;
}

}  // namespace basalt::descheduler
