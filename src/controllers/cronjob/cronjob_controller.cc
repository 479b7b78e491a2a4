#include "controllers/cronjob/cronjob_controller.h"

#include <fmt/format.h>

#include <utility>

#include "kube/types/codec.h"
#include "kube/types/reasons.h"
#include "kube/types/time.h"

namespace basalt::controllers {
namespace {

namespace resources = kube::resources;

constexpr std::string_view kByCron = "cron";

const kube::OwnerReference* CronOwner(const kube::ObjectMeta& meta) {
  const kube::OwnerReference* owner = meta.Controller();
  const bool is_cron = owner && owner->kind == resources::kVcCronJobs.kind &&
                       owner->api_version.starts_with("batch.volcano.sh/");
  return is_cron ? owner : nullptr;
}

}  // namespace

struct CronJobController::Turn {
  std::string key;
  std::shared_ptr<WorkQueue::Done> done;
  CronPtr cron;
  CronBooks books;
  kube::TimeZone zone;
  std::optional<Time> last_schedule;

  void Finish(bool ok) {
    if (done) (*std::exchange(done, nullptr))(ok);
  }
};

CronJobController::CronJobController(kube::Client& client, kube::EventRecorder& events)
    : client_(client),
      events_(events),
      crons_(client, [this](const auto& event) { OnCron(event); }),
      jobs_(client, [this](const auto& event) { OnJob(event); }),
      work_(client.loop(), {.first_retry = 100ms},
            [this](const std::string& key, WorkQueue::Done done) {
              Reconcile(key, std::move(done));
            }) {
  jobs_.AddIndex(std::string(kByCron), [](const kube::VcJob& job) {
    const kube::OwnerReference* owner = CronOwner(job.meta);
    return owner ? std::vector{owner->uid} : std::vector<std::string>();
  });
}

void CronJobController::Start() {
  crons_.Start();
  jobs_.Start();
}

void CronJobController::OnCron(const kube::InformerEvent<kube::VcCronJob>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) return LookAtAll();
  const kube::VcCronJob& cron = event.object ? *event.object : *event.old_object;
  const std::string key = cron.meta.Key();
  if (!event.object) {
    memories_.erase(key);
    return;
  }
  Memory& memory = memories_[key];
  if (memory.uid != cron.meta.uid) memory = {.uid = cron.meta.uid};
  if (event.old_object && (event.old_object->schedule != cron.schedule ||
                           event.old_object->time_zone != cron.time_zone)) {
    memory.changed = client_.loop().Now();
  }
  work_.Add(key);
}

void CronJobController::OnJob(const kube::InformerEvent<kube::VcJob>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) return LookAtAll();
  const kube::VcJob& job = event.object ? *event.object : *event.old_object;
  const kube::OwnerReference* owner = CronOwner(job.meta);
  if (!owner) return;
  const bool changed = !event.object || !event.old_object ||
                       event.object->status.phase != event.old_object->status.phase ||
                       event.object->meta.deleting() != event.old_object->meta.deleting();
  if (changed) work_.Add(kube::ObjectKey(job.meta.ns, owner->name));
}

void CronJobController::LookAtAll() {
  if (!HasSynced()) return;
  for (const CronPtr& cron : crons_.store().Sorted()) work_.Add(cron->meta.Key());
}

void CronJobController::Say(const kube::VcCronJob& cron, kube::EventType type,
                            std::string_view reason, std::string_view message) {
  events_.Record(kube::ReferenceTo(cron), type, reason, message);
}

void CronJobController::Wake(const std::string& key, Memory& memory, Duration delay) {
  const Duration at = client_.loop().Monotonic() + delay;
  if (memory.wakes_at >= Duration::zero() && memory.wakes_at <= at) return;
  memory.wakes_at = at;
  work_.AddAfter(key, delay);
}

void CronJobController::Reconcile(const std::string& key, WorkQueue::Done done) {
  if (!HasSynced()) return done(true);
  const std::size_t slash = key.find('/');
  auto turn = std::make_shared<Turn>();
  turn->key = key;
  turn->done = std::make_shared<WorkQueue::Done>(std::move(done));
  turn->cron = crons_.store().Find(std::string_view(key).substr(0, slash),
                                   std::string_view(key).substr(slash + 1));
  if (!turn->cron || turn->cron->meta.deleting()) return turn->Finish(true);
  Memory& memory = memories_[key];
  if (client_.loop().Monotonic() >= memory.wakes_at) memory.wakes_at = Duration{-1};
  turn->books = BalanceBooks(*turn->cron, jobs_.store().FindByIndex(kByCron, turn->cron->meta.uid));
  turn->last_schedule = turn->cron->last_schedule_time;
  TidyUp(turn);
}

void CronJobController::TidyUp(const TurnPtr& turn) {
  for (const auto& job : turn->books.ended) {
    Say(*turn->cron, kube::EventType::kNormal, reasons::kSawCompletedJob,
        fmt::format("Job {} has ended: {}", job->meta.name, ToString(job->status.phase)));
  }
  const AsyncJoin join(scope_.Guard([this, turn](bool ok) {
    if (!ok) return turn->Finish(false);
    if (turn->cron->suspend) return WriteStatus(turn);
    Schedule(turn);
  }));
  for (const auto& job : turn->books.too_old)
    DeleteJob(turn, *job, reasons::kSuccessfulDelete, join);
}

