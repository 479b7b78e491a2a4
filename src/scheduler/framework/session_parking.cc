// Which jobs cannot go on, what would help them, and which need not be tried because one like them
// has failed.
#include <algorithm>

#include "scheduler/framework/likeness.h"
#include "scheduler/framework/session.h"

namespace basalt::scheduler {

using model::Happening;
using model::Waits;

// ---- what would help

void Session::Needs(const Job& job, const Waits& waits) {
  if (rehearsal_) return;
  const auto [it, added] = waits_.try_emplace(job.id, waits);
  if (!added) it->second.Add(waits);
}

void Session::NeedsQueue(const Job& job, const model::Shortfall& shortfall) {
  if (rehearsal_) return;
  if (!shortfall.exists()) return Needs(job, Waits::ForAnything());
  state_.NoteRefusal(shortfall.queue);
  Waits waits;
  waits.queue = shortfall.queue;
  Needs(job, waits);
}

void Session::NeedsNode(const Task& task, NodeFinder::Room room) {
  const Job* job = JobOf(task);
  if (!job || rehearsal_) return;
  const model::TaskClass& task_class = *task.task_class;
  if (task_class.unknown_resource) return Needs(*job, Waits::ForAnything());
  // Which nodes a queue may use is the queue's own rule.
  Waits waits = Waits::For({Happening::kNode, Happening::kQueue});
  if (WhyNoNode(task, room).no_node_suits) return Needs(*job, waits);
  waits.room = true;
  if (room == NodeFinder::Room::kChecked) waits.least = task.request();
  waits.leaving = room == NodeFinder::Room::kIgnored || task_class.has_host_ports;
  if (task_class.has_volumes) {
    waits.kinds |= {Happening::kVolume, Happening::kArrival, Happening::kDeparture};
  }
  // Its own rules about other pods, and theirs about it.
  if (task_class.has_pod_rules || task_class.has_spread_rules ||
      !cluster_.placed_with_pod_terms().empty()) {
    waits.kinds |= {Happening::kDeparture, Happening::kNamespace};
  }
  if (task_class.needs_other_pods || task_class.has_spread_rules) {
    waits.kinds |= {Happening::kArrival};
  }
  Needs(*job, waits);
}

void Session::NeedsToPassGate(const Task& task) {
  const Job* job = JobOf(task);
  if (!job) return;
  Needs(*job,
        task.task_class->has_volumes ? Waits::For({Happening::kVolume}) : Waits::ForAnything());
}

const FitFailure& Session::WhyNoNode(const Task& task, NodeFinder::Room room) {
  const Job* job = JobOf(task);
  const Explanations::Question question{
      .task_class = task.task_class,
      .queue = job ? job->queue.value : 0,
      .room_counts = room == NodeFinder::Room::kChecked,
      .objects = cluster_.node_objects_generation() + cluster_.queue_objects_generation()};
  if (const FitFailure* known = plugins_.explanations().Find(question, now_)) return *known;
  return plugins_.explanations().Keep(question, finder_.Explain(task, room), now_,
                                      job ? ChangesAt(*job) : std::nullopt);
}

// ---- one for all that are alike

void Session::NoteChanged(const Job& job) {
  changed_.insert(job.id);
  if (!rehearsal_) state_.Unpark(job.id);
}

void Session::WakeWhoGains() {
  if (std::exchange(helped_before_, helped_) != helped_) state_.WakeWhoGains();
}

void Session::BeginAction(bool evicts) {
  failed_.clear();
  evicts_ = evicts;
}

bool Session::KnownToFail(const Job& job) {
  if (!parks_ || failed_.empty()) return false;
  const auto it = failed_.find(LikenessOf(cluster_, plugins_, job));
  if (it == failed_.end()) return false;
  const Failed& failed = it->second;
  if (failed.helped != helped_ || time_bound_.contains(failed.job)) return false;
  const model::TaskClass& task_class = *cluster_.task(job.pending.front()).task_class;
  const bool others_matter = evicts_ || task_class.has_pod_rules || task_class.has_spread_rules;
  if (others_matter && failed.placed != placed_) return false;
  if (failed.job != job.id) stand_ins_.emplace_back(job.id, failed.job);
  return true;
}

Session::Attempt Session::BeginAttempt(const Job& job) {
  Attempt attempt{.job = job.id, .likeness = LikenessOf(cluster_, plugins_, job)};
  if (job.checked && cluster_.parking().exists(job.woken_from)) {
    const model::Parking::Bucket& bucket = cluster_.parking().bucket(job.woken_from);
    attempt.unexpected = bucket.checked && !cluster_.WouldWake(bucket.waits);
  }
  return attempt;
}

const Job* Session::EndAttempt(const Attempt& attempt) {
  const Job* job = FindJob(attempt.job);
  if (!job) return nullptr;
  if (attempt.unexpected && changed_.contains(job->id)) missed_.push_back(job->id);
  if (attempt.likeness.empty()) return nullptr;
  // What was taken back when the action ended is nothing that others can go on with.
  bool others_may = changed_.contains(job->id);
  if (LikenessOf(cluster_, plugins_, *job) == attempt.likeness) {
    failed_.insert_or_assign(attempt.likeness, Failed{job->id, helped_, placed_});
    // It has become another since it was parked: that it fails says nothing of those it waited
    // with.
    const model::Parking& parking = cluster_.parking();
    others_may =
        parking.exists(job->woken_from) && parking.bucket(job->woken_from).key != attempt.likeness;
  }
  return others_may ? FindJob(state_.WakeNextAfter(job->id)) : nullptr;
}

namespace {

template <class Map, class Key>
void CopyEntry(Map& map, Key from, Key to) {
  const auto it = map.find(from);
  if (it == map.end()) return;
  auto copy = it->second;  // the map may grow
  map.insert_or_assign(to, std::move(copy));
}

}  // namespace

// What is said of a job that was tried holds for the jobs like it that were not.
void Session::CopyOutcomes() {
  const auto in_order = [&](const Job& job) {
    std::vector<model::TaskId> tasks = job.pending;
    std::ranges::sort(tasks, [&](model::TaskId a, model::TaskId b) {
      return TaskBefore(cluster_.task(a), cluster_.task(b));
    });
    return tasks;
  };
  model::JobId last;
  std::vector<model::TaskId> tried;
  for (const auto& [id, tried_id] : stand_ins_) {
    const Job* job = FindJob(id);
    const Job* other = FindJob(tried_id);
    if (!job || !other || changed_.contains(id) || changed_.contains(tried_id)) continue;
    if (tried_id != last) tried = in_order(*other);
    last = tried_id;
    if (tried.size() != job->pending.size()) continue;
    const std::vector<model::TaskId> tasks = in_order(*job);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      CopyEntry(failures_, tried[i], tasks[i]);
      CopyEntry(last_tried_, tried[i], tasks[i]);
    }
    CopyEntry(job_failures_, tried_id, id);
    if (const auto it = waits_.find(tried_id); it != waits_.end()) {
      const Waits copy = it->second;
      Needs(*job, copy);
    }
  }
}

