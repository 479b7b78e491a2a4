#include "descheduler/policy/plugin_args.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "kube/types/names.h"

namespace basalt::descheduler {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostInt = std::numeric_limits<std::int32_t>::max();

// "lowThresholds.cpu" of the same arguments, with its whole path.
std::string Named(const Field& field, double value) {
  return fmt::format("{} ({:g})", field.path(), value);
}

using Known = bool (*)(std::string_view name);

Thresholds ReadThresholds(const Field& field, Known known, std::string_view allowed) {
  Thresholds thresholds;
  if (!field.present()) {
    field.Refuse("is required: numbers from 0 to 100 by resource, such as {cpu: 40}");
    return thresholds;
  }
  field.CheckKeys();
  for (const std::string& name : field.Keys()) {
    const Field item = field[name];
    if (!known(name)) item.Refuse(allowed);
    const auto number = item.Number();
    if (!number) continue;
    if (*number < 0 || *number > 100) {
      item.Refuse(fmt::format("must be from 0 to 100, not {:g}", *number));
    }
    thresholds[name] = *number;
  }
  if (field.Keys().empty()) field.Refuse("must name a resource, such as {cpu: 40}");
  return thresholds;
}

void CheckSameResources(const Field& args, std::string_view key, const Thresholds& thresholds,
                        std::string_view other_key, const Thresholds& others) {
  for (const auto& [name, value] : thresholds) {
    if (others.contains(name)) continue;
    args[key][name].Refuse(
        fmt::format("is not in {}; both must list the same resources", args.PathOf(other_key)));
  }
}

// Of each resource the first is at most the second; `strictly`: below it.
void CheckOrder(const Field& args, std::string_view key, const Thresholds& low,
                std::string_view other_key, const Thresholds& high, bool strictly) {
  for (const auto& [name, value] : low) {
    const auto other = high.find(name);
    if (other == high.end()) continue;
    if (strictly ? value < other->second : value <= other->second) continue;
    args[key][name].Refuse(fmt::format("{:g} must {} {}", value,
                                       strictly ? "be below" : "not be above",
                                       Named(args[other_key][name], other->second)));
  }
}

NamespaceChoice ReadNamespaces(const Field& field) {
  NamespaceChoice choice;
  field.CheckMap({"include", "exclude"});
  field["include"].Read(&choice.include);
  field["exclude"].Read(&choice.exclude);
  if (!choice.include.empty() && !choice.exclude.empty()) {
    field["include"].Refuse(
        fmt::format("and {} exclude each other; keep one", field.PathOf("exclude")));
  }
  return choice;
}

std::optional<kube::LabelRequirement::Operator> OperatorOf(std::string_view text) {
  using Operator = kube::LabelRequirement::Operator;
  if (text == "In") return Operator::kIn;
  if (text == "NotIn") return Operator::kNotIn;
  if (text == "Exists") return Operator::kExists;
  if (text == "DoesNotExist") return Operator::kDoesNotExist;
  return std::nullopt;
}

void ReadExpression(const Field& field, std::vector<kube::LabelRequirement>* requirements) {
  field.CheckMap({"key", "operator", "values"});
  kube::LabelRequirement requirement;
  std::string text;
  field["key"].Read(&requirement.key);
  field["operator"].Read(&text);
  field["values"].Read(&requirement.values);
  const auto op = OperatorOf(text);
  if (!op) return field["operator"].Refuse("must be In, NotIn, Exists or DoesNotExist");
  requirement.op = *op;
  if (const auto valid = kube::Validate(requirement); !valid) {
    return field.Refuse(valid.error().message);
  }
  requirements->push_back(std::move(requirement));
}

// metav1.LabelSelector.
kube::LabelSelector ReadLabelSelector(const Field& field) {
  field.CheckMap({"matchLabels", "matchExpressions"});
  std::vector<kube::LabelRequirement> requirements;
  const Field labels = field["matchLabels"];
  labels.CheckKeys();
  for (const std::string& key : labels.Keys()) {
    kube::LabelRequirement requirement{.key = key};
    labels[key].Read(&requirement.values.emplace_back());
    if (const auto valid = kube::Validate(requirement); !valid) {
      labels[key].Refuse(valid.error().message);
    }
    requirements.push_back(std::move(requirement));
  }
  for (const Field& expression : field["matchExpressions"].Items()) {
    ReadExpression(expression, &requirements);
  }
  return kube::LabelSelector(std::move(requirements));
}

PriorityThreshold ReadPriorityThreshold(const Field& field) {
  PriorityThreshold threshold;
  field.CheckMap({"name", "value"});
  std::optional<std::int64_t> value;
  field["name"].Read(&threshold.name);
  field["value"].Read(&value, std::numeric_limits<std::int32_t>::min(), kMostInt);
  if (value) threshold.value = static_cast<std::int32_t>(*value);
  if (value && !threshold.name.empty()) {
    field["name"].Refuse(fmt::format("and {} exclude each other; keep one", field.PathOf("value")));
  }
  return threshold;
}

MoveArgs ReadMoves(const Field& args) {
  MoveArgs moves;
  args["maxMigrations"].Read(&moves.max_migrations, 1, kMost);
  std::int64_t parallel = moves.max_parallel;
  args["maxParallel"].Read(&parallel, 1, kMostInt);
  moves.max_parallel = static_cast<int>(parallel);
  args["migrateTimeout"].Read(&moves.migrate_timeout);
  if (moves.migrate_timeout <= Duration::zero()) {
    args["migrateTimeout"].Refuse("must be more than 0, such as 2m");
  }
  args["coolDownTime"].Read(&moves.cool_down_time, Field::BareNumber::kSeconds);
  if (moves.cool_down_time < Duration::zero()) {
    args["coolDownTime"].Refuse("must be 0 or more, such as 10m");
  }
  return moves;
}

constexpr std::string_view kResourceAllowed =
    "is no resource of nodes; allowed are cpu, memory, ephemeral-storage, pods, hugepages-SIZE and "
    "names with a domain, such as nvidia.com/gpu";

// One of the lists of podProtections: sets what the names stand for to `value`.
void ReadProtections(const Field& field, std::vector<std::pair<std::string_view, bool*>> known,
                     bool value) {
  std::vector<std::string> names;
  for (const auto& [name, target] : known) names.emplace_back(name);
  std::vector<std::string> seen;
  for (const Field& item : field.Items()) {
    std::string name;
    item.Read(&name);
    const auto it = std::ranges::find(known, name, &std::pair<std::string_view, bool*>::first);
    if (it == known.end()) {
      return item.Refuse(
          fmt::format("unknown protection \"{}\"; known are {}", name, fmt::join(names, ", ")));
    }
    if (std::ranges::find(seen, name) != seen.end()) return item.Refuse("is there twice; keep one");
    seen.push_back(name);
    *it->second = value;
  }
}

void ReadPodProtections(const Field& field, PodProtections* protections) {
  field.CheckMap({"extraEnabled", "defaultDisabled", "config"});
  ReadProtections(field["defaultDisabled"],
                  {{"PodsWithLocalStorage", &protections->local_storage},
                   {"DaemonSetPods", &protections->daemon_set},
                   {"SystemCriticalPods", &protections->system_critical},
                   {"FailedBarePods", &protections->failed_bare}},
                  false);
  ReadProtections(
      field["extraEnabled"],
      {{"PodsWithPVC", &protections->with_pvc},
       {"PodsWithoutPDB", &protections->without_pdb},
       {"PodsWithResourceClaims", &protections->resource_claims},
       {"PodsWithPDBBlockingSingleReplicaOwner", &protections->pdb_of_several_replicas}},
      true);
  const Field config = field["config"];
  config.CheckMap({"PodsWithPVC"});
  const Field with_pvc = config["PodsWithPVC"];
  with_pvc.CheckMap({"protectedStorageClasses"});
  for (const Field& item : with_pvc["protectedStorageClasses"].Items()) {
    item.CheckMap({"name"});
    std::string name;
    item["name"].Read(&name);
    if (name.empty()) item["name"].Refuse("is required: the name of a storage class");
    protections->protected_storage_classes.push_back(std::move(name));
  }
  if (with_pvc.present() && !protections->with_pvc) {
    with_pvc.Refuse(
        fmt::format("has no effect unless {} lists PodsWithPVC", field.PathOf("extraEnabled")));
  }
}

bool IsUsage(std::string_view name) { return name == "cpu" || name == "memory" || name == "pods"; }

}  // namespace

