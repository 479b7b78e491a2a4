#include "scheduler/effects/effects.h"

#include <fmt/core.h>

#include <utility>

#include "kube/types/codec.h"

namespace basalt::scheduler {
namespace {

namespace resources = kube::resources;

// A status that was written and did not come back in the watch may be lost.
constexpr Duration kSayAgain = 60s;
// Figures in a message (how many nodes, how many pods) change all the time.
constexpr Duration kSayInOtherWords = 10s;

kube::Target PodTarget(const kube::Pod& pod, std::string_view subresource = "") {
  return {resources::kPods, pod.meta.ns, pod.meta.name, subresource};
}

Result<void> Succeeded(const Result<kube::ApiResponse>& response) {
  if (response) return {};
  return std::unexpected(response.error());
}

}  // namespace

Effects::Effects(kube::Client& client, kube::EventRecorder& events, EffectsOptions options,
                 std::function<void(Outcome)> report)
    : client_(client),
      events_(events),
      options_(options),
      report_(std::move(report)),
      said_(client.loop(), kSayAgain, kSayInOtherWords),
      lanes_(client.loop(), options.budget) {
  // Events wait for a quiet moment: one per pod would halve the rate of binds.
  lanes_.OnIdleChange([this](bool idle) { events_.SetBusy(!idle); });
}

void Effects::Submit(std::vector<model::Intent> intents) {
  if (stopped_) return;
  for (model::Intent& intent : intents) {
    std::visit([this](auto& one) { Carry(std::move(one)); }, intent);
  }
}

void Effects::Report(Outcome::Kind kind, model::TaskId task, const kube::Pod& pod,
                     Result<void> result) {
  report_({.kind = kind, .task = task, .uid = pod.meta.uid, .result = std::move(result)});
}

// ---- binds

void Effects::Carry(model::Bind bind) {
  const std::string key = bind.pod->meta.uid;
  pod_status_.erase(key);  // it waits no longer
  said_.Forget(key);
  auto shared = std::make_shared<model::Bind>(std::move(bind));
  lanes_.Add(Lane::kBind, key, [this, shared](WriteLanes::Done done) {
    auto answered = [this, shared, done = std::move(done)](Result<kube::ApiResponse> r) mutable {
      if (!r) return ConfirmBind(shared, r.error(), std::move(done));
      FinishBind(*shared, {});
      done();
    };
    client_.Create(PodTarget(*shared->pod, "binding"), BindingBody(*shared->pod, shared->node),
                   scope_.Guard(std::move(answered)));
  });
}

void Effects::ConfirmBind(std::shared_ptr<model::Bind> bind, Error error, WriteLanes::Done done) {
  auto answered = [this, bind, error = std::move(error),
                   done = std::move(done)](Result<kube::ApiResponse> r) mutable {
    Result<void> result = std::unexpected(std::move(error));
    if (r) {
      const Result<kube::Pod> pod = kube::Decode<kube::Pod>(r->body);
      if (pod && pod->meta.uid == bind->pod->meta.uid && pod->spec.node_name == bind->node) {
        result = {};
      }
    }
    FinishBind(*bind, std::move(result));
    done();
  };
  client_.Get(PodTarget(*bind->pod), scope_.Guard(std::move(answered)));
}

void Effects::FinishBind(const model::Bind& bind, Result<void> result) {
  const kube::ObjectReference about = kube::ReferenceTo(*bind.pod);
  if (result) {
    events_.Record(about, kube::EventType::kNormal, "Scheduled",
                   fmt::format("Successfully assigned {} to {}", bind.pod->meta.Key(), bind.node));
  } else {
    events_.Record(about, kube::EventType::kWarning, "FailedScheduling",
                   fmt::format("binding to {}: {}", bind.node, result.error().message));
  }
  Report(Outcome::Kind::kBind, bind.task, *bind.pod, std::move(result));
}

// ---- evictions

void Effects::Carry(model::Evict evict) {
  const std::string key = evict.pod->meta.uid;
  auto shared = std::make_shared<model::Evict>(std::move(evict));
  lanes_.Add(Lane::kEvict, key, [this, shared](WriteLanes::Done done) {
    auto answered = [this, shared, done = std::move(done)](Result<kube::ApiResponse> r) mutable {
      Result<void> result = Succeeded(r);
      // Gone already is as good.
      if (!result && result.error().code == ErrorCode::kNotFound) result = {};
      if (result) {
        events_.Record(
            kube::ReferenceTo(*shared->pod), kube::EventType::kNormal, "Evict",
            shared->beneficiary.empty()
                ? fmt::format("evicted by {}", shared->reason)
                : fmt::format("evicted by {} for {}", shared->reason, shared->beneficiary));
      }
      Report(Outcome::Kind::kEvict, shared->task, *shared->pod, std::move(result));
      done();
    };
    // A disruption budget that says no is an answer, not a reason to insist.
    const kube::CallOptions once{.retry = false};
    if (options_.eviction == EffectsOptions::Eviction::kDelete) {
      client_.Delete(PodTarget(*shared->pod), {.uid = shared->pod->meta.uid},
                     scope_.Guard(std::move(answered)), once);
    } else {
      client_.Create(PodTarget(*shared->pod, "eviction"), EvictionBody(*shared->pod),
                     scope_.Guard(std::move(answered)), once);
    }
  });
}

// ---- gates

void Effects::Carry(model::Ungate ungate) {
  const std::string key = ungate.pod->meta.uid;
  auto shared = std::make_shared<model::Ungate>(std::move(ungate));
  lanes_.Add(Lane::kGate, key, [this, shared](WriteLanes::Done done) {
    auto answered = [this, shared, done = std::move(done)](Result<kube::ApiResponse> r) mutable {
      Report(Outcome::Kind::kUngate, shared->task, *shared->pod, Succeeded(r));
      done();
    };
    client_.Patch(PodTarget(*shared->pod), kube::PatchKind::kStrategic, UngatePatch(*shared->pod),
                  scope_.Guard(std::move(answered)));
  });
}

// ---- what waiting pods say

void Effects::Carry(model::Nominate nominate) {
  said_.Forget(nominate.pod->meta.uid);
  SetWaitingStatus(nominate.pod, Lane::kNominate, {.nominated_node = nominate.node});
}

void Effects::Carry(model::PodWaits waits) {
  if (!said_.MaySay(waits.pod->meta.uid, waits.reason, waits.message)) return;
  events_.Record(kube::ReferenceTo(*waits.pod), kube::EventType::kWarning, "FailedScheduling",
                 waits.message);
  SetWaitingStatus(waits.pod, Lane::kStatus,
                   {.not_scheduled = WaitingStatus::Condition{waits.reason, waits.message}});
}

void Effects::SetWaitingStatus(const PodPtr& pod, Lane lane, WaitingStatus change) {
  const std::string& uid = pod->meta.uid;
  PendingStatus& pending = pod_status_[uid];
  pending.pod = pod;
  if (change.nominated_node) pending.status.nominated_node = std::move(change.nominated_node);
  if (change.not_scheduled) pending.status.not_scheduled = std::move(change.not_scheduled);
  lanes_.Add(lane, uid, [this, uid](WriteLanes::Done done) {
    const auto it = pod_status_.find(uid);
    if (it == pod_status_.end()) return done();  // another lane took it along, or it is bound
    const PendingStatus now = std::move(it->second);
    pod_status_.erase(it);
    std::string patch = WaitingStatusPatch(*now.pod, now.status, client_.loop().Now());
    if (patch.empty()) return done();
    client_.Patch(PodTarget(*now.pod, "status"), kube::PatchKind::kStrategic, std::move(patch),
                  scope_.Guard([this, uid, done = std::move(done)](
                                   const Result<kube::ApiResponse>& r) mutable {
                    // A lost one is said again when it matters: the watch shows it.
                    if (!r) said_.Forget(uid);
                    done();
                  }));
  });
}

void Effects::Carry(model::PodEvent event) {
  events_.Record(kube::ReferenceTo(*event.pod),
                 event.warning ? kube::EventType::kWarning : kube::EventType::kNormal, event.reason,
                 event.message);
}

// ---- groups

void Effects::Carry(model::GroupStatus status) {
  const std::string key = status.group->meta.uid;
  std::string headline = fmt::format("{} {} {} {}", model::ToString(status.phase), status.running,
                                     status.succeeded, status.failed);
  std::string text;
  for (const model::GroupCondition& condition : status.conditions) {
    headline += fmt::format(" {}/{}", condition.type, condition.reason);
    text += condition.message;
  }
  if (!said_.MaySay(key, headline, text)) return;
  SayGroupEvents(status);
  auto shared = std::make_shared<model::GroupStatus>(std::move(status));
  lanes_.Add(Lane::kStatus, key, [this, shared](WriteLanes::Done done) {
    WriteGroupStatus(shared, 3, std::move(done));
  });
}

// Volcano's words and reasons.
void Effects::SayGroupEvents(const model::GroupStatus& status) {
  const kube::ObjectReference about = kube::ReferenceTo(*status.group);
  for (const model::GroupCondition& condition : status.conditions) {
    if (condition.type == "Unschedulable") {
      events_.Record(about, kube::EventType::kWarning, condition.type, condition.message);
    } else if (condition.type == "Scheduled") {
      events_.Record(about, kube::EventType::kNormal, condition.type, "pod group is ready");
    }
  }
}

void Effects::WriteGroupStatus(std::shared_ptr<model::GroupStatus> status, int attempts_left,
                               WriteLanes::Done done) {
  const kube::PodGroup& group = *status->group;
  std::string patch = GroupStatusPatch(group, *status, client_.loop().Now());
  if (patch.empty()) return done();
  const kube::Target target{resources::kPodGroups, group.meta.ns, group.meta.name, "status"};
  auto written = [this, status, attempts_left,
                  done = std::move(done)](Result<kube::ApiResponse> r) mutable {
    if (!r) said_.Forget(status->group->meta.uid);
    const bool stale = !r && r.error().code == ErrorCode::kConflict;
    if (!stale || attempts_left <= 1) return done();
    // Somebody else wrote the group: put ours on top of what it says now.
    auto read = [this, status, attempts_left,
                 done = std::move(done)](Result<kube::ApiResponse> fresh) mutable {
      if (!fresh) return done();
      Result<kube::PodGroup> group = kube::Decode<kube::PodGroup>(fresh->body);
      if (!group || group->meta.uid != status->group->meta.uid) return done();
      status->group = std::make_shared<const kube::PodGroup>(*std::move(group));
      WriteGroupStatus(status, attempts_left - 1, std::move(done));
    };
    const kube::ObjectMeta& meta = status->group->meta;
    client_.Get({resources::kPodGroups, meta.ns, meta.name}, scope_.Guard(std::move(read)));
  };
  client_.Patch(target, kube::PatchKind::kMerge, std::move(patch),
                scope_.Guard(std::move(written)));
}

// ---- queues

void Effects::Carry(model::QueueStatus status) {
  std::string patch = QueueStatusPatch(status);
  if (patch.empty()) return;
  lanes_.Add(Lane::kStatus, status.queue->meta.uid,
             [this, queue = status.queue, patch = std::move(patch)](WriteLanes::Done done) mutable {
               client_.Patch(
                   {resources::kQueues, "", queue->meta.name, "status"}, kube::PatchKind::kMerge,
                   std::move(patch),
                   scope_.Guard([done = std::move(done)](const Result<kube::ApiResponse>&) mutable {
                     done();  // the next look at the queues finds what is not right
                   }));
             });
}

void Effects::Carry(model::QueueEvent event) {
  events_.Record(kube::ReferenceTo(*event.queue), kube::EventType::kWarning, event.reason,
                 event.message);
}

}  // namespace basalt::scheduler
