// deps: basalt_testing_scheduling
// Reservations while schedulers take the lead from one another: leaders die, lose their lease or
// are cut off, writes and answers are lost, the API server is slow; and a reservation is deleted in
// each of its phases. Beside it stands one that must come through all of it as it is.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <iostream>

#include "testing/scheduling/electing_cluster.h"
#include "testing/seeds.h"
#include "tests/reservations/reservation_objects.h"

namespace basalt::systemtest {
namespace {

namespace resources = kube::resources;
using testutil::ForEachSeed;
using testutil::MakeNode;
using testutil::MakePod;
using testutil::TextAt;

constexpr Duration kPatience = 4min;
constexpr std::array kPhases = {"Pending",    "Waiting",   "Available",
                                "half taken", "Succeeded", "Failed"};

struct Counts {
  int deaths = 0, terms = 0, lost_leases = 0, cut_off = 0;
};

class LeaderScenario {
 public:
  LeaderScenario(std::uint64_t seed, std::string_view phase, Counts& counts)
      : random_(seed * 15485863),
        phase_(phase),
        counts_(counts),
        c_({.seed = seed, .schedulers = 2 + static_cast<int>(random_.Below(2)), .config = ""}) {
    c_.OnChange([this] {
      EXPECT_EQ(CheckReservations(cluster(), /*at_any_moment=*/true), "")
          << "at " << c_.loop().Monotonic() / 1ms << " ms";
    });
  }

  void Run() {
    for (const char* node : {"n1", "n2", "n3"}) cluster().Create(MakeNode(node).Cpu("2"));
    Step(
        "the bystander is held", [&] { cluster().Create(MakeReservation("held", 2)); },
        [&] { return PhaseOf("held") == "Available"; });
    const std::string held = Version("held");
    BringToPhase();
    Step(
        "what is deleted is gone", [&] { Delete(resources::kReservations, "r"); },
        [&] { return cluster().Get(resources::kReservations, "default", "r").is_null(); });
    leaving_stay_ = false;
    for (const char* pod : {"leaves", "r-0", "r-1"}) Delete(resources::kPods, pod);
    // Nothing of it is left: everything but what the bystander holds has room for others.
    Step(
        "the others have the room",
        [&] {
          for (const char* pod : {"w", "x", "y", "z"}) cluster().Create(MakePod(pod).Cpu("1"));
        },
        [&] {
          return Bound({"w", "x", "y", "z"});
        });
    EXPECT_EQ(Version("held"), held) << "its status was written, and nothing had changed";
    Step(
        "the bystander is taken by its pods",
        [&] {
          for (const char* pod : {"a", "b"}) {
            cluster().Create(MakePod(pod).Cpu("1").Label("app", "held"));
          }
        },
        [&] {
          return Bound({"a", "b"}) && PhaseOf("held") == "Succeeded";
        });
    const std::string taken = Version("held");
    Pass(2min);
    EXPECT_EQ(Version("held"), taken);
    counts_.deaths += c_.deaths();
    counts_.terms += c_.terms();
    counts_.lost_leases += c_.harm().lease_requests_lost;
    counts_.cut_off += c_.harm().cut_off;
  }

 private:
  testutil::SchedulingCluster& cluster() { return c_.cluster(); }

