#include "scheduler/effects/queue_writer.h"

#include <string>
#include <utility>

#include "scheduler/effects/write_bodies.h"

namespace basalt::scheduler {

void QueueWriter::Write(const model::QueueStatus& status) {
  std::string patch = QueueStatusPatch(status);
  if (patch.empty()) return;
  auto send = [this, queue = status.queue,
               patch = std::move(patch)](WriteLanes::Done done) mutable {
    // The next look at the queues finds what is not right.
    auto answered = [done = std::move(done)](const Result<kube::ApiResponse>&) mutable { done(); };
    writing_.client.Patch({kube::resources::kQueues, "", queue->meta.name, "status"},
                          kube::PatchKind::kMerge, std::move(patch),
                          scope_.Guard(std::move(answered)));
  };
  writing_.lanes.Add(Lane::kStatus, status.queue->meta.uid, std::move(send));
}

void QueueWriter::Write(const model::QueueEvent& event) {
  writing_.events.Record(kube::ReferenceTo(*event.queue), kube::EventType::kWarning, event.reason,
                         event.message);
}

}  // namespace basalt::scheduler
