#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/intent.h"
#include "scheduler/framework/cycle_host.h"
#include "scheduler/framework/disruption_budgets.h"
#include "scheduler/framework/eviction_memory.h"
#include "scheduler/framework/fit_failure.h"
#include "scheduler/framework/node_finder.h"
#include "scheduler/framework/pod_wait.h"
#include "scheduler/framework/session_view.h"
#include "scheduler/framework/statement.h"
#include "scheduler/framework/status_sink.h"

namespace basalt::scheduler {

// One cycle's work on the state. Opened by the scheduler, given to each action in turn, closed; it
// leaves intents behind. The state it works on is the live one. On the cluster's thread; lives for
// one cycle.
class Session final : public SessionView, private StatusSink {
 public:
  // A rehearsal is taken back: it wakes no job, and notes nothing about what jobs wait for.
  enum class Purpose : unsigned char { kCycle, kRehearsal };
  // `memory`: what is known of earlier evictions; nullptr: nothing is. `host`: bounds the cycle and
  // carries decisions out; nullptr: there is no bound, and all intents are left behind.
  Session(model::Cluster& cluster, PluginSet& plugins, Time now, EvictionMemory* memory = nullptr,
          CycleHost* host = nullptr, Purpose purpose = Purpose::kCycle);
  ~Session() override;

  // ---- the cycle's bound
  // The jobs that this cycle looks at: the active ones that were not put off and had no turn yet.
  // In no order.
  std::vector<const Job*> JobsInTurn() const;
  bool IsInTurn(const Job& job) const {
    return !put_off_.contains(job.id) && (!host_ || !host_->HadTurn(job.id));
  }
  // An action asks after each job: what was decided so far goes out. false: the action has to end;
  // it puts off the jobs that it did not reach.
  bool GoOn(const Job& looked_at);
  // The job's tenant has not used up its share of this cycle; else others go first.
  bool HasShare(const Job& job) const { return !host_ || host_->HasShare(job.ns); }
  // The job has its turn in a later cycle; the actions that follow leave it out, and nothing is
  // said about it.
  void PutOff(const Job& job) { put_off_.insert(job.id); }
  bool IsPutOff(const Job& job) const { return put_off_.contains(job.id); }
  std::size_t put_off() const { return put_off_.size(); }
  // The jobs that had their turn; known after Close.
  const std::vector<model::JobId>& looked_at() const { return looked_at_; }
  // Something went out, or is about to.
  bool spoke() const { return spoke_ || !intents_.empty(); }

  // ---- beside decisions, which actions make through a Statement
  // The task of a reservation could be used where it is, as its node is now.
  void NoteUsable(const Task& reserved);
  // The reserved tasks that are to be looked at, since their nodes have changed. Once.
  std::vector<model::TaskId> TakeDoubtfulReservations();
  void MarkStarted(const Job& job);  // a cycle has seen it

  // ---- jobs that cannot go on (session_parking.cc)
  // Something that would help the job. One that an action has looked at and that could not go on is
  // not looked at again before something of that has happened; one of which nothing is known waits
  // for anything that happens.
  void Needs(const Job& job, const model::Waits& waits);
  void NeedsNode(const Task& task, NodeFinder::Room room);
  // CheckTask has refused it.
  void NeedsToPassGate(const Task& task);
  // Its queue has refused it.
  void NeedsQueue(const Job& job, const model::Shortfall& shortfall);
  // Time alone may help it: it is looked at in every cycle.
  void DependsOnTime(const Job& job) { time_bound_.insert(job.id); }

  // Wakes the jobs that wait for what others gave up in this cycle.
  void WakeWhoGains();
  // An action begins. `evicts`: what others are given may help jobs that have failed.
  void BeginAction(bool evicts);
  // Whether one like it has failed in this action, and nothing has happened since that helps.
  bool KnownToFail(const Job& job);
  // Around an action's work on a job that it took. When the job went on, EndAttempt returns the
  // next job like it that waits, active from now on. nullptr: there is none, or the job did not go
  // on.
  struct Attempt {
    model::JobId job;
    std::string likeness;
    bool unexpected = false;  // nothing has happened that could help it
  };
  Attempt BeginAttempt(const Job& job);
  const Job* EndAttempt(const Attempt& attempt);
  // Jobs that could go on although nothing had happened that they waited for.
  const std::vector<model::JobId>& missed() const { return missed_; }
  // Off: no job is parked, and every job is looked at; for tests.
  void SetParking(bool on) { parks_ = on; }
  NodeFinder& finder() { return finder_; }
  DisruptionBudgets& budgets() { return budgets_; }
  // Whether the task may be made to leave for the other, after what happened before.
  bool MayEvict(const Task& victim, const Task& beneficiary) const;
  // MayEvict has said no: should the pod get no place in this cycle, it is told so.
  void NoteSpared(const Task& victim, const Task& beneficiary);

  // Another cycle is needed then, whatever happens until then; the earliest counts.
  void WakeAt(Time time) {
    if (!wake_at_ || time < *wake_at_) wake_at_ = time;
  }
  std::optional<Time> wake_at() const { return wake_at_; }

  // Nothing has happened since the last session, which decided nothing: an action that looks at the
  // same again finds the same.
  void MarkQuiet() { quiet_ = true; }
  bool quiet() const { return quiet_ && !decided_; }
  // Something was decided: a holding, or the entry of a job into its queue.
  bool decided() const { return decided_; }

