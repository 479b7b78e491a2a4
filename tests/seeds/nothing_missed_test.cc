// deps: basalt_testing_settling
// Jobs that cannot go on are parked and woken by what may help them. Random clusters in which every
// kind of thing happens: a scheduler that parks decides as one that looks at everything in every
// cycle, and when it looks at everything after all it finds nothing that was missed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <span>
#include <sstream>

#include "model/annotations.h"
#include "testing/seeds.h"
#include "testing/settling/fast_cluster.h"

namespace basalt::testutil {
namespace {

constexpr const char* kConfigs[] = {
    R"(actions: "enqueue, allocate, backfill"
tiers:
- plugins: [{name: priority}, {name: gang}, {name: conformance}]
- plugins: [{name: overcommit}, {name: drf}, {name: predicates}, {name: proportion}, {name: nodeorder}]
)",
    R"(actions: "enqueue, allocate, backfill"
tiers:
- plugins: [{name: priority}, {name: gang}]
- plugins: [{name: predicates}, {name: capacity}, {name: nodeorder}, {name: binpack}, {name: resourcequota}]
)",
    R"(actions: "allocate, backfill"
tiers:
- plugins: [{name: priority}, {name: gang}, {name: predicates}, {name: nodeorder}]
)",
    R"(actions: "enqueue, allocate, preempt, reclaim, backfill"
tiers:
- plugins: [{name: priority}, {name: gang}, {name: conformance}, {name: pdb}]
- plugins: [{name: overcommit}, {name: drf, enablePreemptable: false}, {name: predicates}, {name: capacity}, {name: nodeorder}]
)",
    R"(actions: "enqueue, allocate, preempt, reclaim, backfill"
tiers:
- plugins: [{name: priority}, {name: gang}, {name: conformance}]
- plugins: [{name: predicates}, {name: proportion}, {name: binpack}]
)",
    R"(actions: "enqueue, allocate, backfill"
tiers:
- plugins: [{name: priority}, {name: gang}]
- plugins: [{name: overcommit}, {name: predicates}, {name: capacity, enableHierarchy: true}, {name: nodeorder}]
)",
    R"(actions: "allocate, preempt"
tiers:
- plugins: [{name: priority}, {name: gang}, {name: predicates}, {name: nodeorder}]
)",
};

// Plugins that change their minds as time goes by.
constexpr const char* kTimeConfigs[] = {
    R"(actions: "enqueue, allocate, preempt, reclaim, backfill"
tiers:
- plugins: [{name: sla, arguments: {sla-waiting-time: 40s}}, {name: priority}, {name: gang}, {name: cdp}]
- plugins: [{name: overcommit}, {name: predicates}, {name: capacity}, {name: nodeorder}]
)",
    R"(actions: "enqueue, allocate, preempt, backfill"
tiers:
- plugins: [{name: priority}, {name: gang}, {name: cdp}]
- plugins: [{name: predicates}, {name: proportion}, {name: binpack}]
- plugins:
  - name: tdm
    arguments: {tdm.revocable-zone.z0: "0:01-0:03", tdm.revocable-zone.z1: "0:02-0:04"}
)",
    R"(actions: "enqueue, allocate, backfill"
tiers:
- plugins: [{name: sla}, {name: gang}]
- plugins:
  - name: overcommit
  - name: predicates
  - name: tdm
    arguments: {tdm.revocable-zone.z0: "0:01-0:04", tdm.revocable-zone.z1: "23:00-0:02"}
)",
};

kube::LabelSelector AppIs(int app) {
  kube::StringMap labels;
  labels.Set("app", fmt::format("a{}", app));
  return kube::LabelSelector::OfLabels(labels);
}

// What happens in one cluster, drawn from the seed; the same for whoever schedules it.
class World {
 public:
  World(std::uint64_t seed, std::span<const char* const> configs, bool with_times, bool park)
      : with_times_(with_times),
        random_(seed),
        cluster_({.seed = seed,
                  .config = configs[seed % configs.size()],
                  .scheduler = Options(park),
                  .most_latency = Duration{0},
                  .grace = 1500ms,
                  .trace = true}) {
    for (int i = 0; i < 3; ++i) SetQueue(i);
    for (int i = 0; i < 3; ++i) SetNode(i);
    for (const char* name : {"low", "high"}) {
      kube::PriorityClass priority;
      priority.meta.name = name;
      priority.value = name[0] == 'h' ? 1000 : 1;
      cluster_.Add(std::move(priority));
    }
    SetStorageClass();
  }

