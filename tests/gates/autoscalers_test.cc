// deps: basalt_testing basalt_testing_scheduling basalt_testing_autoscalers
// Random workloads against the rules of Cluster Autoscaler and Karpenter: none of them sees a pod
// that waits for its queue alone, at any moment, and none misses one that is admitted and fits
// nowhere. On virtual time; the seed says what happens.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "testing/seeds.h"
#include "tests/gates/gate_oracle.h"

namespace basalt::testutil {
namespace {

namespace resources = kube::resources;

constexpr std::string_view kForeign = "example.com/mine";

struct Setup {
  explicit Setup(Random& random)
      : hierarchy(random.Chance(0.4)),
        proportion(!hierarchy && random.Chance(0.35)),
        at_bind(random.Chance(0.4)),
        hold(random.Chance(0.25)),
        overcommit(random.Chance(0.5)),
        enqueue(random.Chance(0.5)),
        schedulers(random.Chance(0.2) ? 2 : 1) {}
  std::string Config() const {
    std::string yaml =
        enqueue ? "actions: \"enqueue, allocate, backfill\"" : "actions: \"allocate, backfill\"";
    yaml += R"(
tiers:
- plugins:
  - name: priority
  - name: gang
- plugins:
  - name: drf
  - name: predicates
  - name: nodeorder
)";
    if (overcommit) yaml += "  - name: overcommit\n";
    yaml += proportion ? "  - name: proportion\n" : "  - name: capacity\n";
    if (hierarchy) yaml += "    enableHierarchy: true\n";
    yaml += "configurations:\n- name: allocate\n  arguments:\n";
    yaml += fmt::format("    gateRemoval: {}\n", at_bind ? "bind" : "admitted");
    if (hold) yaml += "    gateHoldTimeout: 20s\n";
    return yaml;
  }
  bool hierarchy, proportion, at_bind, hold, overcommit, enqueue;
  int schedulers;
};

struct Tally {
  int pods = 0, seen = 0, ran = 0, restarts = 0, gated_at_the_end = 0;
};

class Workload {
 public:
  Workload(std::uint64_t seed, Tally& tally)
      : random_(seed * 15485863),
        setup_(random_),
        tally_(tally),
        cluster_({.seed = seed, .schedulers = setup_.schedulers, .config = setup_.Config()}),
        oracle_(cluster_, {.hierarchy = setup_.hierarchy,
                           .claims_lapse = setup_.hold,
                           .jobs_enter = setup_.enqueue}) {
    if (OneSeedOnly()) fmt::print("{}\n", setup_.Config());
    cluster_.OnChange([this] {
      const std::string wrong = oracle_.CheckNow();
      if (violations_.empty() && !wrong.empty()) {
        violations_ = fmt::format("at {} ms: {}", cluster_.loop().Monotonic() / 1ms, wrong);
      }
    });
  }

  void Run() {
    MakeQueues();
    server().Create(MakeObject(resources::kPriorityClasses, "high").Set("value", 1000));
    for (int i = Some(4); i > 0; --i) AddNode();
    const int steps = 10 + Some(12);
    for (int i = 0; i < steps && violations_.empty(); ++i) {
      Happen();
      cluster_.loop().RunFor(std::chrono::milliseconds(random_.Below(5000)));
    }
    CheckWhenSettled("when all is quiet");
    for (int round = 0; round < 10 && violations_.empty(); ++round) {
      const auto seen = oracle_.Seen();
      if (seen.empty()) break;
      tally_.seen += static_cast<int>(seen.size());
      for (const auto& pod : seen) AddNodeFor(*pod);
      CheckWhenSettled(fmt::format("after round {} of an autoscaler", round));
    }
    EXPECT_EQ(violations_, "");
    for (const auto& pod : violations_.empty() ? oracle_.Seen() : decltype(oracle_.Seen()){})
      ADD_FAILURE() << pod->meta.name << " is still seen";
    cluster_.pods().ForEach([&](const kube::Pod& pod) {
      tally_.ran += pod.bound() ? 1 : 0;
      tally_.gated_at_the_end += pod.gated() ? 1 : 0;
    });
    tally_.restarts += cluster_.deaths();
  }

 private:
  SchedulingCluster& server() { return cluster_.cluster(); }
  int Some(int most) { return static_cast<int>(random_.Below(most)); }

  // Runs until no pod has changed for a while.
  void CheckWhenSettled(const std::string& when) {
    std::string last;
    for (int quiet = 0, rounds = 0; quiet < 2 && rounds < 200; ++rounds) {
      cluster_.loop().RunFor(30s);
      std::string now;
      for (const auto& pod : cluster_.pods().Sorted()) {
        now += pod->meta.name + pod->meta.resource_version + ' ';
      }
      quiet = now == last ? quiet + 1 : 0;
      last = now;
    }
    const std::string wrong = oracle_.CheckSettled();
    if (violations_.empty() && !wrong.empty()) violations_ = when + ": " + wrong;
  }

