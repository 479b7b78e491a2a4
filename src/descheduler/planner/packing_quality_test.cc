// How good plans are, on random clusters: nodes freed beside the best that is possible, by brute
// force where the cluster is small and by a bound where it is not; that a plan keeps what it
// promises; that nothing is left to do afterwards.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "base/random.h"
#include "descheduler/planner/planner_test_util.h"

namespace basalt::descheduler {
namespace {

struct RandomPod {
  std::string name;
  int milli = 0;
  int mib = 0;
  bool bare = false;
};
struct RandomNode {
  std::string name;
  int milli = 0;
  int mib = 0;
  std::vector<RandomPod> pods;
};
struct Scene {
  bool pack = false;
  bool memory_counts = false;
  std::vector<RandomNode> nodes;
};

struct Size {
  int nodes;
  int light_pods;  // at most, on a node that is hardly used
  int heavy_pods;
};

Scene MakeScene(std::uint64_t seed, const Size& size) {
  Random random(seed);
  Scene scene{.pack = random.Chance(0.5), .memory_counts = random.Chance(0.3)};
  const double full = scene.pack && random.Chance(0.4) ? 0 : 0.3 + 0.3 * random.Uniform();
  int number = 0;
  for (int i = 0; i < size.nodes; ++i) {
    RandomNode node{.name = fmt::format("n{:03}", i)};
    node.milli = random.Chance(0.8) ? 16'000 : 32'000;
    node.mib = 64 * 1024;
    const bool is_full = random.Chance(full);
    const int target = is_full ? node.milli * static_cast<int>(62 + random.Below(25)) / 100
                               : node.milli * static_cast<int>(5 + random.Below(50)) / 100;
    const auto most = static_cast<std::uint64_t>(is_full ? size.heavy_pods : size.light_pods);
    const int pods = static_cast<int>(1 + random.Below(most));
    for (int j = 0, left = target; j < pods && left >= 250; ++j) {
      const int milli =
          j + 1 == pods ? left / 250 * 250 : static_cast<int>(1 + random.Below(left / 250)) * 250;
      left -= milli;
      node.pods.push_back({.name = fmt::format("p{:04}", number++),
                           .milli = milli,
                           .mib = milli * static_cast<int>(1 + random.Below(3)),
                           .bare = random.Chance(0.02)});
    }
    scene.nodes.push_back(std::move(node));
  }
  return scene;
}

void Fill(const Scene& scene, PlanCluster* cluster) {
  cluster->args().pack_underused = scene.pack;
  if (scene.memory_counts) {
    cluster->args().low["memory"] = 90;
    cluster->args().defragment["memory"] = 90;
    cluster->args().protection["memory"] = 95;
  }
  for (const RandomNode& node : scene.nodes) {
    kube::Node object = PlanCluster::NodeOf(node.name);
    object.status.allocatable = testutil::Resources({{"pods", "50"}});
    object.status.allocatable.Set("cpu", kube::Quantity::OfMilli(node.milli));
    object.status.allocatable.Set("memory", kube::Quantity::Of(std::int64_t{node.mib} << 20));
    cluster->Add(std::move(object));
    for (const RandomPod& pod : node.pods) {
      kube::Pod made = PlanCluster::PodOf(pod.name, node.name, "1");
      auto& requests = made.spec.containers[0].resources.requests;
      requests.Set("cpu", kube::Quantity::OfMilli(pod.milli));
      requests.Set("memory", kube::Quantity::Of(std::int64_t{pod.mib} << 20));
      if (pod.bare) made.meta.owner_references.clear();
      cluster->Add(std::move(made));
    }
  }
}

// The same question asked in numbers alone.
struct Bin {
  std::int64_t cpu = 0, memory = 0;            // used
  std::int64_t most_cpu = 0, most_memory = 0;  // that protection and the node allow
};
class Puzzle {
 public:
  explicit Puzzle(const Scene& scene) : scene_(scene) {
    for (const RandomNode& node : scene.nodes) {
      Bin bin;
      for (const RandomPod& pod : node.pods) {
        bin.cpu += pod.milli;
        bin.memory += pod.mib;
      }
      bin.most_cpu = node.milli * 95 / 100;
      bin.most_memory = scene.memory_counts ? node.mib * 95 / 100 : node.mib;
      const double cpu = 100.0 * static_cast<double>(bin.cpu) / node.milli;
      const double memory = 100.0 * static_cast<double>(bin.memory) / node.mib;
      const bool low = cpu < 40 && (!scene.memory_counts || memory < 90);
      const bool can_go =
          std::ranges::none_of(node.pods, [](const RandomPod& pod) { return pod.bare; });
      source_.push_back(low && can_go && !node.pods.empty());
      takes_.push_back((cpu > 60 && cpu < 95) || (scene.pack && cpu < 60 && !node.pods.empty()));
      bins_.push_back(bin);
    }
  }