  void Run(int steps) {
    for (int i = 0; i < steps; ++i) {
      Step();
      cluster_.loop().RunFor(std::chrono::milliseconds(1 + random_.Below(4000)));
    }
    cluster_.loop().RunFor(130s);
  }

  // Who was bound where, evicted for whom, promised what; in order.
  std::vector<std::string> Decisions() const {
    std::vector<std::string> lines;
    std::istringstream in(cluster_.trace());
    for (std::string line; std::getline(in, line);) {
      for (const char* what : {"decided: bind", " evicts ", "decided: nominate"}) {
        if (const auto at = line.find(what); at != line.npos) lines.push_back(line.substr(at));
      }
    }
    return lines;
  }
  FastCluster& cluster() { return cluster_; }

 private:
  static scheduler::SchedulerOptions Options(bool park) {
    scheduler::SchedulerOptions options;
    options.park = park;
    options.look_at_everything = 20s;
    return options;
  }
  template <class T>
  void Tell(T object) {
    auto shared = std::make_shared<const T>(std::move(object));
    cluster_.scheduler().Apply(kube::InformerEvent<T>{
        .kind = kube::InformerEventKind::kUpdated, .old_object = shared, .object = shared});
  }
  int Below(int n) { return static_cast<int>(random_.Below(n)); }

  void SetNode(int i) {
    kube::Node node;
    node.meta.name = fmt::format("n{}", i);
    node.meta.uid = node.meta.name;
    node.meta.labels.Set("kubernetes.io/hostname", node.meta.name);
    node.meta.labels.Set("zone", fmt::format("z{}", Below(2)));
    node.status.allocatable.Set("cpu", kube::Quantity::Of(1 + Below(5)));
    node.status.allocatable.Set("memory", kube::Quantity::Of(std::int64_t{4 + Below(8)} << 30));
    node.status.allocatable.Set("pods", kube::Quantity::Of(2 + Below(8)));
    if (random_.Chance(0.3))
      node.status.allocatable.Set("example.com/gpu", kube::Quantity::Of(Below(3)));
    node.status.capacity = node.status.allocatable;
    node.spec.unschedulable = random_.Chance(0.1);
    if (random_.Chance(0.2)) {
      node.spec.taints.push_back(
          {.key = "t", .value = "v", .effect = kube::TaintEffect::kNoSchedule});
    }
    if (with_times_ && random_.Chance(0.5)) {
      node.meta.labels.Set(model::annotations::kRevocableZone, node.meta.labels.Get("zone"));
    }
    nodes_[i] = node;
    cluster_.Add(std::move(node));
  }
  void Heartbeat(int i) {
    const auto it = nodes_.find(i);
    if (it == nodes_.end()) return;
    kube::Node node = it->second;
    node.status.conditions = {{.type = "Ready", .status = kube::ConditionStatus::kTrue}};
    node.status.conditions[0].last_transition_time = cluster_.loop().Now();
    cluster_.Add(std::move(node));
  }
  void SetQueue(int i) {
    kube::Queue queue;
    queue.meta.name = fmt::format("q{}", i);
    queue.meta.uid = queue.meta.name;
    queue.weight = 1 + Below(3);
    queue.state = random_.Chance(0.1) ? kube::QueueState::kClosed : kube::QueueState::kOpen;
    if (random_.Chance(0.5)) queue.capability.Set("cpu", kube::Quantity::Of(1 + Below(6)));
    if (random_.Chance(0.5)) queue.deserved.Set("cpu", kube::Quantity::Of(1 + Below(3)));
    if (const auto* most = queue.capability.Find("cpu"); most && queue.deserved.Find("cpu")) {
      if (*most < queue.deserved.Get("cpu")) queue.deserved = queue.capability;
    }
    cluster_.Add(std::move(queue));
  }
  void SetStorageClass() {
    kube::StorageClass storage_class;
    storage_class.meta.name = "wait";
    storage_class.provisioner = "p";
    storage_class.wait_for_first_consumer = random_.Chance(0.7);
    Tell(std::move(storage_class));
  }
  void SetClaim(int i) {
    kube::PersistentVolumeClaim claim;
    claim.meta.ns = "ns";
    claim.meta.name = claim.meta.uid = fmt::format("c{}", i);
    claim.storage_class_name = "wait";
    Tell(std::move(claim));
  }