  // ---- queues

  void MakeQueues() {
    if (setup_.hierarchy) {
      server().Create(MakeQueue("root"));
      const int parents = 1 + Some(2);
      for (int p = 0; p < parents; ++p) {
        const std::string parent = fmt::format("p{}", p);
        MakeOneQueue(parent, "root", 6 + Some(12), Some(3));
        const int leaves = 1 + Some(3);
        for (int l = 0; l < leaves; ++l) {
          const std::string leaf = fmt::format("{}-{}", parent, l);
          MakeOneQueue(leaf, parent, 1 + Some(8), Some(2));
          leaves_.push_back(leaf);
        }
      }
    } else {
      const int queues = 1 + Some(3);
      for (int q = 0; q < queues; ++q) {
        MakeOneQueue(fmt::format("q{}", q), "", 1 + Some(8), 0);
        leaves_.push_back(fmt::format("q{}", q));
      }
    }
  }
  void MakeOneQueue(const std::string& name, const std::string& parent, int cpu, int guarantee) {
    AnyBuilder queue = MakeQueue(name, 1 + Some(3));
    if (!parent.empty()) queue.Set("spec.parent", parent);
    if (random_.Chance(0.8)) queue.Set("spec.capability.cpu", std::to_string(cpu));
    if (random_.Chance(0.3)) queue.Set("spec.capability.memory", fmt::format("{}Gi", 2 + cpu));
    if (random_.Chance(0.2))
      queue.Set("spec.capability",
                json::object{{"cpu", std::to_string(cpu)}, {"nvidia.com/gpu", "1"}});
    if (guarantee > 0) queue.Set("spec.guarantee.resource.cpu", std::to_string(guarantee));
    if (OneSeedOnly()) fmt::print("{}\n", queue.Text());
    server().Create(queue);
  }

  // ---- nodes

  NodeBuilder NextNode() { return MakeNode(fmt::format("n{}", next_node_++)); }
  void AddNode() {
    NodeBuilder node = NextNode();
    node.Cpu(std::to_string(1 + Some(6))).Memory(fmt::format("{}Gi", 4 + Some(12)));
    if (random_.Chance(0.3)) node.Label("disk", "fast");
    if (random_.Chance(0.3)) node.Gpu("2");
    server().Create(node);
  }
  // As an autoscaler does it: one that takes this pod.
  void AddNodeFor(const kube::Pod& pod) {
    NodeBuilder node = NextNode();
    node.Cpu("8").Memory("32Gi").Gpu("4");
    for (const auto& [key, value] : pod.spec.node_selector) node.Label(key, value);
    server().Create(node);
  }
  void RemoveNode() {
    const auto nodes = cluster_.nodes().Sorted();
    if (nodes.empty()) return;
    const std::string name = nodes[random_.Below(nodes.size())]->meta.name;
    EXPECT_TRUE(server().Delete({resources::kNodes, "", name}).has_value());
    for (const auto& pod : cluster_.pods().Sorted()) {
      if (pod->spec.node_name == name) RemovePod(pod->meta.name);
    }
  }

  // ---- jobs

