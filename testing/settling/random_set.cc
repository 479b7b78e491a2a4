#include "testing/settling/random_set.h"

#include <fmt/format.h>

#include "model/annotations.h"
#include "testing/seeds.h"

namespace basalt::testutil {
namespace {

kube::Quantity Cpus(Random& random, int most) {
  return kube::Quantity::OfMilli(500 * (1 + static_cast<std::int64_t>(random.Below(2 * most))));
}

}  // namespace

std::string EvictingConfig(std::string_view queue_plugin, bool reservations) {
  return fmt::format(R"(actions: "enqueue, {}allocate, preempt, reclaim, backfill"
tiers:
- plugins:
  - name: priority
  - name: gang
  - name: conformance
{}- plugins:
  - name: overcommit
    arguments:
      overcommit-factor: 10.0
  - name: drf
    enablePreemptable: false
  - name: predicates
  - name: {}
  - name: nodeorder
  - name: binpack
)",
                     reservations ? "reserve, " : "", reservations ? "  - name: reservation\n" : "",
                     queue_plugin);
}

FastClusterOptions RandomSetCluster(std::uint64_t seed, const RandomSetOptions& options) {
  Random random(seed * 7919);
  return {.seed = seed,
          .config =
              EvictingConfig(random.Chance(0.5) ? "capacity" : "proportion", options.reservations),
          .scheduler = {},
          .bind_failure = options.bind_failure,
          .eviction_failure = options.eviction_failure,
          .recreate = options.recreate,
          .grace = std::chrono::milliseconds(random.Below(4000)),
          .trace = OneSeedOnly()};
}

Duration AddRandomSet(FastCluster& cluster, std::uint64_t seed) {
  Random random(seed);
  const int nodes = 1 + static_cast<int>(random.Below(4));
  for (int i = 0; i < nodes; ++i) {
    kube::Node node;
    node.meta.name = fmt::format("n{}", i);
    node.status.allocatable.Set("cpu", kube::Quantity::Of(2 + random.Below(5)));
    node.status.allocatable.Set("memory", kube::Quantity::Of(std::int64_t{64} << 30));
    node.status.allocatable.Set("pods", kube::Quantity::Of(20));
    node.status.capacity = node.status.allocatable;
    node.status.conditions.push_back({.type = "Ready", .status = kube::ConditionStatus::kTrue});
    cluster.Add(std::move(node));
  }
  const int queues = 1 + static_cast<int>(random.Below(4));
  for (int i = 0; i < queues; ++i) {
    kube::Queue queue;
    queue.meta.name = fmt::format("q{}", i);
    queue.weight = 1 + static_cast<int>(random.Below(4));
    queue.state = kube::QueueState::kOpen;
    if (random.Chance(0.3)) queue.capability.Set("cpu", kube::Quantity::Of(2 + random.Below(8)));
    if (random.Chance(0.7)) {
      std::int64_t deserved = 1 + static_cast<std::int64_t>(random.Below(6));
      if (const auto* most = queue.capability.Find("cpu"))
        deserved = std::min(deserved, most->Value());
      queue.deserved.Set("cpu", kube::Quantity::Of(deserved));
    }
    if (random.Chance(0.15)) queue.reclaimable = false;
    cluster.Add(std::move(queue));
  }
  constexpr std::pair<const char*, int> kClasses[] = {{"low", 1}, {"mid", 100}, {"high", 1000}};
  for (const auto& [name, value] : kClasses) {
    kube::PriorityClass priority_class;
    priority_class.meta.name = name;
    priority_class.value = value;
    cluster.Add(std::move(priority_class));
  }
  const int groups = 2 + static_cast<int>(random.Below(9));
  Duration last{0};
  for (int g = 0; g < groups; ++g) {
    const int pods = 1 + static_cast<int>(random.Below(4));
    const auto& [class_name, priority] = kClasses[random.Below(3)];
    kube::PodGroup group;
    group.meta.ns = "ns";
    group.meta.name = fmt::format("g{}", g);
    group.queue = fmt::format("q{}", random.Below(queues));
    group.min_member = 1 + static_cast<int>(random.Below(pods));
    group.priority_class_name = class_name;
    group.phase = kube::PodGroupPhase::kPending;
    const kube::Quantity cpu = Cpus(random, 3);
    if (random.Chance(0.5)) {
      kube::ResourceList least;
      least.Set("cpu", kube::Quantity::OfMilli(cpu.MilliValue() * group.min_member));
      group.min_resources = least;
    }
    std::vector<kube::Pod> members;
    const bool preemptable = !random.Chance(0.1);
    for (int p = 0; p < pods; ++p) {
      kube::Pod pod;
      pod.meta.ns = "ns";
      pod.meta.name = fmt::format("g{}-p-{}", g, p);
      pod.meta.annotations.Set(model::annotations::kGroupName, group.meta.name);
      pod.meta.labels.Set("app", group.meta.name);
      if (!preemptable) pod.meta.annotations.Set(model::annotations::kPreemptable, "false");
      pod.spec.scheduler_name = "volcano";
      pod.spec.priority = priority;
      pod.spec.priority_class_name = class_name;
      kube::Container container;
      container.name = "main";
      container.resources.requests.Set("cpu", cpu);
      pod.spec.containers.push_back(std::move(container));
      members.push_back(std::move(pod));
    }
    const Duration at =
        random.Chance(0.4) ? Duration{0} : Duration(std::chrono::milliseconds(random.Below(15000)));
    last = std::max(last, at);
    cluster.loop().Schedule(at, [&cluster, group, members] {
      kube::PodGroup created = group;
      created.meta.creation_timestamp = cluster.loop().Now();
      cluster.Add(std::move(created));
      for (const kube::Pod& pod : members) cluster.Add(pod);
    });
  }
  return last;
}

