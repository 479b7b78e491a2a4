#include <fmt/format.h>

#include "controllers/job/job_controller_state.h"
#include "kube/types/reasons.h"

// What users ask of jobs by Command (contract C12.5).
namespace basalt::controllers {
namespace {

namespace resources = kube::resources;

bool IsForJob(const kube::Command& command) {
  return command.target && command.target->kind == resources::kVcJobs.kind &&
         command.target->api_version.starts_with("batch.volcano.sh/");
}

}  // namespace

void JobController::OnCommand(const kube::InformerEvent<kube::Command>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) return LookAtAll();
  if (event.object) return Command(*event.object);
  obeyed_.erase(event.old_object->meta.uid);
}

void JobController::Command(const kube::Command& command) {
  if (IsForJob(command) && !command.meta.deleting()) command_work_.Add(command.meta.Key());
}

// The command goes first, so that it is carried out once at most.
void JobController::Obey(const std::string& key, WorkQueue::Done done) {
  if (!HasSynced()) return done(true);
  const std::size_t slash = key.find('/');
  const auto command = commands_.store().Find(std::string_view(key).substr(0, slash),
                                              std::string_view(key).substr(slash + 1));
  if (!command || !IsForJob(*command) || obeyed_.contains(command->meta.uid)) return done(true);
  auto finish = std::make_shared<WorkQueue::Done>(std::move(done));
  client_.Delete(
      {resources::kCommands, command->meta.ns, command->meta.name}, {.uid = command->meta.uid},
      scope_.Guard([this, command, finish](const Result<kube::ApiResponse>& result) {
        // One that is not there any more went with an answer of ours that was lost: no other
        // process obeys it while this one leads.
        if (!result && result.error().code != ErrorCode::kNotFound) return (*finish)(false);
        obeyed_.insert(command->meta.uid);
        (*finish)(true);
        const JobPtr job = jobs_.store().Find(command->meta.ns, command->target->name);
        if (!job || (!command->target->uid.empty() && command->target->uid != job->meta.uid)) {
          return;
        }
        const std::optional<JobAction> action = ParseJobAction(command->action);
        if (!action || ReachOf(*action) != Reach::kJob) {
          return Warn(*job, reasons::kCommandIssued,
                      fmt::format("{} is nothing that a Command can ask of a job: use AbortJob, "
                                  "ResumeJob, RestartJob, TerminateJob or CompleteJob",
                                  command->action));
        }
        events_.Record(kube::ReferenceTo(*job), kube::EventType::kNormal, reasons::kCommandIssued,
                       fmt::format("{} by command {}", command->action, command->meta.name));
        std::shared_ptr<State>& state = states_[job->meta.Key()];
        if (!state || state->uid != job->meta.uid) {
          state = std::make_shared<State>();
          state->uid = job->meta.uid;
        }
        state->wishes.push_back({.event = JobEvent::kCommandIssued,
                                 .action = *action,
                                 .detail = fmt::format("by command {}", command->meta.name)});
        work_.Add(job->meta.Key());
      }));
}

}  // namespace basalt::controllers
