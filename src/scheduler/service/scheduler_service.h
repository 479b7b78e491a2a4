#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/loop.h"
#include "base/signer.h"
#include "kube/client/client.h"
#include "kube/client/event_recorder.h"
#include "kube/client/leader_elector.h"
#include "kube/client/write_gate.h"
#include "kube/informer/informer_set.h"
#include "kube/types/pdb.h"
#include "kube/types/reservation.h"
#include "kube/types/storage.h"
#include "scheduler/effects/effects.h"
#include "scheduler/scheduler.h"
#include "scheduler/service/activity.h"
#include "scheduler/service/drift_watch.h"
#include "scheduler/service/scheduler_metrics.h"

namespace basalt::scheduler {

struct SchedulerServiceOptions {
  SchedulerOptions scheduler;  // scheduler.state.scheduler_names: whose pods are ours
  EffectsOptions effects;
  // Of the events that it records; readers of an event are pointed to the instance.
  kube::EventRecorderOptions events{.component = "volcano"};
  // Nothing: it leads from the start, alone.
  std::optional<kube::LeaderElectorOptions> election;
  // Takes part in the election for it; nothing: an elector on its own loop and client.
  kube::Elect elect;
  // Volcano's --node-selector: only nodes that carry one of these labels are scheduled on. Empty:
  // all.
  std::vector<std::pair<std::string, std::string>> node_labels;
  // The default queue and "root" are made where they are missing.
  bool make_queues = true;
  // Where metrics go; must outlive it. nullptr: nowhere.
  metrics::Registry* metrics = nullptr;
  // So many jobs have series of their own there, the newest ones.
  std::size_t metrics_max_jobs = 5000;
  // Seals what schedulers write on pods for those that lead after them (queues, evictions), and
  // tells it from what tenants write there. All schedulers of a cluster have the same key
  // (scheduler_key.h). nullptr: nothing is written, and nothing believed.
  std::shared_ptr<const Signer> signer;
  // Called whenever it begins to lead and knows all.
  std::function<void()> on_leading;
  // For scheduler/shadow: told of what a cycle decided, and of what becomes of pods.
  std::function<void(const std::vector<model::Intent>&)> on_decided = {};
  std::function<void(const kube::InformerEvent<kube::Pod>&)> on_pod = {};
  bool watches_drift = true;
};

// The scheduler as a role: informers of every kind that its state takes, election, scheduling loop
// and writers, wired together on one loop; on the real one in `basalt scheduler` and `basalt up`,
// on virtual time in tests.
//
// Cycles run while it is synced and leads. When it loses its lease nothing is written any more from
// that moment on, not even what was decided already (WriteGate asks the lease's own clock), and the
// state is built anew from the informers: what was decided and not written is forgotten.
//
// `client` must outlive it, and should have no rate limit: effects.budget limits the writes. Loop
// thread only.
class SchedulerService {
 public:
  using Informers =
      kube::InformerSet<kube::PriorityClass, kube::Namespace, kube::Queue, kube::ResourceQuota,
                        kube::PodDisruptionBudget, kube::StorageClass, kube::PersistentVolume,
                        kube::PersistentVolumeClaim, kube::CsiNode, kube::Node, kube::PodGroup,
                        kube::Reservation, kube::Pod>;

  // The default configuration is in force.
  SchedulerService(Loop& loop, kube::Client& client, SchedulerServiceOptions options = {});
  ~SchedulerService();

  // Puts a configuration in force; on an error the last good one stays.
  Result<void> Configure(std::string_view yaml);

  void Start();
  // Decides and writes nothing more, waits for the writes under way, gives the lease back, and then
  // calls `done`. What was decided and not sent is left to the next leader.
  void Stop(Callback done);

  // All informers have synced, and the default queue is there where it has to be made.
  bool ready() const { return synced_ && queues_missing_ == 0; }
  bool leads() const;

  // Both are replaced when the lease is lost: do not keep them.
  Scheduler& scheduler() { return core_->scheduler; }
  const Scheduler& scheduler() const { return core_->scheduler; }
  Effects& effects() { return core_->effects; }
  kube::EventRecorder& events() { return events_; }
  const Informers& informers() const { return informers_; }
  const DriftWatch& drift() const { return *drift_; }
  const Activity& activity() const { return activity_; }
  // nullptr: it has none.
  SchedulerMetrics* metrics() { return metrics_.get(); }
  // Forgets what was decided of these pods ("namespace/name"): they are again as the API server has
  // them.
  void TakeBack(const std::vector<std::string>& pods);
  // Brings gauges up to date: they are about to be read.
  void CollectMetrics();
  // For further writes that only a leader may do: refused when it does not lead.
  kube::Client& writes() { return writes_; }
  const SchedulerServiceOptions& options() const { return options_; }

 private:
  // What lives as long as one term of leadership.
  struct Core {
    explicit Core(SchedulerService& service);
    Scheduler scheduler;
    Effects effects;
  };

  template <class T>
  void Consume(kube::InformerEvent<T> event);
  bool Selected(const kube::Node& node) const;
  bool MayWrite() const;
  void StoppedLeading();
  void RunIfLeading();
  std::unique_ptr<DriftWatch> MakeDriftWatch();
  void Emit(std::vector<model::Intent> intents);
  void Report(const model::Outcome& outcome);
  void MakeQueues();
  void MakeQueue(const std::string& name);

  Loop& loop_;
  SchedulerServiceOptions options_;
  std::string configuration_;
  bool started_ = false;
  bool stopping_ = false;
  bool synced_ = false;
  int queues_missing_ = 0;  // to be made, not there yet
  std::unique_ptr<SchedulerMetrics> metrics_;
  Activity activity_;
  kube::WriteGate gate_;
  kube::Client writes_;
  kube::EventRecorder events_;
  std::unique_ptr<Core> core_;
  Informers informers_;
  std::unique_ptr<kube::Leadership> elector_;
  std::unique_ptr<DriftWatch> drift_;
  Scope scope_;
};

}  // namespace basalt::scheduler
