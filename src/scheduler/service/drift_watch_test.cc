#include "scheduler/service/drift_watch.h"

#include <gtest/gtest.h>

#include <string>

#include "scheduler/service/scheduler_service.h"
#include "testing/scheduling/scheduling_cluster.h"

namespace basalt::scheduler {
namespace {

using testutil::MakeNode;
using testutil::MakePod;

TEST(DriftWatchTest, ItComesToItsEndWhileJobsWaitAndCyclesNeverStop) {
  testutil::SchedulingCluster cluster;
  cluster.Create(MakeNode("n1").Cpu("1"));
  SchedulerService service(cluster.loop(), cluster.client());
  service.Start();
  cluster.loop().RunFor(1s);
  cluster.Create(MakePod("too-large").Cpu("64"));
  // Something to decide in every second, for longer than a round is put off.
  for (int second = 0; second < 330; ++second) {
    const std::uint64_t before = service.scheduler().cycles();
    cluster.Create(MakePod("waits-" + std::to_string(second)).Cpu("64"));
    cluster.loop().RunFor(1s);
    ASSERT_GT(service.scheduler().cycles(), before);
  }
  EXPECT_GE(service.drift().rounds(), 1u);
  EXPECT_EQ(service.drift().differences(), 0u);
}

}  // namespace
}  // namespace basalt::scheduler
