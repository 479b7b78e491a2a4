// deps: basalt_scheduler basalt_testing
//
// What a backlog costs. A full cluster, many pods that wait (each with a label of its own, a tenth
// of them impossible), heartbeats, and pods that end and are replaced. Events come on virtual time;
// what is measured is the CPU time of the scheduling thread.
//   bench_backlog --nodes 5000 --pods 50000 --seconds 20 --heartbeats 1000 --ends 200 --plain
// --plain: no queue plugin and no enqueue. Prints one object with cpu_share, p50_ms and p99_ms of
// the cycles, idle_writes (of pods for which nothing changed), writes_of_a_node (when one joins
// that helps nobody), missed_wakeups.
#include <fmt/core.h>
#include <time.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "bench/flags.h"
#include "scheduler/scheduler.h"
#include "testing/sim_loop.h"

namespace basalt {
namespace {

struct Options {
  int nodes = 5000;
  int pods = 50000;
  int seconds = 20;
  int heartbeats = 1000;
  int ends = 200;
  bool plain = false;
};

constexpr const char* kDefault = R"(actions: "enqueue, allocate, backfill"
tiers:
- plugins: [{name: priority}, {name: gang}, {name: conformance}]
- plugins: [{name: overcommit}, {name: drf}, {name: predicates}, {name: proportion}, {name: nodeorder}]
)";
constexpr const char* kPlain = R"(actions: "allocate, backfill"
tiers:
- plugins: [{name: priority}, {name: gang}, {name: predicates}, {name: nodeorder}]
)";

double CpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

class Backlog {
 public:
  explicit Backlog(const Options& options)
      : options_(options), scheduler_(loop_, {}, [this](std::vector<model::Intent> intents) {
          for (model::Intent& intent : intents) decided_.push_back(std::move(intent));
        }) {
    BASALT_CHECK(scheduler_.Configure(options.plain ? kPlain : kDefault).has_value());
    auto queue = std::make_shared<kube::Queue>();
    queue->meta.name = queue->meta.uid = "default";
    queue->weight = 1;
    queue->state = kube::QueueState::kOpen;
    Tell<kube::Queue>(nullptr, queue);
    for (int i = 0; i < options.nodes; ++i) Tell<kube::Node>(nullptr, MakeNode(i));
    for (int i = 0; i < options.nodes * 10; ++i) {
      auto pod = MakePod(false);
      pod->spec.node_name = fmt::format("node-{:05}", i % options.nodes);
      pod->status.phase = kube::PodPhase::kRunning;
      SetPod(pod);
    }
    for (int i = 0; i < options.pods; ++i) SetPod(MakePod(i % 10 == 0));
    scheduler_.Start();
    Settle(10s);
  }

  void Run() {
    cycles_.clear();
    writes_.clear();
    double spent = 0;
    int heartbeat = 0;
    for (int ms = 0; ms < options_.seconds * 1000; ++ms) {
      const double start = CpuSeconds();
      for (int due = options_.heartbeats * (ms + 1) / 1000 - options_.heartbeats * ms / 1000;
           due > 0; --due) {
        Heartbeat(heartbeat++ % options_.nodes);
      }
      for (int due = options_.ends * (ms + 1) / 1000 - options_.ends * ms / 1000; due > 0; --due) {
        End();
        SetPod(MakePod(false));
      }
      Pass(1ms);
      spent += CpuSeconds() - start;
    }
    std::vector<double> cycles = cycles_;
    std::ranges::sort(cycles);
    const auto at = [&](double part) {
      if (cycles.empty()) return 0.0;
      return 1e3 * cycles[static_cast<std::size_t>(part * static_cast<double>(cycles.size() - 1))];
    };
    std::size_t idle = 0;
    for (const auto& [uid, count] : writes_) idle += count > 1 ? count - 1 : 0;
    Settle(30s);  // what is said of the last pods is not the node's doing
    const std::size_t said = said_;
    auto node = MakeNode(options_.nodes);
    auto full = std::make_shared<kube::Node>(*node);
    full->spec.unschedulable = true;
    Tell<kube::Node>(nullptr, full);
    Settle(30s);
    fmt::print(
        "{{\"nodes\": {}, \"pods\": {}, \"cpu_share\": {:.3f}, \"cycles\": {}, \"p50_ms\": {:.3f}, "
        "\"p99_ms\": {:.3f}, \"most_ms\": {:.3f}, \"binds\": {}, \"idle_writes\": {}, "
        "\"writes_of_a_node\": {}, \"missed_wakeups\": {}}}\n",
        options_.nodes, options_.pods, spent / options_.seconds, cycles.size(), at(0.5), at(0.99),
        at(1), binds_, idle, said_ - said, scheduler_.missed_wakeups());
  }

