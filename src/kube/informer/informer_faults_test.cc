#include <fmt/core.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/random.h"
#include "kube/informer/informer.h"
#include "kube/types/pod.h"
#include "testing/builders.h"
#include "testing/cluster.h"
#include "testing/seeds.h"

namespace basalt::kube {
namespace {

using testutil::FaultPlan;
using testutil::MakePod;
using testutil::SimCluster;
using testutil::TextAt;

// "ns/name" to "uid@resourceVersion".
using Snapshot = std::map<std::string, std::string>;

void Add(Snapshot& snapshot, const ObjectMeta& meta) {
  snapshot[meta.Key()] = meta.uid + "@" + meta.resource_version;
}

Snapshot OfServer(SimCluster& cluster) {
  Snapshot snapshot;
  for (const auto& pod : cluster.List(resources::kPods)) {
    snapshot[TextAt(pod, "metadata.namespace") + "/" + TextAt(pod, "metadata.name")] =
        TextAt(pod, "metadata.uid") + "@" + TextAt(pod, "metadata.resourceVersion");
  }
  return snapshot;
}

Snapshot OfStore(const Store<Pod>& store) {
  Snapshot snapshot;
  for (const auto& pod : store.Sorted()) Add(snapshot, pod->meta);
  return snapshot;
}

// Follows the events alone, and checks that each makes sense.
class Replay {
 public:
  void Apply(const InformerEvent<Pod>& event) {
    ++events;
    switch (event.kind) {
      case InformerEventKind::kAdded: {
        ExpectNewer(event.object->meta);
        const bool fresh = pods_.emplace(event.object->meta.Key(), event.object).second;
        EXPECT_TRUE(fresh) << event.object->meta.Key() << " was added twice";
        break;
      }
      case InformerEventKind::kUpdated: {
        ExpectNewer(event.object->meta);
        auto& known = pods_[event.object->meta.Key()];
        EXPECT_EQ(known, event.old_object) << event.object->meta.Key();
        EXPECT_NE(event.old_object->meta.resource_version, event.object->meta.resource_version);
        EXPECT_EQ(event.old_object->meta.uid, event.object->meta.uid);
        known = event.object;
        break;
      }
      case InformerEventKind::kDeleted: {
        const auto known = pods_.find(event.old_object->meta.Key());
        ASSERT_NE(known, pods_.end()) << event.old_object->meta.Key() << " was deleted twice";
        EXPECT_EQ(known->second, event.old_object);
        pods_.erase(known);
        break;
      }
      case InformerEventKind::kSynced: ++synced; break;
    }
  }
  Snapshot Result() const {
    Snapshot snapshot;
    for (const auto& [key, pod] : pods_) Add(snapshot, pod->meta);
    return snapshot;
  }

  int synced = 0;
  unsigned events = 0;

 private:
  // Nothing is told twice, and nothing that is over already.
  void ExpectNewer(const ObjectMeta& meta) {
    const std::uint64_t version = std::stoull(meta.resource_version);
    std::uint64_t& last = versions_[meta.Key()];
    EXPECT_GT(version, last) << meta.Key();
    last = version;
  }

  std::map<std::string, std::shared_ptr<const Pod>> pods_;
  std::map<std::string, std::uint64_t> versions_;  // the newest that was told, of deleted ones too
};

// Another client that creates, changes, deletes and re-creates pods, alone on a good connection.
class Writer {
 public:
  Writer(SimCluster& cluster, std::uint64_t seed)
      : network_(cluster.loop(), cluster.server()),
        api_(network_),
        client_(api_),
        random_(seed),
        timer_(cluster.loop()) {}

  void Start() { Next(); }
  void Stop() { timer_.Stop(); }

