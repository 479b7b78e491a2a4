#include "tests/reservations/reservation_objects.h"

#include <fmt/format.h>

#include <map>

#include "kube/types/codec.h"
#include "kube/types/pod_resources.h"
#include "kube/types/reservation.h"

namespace basalt::systemtest {

namespace json = boost::json;
namespace resources = kube::resources;
using testutil::MakeObject;
using testutil::SchedulingCluster;
using testutil::TextAt;

testutil::AnyBuilder MakeReservation(const std::string& name, int replicas,
                                     const std::string& cpu) {
  json::object spec = testutil::MakePod("x").Cpu(cpu).Json().at("spec").as_object();
  json::object task{
      {"name", "t"},
      {"replicas", replicas},
      {"template", json::object{{"metadata", json::object{{"labels", json::object{{"app", name}}}}},
                                {"spec", std::move(spec)}}}};
  json::object owner{{"labelSelector", json::object{{"matchLabels", json::object{{"app", name}}}}}};
  return MakeObject(resources::kReservations, name)
      .Set("spec.schedulerName", "volcano")
      .Set("spec.queue", "default")
      .Set("spec.owners", json::array{std::move(owner)})
      .Set("spec.tasks", json::array{std::move(task)});
}

void PlayKubelets(SchedulingCluster& cluster) {
  for (const json::value& pod : cluster.List(resources::kPods)) {
    const std::string ns = TextAt(pod, "metadata.namespace");
    const std::string name = TextAt(pod, "metadata.name");
    if (!TextAt(pod, "metadata.deletionTimestamp").empty()) {
      (void)cluster.Delete({resources::kPods, ns, name}, {.grace_period_seconds = 0});
    } else if (!TextAt(pod, "spec.nodeName").empty() && TextAt(pod, "status.phase") == "Pending") {
      (void)cluster.Patch({resources::kPods, ns, name, "status"}, kube::PatchKind::kMerge,
                          R"({"status":{"phase":"Running"}})");
    }
  }
}

std::string CheckReservations(SchedulingCluster& cluster, bool at_any_moment) {
  std::string problems;
  std::map<std::string, kube::ResourceList> used, used_by_pods;
  for (const json::value& object : cluster.List(resources::kPods)) {
    const auto pod = kube::Decode<kube::Pod>(json::serialize(object));
    if (!pod || !pod->bound() || pod->terminal()) continue;
    used_by_pods[pod->spec.node_name].Add(kube::PodRequests(*pod));
    if (at_any_moment && pod->meta.labels.Find("app")) continue;
    used[pod->spec.node_name].Add(kube::PodRequests(*pod));
  }
  for (const json::value& object : cluster.List(resources::kReservations)) {
    const auto reservation = kube::Decode<kube::Reservation>(json::serialize(object));
    if (!reservation) continue;
    const kube::Reservation::Status& status = reservation->status;
    std::int32_t replicas = 0;
    for (const kube::Reservation::Task& task : reservation->tasks) replicas += task.replicas;
    if (status.phase == kube::ReservationPhase::kNone) continue;
    if (status.pending + status.available + status.succeeded + status.failed != replicas) {
      problems += fmt::format("{}: the counts are not {}; ", reservation->meta.name, replicas);
    }
    if (status.conditions.empty() || status.conditions.back().status != status.phase ||
        status.reason.empty()) {
      problems += fmt::format("{}: the conditions do not end with {}; ", reservation->meta.name,
                              ToString(status.phase));
    }
    for (const kube::Reservation::Placement& placement : status.placements) {
      if (placement.phase != kube::ReservationPhase::kAvailable) continue;
      if (reservation->meta.deleting()) continue;
      for (const kube::Reservation::Task& task : reservation->tasks) {
        if (task.name == placement.task) {
          used[placement.node].Add(kube::PodRequests(task.pod_template.spec));
        }
      }
    }
  }
  for (const json::value& object : cluster.List(resources::kNodes)) {
    const auto node = kube::Decode<kube::Node>(json::serialize(object));
    if (!node) continue;
    for (auto* sums : {&used, &used_by_pods}) {
      for (const auto& [name, amount] : (*sums)[node->meta.name]) {
        if (amount > node->status.allocatable.Get(name)) {
          problems +=
              fmt::format("node {} has {} of {}; ", node->meta.name, amount.ToString(), name);
        }
      }
    }
  }
  return problems;
}

}  // namespace basalt::systemtest