void AddReservations(FastCluster& cluster, std::uint64_t seed) {
  Random random(seed * 15485863);
  const int count = 1 + static_cast<int>(random.Below(5));
  for (int i = 0; i < count; ++i) {
    kube::Reservation reservation;
    reservation.meta.ns = "ns";
    reservation.meta.name = fmt::format("r{}", i);
    reservation.scheduler_name = "volcano";
    reservation.queue = fmt::format("q{}", random.Below(4));
    const std::string app = fmt::format("g{}", random.Below(10));
    reservation.owners.push_back(
        {.object = {}, .label_selector = kube::LabelSelector::OfLabels({{"app", app}})});
    kube::Reservation::Task& task = reservation.tasks.emplace_back();
    task.name = "t";
    task.replicas = 1 + static_cast<int>(random.Below(3));
    task.pod_template.labels.Set("app", app);
    if (random.Chance(0.3)) {
      task.reservation_node_names = {fmt::format("n{}", random.Below(4))};
      if (random.Chance(0.5)) {
        task.reservation_node_policy = kube::Reservation::NodePolicy::kRequired;
      }
    }
    kube::PodSpec& spec = task.pod_template.spec;
    spec.scheduler_name = "volcano";
    constexpr const char* kClasses[] = {"low", "mid", "high"};
    spec.priority_class_name = kClasses[random.Below(3)];
    kube::Container container;
    container.name = "main";
    container.resources.requests.Set("cpu", Cpus(random, 3));
    spec.containers.push_back(std::move(container));
    if (random.Chance(0.5)) {
      reservation.min_available = 1 + static_cast<int>(random.Below(task.replicas));
    }
    if (random.Chance(0.4)) reservation.ttl = std::chrono::seconds(1 + random.Below(30));
    const Duration at = std::chrono::milliseconds(random.Below(12000));
    cluster.loop().Schedule(at, [&cluster, reservation, app] {
      kube::Reservation created = reservation;
      created.meta.creation_timestamp = cluster.loop().Now();
      // As its gang's pods are, where that is there; then those can take it.
      for (const auto& [key, pod] : cluster.pods()) {
        if (pod->meta.labels.Get("app") != app) continue;
        created.tasks[0].pod_template.spec.containers = pod->spec.containers;
        created.tasks[0].pod_template.spec.priority_class_name = pod->spec.priority_class_name;
        break;
      }
      cluster.Add(std::move(created));
    });
    if (random.Chance(0.3)) {
      const Duration gone = at + std::chrono::milliseconds(random.Below(15000));
      cluster.loop().Schedule(
          gone, [&cluster, key = reservation.meta.Key()] { cluster.DeleteReservation(key); });
    }
  }
}

}  // namespace basalt::testutil
