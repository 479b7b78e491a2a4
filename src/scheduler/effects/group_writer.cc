#include "scheduler/effects/group_writer.h"

#include <fmt/core.h>

#include <string>
#include <utility>

#include "kube/types/codec.h"
#include "model/group_condition.h"
#include "scheduler/effects/write_bodies.h"

namespace basalt::scheduler {

void GroupWriter::Write(model::GroupStatus status) {
  std::string headline = fmt::format("{} {} {} {}", model::ToString(status.phase), status.running,
                                     status.succeeded, status.failed);
  std::string text;
  for (const model::GroupCondition& condition : status.conditions) {
    headline += fmt::format(" {}/{}", condition.type, condition.reason);
    text += condition.message;
  }
  if (!writing_.said.MaySay(status.group->meta.uid, headline, text)) return;
  SayEvents(status);
  auto shared = std::make_shared<model::GroupStatus>(std::move(status));
  writing_.lanes.Add(
      Lane::kStatus, shared->group->meta.uid,
      [this, shared](WriteLanes::Done done) { Send(shared, 3, status_apart_, std::move(done)); },
      shared->group->meta.ns);
}

// Volcano's words and reasons.
void GroupWriter::SayEvents(const model::GroupStatus& status) {
  const kube::ObjectReference about = kube::ReferenceTo(*status.group);
  for (const model::GroupCondition& condition : status.conditions) {
    if (condition.type == model::kGroupUnschedulable) {
      writing_.events.Record(about, kube::EventType::kWarning, condition.type, condition.message);
    } else if (condition.type == model::kGroupScheduled) {
      writing_.events.Record(about, kube::EventType::kNormal, condition.type, "pod group is ready");
    }
  }
}

void GroupWriter::Send(StatusPtr status, int attempts_left, bool apart, WriteLanes::Done done) {
  const kube::PodGroup& group = *status->group;
  std::string patch = GroupStatusPatch(group, *status, writing_.loop().Now());
  if (patch.empty()) return done();
  const kube::Target target{kube::resources::kPodGroups, group.meta.ns, group.meta.name,
                            apart ? "status" : ""};
  auto answered = [this, status, attempts_left, apart,
                   done = std::move(done)](Result<kube::ApiResponse> r) mutable {
    if (!apart && r && IsPassedOver(*status, *r) && attempts_left > 1) {
      return Send(status, attempts_left - 1, true, std::move(done));
    }
    if (!r) writing_.said.Forget(status->group->meta.uid);
    // No such subresource, or no such group: the answer is the same, and the group itself tells.
    const bool not_there = apart && !r && r.error().code == ErrorCode::kNotFound;
    const bool stale = !r && r.error().code == ErrorCode::kConflict;
    if (!(stale || not_there) || attempts_left <= 1) return done();
    SendOnFresh(status, attempts_left - 1, not_there ? false : status_apart_, std::move(done));
  };
  writing_.client.Patch(target, kube::PatchKind::kMerge, std::move(patch),
                        scope_.Guard(std::move(answered)));
}

void GroupWriter::SendOnFresh(StatusPtr status, int attempts_left, bool apart,
                              WriteLanes::Done done) {
  const kube::ObjectMeta& meta = status->group->meta;
  auto read = [this, status, attempts_left, apart,
               done = std::move(done)](Result<kube::ApiResponse> fresh) mutable {
    if (!fresh) return done();
    Result<kube::PodGroup> group = kube::Decode<kube::PodGroup>(fresh->body);
    if (!group || group->meta.uid != status->group->meta.uid) return done();
    status->group = std::make_shared<const kube::PodGroup>(*std::move(group));
    Send(status, attempts_left, apart, std::move(done));
  };
  writing_.client.Get({kube::resources::kPodGroups, meta.ns, meta.name},
                      scope_.Guard(std::move(read)));
}

// Where it is apart, a status in the object itself is passed over without a word. What is learnt
// from a write that was taken holds for all groups.
bool GroupWriter::IsPassedOver(const model::GroupStatus& status, const kube::ApiResponse& answer) {
  const Result<kube::PodGroup> now = kube::Decode<kube::PodGroup>(answer.body);
  status_apart_ = now && !GroupStatusPatch(*now, status, writing_.loop().Now()).empty();
  return status_apart_;
}

}  // namespace basalt::scheduler
