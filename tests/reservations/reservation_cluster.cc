#include "tests/reservations/reservation_cluster.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "kube/types/codec.h"
#include "kube/types/pod_resources.h"

namespace basalt::systemtest {

namespace resources = kube::resources;
using testutil::MakeNode;
using testutil::MakeObject;
using testutil::TextAt;

namespace {

// How long a kubelet takes to see what has changed.
constexpr Duration kKubelet = 100ms;

}  // namespace

ReservationCluster::ReservationCluster(std::string config, std::uint64_t seed,
                                       const testutil::FaultPlan& faults)
    : cluster_({.seed = seed, .faults = faults, .server = {}}), config_(std::move(config)) {}

void ReservationCluster::Start(std::optional<testutil::Death> death) {
  process_.reset();
  dead_ = false;
  if (config_.empty()) config_ = std::string(scheduler::DefaultConfigYaml());
  scheduler::SchedulerServiceOptions options;
  options.scheduler.state.scheduler_names = {"volcano"};
  process_ = std::make_unique<testutil::SchedulerProcess>(cluster_.network(), std::move(options),
                                                          config_, death, [this] { dead_ = true; });
}

void ReservationCluster::Run(Duration duration) {
  for (Duration ran{0}; ran < duration; ran += kKubelet) {
    cluster_.loop().RunFor(kKubelet);
    PlayKubelets();
    if (dead_) Start();
  }
}

void ReservationCluster::PlayKubelets() {
  for (const json::value& pod : cluster_.List(resources::kPods)) {
    const std::string ns = TextAt(pod, "metadata.namespace");
    const std::string name = TextAt(pod, "metadata.name");
    if (!TextAt(pod, "metadata.deletionTimestamp").empty()) {
      (void)cluster_.Delete({resources::kPods, ns, name}, {.grace_period_seconds = 0});
    } else if (!TextAt(pod, "spec.nodeName").empty() && TextAt(pod, "status.phase") == "Pending") {
      (void)cluster_.Patch({resources::kPods, ns, name, "status"}, kube::PatchKind::kMerge,
                           R"({"status":{"phase":"Running"}})");
    }
  }
}

void ReservationCluster::AddNode(const std::string& name, const std::string& cpu) {
  cluster_.Create(MakeNode(name).Cpu(cpu));
}

void ReservationCluster::AddQueue(const std::string& name, const std::string& cpu) {
  cluster_.Create(testutil::MakeQueue(name).Set("spec.capability", json::object{{"cpu", cpu}}));
}

testutil::PodBuilder ReservationCluster::Pod(const std::string& name, const std::string& cpu) {
  return testutil::MakePod(name).Cpu(cpu);
}

testutil::AnyBuilder ReservationCluster::Reservation(const std::string& name, int replicas,
                                                     const std::string& cpu) {
  json::object spec = Pod("x", cpu).Json().at("spec").as_object();
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

kube::Reservation ReservationCluster::Get(const std::string& name) {
  const json::value object = cluster_.Get(resources::kReservations, "default", name);
  if (object.is_null()) return {};
  auto read = kube::Decode<kube::Reservation>(json::serialize(object));
  EXPECT_TRUE(read) << read.error().message;
  return read.value_or(kube::Reservation{});
}

std::vector<std::string> ReservationCluster::PlacementsOf(const std::string& name) {
  std::vector<std::string> placements;
  for (const kube::Reservation::Placement& placement : Get(name).status.placements) {
    placements.push_back(fmt::format("{}/{} {} {}", placement.task, placement.index, placement.node,
                                     ToString(placement.phase)));
  }
  return placements;
}

std::string ReservationCluster::NodeOf(const std::string& pod) {
  return TextAt(cluster_.Get(resources::kPods, "default", pod), "spec.nodeName");
}

namespace {

const json::object* NotScheduled(const json::value& pod) {
  const json::value* conditions = testutil::FindPath(pod, "status.conditions");
  if (!conditions || !conditions->is_array()) return nullptr;
  for (const json::value& condition : conditions->get_array()) {
    if (TextAt(condition, "type") == "PodScheduled" && TextAt(condition, "status") == "False") {
      return &condition.as_object();
    }
  }
  return nullptr;
}

}  // namespace

std::string ReservationCluster::ReasonOf(const std::string& pod) {
  const json::value object = cluster_.Get(resources::kPods, "default", pod);
  const json::object* condition = NotScheduled(object);
  return condition ? TextAt(*condition, "reason") : "";
}

std::string ReservationCluster::MessageOf(const std::string& pod) {
  const json::value object = cluster_.Get(resources::kPods, "default", pod);
  const json::object* condition = NotScheduled(object);
  return condition ? TextAt(*condition, "message") : "";
}

void ReservationCluster::DeletePod(const std::string& name) {
  EXPECT_TRUE(cluster_.Delete({resources::kPods, "default", name}, {.grace_period_seconds = 0}));
}

void ReservationCluster::Delete(const std::string& reservation) {
  EXPECT_TRUE(cluster_.Delete({resources::kReservations, "default", reservation}));
}

std::string ReservationCluster::Check() {
  std::string problems;
  std::map<std::string, kube::ResourceList> used;
  for (const json::value& object : cluster_.List(resources::kPods)) {
    const auto pod = kube::Decode<kube::Pod>(json::serialize(object));
    if (pod && pod->bound() && !pod->terminal())
      used[pod->spec.node_name].Add(kube::PodRequests(*pod));
  }
  for (const json::value& object : cluster_.List(resources::kReservations)) {
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
  for (const json::value& object : cluster_.List(resources::kNodes)) {
    const auto node = kube::Decode<kube::Node>(json::serialize(object));
    if (!node) continue;
    for (const auto& [name, amount] : used[node->meta.name]) {
      if (amount > node->status.allocatable.Get(name)) {
        problems += fmt::format("node {} has {} of {}; ", node->meta.name, amount.ToString(), name);
      }
    }
  }
  if (process_) {
    const std::string ledgers = service().scheduler().state().cluster().CheckLedgers();
    if (!ledgers.empty()) problems += ledgers;
    if (service().drift().differences() > 0) problems += "the state has drifted; ";
  }
  return problems;
}

}  // namespace basalt::systemtest
