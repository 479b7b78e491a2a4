#include "controllers/job/job_controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "controllers/job/job_controller_state.h"
#include "controllers/job/phase_table.h"
#include "controllers/job/plugins/job_keys.h"
#include "kube/types/reasons.h"

namespace basalt::controllers {
namespace {

constexpr std::string_view kByClaim = "claim";
constexpr std::string_view kByQueueName = "queue";
constexpr Duration kLapse = 60s;      // after which a pod that was asked for is not waited for
constexpr Duration kCatchUp = 5s;     // after which the watch is not waited for
constexpr Duration kCountEvery = 1s;  // counts alone are written so often at most
// Each look at a job costs as much as it has pods: pods that start one after the other are looked
// at together, those of a large job as seldom as they are counted.
constexpr Duration kLookEvery = 100ms;
constexpr std::size_t kLarge = 500;

bool SaysSomethingElse(const JobPod& a, const JobPod& b) {
  return a.uid != b.uid || a.phase != b.phase || a.leaving != b.leaving ||
         a.restarts != b.restarts || a.ready != b.ready || a.ours != b.ours;
}

}  // namespace

std::string ScaleOf(const kube::VcJobSpec& spec) {
  std::string scale;
  for (const kube::VcJobTask& task : spec.tasks) scale += fmt::format("{},", task.replicas);
  return scale;
}

void EraseParts(kube::StringMap& controlled) {
  std::vector<std::string> keys;
  for (const kube::StringMap::Entry entry : controlled) {
    if (entry.key.starts_with("plugin-")) keys.emplace_back(entry.key);
  }
  for (const std::string& key : keys) controlled.Erase(key);
}

JobController::JobController(kube::Client& client, kube::EventRecorder& events,
                             JobControllerOptions options)
    : client_(client),
      events_(events),
      options_(std::move(options)),
      random_(options_.seed),
      jobs_(client, [this](const auto& event) { OnJob(event); }),
      pods_(options_.pods ? options_.pods : WatchPodsOfJobs(client)),
      groups_(client, [this](const auto& event) { OnGroup(event); }),
      queues_(client, [this](const auto& event) { OnQueue(event); }),
      classes_(client,
               [this](const auto& event) {
                 if (event.kind == kube::InformerEventKind::kSynced) LookAtAll();
               }),
      claims_(client, [this](const auto& event) { OnClaim(event); }),
      commands_(client, [this](const auto& event) { OnCommand(event); }),
      work_(client.loop(), {.parallel = 64},
            [this](const std::string& key, WorkQueue::Done done) {
              Reconcile(key, std::move(done));
            }),
      pod_changes_(client.loop(), work_, kLookEvery),
      pod_changes_of_large_(client.loop(), work_, kCountEvery),
      // One at a time, so that commands are obeyed in the order in which they came.
      command_work_(
          client.loop(), {.parallel = 1},
          [this](const std::string& key, WorkQueue::Done done) { Obey(key, std::move(done)); }) {
  pods_->Join([this](const auto& event) { OnPod(event); });
  jobs_.AddIndex(std::string(kByClaim), [](const kube::VcJob& job) {
    std::vector<std::string> keys;
    for (const kube::VcJobVolume& volume : job.spec.volumes) {
      keys.push_back(kube::ObjectKey(job.meta.ns, volume.claim_name));
    }
    return keys;
  });
  jobs_.AddIndex(std::string(kByQueueName),
                 [](const kube::VcJob& job) { return std::vector{std::string(job.spec.Queue())}; });
  jobs_.OnBadItem([this](const kube::ItemIdentity& item, const Error& error) {
    const kube::Resource& kind = kube::resources::kVcJobs;
    events_.Record({.api_version = kind.ApiVersion(),
                    .kind = std::string(kind.kind),
                    .ns = item.ns,
                    .name = item.name,
                    .uid = item.uid},
                   kube::EventType::kWarning, reasons::kJobStatusError,
                   "the job cannot be read and is left alone: " + error.message);
  });
}

JobController::~JobController() = default;

void JobController::Start() {
  jobs_.Start();
  pods_->Start();
  groups_.Start();
  queues_.Start();
  classes_.Start();
  claims_.Start();
  commands_.Start();
}

bool JobController::HasSynced() const {
  return jobs_.HasSynced() && pods_->HasSynced() && groups_.HasSynced() && queues_.HasSynced() &&
         classes_.HasSynced() && claims_.HasSynced() && commands_.HasSynced();
}

// ---- what happens, and which jobs that concerns

void JobController::OnJob(const kube::InformerEvent<kube::VcJob>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) return LookAtAll();
  work_.Add(event.object ? event.object->meta.Key() : event.old_object->meta.Key());
}

