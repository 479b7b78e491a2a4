#include "tests/reservations/reservation_cluster.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kube/types/codec.h"

namespace basalt::systemtest {

namespace resources = kube::resources;
using testutil::MakeNode;
using testutil::TextAt;

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
    PlayKubelets(cluster_);
    if (dead_) Start();
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
  std::string problems = CheckReservations(cluster_);
  if (process_) {
    const std::string ledgers = service().scheduler().state().cluster().CheckLedgers();
    if (!ledgers.empty()) problems += ledgers;
    if (service().drift().differences() > 0) problems += "the state has drifted; ";
  }
  return problems;
}

}  // namespace basalt::systemtest
