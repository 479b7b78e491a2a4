#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/loop.h"
#include "base/metrics.h"
#include "descheduler/migration/leftovers.h"
#include "descheduler/migration/migration.h"
#include "descheduler/plan/plan.h"
#include "descheduler/service/cluster_world.h"
#include "descheduler/service/migration_writer.h"
#include "kube/informer/informer.h"

namespace basalt::descheduler {

// Carries one plan out at a time, and clears away what earlier ones have left, for as long as this
// process leads: the state machines of migration/, driven by the informers' events and a timer.
// Owned by the DeschedulerService for a term of leadership; `world`, `client` and `events` must
// outlive it. Loop thread only.
class Migrator {
 public:
  struct Options {
    std::string descheduler;  // our lock namespace
    // How long what is left of earlier plans is waited for (the policy's migrateTimeout).
    std::function<Duration()> leftover_wait;
    // Where metrics go; nullptr: nowhere.
    metrics::Registry* metrics = nullptr;
  };
  Migrator(Loop& loop, kube::Client& client, kube::EventRecorder& events,
           const Informers& informers, const ClusterWorld& world, Options options);

  // `queues`: of the pods of its moves, in their order. `done` is called when it has ended and
  // nothing of it is left. Only while none is under way.
  void Run(Plan plan, std::vector<std::string> queues, std::function<void(const Plan&)> done);
  bool running() const { return run_ != nullptr; }
  // As it stands; only while one is under way.
  const Plan& plan() const { return run_->migration.plan(); }

  // Something has happened; each event of these kinds is to be told, from the first on.
  void Consume(const kube::InformerEvent<kube::Reservation>& event);
  void Consume(const kube::InformerEvent<kube::Node>& event);
  void LookSoon();

 private:
  struct CurrentRun {
    explicit CurrentRun(Plan plan) : migration(std::move(plan)) {}
    Migration migration;
    std::vector<std::string> queues;
    std::function<void(const Plan&)> done;
  };

  void Look();
  void LookAtLeftovers();
  void Do(const Act& act);
  void DoReserve(const Reserve& act);
  void DoUnreserve(const Unreserve& act);
  void DoSetTaint(const SetTaint& act);
  void DoTell(const Tell& act);
  void CountEnded(const Plan& plan);
  void Count(MoveState state, double moves);

  Loop& loop_;
  kube::EventRecorder& events_;
  const Informers& informers_;
  const ClusterWorld& world_;
  Options options_;
  MigrationWriter writer_;
  std::unique_ptr<CurrentRun> run_;
  Leftovers leftovers_;
  std::set<std::pair<std::string, std::string>> ours_;  // reservations with our label
  std::set<std::string> tainted_;                       // nodes with the taint of any plan
  bool look_is_due_ = false;
  Timer timer_;
  Scope scope_;
};

}  // namespace basalt::descheduler