  void BringToPhase() {
    const auto is = [this](std::string_view phase) { return PhaseOf("r") == phase; };
    const auto take = [this](int pods) {
      for (int i = 0; i < pods; ++i) {
        cluster().Create(MakePod(fmt::format("r-{}", i)).Cpu("1").Label("app", "r"));
      }
    };
    if (phase_ == "Pending") {
      Step(
          "more than there is waits", [&] { cluster().Create(MakeReservation("r", 5)); },
          [&] { return is("Pending"); });
    } else if (phase_ == "Waiting") {
      Step(
          "a large one runs", [&] { cluster().Create(MakePod("leaves").Cpu("2")); },
          [&] { return Bound({"leaves"}); });
      Step(
          "room that leaves is waited for",
          [&] {
            leaving_stay_ = true;
            (void)cluster().Delete({resources::kPods, "default", "leaves"},
                                   {.grace_period_seconds = 3600});
            cluster().Create(MakeReservation("r", 4));
          },
          [&] { return is("Waiting"); });
    } else if (phase_ == "Failed") {
      Step(
          "its time is over",
          [&] { cluster().Create(MakeReservation("r", 4).Set("spec.ttl", "5s")); },
          [&] { return is("Failed"); });
    } else {
      const int replicas = phase_ == "Available" ? 4 : 2;
      Step(
          "it is held", [&] { cluster().Create(MakeReservation("r", replicas)); },
          [&] { return is("Available"); });
      if (phase_ == "half taken") {
        Step(
            "one of two is taken", [&] { take(1); },
            [&] { return is("Available") && Bound({"r-0"}) && TakenOf("r") == 1; });
      } else if (phase_ == "Succeeded") {
        Step(
            "all is taken", [&] { take(2); },
            [&] {
              return is("Succeeded") && Bound({"r-0", "r-1"});
            });
      }
    }
  }

  // Something goes wrong, before or in the middle of what the step is about; in the end it holds,
  // and goes on to hold when all is calm.
  template <class Act, class Holds>
  void Step(std::string_view what, Act act, Holds holds) {
    if (testing::Test::HasFailure()) return;
    if (testutil::OneSeedOnly()) {
      fmt::print("--- {} ms: {}\n", c_.loop().Monotonic() / 1ms, what);
    }
    const bool early = random_.Chance(0.5);
    if (early) c_.Disturb(random_);
    act();
    Pass(std::chrono::milliseconds(random_.Below(200)));
    if (!early || random_.Chance(0.3)) c_.Disturb(random_);
    for (Duration waited{0}; waited < kPatience && !holds(); waited += kKubelet) Pass(kKubelet);
    Pass(20s);
    c_.Calm();
    Pass(std::chrono::milliseconds(random_.Below(3000)));
    Pass(3s);
    EXPECT_TRUE(holds()) << what;
    EXPECT_EQ(CheckReservations(cluster()), "") << what;
  }

  void Pass(Duration duration) {
    for (Duration ran{0}; ran < duration; ran += kKubelet) {
      c_.loop().RunFor(kKubelet);
      if (!leaving_stay_) PlayKubelets(cluster());
    }
  }

  std::string PhaseOf(const char* name) {
    return TextAt(cluster().Get(resources::kReservations, "default", name), "status.state.phase");
  }
  int TakenOf(const char* name) {
    const auto object = cluster().Get(resources::kReservations, "default", name);
    const auto* taken = testutil::FindPath(object, "status.succeeded");
    return taken ? static_cast<int>(taken->to_number<int>()) : 0;
  }
  std::string Version(const char* name) {
    return TextAt(cluster().Get(resources::kReservations, "default", name),
                  "metadata.resourceVersion");
  }
  bool Bound(std::initializer_list<const char*> pods) {
    for (const char* pod : pods) {
      const auto object = cluster().Get(resources::kPods, "default", pod);
      if (TextAt(object, "spec.nodeName").empty()) return false;
    }
    return true;
  }
  void Delete(const kube::Resource& resource, const char* name) {
    (void)cluster().Delete({resource, "default", name}, {.grace_period_seconds = 0});
  }

  Random random_;
  std::string_view phase_;
  Counts& counts_;
  testutil::ElectingCluster c_;
  bool leaving_stay_ = false;  // the kubelets do not get on with what is deleted
};

TEST(ReservationLeaderTest,
     DeletedInAnyPhaseWhileLeadersChangeNothingIsLeftAndOthersStayAsTheyAre) {
  Counts counts;
  ForEachSeed(100, [&](std::uint64_t seed) {
    const std::string_view phase = kPhases[seed % kPhases.size()];
    SCOPED_TRACE(phase);
    LeaderScenario(seed, phase, counts).Run();
  });
  std::cout << fmt::format("{} deaths, {} terms, {} lost requests of leases, {} cut off\n",
                           counts.deaths, counts.terms, counts.lost_leases, counts.cut_off);
}

}  // namespace
}  // namespace basalt::systemtest
