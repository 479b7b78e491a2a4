#include "scheduler/effects/effects.h"

#include <fmt/core.h>

#include <utility>

#include "kube/types/codec.h"
#include "model/annotations.h"
#include "model/bound_queue.h"

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
      lanes_(client.loop(), options.budget),
      volumes_(client, options.volumes) {
  // Events wait for a quiet moment: one per pod would halve the rate of binds.
  lanes_.OnIdleChange([this](bool idle) { events_.SetBusy(!idle); });
}

void Effects::Submit(std::vector<model::Intent> intents) {
  if (stopped_) return;
  // First all that statuses are to say, so that nomination and condition go in one write.
  for (const model::Intent& intent : intents) {
    if (const auto* nominate = std::get_if<model::Nominate>(&intent)) {
      said_.Forget(nominate->pod->meta.uid);
    }
  }
  std::erase_if(intents, [this](const model::Intent& intent) {
    const auto* waits = std::get_if<model::PodWaits>(&intent);
    return waits && !said_.MaySay(waits->pod->meta.uid, waits->reason, waits->message);
  });
  for (const model::Intent& intent : intents) {
    if (const auto* nominate = std::get_if<model::Nominate>(&intent)) {
      Note(nominate->pod, {.nominated_node = nominate->node, .evictions = nominate->evictions});
    } else if (const auto* waits = std::get_if<model::PodWaits>(&intent)) {
      Note(waits->pod, {.not_scheduled = WaitingStatus::Condition{waits->reason, waits->message}});
    }
  }
  for (model::Intent& intent : intents) {
    std::visit([this](auto& one) { Carry(std::move(one)); }, intent);
  }
}

void Effects::Forget(const std::string& uid) {
  written_.erase(uid);
  said_.Forget(uid);
  ungated_.erase(uid);
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
  written_.erase(key);
  CancelEvictions(key,
                  {.code = ErrorCode::kCancelled, .message = "the pod that it was for is placed"});
  auto shared = std::make_shared<model::Bind>(std::move(bind));
  shared->volumes.empty() ? BindPod(shared) : BindVolumes(shared);
}

void Effects::BindVolumes(const std::shared_ptr<model::Bind>& bind) {
  lanes_.Add(
      Lane::kBind, bind->pod->meta.uid,
      [this, bind](WriteLanes::Done done) {
        auto written = [this, bind, done = std::move(done)](Result<void> result) mutable {
          done();
          if (!result) return FinishBind(*bind, std::move(result));
          // Others do their part now; meanwhile this takes nothing of the budget.
          volumes_.WaitUntilBound(bind, [this, bind](Result<void> bound) {
            if (stopped_) return;  // whoever leads now binds it
            bound ? BindPod(bind) : FinishBind(*bind, std::move(bound));
          });
        };
        volumes_.Write(bind, std::move(written));
      },
      bind->pod->meta.ns);
}

void Effects::BindPod(const std::shared_ptr<model::Bind>& shared) {
  lanes_.Add(
      Lane::kBind, shared->pod->meta.uid,
      [this, shared](WriteLanes::Done done) {
        const std::string& key = shared->pod->meta.uid;
        const bool gone = ungated_.erase(key) > 0 ||
                          !shared->pod->HasGate(model::annotations::kQueueAllocationGate);
        if (gone) return PostBinding(shared, std::move(done));
        // The gate goes first; its own write has nothing left to do.
        lanes_.Drop(Lane::kGate, key);
        auto ungated = [this, shared, done = std::move(done)](Result<kube::ApiResponse> r) mutable {
          FinishUngate(shared->task, *shared->pod, Succeeded(r));
          if (!r) {
            FinishBind(*shared,
                       std::unexpected(r.error().Wrap("removing the queue-allocation gate")));
            return done();
          }
          PostBinding(shared, std::move(done));
        };
        client_.Patch(PodTarget(*shared->pod), kube::PatchKind::kStrategic,
                      UngatePatch(*shared->pod), scope_.Guard(std::move(ungated)));
      },
      shared->pod->meta.ns);
}