  // The most nodes that can be freed.
  int Best() {
    std::vector<int> sources;
    for (std::size_t i = 0; i < source_.size(); ++i) {
      if (source_[i]) sources.push_back(static_cast<int>(i));
    }
    int best = 0;
    for (std::uint32_t set = 1; set < (1u << sources.size()); ++set) {
      const int count = __builtin_popcount(set);
      if (count <= best) continue;
      std::vector<bool> emptied(source_.size(), false);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        if (set & (1u << i)) emptied[static_cast<std::size_t>(sources[i])] = true;
      }
      if (CanPack(emptied)) best = count;
    }
    return best;
  }

  // No fewer than the best: as if pods could be cut to pieces.
  int Bound() const {
    std::vector<std::size_t> sources;
    std::int64_t free_cpu = 0, free_memory = 0;
    for (std::size_t i = 0; i < source_.size(); ++i) {
      if (source_[i]) sources.push_back(i);
      if (!takes_[i]) continue;
      free_cpu += std::max<std::int64_t>(0, bins_[i].most_cpu - bins_[i].cpu);
      free_memory += std::max<std::int64_t>(0, bins_[i].most_memory - bins_[i].memory);
    }
    const auto most = [&](auto load, auto room, std::int64_t free) {
      std::vector<std::int64_t> costs;  // what emptying one takes of what is free
      for (const std::size_t i : sources) {
        costs.push_back(load(bins_[i]) +
                        (takes_[i] ? std::max<std::int64_t>(0, room(bins_[i])) : 0));
      }
      std::ranges::sort(costs);
      int count = 0;
      for (const std::int64_t cost : costs) {
        if ((free -= cost) < 0) break;
        ++count;
      }
      return count;
    };
    return std::min(most([](const Bin& bin) { return bin.cpu; },
                         [](const Bin& bin) { return bin.most_cpu - bin.cpu; }, free_cpu),
                    most([](const Bin& bin) { return bin.memory; },
                         [](const Bin& bin) { return bin.most_memory - bin.memory; }, free_memory));
  }

