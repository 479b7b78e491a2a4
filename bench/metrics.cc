// deps: basalt_testing basalt_scheduler_service
//
// What GET /metrics costs the scheduling thread (collecting) and whoever serves it (the text): with
// many jobs, and after all of them were deleted.
//   bench_metrics [jobs]

#include "base/metrics.h"

#include <fmt/core.h>

#include <chrono>
#include <memory>
#include <string>

#include "bench/flags.h"
#include "scheduler/scheduler.h"
#include "scheduler/service/scheduler_metrics.h"
#include "testing/sim_loop.h"

namespace {

using namespace basalt;
using kube::InformerEventKind;

std::shared_ptr<const kube::PodGroup> Group(int i) {
  auto group = std::make_shared<kube::PodGroup>();
  group->meta.ns = "team";
  group->meta.name = fmt::format("training-run-with-a-name-{:06}", i);
  group->meta.uid = fmt::format("00000000-0000-0000-0000-{:012}", i);
  group->meta.resource_version = "1";
  group->meta.creation_timestamp = testutil::SimLoop::kStart + std::chrono::seconds(i);
  group->queue = "default";
  group->min_member = 4;
  return group;
}

template <class Fn>
double Milliseconds(Fn fn) {
  const auto begin = std::chrono::steady_clock::now();
  fn();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

class World {
 public:
  void Add(int jobs) {
    for (int i = 0; i < jobs; ++i) {
      scheduler_.Apply(
          kube::InformerEvent<kube::PodGroup>{InformerEventKind::kAdded, {}, Group(i)});
    }
  }
  void Remove(int jobs) {
    for (int i = 0; i < jobs; ++i) {
      scheduler_.Apply(
          kube::InformerEvent<kube::PodGroup>{InformerEventKind::kDeleted, Group(i), {}});
    }
  }
  void Report(std::string_view when, scheduler::SchedulerMetrics& metrics) {
    const double collecting = Milliseconds([&] { metrics.Collect(scheduler_); });
    std::string text;
    const double writing = Milliseconds([&] { text = registry.Text(); });
    fmt::print("{}: collecting {:.2f} ms, text {:.2f} ms, {} bytes\n", when, collecting, writing,
               text.size());
  }

  metrics::Registry registry;

 private:
  testutil::SimLoop loop_;
  scheduler::Scheduler scheduler_{loop_, {}, [](std::vector<model::Intent>) {}};
};

}  // namespace

int main(int argc, char** argv) {
  int jobs = 30'000;
  bench::ReadFlags(argc, argv, "What GET /metrics costs with many jobs, and after they are gone.",
                   {{"JOBS", bench::Number(&jobs, 1)}});
  for (const std::size_t most : {std::size_t{5000}, static_cast<std::size_t>(jobs)}) {
    fmt::print("{} jobs, at most {} with series of their own\n", jobs, most);
    World world;
    scheduler::SchedulerMetrics metrics(world.registry, most);
    world.Add(jobs);
    world.Report("  all there", metrics);
    world.Remove(jobs);
    world.Report("  all gone ", metrics);
  }
}