void Effects::PostBinding(std::shared_ptr<model::Bind> bind, WriteLanes::Done done) {
  auto answered = [this, bind, done = std::move(done)](Result<kube::ApiResponse> r) mutable {
    if (!r) return ConfirmBind(bind, r.error(), std::move(done));
    FinishBind(*bind, {});
    done();
  };
  const bool say_queue = options_.signer && !bind->queue.empty();
  client_.Create(
      PodTarget(*bind->pod, "binding"),
      BindingBody(
          *bind->pod, bind->node,
          say_queue ? model::SealBoundQueue(*options_.signer, *bind->pod, bind->queue) : ""),
      scope_.Guard(std::move(answered)));
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
  const auto nomination = nominating_.find(evict.beneficiary_uid);
  if (nomination != nominating_.end()) {
    nomination->second.evictions.push_back(std::move(evict));
  } else {
    StartEviction(std::move(evict));
  }
}

void Effects::ReleaseEvictions(const std::string& beneficiary_uid) {
  const auto it = nominating_.find(beneficiary_uid);
  if (it == nominating_.end()) return;
  std::vector<model::Evict> evictions = std::move(it->second.evictions);
  nominating_.erase(it);
  if (stopped_) return;
  for (model::Evict& evict : evictions) StartEviction(std::move(evict));
}

void Effects::CancelEvictions(const std::string& beneficiary_uid, const Error& why) {
  const auto it = nominating_.find(beneficiary_uid);
  if (it == nominating_.end()) return;
  auto evictions = std::make_shared<std::vector<model::Evict>>(std::move(it->second.evictions));
  nominating_.erase(it);
  if (evictions->empty()) return;
  client_.loop().Schedule(Duration::zero(), scope_.Guard([this, evictions, why] {
    for (const model::Evict& evict : *evictions) {
      Report(Outcome::Kind::kEvict, evict.task, *evict.pod, std::unexpected(why));
    }
  }));
}