void JobController::OnPod(const kube::InformerEvent<kube::Pod>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) return LookAtAll();
  const kube::Pod& pod = event.object ? *event.object : *event.old_object;
  const kube::OwnerReference* owner = JobOwner(pod.meta);
  if (!owner) return;
  std::shared_ptr<Owned>& owned = owned_[owner->uid];
  if (!owned) owned = std::make_shared<Owned>();
  const auto known = owned->pods.find(pod.meta.name);
  const bool was_known = known != owned->pods.end() && !known->second.uid.empty();
  bool news = true;
  // Deleted; or another one has its name already.
  if (was_known && (!event.object || known->second.uid != pod.meta.uid)) {
    if (!known->second.ours) {
      JobPod& gone = owned->gone.emplace_back(known->second);
      if (!gone.leaving) gone.sequence = next_sequence_++;
    }
  }
  if (!event.object) {
    if (known != owned->pods.end() && known->second.uid == pod.meta.uid) owned->pods.erase(known);
    const auto state = states_.find(kube::ObjectKey(pod.meta.ns, owner->name));
    const bool is_looked_at = state != states_.end() && state->second->uid == owner->uid;
    if (owned->pods.empty() && !is_looked_at && !jobs_.store().Find(pod.meta.ns, owner->name)) {
      owned_.erase(owner->uid);
    }
  } else {
    JobPod view = ViewOf(pod);
    if (was_known && known->second.uid == view.uid) {
      // What was asked for is on its way, whatever this version says.
      view.marked |= known->second.marked;
      view.ours |= known->second.ours;
      view.leaving |= known->second.leaving;
      news = SaysSomethingElse(known->second, view);
      view.sequence = known->second.sequence;
    }
    if (news) view.sequence = next_sequence_++;
    owned->pods[pod.meta.name] = std::move(view);
  }
  if (!news) return;
  const bool only_counts = event.object && !pod.meta.deleting() &&
                           (pod.status.phase == kube::PodPhase::kPending ||
                            pod.status.phase == kube::PodPhase::kRunning);
  KeyBatcher& changes =
      only_counts && owned->pods.size() > kLarge ? pod_changes_of_large_ : pod_changes_;
  changes.Add(kube::ObjectKey(pod.meta.ns, owner->name));
}

void JobController::OnGroup(const kube::InformerEvent<kube::PodGroup>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) return LookAtAll();
  const kube::PodGroup& group = event.object ? *event.object : *event.old_object;
  const kube::OwnerReference* owner = JobOwner(group.meta);
  const std::string& job_name = owner ? owner->name : group.meta.name;
  const JobPtr job = jobs_.store().Find(group.meta.ns, job_name);
  if (!job) return;
  work_.Add(job->meta.Key());
  if (!event.object) return;
  for (const kube::PodGroupCondition& condition : group.conditions) {
    if (condition.type != reasons::kUnschedulable ||
        condition.status != kube::ConditionStatus::kTrue) {
      continue;
    }
    const bool said =
        event.old_object && std::ranges::find(event.old_object->conditions, condition) !=
                                event.old_object->conditions.end();
    if (!said) {
      Warn(*job, reasons::kGroupPending,
           fmt::format("PodGroup {} is not scheduled: {}: {}", group.meta.name, condition.reason,
                       condition.message));
    }
  }
}

void JobController::OnClaim(const kube::InformerEvent<kube::PersistentVolumeClaim>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) return LookAtAll();
  if (event.kind != kube::InformerEventKind::kAdded) return;
  for (const JobPtr& job : jobs_.store().FindByIndex(kByClaim, event.object->meta.Key())) {
    work_.Add(job->meta.Key());
  }
}

void JobController::OnQueue(const kube::InformerEvent<kube::Queue>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) return LookAtAll();
  // A queue's counts change all the time; a job that waits for a queue waits for it to be there.
  if (event.kind != kube::InformerEventKind::kAdded) return;
  for (const JobPtr& job : jobs_.store().FindByIndex(kByQueueName, event.object->meta.name)) {
    work_.Add(job->meta.Key());
  }
}

// Nothing is decided before everything is known; then everything is looked at.
void JobController::LookAtAll() {
  if (!HasSynced()) return;
  for (const JobPtr& job : jobs_.store().Sorted()) work_.Add(job->meta.Key());
  std::vector<std::shared_ptr<const kube::Command>> commands = commands_.store().Sorted();
  std::ranges::stable_sort(commands, {},
                           [](const auto& command) { return command->meta.creation_timestamp; });
  for (const auto& command : commands) Command(*command);
}