  // ---- what did not work, for users and for the close
  void RecordFailure(const Task& task, FitFailure failure);
  // What to record for a task that its queue refuses: why the queue does, or why no node takes the
  // task where the nodes, and not a capability, are what is short.
  FitFailure WhyNotAdmitted(const Task& task, const Verdict& refusal);
  // The same for one that fits no node. Computed for one of many that are alike, and now and then.
  const FitFailure& WhyNoNode(const Task& task, NodeFinder::Room room);
  void RecordFailure(const Job& job, FitFailure failure);
  void ForgetFailures(const Job& job);
  bool HasFailure(const Task& task) const { return failures_.contains(task.id); }
  // Why the job's pending pods have no place, those of which something is known (pod_wait.cc).
  std::vector<PodWait> WhyPodsWait(const Job& job) const;

  // Runs the plugins' last words and decides the groups' phases. Once.
  void Close();
  // What Close decides for the group: its phase by what stands where.
  model::JobPhase PhaseAfter(const Job& job, bool unschedulable) const;

  std::vector<model::Intent>& intents() { return intents_; }

 private:
  // Changes the state for the statements' operations, and takes their intents.
  friend class Statement;
  void Move(model::TaskId task, const model::Holding& to);
  void Commit(const std::vector<Statement::Operation>& operations);
  void CarryBind(const Task& task);

  void SetCondition(const Job& job, model::GroupCondition condition) override;
  const FitFailure* FailureOf(const Task& task) const override;
  const FitFailure* FailureOf(const Job& job) const override;
  model::TaskStatus LastTried(const Task& task) const override;
  model::GroupStatus StatusOf(const Job& job) const;
  void Say(model::GroupStatus status);
  bool PodsMayCome(const Job& job, const model::GroupCondition& condition) const;
  void SayThatQueueIsMissing(const Job& job);
  void SayWhyPodsWait(const Job& job);
  void SayWhichGroupsAreMissing();
  void SayPodWaits(const Task& task, std::string_view reason, std::string message);
  bool SaysAlready(const Task& task, std::string_view reason, std::string_view message);
  // ---- promises and evictions (session_close.cc)
  model::Evict EvictionOf(const Statement::Operation& operation);
  void Promise(const Task& task, std::vector<model::Evict> victims = {});
  bool IsNominated(const Task& task) const;
  void ReconcileNominations();
  void SayWhoWasSpared();
  void Carry(const Statement::Operation& operation);
  void Log(const Statement::Operation& operation) const;
  std::uint64_t cycle() const { return host_ ? host_->cycle() : 0; }
  void NoteChanged(const Job& job);
  void NoteCarried(const Statement::Operation& operation);
  void SettleTake(const Task& taker);
  void CopyOutcomes();
  bool IsStuck(const Job& job) const;
  model::Waits WhatHelps(const Job& job) const;
  void ParkIfStuck(const Job& job);
  void ParkUntilItsQueueComes(const Job& job);

  model::Cluster& state_;
  EvictionMemory* memory_;
  CycleHost* host_;
  const bool rehearsal_;
  boost::unordered_flat_set<model::JobId> put_off_;
  std::vector<model::JobId> looked_at_;
  std::optional<Time> wake_at_;
  // What this session has said already: pods that were promised a node or are no longer, and why
  // pods wait.
  boost::unordered_flat_set<model::TaskId> promises_changed_;
  boost::unordered_flat_set<model::TaskId> said_waits_;
  struct Spared {
    model::TaskId victim;
    EvictionMemory::Ruling why;
  };
  std::map<model::TaskId, Spared> spared_;  // by the pod that did not get its victim
  NodeFinder finder_;
  DisruptionBudgets budgets_;
  boost::unordered_flat_map<model::TaskId, FitFailure> failures_;
  boost::unordered_flat_map<model::JobId, FitFailure> job_failures_;
  boost::unordered_flat_map<model::TaskId, model::TaskStatus> last_tried_;
  boost::unordered_flat_map<model::JobId, std::vector<model::GroupCondition>> conditions_;
  boost::unordered_flat_map<model::JobId, model::Waits> waits_;
  boost::unordered_flat_set<model::JobId> time_bound_;
  boost::unordered_flat_set<model::JobId> changed_;  // something was decided for it
  // Of this action, by likeness: which job failed, and when.
  struct Failed {
    model::JobId job;
    std::uint64_t helped = 0;
    std::uint64_t placed = 0;
  };
  boost::unordered_flat_map<std::string, Failed> failed_;
  std::vector<std::pair<model::JobId, model::JobId>>
      stand_ins_;                    // one that was not tried, and the one that was
  std::uint64_t helped_ = 0;         // grows when a task gives something up
  std::uint64_t placed_ = 0;         // grows when a task gets something
  std::uint64_t helped_before_ = 0;  // when jobs that wait were last woken
  bool evicts_ = false;
  bool parks_ = true;
  std::vector<model::JobId> missed_;
  std::vector<model::Intent> intents_;
  // The last answer of WhyNotAdmitted, for tasks that are alike and follow each other.
  struct LastRefusal {
    model::JobId job;
    const model::TaskClass* task_class = nullptr;
    std::string_view reason;
    FitFailure failure;
  };
  LastRefusal last_refusal_;
  bool quiet_ = false;
  bool spoke_ = false;
  bool decided_ = false;
  bool closed_ = false;
};

}  // namespace basalt::scheduler
