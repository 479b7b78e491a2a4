// deps: basalt_scheduler_simulate
//
// A gang of 1,000 simulated on 5,000 nodes that run 50,000 pods: what taking the image costs the
// scheduling thread, in all and at a time, how long the answer takes, and what other pods notice.
//   bench_simulate [NODES] [PODS] [GANG] [BLOCKS]
// First eleven simulations one after the other: median and slowest in milliseconds. Then blocks of
// 1,000 pods that come one every millisecond and are placed by a scheduler on its own thread, in
// every other block beside simulations without a pause between them: the time from a pod's event to
// its bind in both kinds of blocks. What else the machine does goes on for longer than a block: the
// ratio that counts is the median of those of neighbours.

#include <fmt/core.h>
#include <time.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/asio_loop.h"
#include "base/check.h"
#include "base/virtual_loop.h"
#include "bench/flags.h"
#include "scheduler/simulate/image_worker.h"
#include "scheduler/simulate/simulation.h"

namespace basalt {
namespace {

using Clock = std::chrono::steady_clock;

double MilliSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Of this thread: what it would take if nobody else wanted the processor.
double CpuMilli() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

template <class T>
void Tell(scheduler::Scheduler& scheduler, T object) {
  scheduler.Apply(kube::InformerEvent<T>{.kind = kube::InformerEventKind::kAdded,
                                         .old_object = nullptr,
                                         .object = std::make_shared<const T>(std::move(object))});
}

kube::Pod MakePod(const std::string& name, std::int64_t milli_cpu) {
  kube::Pod pod;
  pod.meta.ns = "bench";
  pod.meta.name = pod.meta.uid = name;
  pod.spec.scheduler_name = "volcano";
  kube::Container container;
  container.name = "main";
  container.image = "registry.example.com/train:1";
  container.resources.requests.Set("cpu", kube::Quantity::OfMilli(milli_cpu));
  container.resources.requests.Set("memory", kube::Quantity::Of(std::int64_t{2} << 30));
  pod.spec.containers.push_back(std::move(container));
  return pod;
}

void Fill(scheduler::Scheduler& scheduler, int nodes, int pods) {
  kube::Queue queue;
  queue.meta.name = "default";
  queue.state = kube::QueueState::kOpen;
  Tell(scheduler, std::move(queue));
  for (int i = 0; i < nodes; ++i) {
    kube::Node node;
    node.meta.name = node.meta.uid = fmt::format("node-{:05}", i);
    node.meta.labels.Set("kubernetes.io/hostname", node.meta.name);
    node.status.allocatable.Set("cpu", kube::Quantity::Of(32));
    node.status.allocatable.Set("memory", kube::Quantity::Of(std::int64_t{128} << 30));
    node.status.allocatable.Set("pods", kube::Quantity::Of(110));
    node.status.conditions.push_back({.type = "Ready", .status = kube::ConditionStatus::kTrue});
    Tell(scheduler, std::move(node));
  }
  // Plain pods, which have a shadow each, are the dearer ones.
  for (int i = 0; i < pods; ++i) {
    kube::Pod pod = MakePod(fmt::format("running-{}", i), 2000);
    pod.spec.node_name = fmt::format("node-{:05}", i % nodes);
    pod.status.phase = kube::PodPhase::kRunning;
    Tell(scheduler, std::move(pod));
  }
}

scheduler::simulate::Request Gang(int size) {
  scheduler::simulate::Request request;
  kube::PodGroup group;
  group.meta.ns = "bench";
  group.meta.name = "gang";
  group.min_member = size;
  group.queue = "default";
  request.objects.emplace_back(std::move(group));
  for (int i = 0; i < size; ++i) {
    kube::Pod pod = MakePod(fmt::format("gang-worker-{}", i), 4000);
    pod.meta.annotations.Set("scheduling.k8s.io/group-name", "gang");
    request.objects.emplace_back(std::move(pod));
  }
  return request;
}

std::string Figures(std::vector<double> took) {
  std::ranges::sort(took);
  return fmt::format("median {:.1f}, slowest {:.1f}", took[took.size() / 2], took.back());
}

// The image, in pieces; each piece's CPU time is added to the list.
scheduler::SchedulerImage TakeInPieces(scheduler::Scheduler& scheduler, VirtualLoop& loop,
                                       std::vector<double>& pieces) {
  std::optional<scheduler::SchedulerImage> taken;
  scheduler.TakeImageInPieces([&](auto image) { taken = std::move(image); });
  while (!taken) {
    const double start = CpuMilli();
    BASALT_CHECK(loop.Step());
    pieces.push_back(CpuMilli() - start);
  }
  return *std::move(taken);
}

void OneAfterTheOther(int nodes, int pods, int gang) {
  VirtualLoop loop(Time{} + 24h);
  scheduler::Scheduler scheduler(loop, {}, [](std::vector<model::Intent>) {});
  BASALT_CHECK(scheduler.Configure(scheduler::DefaultConfigYaml()).has_value());
  Fill(scheduler, nodes, pods);
  scheduler.Start();
  loop.RunFor(1s);
  const scheduler::simulate::Request request = Gang(gang);
  std::vector<double> image_took, longest, took, cpu, thrown_away;
  for (int i = 0; i < 11; ++i) {
    const auto start = Clock::now();
    const double cpu_start = CpuMilli();
    std::vector<double> pieces;
    auto image = std::make_unique<scheduler::SchedulerImage>(TakeInPieces(scheduler, loop, pieces));
    image_took.push_back(std::accumulate(pieces.begin(), pieces.end(), 0.0));
    longest.push_back(std::ranges::max(pieces));
    std::shared_ptr<void> leftovers;
    const auto answer = scheduler::simulate::Simulate(
        *image, request, [] { return true; }, &leftovers);
    const std::string text = boost::json::serialize(*answer);
    took.push_back(MilliSince(start));
    cpu.push_back(CpuMilli() - cpu_start);
    BASALT_CHECK(answer.has_value() && answer->at("waiting").to_number<int>() == 0);
    const double answered = CpuMilli();
    leftovers.reset();
    image.reset();
    thrown_away.push_back(CpuMilli() - answered);
  }
  fmt::print("{} nodes, {} pods, a gang of {}\n", nodes, pods, gang);
  fmt::print("on the scheduling thread: {} ms of CPU time, at a time {} ms\n", Figures(image_took),
             Figures(longest));
  fmt::print("the whole answer: {} ms, {} ms of CPU time; thrown away afterwards: {} ms\n",
             Figures(took), Figures(cpu), Figures(thrown_away));
}

// A scheduler on the thread of a real loop, pods that come, are bound and go, and one who asks.
class Beside {
 public:
  Beside(int nodes, int pods, int gang, int blocks)
      : blocks_(blocks),
        request_(Gang(gang)),
        took_(static_cast<std::size_t>(blocks)),
        scheduler_(loop_, {},
                   [this](std::vector<model::Intent> intents) {
                     for (const model::Intent& intent : intents) {
                       if (const auto* bind = std::get_if<model::Bind>(&intent)) Bound(*bind);
                     }
                   }),
        worker_(loop_,
                [this](auto with_image) { scheduler_.TakeImageInPieces(std::move(with_image)); }) {
    BASALT_CHECK(scheduler_.Configure(scheduler::DefaultConfigYaml()).has_value());
    Fill(scheduler_, nodes, pods);
    scheduler_.Start();
  }

