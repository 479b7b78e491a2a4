// deps: basalt_testing_settling basalt_scheduler_simulate
// What a simulation says, against what the scheduler then does: random clusters on virtual time
// with every action on. Asked first, then really submitted: the same pods on the same nodes, the
// same evictions; and the asking changes nothing.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <iterator>
#include <map>
#include <set>

#include "model/annotations.h"
#include "scheduler/simulate/simulation.h"
#include "testing/seeds.h"
#include "testing/settling/random_set.h"

namespace basalt::testutil {
namespace {

namespace json = boost::json;
using scheduler::SchedulerImage;
using scheduler::simulate::Request;
using scheduler::simulate::Simulate;

struct Outcome {
  std::map<std::string, std::string> binds;  // pod to node
  std::set<std::string> evictions;           // "pod for beneficiary"
  bool operator==(const Outcome&) const = default;
};

std::string Show(const Outcome& outcome) {
  std::string text;
  for (const auto& [pod, node] : outcome.binds) text += fmt::format("{} on {}; ", pod, node);
  for (const std::string& eviction : outcome.evictions) text += "evicts " + eviction + "; ";
  return text;
}

std::string KeyOf(const json::object& row) {
  return std::string(row.at("namespace").as_string()) + "/" +
         std::string(row.at("name").as_string());
}

Outcome Said(const json::object& answer) {
  Outcome outcome;
  for (const char* list : {"pods", "others"}) {
    for (const json::value& value : answer.at(list).as_array()) {
      const json::object& row = value.as_object();
      // What is only promised has no time at which it starts.
      if (row.contains("starts")) {
        outcome.binds[KeyOf(row)] = std::string(row.at("node").as_string());
      }
    }
  }
  for (const json::value& value : answer.at("evictions").as_array()) {
    const json::object& row = value.as_object();
    outcome.evictions.insert(KeyOf(row) + " for " + std::string(row.at("for").as_string()));
  }
  return outcome;
}

std::map<std::string, std::string> Placed(const FastCluster& cluster) {
  std::map<std::string, std::string> placed;
  for (const auto& [key, pod] : cluster.pods()) {
    if (pod->bound()) placed[key] = pod->spec.node_name;
  }
  return placed;
}

// Gangs that come all at once, of any queue and priority.
Request RandomSubmission(FastCluster& cluster, std::uint64_t seed) {
  Random random(seed * 104729);
  Request request;
  std::vector<std::string> queues;
  cluster.scheduler().state().cluster().queues().ForEach(
      [&](const model::Queue& queue) { queues.push_back(queue.name); });
  constexpr std::pair<const char*, int> kClasses[] = {{"low", 1}, {"mid", 100}, {"high", 1000}};
  const int groups = 1 + static_cast<int>(random.Below(3));
  for (int g = 0; g < groups; ++g) {
    const int pods = 1 + static_cast<int>(random.Below(4));
    const auto& [class_name, priority] = kClasses[random.Below(3)];
    kube::PodGroup group;
    group.meta.ns = "ns";
    group.meta.name = fmt::format("new{}", g);
    group.queue = queues[random.Below(queues.size())];
    group.min_member = 1 + static_cast<int>(random.Below(pods));
    group.priority_class_name = class_name;
    kube::Pod pod;
    pod.meta.ns = "ns";
    pod.meta.annotations.Set(model::annotations::kGroupName, group.meta.name);
    if (random.Chance(0.3))
      pod.meta.annotations.Set(model::annotations::kQueueAllocationGate, "true");
    pod.spec.scheduler_name = "volcano";
    pod.spec.priority_class_name = class_name;
    pod.spec.priority = priority;
    kube::Container container;
    container.name = "main";
    container.resources.requests.Set(
        "cpu", kube::Quantity::OfMilli(500 * (1 + static_cast<std::int64_t>(random.Below(6)))));
    pod.spec.containers.push_back(std::move(container));
    request.objects.emplace_back(group);
    for (int p = 0; p < pods; ++p) {
      pod.meta.name = fmt::format("new{}-p-{}", g, p);
      request.objects.emplace_back(pod);
    }
  }
  return request;
}

void Submit(FastCluster& cluster, const Request& request) {
  for (const auto& object : request.objects) {
    if (const auto* group = std::get_if<kube::PodGroup>(&object)) {
      kube::PodGroup created = *group;
      created.meta.creation_timestamp = cluster.loop().Now();
      created.phase = kube::PodGroupPhase::kPending;
      cluster.Add(std::move(created));
    }
  }
  for (const auto& object : request.objects) {
    if (const auto* pod = std::get_if<kube::Pod>(&object)) {
      kube::Pod created = *pod;
      if (created.meta.annotations.Contains(model::annotations::kQueueAllocationGate)) {
        created.spec.scheduling_gates.emplace_back(model::annotations::kQueueAllocationGate);
      }
      cluster.Add(std::move(created));
    }
  }
}

struct Tally {
  int binds = 0, evictions = 0, nothing = 0;
};

void Check(std::uint64_t seed, Tally& tally) {
  FastClusterOptions options = RandomSetCluster(seed, {.recreate = seed % 2 == 0});
  options.grace = 30s;
  FastCluster cluster(std::move(options));
  const Duration last = AddRandomSet(cluster, seed);
  cluster.loop().RunFor(last + 400s);

  const model::Cluster& state = cluster.scheduler().state().cluster();
  const std::uint64_t before = state.Hash();
  const std::optional<SchedulerImage> image = cluster.scheduler().TakeImage();
  ASSERT_TRUE(image.has_value());
  const Request request = RandomSubmission(cluster, seed);
  const auto answer = Simulate(*image, request, [] { return true; });
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(state.Hash(), before);
  EXPECT_EQ(state.CheckLedgers(), "");

  const auto placed_before = Placed(cluster);
  const std::size_t evicted_before = cluster.evictions().size();
  Submit(cluster, request);
  cluster.loop().RunFor(950ms);
  Outcome did;
  for (const auto& [pod, node] : Placed(cluster)) {
    if (!placed_before.contains(pod)) did.binds[pod] = node;
  }
  for (std::size_t i = evicted_before; i < cluster.evictions().size(); ++i) {
    did.evictions.insert(cluster.evictions()[i].victim + " for " +
                         cluster.evictions()[i].beneficiary);
  }
  const Outcome said = Said(*answer);
  EXPECT_EQ(said, did) << "said: " << Show(said) << "\ndid:  " << Show(did) << "\n"
                       << json::serialize(*answer) << "\n"
                       << cluster.trace();
  tally.binds += static_cast<int>(did.binds.size());
  tally.evictions += static_cast<int>(did.evictions.size());
  tally.nothing += did.binds.empty() && did.evictions.empty();
}

TEST(SimulateTest, WhatIsSaidIsWhatThenHappensAndAskingChangesNothing) {
  Tally tally;
  ForEachSeed(300, [&](std::uint64_t seed) { Check(seed, tally); });
  fmt::print("figures: {} binds, {} evictions, {} of 300 submissions that only wait\n", tally.binds,
             tally.evictions, tally.nothing);
}

// All that an image says, in one order.
std::string Dump(const scheduler::StateImage& image) {
  std::vector<std::string> lines;
  for (const auto& node : image.nodes) {
    lines.push_back(fmt::format("node {} {} {}", node.id.value, node.name, fmt::ptr(node.object)));
  }
  for (const auto& task : image.tasks) {
    const model::Holding& holding = task.holding;
    lines.push_back(fmt::format("task {} of {}: {} {} on {} {}{}{}{}{}{} since {} {}",
                                task.id.value, task.job.value, fmt::ptr(task.pod),
                                static_cast<int>(holding.status), holding.node.value,
                                holding.queue_claim, holding.after_eviction, holding.restored,
                                holding.overdue, holding.lapsed, holding.resting,
                                task.claimed_since.time_since_epoch().count(), task.ungating));
  }
  for (const auto& job : image.jobs) {
    lines.push_back(fmt::format(
        "job {} {}/{} {} in {} {} {} {} {}{} {} {}", job.id.value, job.ns, job.name,
        fmt::ptr(job.group), job.queue.value, job.arrival, job.priority,
        static_cast<int>(job.phase), job.shadow, job.changed, job.reservation.has_value(),
        job.schedule_start ? job.schedule_start->time_since_epoch().count() : 0));
  }
  for (const auto& reservation : image.reservations) {
    lines.push_back(
        fmt::format("reservation {} {}", reservation.object->meta.Key(), reservation.slots.size()));
  }
  std::ranges::sort(lines);
  return fmt::format("{}\n{}", image.generation, fmt::join(lines, "\n"));
}

// Something happens between two pieces of an image: a cycle, a pod that comes, one that goes.
void Disturb(FastCluster& cluster, std::uint64_t number) {
  Random random(number);
  const std::uint64_t what = random.Below(3);
  if (what == 0) return cluster.scheduler().RunOnce();
  if (what == 1 && !cluster.pods().empty()) {
    auto pod = cluster.pods().begin();
    std::advance(pod, random.Below(cluster.pods().size()));
    return cluster.DeletePod(std::string(pod->first));
  }
  static std::uint64_t made = 0;
  kube::Pod pod;
  pod.meta.ns = "ns";
  pod.meta.name = fmt::format("comes-{}", ++made);
  pod.spec.scheduler_name = "volcano";
  pod.spec.priority = 1;
  kube::Container container;
  container.name = "main";
  container.resources.requests.Set("cpu", kube::Quantity::OfMilli(500));
  pod.spec.containers.push_back(std::move(container));
  cluster.Add(std::move(pod));
}

TEST(SimulateTest, AnImageTakenInPiecesWhileMuchChangesIsThatOfItsLastMoment) {
  int images = 0, changed = 0;
  ForEachSeed(100, [&](std::uint64_t seed) {
    const bool reservations = seed % 4 == 0;
    FastClusterOptions options =
        RandomSetCluster(seed, {.recreate = seed % 2 == 0, .reservations = reservations});
    options.scheduler.image_piece = 1 + seed % 3;
    FastCluster cluster(std::move(options));
    AddRandomSet(cluster, seed);
    if (reservations) AddReservations(cluster, seed);
    for (int i = 0; i < 20; ++i) {
      cluster.loop().RunFor(std::chrono::milliseconds(700 * (1 + i)));
      const std::uint64_t before = cluster.scheduler().state().generation();
      bool done = false;
      cluster.scheduler().TakeImageInPieces([&](std::optional<SchedulerImage> image) {
        done = true;
        ASSERT_TRUE(image.has_value());
        EXPECT_EQ(Dump(image->state), Dump(cluster.scheduler().TakeImage()->state));
      });
      for (std::uint64_t steps = 0; !done && steps < 10'000; ++steps) {
        if (steps % 5 == 4) Disturb(cluster, seed * 7919 + steps);
        cluster.loop().Step();
      }
      ASSERT_TRUE(done);
      ++images;
      changed += cluster.scheduler().state().generation() != before;
    }
  });
  fmt::print("figures: {} images, {} of them of a state that changed meanwhile\n", images, changed);
}

TEST(SimulateTest, WhoLeadsNoLongerWhileAnImageIsTakenGivesNone) {
  FastClusterOptions options = RandomSetCluster(7, {});
  options.scheduler.image_piece = 1;
  FastCluster cluster(std::move(options));
  cluster.loop().RunFor(AddRandomSet(cluster, 7));
  std::vector<bool> got;
  const auto note = [&](const std::optional<SchedulerImage>& image) {
    got.push_back(image.has_value());
  };
  cluster.scheduler().TakeImageInPieces(note);
  cluster.loop().Step();
  cluster.scheduler().Stop();
  EXPECT_EQ(got, std::vector<bool>{false});
  cluster.scheduler().TakeImageInPieces(note);
  EXPECT_EQ(got, (std::vector<bool>{false, false}));
  cluster.scheduler().Start();
  cluster.scheduler().TakeImageInPieces(note);
  cluster.loop().RunFor(1s);
  EXPECT_EQ(got, (std::vector<bool>{false, false, true}));
}

}  // namespace
}  // namespace basalt::testutil
