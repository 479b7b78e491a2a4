#include "controllers/job/gc_controller.h"

#include <optional>

namespace basalt::controllers {
namespace {

// When the job is to go; nothing: not so far.
std::optional<Time> ExpiryOf(const kube::VcJob& job) {
  if (!kube::HasEnded(job.status.phase) || !job.spec.ttl_seconds_after_finished) {
    return std::nullopt;
  }
  return job.status.last_transition_time +
         std::chrono::seconds(*job.spec.ttl_seconds_after_finished);
}

}  // namespace

GcController::GcController(kube::Client& client)
    : client_(client),
      jobs_(client, [this](const auto& event) { OnJob(event); }),
      work_(client.loop(), {}, [this](const std::string& key, WorkQueue::Done done) {
        Reconcile(key, std::move(done));
      }) {}

void GcController::OnJob(const kube::InformerEvent<kube::VcJob>& event) {
  if (!event.object) return;
  const std::optional<Time> expiry = ExpiryOf(*event.object);
  const bool known = event.old_object && ExpiryOf(*event.old_object) == expiry;
  if (expiry && !known) work_.AddAfter(event.object->meta.Key(), *expiry - client_.loop().Now());
}

void GcController::Reconcile(const std::string& key, WorkQueue::Done done) {
  const std::size_t slash = key.find('/');
  const auto job = jobs_.store().Find(std::string_view(key).substr(0, slash),
                                      std::string_view(key).substr(slash + 1));
  const std::optional<Time> expiry = job ? ExpiryOf(*job) : std::nullopt;
  if (!expiry || job->meta.deleting()) return done(true);
  const Time now = client_.loop().Now();
  if (*expiry > now) {
    work_.AddAfter(key, *expiry - now);
    return done(true);
  }
  auto finish = std::make_shared<WorkQueue::Done>(std::move(done));
  client_.Delete({kube::resources::kVcJobs, job->meta.ns, job->meta.name},
                 {.propagation = "Foreground", .uid = job->meta.uid},
                 scope_.Guard([finish](const Result<kube::ApiResponse>& result) {
                   (*finish)(result || result.error().code == ErrorCode::kNotFound ||
                             result.error().code == ErrorCode::kConflict);
                 }));
}

}  // namespace basalt::controllers
