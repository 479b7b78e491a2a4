#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/loop.h"
#include "base/metrics.h"
#include "descheduler/service/cluster_world.h"
#include "descheduler/service/migrator.h"
#include "descheduler/service/planning.h"
#include "descheduler/service/run_control.h"
#include "descheduler/service/triggers.h"
#include "kube/client/client.h"
#include "kube/client/event_recorder.h"
#include "kube/client/leader_elector.h"
#include "kube/client/write_gate.h"
#include "scheduler/state/cluster_state.h"

namespace basalt::descheduler {

struct DeschedulerServiceOptions {
  std::string lock_namespace = "volcano-system";
  scheduler::ClusterState::Options state;  // scheduler_names: whose pods may be moved
  TriggerOptions triggers;
  bool dry_run = false;  // every run is one
  // They wait while pods are away, but not for long.
  kube::EventRecorderOptions events{.component = "basalt-descheduler", .most_delay = 2s};
  // Nothing: it leads from the start, alone.
  std::optional<kube::LeaderElectorOptions> election;
  // Makes the elector that takes part in the election for it; nothing: one on its own loop and
  // client.
  kube::Elect elect;
  // Where metrics go; must outlive it. nullptr: nowhere.
  metrics::Registry* metrics = nullptr;
  // Letters and digits, others each time: what tells plans apart.
  std::function<std::string()> random_name;
  // Called whenever it begins to lead and knows all.
  std::function<void()> on_leading;
};

// The descheduler as a role: informers into the model that plans are made on, triggers, election,
// and the migrator that carries plans out, wired together on one loop. Runs follow each other; a
// dry run is made at any time.
//
// When it loses its lease nothing is written any more from that moment on; what was under way is
// left to the next leader, which clears it away (Leftovers).
//
// Owned by the role; `client` must outlive it. Loop thread only.
class DeschedulerService final : public RunControl {
 public:
  DeschedulerService(Loop& loop, kube::Client& client, DeschedulerServiceOptions options);
  ~DeschedulerService() override;

  // From the next plan on. There must be one before Start.
  void SetPlanning(std::shared_ptr<Planning> planning) { planning_ = std::move(planning); }

  void Start();
  // Begins nothing more, waits for the writes under way, gives the lease back, and then calls
  // `done`.
  void Stop(Callback done);
  // All informers have synced.
  bool ready() const { return synced_; }
  // For further writes that only a leader may do: refused when it does not lead.
  kube::Client& writes() { return writes_; }
  void CollectMetrics();
  const DeschedulerServiceOptions& options() const { return options_; }
  const Informers& informers() const { return informers_; }

  // ---- RunControl
  bool leads() const override { return term_ != nullptr && MayWrite(); }
  bool IsDry(const RunRequest& request) const override;
  std::string under_way() const override { return current_id_; }
  Result<Plan> Begin(const RunRequest& request) override;
  std::optional<Plan> Find(std::string_view id) const override;
  std::vector<Plan> All() const override;

 private:
  template <class T>
  void Consume(const kube::InformerEvent<T>& event);
  template <class T>
  void TellMigrator(const kube::InformerEvent<T>& event);
  bool MayWrite() const;
  void LeadIfSynced();
  void StoppedLeading();
  bool BeginByItself(Trigger trigger);
  void NextPart();
  void MakePart(std::size_t part);
  void CarryOut(Plan plan);
  void RunEnded();
  void Keep(Plan plan);
  void Update(const Plan& plan);
  const Plan& AsItStands(const Plan& kept) const;
  // The model as it is now, with what reservations hold, for as long as `use` takes.
  template <class Use>
  auto WithCluster(Use use);
  std::string NewPlanId() const;

  Loop& loop_;
  DeschedulerServiceOptions options_;
  std::shared_ptr<Planning> planning_;
  std::shared_ptr<Planning> run_planning_;  // of the run that began by itself
  bool started_ = false;
  bool stopping_ = false;
  bool synced_ = false;
  kube::WriteGate gate_;
  kube::Client writes_;
  kube::EventRecorder events_;
  scheduler::ClusterState state_;
  Informers informers_;
  ClusterWorld world_;
  std::unique_ptr<Migrator> term_;  // while it leads
  Triggers triggers_;
  std::unique_ptr<kube::Leadership> elector_;
  // The run under way: its plan's id, what triggered it, and which parts are still to come.
  std::string current_id_;
  Trigger trigger_ = Trigger::kApi;
  std::deque<std::size_t> parts_left_;
  std::deque<Plan> kept_;  // the newest first
  std::optional<Duration> fragmentation_at_;
  Scope run_scope_;
  Scope scope_;
};

}  // namespace basalt::descheduler