void ReadTextSelector(const Field& field, kube::LabelSelector* selector) {
  std::string text;
  field.Read(&text);
  auto parsed = kube::LabelSelector::Parse(text);
  if (!parsed) {
    return field.Refuse(
        fmt::format("is no selector such as \"pool=batch,!spot\": {}", parsed.error().message));
  }
  *selector = std::move(*parsed);
}

DefragmentationArgs ReadDefragmentation(const Field& args) {
  DefragmentationArgs out;
  args.CheckMap({"resourceType", "lowThresholds", "defragmentThresholds", "protectionThresholds",
                 "numberOfNodes", "maxMigrations", "maxParallel", "migrateTimeout", "coolDownTime",
                 "dryRun", "partial", "packUnderused", "evictableNamespaces", "labelSelector",
                 "nodeSelector"});
  args["resourceType"].Read(&out.resource_type);
  if (!IsNodeResource(out.resource_type)) args["resourceType"].Refuse(kResourceAllowed);
  out.low = ReadThresholds(args["lowThresholds"], IsNodeResource, kResourceAllowed);
  out.defragment = ReadThresholds(args["defragmentThresholds"], IsNodeResource, kResourceAllowed);
  out.protection = ReadThresholds(args["protectionThresholds"], IsNodeResource, kResourceAllowed);
  const std::pair<std::string_view, const Thresholds*> kAll[] = {
      {"lowThresholds", &out.low},
      {"defragmentThresholds", &out.defragment},
      {"protectionThresholds", &out.protection}};
  for (const auto& [key, thresholds] : kAll) {
    for (const auto& [other_key, others] : kAll) {
      CheckSameResources(args, key, *thresholds, other_key, *others);
    }
  }
  if (!out.low.contains(out.resource_type)) {
    args["resourceType"].Refuse(
        fmt::format("{} must be in {}, {} and {}", out.resource_type, args.PathOf("lowThresholds"),
                    args.PathOf("defragmentThresholds"), args.PathOf("protectionThresholds")));
  }
  CheckOrder(args, "lowThresholds", out.low, "defragmentThresholds", out.defragment, false);
  CheckOrder(args, "defragmentThresholds", out.defragment, "protectionThresholds", out.protection,
             true);
  args["numberOfNodes"].Read(&out.number_of_nodes, 0, kMost);
  out.moves = ReadMoves(args);
  args["dryRun"].Read(&out.dry_run);
  args["partial"].Read(&out.partial);
  args["packUnderused"].Read(&out.pack_underused);
  out.evictable_namespaces = ReadNamespaces(args["evictableNamespaces"]);
  out.label_selector = ReadLabelSelector(args["labelSelector"]);
  ReadTextSelector(args["nodeSelector"], &out.node_selector);
  return out;
}

