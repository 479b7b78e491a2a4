// deps: basalt_scheduler_actions basalt_scheduler_plugins basalt_scheduler_state
//
// Decisions a second of the scheduler's core, without any API server.
//   bench_core --case CASE --nodes N --pods M --gang G --json
// like: gangs of G pods from one template; distinct: every pod asks for something else; preempt: a
// full cluster of low-priority pods, and gangs of high priority that must evict; idle: a full
// cluster and a cycle in which nothing changed.
// Rules about what is elsewhere: spread-hostname, spread-zone: topology spread, DoNotSchedule;
// anti-hostname: required anti-affinity by hostname; anti-terms: every pod has labels of its own
// and 20 terms of required anti-affinity; preferred-anti: preferred anti-affinity by hostname;
// soft-taint: one node has a PreferNoSchedule taint; volumes: every pod has a bound CSI claim,
// every node a limit; volumes-made: the same with claims whose volumes are made where the pod goes.
// reservations: as like, beside 2,000 reservations of one pod each that hold their room, half of
// them in the pods' namespace, for others.
// queues: M pods run, a thousand queues are created, changed and removed; pods_per_s counts these.
// Prints one object with pods_per_s (by the clock), pods_per_cpu_s, cycle_ms, idle_ms, peak_mib.

#include <fmt/core.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "bench/flags.h"
#include "scheduler/actions/registry.h"
#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "scheduler/state/cluster_state.h"