// ---- at the end

bool Session::IsStuck(const Job& job) const {
  if (!parks_ || changed_.contains(job.id) || time_bound_.contains(job.id)) return false;
  if (!job.pipelined.empty()) return false;
  return std::ranges::none_of(cluster_.TasksOf(job.pending), [&](const Task& task) {
    return task.ungating || !task.pod->status.nominated_node_name.empty();
  });
}

Waits Session::WhatHelps(const Job& job) const {
  if (config().Evicts() && !job.IsPending() && IsJobStarving(job)) return Waits::ForAnything();
  if (const auto it = waits_.find(job.id); it != waits_.end()) return it->second;
  // Too few pods: only more of them help.
  return ValidateJob(job).ok() ? Waits::ForAnything() : Waits{};
}

void Session::ParkIfStuck(const Job& job) {
  const std::optional<Time> changes = ChangesAt(job);
  if (changes) WakeAt(*changes);
  if (!IsStuck(job)) return state_.EndCheck(job.id);
  std::string likeness = LikenessOf(cluster_, plugins_, job);
  if (likeness.empty()) likeness = "job " + std::to_string(job.id.value);
  Waits waits = WhatHelps(job);
  waits.until = changes;
  state_.Park(job.id, likeness, waits, now_);
}

void Session::ParkUntilItsQueueComes(const Job& job) {
  if (!parks_) return;
  state_.Settle(job.id);
  state_.Park(job.id, "job " + std::to_string(job.id.value), Waits::For({Happening::kQueue}));
}

}  // namespace basalt::scheduler