 private:
  template <class T>
  void Tell(std::shared_ptr<const T> old, std::shared_ptr<const T> object) {
    const auto kind = !object ? kube::InformerEventKind::kDeleted
                      : old   ? kube::InformerEventKind::kUpdated
                              : kube::InformerEventKind::kAdded;
    scheduler_.Apply(kube::InformerEvent<T>{.kind = kind, .old_object = old, .object = object});
  }
  std::shared_ptr<kube::Node> MakeNode(int i) {
    auto node = std::make_shared<kube::Node>();
    node->meta.name = node->meta.uid = fmt::format("node-{:05}", i);
    node->status.allocatable.Set("cpu", kube::Quantity::Of(10));
    node->status.allocatable.Set("memory", kube::Quantity::Of(std::int64_t{64} << 30));
    node->status.allocatable.Set("pods", kube::Quantity::Of(110));
    return node;
  }
  std::shared_ptr<kube::Pod> MakePod(bool impossible) {
    auto pod = std::make_shared<kube::Pod>();
    pod->meta.ns = "bench";
    pod->meta.name = pod->meta.uid = fmt::format("pod-{}", next_++);
    pod->meta.labels.Set("job", pod->meta.name);
    pod->meta.creation_timestamp = loop_.Now();
    kube::Container& container = pod->spec.containers.emplace_back();
    container.name = "main";
    container.resources.requests.Set("cpu", kube::Quantity::Of(1));
    if (impossible) pod->spec.node_selector.Set("no", "such-node");
    return pod;
  }
  void SetPod(std::shared_ptr<const kube::Pod> pod) {
    auto& slot = pods_[pod->meta.name];
    const auto old = std::exchange(slot, pod);
    if (pod->bound() && (!old || !old->bound())) running_.push_back(pod->meta.name);
    Tell<kube::Pod>(old, pod);
  }
  void End() {
    const std::string name = running_.front();
    running_.pop_front();
    const auto it = pods_.find(name);
    const auto old = it->second;
    pods_.erase(it);
    Tell<kube::Pod>(old, nullptr);
  }
  void Heartbeat(int i) {
    auto node = MakeNode(i);
    node->status.conditions.push_back({.type = "Ready", .status = kube::ConditionStatus::kTrue});
    node->status.conditions[0].last_transition_time = loop_.Now();
    auto& last = nodes_[i];
    if (!last) last = node;
    node->status.conditions[0].status = last->status.conditions[0].status;
    Tell<kube::Node>(last, node);
    last = node;
  }
  void Pass(Duration time) {
    const std::uint64_t before = scheduler_.cycles();
    const double start = CpuSeconds();
    loop_.RunFor(time);
    if (scheduler_.cycles() != before) cycles_.push_back(CpuSeconds() - start);
    for (const model::Intent& intent : std::exchange(decided_, {})) Carry(intent);
  }
  void Settle(Duration time) {
    for (Duration passed{0}; passed < time; passed += 100ms) Pass(100ms);
  }
  void Carry(const model::Intent& intent) {
    if (const auto* bind = std::get_if<model::Bind>(&intent)) {
      ++binds_;
      writes_.erase(bind->pod->meta.uid);
      auto pod = std::make_shared<kube::Pod>(*pods_.at(bind->pod->meta.name));
      pod->spec.node_name = bind->node;
      pod->status.phase = kube::PodPhase::kRunning;
      SetPod(pod);
      scheduler_.Apply(model::Outcome{.kind = model::Outcome::Kind::kBind,
                                      .task = bind->task,
                                      .uid = bind->pod->meta.uid,
                                      .result = {}});
    } else if (const auto* waits = std::get_if<model::PodWaits>(&intent)) {
      ++said_;
      ++writes_[waits->pod->meta.uid];
      const auto it = pods_.find(waits->pod->meta.name);
      if (it == pods_.end() || it->second->bound()) return;
      auto pod = std::make_shared<kube::Pod>(*it->second);
      pod->status.conditions = {{.type = "PodScheduled",
                                 .status = kube::ConditionStatus::kFalse,
                                 .reason = waits->reason,
                                 .message = waits->message}};
      SetPod(pod);
    }
  }

  Options options_;
  testutil::SimLoop loop_;
  std::vector<model::Intent> decided_;
  scheduler::Scheduler scheduler_;
  std::map<std::string, std::shared_ptr<const kube::Pod>> pods_;
  std::map<int, std::shared_ptr<const kube::Node>> nodes_;
  std::deque<std::string> running_;
  std::map<std::string, int> writes_;  // conditions, by uid
  std::vector<double> cycles_;
  std::size_t binds_ = 0;
  std::size_t said_ = 0;
  int next_ = 0;
};

}  // namespace
}  // namespace basalt

int main(int argc, char** argv) {
  using namespace basalt::bench;
  basalt::Options options;
  ReadFlags(argc, argv,
            "What pods that wait cost the scheduling thread: CPU time, cycles, writes. --plain: no "
            "queue plugin and no enqueue.",
            {{"--nodes", Number(&options.nodes, 1)},
             {"--pods", Number(&options.pods, 1)},
             {"--seconds", Number(&options.seconds, 1)},
             {"--heartbeats", Number(&options.heartbeats)},
             {"--ends", Number(&options.ends)},
             {"--plain", Switch(&options.plain)}});
  basalt::Backlog(options).Run();
}