  void AddJob() {
    const std::string name = fmt::format("j{}", next_job_++);
    const std::string& queue = leaves_[random_.Below(leaves_.size())];
    const int pods = random_.Chance(0.5) ? 1 : 1 + Some(5);
    const bool alone = pods == 1 && random_.Chance(0.7);
    const int cpu = random_.Chance(0.1) ? 0 : 1 + Some(3);  // none: best effort
    const bool fast = random_.Chance(0.25), gpu = cpu > 0 && random_.Chance(0.15);
    const bool high = random_.Chance(0.2);
    const double kind = random_.Uniform();  // gated, ordinary, away, mixed
    if (!alone) {
      const int min = 1 + Some(pods);
      AnyBuilder group = MakePodGroup(name, min, queue);
      if (cpu > 0 && random_.Chance(0.4)) {
        group.Set("spec.minResources.cpu", std::to_string(cpu * min));
      }
      if (high) group.Set("spec.priorityClassName", "high");
      server().Create(group);
    }
    for (int p = 0; p < pods; ++p) {
      const bool ordinary = kind < 0.15;
      const bool away = kind >= 0.15 && (kind < 0.22 || (kind < 0.27 && p % 2 == 0));
      PodBuilder pod = MakePod(alone ? name : fmt::format("{}-w-{}", name, p));
      if (!ordinary) {
        pod.Annotation(kQueueGate, "true");
        if (away) {
          pod.Label(GateOracle::kAway, "true");
        } else {
          pod.Gate(kQueueGate);
        }
      }
      if (kind > 0.85 && (p > 0 || alone)) pod.Gate(kForeign);
      if (alone) {
        pod.Annotation("scheduling.volcano.sh/queue-name", queue);
      } else {
        pod.Group(name);
      }
      if (cpu > 0) pod.Cpu(std::to_string(cpu)).Memory(fmt::format("{}Gi", 1 + cpu % 2));
      if (gpu) pod.Gpu("1");
      if (fast) pod.NodeSelector("disk", "fast");
      if (high) pod.PriorityClass("high");
      if (OneSeedOnly()) fmt::print("{}\n", pod.Text());
      server().Create(pod);
      ++tally_.pods;
      if (random_.Chance(0.1)) cluster_.loop().RunFor(std::chrono::milliseconds(Some(1500)));
    }
  }
  void RemovePod(const std::string& name) {
    const kube::Target target{resources::kPods, "default", name};
    if (random_.Chance(0.3)) {  // it takes its time
      (void)server().Delete(target, {.grace_period_seconds = 30});
      cluster_.loop().RunFor(std::chrono::milliseconds(Some(3000)));
    }
    (void)server().Delete(target, {.grace_period_seconds = 0});
  }
  // nullptr: there is none like that.
  template <class Is>
  std::shared_ptr<const kube::Pod> AnyPod(Is is) {
    std::vector<std::shared_ptr<const kube::Pod>> pods;
    for (const auto& pod : cluster_.pods().Sorted()) {
      if (is(*pod)) pods.push_back(pod);
    }
    return pods.empty() ? nullptr : pods[random_.Below(pods.size())];
  }
  void EndPod() {
    const auto pod = AnyPod([](const kube::Pod& p) { return p.bound() && !p.terminal(); });
    if (!pod) return;
    if (random_.Chance(0.5)) return RemovePod(pod->meta.name);
    EXPECT_TRUE(server()
                    .Patch({resources::kPods, "default", pod->meta.name, "status"},
                           kube::PatchKind::kMerge, R"({"status":{"phase":"Succeeded"}})")
                    .has_value());
  }
  void RemoveForeignGate() {
    const auto pod = AnyPod([](const kube::Pod& p) { return p.HasGate(kForeign); });
    if (!pod) return;
    json::array left;
    if (pod->HasGate(kQueueGate)) left.push_back(json::object{{"name", kQueueGate}});
    const json::object patch{{"spec", json::object{{"schedulingGates", std::move(left)}}}};
    EXPECT_TRUE(server()
                    .Patch({resources::kPods, "default", pod->meta.name}, kube::PatchKind::kMerge,
                           json::serialize(patch))
                    .has_value());
  }
  void GrowQueue() {
    const auto queues = cluster_.queues().Sorted();
    const auto& queue = queues[random_.Below(queues.size())];
    if (!queue->capability.Find("cpu")) return;
    const auto more = queue->capability.Get("cpu").Value() + 1 + Some(2);
    EXPECT_TRUE(server()
                    .Patch({resources::kQueues, "", queue->meta.name}, kube::PatchKind::kMerge,
                           fmt::format(R"({{"spec":{{"capability":{{"cpu":"{}"}}}}}})", more))
                    .has_value());
  }

  void Happen() {
    const int what = Some(20);
    if (OneSeedOnly()) {
      fmt::print("--- {} ms: happens {}\n", cluster_.loop().Monotonic() / 1ms, what);
    }
    switch (what) {
      case 0: return AddNode();
      case 1: return RemoveNode();
      case 2:
      case 3:
      case 4:
      case 5: return EndPod();
      case 6:
      case 7: return RemoveForeignGate();
      case 8: return GrowQueue();
      case 9: oracle_.NoteRestart(); return cluster_.Kill();
      case 10: {
        const auto pod = AnyPod([](const kube::Pod& p) { return !p.bound(); });
        if (pod) RemovePod(pod->meta.name);
        return;
      }
      default: return AddJob();
    }
  }

  Random random_;
  Setup setup_;
  Tally& tally_;
  GateCluster cluster_;
  GateOracle oracle_;
  std::vector<std::string> leaves_;
  std::string violations_;
  int next_node_ = 0;
  int next_job_ = 0;
};

TEST(AutoscalersTest, SeeEveryPodThatIsAdmittedAndFitsNowhereAndNoneThatWaitsForItsQueue) {
  Tally tally;
  // Five hundred with BASALT_SEEDS=500.
  const bool all = ForEachSeed(200, [&](std::uint64_t seed) { Workload(seed, tally).Run(); });
  fmt::print("{} pods: {} ran in the end, {} times one was seen, {} stayed gated; {} restarts\n",
             tally.pods, tally.ran, tally.seen, tally.gated_at_the_end, tally.restarts);
  if (!all) return;
  EXPECT_GE(tally.seen, 200);
  EXPECT_GE(tally.ran, 200);
  EXPECT_GE(tally.gated_at_the_end, 200);
}

}  // namespace
}  // namespace basalt::testutil