void CronJobController::DeleteJob(const TurnPtr& turn, const kube::VcJob& job,
                                  std::string_view reason, const AsyncJoin& join) {
  client_.Delete({resources::kVcJobs, job.meta.ns, job.meta.name},
                 {.propagation = "Background", .uid = job.meta.uid},
                 scope_.Guard([this, turn, join, reason = std::string(reason),
                               name = job.meta.name](const Result<kube::ApiResponse>& result) {
                   if (result) {
                     return Say(*turn->cron, kube::EventType::kNormal, reason,
                                fmt::format("Deleted job {}", name));
                   }
                   if (result.error().code == ErrorCode::kNotFound ||
                       result.error().code == ErrorCode::kConflict) {
                     return;
                   }
                   Say(*turn->cron, kube::EventType::kWarning, reasons::kFailedDelete,
                       fmt::format("Job {}: {}", name, result.error().message));
                   join.Fail();
                 }));
}

void CronJobController::Schedule(const TurnPtr& turn) {
  const kube::VcCronJob& cron = *turn->cron;
  const Result<kube::CronSchedule> schedule = kube::CronSchedule::Parse(cron.schedule);
  if (!schedule) {
    Say(cron, kube::EventType::kWarning, reasons::kInvalidSchedule,
        fmt::format("spec.schedule: {}", schedule.error().message));
    return WriteStatus(turn);
  }
  if (cron.time_zone) {
    const Result<kube::TimeZone> zone = kube::TimeZone::Load(*cron.time_zone);
    if (!zone) {
      Say(cron, kube::EventType::kWarning, reasons::kInvalidTimeZone,
          fmt::format("spec.timeZone: {}", zone.error().message));
      return WriteStatus(turn);
    }
    turn->zone = *zone;
  }
  Memory& memory = memories_[turn->key];
  const Time now = client_.loop().Now();
  const CronDue found = FindDue(cron, *schedule, turn->zone, memory.changed, now);
  if (found.next) Wake(turn->key, memory, std::max<Duration>(*found.next - now, 1ms));
  if (!found.due) return WriteStatus(turn);
  if (found.many_missed) {
    Say(cron, kube::EventType::kWarning, reasons::kTooManyMissedTimes,
        "more than 100 times were missed; only the last of them is made up for: set "
        "spec.startingDeadlineSeconds, or look at the clock");
  }
  if (cron.concurrency == kube::VcCronJob::Concurrency::kForbid && !turn->books.active.empty()) {
    if (memory.forbidden != found.due) {
      memory.forbidden = found.due;
      Say(cron, kube::EventType::kNormal, reasons::kForbidConcurrent,
          fmt::format("Not starting the job of {}: {} has not ended", kube::FormatTime(*found.due),
                      turn->books.active.front()->meta.name));
    }
    return WriteStatus(turn);
  }
  const AsyncJoin join(scope_.Guard([this, turn, due = *found.due](bool ok) {
    if (!ok) return turn->Finish(false);
    MakeJob(turn, due);
  }));
  if (cron.concurrency == kube::VcCronJob::Concurrency::kReplace) {
    const std::string name = CronJobName(cron, *found.due);
    std::erase_if(turn->books.active, [&](const auto& job) {
      if (job->meta.name == name) return false;  // made already, before its time was written down
      DeleteJob(turn, *job, reasons::kReplaceConcurrent, join);
      return true;
    });
  }
}

void CronJobController::MakeJob(const TurnPtr& turn, Time due) {
  const kube::VcCronJob& cron = *turn->cron;
  client_.Create({resources::kVcJobs, cron.meta.ns}, CronJobBody(cron, due, turn->zone),
                 scope_.Guard([this, turn, due](const Result<kube::ApiResponse>& result) {
                   const kube::VcCronJob& made_for = *turn->cron;
                   const std::string name = CronJobName(made_for, due);
                   if (!result && result.error().code != ErrorCode::kAlreadyExists) {
                     Say(made_for, kube::EventType::kWarning, reasons::kFailedCreate,
                         fmt::format("Job {}: {}", name, result.error().message));
                     return turn->Finish(false);
                   }
                   if (result) {
                     Say(made_for, kube::EventType::kNormal, reasons::kSuccessfulCreate,
                         fmt::format("Created job {}", name));
                     if (const auto job = kube::Decode<kube::VcJob>(result->body)) {
                       turn->books.active.push_back(std::make_shared<const kube::VcJob>(*job));
                     }
                   }
                   turn->last_schedule = due;
                   WriteStatus(turn);
                 }));
}

void CronJobController::WriteStatus(const TurnPtr& turn) {
  const kube::VcCronJob& cron = *turn->cron;
  std::string patch =
      CronStatusPatch(cron, turn->books.active, turn->last_schedule, turn->books.last_successful);
  if (patch.empty()) return turn->Finish(true);
  client_.Patch({resources::kVcCronJobs, cron.meta.ns, cron.meta.name, "status"},
                kube::PatchKind::kMerge, std::move(patch),
                scope_.Guard([turn](const Result<kube::ApiResponse>& result) {
                  turn->Finish(result || result.error().code == ErrorCode::kNotFound);
                }));
}

}  // namespace basalt::controllers
