#include "tests/gates/gate_cluster.h"

#include "testing/autoscalers/rules.h"

namespace basalt::testutil {

PodBuilder MakeGatedPod(std::string_view name, std::string_view queue) {
  PodBuilder pod = MakePod(name);
  pod.Gate(kQueueGate).Annotation(kQueueGate, "true");
  pod.Annotation("scheduling.volcano.sh/queue-name", queue);
  return pod;
}

std::string GateCluster::StateOf(std::string_view name) const {
  const auto pod = Find(name);
  if (!pod) return "gone";
  if (pod->bound()) return "bound";
  std::string state = pod->gated() ? "gated" : "open";
  if (KarpenterFailedToSchedule(*pod)) state += " unschedulable";
  return state;
}

}  // namespace basalt::testutil
