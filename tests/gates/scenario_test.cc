// deps: basalt_testing basalt_testing_scheduling basalt_testing_autoscalers
// Three pods and a queue for one, while everything goes wrong: at every step the scheduler dies or
// loses its lease, its writes or their answers are lost or refused, or the API server is slow. On
// virtual time; the seed says what happens when.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "testing/autoscalers/rules.h"
#include "testing/seeds.h"
#include "tests/gates/gate_cluster.h"

namespace basalt::testutil {
namespace {

constexpr std::string_view kQueueOfOne = "q";

constexpr std::string_view kAtBind = R"(
actions: "enqueue, allocate, backfill"
tiers:
- plugins:
  - name: priority
  - name: gang
- plugins:
  - name: overcommit
  - name: drf
  - name: predicates
  - name: capacity
  - name: nodeorder
configurations:
- name: allocate
  arguments:
    gateRemoval: bind
)";
constexpr std::string_view kProportion = R"(
actions: "enqueue, allocate, backfill"
tiers:
- plugins:
  - name: priority
  - name: gang
- plugins:
  - name: drf
  - name: predicates
  - name: proportion
  - name: nodeorder
)";

// How often each thing went wrong, over all seeds.
struct Disturbances {
  int deaths = 0, lost_leases = 0, cut_off = 0, slow_steps = 0;
  std::map<Harm::Kind, int> writes;
};

class Scenario {
 public:
  Scenario(std::uint64_t seed, Disturbances& all)
      : random_(seed * 104729),
        all_(all),
        cluster_(
            {.seed = seed, .schedulers = random_.Chance(0.6) ? 2 : 1, .config = Config(random_)}) {
    cluster_.OnChange([this] { Check(); });
  }

  void Run() {
    SchedulingCluster& server = cluster_.cluster();
    server.Create(MakeNode("n0").Cpu("8"));
    server.Create(MakeQueue(kQueueOfOne)
                      .Set("spec.capability.cpu", "1")
                      .Set("spec.capability.memory", "1Gi"));
    Step("pod-1 runs, the others are gated", {"bound", "gated", "gated"}, [&] {
      server.Create(Pod("pod-1"));
      cluster_.loop().RunFor(2s);  // ages are in seconds
      PodBuilder picky = Pod("pod-2");
      picky.NodeSelector("disk", "none-has-it");
      server.Create(picky);
      cluster_.loop().RunFor(2s);
      server.Create(Pod("pod-3"));
    });
    const std::vector<std::string> second_waits = {"gone", "open unschedulable", "gated"};
    Step("pod-1 gone: pod-2 is ungated and Unschedulable", second_waits, [&] { Remove("pod-1"); });
    Step("pod-3 stays gated", second_waits, [&] { cluster_.loop().RunFor(2min); });
    Step("a node for pod-2: it runs", {"gone", "bound", "gated"},
         [&] { server.Create(MakeNode("n1").Cpu("8").Label("disk", "none-has-it")); });
    Step("pod-2 gone: pod-3 runs", {"gone", "gone", "bound"}, [&] { Remove("pod-2"); });
    all_.deaths += cluster_.deaths();
    all_.cut_off += cluster_.harm().cut_off;
    all_.lost_leases += cluster_.harm().lease_requests_lost;
    for (const auto& [kind, times] : cluster_.harm().writes) all_.writes[kind] += times;
  }

 private:
  static std::string Config(Random& random) {
    const std::uint64_t one = random.Below(4);
    return std::string(one == 0 ? kAtBind : one == 1 ? kProportion : "");
  }

  PodBuilder Pod(std::string_view name) {
    PodBuilder pod = MakeGatedPod(name, kQueueOfOne);
    pod.Cpu("1").Memory("1Gi");
    return pod;
  }

  void Remove(std::string_view name) {
    const kube::Target target{kube::resources::kPods, "default", name};
    if (random_.Chance(0.5)) {  // it takes its time
      ASSERT_TRUE(cluster_.cluster().Delete(target, {.grace_period_seconds = 30}).has_value());
      cluster_.loop().RunFor(std::chrono::milliseconds(random_.Below(4000)));
    }
    ASSERT_TRUE(cluster_.cluster().Delete(target, {.grace_period_seconds = 0}).has_value());
  }

  // Something goes wrong, then comes what the step is about, in the middle of it or before.
  template <class Act>
  void Step(std::string_view what, const std::vector<std::string>& expected, Act act) {
    if (testing::Test::HasFailure()) return;
    if (OneSeedOnly()) {
      fmt::print("--- {} ms: {}\n", cluster_.loop().Monotonic() / 1ms, what);
    }
    const bool early = random_.Chance(0.5);
    if (early) Disturb();
    act();
    cluster_.loop().RunFor(std::chrono::milliseconds(random_.Below(30)));
    if (!early || random_.Chance(0.3)) Disturb();
    const auto states = [this] {
      return std::vector<std::string>{cluster_.StateOf("pod-1"), cluster_.StateOf("pod-2"),
                                      cluster_.StateOf("pod-3")};
    };
    cluster_.loop().RunUntil([&] { return states() == expected; }, 4min);
    cluster_.loop().RunFor(30s);
    EXPECT_EQ(states(), expected) << what;
    cluster_.Calm();
    cluster_.loop().RunFor(std::chrono::milliseconds(random_.Below(3000)));
    EXPECT_EQ(states(), expected) << what << ", after the disturbance";
    EXPECT_EQ(violations_, "") << what;
  }

  void Disturb() {
    if (cluster_.Disturb(random_) == GateCluster::kSlow) ++all_.slow_steps;
  }

  // What must hold at every moment.
  void Check() {
    int claims = 0;
    cluster_.pods().ForEach([&](const kube::Pod& pod) {
      if (pod.meta.deleting() || pod.terminal()) return;
      if (!pod.gated()) ++claims;
      if (pod.gated() &&
          (KarpenterIsProvisionable(pod) ||
           SeenByClusterAutoscaler(pod, {"n0", "n1"}) == ClusterAutoscalerView::kUnschedulable)) {
        Violated(fmt::format("{} is gated, and an autoscaler sees it", pod.meta.name));
      }
      // Nothing is wrong with the nodes: only what is in pod-2's selector may be short.
      if (pod.meta.name != "pod-2" && KarpenterIsProvisionable(pod)) {
        Violated(fmt::format("an autoscaler sees {}", pod.meta.name));
      }
    });
    if (claims > 1) Violated(fmt::format("{} claims in the queue", claims));
  }
  void Violated(const std::string& what) {
    violations_ += fmt::format("at {} ms: {}\n", cluster_.loop().Monotonic() / 1ms, what);
  }

  Random random_;
  Disturbances& all_;
  GateCluster cluster_;
  std::string violations_;
};

TEST(GateScenarioTest, WhateverGoesWrongAtAnyStepOneClaimAtATimeAndAllOfThemRun) {
  Disturbances all;
  // A thousand with BASALT_SEEDS=1000.
  if (!ForEachSeed(300, [&](std::uint64_t seed) { Scenario(seed, all).Run(); })) return;
  // It did go wrong.
  EXPECT_GE(all.deaths, 150);
  EXPECT_GE(all.lost_leases, 150);
  EXPECT_GE(all.cut_off, 150);
  EXPECT_GE(all.slow_steps, 150);
  for (int kind = 0; kind < 5; ++kind) {
    EXPECT_GE(all.writes[static_cast<Harm::Kind>(kind)], 30) << kind;
  }
}

}  // namespace
}  // namespace basalt::testutil