  void Run() {
    loop_.Schedule(2s, [this] { Come(); });  // the first cycles are others
    loop_.Run();
    std::vector<double> alone, beside, ratios;
    for (std::size_t i = 0; i + 1 < took_.size(); i += 2) {
      ratios.push_back(Part(took_[i + 1], 0.99) / Part(took_[i], 0.99));
      alone.insert(alone.end(), took_[i].begin(), took_[i].end());
      beside.insert(beside.end(), took_[i + 1].begin(), took_[i + 1].end());
    }
    Report("alone", alone);
    Report("beside simulations", beside);
    fmt::print(
        "p99 beside {} simulations by that alone: {:.2f}; of neighbouring blocks: {:.2f} "
        "(quartiles {:.2f} and {:.2f})\n",
        answers_, Part(beside, 0.99) / Part(alone, 0.99), Part(ratios, 0.5), Part(ratios, 0.25),
        Part(ratios, 0.75));
  }

 private:
  static constexpr int kBlock = 1000;

  bool asks() const { return came_ / kBlock % 2 == 1; }
  // The last simulation of a block ends in the next one, whose first half is of neither kind.
  bool counts() const { return asks() || came_ % kBlock >= kBlock / 2; }

  void Come() {
    if (came_ == blocks_ * kBlock) return loop_.Stop();
    const std::string name = fmt::format("comes-{}", came_);
    if (counts()) waits_[name] = {.since = Clock::now(), .block = came_ / kBlock};
    ++came_;
    Tell(scheduler_, MakePod(name, 100));
    if (asks()) Ask();
    loop_.Schedule(1ms, [this] { Come(); });
  }

