#pragma once

#include "testing/scheduling/chaos.h"

namespace basalt::testutil {

FaultPlan RandomFaults(Random& random);
// Nodes, queues and gangs of pods that run for a while and end. Every gang fits an empty cluster
// and its queue, so that in the end all of them have run.
void AddWork(ChaosCluster& chaos);
// The same, but more of it, and nothing ever ends: some gangs wait for ever, some push others out.
void AddEndlessWork(ChaosCluster& chaos);

}  // namespace basalt::testutil
