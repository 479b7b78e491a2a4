// deps: basalt_scheduler_actions basalt_scheduler_plugins basalt_scheduler_state
//
// What pods that wait at the queue-allocation gate of a full queue cost a cycle: two clusters,
// alike but for the gated pods, with the same pods coming and going, cycle by cycle in turn.
//   bench_gates --nodes 1000 --gated 10000 --churn 100 --cycles 200 --where other|full --json
// --where: the queue in which pods come and go; in the full one each that goes makes room for a
// gated one. Prints one object with the medians of both, their ratio, and the writes that the gated
// pods caused after the first cycle.

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "bench/flags.h"
#include "model/annotations.h"
#include "scheduler/actions/registry.h"
#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "scheduler/state/cluster_state.h"

namespace basalt {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  int nodes = 1000;
  int gated = 10000;
  int churn = 100;
  int cycles = 200;
  std::string where = "other";
};

constexpr int kFullQueue = 1000;  // CPUs

template <class T>
std::shared_ptr<const T> Shared(T object) {
  return std::make_shared<const T>(std::move(object));
}

kube::Pod MakePod(std::string name, std::string_view queue) {
  kube::Pod pod;
  pod.meta.ns = "bench";
  pod.meta.name = pod.meta.uid = std::move(name);
  pod.meta.annotations.Set(model::annotations::kQueueName, queue);
  kube::Container& container = pod.spec.containers.emplace_back();
  container.name = "main";
  container.image = "registry.example.com/train:1";
  container.resources.requests.Set("cpu", kube::Quantity::Of(1));
  container.resources.requests.Set("memory", kube::Quantity::Of(std::int64_t{2} << 30));
  return pod;
}

kube::Queue MakeQueue(std::string name, int cpus) {
  kube::Queue queue;
  queue.meta.name = std::move(name);
  queue.weight = 1;
  queue.state = kube::QueueState::kOpen;
  if (cpus > 0) queue.capability.Set("cpu", kube::Quantity::Of(cpus));
  return queue;
}

// A cluster with its scheduler's core.
class World {
 public:
  World(const Options& options, bool gated) : options_(options), state_({}) {
    state_.Set(Shared(MakeQueue("root", 0)));
    state_.Set(Shared(MakeQueue("other", 0)));
    state_.Set(Shared(MakeQueue("full", kFullQueue)));
    for (int i = 0; i < options.nodes; ++i) {
      kube::Node node;
      node.meta.name = fmt::format("node-{:05}", i);
      node.meta.labels.Set("kubernetes.io/hostname", node.meta.name);
      node.status.allocatable.Set("cpu", kube::Quantity::Of(32));
      node.status.allocatable.Set("memory", kube::Quantity::Of(std::int64_t{128} << 30));
      node.status.allocatable.Set("pods", kube::Quantity::Of(110));
      state_.Set(Shared(std::move(node)));
    }
    for (int i = 0; i < kFullQueue; ++i) AddRunning(fmt::format("holds-{}", i), "full", i);
    for (int i = 0; i < 2 * options.churn; ++i) AddRunning(fmt::format("runs-{}", i), "other", i);
    auto config = scheduler::LoadConfig(
        scheduler::DefaultConfigYaml(),
        {scheduler::BuiltinActions().Names(), scheduler::BuiltinPlugins().Names()});
    BASALT_CHECK(config.has_value());
    for (const std::string& name : config->actions) {
      auto action = (*scheduler::BuiltinActions().Find(name))(config->ArgumentsOf(name));
      BASALT_CHECK(action.has_value());
      actions_.push_back(std::move(*action));
    }
    plugins_ =
        std::move(*scheduler::PluginSet::Make(std::move(*config), scheduler::BuiltinPlugins()));
    for (int i = 0; gated && i < options.gated; ++i) {
      kube::Pod pod = MakePod(fmt::format("gated-{:05}", i), "full");
      const std::string gate(model::annotations::kQueueAllocationGate);
      pod.meta.annotations.Set(gate, "true");
      pod.spec.scheduling_gates = {gate};
      state_.Set(Shared(std::move(pod)));
    }
  }