DefaultEvictorArgs ReadDefaultEvictor(const Field& args) {
  DefaultEvictorArgs out;
  args.CheckMap({"nodeSelector", "labelSelector", "namespaceLabelSelector", "priorityThreshold",
                 "nodeFit", "minReplicas", "minPodAge", "noEvictionPolicy", "podProtections",
                 "evictLocalStoragePods", "evictDaemonSetPods", "evictSystemCriticalPods",
                 "ignorePvcPods", "ignorePodsWithoutPDB", "evictFailedBarePods"});
  ReadTextSelector(args["nodeSelector"], &out.node_selector);
  out.label_selector = ReadLabelSelector(args["labelSelector"]);
  out.namespace_label_selector = ReadLabelSelector(args["namespaceLabelSelector"]);
  out.priority_threshold = ReadPriorityThreshold(args["priorityThreshold"]);
  args["nodeFit"].Read(&out.node_fit);
  args["minReplicas"].Read(&out.min_replicas, 0, kMost);
  if (const Field age = args["minPodAge"]; age.present()) {
    out.min_pod_age = Duration::zero();
    age.Read(&*out.min_pod_age);
    if (*out.min_pod_age < Duration::zero()) age.Refuse("must be 0 or more, such as 5m");
  }
  std::string no_eviction;
  args["noEvictionPolicy"].Read(&no_eviction);
  if (no_eviction == "Mandatory") {
    out.no_eviction_policy = NoEvictionPolicy::kMandatory;
  } else if (!no_eviction.empty() && no_eviction != "Preferred") {
    args["noEvictionPolicy"].Refuse("must be Preferred or Mandatory");
  }
  PodProtections& protections = out.protections;
  // The older way to say it: the name, what it changes, and what `true` makes of that.
  struct Older {
    std::string_view key;
    bool* target;
    bool when_true;
  };
  for (const Older& older : {Older{"evictLocalStoragePods", &protections.local_storage, false},
                             Older{"evictDaemonSetPods", &protections.daemon_set, false},
                             Older{"evictSystemCriticalPods", &protections.system_critical, false},
                             Older{"evictFailedBarePods", &protections.failed_bare, false},
                             Older{"ignorePvcPods", &protections.with_pvc, true},
                             Older{"ignorePodsWithoutPDB", &protections.without_pdb, true}}) {
    const Field field = args[older.key];
    if (!field.present()) continue;
    bool on = false;
    field.Read(&on);
    *older.target = on ? older.when_true : !older.when_true;
    if (args["podProtections"].present()) {
      field.Refuse(
          fmt::format("and {} say the same in two ways; keep one", args.PathOf("podProtections")));
    }
  }
  ReadPodProtections(args["podProtections"], &protections);
  return out;
}

