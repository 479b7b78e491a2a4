#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kube/types/reservation.h"
#include "scheduler/service/scheduler_service.h"
#include "testing/scheduling/scheduler_process.h"
#include "testing/scheduling/scheduling_cluster.h"
#include "tests/reservations/reservation_objects.h"

namespace basalt::systemtest {

namespace json = boost::json;

// A scheduler on virtual time, on an embedded cluster whose nodes are played by the test: pods that
// are bound run, pods that are deleted go. Writes of reservations' statuses are counted, whoever
// makes them.
class ReservationCluster {
 public:
  explicit ReservationCluster(std::string config = "", std::uint64_t seed = 1,
                              const testutil::FaultPlan& faults = {});

  testutil::SchedulingCluster& cluster() { return cluster_; }
  scheduler::SchedulerService& service() { return process_->service(); }
  // Starts the scheduler, after the death of the one before.
  void Start(std::optional<testutil::Death> death = {});
  void Kill() { process_.reset(); }
  bool dead() const { return dead_; }
  std::uint64_t writes() const { return process_ ? process_->writes() : 0; }
  // Runs, with kubelets at work, and a new scheduler when one has died.
  void Run(Duration duration);

  void AddNode(const std::string& name, const std::string& cpu);
  void AddQueue(const std::string& name, const std::string& cpu);

  // Of pods like Pod makes them.
  testutil::AnyBuilder Reservation(const std::string& name, int replicas,
                                   const std::string& cpu = "1") {
    return MakeReservation(name, replicas, cpu);
  }
  testutil::PodBuilder Pod(const std::string& name, const std::string& cpu = "1");
  // A pod with the label app=APP.
  testutil::PodBuilder PodOf(const std::string& app, const std::string& name,
                             const std::string& cpu = "1") {
    return Pod(name, cpu).Label("app", app);
  }

  kube::Reservation Get(const std::string& name);
  std::string PhaseOf(const std::string& name) {
    return std::string(ToString(Get(name).status.phase));
  }
  // "TASK/INDEX NODE PHASE" of each placement.
  std::vector<std::string> PlacementsOf(const std::string& name);
  std::string NodeOf(const std::string& pod);
  // The reason of its condition PodScheduled.
  std::string ReasonOf(const std::string& pod);
  std::string MessageOf(const std::string& pod);
  void DeletePod(const std::string& name);
  void Delete(const std::string& reservation);
  // What must hold at any time, by the objects and by what the scheduler knows. "": it does.
  std::string Check();

 private:
  testutil::SchedulingCluster cluster_;
  std::string config_;
  std::unique_ptr<testutil::SchedulerProcess> process_;
  bool dead_ = false;
};

}  // namespace basalt::systemtest