  kube::Pod MakePod(const std::string& name) {
    kube::Pod pod;
    pod.meta.ns = "ns";
    pod.meta.name = name;
    pod.meta.labels.Set("unique", name);
    pod.meta.labels.Set("app", fmt::format("a{}", Below(3)));
    pod.spec.scheduler_name = "volcano";
    kube::Container container;
    container.name = "main";
    if (!random_.Chance(0.1)) {
      container.resources.requests.Set("cpu", kube::Quantity::OfMilli(500 * (1 + Below(5))));
      if (random_.Chance(0.3)) {
        container.resources.requests.Set("memory",
                                         kube::Quantity::Of(std::int64_t{1 + Below(5)} << 30));
      }
      if (random_.Chance(0.1))
        container.resources.requests.Set("example.com/gpu", kube::Quantity::Of(1));
    }
    if (random_.Chance(0.1)) container.ports.push_back({.container_port = 80, .host_port = 80});
    pod.spec.containers.push_back(std::move(container));
    if (random_.Chance(0.15)) pod.spec.node_selector.Set("zone", fmt::format("z{}", Below(3)));
    if (random_.Chance(0.2))
      pod.spec.tolerations.push_back({.key = "t", .op = kube::Toleration::Operator::kExists});
    if (random_.Chance(0.2)) {
      kube::PodAffinityTerm term;
      term.label_selector = AppIs(Below(3));
      term.topology_key = random_.Chance(0.5) ? "zone" : "kubernetes.io/hostname";
      kube::Affinity affinity;
      (random_.Chance(0.5) ? affinity.pod : affinity.pod_anti).required.push_back(term);
      pod.spec.affinity = affinity;
    }
    if (random_.Chance(0.1)) {
      kube::TopologySpreadConstraint spread;
      spread.max_skew = 1;
      spread.topology_key = "zone";
      spread.when_unsatisfiable = kube::TopologySpreadConstraint::WhenUnsatisfiable::kDoNotSchedule;
      spread.label_selector = AppIs(Below(3));
      pod.spec.topology_spread_constraints.push_back(spread);
    }
    if (random_.Chance(0.08)) {
      kube::Volume volume;
      volume.name = "v";
      volume.kind = kube::Volume::Kind::kPersistentVolumeClaim;
      volume.source = fmt::format("c{}", Below(3));
      pod.spec.volumes.push_back(volume);
    }
    if (with_times_) {
      if (random_.Chance(0.4)) pod.meta.annotations.Set(model::annotations::kPreemptable, "true");
      if (random_.Chance(0.4)) {
        pod.meta.annotations.Set(model::annotations::kCooldownTime,
                                 fmt::format("{}s", 5 + Below(60)));
      }
    }
    return pod;
  }
  void AddJob() {
    const std::string name = fmt::format("g{}", next_++);
    const std::string queue = fmt::format("q{}", Below(random_.Chance(0.05) ? 4 : 3));
    const char* priority = random_.Chance(0.3) ? "high" : "low";
    const kube::Pod pattern = MakePod("x");
    const bool grouped = random_.Chance(0.5);
    const int pods = grouped ? 1 + Below(3) : 1 + Below(4);
    if (grouped && !random_.Chance(0.05)) {
      kube::PodGroup group;
      group.meta.ns = "ns";
      group.meta.name = name;
      group.meta.uid = name;
      group.meta.creation_timestamp = cluster_.loop().Now();
      group.queue = queue;
      group.min_member = 1 + Below(pods + (random_.Chance(0.1) ? 1 : 0));
      group.priority_class_name = priority;
      group.phase = kube::PodGroupPhase::kPending;
      if (random_.Chance(0.5)) {
        kube::ResourceList least;
        least.Set("cpu", kube::Quantity::OfMilli(500 * group.min_member));
        group.min_resources = least;
      }
      if (with_times_ && random_.Chance(0.6)) {
        group.meta.annotations.Set(model::annotations::kSlaWaitingTime,
                                   fmt::format("{}s", 5 * (1 + Below(6))));
      }
      cluster_.Add(std::move(group));
    }
    for (int i = 0; i < pods; ++i) {
      kube::Pod pod = random_.Chance(0.8) ? pattern : MakePod("x");
      pod.meta.name = fmt::format("{}-p-{}", name, i);
      pod.meta.labels.Set("unique", pod.meta.name);
      pod.spec.priority = priority[0] == 'h' ? 1000 : 1;
      pod.spec.priority_class_name = priority;
      pod.meta.annotations.Set(
          grouped ? model::annotations::kGroupName : model::annotations::kQueueName,
          grouped ? name : queue);
      cluster_.Add(std::move(pod));
    }
  }
  const kube::Pod* AnyPod() {
    if (cluster_.pods().empty()) return nullptr;
    auto it = cluster_.pods().begin();
    std::advance(it, Below(static_cast<int>(cluster_.pods().size())));
    return it->second.get();
  }
  void Step() {
    switch (Below(16)) {
      case 0: return SetNode(Below(5));
      case 1: {
        const int i = Below(5);
        nodes_.erase(i);
        return cluster_.RemoveNode(fmt::format("n{}", i));
      }
      case 2: return SetQueue(Below(3));
      case 3: return SetClaim(Below(3));
      case 4: return SetStorageClass();
      case 5: return Heartbeat(Below(5));
      case 6: {  // a pod's labels
        const kube::Pod* known = AnyPod();
        if (!known) return;
        kube::Pod pod = *known;
        pod.meta.labels.Set("app", fmt::format("a{}", Below(3)));
        return cluster_.Change(std::move(pod));
      }
      case 7: {  // minMember
        if (cluster_.groups().empty()) return;
        auto it = cluster_.groups().begin();
        std::advance(it, Below(static_cast<int>(cluster_.groups().size())));
        kube::PodGroup group = *it->second;
        group.min_member = 1 + Below(3);
        return cluster_.Add(std::move(group));
      }
      case 8: {
        kube::PodDisruptionBudget budget;
        budget.meta.ns = "ns";
        budget.meta.name = "b";
        budget.selector = AppIs(Below(3));
        budget.disruptions_allowed = Below(2);
        return Tell(std::move(budget));
      }
      case 9: {
        kube::ResourceQuota quota;
        quota.meta.ns = "ns";
        quota.meta.name = "q";
        quota.status_hard.Set("cpu", kube::Quantity::Of(Below(4)));
        return Tell(std::move(quota));
      }
      case 10: {
        kube::PriorityClass priority;
        priority.meta.name = random_.Chance(0.5) ? "low" : "high";
        priority.value = 1 + Below(2000);
        return cluster_.Add(std::move(priority));
      }
      case 11:
      case 12: {
        const kube::Pod* known = AnyPod();
        if (!known) return;
        if (random_.Chance(0.5)) return cluster_.DeletePod(known->meta.Key());
        kube::Pod pod = *known;
        if (!pod.bound()) return;
        pod.status.phase = kube::PodPhase::kSucceeded;
        return cluster_.Change(std::move(pod));
      }
      default: return AddJob();
    }
  }

