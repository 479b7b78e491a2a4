#include "tests/explain/waiting_world.h"

#include <fmt/format.h>

#include "model/annotations.h"
#include "testing/seeds.h"

namespace basalt::testutil {
namespace {

constexpr std::string_view kForeignGate = "example.com/wait";
const std::string kQueueGate(model::annotations::kQueueAllocationGate);

// One world in five has more than others: quotas, waiting times, roles, claims that lapse.
bool HasMore(std::uint64_t seed) { return seed % 5 == 4; }

std::string Config(Random& random, bool has_more) {
  const bool evicts = random.Chance(0.3);
  const bool capacity = random.Chance(0.6);
  const bool until_bind = random.Chance(0.25);
  std::string more;
  if (has_more && random.Chance(0.5)) more += "  - name: resourcequota\n";
  if (has_more && random.Chance(0.5)) {
    more += "  - name: sla\n    arguments:\n      sla-waiting-time: 20s\n";
  }
  return fmt::format(R"(actions: "enqueue, allocate, {}backfill"
configurations:
- name: allocate
  arguments: {{gateRemoval: {}{}}}
tiers:
- plugins:
  - name: priority
  - name: gang
  - name: conformance
- plugins:
  - name: overcommit
    arguments:
      overcommit-factor: {}
  - name: drf
    enablePreemptable: false
  - name: predicates
  - name: {}
{}{}  - name: nodeorder
  - name: binpack
)",
                     evicts ? "preempt, reclaim, " : "", until_bind ? "bind" : "admitted",
                     has_more ? ", gateHoldTimeout: 15s" : "", random.Chance(0.5) ? "1.2" : "10.0",
                     capacity ? "capacity" : "proportion",
                     capacity && random.Chance(0.6) ? "    enableHierarchy: true\n" : "", more);
}

}  // namespace

WaitingWorld::WaitingWorld(std::uint64_t seed) : WaitingWorld(seed, Random(seed * 6151)) {}

WaitingWorld::WaitingWorld(std::uint64_t seed, Random random)
    : ChangeableWorld(FastClusterOptions{
          .seed = seed, .config = Config(random, HasMore(seed)), .trace = OneSeedOnly()}),
      random_(random) {
  const int nodes = 1 + static_cast<int>(random_.Below(5));
  for (int i = 0; i < nodes; ++i) AddNode(i);
  const int queues = 1 + static_cast<int>(random_.Below(4));
  cluster().Add([] {
    kube::Queue root;
    root.meta.name = "root";
    root.state = kube::QueueState::kOpen;
    return root;
  }());
  for (int i = 0; i < queues; ++i) AddQueue(i);
  constexpr std::pair<const char*, int> kClasses[] = {{"low", 1}, {"high", 1000}};
  for (const auto& [name, value] : kClasses) {
    kube::PriorityClass priority_class;
    priority_class.meta.name = name;
    priority_class.value = value;
    cluster().Add(std::move(priority_class));
  }
  has_more_ = HasMore(seed);
  if (has_more_) AddQuota();
  const int groups = 3 + static_cast<int>(random_.Below(12));
  for (int i = 0; i < groups; ++i) AddGroup(i, queues);
}

std::vector<std::string> WaitingWorld::Waiting() {
  std::vector<std::string> waiting;
  for (const auto& [key, pod] : cluster().pods()) {
    if (!pod->bound() && !pod->meta.deleting()) waiting.push_back(key);
  }
  return waiting;
}

void WaitingWorld::AddQuota() {
  kube::ResourceQuota quota;
  quota.meta.ns = "ns";
  quota.meta.name = "quota";
  quota.hard.Set("cpu", kube::Quantity::Of(4 + random_.Below(20)));
  quota.status_hard = quota.hard;
  cluster().Add(std::move(quota));
}

void WaitingWorld::AddNode(int i) {
  kube::Node node;
  node.meta.name = fmt::format("n{}", i);
  node.meta.labels.Set("kubernetes.io/hostname", node.meta.name);
  if (random_.Chance(0.2)) node.meta.labels.Set("disk", "ssd");
  node.status.allocatable.Set("cpu", kube::Quantity::Of(2 + random_.Below(7)));
  node.status.allocatable.Set("memory", kube::Quantity::Of(std::int64_t{64} << 30));
  node.status.allocatable.Set("pods", kube::Quantity::Of(random_.Chance(0.2) ? 3 : 110));
  node.status.capacity = node.status.allocatable;
  node.status.conditions.push_back({.type = "Ready", .status = kube::ConditionStatus::kTrue});
  node.spec.unschedulable = random_.Chance(0.12);
  if (random_.Chance(0.12)) {
    node.spec.taints.push_back(
        {.key = "dedicated", .value = "ml", .effect = kube::TaintEffect::kNoSchedule});
  }
  Add(std::move(node));
}

void WaitingWorld::AddQueue(int i) {
  kube::Queue queue;
  queue.meta.name = fmt::format("q{}", i);
  queue.weight = 1 + static_cast<int>(random_.Below(3));
  queue.state = random_.Chance(0.06) ? kube::QueueState::kClosed : kube::QueueState::kOpen;
  if (i > 0 && random_.Chance(0.25)) queue.parent = fmt::format("q{}", random_.Below(i));
  if (random_.Chance(0.6)) {
    queue.capability.Set("cpu", kube::Quantity::Of(1 + random_.Below(8)));
    if (random_.Chance(0.3)) {
      queue.capability.Set("memory", kube::Quantity::Of(std::int64_t{1} << 33));
    }
  }
  if (queue.capability.Find("cpu") && random_.Chance(0.3)) {
    queue.deserved.Set("cpu", kube::Quantity::Of(1));
  }
  if (random_.Chance(0.12)) queue.guarantee.Set("cpu", kube::Quantity::Of(1));
  Add(std::move(queue));
}