void Effects::StartEviction(model::Evict evict) {
  const std::string key = evict.pod->meta.uid;
  auto shared = std::make_shared<model::Evict>(std::move(evict));
  lanes_.Add(
      Lane::kEvict, key,
      [this, shared](WriteLanes::Done done) {
        auto answered = [this, shared,
                         done = std::move(done)](Result<kube::ApiResponse> r) mutable {
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
      },
      shared->pod->meta.ns);
}

// ---- gates

void Effects::Carry(model::Ungate ungate) {
  const std::string key = ungate.pod->meta.uid;
  auto shared = std::make_shared<model::Ungate>(std::move(ungate));
  lanes_.Add(
      Lane::kGate, key,
      [this, shared, key](WriteLanes::Done done) {
        auto answered = [this, shared, key,
                         done = std::move(done)](Result<kube::ApiResponse> r) mutable {
          if (r && lanes_.Waits(Lane::kBind, key)) ungated_.insert(key);
          FinishUngate(shared->task, *shared->pod, Succeeded(r));
          done();
        };
        client_.Patch(PodTarget(*shared->pod), kube::PatchKind::kStrategic,
                      UngatePatch(*shared->pod), scope_.Guard(std::move(answered)));
      },
      shared->pod->meta.ns);
}

void Effects::FinishUngate(model::TaskId task, const kube::Pod& pod, Result<void> result) {
  // Of a pod that is gone there is nothing to say.
  if (!result && result.error().code != ErrorCode::kNotFound) {
    events_.Record(
        kube::ReferenceTo(pod), kube::EventType::kWarning, "QueueGateRemovalFailed",
        fmt::format("the queue has admitted the pod, and its queue-allocation gate cannot "
                    "be removed: {}; it is tried again",
                    result.error().message));
  }
  Report(Outcome::Kind::kUngate, task, pod, std::move(result));
}

// ---- what waiting pods say

void Effects::Carry(model::Nominate nominate) {
  WriteWaitingStatus(nominate.pod->meta.uid, Lane::kNominate);
}

void Effects::Carry(model::PodWaits waits) {
  events_.Record(kube::ReferenceTo(*waits.pod), kube::EventType::kWarning, "FailedScheduling",
                 waits.message);
  WriteWaitingStatus(waits.pod->meta.uid, Lane::kStatus);
}

void Effects::Note(const PodPtr& pod, WaitingStatus change) {
  const std::string& uid = pod->meta.uid;
  PendingStatus& pending = pod_status_[uid];
  pending.pod = pod;
  if (change.not_scheduled) pending.status.not_scheduled = std::move(change.not_scheduled);
  if (!change.nominated_node) return;
  if (!change.evictions.empty()) pending.status.evictions = std::move(change.evictions);
  const auto known = nominating_.find(uid);
  if (known != nominating_.end() && known->second.node != *change.nominated_node) {
    CancelEvictions(
        uid, {.code = ErrorCode::kCancelled, .message = "the pod that it was for goes elsewhere"});
  }
  if (!change.nominated_node->empty()) nominating_[uid].node = *change.nominated_node;
  pending.status.nominated_node = std::move(change.nominated_node);
}

void Effects::WriteWaitingStatus(const std::string& uid, Lane lane) {
  const auto known = pod_status_.find(uid);
  const std::string tenant = known == pod_status_.end() ? "" : known->second.pod->meta.ns;
  lanes_.Add(
      lane, uid,
      [this, uid](WriteLanes::Done done) {
        const auto it = pod_status_.find(uid);
        if (it == pod_status_.end()) return done();  // another lane took it along, or it is bound
        auto now = std::make_shared<PendingStatus>(std::move(it->second));
        pod_status_.erase(it);
        std::string patch = WaitingStatusPatch(*AsWritten(now->pod, now->status), now->status,
                                               client_.loop().Now());
        if (patch.empty()) {
          ReleaseEvictions(uid);
          return done();
        }
        auto answered = [this, now, done = std::move(done)](Result<kube::ApiResponse> r) mutable {
          WaitingStatusWritten(*now, r);
          done();
        };
        written_.try_emplace(uid);  // gone again when the pod is bound meanwhile
        client_.Patch(PodTarget(*now->pod, "status"), kube::PatchKind::kStrategic, std::move(patch),
                      scope_.Guard(std::move(answered)));
      },
      tenant);
}

Effects::PodPtr Effects::AsWritten(const PodPtr& pod, const WaitingStatus& wanted) {
  const auto it = written_.find(pod->meta.uid);
  if (it == written_.end()) return pod;
  const WaitingStatus& status = it->second.status;
  const bool same_version = it->second.resource_version == pod->meta.resource_version;
  auto copy = std::make_shared<kube::Pod>(*pod);
  if (status.nominated_node && *status.nominated_node != pod->status.nominated_node_name) {
    // A version between: nobody knows what the API server has. Whatever is wanted is written.
    copy->status.nominated_node_name = same_version || !wanted.nominated_node
                                           ? *status.nominated_node
                                           : *wanted.nominated_node + "?";
  }
  if (same_version && status.not_scheduled) {
    std::erase_if(copy->status.conditions,
                  [](const kube::Condition& c) { return c.type == "PodScheduled"; });
    copy->status.conditions.push_back({.type = "PodScheduled",
                                       .status = kube::ConditionStatus::kFalse,
                                       .reason = status.not_scheduled->reason,
                                       .message = status.not_scheduled->message});
  }
  return copy;
}

void Effects::WaitingStatusWritten(const PendingStatus& what,
                                   const Result<kube::ApiResponse>& response) {
  constexpr Duration kRetry = 2s;
  constexpr std::size_t kMostWritten = 100'000;  // forgotten ones cost a write, no more
  const std::string& uid = what.pod->meta.uid;
  const bool placed = !written_.contains(uid);
  if (response) {
    if (written_.size() >= kMostWritten) written_.clear();
    Written& written = written_[uid];
    written.resource_version = what.pod->meta.resource_version;
    if (what.status.nominated_node) written.status.nominated_node = what.status.nominated_node;
    if (what.status.not_scheduled) written.status.not_scheduled = what.status.not_scheduled;
    if (what.status.nominated_node) ReleaseEvictions(uid);
    if (placed && what.status.nominated_node && !what.status.nominated_node->empty()) {
      // It may have come after the bind.
      Note(what.pod, {.nominated_node = ""});
      WriteWaitingStatus(uid, Lane::kNominate);
    }
    return;
  }
  const ErrorCode code = response.error().code;
  said_.Forget(uid);  // it is said again when it matters
  CancelEvictions(uid, response.error());
  if (placed) return;
  if (code == ErrorCode::kNotFound) return Forget(uid);
  // Nothing is known of what it says. While that stays so, the write is worth repeating: a bind, or
  // a newer write that succeeds, ends it.
  written_[uid] = {};
  const bool hopeless = code == ErrorCode::kConflict || code == ErrorCode::kInvalid ||
                        code == ErrorCode::kInvalidArgument || code == ErrorCode::kForbidden ||
                        code == ErrorCode::kCancelled;
  if (hopeless || pod_status_.contains(uid)) return;
  client_.loop().Schedule(kRetry, scope_.Guard([this, what] {
    const std::string& pod_uid = what.pod->meta.uid;
    if (stopped_ || pod_status_.contains(pod_uid)) return;
    const auto known = written_.find(pod_uid);
    if (known == written_.end() || known->second.status.nominated_node ||
        known->second.status.not_scheduled) {
      return;
    }
    Note(what.pod, what.status);
    WriteWaitingStatus(pod_uid, Lane::kNominate);
  }));
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
  lanes_.Add(
      Lane::kStatus, key,
      [this, shared](WriteLanes::Done done) { WriteGroupStatus(shared, 3, std::move(done)); },
      shared->group->meta.ns);
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
  const bool apart = group_status_apart_;
  const kube::Target target{resources::kPodGroups, group.meta.ns, group.meta.name,
                            apart ? "status" : ""};
  auto written = [this, status, attempts_left, apart,
                  done = std::move(done)](Result<kube::ApiResponse> r) mutable {
    if (GroupStatusIsElsewhere(*status, apart, r) && attempts_left > 1) {
      return WriteGroupStatus(status, attempts_left - 1, std::move(done));
    }
    if (!r) said_.Forget(status->group->meta.uid);
    const bool stale = !r && r.error().code == ErrorCode::kConflict;
    if (!stale || attempts_left <= 1) return done();
    // Somebody else wrote the group: put ours on top of what it says now.
    auto read = [this, status, attempts_left,
                 done = std::move(done)](Result<kube::ApiResponse> fresh) mutable {
      if (!fresh) return done();
      Result<kube::PodGroup> now = kube::Decode<kube::PodGroup>(fresh->body);
      if (!now || now->meta.uid != status->group->meta.uid) return done();
      status->group = std::make_shared<const kube::PodGroup>(*std::move(now));
      WriteGroupStatus(status, attempts_left - 1, std::move(done));
    };
    const kube::ObjectMeta& meta = status->group->meta;
    client_.Get({resources::kPodGroups, meta.ns, meta.name}, scope_.Guard(std::move(read)));
  };
  client_.Patch(target, kube::PatchKind::kMerge, std::move(patch),
                scope_.Guard(std::move(written)));
}

bool Effects::GroupStatusIsElsewhere(const model::GroupStatus& status, bool apart,
                                     const Result<kube::ApiResponse>& answer) {
  const bool not_found = !answer && answer.error().code == ErrorCode::kNotFound;
  if (apart) {
    if (not_found) group_status_apart_ = false;  // or the group is gone, which is not found again
    return not_found;
  }
  if (not_found) group_status_apart_ = true;
  if (!answer) return false;
  // Where it is apart, a status in the object itself is passed over without a word.
  const Result<kube::PodGroup> now = kube::Decode<kube::PodGroup>(answer->body);
  if (!now || GroupStatusPatch(*now, status, client_.loop().Now()).empty()) return false;
  group_status_apart_ = true;
  return true;
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
