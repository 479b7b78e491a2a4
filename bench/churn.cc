// deps: basalt_testing_scheduling basalt_controllers_podgroup basalt_controllers_queue
// basalt_simnode
//
// Whether anything grows that should not: pods come and go at a steady rate on the embedded server,
// with the scheduler, the simulated nodes and the controllers, all in this one process on virtual
// time. Says once a minute what the heap holds, and fails when it holds more than 5 % more in the
// end than after the first minute.
//   bench_churn [minutes] [pods a second] [nodes]
// An hour at 1,000 a second takes some 50 minutes of CPU time, most of it in the server and in
// malloc; 30 with GLIBC_TUNABLES=glibc.malloc.tcache_count=200, which adds 4 MiB to the figures.
//
// One pod in eight is never schedulable, one in four belongs to a gang of four, one in sixteen has
// a queue-allocation gate; every eighth has labels of its own. Each lives for five seconds. Events
// are deleted once a minute: what they cost is for the server's own time limit.

#include <fmt/core.h>
#include <malloc.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/log.h"
#include "base/metrics.h"
#include "bench/flags.h"
#include "controllers/podgroup/podgroup_controller.h"
#include "controllers/queue/queue_controller.h"
#include "controllers/runtime/controller_manager.h"
#include "scheduler/service/scheduler_service.h"
#include "simnode/sim_nodes.h"
#include "testing/scheduling/scheduling_cluster.h"

namespace {

using namespace basalt;
using namespace std::chrono_literals;
namespace resources = kube::resources;

constexpr double kMostGrowth = 0.05;
constexpr Duration kLife = 5s;
constexpr int kGang = 4;
constexpr std::string_view kGate = "scheduling.volcano.sh/queue-allocation-gate";

double HeapMiB() {
  malloc_trim(0);
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd) / (1 << 20);
}

class Churn {
 public:
  explicit Churn(int nodes) {
    cluster_.Create(testutil::MakeQueue("default"));
    for (int i = 0; i < nodes; ++i) {
      cluster_.Create(testutil::MakeNode(fmt::format("node-{}", i)).Cpu("64"));
    }
    scheduler::SchedulerServiceOptions options;
    options.metrics = &registry_;
    scheduler_ = std::make_unique<scheduler::SchedulerService>(loop(), scheduler_client_,
                                                               std::move(options));
    manager_ = std::make_unique<controllers::ControllerManager>(
        controllers_api_, controllers::ControllerManagerOptions{},
        [](kube::Client& client, kube::EventRecorder& events) {
          controllers::ControllerManager::Controllers made;
          made.push_back(std::make_unique<controllers::PodGroupController>(
              client, events, controllers::PodGroupControllerOptions{}));
          made.push_back(std::make_unique<controllers::QueueController>(client, events));
          return made;
        });
    simnode_.Start();
    scheduler_->Start();
    manager_->Start();
    loop().RunFor(5s);
  }

  // One second of it.
  void Second(int pods) {
    for (int i = 0; i < pods; ++i) CreateOne();
    while (!living_.empty() && living_.front().until <= loop().Now()) {
      const Living& gone = living_.front();
      kube::DeleteOptions at_once;
      at_once.grace_period_seconds = 0;
      client_.Delete({*gone.resource, "default", gone.name}, at_once, Ignore());
      living_.pop_front();
    }
    loop().RunFor(1s);
  }
  void DeleteEvents() {
    for (const boost::json::value& event : cluster_.List(resources::kEvents)) {
      client_.Delete({resources::kEvents, testutil::TextAt(event, "metadata.namespace"),
                      testutil::TextAt(event, "metadata.name")},
                     {}, Ignore());
    }
    loop().RunFor(1s);
  }
  void Scrape() {
    scheduler_->CollectMetrics();
    BASALT_CHECK(!registry_.Text().empty());
  }
  std::size_t living() const { return living_.size(); }
  int bound() { return cluster_.Bound(); }
  testutil::SimLoop& loop() { return cluster_.loop(); }

 private:
  // Full within the first minute, as the usual one is at a thousand pods a second.
  static testutil::SimClusterOptions SmallHistory() {
    testutil::SimClusterOptions options;
    options.server.watch_history = 2000;
    return options;
  }

  struct Living {
    const kube::Resource* resource;
    std::string name;
    Time until;
  };

  void CreateOne() {
    const int n = made_++;
    // All names are as long: what is remembered by name must not grow because numbers do.
    const std::string name = fmt::format("pod-{:08}", n);
    auto pod = testutil::MakePod(name).Cpu("100m");
    if (n % 8 == 1) pod.NodeSelector("disk", "none-has-it");
    if (n % 8 == 3) pod.Label("run", name);
    if (n % 16 == 5) pod.Gate(kGate).Annotation(kGate, "true");
    if (n % 16 >= 8 && n % 16 < 8 + kGang) {
      const std::string group = fmt::format("gang-{:08}", n / 16);
      if (n % 16 == 8) Create(testutil::MakePodGroup(group, kGang), &resources::kPodGroups, group);
      pod.Group(group);
    }
    Create(pod, &resources::kPods, name);
  }
  template <class Builder>
  void Create(const Builder& object, const kube::Resource* resource, const std::string& name) {
    client_.Create({object.resource(), object.ns()}, object.Text(), Ignore());
    living_.push_back({resource, name, loop().Now() + kLife});
  }
  static kube::ApiHandler Ignore() {
    return [](const Result<kube::ApiResponse>& answer) {
      BASALT_CHECK(answer.has_value() || answer.error().code == ErrorCode::kNotFound);
    };
  }

  metrics::Registry registry_;
  testutil::SchedulingCluster cluster_{SmallHistory()};
  testutil::DirectApiClient api_{cluster_.network()}, scheduler_api_{cluster_.network()},
      nodes_api_{cluster_.network()}, controllers_api_{cluster_.network()};
  kube::Client client_{api_}, scheduler_client_{scheduler_api_}, nodes_client_{nodes_api_};
  simnode::SimNodes simnode_{nodes_client_};
  std::unique_ptr<scheduler::SchedulerService> scheduler_;
  std::unique_ptr<controllers::ControllerManager> manager_;
  std::deque<Living> living_;
  int made_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  int minutes = 10, rate = 100, nodes = 100;
  bench::ReadFlags(argc, argv,
                   "What the heap holds, minute by minute, while RATE pods a second come and go.",
                   {{"MINUTES", bench::Number(&minutes, 1)},
                    {"RATE", bench::Number(&rate, 1)},
                    {"NODES", bench::Number(&nodes, 1)}});
  log::Configure(log::Level::kWarning, log::Format::kText);  // a line for each cycle is too many
  Churn churn(nodes);
  double after_first = 0, last = 0;
  for (int minute = 1; minute <= minutes; ++minute) {
    for (int second = 0; second < 60; ++second) churn.Second(rate);
    churn.DeleteEvents();
    churn.Scrape();
    last = HeapMiB();
    if (minute == 1) after_first = last;
    fmt::print("minute {:3}: heap {:7.2f} MiB, {} objects live, {} pods bound\n", minute, last,
               churn.living(), churn.bound());
    std::fflush(stdout);
  }
  const double growth = last / after_first - 1;
  fmt::print("{} pods a second for {} minutes: heap {:+.1f} % since the first\n", rate, minutes,
             100 * growth);
  return growth <= kMostGrowth ? 0 : 1;
}
