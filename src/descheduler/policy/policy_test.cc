#include "descheduler/policy/policy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace basalt::descheduler {
namespace {

constexpr std::string_view kHead = "apiVersion: descheduler/v1alpha2\nkind: DeschedulerPolicy\n";

// A policy with one profile that has these arguments for the plugin, and enables it.
std::string WithArgs(std::string_view plugin, std::string_view point, std::string_view args) {
  return fmt::format(
      "{}profiles:\n- name: default\n  pluginConfig:\n  - name: {}\n    args: {}\n"
      "  plugins:\n    {}:\n      enabled: [{}]\n",
      kHead, plugin, args, point, plugin);
}
std::string Defrag(std::string_view args) {
  return WithArgs("Defragmentation", "balance", fmt::format("{{{}}}", args));
}
std::string Load(std::string_view args) {
  return WithArgs("LoadAware", "balance", fmt::format("{{{}}}", args));
}
std::string Evictor(std::string_view args) {
  return WithArgs("DefaultEvictor", "filter", fmt::format("{{{}}}", args));
}
constexpr std::string_view kBands =
    "lowThresholds: {cpu: 40}, defragmentThresholds: {cpu: 60}, protectionThresholds: {cpu: 95}";
std::string DefragWith(std::string_view more) {
  return Defrag(fmt::format("{}, {}", kBands, more));
}
constexpr std::string_view kLoads = "thresholds: {cpu: 30}, targetThresholds: {cpu: 80}";
std::string LoadWith(std::string_view more) { return Load(fmt::format("{}, {}", kLoads, more)); }

TEST(PolicyTest, ReadsEveryArgumentOfDefragmentation) {
  const auto policy = ParsePolicy(Defrag(
      "resourceType: memory, lowThresholds: {cpu: 20, memory: 30.5}, defragmentThresholds: "
      "{cpu: 20, memory: 70}, protectionThresholds: {cpu: 100, memory: 90}, numberOfNodes: 3, "
      "maxMigrations: 7, maxParallel: 2, migrateTimeout: 1h30m, coolDownTime: 90, dryRun: true, "
      "partial: true, packUnderused: true, evictableNamespaces: {exclude: [kube-system]}, "
      "labelSelector: {matchLabels: {a: b}, matchExpressions: [{key: c, operator: In, values: "
      "[d]}]}, nodeSelector: \"pool=batch,!spot\""));
  ASSERT_TRUE(policy) << policy.error();
  const DefragmentationArgs& args = *policy->profiles.at(0).defragmentation;
  EXPECT_EQ(args.resource_type, "memory");
  EXPECT_EQ(args.low, (Thresholds{{"cpu", 20}, {"memory", 30.5}}));
  EXPECT_EQ(args.protection.at("memory"), 90);
  EXPECT_EQ(args.number_of_nodes, 3);
  EXPECT_EQ(args.moves.max_migrations, 7);
  EXPECT_EQ(args.moves.max_parallel, 2);
  EXPECT_EQ(args.moves.migrate_timeout, 90min);
  EXPECT_EQ(args.moves.cool_down_time, 90s);
  EXPECT_TRUE(args.dry_run && args.partial && args.pack_underused);
  EXPECT_FALSE(args.evictable_namespaces.Takes("kube-system"));
  EXPECT_TRUE(args.evictable_namespaces.Takes("team"));
  EXPECT_EQ(args.label_selector.ToString(), "a=b,c in (d)");
  EXPECT_EQ(args.node_selector.requirements().size(), 2u);
  EXPECT_EQ(policy->FindDefragmentation(), &policy->profiles.front());
  EXPECT_EQ(policy->FindDefragmentation("default"), &policy->profiles.front());
  EXPECT_EQ(policy->FindDefragmentation("other"), nullptr);
}

TEST(PolicyTest, ArgumentsHaveTheDefaultsOfTheContract) {
  const auto policy = ParsePolicy(Defrag(kBands));
  ASSERT_TRUE(policy) << policy.error();
  const DefragmentationArgs& args = *policy->profiles.at(0).defragmentation;
  EXPECT_EQ(args.resource_type, "cpu");
  EXPECT_EQ(args.number_of_nodes, 0);
  EXPECT_FALSE(args.moves.max_migrations);
  EXPECT_EQ(args.moves.max_parallel, 5);
  EXPECT_EQ(args.moves.migrate_timeout, 2min);
  EXPECT_EQ(args.moves.cool_down_time, 10min);
  EXPECT_FALSE(args.dry_run || args.partial || args.pack_underused);
  const Profile& profile = policy->profiles.at(0);
  EXPECT_TRUE(profile.evictor_filters && profile.evictor_prefilters);
  EXPECT_TRUE(profile.evictor.protections.local_storage);
  EXPECT_FALSE(profile.evictor.protections.with_pvc);
}

TEST(PolicyTest, TheBuiltinPolicyIsThatOfTheContract) {
  const auto read = ParsePolicy(DefragWith("packUnderused: true"));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(BuiltinPolicy(), *read);
}

TEST(PolicyTest, JsonIsReadToo) {
  const auto policy = ParsePolicy(
      R"({"apiVersion": "descheduler/v1alpha2", "kind": "DeschedulerPolicy", "profiles": [
          {"name": "p", "pluginConfig": [{"name": "RemovePodsViolatingNodeTaints",
           "args": {"excludedTaints": ["a=b"], "includePreferNoSchedule": true}}],
           "plugins": {"deschedule": {"enabled": ["RemovePodsViolatingNodeTaints"]}}}]})");
  ASSERT_TRUE(policy) << policy.error();
  EXPECT_TRUE(policy->profiles[0].node_taints->include_prefer_no_schedule);
  EXPECT_EQ(policy->profiles[0].deschedule,
            std::vector<std::string>{"RemovePodsViolatingNodeTaints"});
}

