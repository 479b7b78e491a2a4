// deps: basalt_scheduler_simulate
//
// A gang of 1,000 simulated on 5,000 nodes that run 50,000 pods: what taking the image costs the
// scheduling thread, and how long the answer takes.
//   bench_simulate [NODES] [PODS] [GANG]
// Prints the median and the slowest of eleven, in milliseconds.

#include <fmt/core.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/virtual_loop.h"
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

int Main(int argc, char** argv) {
  const auto number = [&](int i, int usual) { return argc > i ? std::atoi(argv[i]) : usual; };
  const int nodes = number(1, 5000), pods = number(2, 50000), gang = number(3, 1000);
  VirtualLoop loop(Time{} + 24h);
  scheduler::Scheduler scheduler(loop, {}, [](std::vector<model::Intent>) {});
  BASALT_CHECK(scheduler.Configure(scheduler::DefaultConfigYaml()).has_value());
  Fill(scheduler, nodes, pods);
  scheduler.Start();
  loop.RunFor(1s);
  const scheduler::simulate::Request request = Gang(gang);
  std::vector<double> image_took, took, cpu;
  for (int i = 0; i < 11; ++i) {
    const auto start = Clock::now();
    const double cpu_start = CpuMilli();
    const auto image = scheduler.TakeImage();
    image_took.push_back(CpuMilli() - cpu_start);
    const auto answer = scheduler::simulate::Simulate(*image, request, [] { return true; });
    took.push_back(MilliSince(start));
    cpu.push_back(CpuMilli() - cpu_start);
    BASALT_CHECK(answer.has_value() && answer->at("waiting").to_number<int>() == 0);
  }
  fmt::print("{} nodes, {} pods, a gang of {}\n", nodes, pods, gang);
  fmt::print("on the scheduling thread: {} ms of CPU time\n", Figures(image_took));
  fmt::print("the whole answer: {} ms, {} ms of CPU time\n", Figures(took), Figures(cpu));
  return 0;
}

}  // namespace
}  // namespace basalt

int main(int argc, char** argv) { return basalt::Main(argc, argv); }