 private:
  bool CanPack(const std::vector<bool>& emptied) {
    std::vector<const RandomPod*> pods;
    std::vector<Bin> bins;
    for (std::size_t i = 0; i < bins_.size(); ++i) {
      if (emptied[i]) {
        for (const RandomPod& pod : scene_.nodes[i].pods) pods.push_back(&pod);
      } else if (takes_[i]) {
        bins.push_back(bins_[i]);
      }
    }
    std::ranges::sort(pods, std::greater(), &RandomPod::milli);
    std::int64_t wanted = 0, free = 0;
    for (const RandomPod* pod : pods) wanted += pod->milli;
    for (const Bin& bin : bins) free += std::max<std::int64_t>(0, bin.most_cpu - bin.cpu);
    if (wanted > free) return false;
    int steps = 0;
    return Place(pods, 0, bins, &steps);
  }
  static bool Place(const std::vector<const RandomPod*>& pods, std::size_t next,
                    std::vector<Bin>& bins, int* steps) {
    if (next == pods.size()) return true;
    if (++*steps > 200'000) return false;  // hopeless
    const RandomPod& pod = *pods[next];
    for (Bin& bin : bins) {
      if (bin.cpu + pod.milli > bin.most_cpu || bin.memory + pod.mib > bin.most_memory) continue;
      bin.cpu += pod.milli;
      bin.memory += pod.mib;
      const bool done = Place(pods, next + 1, bins, steps);
      bin.cpu -= pod.milli;
      bin.memory -= pod.mib;
      if (done) return true;
    }
    return false;
  }

  const Scene& scene_;
  std::vector<Bin> bins_;
  std::vector<bool> source_;
  std::vector<bool> takes_;
};

// What the cluster is once the plan is carried out.
Scene After(const Scene& scene, const Plan& plan) {
  Scene after = scene;
  std::map<std::string, RandomNode*> nodes;
  for (RandomNode& node : after.nodes) nodes[node.name] = &node;
  for (const Move& move : plan.moves) {
    std::vector<RandomPod>& from = nodes.at(move.from)->pods;
    const auto pod = std::ranges::find(from, move.pod, &RandomPod::name);
    EXPECT_NE(pod, from.end()) << move.pod;
    nodes.at(move.to)->pods.push_back(*pod);
    from.erase(pod);
  }
  return after;
}

void CheckPlan(const Scene& before, const Scene& after, const Plan& plan) {
  std::map<std::string, NodeRole> roles;
  for (const PlannedNode& node : plan.nodes) roles[node.name] = node.role;
  for (std::size_t i = 0; i < before.nodes.size(); ++i) {
    const RandomNode& node = after.nodes[i];
    const NodeRole role = roles.at(node.name);
    int milli = 0;
    for (const RandomPod& pod : node.pods) milli += pod.milli;
    if (role == NodeRole::kSource) {
      EXPECT_TRUE(node.pods.empty()) << node.name;
    }
    if (role == NodeRole::kTarget) {
      EXPECT_LE(milli, node.milli * 95 / 100) << node.name;
    }
    const bool freed = !before.nodes[i].pods.empty() && node.pods.empty();
    EXPECT_EQ(freed, std::ranges::count(plan.freed_nodes, node.name) == 1) << node.name;
  }
}

struct Tally {
  int freed = 0, best = 0, clusters = 0, worst_missed = 0, perfect = 0, restless = 0;
  void Add(int got, int possible) {
    freed += got;
    best += possible;
    ++clusters;
    perfect += got == possible;
    worst_missed = std::max(worst_missed, possible - got);
  }
};

void RunScene(std::uint64_t seed, const Size& size, bool brute, Tally* tally) {
  SCOPED_TRACE(fmt::format("seed {}", seed));
  const Scene scene = MakeScene(seed, size);
  PlanCluster cluster;
  Fill(scene, &cluster);
  const Plan plan = cluster.Make();
  const Scene after = After(scene, plan);
  CheckPlan(scene, after, plan);
  Puzzle puzzle(scene);
  const int possible = brute ? puzzle.Best() : puzzle.Bound();
  const int freed = static_cast<int>(plan.freed_nodes.size());
  EXPECT_LE(freed, possible);
  tally->Add(freed, possible);
  // Once more, and without any cool-down.
  PlanCluster again;
  Fill(after, &again);
  const Plan second = again.Make();
  tally->restless += !second.moves.empty();
}

TEST(PackingQualityTest, FreesNearlyAsManyNodesAsCanBe) {
  Tally small, large;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    RunScene(seed, {.nodes = 8, .light_pods = 3, .heavy_pods = 4}, true, &small);
  }
  for (std::uint64_t seed = 201; seed <= 300; ++seed) {
    RunScene(seed, {.nodes = 60, .light_pods = 8, .heavy_pods = 12}, false, &large);
  }
  for (const Tally* tally : {&small, &large}) {
    const std::string figures = fmt::format(
        "{} of {} nodes, {} of {} clusters as good as can be, at most {} missed", tally->freed,
        tally->best, tally->perfect, tally->clusters, tally->worst_missed);
    RecordProperty(tally == &small ? "small" : "large", figures);
    EXPECT_GE(tally->freed * 10, tally->best * 9) << figures;
    EXPECT_EQ(tally->restless, 0) << figures;
  }
}

}  // namespace
}  // namespace basalt::descheduler