TEST(PolicyTest, TheOldWayToSayProtectionsAndTheNewMeanTheSame) {
  const auto older = ParsePolicy(
      Evictor("evictLocalStoragePods: true, ignorePvcPods: true, evictSystemCriticalPods: true"));
  const auto newer =
      ParsePolicy(Evictor("podProtections: {defaultDisabled: [PodsWithLocalStorage, "
                          "SystemCriticalPods], extraEnabled: [PodsWithPVC]}"));
  ASSERT_TRUE(older) << older.error();
  ASSERT_TRUE(newer) << newer.error();
  EXPECT_EQ(older->profiles[0].evictor, newer->profiles[0].evictor);
  EXPECT_FALSE(older->profiles[0].evictor.protections.local_storage);
}

// The forms in which both projects ship policies, with plugins that are here.
TEST(PolicyTest, PoliciesAsBothProjectsWriteThemLoad) {
  const std::string kFiles[] = {
      // volcano-sh/descheduler: nobody is asked for figures yet.
      std::string(kHead) +
          "profiles:\n- name: default\n  pluginConfig:\n"
          "  - args:\n      ignorePvcPods: true\n      nodeFit: true\n"
          "      priorityThreshold:\n        value: 10000\n    name: DefaultEvictor\n"
          "  - args:\n      evictableNamespaces:\n        exclude:\n        - kube-system\n"
          "      metrics:\n        address: null\n        type: null\n"
          "      targetThresholds:\n        cpu: 80 # per cent\n        memory: 85\n"
          "      thresholds:\n        cpu: 30\n        memory: 30\n    name: LoadAware\n"
          "  plugins:\n    balance:\n      enabled:\n      - LoadAware\n",
      // kubernetes-sigs/descheduler: quotes, a plugin without arguments, two profiles.
      "apiVersion: \"descheduler/v1alpha2\"\nkind: \"DeschedulerPolicy\"\n"
      "maxNoOfPodsToEvictPerNode: 5000\nmaxNoOfPodsToEvictPerNamespace: 5000\n"
      "metricsCollector:\n  enabled: true\nmetricsProviders:\n- source: KubernetesMetrics\n"
      "profiles:\n  - name: ProfileName\n    pluginConfig:\n"
      "    - name: \"DefaultEvictor\"\n"
      "    - name: \"RemovePodsViolatingNodeAffinity\"\n      args:\n        nodeAffinityType:\n"
      "        - \"requiredDuringSchedulingIgnoredDuringExecution\"\n"
      "    plugins:\n      filter:\n        enabled:\n          - \"DefaultEvictor\"\n"
      "      preevictionfilter:\n        disabled:\n          - \"*\"\n"
      "      deschedule:\n        enabled:\n          - \"RemovePodsViolatingNodeAffinity\"\n"
      "  - name: Other\n    plugins:\n      deschedule:\n        enabled:\n"
      "          - \"RemovePodsViolatingInterPodAntiAffinity\"\n"
      "          - \"RemovePodsViolatingNodeTaints\"\n",
  };
  for (const std::string& file : kFiles) {
    const auto policy = ParsePolicy(file);
    EXPECT_TRUE(policy) << policy.error() << "\n" << file;
  }
  const auto volcano = ParsePolicy(kFiles[0]);
  EXPECT_EQ(volcano->profiles[0].load_aware->metrics, MetricsType::kNone);
  EXPECT_EQ(volcano->profiles[0].evictor.priority_threshold.value, 10000);
  EXPECT_FALSE(ParsePolicy(kFiles[1])->profiles[0].evictor_prefilters);
}

