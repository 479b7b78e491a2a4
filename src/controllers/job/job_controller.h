#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/async_join.h"
#include "base/key_batcher.h"
#include "base/metrics.h"
#include "base/random.h"
#include "base/work_queue.h"
#include "controllers/job/delayed_actions.h"
#include "controllers/job/job_group.h"
#include "controllers/job/job_plan.h"
#include "controllers/job/plugins/plugin.h"
#include "controllers/runtime/controller.h"
#include "controllers/runtime/pods_of_jobs.h"
#include "kube/client/client.h"
#include "kube/client/event_recorder.h"
#include "kube/informer/informer.h"
#include "kube/types/command.h"
#include "kube/types/pod.h"
#include "kube/types/priority_class.h"
#include "kube/types/scheduling.h"
#include "kube/types/storage.h"
#include "kube/types/vcjob.h"

namespace basalt::controllers {

struct JobControllerOptions {
  // How often a step that is refused is tried before the job is given up.
  int max_requeue = 15;
  metrics::Registry* metrics = nullptr;
  std::uint64_t seed = 1;                      // of the names of claims
  std::shared_ptr<PodsOfJobs> pods = nullptr;  // shared with others; null: its own
};

// Runs Volcano jobs (contract C12): makes their PodGroup, their pods and what plugins ask for,
// counts, and acts on what happens to pods by the jobs' policies and on Commands.
//
// All of a job is decided in one place, by one worker at a time, timers included: what follows from
// what is in job_plan.h and policies.h, pure. Here is when, and how it is written. A decision is
// made on a version of the job at least as new as the last one written, and the status is written
// for that version alone, before the pods go that it says are going: a controller that dies in
// between, or comes late, changes nothing twice. What happened is read from the pods themselves
// (their version, their mark), so that nothing is lost while no controller runs.
//
// Owned by a ControllerManager; loop thread only. Counterpart: Volcano's job controller.
class JobController final : public Controller {
 public:
  JobController(kube::Client& client, kube::EventRecorder& events,
                JobControllerOptions options = {});
  ~JobController() override;

  std::string_view name() const override { return "job"; }
  void Start() override;
  bool HasSynced() const override;

 private:
  using JobPtr = std::shared_ptr<const kube::VcJob>;
  using GroupPtr = std::shared_ptr<const kube::PodGroup>;
  using Then = std::move_only_function<void(bool ok)>;
  struct State;  // of one job
  struct Owned;  // pods of one job
  struct Turn;   // one look at a job
  using TurnPtr = std::shared_ptr<Turn>;

  // ---- job_controller.cc: what happens, and what is to be done about it
  void OnJob(const kube::InformerEvent<kube::VcJob>& event);
  void OnPod(const kube::InformerEvent<kube::Pod>& event);
  void OnGroup(const kube::InformerEvent<kube::PodGroup>& event);
  void OnClaim(const kube::InformerEvent<kube::PersistentVolumeClaim>& event);
  void OnQueue(const kube::InformerEvent<kube::Queue>& event);
  void OnCommand(const kube::InformerEvent<kube::Command>& event);
  void LookAtAll();
  void Reconcile(const std::string& key, WorkQueue::Done done);
  // What is most urgent; nothing in particular: a sync.
  Occurrence NextOccurrence(Turn& turn);
  void Act(const TurnPtr& turn);
  void Sync(const TurnPtr& turn);
  void SyncActive(const TurnPtr& turn);
  void Conclude(const TurnPtr& turn, bool ok);
  // Looks at the job again by then.
  void Wake(const TurnPtr& turn, Duration delay);

  // ---- job_controller_parts.cc: what a job needs beside its pods
  void Prepare(const TurnPtr& turn, Then then);
  void PrepareClaims(const TurnPtr& turn, Then then);
  void NameClaims(const TurnPtr& turn, Then then);
  void PreparePlugins(const TurnPtr& turn, Then then);
  void MakeObject(const TurnPtr& turn, const JobPlugin& plugin, PluginObject object,
                  const AsyncJoin& join);
  void TakeOver(const TurnPtr& turn, const std::string& plugin, const PluginObject& object,
                const AsyncJoin& join);
  void PrepareGroup(const TurnPtr& turn, Then then);
  void DropParts(const TurnPtr& turn, const AsyncJoin& join);
  GroupPtr GroupOf(const kube::VcJob& job) const;
  bool IsForwarded(const kube::VcJob& job) const;
  // Says so, and gives the job up after too many refusals. `counts`: this one is a refusal.
  void StepFailed(const TurnPtr& turn, std::string_view reason, const std::string& what,
                  bool counts);
  PriorityOf PriorityLookup() const;

  // ---- job_controller_writes.cc: pods and status
  void MakePods(const TurnPtr& turn, const AsyncJoin& join);
  void MakePod(const TurnPtr& turn, const std::string& pod, std::string body,
               const AsyncJoin& join);
  void MarkPods(const TurnPtr& turn, const std::vector<std::string>& names, const AsyncJoin& join);
  void RemovePods(const TurnPtr& turn, const std::vector<std::string>& names,
                  const AsyncJoin& join);
  void DeletePod(const TurnPtr& turn, const std::string& pod, const AsyncJoin& join);
  void WriteStatus(const TurnPtr& turn, const kube::VcJobStatus& status, Then then);
  void CountPhase(const kube::VcJob& job, kube::VcJobPhase phase);

  // ---- job_controller_commands.cc
  void Obey(const std::string& key, WorkQueue::Done done);
  void Command(const kube::Command& command);

  void Warn(const kube::VcJob& job, std::string_view reason, std::string_view message);
  Duration Now() const { return client_.loop().Monotonic(); }

  kube::Client& client_;
  kube::EventRecorder& events_;
  const JobControllerOptions options_;
  Random random_;
  std::uint64_t next_sequence_ = 1;
  boost::unordered_flat_map<std::string, std::shared_ptr<State>> states_;  // by key
  boost::unordered_flat_map<std::string, std::shared_ptr<Owned>> owned_;   // by the job's uid
  boost::unordered_flat_set<std::string> obeyed_;  // uids of commands whose end is not seen yet
  kube::Informer<kube::VcJob> jobs_;
  const std::shared_ptr<PodsOfJobs> pods_;
  kube::Informer<kube::PodGroup> groups_;
  kube::Informer<kube::Queue> queues_;
  kube::Informer<kube::PriorityClass> classes_;
  kube::Informer<kube::PersistentVolumeClaim> claims_;
  kube::Informer<kube::Command> commands_;
  WorkQueue work_;
  KeyBatcher pod_changes_;
  KeyBatcher pod_changes_of_large_;
  WorkQueue command_work_;
  Scope scope_;
};

}  // namespace basalt::controllers