  const bool with_times_;
  Random random_;
  FastCluster cluster_;
  std::map<int, kube::Node> nodes_;
  int next_ = 0;
};

void ExpectSameDecisions(std::uint64_t seed, std::span<const char* const> configs,
                         bool with_times) {
  constexpr int kSteps = 60;
  World parks(seed, configs, with_times, true), looks(seed, configs, with_times, false);
  parks.Run(kSteps);
  looks.Run(kSteps);
  EXPECT_EQ(parks.Decisions(), looks.Decisions())
      << (OneSeedOnly() ? parks.cluster().trace() + "\n--- looks\n" + looks.cluster().trace()
                        : std::string());
  EXPECT_EQ(parks.cluster().scheduler().missed_wakeups(), 0u)
      << (OneSeedOnly() ? parks.cluster().trace() : std::string());
}

TEST(NothingMissedTest, WhoParksDecidesAsWhoLooksAtEverything) {
  ForEachSeed(
      600, [](std::uint64_t seed) { ExpectSameDecisions(seed, kConfigs, /*with_times=*/false); });
}

TEST(NothingMissedTest, TheSameWithPoliciesThatChangeTheirMindsWithTime) {
  ForEachSeed(200, [](std::uint64_t seed) {
    ExpectSameDecisions(seed, kTimeConfigs, /*with_times=*/true);
  });
}

}  // namespace
}  // namespace basalt::testutil