 private:
  void Next() {
    // Bursts and quiet times.
    const Duration pause = random_.Chance(0.97) ? Duration(random_.Below(200'000'000))
                                                : Duration(random_.Below(15'000'000'000));
    timer_.Start(pause, [this] {
      WriteOne();
      Next();
    });
  }
  void WriteOne() {
    const std::string ns = random_.Chance(0.7) ? "default" : "other";
    const std::string name = fmt::format("pod-{}", random_.Below(12));
    const Target target{resources::kPods, ns, name};
    const auto ignore = [](Result<ApiResponse>) {};
    switch (random_.Below(4)) {
      case 0:
        client_.Create({resources::kPods, ns}, MakePod(name).Ns(ns).Cpu("1").Text(), ignore);
        break;
      case 1: client_.Delete(target, {.grace_period_seconds = 0}, ignore); break;
      default:
        client_.Patch(target, PatchKind::kMerge,
                      fmt::format(R"({{"metadata":{{"labels":{{"n":"{}"}}}}}})", random_.Below(9)),
                      ignore);
    }
  }

  testutil::DirectNetwork network_;
  testutil::DirectApiClient api_;
  Client client_;
  Random random_;
  Timer timer_;
};

// What happened over all seeds, to see that every fault was met.
struct Totals {
  testutil::FaultCounts faults;
  ReflectorStats reflector;
  unsigned events = 0;
};

FaultPlan RandomFaults(Random& random) {
  const auto sometimes = [&random](double most) {
    return random.Chance(0.7) ? random.Uniform() * most : 0.0;
  };
  return {.least_latency = 1ms,
          .most_latency = 1ms + Duration(random.Below(500'000'000)),
          .refuse = sometimes(0.3),
          .lose_response = sometimes(0.3),
          .too_many_requests = sometimes(0.2),
          .internal_error = sometimes(0.2),
          .unavailable = sometimes(0.2),
          .cut_watch = sometimes(0.1),
          .stall_watch = sometimes(0.03),
          .delay_piece = sometimes(0.3),
          .most_delay = Duration(random.Below(10'000'000'000) + 1),
          .compact_every = random.Chance(0.7) ? Duration(4s) : Duration(0s),
          .restart_every = random.Chance(0.7) ? Duration(40s) : Duration(0s),
          .most_outage = 10s};
}

void RunWithFaults(std::uint64_t seed, Totals& totals) {
  Random random(seed);
  SimCluster cluster(
      {.seed = seed, .faults = RandomFaults(random), .server = {.bookmark_interval = 5s}});
  cluster.Create(testutil::MakeObject(resources::kNamespaces, "other"));
  Writer writer(cluster, random.Next());
  Replay replay;
  Informer<Pod> informer(cluster.client(),
                         [&replay](const InformerEvent<Pod>& event) { replay.Apply(event); },
                         {.page_size = 1 + static_cast<int>(random.Below(6)),
                          .watch_timeout = 30s,
                          .most_silence = 20s,
                          .seed = seed});
  writer.Start();
  informer.Start();
  for (int i = 0; i < 6; ++i) {
    cluster.loop().RunFor(10s);
    // Whatever happens, the events explain the store.
    ASSERT_EQ(replay.Result(), OfStore(informer.store()));
  }
  writer.Stop();
  cluster.network().set_plan({});
  cluster.loop().RunFor(2min);

  const Snapshot expected = OfServer(cluster);
  EXPECT_TRUE(informer.HasSynced());
  EXPECT_EQ(replay.synced, 1);
  EXPECT_EQ(OfStore(informer.store()), expected);
  EXPECT_EQ(replay.Result(), expected);
  EXPECT_EQ(informer.bad_items(), 0u);

  const testutil::FaultCounts& faults = cluster.network().counts();
  totals.faults.refused += faults.refused;
  totals.faults.lost_responses += faults.lost_responses;
  totals.faults.error_responses += faults.error_responses;
  totals.faults.cut_watches += faults.cut_watches;
  totals.faults.stalled_watches += faults.stalled_watches;
  totals.faults.delayed_pieces += faults.delayed_pieces;
  totals.faults.compactions += faults.compactions;
  totals.faults.restarts += faults.restarts;
  totals.reflector.lists += informer.stats().lists;
  totals.reflector.watches += informer.stats().watches;
  totals.reflector.gone += informer.stats().gone;
  totals.reflector.silences += informer.stats().silences;
  totals.events += replay.events;
}

TEST(InformerFaultsTest, TheStoreEqualsTheServerInTheEndAndTheEventsExplainIt) {
  log::Configure(log::Level::kError, log::Format::kText);
  Totals totals;
  unsigned seeds = 0;
  testutil::ForEachSeed(500, [&](std::uint64_t seed) {
    RunWithFaults(seed, totals);
    ++seeds;
  });
  fmt::print(
      "{} events, {} lists, {} watches; refused {}, lost {}, errors {}, cut {}, stalled {}, "
      "delayed {}, compactions {}, restarts {}, gone {}, silences {}\n",
      totals.events, totals.reflector.lists, totals.reflector.watches, totals.faults.refused,
      totals.faults.lost_responses, totals.faults.error_responses, totals.faults.cut_watches,
      totals.faults.stalled_watches, totals.faults.delayed_pieces, totals.faults.compactions,
      totals.faults.restarts, totals.reflector.gone, totals.reflector.silences);
  if (testutil::OneSeedOnly() || HasFailure()) return;
  EXPECT_GT(totals.events, 50 * seeds);
  EXPECT_GT(totals.reflector.lists, seeds + seeds / 2);
  EXPECT_GT(totals.reflector.gone, seeds / 2);
  EXPECT_GT(totals.reflector.silences, seeds / 5);
  EXPECT_GT(totals.faults.cut_watches, seeds);
  EXPECT_GT(totals.faults.stalled_watches, seeds / 5);
  EXPECT_GT(totals.faults.restarts, 3 * seeds / 5);
}

}  // namespace
}  // namespace basalt::kube