LoadAwareArgs ReadLoadAware(const Field& args) {
  LoadAwareArgs out;
  args.CheckMap({"thresholds", "targetThresholds", "useDeviationThresholds", "numberOfNodes",
                 "evictableNamespaces", "nodeSelector", "labelSelector", "priorityThreshold",
                 "nodeFit", "duration", "metrics", "evictLocalStoragePods",
                 "evictSystemCriticalPods", "ignorePvcPods", "evictFailedBarePods", "coolDownTime",
                 "migrateTimeout", "maxMigrations", "maxParallel"});
  constexpr std::string_view kAllowed =
      "is no resource that is measured; allowed are cpu, memory and pods";
  out.thresholds = ReadThresholds(args["thresholds"], IsUsage, kAllowed);
  out.target_thresholds = ReadThresholds(args["targetThresholds"], IsUsage, kAllowed);
  CheckSameResources(args, "thresholds", out.thresholds, "targetThresholds", out.target_thresholds);
  CheckSameResources(args, "targetThresholds", out.target_thresholds, "thresholds", out.thresholds);
  CheckOrder(args, "thresholds", out.thresholds, "targetThresholds", out.target_thresholds, false);
  args["useDeviationThresholds"].Read(&out.use_deviation_thresholds);
  args["numberOfNodes"].Read(&out.number_of_nodes, 0, kMost);
  out.moves = ReadMoves(args);
  out.evictable_namespaces = ReadNamespaces(args["evictableNamespaces"]);
  ReadTextSelector(args["nodeSelector"], &out.node_selector);
  out.label_selector = ReadLabelSelector(args["labelSelector"]);
  out.priority_threshold = ReadPriorityThreshold(args["priorityThreshold"]);
  args["nodeFit"].Read(&out.node_fit);
  args["evictLocalStoragePods"].Read(&out.evict_local_storage);
  args["evictSystemCriticalPods"].Read(&out.evict_system_critical);
  args["ignorePvcPods"].Read(&out.ignore_pvc);
  args["evictFailedBarePods"].Read(&out.evict_failed_bare);
  args["duration"].Read(&out.duration);
  if (out.duration <= Duration::zero()) args["duration"].Refuse("must be more than 0, such as 2m");
  const Field metrics = args["metrics"];
  metrics.CheckMap({"type", "address"});
  std::string type;
  metrics["type"].Read(&type);
  metrics["address"].Read(&out.metrics_address);
  out.metrics_address_path = metrics.PathOf("address");
  if (type == "prometheus") {
    out.metrics = MetricsType::kPrometheus;
  } else if (type == "prometheus_adaptor") {
    out.metrics = MetricsType::kPrometheusAdaptor;
  } else if (type == "metrics_api") {
    out.metrics = MetricsType::kMetricsApi;
  } else if (!type.empty()) {
    metrics["type"].Refuse(fmt::format(
        "\"{}\" is none that can be asked; allowed are prometheus, prometheus_adaptor and "
        "metrics_api",
        type));
  }
  if (out.metrics == MetricsType::kPrometheus && out.metrics_address.empty()) {
    metrics["address"].Refuse("is required with type prometheus, such as http://prometheus:9090");
  }
  return out;
}