  // Some end and as many come; then a cycle, of which the milliseconds count.
  double Cycle() {
    std::deque<std::shared_ptr<const kube::Pod>>& running =
        options_.where == "full" ? running_full_ : running_other_;
    for (int i = 0; i < options_.churn; ++i) {
      state_.Remove(*running.front());
      running.pop_front();
      state_.Set(Shared(MakePod(fmt::format("comes-{:07}", next_++), options_.where)));
    }
    const auto start = Clock::now();
    scheduler::Session session(state_.cluster(), *plugins_, Time(std::chrono::hours(480000)));
    for (auto& action : actions_) action->Run(session);
    session.Close();
    const double took = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    for (const model::Intent& intent : session.intents()) {
      if (const auto* bind = std::get_if<model::Bind>(&intent)) {
        kube::Pod pod = *bind->pod;
        pod.spec.node_name = bind->node;
        pod.spec.scheduling_gates.clear();
        pod.status.phase = kube::PodPhase::kRunning;
        Run(std::move(pod));
        ++binds_;
      } else {
        ++other_writes_;
      }
    }
    return took;
  }
  int binds() const { return binds_; }
  int other_writes() const { return other_writes_; }

 private:
  void AddRunning(std::string name, std::string_view queue, int number) {
    kube::Pod pod = MakePod(std::move(name), queue);
    pod.spec.node_name = fmt::format("node-{:05}", number % options_.nodes);
    pod.status.phase = kube::PodPhase::kRunning;
    Run(std::move(pod));
  }
  void Run(kube::Pod pod) {
    const bool full = pod.meta.annotations.Get(model::annotations::kQueueName) == "full";
    auto shared = Shared(std::move(pod));
    (full ? running_full_ : running_other_).push_back(shared);
    state_.Set(shared);
  }

  const Options& options_;
  scheduler::ClusterState state_;
  std::unique_ptr<scheduler::PluginSet> plugins_;
  std::vector<std::unique_ptr<scheduler::Action>> actions_;
  std::deque<std::shared_ptr<const kube::Pod>> running_full_, running_other_;
  int next_ = 0;
  int binds_ = 0;
  int other_writes_ = 0;
};

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

int Main(const Options& options) {
  World without(options, false), with(options, true);
  const double first_without = without.Cycle(), first_with = with.Cycle();
  std::vector<double> took_without, took_with;
  const int writes = with.other_writes();
  for (int i = 0; i < options.cycles; ++i) {
    took_without.push_back(without.Cycle());
    took_with.push_back(with.Cycle());
  }
  const double a = Median(took_without), b = Median(took_with);
  fmt::print(
      "{{\"case\":\"gated\",\"where\":\"{}\",\"nodes\":{},\"gated\":{},\"churn\":{},\"cycles\":{},"
      "\"cycle_ms_without\":{:.4f},\"cycle_ms_with\":{:.4f},\"ratio\":{:.3f},"
      "\"first_ms_without\":{:.2f},\"first_ms_with\":{:.2f},\"binds_without\":{},"
      "\"binds_with\":{},\"other_writes\":{}}}\n",
      options.where, options.nodes, options.gated, options.churn, options.cycles, a, b, b / a,
      first_without, first_with, without.binds(), with.binds(), with.other_writes() - writes);
  return 0;
}

}  // namespace
}  // namespace basalt

int main(int argc, char** argv) {
  using namespace basalt::bench;
  basalt::Options options;
  ReadFlags(argc, argv, "What pods at the queue-allocation gate of a full queue cost a cycle.",
            {{"--nodes", Number(&options.nodes, 1)},
             {"--gated", Number(&options.gated)},
             {"--churn", Number(&options.churn)},
             {"--cycles", Number(&options.cycles, 1)},
             {"--where", Choice(&options.where, {"other", "full"})}});
  return basalt::Main(options);
}