struct Refusal {
  std::string text;
  std::string path;       // how the error begins
  std::string also = {};  // what else it names
};

TEST(PolicyTest, RefusalsNameTheWholePathOfTheField) {
  const std::string args = "profiles[0].pluginConfig[0].args.";
  const auto full = [](std::string_view rest) { return std::string(kHead) + std::string(rest); };
  const Refusal kTable[] = {
      // ---- the file
      {"", "profiles", "empty"},
      {"# nothing\n", "profiles"},
      {"hello", "line 1"},
      {"a: [", "line "},
      {"apiVersion: descheduler/v1alpha2\n\tkind: x\n", "line 2"},
      {full("profiles: []\n") + "---\na: b\n", "line "},
      {"profiles: [{name: a}]", "apiVersion", "descheduler/v1alpha2"},
      {"apiVersion: descheduler/v1alpha1\nkind: DeschedulerPolicy\nprofiles: [{name: a}]",
       "apiVersion", "descheduler/v1alpha2"},
      {"apiVersion: descheduler/v1alpha2\nkind: Policy\nprofiles: [{name: a}]", "kind",
       "DeschedulerPolicy"},
      {std::string(kHead), "profiles"},
      {full("profiles: []"), "profiles"},
      {full("profiles: {}"), "profiles", "list"},
      {full("profiles: [null]"), "profiles[0]"},
      {full("profiles: [5]"), "profiles[0]", "map"},
      {full("strategies: {}\nprofiles: [{name: a}]"), "strategies", "unknown"},
      {full("profile: [{name: a}]"), "profile", "profiles"},
      {full("nodeSelector: {a: b}\nprofiles: [{name: a}]"), "nodeSelector", "string"},
      {full("nodeSelector: \"a in (\"\nprofiles: [{name: a}]"), "nodeSelector"},
      {full("maxNoOfPodsToEvictPerNode: -1\nprofiles: [{name: a}]"), "maxNoOfPodsToEvictPerNode"},
      {full("maxNoOfPodsToEvictTotal: \"5\"\nprofiles: [{name: a}]"), "maxNoOfPodsToEvictTotal"},
      {full("maxNoOfPodsToEvictPerNamespace: 1.5\nprofiles: [{name: a}]"),
       "maxNoOfPodsToEvictPerNamespace"},
      {full("gracePeriodSeconds: -1\nprofiles: [{name: a}]"), "gracePeriodSeconds"},
      {full("evictionFailureEventNotification: 1\nprofiles: [{name: a}]"),
       "evictionFailureEventNotification"},
      {full("metricsProviders: [{source: Other}]\nprofiles: [{name: a}]"),
       "metricsProviders[0].source"},
      {full("metricsCollector: {on: true}\nprofiles: [{name: a}]"), "metricsCollector.on"},
      {full("profiles: [{name: a}, {name: a}]"), "profiles[1].name", "profiles[0].name"},
      {full("profiles: [{name: a, plugin: {}}]"), "profiles[0].plugin"},
      {full("profiles: [{name: a, name: b}]"), "profiles[0].name", "twice"},
      {full("profiles: [{name: 5}]"), "profiles[0].name", "string"},
      // ---- plugins
      {full("profiles: [{pluginConfig: [{name: RemoveDuplicates}]}]"),
       "profiles[0].pluginConfig[0].name", "RemoveDuplicates"},
      {full("profiles: [{pluginConfig: [{args: {}}]}]"), "profiles[0].pluginConfig[0].name"},
      {full("profiles: [{pluginConfig: [{name: DefaultEvictor}, {name: DefaultEvictor}]}]"),
       "profiles[0].pluginConfig[1].name", "profiles[0].pluginConfig[0]"},
      {full("profiles: [{plugins: {balance: {enabled: [LowNodeUtilization]}}}]"),
       "profiles[0].plugins.balance.enabled[0]", "LowNodeUtilization"},
      {full("profiles: [{plugins: {balance: {enabled: [Defragmentaton]}}}]"),
       "profiles[0].plugins.balance.enabled[0]", "Defragmentation"},
      {full("profiles: [{plugins: {deschedule: {enabled: [Defragmentation]}}}]"),
       "profiles[0].plugins.deschedule.enabled[0]", "balance"},
      {full("profiles: [{plugins: {sort: {enabled: [DefaultEvictor]}}}]"),
       "profiles[0].plugins.sort.enabled[0]", "filter and preEvictionFilter"},
      {full("profiles: [{plugins: {evict: {enabled: []}}}]"), "profiles[0].plugins.evict"},
      {full("profiles: [{plugins: {balance: {enable: []}}}]"),
       "profiles[0].plugins.balance.enable"},
      {full("profiles: [{plugins: {balance: {enabled: [5]}}}]"),
       "profiles[0].plugins.balance.enabled[0]", "string"},
      {full("profiles: [{plugins: {filter: {enabled: [DefaultEvictor], disabled: "
            "[DefaultEvictor]}}}]"),
       "profiles[0].plugins.filter.enabled[0]", "profiles[0].plugins.filter.disabled[0]"},
      {full("profiles: [{plugins: {balance: {enabled: [Defragmentation]}}}]"),
       "profiles[0].plugins.balance.enabled[0]", "lowThresholds"},
      {full("profiles: [{plugins: {deschedule: {enabled: [RemovePodsViolatingNodeAffinity]}}}]"),
       "profiles[0].plugins.deschedule.enabled[0]", "nodeAffinityType"},
      // ---- Defragmentation
      {Defrag("lowThresholds: {cpu: 40}"), args + "defragmentThresholds", "required"},
      {Defrag("defragmentThresholds: {cpu: 60}, protectionThresholds: {cpu: 95}"),
       args + "lowThresholds"},
      {Defrag("lowThresholds: {}, defragmentThresholds: {cpu: 60}, protectionThresholds: {cpu: 9}"),
       args + "lowThresholds"},
      {Defrag(
           "lowThresholds: [40], defragmentThresholds: {cpu: 6}, protectionThresholds: {cpu: 9}"),
       args + "lowThresholds", "map"},
      {Defrag("lowThresholds: {cpu: 70}, defragmentThresholds: {cpu: 60}, protectionThresholds: "
              "{cpu: 95}"),
       args + "lowThresholds.cpu", args + "defragmentThresholds.cpu"},
      {Defrag("lowThresholds: {cpu: 40}, defragmentThresholds: {cpu: 95}, protectionThresholds: "
              "{cpu: 95}"),
       args + "defragmentThresholds.cpu", args + "protectionThresholds.cpu"},
      {Defrag("lowThresholds: {cpu: 40, memory: 40}, defragmentThresholds: {cpu: 60}, "
              "protectionThresholds: {cpu: 95}"),
       args + "lowThresholds.memory", args + "defragmentThresholds"},
      {Defrag("lowThresholds: {cpu: 40}, defragmentThresholds: {cpu: 60}, protectionThresholds: "
              "{cpu: 95, memory: 95}"),
       args + "protectionThresholds.memory", args + "lowThresholds"},
      {Defrag("lowThresholds: {cpu: -1}, defragmentThresholds: {cpu: 60}, protectionThresholds: "
              "{cpu: 95}"),
       args + "lowThresholds.cpu", "0 to 100"},
      {Defrag("lowThresholds: {cpu: 40}, defragmentThresholds: {cpu: 60}, protectionThresholds: "
              "{cpu: 100.1}"),
       args + "protectionThresholds.cpu", "0 to 100"},
      {Defrag("lowThresholds: {cpu: .nan}, defragmentThresholds: {cpu: 60}, protectionThresholds: "
              "{cpu: 95}"),
       args + "lowThresholds.cpu"},
      {Defrag("lowThresholds: {cpu: nan}, defragmentThresholds: {cpu: 60}, protectionThresholds: "
              "{cpu: 95}"),
       args + "lowThresholds.cpu"},
      {Defrag("lowThresholds: {cpu: -.inf}, defragmentThresholds: {cpu: 60}, protectionThresholds: "
              "{cpu: 95}"),
       args + "lowThresholds.cpu"},
      {Defrag("lowThresholds: {cpu: 1e999}, defragmentThresholds: {cpu: 60}, protectionThresholds: "
              "{cpu: 95}"),
       args + "lowThresholds.cpu"},
      {Defrag("lowThresholds: {cpu: \"40\"}, defragmentThresholds: {cpu: 60}, "
              "protectionThresholds: {cpu: 95}"),
       args + "lowThresholds.cpu", "number"},
      {Defrag("lowThresholds: {cpu: 40%}, defragmentThresholds: {cpu: 60}, protectionThresholds: "
              "{cpu: 95}"),
       args + "lowThresholds.cpu", "number"},
      {Defrag("lowThresholds: {cpu: }, defragmentThresholds: {cpu: 60}, protectionThresholds: "
              "{cpu: 95}"),
       args + "lowThresholds.cpu", "number"},
      {Defrag("lowThresholds: {gpu: 40}, defragmentThresholds: {gpu: 60}, protectionThresholds: "
              "{gpu: 95}"),
       args + "lowThresholds.gpu", "nvidia.com/gpu"},
      {DefragWith("resourceType: gpu"), args + "resourceType", "nvidia.com/gpu"},
      {DefragWith("resourceType: memory"), args + "resourceType", args + "lowThresholds"},
      {DefragWith("resourceType: 5"), args + "resourceType", "string"},
      {DefragWith("numberOfNodes: -1"), args + "numberOfNodes"},
      {DefragWith("numberOfNodes: 99999999999999999999"), args + "numberOfNodes"},
      {DefragWith("maxMigrations: 0"), args + "maxMigrations", "1"},
      {DefragWith("maxParallel: 0"), args + "maxParallel"},
      {DefragWith("maxParallel: 4000000000"), args + "maxParallel"},
      {DefragWith("migrateTimeout: 0s"), args + "migrateTimeout"},
      {DefragWith("migrateTimeout: -1m"), args + "migrateTimeout"},
      {DefragWith("migrateTimeout: 60"), args + "migrateTimeout", "duration"},
      {DefragWith("migrateTimeout: soon"), args + "migrateTimeout", "duration"},
      {DefragWith("coolDownTime: -1s"), args + "coolDownTime"},
      {DefragWith("coolDownTime: -1"), args + "coolDownTime"},
      {DefragWith("coolDownTime: [1]"), args + "coolDownTime"},
      {DefragWith("dryRun: \"yes\""), args + "dryRun"},
      {DefragWith("dryRun: yes"), args + "dryRun"},
      {DefragWith("partial: 1"), args + "partial"},
      {DefragWith("packUnderused: []"), args + "packUnderused"},
      {DefragWith("evictableNamespaces: {include: [a], exclude: [b]}"),
       args + "evictableNamespaces.include", args + "evictableNamespaces.exclude"},
      {DefragWith("evictableNamespaces: {includes: [a]}"), args + "evictableNamespaces.includes"},
      {DefragWith("evictableNamespaces: {include: a}"), args + "evictableNamespaces.include"},
      {DefragWith("evictableNamespaces: {include: [null]}"),
       args + "evictableNamespaces.include[0]"},
      {DefragWith("labelSelector: {matchLabel: {a: b}}"), args + "labelSelector.matchLabel"},
      {DefragWith("labelSelector: \"a=b\""), args + "labelSelector", "map"},
      {DefragWith("labelSelector: {matchLabels: {\"a b\": c}}"),
       args + "labelSelector.matchLabels.a b"},
      {DefragWith("labelSelector: {matchExpressions: [{key: a, operator: Is}]}"),
       args + "labelSelector.matchExpressions[0].operator"},
      {DefragWith("labelSelector: {matchExpressions: [{key: a, operator: In}]}"),
       args + "labelSelector.matchExpressions[0]"},
      {DefragWith("nodeSelector: \"a=b=c\""), args + "nodeSelector"},
      {DefragWith("nodeSelector: {a: b}"), args + "nodeSelector"},
      {DefragWith("defragmentThreshold: {cpu: 1}"), args + "defragmentThreshold",
       "defragmentThresholds"},
      {DefragWith("lowThresholds: {cpu: 50}"), args + "lowThresholds", "twice"},
      // ---- DefaultEvictor
      {Evictor("priorityThreshold: {name: a, value: 5}"), args + "priorityThreshold.name",
       args + "priorityThreshold.value"},
      {Evictor("priorityThreshold: {value: 3000000000}"), args + "priorityThreshold.value"},
      {Evictor("priorityThreshold: 5"), args + "priorityThreshold"},
      {Evictor("minReplicas: -1"), args + "minReplicas"},
      {Evictor("minPodAge: 5"), args + "minPodAge"},
      {Evictor("minPodAge: -5m"), args + "minPodAge"},
      {Evictor("noEvictionPolicy: Never"), args + "noEvictionPolicy", "Mandatory"},
      {Evictor("nodeFit: \"true\""), args + "nodeFit"},
      {Evictor("podProtections: {extraEnabled: [PodsWithLocalStorage]}"),
       args + "podProtections.extraEnabled[0]", "PodsWithPVC"},
      {Evictor("podProtections: {defaultDisabled: [PodsWithPVC]}"),
       args + "podProtections.defaultDisabled[0]"},
      {Evictor("podProtections: {extraEnabled: [PodsWithPVC, PodsWithPVC]}"),
       args + "podProtections.extraEnabled[1]", "twice"},
      {Evictor("podProtections: {config: {PodsWithPVC: {protectedStorageClasses: [{name: a}]}}}"),
       args + "podProtections.config.PodsWithPVC", args + "podProtections.extraEnabled"},
      {Evictor("podProtections: {extraEnabled: [PodsWithPVC], config: {PodsWithPVC: "
               "{protectedStorageClasses: [{}]}}}"),
       args + "podProtections.config.PodsWithPVC.protectedStorageClasses[0].name"},
      {Evictor("ignorePvcPods: false, podProtections: {extraEnabled: [PodsWithPVC]}"),
       args + "ignorePvcPods", args + "podProtections"},
      {Evictor("evictLocalStoragePod: true"), args + "evictLocalStoragePod",
       "evictLocalStoragePods"},
      {Evictor("namespaceLabelSelector: {matchLabels: [a]}"),
       args + "namespaceLabelSelector.matchLabels"},
      // ---- LoadAware
      {Load("thresholds: {cpu: 30}"), args + "targetThresholds", "required"},
      {Load("thresholds: {cpu: 90}, targetThresholds: {cpu: 80}"), args + "thresholds.cpu",
       args + "targetThresholds.cpu"},
      {Load("thresholds: {cpu: 30}, targetThresholds: {memory: 80}"), args + "thresholds.cpu",
       args + "targetThresholds"},
      {Load("thresholds: {nvidia.com/gpu: 30}, targetThresholds: {nvidia.com/gpu: 80}"),
       args + "thresholds.nvidia.com/gpu", "cpu, memory and pods"},
      {LoadWith("metrics: {type: influx}"), args + "metrics.type", "prometheus"},
      {LoadWith("metrics: {type: prometheus}"), args + "metrics.address"},
      {LoadWith("metrics: {kind: prometheus}"), args + "metrics.kind"},
      {LoadWith("duration: 0s"), args + "duration"},
      {LoadWith("duration: 2"), args + "duration"},
      {LoadWith("maxMigrations: 0"), args + "maxMigrations"},
      {LoadWith("useDeviationThresholds: no"), args + "useDeviationThresholds"},
      // ---- those that look at pods one by one
      {WithArgs("RemovePodsViolatingNodeAffinity", "deschedule", "{}"), args + "nodeAffinityType"},
      {WithArgs("RemovePodsViolatingNodeAffinity", "deschedule", "{nodeAffinityType: [required]}"),
       args + "nodeAffinityType[0]"},
      {WithArgs("RemovePodsViolatingNodeTaints", "deschedule",
                "{excludedTaints: [a], includedTaints: [b]}"),
       args + "includedTaints", args + "excludedTaints"},
      {WithArgs("RemovePodsViolatingInterPodAntiAffinity", "deschedule", "{podSelector: {}}"),
       args + "podSelector"},
      {WithArgs("RemovePodsViolatingInterPodAntiAffinity", "deschedule", "[a]"),
       "profiles[0].pluginConfig[0].args", "map"},
  };
  for (const Refusal& refusal : kTable) {
    const auto policy = ParsePolicy(refusal.text);
    ASSERT_FALSE(policy) << refusal.text;
    const std::string& error = policy.error();
    const bool begins = refusal.path.starts_with("line ") ? error.starts_with(refusal.path)
                                                          : error.starts_with(refusal.path + ":");
    EXPECT_TRUE(begins) << "expected " << refusal.path << "\ngot " << error << "\n" << refusal.text;
    EXPECT_NE(error.find(refusal.also), std::string::npos) << error << "\n" << refusal.text;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST(PolicyTest, ArgumentsOfAPluginThatIsNotEnabledAreCheckedToo) {
  const auto policy = ParsePolicy(std::string(kHead) +
                                  "profiles: [{pluginConfig: [{name: LoadAware, args: {a: 1}}]}]");
  ASSERT_FALSE(policy);
  EXPECT_TRUE(policy.error().starts_with("profiles[0].pluginConfig[0].args.a:")) << policy.error();
}

TEST(PolicyTest, NestingWithoutEndIsRefused) {
  const auto policy = ParsePolicy(std::string(100'000, '['));
  ASSERT_FALSE(policy);
  EXPECT_TRUE(policy.error().starts_with("line ")) << policy.error();
}

}  // namespace
}  // namespace basalt::descheduler
