#include "scheduler/state/says_the_same.h"

#include <algorithm>

namespace basalt::scheduler {
namespace {

bool SameMeta(const kube::ObjectMeta& a, const kube::ObjectMeta& b) {
  return a.uid == b.uid && a.creation_timestamp == b.creation_timestamp &&
         a.deletion_timestamp == b.deletion_timestamp &&
         a.deletion_grace_period_seconds == b.deletion_grace_period_seconds &&
         a.labels == b.labels && a.annotations == b.annotations &&
         a.owner_references == b.owner_references;
}

// Heartbeats change times; what a condition says is its status.
bool SameStatuses(const std::vector<kube::Condition>& a, const std::vector<kube::Condition>& b) {
  return std::ranges::equal(a, b, [](const kube::Condition& x, const kube::Condition& y) {
    return x.type == y.type && x.status == y.status;
  });
}

bool SamePodScheduled(const kube::Pod& a, const kube::Pod& b) {
  const kube::Condition* x = kube::PodScheduledOf(a);
  const kube::Condition* y = kube::PodScheduledOf(b);
  if (!x || !y) return x == y;
  return x->status == y->status && x->last_transition_time == y->last_transition_time;
}

}  // namespace

bool SaysTheSame(const kube::Node& old, const kube::Node& now) {
  return SameMeta(old.meta, now.meta) && old.spec == now.spec &&
         old.status.capacity == now.status.capacity &&
         old.status.allocatable == now.status.allocatable &&
         old.status.images == now.status.images &&
         old.status.volumes_in_use == now.status.volumes_in_use &&
         SameStatuses(old.status.conditions, now.status.conditions);
}

bool SaysTheSame(const kube::Pod& old, const kube::Pod& now) {
  const kube::PodStatus& a = old.status;
  const kube::PodStatus& b = now.status;
  // Why a pod waits is said by us; when it was placed, by the API server.
  const bool same_place = !old.bound() || SamePodScheduled(old, now);
  return SameMeta(old.meta, now.meta) && a.phase == b.phase && a.start_time == b.start_time &&
         a.nominated_node_name == b.nominated_node_name &&
         a.container_statuses == b.container_statuses &&
         a.init_container_statuses == b.init_container_statuses && a.granted == b.granted &&
         same_place && old.spec == now.spec;
}

bool SaysTheSame(const kube::PodGroup& old, const kube::PodGroup& now) {
  return SameMeta(old.meta, now.meta) && old.min_member == now.min_member &&
         old.min_task_member == now.min_task_member && old.queue == now.queue &&
         old.priority_class_name == now.priority_class_name &&
         old.min_resources == now.min_resources && old.network_topology == now.network_topology &&
         old.sub_group_policy == now.sub_group_policy;
}

}  // namespace basalt::scheduler