void JobController::Warn(const kube::VcJob& job, std::string_view reason,
                         std::string_view message) {
  events_.Record(kube::ReferenceTo(job), kube::EventType::kWarning, reason, message);
}

// ---- one job

void JobController::Reconcile(const std::string& key, WorkQueue::Done done) {
  if (!HasSynced()) return done(true);
  auto turn = std::make_shared<Turn>(key, std::move(done));
  const std::size_t slash = key.find('/');
  turn->job = jobs_.store().Find(std::string_view(key).substr(0, slash),
                                 std::string_view(key).substr(slash + 1));
  std::shared_ptr<State>& state = states_[key];
  if (state && (!turn->job || state->uid != turn->job->meta.uid)) {
    const auto owned = owned_.find(state->uid);
    if (owned != owned_.end() && owned->second->pods.empty()) owned_.erase(owned);
    state.reset();
  }
  if (!turn->job) {
    states_.erase(key);
    return turn->Finish(true);
  }
  const kube::VcJob& job = *turn->job;
  if (!state) {
    state = std::make_shared<State>();
    state->uid = job.meta.uid;
  }
  if (job.meta.deleting()) return turn->Finish(true);
  turn->state = state;
  if (Now() >= state->wakes_at) state->wakes_at = Duration{-1};
  if (VersionNumber(job.meta.resource_version) < state->written_version) {
    // The watch brings what was written, and with it another turn.
    if (Now() - state->written_at < kCatchUp) {
      Wake(turn, kCatchUp);
      return turn->Finish(true);
    }
    state->written_version = 0;
  }
  std::shared_ptr<Owned>& owned = owned_[job.meta.uid];
  if (!owned) owned = std::make_shared<Owned>();
  turn->owned = owned;
  const Time now = client_.loop().Now();
  boost::unordered::erase_if(owned->pods, [&](const auto& entry) {
    return entry.second.uid.empty() && now - entry.second.created > kLapse;
  });
  if (!std::exchange(state->looked, true)) {
    std::ranges::move(FindMissing(job, owned->pods), std::back_inserter(owned->gone));
  }
  turn->group = GroupOf(job);
  turn->controlled = job.status.controlled_resources;
  if (state->dropped_parts) EraseParts(turn->controlled);
  if (job.status.phase == kube::VcJobPhase::kNone) {
    turn->plan = PlanJob(job, owned->pods, {}, false, now);
    return WriteStatus(turn, turn->plan.status, [turn](bool ok) { turn->Finish(ok); });
  }
  turn->occurrence = NextOccurrence(*turn);
  if (turn->occurrence.action == JobAction::kSync) {
    Sync(turn);
  } else {
    Act(turn);
  }
  if (const auto due = state->delayed.next_due()) Wake(turn, *due - now);
}

Occurrence JobController::NextOccurrence(Turn& turn) {
  const kube::VcJob& job = *turn.job;
  State& state = *turn.state;
  Owned& owned = *turn.owned;
  const Time now = client_.loop().Now();
  while (!state.wishes.empty()) {
    const State::Wish& wish = state.wishes.front();
    if (IsEffective(job.status.phase, wish.action)) {
      return {.event = wish.event, .action = wish.action, .detail = wish.detail};
    }
    state.wishes.pop_front();
  }
  state.delayed.Prune(owned.pods, job.status.version);
  while (std::optional<Occurrence> due = state.delayed.TakeDue(now)) {
    if (IsEffective(job.status.phase, due->action)) return *std::move(due);
  }
  const bool group_is_unknown = turn.group && turn.group->phase == kube::PodGroupPhase::kUnknown;
  std::vector<Occurrence> found =
      FindOccurrences(job, owned.pods, owned.gone, TallyOf(job.spec, owned.pods), group_is_unknown);
  // Those that call for something are in `found`; the others are no news any more.
  std::erase_if(owned.gone, [&](const JobPod& pod) {
    return std::ranges::none_of(found, [&](const Occurrence& one) {
      return one.pod_uid == pod.uid && one.pod == pod.name;
    });
  });
  for (Occurrence& occurrence : found) {
    if (occurrence.timeout <= Duration::zero()) return std::move(occurrence);
    state.delayed.Add(occurrence, now);
    std::erase_if(owned.gone, [&](const JobPod& pod) {
      return pod.uid == occurrence.pod_uid && pod.name == occurrence.pod;
    });
  }
  return {};
}

