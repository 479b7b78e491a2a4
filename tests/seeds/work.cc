#include "tests/seeds/work.h"

#include <fmt/format.h>

#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::testutil {

FaultPlan RandomFaults(Random& random) {
  FaultPlan plan;
  plan.most_latency = std::chrono::milliseconds(random.Below(30));
  if (random.Chance(0.2)) plan.most_latency = 1s;  // a slow server
  plan.refuse = random.Chance(0.5) ? 0.05 : 0;
  plan.lose_response = random.Chance(0.7) ? 0.1 : 0;
  plan.internal_error = random.Chance(0.3) ? 0.05 : 0;
  plan.too_many_requests = random.Chance(0.3) ? 0.05 : 0;
  plan.unavailable = random.Chance(0.3) ? 0.05 : 0;
  plan.cut_watch = random.Chance(0.5) ? 0.02 : 0;
  plan.delay_piece = random.Chance(0.5) ? 0.1 : 0;
  plan.most_delay = 2s;
  if (random.Chance(0.2)) plan.compact_every = 10s;
  if (random.Chance(0.2)) plan.restart_every = 20s;
  return plan;
}

namespace {

void AddGangs(ChaosCluster& chaos, int most_groups, bool endless) {
  Random& random = chaos.random();
  SchedulingCluster& cluster = chaos.cluster();
  const int nodes = 2 + static_cast<int>(random.Below(3));
  for (int i = 0; i < nodes; ++i) cluster.Create(MakeNode(fmt::format("n{}", i)).Cpu("4"));
  for (const auto& [name, value] : {std::pair{"low", 1}, std::pair{"high", 1000}}) {
    cluster.Create(MakeObject(kube::resources::kPriorityClasses, name).Set("value", value));
  }
  cluster.Create(MakeQueue("a", 1).Set("spec.capability.cpu", "6").Set("spec.deserved.cpu", "4"));
  cluster.Create(MakeQueue("b", 2).Set("spec.deserved.cpu", "4"));
  const int groups = 4 + static_cast<int>(random.Below(most_groups - 3));
  for (int g = 0; g < groups; ++g) {
    const int pods = 1 + static_cast<int>(random.Below(5));
    const std::string name = fmt::format("g{}", g);
    const std::string priority = random.Chance(0.3) ? "high" : "low";
    cluster.Create(
        MakePodGroup(name, 1 + static_cast<int>(random.Below(pods)), random.Chance(0.5) ? "a" : "b")
            .Set("spec.priorityClassName", priority));
    const std::string seconds = fmt::format("{}s", 1 + random.Below(15));
    for (int p = 0; p < pods; ++p) {
      PodBuilder pod = MakePod(fmt::format("{}-p-{}", name, p));
      pod.Cpu("1").Group(name).PriorityClass(priority).RestartPolicy("Never");
      pod.Set("spec.terminationGracePeriodSeconds", 2);
      if (!endless) pod.Annotation("basalt.sh/run-duration", seconds);
      chaos.AddOwnedPod(std::move(pod));
    }
    chaos.loop().RunFor(std::chrono::milliseconds(random.Below(3000)));
  }
}

}  // namespace

void AddWork(ChaosCluster& chaos) { AddGangs(chaos, 7, false); }
void AddEndlessWork(ChaosCluster& chaos) { AddGangs(chaos, 10, true); }

}  // namespace basalt::testutil
