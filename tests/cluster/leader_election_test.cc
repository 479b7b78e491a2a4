// deps: basalt_kube_client basalt_testing
#include <memory>
#include <optional>
#include <string>

#include "kube/client/leader_elector.h"
#include "kube/types/resource.h"
#include "testing/builders.h"
#include "tests/cluster/real_cluster.h"

namespace basalt::testutil {
namespace {

class LeaderElectionOnRealClusterTest : public RealClusterTest {
 protected:
  struct Candidate {
    std::unique_ptr<kube::LeaderElector> elector;
    int started = 0;
    int stopped = 0;
  };

  std::unique_ptr<Candidate> MakeCandidate(std::string identity) {
    auto candidate = std::make_unique<Candidate>();
    candidate->elector = std::make_unique<kube::LeaderElector>(
        *api_,
        kube::LeaderElectorOptions{.ns = ns_,
                                   .name = "leader",
                                   .identity = std::move(identity),
                                   .lease_duration = 3s,
                                   .renew_deadline = 2s,
                                   .retry_period = 200ms},
        kube::LeaderElector::Callbacks{
            .on_started_leading = [it = candidate.get()] { ++it->started; },
            .on_stopped_leading = [it = candidate.get()] { ++it->stopped; },
        });
    return candidate;
  }
  std::string Holder() {
    const Answer lease = Get({kube::resources::kLeases, ns_, "leader"});
    return lease ? TextAt(*lease, "spec.holderIdentity") : lease.error().message;
  }
};

TEST_F(LeaderElectionOnRealClusterTest, ALeaseThatIsGivenBackIsTakenAtOnce) {
  const auto first = MakeCandidate("first");
  const auto second = MakeCandidate("second");
  first->elector->Start();
  RunUntil("the first leads", [&] { return first->elector->IsLeader(); });
  EXPECT_EQ(Holder(), "first");
  second->elector->Start();
  RunUntil("the second knows it", [&] { return second->elector->leader() == "first"; });
  EXPECT_FALSE(second->elector->IsLeader());

  bool released = false;
  first->elector->Release([&] { released = true; });
  EXPECT_FALSE(first->elector->IsLeader());
  RunUntil(
      "the second leads", [&] { return released && second->elector->IsLeader(); }, 2s);
  EXPECT_EQ(Holder(), "second");
  EXPECT_EQ(first->started, 1);
  EXPECT_EQ(first->stopped, 1);
}

TEST_F(LeaderElectionOnRealClusterTest, ADeadLeadersLeaseRunsOut) {
  auto first = MakeCandidate("first");
  const auto second = MakeCandidate("second");
  first->elector->Start();
  RunUntil("the first leads", [&] { return first->elector->IsLeader(); });
  second->elector->Start();
  RunUntil("the second knows it", [&] { return second->elector->leader() == "first"; });
  first.reset();  // dies without a word
  RunUntil(
      "the second leads", [&] { return second->elector->IsLeader(); }, 10s);
  EXPECT_EQ(Holder(), "second");
}

TEST_F(LeaderElectionOnRealClusterTest, ALeaderWhoseLeaseIsTakenAwayStops) {
  const auto leader = MakeCandidate("leader");
  leader->elector->Start();
  RunUntil("it leads", [&] { return leader->elector->IsLeader(); });
  ASSERT_TRUE(Patch({kube::resources::kLeases, ns_, "leader"}, kube::PatchKind::kMerge,
                    R"({"spec":{"holderIdentity":"usurper","leaseDurationSeconds":60}})"));
  RunUntil(
      "it stops", [&] { return leader->stopped == 1; }, 5s);
  EXPECT_FALSE(leader->elector->IsLeader());
}

}  // namespace
}  // namespace basalt::testutil