void JobController::Wake(const TurnPtr& turn, Duration delay) {
  State& state = *turn->state;
  const Duration at = Now() + std::max(delay, Duration::zero());
  if (state.wakes_at >= Duration::zero() && state.wakes_at <= at) return;
  state.wakes_at = at;
  work_.AddAfter(turn->key, std::max(delay, Duration{1ms}));
}

// The status first, for that version of the job: it is the decision. Then what it says.
void JobController::Act(const TurnPtr& turn) {
  const kube::VcJob& job = *turn->job;
  turn->plan = PlanJob(job, turn->owned->pods, turn->occurrence, false, client_.loop().Now());
  const auto give_up = [](const TurnPtr& failed) {
    // What waited for its time has waited: it is due until it is done.
    if (failed->occurrence.timeout > Duration::zero()) {
      failed->state->delayed.Return(failed->occurrence);
    }
    failed->Finish(false);
  };
  const AsyncJoin marked(scope_.Guard([this, turn, give_up](bool marks_ok) {
    if (!marks_ok) return give_up(turn);
    WriteStatus(turn, turn->plan.status, [this, turn, give_up](bool ok) {
      if (!ok) return give_up(turn);
      const Occurrence& occurrence = turn->occurrence;
      State& state = *turn->state;
      if (occurrence.event == JobEvent::kCommandIssued ||
          occurrence.event == JobEvent::kOutOfSync) {
        state.wishes.pop_front();
      } else {
        events_.Record(kube::ReferenceTo(*turn->job), kube::EventType::kNormal,
                       reasons::kExecuteAction,
                       fmt::format("{} on {}: {}", ToString(occurrence.action),
                                   ToString(occurrence.event), occurrence.detail));
      }
      state.delayed.Carried(occurrence);
      const auto trigger = turn->owned->pods.find(occurrence.pod);
      if (ReachOf(occurrence.action) != Reach::kJob && trigger != turn->owned->pods.end() &&
          trigger->second.uid == occurrence.pod_uid) {
        trigger->second.ours = true;  // what happened to it has been answered
      }
      std::erase_if(turn->owned->gone, [&](const JobPod& pod) {
        return pod.name == occurrence.pod && pod.uid == occurrence.pod_uid;
      });
      const AsyncJoin join([turn](bool all_ok) { turn->Finish(all_ok); });
      RemovePods(turn, turn->plan.remove, join);
      if (turn->plan.drop_parts) DropParts(turn, join);
    });
  }));
  MarkPods(turn, turn->plan.mark_first, marked);
}

void JobController::Sync(const TurnPtr& turn) {
  const kube::VcJobPhase phase = turn->job->status.phase;
  turn->plugins = MakePlugins(turn->job->spec);
  if (phase == kube::VcJobPhase::kPending || phase == kube::VcJobPhase::kRunning) {
    return SyncActive(turn);
  }
  turn->plan = PlanJob(*turn->job, turn->owned->pods, {}, false, client_.loop().Now());
  const AsyncJoin join(scope_.Guard([this, turn](bool ok) { Conclude(turn, ok); }));
  RemovePods(turn, turn->plan.remove, join);
  if (turn->plan.drop_parts) DropParts(turn, join);
}

void JobController::SyncActive(const TurnPtr& turn) {
  Prepare(turn, [this, turn](bool ready) {
    const bool admitted = turn->group && turn->group->phase != kube::PodGroupPhase::kNone &&
                          turn->group->phase != kube::PodGroupPhase::kPending;
    turn->plan =
        PlanJob(*turn->job, turn->owned->pods, {}, ready && admitted, client_.loop().Now());
    const AsyncJoin join(scope_.Guard(
        [this, turn, ready](bool ok) { Conclude(turn, ok && (ready || turn->waits)); }));
    RemovePods(turn, turn->plan.remove, join);
    MakePods(turn, join);
  });
}

// Counts what there is after all that was done, and says it.
void JobController::Conclude(const TurnPtr& turn, bool ok) {
  const kube::VcJob& job = *turn->job;
  State& state = *turn->state;
  turn->plan = PlanJob(job, turn->owned->pods, {}, false, client_.loop().Now());
  kube::VcJobStatus status = turn->plan.status;
  status.controlled_resources = turn->controlled;
  if (status == job.status) return turn->Finish(ok);
  const Duration since = Now() - state.written_at;
  if (SameButCounts(status, job.status) && since < kCountEvery) {
    Wake(turn, kCountEvery - since);
    return turn->Finish(ok);
  }
  WriteStatus(turn, status, [turn, ok](bool written) { turn->Finish(ok && written); });
}

}  // namespace basalt::controllers
