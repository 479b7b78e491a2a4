#include "scheduler/effects/pod_writer.h"

#include <fmt/core.h>

#include <utility>

#include "kube/types/codec.h"
#include "kube/types/reasons.h"
#include "model/bound_queue.h"
#include "scheduler/effects/write_bodies.h"

namespace basalt::scheduler {
namespace {

Error CalledOff(const char* why) { return {.code = ErrorCode::kCancelled, .message = why}; }

}  // namespace

PodWriter::PodWriter(Writing& writing, EvictionWriter& evictions, VolumeBinder::Options volumes,
                     const Signer* signer)
    : writing_(writing),
      evictions_(evictions),
      signer_(signer),
      volumes_(writing.client, volumes) {}

// ---- what is wanted

void PodWriter::Write(model::Promise promise) {
  const std::string uid = promise.pod->meta.uid;
  if (!promise.reason.empty() && writing_.said.MaySay(uid, promise.reason, promise.message)) {
    writing_.events.Record(kube::ReferenceTo(*promise.pod), kube::EventType::kWarning,
                           reasons::kFailedScheduling, promise.message);
  }
  evictions_.CallOff(WantPromise(At(uid), std::move(promise)),
                     CalledOff("the pod that it was for goes elsewhere"));
  Advance(uid);
}

void PodWriter::Write(const model::PodWaits& waits) {
  const std::string& uid = waits.pod->meta.uid;
  if (!writing_.said.MaySay(uid, waits.reason, waits.message)) return;
  writing_.events.Record(kube::ReferenceTo(*waits.pod), kube::EventType::kWarning,
                         reasons::kFailedScheduling, waits.message);
  WantReason(At(uid), waits);
  Advance(uid);
}

void PodWriter::Write(const model::Ungate& ungate) {
  const std::string& uid = ungate.pod->meta.uid;
  WantUngated(At(uid), ungate);
  Advance(uid);
}

void PodWriter::Write(model::Bind bind) {
  const std::string uid = bind.pod->meta.uid;
  writing_.said.Forget(uid);
  evictions_.CallOff(WantBound(At(uid), std::make_shared<const model::Bind>(std::move(bind))),
                     CalledOff("the pod that it was for is placed"));
  writing_.lanes.Drop(Lane::kGate, uid);  // the bind sees to it
  Advance(uid);
}

void PodWriter::Write(const model::PodEvent& event) {
  writing_.events.Record(kube::ReferenceTo(*event.pod),
                         event.warning ? kube::EventType::kWarning : kube::EventType::kNormal,
                         event.reason, event.message);
}

void PodWriter::Forget(const std::string& uid) {
  writing_.said.Forget(uid);
  const auto it = pods_.find(uid);
  if (it == pods_.end()) return;
  evictions_.CallOff(std::move(it->second->victims), CalledOff("the pod that it was for is gone"));
  pods_.erase(it);
}

PodProgress& PodWriter::At(const std::string& uid) {
  std::unique_ptr<PodProgress>& pod = pods_[uid];
  if (!pod) pod = std::make_unique<PodProgress>();
  return *pod;
}

PodProgress* PodWriter::Find(const std::string& uid) {
  const auto it = pods_.find(uid);
  return it == pods_.end() ? nullptr : it->second.get();
}

// ---- steps

Lane PodWriter::LaneOf(const PodProgress& pod, PodStep step) {
  if (pod.bind) return Lane::kBind;
  if (step == PodStep::kUngate) return Lane::kGate;
  return pod.to_say.nominated_node ? Lane::kNominate : Lane::kStatus;
}

void PodWriter::Advance(const std::string& uid) {
  PodProgress* pod = Find(uid);
  if (!pod || pod->sent != PodStep::kNothing || writing_.stopped) return;
  const PodStep step = NextStep(*pod);
  if (step == PodStep::kNothing || step == PodStep::kEvict) {
    pod->to_say = {};  // it stands there
    for (model::Evict& victim : std::exchange(pod->victims, {})) {
      evictions_.Write(std::move(victim));
    }
    if (IsBlank(*pod)) pods_.erase(uid);
    return;
  }
  const Lane lane = LaneOf(*pod, step);
  writing_.lanes.Add(
      lane, uid, [this, uid, lane](Done done) { Begin(uid, lane, std::move(done)); },
      pod->pod->meta.ns);
}

void PodWriter::Begin(const std::string& uid, Lane lane, Done done) {
  PodProgress* pod = Find(uid);
  const PodStep step = pod ? NextStep(*pod) : PodStep::kNothing;
  const bool is_here = pod && LaneOf(*pod, step) == lane;
  switch (is_here ? step : PodStep::kNothing) {
    case PodStep::kSay: return Say(uid, *pod, std::move(done));
    case PodStep::kUngate: return Ungate(uid, *pod, std::move(done));
    case PodStep::kVolumes: return BindVolumes(uid, *pod, std::move(done));
    case PodStep::kBind: return Bind(uid, *pod, std::move(done));
    case PodStep::kNothing:
    case PodStep::kEvict:
      done();  // another lane took it along, or it is not wanted any more
      Advance(uid);
  }
}

void PodWriter::Say(const std::string& uid, PodProgress& pod, Done done) {
  std::string patch = WaitingStatusPatch(*pod.pod, BeginSaying(pod), writing_.loop().Now());
  auto answered = [this, uid, done = std::move(done)](const Result<kube::ApiResponse>& r) mutable {
    PodProgress* now = Find(uid);
    if (now && r) SaidWell(*now);
    if (now && !r) SayFailed(uid, *now, r.error());
    done();
    Advance(uid);
  };
  writing_.client.Patch(PodTarget(*pod.pod, "status"), kube::PatchKind::kStrategic,
                        std::move(patch), scope_.Guard(std::move(answered)));
}

// While nothing is known of what the pod says, the write is worth repeating: a bind, or a newer
// write that succeeds, ends that.
void PodWriter::SayFailed(const std::string& uid, PodProgress& pod, const Error& why) {
  constexpr Duration kRetry = 2s;
  WaitingStatus failed = SayingFailed(pod);
  writing_.said.Forget(uid);  // it is said again when it matters
  const bool promised_another = pod.to_say.nominated_node.has_value();
  if (!promised_another) evictions_.CallOff(std::exchange(pod.victims, {}), why);
  if (pod.placed) return;
  if (why.code == ErrorCode::kNotFound) return Forget(uid);
  const bool hopeless = why.code == ErrorCode::kConflict || why.code == ErrorCode::kInvalid ||
                        why.code == ErrorCode::kInvalidArgument ||
                        why.code == ErrorCode::kForbidden || why.code == ErrorCode::kCancelled;
  if (hopeless) return;
  writing_.loop().Schedule(kRetry, scope_.Guard([this, uid, failed = std::move(failed)] {
    PodProgress* now = Find(uid);
    if (!now || !now->unsure || now->sent != PodStep::kNothing || !now->to_say.empty()) return;
    now->to_say = failed;
    Advance(uid);
  }));
}

void PodWriter::Ungate(const std::string& uid, PodProgress& pod, Done done) {
  pod.sent = PodStep::kUngate;
  pod.ungate = false;
  auto answered = [this, uid, task = pod.task, on = pod.pod,
                   done = std::move(done)](const Result<kube::ApiResponse>& r) mutable {
    // Of a pod that is gone there is nothing to say.
    if (!r && r.error().code != ErrorCode::kNotFound) {
      writing_.events.Record(
          kube::ReferenceTo(*on), kube::EventType::kWarning, reasons::kGateRemovalFailed,
          fmt::format("the queue has admitted the pod, and its queue-allocation gate cannot "
                      "be removed: {}; it is tried again",
                      r.error().message));
    }
    writing_.Report(model::Outcome::Kind::kUngate, task, *on, Succeeded(r));
    PodProgress* now = Find(uid);
    if (now) UngateEnded(*now, r.has_value());
    const BindPtr bind = now ? now->bind : nullptr;
    if (bind && !r) {
      EndBind(uid, bind, std::unexpected(r.error().Wrap("removing the queue-allocation gate")),
              r.error().code == ErrorCode::kNotFound);
    } else if (bind && NextStep(*now) == PodStep::kBind) {
      return Bind(uid, *now, std::move(done));  // the gate and the bind are one turn
    }
    done();
    Advance(uid);
  };
  writing_.client.Patch(PodTarget(*pod.pod), kube::PatchKind::kStrategic, UngatePatch(*pod.pod),
                        scope_.Guard(std::move(answered)));
}

void PodWriter::BindVolumes(const std::string& uid, PodProgress& pod, Done done) {
  pod.sent = PodStep::kVolumes;
  auto bound = [this, uid, bind = pod.bind](Result<void> result) {
    PodProgress* now = Find(uid);
    if (writing_.stopped || !now || now->bind != bind)
      return;  // the scheduler that leads now binds it
    if (result) {
      VolumesBound(*now);
    } else {
      EndBind(uid, bind, std::move(result));
    }
    Advance(uid);
  };
  volumes_.Write(pod.bind, [this, bind = pod.bind, bound = std::move(bound),
                            done = std::move(done)](Result<void> written) mutable {
    done();  // while others do their part, this takes nothing of the budget
    if (!written) return bound(std::move(written));
    volumes_.WaitUntilBound(bind, std::move(bound));
  });
}

void PodWriter::Bind(const std::string& uid, PodProgress& pod, Done done) {
  pod.sent = PodStep::kBind;
  const BindPtr bind = pod.bind;
  auto answered = [this, uid, bind,
                   done = std::move(done)](const Result<kube::ApiResponse>& r) mutable {
    if (!r) return ConfirmBind(uid, bind, r.error(), std::move(done));
    EndBind(uid, bind, {});
    done();
    Advance(uid);
  };
  const bool say_queue = signer_ && !bind->queue.empty();
  const std::string record =
      say_queue ? model::SealBoundQueue(*signer_, *bind->pod, bind->queue) : "";
  writing_.client.Create(PodTarget(*bind->pod, "binding"),
                         BindingBody(*bind->pod, bind->node, record),
                         scope_.Guard(std::move(answered)));
}

void PodWriter::ConfirmBind(const std::string& uid, const BindPtr& bind, Error error, Done done) {
  auto answered = [this, uid, bind, error = std::move(error),
                   done = std::move(done)](const Result<kube::ApiResponse>& r) mutable {
    const Result<kube::Pod> pod =
        r ? kube::Decode<kube::Pod>(r->body) : Result<kube::Pod>(std::unexpected(r.error()));
    const bool same = pod && pod->meta.uid == bind->pod->meta.uid;
    const bool gone = pod ? !same : pod.error().code == ErrorCode::kNotFound;
    if (gone) error.code = ErrorCode::kNotFound;
    const bool bound = same && pod->spec.node_name == bind->node;
    EndBind(uid, bind, bound ? Result<void>() : Result<void>(std::unexpected(std::move(error))),
            gone);
    done();
    Advance(uid);
  };
  writing_.client.Get(PodTarget(*bind->pod), scope_.Guard(std::move(answered)));
}

void PodWriter::EndBind(const std::string& uid, const BindPtr& bind, Result<void> result,
                        bool gone) {
  PodProgress* pod = Find(uid);
  if (pod && pod->bind == bind) BindEnded(*pod);
  const kube::ObjectReference about = kube::ReferenceTo(*bind->pod);
  if (result) {
    writing_.events.Record(
        about, kube::EventType::kNormal, reasons::kScheduled,
        fmt::format("Successfully assigned {} to {}", bind->pod->meta.Key(), bind->node));
  } else if (pod && !gone) {
    writing_.events.Record(about, kube::EventType::kWarning, reasons::kFailedScheduling,
                           fmt::format("binding to {}: {}", bind->node, result.error().message));
  }
  writing_.Report(model::Outcome::Kind::kBind, bind->task, *bind->pod, std::move(result));
}

}  // namespace basalt::scheduler