NodeAffinityArgs ReadNodeAffinity(const Field& args) {
  NodeAffinityArgs out;
  args.CheckMap({"namespaces", "labelSelector", "nodeAffinityType"});
  out.namespaces = ReadNamespaces(args["namespaces"]);
  out.label_selector = ReadLabelSelector(args["labelSelector"]);
  const Field types = args["nodeAffinityType"];
  for (const Field& item : types.Items()) {
    std::string type;
    item.Read(&type);
    if (type == "requiredDuringSchedulingIgnoredDuringExecution") {
      out.required = true;
    } else if (type == "preferredDuringSchedulingIgnoredDuringExecution") {
      out.preferred = true;
    } else {
      item.Refuse(
          "must be requiredDuringSchedulingIgnoredDuringExecution or "
          "preferredDuringSchedulingIgnoredDuringExecution");
    }
  }
  if (!out.required && !out.preferred) {
    types.Refuse(
        "is required: a list of requiredDuringSchedulingIgnoredDuringExecution, "
        "preferredDuringSchedulingIgnoredDuringExecution or both");
  }
  return out;
}

NodeTaintsArgs ReadNodeTaints(const Field& args) {
  NodeTaintsArgs out;
  args.CheckMap({"namespaces", "labelSelector", "includePreferNoSchedule", "excludedTaints",
                 "includedTaints"});
  out.namespaces = ReadNamespaces(args["namespaces"]);
  out.label_selector = ReadLabelSelector(args["labelSelector"]);
  args["includePreferNoSchedule"].Read(&out.include_prefer_no_schedule);
  args["excludedTaints"].Read(&out.excluded_taints);
  args["includedTaints"].Read(&out.included_taints);
  if (!out.excluded_taints.empty() && !out.included_taints.empty()) {
    args["includedTaints"].Refuse(
        fmt::format("and {} exclude each other; keep one", args.PathOf("excludedTaints")));
  }
  return out;
}

InterPodAntiAffinityArgs ReadInterPodAntiAffinity(const Field& args) {
  InterPodAntiAffinityArgs out;
  args.CheckMap({"namespaces", "labelSelector"});
  out.namespaces = ReadNamespaces(args["namespaces"]);
  out.label_selector = ReadLabelSelector(args["labelSelector"]);
  return out;
}

bool IsNodeResource(std::string_view name) {
  if (name == "cpu" || name == "memory" || name == "ephemeral-storage" || name == "pods") {
    return true;
  }
  constexpr std::string_view kHugePages = "hugepages-";
  if (name.starts_with(kHugePages)) return name.size() > kHugePages.size();
  return name.find('/') != name.npos && kube::LabelKeyProblems(name).empty();
}

}  // namespace basalt::descheduler
