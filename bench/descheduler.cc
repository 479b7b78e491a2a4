// deps: basalt_descheduler_planner basalt_scheduler_state
//
// What a plan of the descheduler costs, without any API server.
//   bench_descheduler --case CASE --nodes N --pods M --json
// Half of the nodes are hardly used, half are fairly full. like: pods of few templates; distinct:
// every pod asks for something else; pack: all nodes are hardly used, packUnderused; partial: no
// target has room for the larger pods; anti: every pod has anti-affinity by hostname against half
// of the others; budgets: a hundred budgets cover the pods.
// Prints one object with plan_ms (by the clock), moves, freed, blocked, load_ms, peak_mib.

#include <fmt/core.h>
#include <sys/resource.h>

#include <chrono>
#include <memory>
#include <string>

#include "base/random.h"
#include "bench/flags.h"
#include "descheduler/planner/planner.h"
#include "scheduler/state/cluster_state.h"

namespace basalt {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string kind = "like";
  int nodes = 5000;
  int pods = 50000;
};

double MilliSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double PeakMiB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

std::string NodeName(int number) { return fmt::format("node-{:05}", number); }

void AddNodes(scheduler::ClusterState& state, const Options& options) {
  for (int i = 0; i < options.nodes; ++i) {
    auto node = std::make_shared<kube::Node>();
    node->meta.name = NodeName(i);
    node->meta.labels.Set("kubernetes.io/hostname", node->meta.name);
    node->status.allocatable.Set("cpu", kube::Quantity::Of(32));
    node->status.allocatable.Set("memory", kube::Quantity::Of(std::int64_t{128} << 30));
    node->status.allocatable.Set("pods", kube::Quantity::Of(110));
    node->status.conditions = {{.type = "Ready", .status = kube::ConditionStatus::kTrue}};
    state.Set(std::shared_ptr<const kube::Node>(std::move(node)));
  }
}

void SetAntiAffinity(int number, kube::Pod* pod) {
  pod->spec.affinity = kube::Affinity();
  kube::PodAffinityTerm term;
  term.label_selector =
      kube::LabelSelector::OfLabels({{"app", fmt::format("app-{}", (number + 1) % 4)}});
  term.topology_key = "kubernetes.io/hostname";
  kube::Affinity affinity;
  affinity.pod_anti.required.push_back(std::move(term));
  pod->spec.affinity = std::move(affinity);
}

// The pods of one node in three, on average, of one that is hardly used; of one that is fairly full
// so many that it is used to some 75 %.
void AddPods(scheduler::ClusterState& state, const Options& options) {
  Random random(1);
  const int light = 3;
  const int heavy = std::max(1, 2 * options.pods / options.nodes - light);
  int number = 0;
  for (int i = 0; i < options.nodes; ++i) {
    const bool full = i % 2 == 1 && options.kind != "pack";
    const int count = options.kind == "pack" ? options.pods / options.nodes : full ? heavy : light;
    const double share = full ? 0.70 : options.kind == "pack" ? 0.25 : 0.12;
    for (int j = 0; j < count; ++j, ++number) {
      auto pod = std::make_shared<kube::Pod>();
      pod->meta.ns = fmt::format("team-{}", number % 50);
      pod->meta.name = pod->meta.uid = fmt::format("pod-{}", number);
      pod->meta.labels.Set("app", fmt::format("app-{}", number % 4));
      pod->meta.owner_references = {{.kind = "ReplicaSet",
                                     .name = "rs",
                                     .uid = fmt::format("rs-{}", number / 10),
                                     .controller = true}};
      pod->spec.scheduler_name = "volcano";
      pod->spec.node_name = NodeName(i);
      pod->status.phase = kube::PodPhase::kRunning;
      pod->status.conditions = {{.type = "Ready", .status = kube::ConditionStatus::kTrue}};
      auto milli = static_cast<std::int64_t>(32000 * share / count);
      milli += options.kind == "distinct" ? number % 997 : number % 4;
      if (options.kind == "partial" && !full) milli += j == 2 ? 8300 : 0;
      kube::Container& container = pod->spec.containers.emplace_back();
      container.name = "main";
      container.image = "registry.example.com/web:1";
      container.resources.requests.Set("cpu", kube::Quantity::OfMilli(milli));
      container.resources.requests.Set("memory", kube::Quantity::Of(std::int64_t{1} << 28));
      if (options.kind == "anti" && random.Uniform() < 0.5) SetAntiAffinity(number, pod.get());
      state.Set(std::shared_ptr<const kube::Pod>(std::move(pod)));
    }
  }
  if (options.kind != "budgets") return;
  for (int i = 0; i < 100; ++i) {
    auto budget = std::make_shared<kube::PodDisruptionBudget>();
    budget->meta.ns = fmt::format("team-{}", i % 50);
    budget->meta.name = fmt::format("budget-{}", i);
    budget->selector = kube::LabelSelector::OfLabels({{"app", fmt::format("app-{}", i / 50)}});
    budget->disruptions_allowed = 1;
    state.Set(std::shared_ptr<const kube::PodDisruptionBudget>(std::move(budget)));
  }
}

int Main(const Options& options) {
  const auto load_start = Clock::now();
  scheduler::ClusterState state({});
  AddNodes(state, options);
  AddPods(state, options);
  const double load_ms = MilliSince(load_start);
  auto rules = descheduler::MakePlacementRules();
  descheduler::Policy policy = descheduler::BuiltinPolicy();
  descheduler::DefragmentationArgs& args = *policy.profiles[0].defragmentation;
  args.pack_underused = options.kind == "pack";
  args.partial = options.kind == "partial";
  const auto start = Clock::now();
  const descheduler::Plan plan =
      descheduler::MakePlan(state.cluster(), *rules, policy, policy.profiles[0], {.id = "bench"},
                            nullptr, Time(std::chrono::hours(24 * 365 * 56)));
  const double plan_ms = MilliSince(start);
  fmt::print(
      "{{\"case\":\"{}\",\"nodes\":{},\"pods\":{},\"moves\":{},\"freed\":{},\"blocked\":{},"
      "\"plan_ms\":{:.1f},\"load_ms\":{:.0f},\"peak_mib\":{:.0f}}}\n",
      options.kind, options.nodes, state.cluster().tasks().live(), plan.moves.size(),
      plan.freed_nodes.size(), plan.blocked.size(), plan_ms, load_ms, PeakMiB());
  return 0;
}

}  // namespace
}  // namespace basalt

int main(int argc, char** argv) {
  using namespace basalt::bench;
  basalt::Options options;
  ReadFlags(argc, argv,
            "What a plan of the descheduler costs, without any API server. What the cases are is "
            "said in bench/descheduler.cc.",
            {{"--case",
              Choice(&options.kind, {"like", "distinct", "pack", "partial", "anti", "budgets"})},
             {"--nodes", Number(&options.nodes, 1)},
             {"--pods", Number(&options.pods)}});
  return basalt::Main(options);
}