  void Bound(const model::Bind& bind) {
    if (const auto waits = waits_.find(bind.pod->meta.name); waits != waits_.end()) {
      took_[static_cast<std::size_t>(waits->second.block)].push_back(
          MilliSince(waits->second.since));
      waits_.erase(waits);
    }
    // The API server and the kubelet say so, and the pod is gone soon.
    loop_.Post([this, bind] {
      auto bound = std::make_shared<kube::Pod>(*bind.pod);
      bound->spec.node_name = bind.node;
      bound->status.phase = kube::PodPhase::kRunning;
      Event(bind.pod, bound);
      scheduler_.Apply(model::Outcome{.kind = model::Outcome::Kind::kBind,
                                      .task = bind.task,
                                      .uid = bind.pod->meta.uid,
                                      .result = {}});
      loop_.Schedule(100ms, [this, bound] { Event(bound, nullptr); });
    });
  }

  void Event(std::shared_ptr<const kube::Pod> before, std::shared_ptr<const kube::Pod> now) {
    using Kind = kube::InformerEventKind;
    const Kind kind = now ? Kind::kUpdated : Kind::kDeleted;
    scheduler_.Apply(kube::InformerEvent<kube::Pod>{
        .kind = kind, .old_object = std::move(before), .object = std::move(now)});
  }

  void Ask() {
    if (std::exchange(asking_, true)) return;
    worker_.Ask(
        "bench",
        [this](const scheduler::SchedulerImage& image, const auto& go_on,
               auto& leftovers) -> Result<std::string> {
          const auto answer = scheduler::simulate::Simulate(image, request_, go_on, &leftovers);
          if (!answer) return std::unexpected(answer.error());  // the bench has ended
          return boost::json::serialize(*answer);
        },
        [this](const Result<std::string>& answer) {
          BASALT_CHECK(answer.has_value());
          ++answers_;
          asking_ = false;
        });
  }

  // So many are below it.
  static double Part(std::vector<double> took, double part) {
    const auto at = static_cast<std::size_t>(part * static_cast<double>(took.size() - 1));
    std::ranges::nth_element(took, took.begin() + static_cast<std::ptrdiff_t>(at));
    return took[at];
  }

  static void Report(const char* what, const std::vector<double>& took) {
    fmt::print("a pod's latency {}: p50 {:.2f}, p90 {:.2f}, p99 {:.2f}, longest {:.2f} ms ({})\n",
               what, Part(took, 0.5), Part(took, 0.9), Part(took, 0.99), Part(took, 1),
               took.size());
  }

  struct Waits {
    Clock::time_point since;
    int block = 0;
  };

  const int blocks_;
  const scheduler::simulate::Request request_;
  AsioLoop loop_;
  int came_ = 0;
  int answers_ = 0;
  bool asking_ = false;
  std::map<std::string, Waits> waits_;
  std::vector<std::vector<double>> took_;  // by block, every other one beside simulations
  scheduler::Scheduler scheduler_;
  scheduler::simulate::ImageWorker worker_;
};

int Main(int argc, char** argv) {
  int nodes = 5000, pods = 50000, gang = 1000, blocks = 40;
  bench::ReadFlags(
      argc, argv,
      "A gang simulated beside pods that run: what it costs the scheduling thread, the "
      "whole answer, and what other pods notice, in BLOCKS of 1,000 pods (0: not).",
      {{"NODES", bench::Number(&nodes, 1)},
       {"PODS", bench::Number(&pods, 1)},
       {"GANG", bench::Number(&gang, 1)},
       {"BLOCKS", bench::Number(&blocks)}});
  OneAfterTheOther(nodes, pods, gang);
  if (blocks > 1) Beside(nodes, pods, gang, blocks - blocks % 2).Run();
  return 0;
}

}  // namespace
}  // namespace basalt

int main(int argc, char** argv) { return basalt::Main(argc, argv); }
