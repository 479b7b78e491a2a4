#include "simnode/pod_runner.h"

#include "base/log.h"
#include "simnode/pod_status.h"

namespace basalt::simnode {
namespace {

constexpr kube::Resource kPods = kube::resources::kPods;
constexpr std::string_view kByNode = "node";

// The pod is gone, or another one has its name: nothing is left to do for this one.
bool IsGone(const Error& error) {
  return error.code == ErrorCode::kNotFound || error.code == ErrorCode::kConflict;
}

}  // namespace

PodRunner::PodRunner(kube::Client& client, Host host, PodRunnerOptions options, PodWarning warn)
    : client_(client),
      host_(std::move(host)),
      warn_(std::move(warn)),
      addresses_("10.1.0.1", 23),
      pods_(client, [this](const auto& event) { OnEvent(event); },
            {.field_selector = "spec.nodeName!="}),
      queue_(client.loop(), {.parallel = options.parallel},
             [this](const std::string& key, WorkQueue::Done done) {
               Reconcile(key, std::move(done));
             }) {
  pods_.AddIndex(std::string(kByNode),
                 [](const kube::Pod& pod) { return std::vector<std::string>{pod.spec.node_name}; });
}

void PodRunner::OnEvent(const kube::InformerEvent<kube::Pod>& event) {
  const kube::Pod* pod = event.object ? event.object.get() : event.old_object.get();
  if (pod == nullptr) return;  // kSynced
  if (event.object && !event.object->status.pod_ip.empty()) {
    addresses_.MarkUsed(event.object->status.pod_ip);
  }
  if (event.kind == kube::InformerEventKind::kDeleted) {
    Forget(pod->meta.Key());
  } else {
    queue_.Add(pod->meta.Key());
  }
}

void PodRunner::OnNode(const std::string& node) {
  for (const auto& pod : pods_.store().FindByIndex(kByNode, node)) queue_.Add(pod->meta.Key());
}

void PodRunner::Forget(const std::string& key) {
  const auto found = records_.find(key);
  if (found == records_.end()) return;
  addresses_.Release(found->second.ip);
  records_.erase(found);
}

PodRunner::Record& PodRunner::RecordOf(const std::string& key, const kube::Pod& pod) {
  if (const auto found = records_.find(key); found != records_.end()) {
    if (found->second.uid == pod.meta.uid) return found->second;
    Forget(key);
  }
  return records_[key] = {.uid = pod.meta.uid,
                          .ip = pod.spec.host_network ? "" : pod.status.pod_ip,
                          .state = StateOf(pod, client_.loop().Now())};
}

void PodRunner::Warn(Record& record, const kube::Pod& pod) {
  if (record.warned || record.state.behaviour.problems.empty()) return;
  record.warned = true;
  for (const std::string& problem : record.state.behaviour.problems) {
    warn_(pod, "InvalidAnnotation", problem);
  }
}

void PodRunner::Reconcile(const std::string& key, WorkQueue::Done done) {
  const std::size_t slash = key.find('/');
  const auto pod = pods_.store().Find(std::string_view(key).substr(0, slash),
                                      std::string_view(key).substr(slash + 1));
  if (pod == nullptr || !host_.is_simulated(pod->spec.node_name)) {
    Forget(key);
    return done(true);
  }
  Record& record = RecordOf(key, *pod);
  UpdateFromPod(record.state, *pod);
  Warn(record, *pod);
  if (record.removed) return done(true);
  const Time now = client_.loop().Now();
  PodStep step = NextStep(record.state, now);
  switch (step.action) {
    case PodStep::Action::kWait:
      if (step.at) queue_.AddAfter(key, *step.at - now);
      return done(true);
    case PodStep::Action::kRemove: return Remove(key, pod, std::move(done));
    case PodStep::Action::kWrite:
      return WriteStatus(key, pod, std::move(*step.next), std::move(done));
  }
}

void PodRunner::WriteStatus(const std::string& key, std::shared_ptr<const kube::Pod> pod,
                            PodState next, WorkQueue::Done done) {
  Record& record = records_.at(key);
  const std::string& host_ip = host_.ip(pod->spec.node_name);
  if (record.ip.empty() && !pod->spec.host_network) record.ip = addresses_.Take();
  const PodAddresses addresses{pod->spec.host_network ? host_ip : record.ip, host_ip};
  std::string patch = StatusPatch(*pod, next, client_.loop().Now(), addresses);
  client_.Patch({kPods, pod->meta.ns, pod->meta.name, "status"}, kube::PatchKind::kStrategic,
                std::move(patch),
                scope_.Guard([this, key, uid = pod->meta.uid, next = std::move(next),
                              done = std::move(done)](Result<kube::ApiResponse> result) mutable {
                  if (!result && !IsGone(result.error())) {
                    log::Warning("cannot write a pod's status",
                                 {{"pod", key}, {"error", result.error().message}});
                    return done(false);
                  }
                  const auto found = records_.find(key);
                  if (result && found != records_.end() && found->second.uid == uid) {
                    found->second.state = std::move(next);
                    queue_.Add(key);  // for what comes next
                  }
                  done(true);
                }));
}

void PodRunner::Remove(const std::string& key, std::shared_ptr<const kube::Pod> pod,
                       WorkQueue::Done done) {
  // A pod that something holds back is still seen: it must say that it has ended. One that goes at
  // once need not.
  const PodState& state = records_.at(key).state;
  if (!pod->meta.finalizers.empty() && state.stage != PodStage::kFinished) {
    return WriteStatus(key, pod, Killed(state, client_.loop().Now()), std::move(done));
  }
  client_.Delete({kPods, pod->meta.ns, pod->meta.name},
                 {.grace_period_seconds = 0, .uid = pod->meta.uid},
                 scope_.Guard([this, key, uid = pod->meta.uid,
                               done = std::move(done)](Result<kube::ApiResponse> result) mutable {
                   const bool ok = result || IsGone(result.error());
                   const auto found = records_.find(key);
                   if (ok && found != records_.end() && found->second.uid == uid) {
                     found->second.removed = true;
                   }
                   done(ok);
                 }));
}

}  // namespace basalt::simnode
