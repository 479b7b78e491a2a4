#include "workloads/pod_facts.h"

#include <gtest/gtest.h>

#include <string>

namespace basalt::workloads {
namespace {

constexpr Time kStart{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

kube::Pod Running(std::string name, std::string node, Duration ready_since) {
  kube::Pod pod;
  pod.meta.name = std::move(name);
  pod.meta.creation_timestamp = kStart;
  pod.spec.node_name = std::move(node);
  pod.status.phase = kube::PodPhase::kRunning;
  pod.status.conditions = {{.type = "Ready",
                            .status = kube::ConditionStatus::kTrue,
                            .last_transition_time = kStart + ready_since}};
  return pod;
}

TEST(PodFactsTest, DeletesWhatCostsLeastFirst) {
  kube::Pod unbound;
  unbound.meta.name = "unbound";
  kube::Pod pending;
  pending.meta.name = "pending";
  pending.spec.node_name = "n1";
  kube::Pod unready = Running("unready", "n1", 0s);
  unready.status.conditions[0].status = kube::ConditionStatus::kFalse;
  kube::Pod cheap = Running("cheap", "n1", 0s);
  cheap.meta.annotations.Set("controller.kubernetes.io/pod-deletion-cost", "-5");
  const kube::Pod crowded_old = Running("crowded-old", "n2", 1s);
  const kube::Pod crowded_new = Running("crowded-new", "n2", 9s);
  kube::Pod restarted = Running("restarted", "n4", 1s);
  restarted.status.container_statuses = {{.restart_count = 3}};
  kube::Pod newer = Running("newer", "n5", 1s);
  newer.meta.creation_timestamp = kStart + 1s;
  const kube::Pod plain = Running("plain", "n3", 1s);

  std::vector<const kube::Pod*> pods = {&plain, &newer,   &restarted, &crowded_old, &crowded_new,
                                        &cheap, &unready, &pending,   &unbound};
  // Related pods crowd n2 only.
  SortForDeletion(pods, {&crowded_old, &crowded_new});
  std::string order;
  for (const kube::Pod* pod : pods) order += pod->meta.name + " ";
  EXPECT_EQ(order, "unbound pending unready cheap crowded-new crowded-old restarted newer plain ");
}

TEST(PodFactsTest, AvailableOnceReadyForLongEnough) {
  kube::Pod pod = Running("a", "n", 5s);
  EXPECT_EQ(AvailableAt(pod, 10), kStart + 15s);
  EXPECT_LE(*AvailableAt(pod, 0), kStart);
  pod.status.conditions[0].status = kube::ConditionStatus::kFalse;
  EXPECT_EQ(AvailableAt(pod, 0), std::nullopt);
}

}  // namespace
}  // namespace basalt::workloads
