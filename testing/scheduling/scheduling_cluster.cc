#include "testing/scheduling/scheduling_cluster.h"

#include <gtest/gtest.h>

#include <optional>

#include "base/check.h"
#include "cli/applier.h"
#include "cli/crds.h"
#include "cli/manifests.h"

namespace basalt::testutil {

SchedulingCluster::SchedulingCluster(const SimClusterOptions& options) : SimCluster(options) {
  auto crds = cli::ParseManifests(cli::CrdManifests(), "built-in CRDs");
  BASALT_CHECK(crds.has_value());
  DirectNetwork network(loop(), server());
  DirectApiClient api(network, options.server.bearer_token);
  kube::Client client(api);
  cli::Applier applier(client);
  std::optional<Result<void>> applied;
  applier.Apply(std::move(*crds), [&](Result<void> result) { applied = std::move(result); });
  BASALT_CHECK(loop().RunUntil([&] { return applied.has_value(); }, 1min));
  BASALT_CHECK(applied->has_value());
}

int SchedulingCluster::Bound(std::string_view ns) {
  int bound = 0;
  for (const json::value& pod : List(kube::resources::kPods, ns)) {
    if (!TextAt(pod, "spec.nodeName").empty()) ++bound;
  }
  return bound;
}

AnyBuilder MakePodGroup(std::string_view name, int min_member, std::string_view queue) {
  return MakeObject(kube::resources::kPodGroups, name)
      .Set("spec.minMember", min_member)
      .Set("spec.queue", queue);
}

AnyBuilder MakeQueue(std::string_view name, int weight) {
  return MakeObject(kube::resources::kQueues, name).Set("spec.weight", weight);
}

}  // namespace basalt::testutil