// Rules about other pods: of its own group, or of one that came before.
void WaitingWorld::AddRules(int i, kube::Pod& pod) {
  const auto pods_of = [](int group) {
    return kube::LabelSelector::OfLabels({{"group", fmt::format("g{}", group)}});
  };
  constexpr const char* kHostname = "kubernetes.io/hostname";
  pod.meta.labels.Set("group", fmt::format("g{}", i));
  kube::Affinity affinity;
  if (random_.Chance(0.1)) {
    affinity.pod_anti.required.push_back({.label_selector = pods_of(i), .topology_key = kHostname});
  } else if (i > 0 && random_.Chance(0.06)) {
    affinity.pod.required.push_back(
        {.label_selector = pods_of(static_cast<int>(random_.Below(i))), .topology_key = kHostname});
  } else if (i > 0 && random_.Chance(0.06)) {
    affinity.pod_anti.required.push_back(
        {.label_selector = pods_of(static_cast<int>(random_.Below(i))), .topology_key = kHostname});
  } else if (random_.Chance(0.08)) {
    pod.spec.topology_spread_constraints.Mutable().push_back(
        {.max_skew = 1, .topology_key = kHostname, .label_selector = pods_of(i)});
  }
  if (affinity != kube::Affinity{}) pod.spec.affinity = affinity;
}

void WaitingWorld::AddGroup(int i, int queues) {
  const int pods = 1 + static_cast<int>(random_.Below(4));
  const bool high = random_.Chance(0.2);
  kube::PodGroup group;
  group.meta.ns = "ns";
  group.meta.name = fmt::format("g{}", i);
  group.queue = random_.Chance(0.03) ? "nowhere" : fmt::format("q{}", random_.Below(queues));
  group.min_member = 1 + static_cast<int>(random_.Below(pods));
  group.priority_class_name = high ? "high" : "low";
  group.phase = kube::PodGroupPhase::kPending;
  const bool too_few = random_.Chance(0.06);
  if (too_few) group.min_member = pods + 1 + static_cast<int>(random_.Below(2));
  const bool best_effort = random_.Chance(0.08);
  const bool gated = random_.Chance(0.25);
  const int held = !too_few && random_.Chance(0.1) ? static_cast<int>(random_.Below(pods)) : -1;
  const kube::Quantity cpu = kube::Quantity::OfMilli(500 * (1 + random_.Below(6)));
  if (!best_effort && random_.Chance(0.5)) {
    kube::ResourceList least;
    least.Set("cpu", kube::Quantity::OfMilli(cpu.MilliValue() * group.min_member));
    group.min_resources = least;
  }
  kube::Pod pod;
  pod.meta.ns = "ns";
  pod.meta.annotations.Set(model::annotations::kGroupName, group.meta.name);
  pod.spec.scheduler_name = "volcano";
  pod.spec.priority = high ? 1000 : 1;
  pod.spec.termination_grace_period_seconds = 2;  // as long as the cluster gives them
  pod.spec.priority_class_name = group.priority_class_name;
  if (random_.Chance(0.12)) pod.spec.node_selector.Set("disk", "ssd");
  if (random_.Chance(0.1)) {
    pod.spec.tolerations.Mutable().push_back(
        {.key = "dedicated", .op = kube::Toleration::Operator::kExists});
  }
  if (gated) {
    pod.meta.annotations.Set(kQueueGate, "true");
    pod.spec.scheduling_gates.push_back(kQueueGate);
  }
  kube::Container container;
  container.name = "main";
  if (!best_effort) {
    container.resources.requests.Set("cpu", cpu);
    if (random_.Chance(0.3)) {
      container.resources.requests.Set("memory", kube::Quantity::Of(std::int64_t{1} << 30));
    }
  }
  if (random_.Chance(0.05)) {
    container.ports.push_back({.container_port = 80, .host_port = 80});
  }
  pod.spec.containers.push_back(std::move(container));
  AddRules(i, pod);
  const bool plain = !too_few && random_.Chance(0.25);
  if (plain) {
    pod.meta.annotations.Erase(model::annotations::kGroupName);
    pod.meta.annotations.Set(model::annotations::kQueueName, group.queue);
  }
  SetTemplate(group.meta.name, pod);
  const bool roles = has_more_ && !plain && pods > 1 && random_.Chance(0.3);
  if (roles) {
    group.min_task_member = {{"main", 1}, {"side", 1}};
    group.min_member = std::max(group.min_member, 2);
  }
  std::vector<kube::Pod> members;
  for (int p = 0; p < pods; ++p) {
    kube::Pod member = pod;
    member.meta.name = fmt::format("g{}-p-{}", i, p);
    if (roles) member.meta.annotations.Set(model::annotations::kTaskSpec, p == 0 ? "main" : "side");
    if (p == held) member.spec.scheduling_gates.emplace_back(kForeignGate);
    members.push_back(std::move(member));
  }
  const Duration at =
      random_.Chance(0.4) ? Duration{0} : Duration(std::chrono::milliseconds(random_.Below(9000)));
  cluster().loop().Schedule(at, [this, group, members, plain] {
    kube::PodGroup created = group;
    created.meta.creation_timestamp = cluster().loop().Now();
    if (!plain) cluster().Add(std::move(created));
    for (const kube::Pod& member : members) cluster().Add(member);
  });
}

}  // namespace basalt::testutil