namespace basalt {
namespace {

using Clock = std::chrono::steady_clock;
using model::TaskStatus;

struct Options {
  std::string kind = "like";
  int nodes = 1000;
  int pods = 10000;
  int gang = 100;
};

double MilliSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double CpuMilli() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double PeakMiB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

std::shared_ptr<const kube::Node> MakeNode(int number, const Options& options) {
  auto node = std::make_shared<kube::Node>();
  node->meta.name = fmt::format("node-{:05}", number);
  node->meta.labels.Set("kubernetes.io/hostname", node->meta.name);
  node->meta.labels.Set("topology.kubernetes.io/zone", fmt::format("zone-{}", number % 3));
  node->status.allocatable.Set("cpu", kube::Quantity::Of(32));
  node->status.allocatable.Set("memory", kube::Quantity::Of(std::int64_t{128} << 30));
  node->status.allocatable.Set("pods", kube::Quantity::Of(110));
  if (options.kind == "soft-taint" && number == options.nodes / 2) {
    node->spec.taints.push_back({.key = "leaving", .effect = kube::TaintEffect::kPreferNoSchedule});
  }
  return node;
}

std::shared_ptr<kube::Pod> MakePod(const std::string& group, int number, std::int64_t milli_cpu,
                                   std::int64_t memory) {
  auto pod = std::make_shared<kube::Pod>();
  pod->meta.ns = "bench";
  pod->meta.name = fmt::format("{}-worker-{}", group, number);
  pod->meta.uid = pod->meta.name;
  pod->meta.annotations.Set("scheduling.k8s.io/group-name", group);
  kube::Container& container = pod->spec.containers.emplace_back();
  container.name = "main";
  container.image = "registry.example.com/train:1";
  container.resources.requests.Set("cpu", kube::Quantity::OfMilli(milli_cpu));
  container.resources.requests.Set("memory", kube::Quantity::Of(memory));
  return pod;
}

void AddGroup(scheduler::ClusterState& state, const std::string& name, int members,
              const std::string& priority_class, kube::PodGroupPhase phase) {
  auto group = std::make_shared<kube::PodGroup>();
  group->meta.ns = "bench";
  group->meta.name = group->meta.uid = name;
  group->min_member = members;
  group->queue = "default";
  group->priority_class_name = priority_class;
  group->phase = phase;
  state.Set(std::shared_ptr<const kube::PodGroup>(std::move(group)));
}

// A pod that runs already fills a node's 32 cores with others like it: 10 to a node.
void AddRunning(scheduler::ClusterState& state, const Options& options) {
  for (int i = 0; i < options.pods; ++i) {
    const std::string group = fmt::format("run-{}", i / options.gang);
    if (i % options.gang == 0) AddGroup(state, group, 1, "low", kube::PodGroupPhase::kRunning);
    auto pod = MakePod(group, i, 3200, std::int64_t{12} << 30);
    pod->spec.node_name = fmt::format("node-{:05}", i % options.nodes);
    pod->spec.priority = 1;
    pod->status.phase = kube::PodPhase::kRunning;
    state.Set(std::shared_ptr<const kube::Pod>(std::move(pod)));
  }
}

constexpr std::string_view kHostname = "kubernetes.io/hostname";
constexpr std::string_view kZone = "topology.kubernetes.io/zone";
constexpr std::string_view kDriver = "csi.example.com";

kube::PodAffinityTerm TermAbout(const std::string& app) {
  kube::PodAffinityTerm term;
  term.label_selector = kube::LabelSelector::OfLabels({{"app", app}});
  term.topology_key = kHostname;
  return term;
}

// A claim of the pod's own: bound, or to be bound where the pod goes.
void AddClaim(scheduler::ClusterState& state, kube::Pod& pod, bool bound) {
  kube::PersistentVolumeClaim claim;
  claim.meta.ns = pod.meta.ns;
  claim.meta.name = claim.meta.uid = pod.meta.name + "-data";
  claim.storage_class_name = "made";
  claim.requests.Set("storage", kube::Quantity::Of(std::int64_t{1} << 30));
  if (bound) {
    kube::PersistentVolume volume;
    volume.meta.name = volume.csi_volume_handle = claim.volume_name = "pv-" + claim.meta.name;
    volume.storage_class_name = "made";
    volume.csi_driver = kDriver;
    volume.phase = kube::PersistentVolume::Phase::kBound;
    state.Set(std::make_shared<const kube::PersistentVolume>(std::move(volume)));
    claim.phase = kube::PersistentVolumeClaim::Phase::kBound;
    claim.meta.annotations.Set("pv.kubernetes.io/bind-completed", "yes");
  }
  pod.spec.volumes.push_back({.name = "data",
                              .kind = kube::Volume::Kind::kPersistentVolumeClaim,
                              .source = claim.meta.name});
  state.Set(std::make_shared<const kube::PersistentVolumeClaim>(std::move(claim)));
}

// What the case is about.
void AddRules(scheduler::ClusterState& state, const Options& options, int number, kube::Pod& pod) {
  const std::string& kind = options.kind;
  pod.meta.labels.Set("app", kind == "anti-terms" ? fmt::format("app-{}", number) : "web");
  if (kind == "spread-hostname" || kind == "spread-zone") {
    pod.spec.topology_spread_constraints.push_back(
        {.max_skew = 1,
         .topology_key = std::string(kind == "spread-zone" ? kZone : kHostname),
         .label_selector = kube::LabelSelector::OfLabels({{"app", "web"}})});
  } else if (kind == "anti-hostname") {
    pod.spec.affinity.emplace().pod_anti.required.push_back(TermAbout("web"));
  } else if (kind == "preferred-anti") {
    pod.spec.affinity.emplace().pod_anti.preferred.push_back(
        {.weight = 100, .term = TermAbout("web")});
  } else if (kind == "anti-terms") {
    constexpr int kTerms = 20;
    pod.spec.affinity.emplace();
    for (int i = 1; i <= kTerms; ++i) {
      pod.spec.affinity->pod_anti.required.push_back(
          TermAbout(fmt::format("app-{}", (number + i) % options.pods)));
    }
  } else if (kind == "volumes" || kind == "volumes-made") {
    AddClaim(state, pod, kind == "volumes");
  }
}

void AddPending(scheduler::ClusterState& state, const Options& options, int pods) {
  for (int i = 0; i < pods; ++i) {
    const std::string group = fmt::format("wait-{}", i / options.gang);
    if (i % options.gang == 0) {
      const int members = std::min(options.gang, pods - i);
      AddGroup(state, group, members, "high", kube::PodGroupPhase::kPending);
    }
    const bool distinct = options.kind == "distinct";
    auto pod = MakePod(group, i % options.gang, distinct ? 1000 + i % 977 : 1000,
                       (std::int64_t{2} << 30) + (distinct ? std::int64_t{i} * 4096 : 0));
    pod->spec.priority = 100;
    AddRules(state, options, i, *pod);
    state.Set(std::shared_ptr<const kube::Pod>(std::move(pod)));
  }
}

void AddReservations(scheduler::ClusterState& state) {
  constexpr int kReservations = 2000;
  for (int i = 0; i < kReservations; ++i) {
    auto reservation = std::make_shared<kube::Reservation>();
    reservation->meta.ns = i % 2 == 0 ? "bench" : "elsewhere";
    reservation->meta.name = reservation->meta.uid = fmt::format("reserved-{}", i);
    reservation->queue = "default";
    reservation->owners.push_back(
        {.object = {},
         .label_selector = kube::LabelSelector::OfLabels({{"reserved", reservation->meta.name}})});
    kube::Reservation::Task& task = reservation->tasks.emplace_back();
    task.name = "t";
    task.pod_template.spec = MakePod("x", 0, 1000, std::int64_t{2} << 30)->spec;
    state.Set(std::shared_ptr<const kube::Reservation>(std::move(reservation)));
  }
}

void AddStorage(scheduler::ClusterState& state, const Options& options) {
  if (!options.kind.starts_with("volumes")) return;
  kube::StorageClass made;
  made.meta.name = "made";
  made.provisioner = kDriver;
  made.wait_for_first_consumer = true;
  state.Set(std::make_shared<const kube::StorageClass>(std::move(made)));
  for (int i = 0; i < options.nodes; ++i) {
    kube::CsiNode csi_node;
    csi_node.meta.name = fmt::format("node-{:05}", i);
    csi_node.drivers.push_back({.name = std::string(kDriver), .allocatable_count = 25});
    state.Set(std::make_shared<const kube::CsiNode>(std::move(csi_node)));
  }
}

constexpr Time kNow{std::chrono::hours(480000)};

struct Cycle {
  double milliseconds = 0;
  double cpu_milliseconds = 0;
  int binds = 0;
  int evictions = 0;
  int promises = 0;
  bool settled = false;  // nothing was decided or said
  std::vector<model::Intent> intents;
};

// `quiet`: as the scheduler says when nothing has happened since the last cycle.
Cycle RunCycle(scheduler::ClusterState& state, scheduler::PluginSet& plugins,
               std::vector<std::unique_ptr<scheduler::Action>>& actions, bool quiet = false) {
  Cycle cycle;
  const double cpu_start = CpuMilli();
  const auto start = Clock::now();
  scheduler::Session session(state.cluster(), plugins, kNow);
  if (quiet) session.MarkQuiet();
  for (auto& action : actions) action->Run(session);
  session.Close();
  cycle.milliseconds = MilliSince(start);
  cycle.cpu_milliseconds = CpuMilli() - cpu_start;
  cycle.intents = std::move(session.intents());
  cycle.settled = cycle.intents.empty() && !session.decided();
  for (const model::Intent& intent : cycle.intents) {
    cycle.binds += std::holds_alternative<model::Bind>(intent);
    model::ForEachEviction(intent, [&](const model::Evict&) { ++cycle.evictions; });
    cycle.promises += std::holds_alternative<model::Promise>(intent);
  }
  return cycle;
}

// What groups, promised pods and their victims say once the API server has had the writes.
void TakeNote(scheduler::ClusterState& state, const std::vector<model::Intent>& intents) {
  std::map<std::string, kube::Pod> pods;
  const auto note = [&](const std::shared_ptr<const kube::Pod>& pod) -> kube::Pod& {
    return pods.emplace(pod->meta.name, *pod).first->second;
  };
  for (const model::Intent& intent : intents) {
    model::ForEachEviction(intent, [&](const model::Evict& evict) {
      note(evict.pod).meta.deletion_timestamp = kNow + 30s;
    });
    if (const auto* promise = std::get_if<model::Promise>(&intent)) {
      note(promise->pod).status.nominated_node_name = promise->node;
      note(promise->pod).status.conditions = {{.type = "PodScheduled",
                                               .status = kube::ConditionStatus::kFalse,
                                               .reason = promise->reason,
                                               .message = promise->message}};
    } else if (const auto* waits = std::get_if<model::PodWaits>(&intent)) {
      note(waits->pod).status.conditions = {{.type = "PodScheduled",
                                             .status = kube::ConditionStatus::kFalse,
                                             .reason = waits->reason,
                                             .message = waits->message}};
    } else if (const auto* status = std::get_if<model::GroupStatus>(&intent)) {
      auto group = std::make_shared<kube::PodGroup>(*status->group);
      for (const auto phase : {kube::PodGroupPhase::kPending, kube::PodGroupPhase::kInqueue,
                               kube::PodGroupPhase::kRunning, kube::PodGroupPhase::kUnknown}) {
        if (kube::ToString(phase) == model::ToString(status->phase)) group->phase = phase;
      }
      group->running = status->running;
      for (const model::GroupCondition& condition : status->conditions) {
        std::erase_if(group->conditions,
                      [&](const auto& known) { return known.type == condition.type; });
        group->conditions.push_back({.type = condition.type,
                                     .status = kube::ConditionStatus::kTrue,
                                     .reason = condition.reason,
                                     .message = condition.message});
      }
      state.Set(std::shared_ptr<const kube::PodGroup>(std::move(group)));
    }
  }
  for (auto& [name, pod] : pods) state.Set(std::make_shared<const kube::Pod>(std::move(pod)));
}

// Of several cycles in which nothing happens the middle one.
double IdleMilliseconds(scheduler::ClusterState& state, scheduler::PluginSet& plugins,
                        std::vector<std::unique_ptr<scheduler::Action>>& actions) {
  constexpr int kCycles = 21;
  std::vector<double> took;
  bool settled = false;
  for (int i = 0; i < kCycles; ++i) {
    const Cycle cycle = RunCycle(state, plugins, actions, settled);
    settled = cycle.settled;
    took.push_back(cycle.milliseconds);
  }
  std::ranges::nth_element(took, took.begin() + kCycles / 2);
  return took[kCycles / 2];
}

// Queues that come, change and go beside pods that run.
int MeasureQueues(scheduler::ClusterState& state, const Options& options) {
  constexpr int kQueues = 1000;
  AddRunning(state, options);
  const double cpu_start = CpuMilli();
  const auto start = Clock::now();
  const auto queue = [](int number, int weight) {
    auto made = std::make_shared<kube::Queue>();
    made->meta.name = fmt::format("queue-{}", number);
    made->parent = number % 10 == 0 ? "" : fmt::format("queue-{}", number - number % 10);
    made->weight = weight;
    made->state = kube::QueueState::kOpen;
    return made;
  };
  for (const int weight : {1, 2}) {
    for (int i = 0; i < kQueues; ++i) {
      state.Set(std::shared_ptr<const kube::Queue>(queue(i, weight)));
    }
  }
  for (int i = 0; i < kQueues; ++i) state.Remove(*queue(i, 1));
  const double took = MilliSince(start), cpu = CpuMilli() - cpu_start;
  fmt::print(
      "{{\"case\":\"queues\",\"nodes\":{},\"pods\":{},\"decisions\":{},\"pods_per_s\":{:.0f},"
      "\"pods_per_cpu_s\":{:.0f},\"cycle_ms\":{:.2f},\"peak_mib\":{:.0f}}}\n",
      options.nodes, options.pods, 3 * kQueues, 3 * kQueues * 1000 / took, 3 * kQueues * 1000 / cpu,
      took, PeakMiB());
  return 0;
}

int Main(const Options& options) {
  scheduler::ClusterState state({});
  auto queue = std::make_shared<kube::Queue>();
  queue->meta.name = "default";
  queue->weight = 1;
  queue->state = kube::QueueState::kOpen;
  state.Set(std::shared_ptr<const kube::Queue>(queue));
  for (const auto& [name, value] : {std::pair{"low", 1}, std::pair{"high", 1000}}) {
    auto priority_class = std::make_shared<kube::PriorityClass>();
    priority_class->meta.name = name;
    priority_class->value = value;
    state.Set(std::shared_ptr<const kube::PriorityClass>(priority_class));
  }
  for (int i = 0; i < options.nodes; ++i) state.Set(MakeNode(i, options));
  AddStorage(state, options);

  if (options.kind == "queues") return MeasureQueues(state, options);
  const bool preempt = options.kind == "preempt";
  std::string yaml(scheduler::DefaultConfigYaml());
  if (preempt) yaml.replace(0, yaml.find('\n'), R"(actions: "enqueue, allocate, preempt")");
  auto config = scheduler::LoadConfig(
      yaml, {scheduler::BuiltinActions().Names(), scheduler::BuiltinPlugins().Names()});
  BASALT_CHECK(config.has_value());
  std::vector<std::unique_ptr<scheduler::Action>> actions;
  for (const std::string& name : config->actions) {
    auto action = (*scheduler::BuiltinActions().Find(name))(config->ArgumentsOf(name));
    BASALT_CHECK(action.has_value());
    actions.push_back(std::move(*action));
  }
  auto plugins = scheduler::PluginSet::Make(std::move(*config), scheduler::BuiltinPlugins());
  BASALT_CHECK(plugins.has_value());

  if (options.kind == "reservations") {
    AddReservations(state);
    RunCycle(state, **plugins, actions);
    RunCycle(state, **plugins, actions);
  }
  const auto load_start = Clock::now();
  int pending = options.pods;
  if (preempt || options.kind == "idle") {
    AddRunning(state, options);
    pending = preempt ? std::min(options.pods, 10 * options.gang) : 0;
  }
  AddPending(state, options, pending);
  const double load_ms = MilliSince(load_start);

  Cycle first = RunCycle(state, **plugins, actions);
  const double decisions = preempt ? first.promises : first.binds;
  TakeNote(state, first.intents);
  TakeNote(state, RunCycle(state, **plugins, actions).intents);
  const double idle_ms = IdleMilliseconds(state, **plugins, actions);
  fmt::print(
      "{{\"case\":\"{}\",\"nodes\":{},\"pods\":{},\"gang\":{},\"decisions\":{},\"evictions\":{},"
      "\"pods_per_s\":{:.0f},\"pods_per_cpu_s\":{:.0f},\"cycle_ms\":{:.2f},\"idle_ms\":{:.3f},"
      "\"load_ms\":{:.0f},"
      "\"peak_mib\":{:.0f}}}\n",
      options.kind, options.nodes, options.pods, options.gang, decisions, first.evictions,
      first.milliseconds > 0 ? decisions * 1000 / first.milliseconds : 0,
      first.cpu_milliseconds > 0 ? decisions * 1000 / first.cpu_milliseconds : 0,
      first.milliseconds, idle_ms, load_ms, PeakMiB());
  return 0;
}

}  // namespace
}  // namespace basalt

int main(int argc, char** argv) {
  using namespace basalt::bench;
  basalt::Options options;
  ReadFlags(
      argc, argv,
      "Decisions a second of the scheduler's core, without any API server. What the cases "
      "are is said in bench/core.cc.",
      {{"--case",
        Choice(&options.kind, {"like", "distinct", "preempt", "idle", "spread-hostname",
                               "spread-zone", "anti-hostname", "anti-terms", "preferred-anti",
                               "soft-taint", "volumes", "volumes-made", "reservations", "queues"})},
       {"--nodes", Number(&options.nodes, 1)},
       {"--pods", Number(&options.pods)},
       {"--gang", Number(&options.gang, 1)}});
  return basalt::Main(options);
}
