#include "controllers/podgroup/podgroup_controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "controllers/podgroup/group_body.h"
#include "kube/types/reasons.h"
#include "model/annotations.h"
#include "model/group_of.h"

namespace basalt::controllers {
namespace {

namespace resources = kube::resources;
using Kind = model::GroupChoice::Kind;

constexpr std::string_view kPrefix = "podgroup-";
constexpr std::string_view kByUid = "uid";
constexpr std::string_view kByDeployment = "deployment";
constexpr std::string_view kByGroup = "group";

kube::ReflectorOptions PodsOf(const PodGroupControllerOptions& options) {
  kube::ReflectorOptions reflector;
  reflector.label_selector = fmt::format("!{}", kube::kVcJobNameLabel);
  if (options.scheduler_names.size() == 1) {
    reflector.field_selector = "spec.schedulerName=" + *options.scheduler_names.begin();
  }
  return reflector;
}

kube::OwnerReference ControllerReference(std::string api_version, std::string kind,
                                         std::string name, std::string uid) {
  return {.api_version = std::move(api_version),
          .kind = std::move(kind),
          .name = std::move(name),
          .uid = std::move(uid),
          .controller = true,
          .block_owner_deletion = true};
}

// The groups that a pod is, or may have to be, in.
std::vector<std::string> GroupKeysOf(const kube::Pod& pod) {
  std::vector<std::string> keys;
  if (JobOwner(pod.meta)) return keys;  // its controller has made its group
  const model::GroupChoice group = model::GroupOf(pod);
  if (group.kind != Kind::kShadow && group.name.starts_with(kPrefix)) {
    keys.push_back(kube::ObjectKey(pod.meta.ns, group.name));
  }
  if (group.kind != Kind::kNamed && model::GroupOwner(pod.meta)) {
    std::string owned = kube::ObjectKey(pod.meta.ns, model::GroupNameFor(pod.meta));
    if (keys.empty() || keys.front() != owned) keys.push_back(std::move(owned));
  }
  return keys;
}

std::vector<std::string> DeploymentOf(const kube::ReplicaSet& set) {
  const kube::OwnerReference* owner = set.meta.Controller();
  if (!owner || owner->kind != "Deployment") return {};
  return {owner->uid};
}

// It has the uid that the name ends in.
bool IsControlledBy(const kube::PodGroup& group, std::string_view uid) {
  const kube::OwnerReference* owner = group.meta.Controller();
  return owner && owner->uid == uid;
}

}  // namespace

struct PodGroupController::GroupName {
  explicit GroupName(const std::string& text) : key(text) {
    const std::size_t slash = key.find('/');
    ns = key.substr(0, slash);
    name = key.substr(slash + 1);
    uid = name.substr(kPrefix.size());
  }
  std::string key;
  std::string ns;
  std::string name;
  std::string uid;  // of the pods' controller
};

PodGroupController::PodGroupController(kube::Client& client, kube::EventRecorder& events,
                                       PodGroupControllerOptions options)
    : client_(client),
      events_(events),
      options_(std::move(options)),
      replica_sets_(client, [this](const auto& event) { OnWorkload(event); }),
      stateful_sets_(client, [this](const auto& event) { OnWorkload(event); }),
      daemon_sets_(client, [this](const auto& event) { OnWorkload(event); }),
      jobs_(client, [this](const auto& event) { OnWorkload(event); }),
      namespaces_(client,
                  [this](const auto& event) {
                    if (event.kind == kube::InformerEventKind::kSynced) LookAtAll();
                  }),
      groups_(client, [this](const auto& event) { OnGroup(event); }),
      pods_(
          client, [this](const auto& event) { OnPod(event); }, PodsOf(options_)),
      job_pods_(options_.job_pods ? options_.job_pods : WatchPodsOfJobs(client)),
      queue_(client.loop(), {.parallel = 16},
             [this](const std::string& key, WorkQueue::Done done) {
               Reconcile(key, std::move(done));
             }),
      pod_changes_(client.loop(), queue_) {
  const auto by_uid = [](const auto& object) { return std::vector{object.meta.uid}; };
  replica_sets_.AddIndex(std::string(kByUid), by_uid);
  stateful_sets_.AddIndex(std::string(kByUid), by_uid);
  daemon_sets_.AddIndex(std::string(kByUid), by_uid);
  jobs_.AddIndex(std::string(kByUid), by_uid);
  replica_sets_.AddIndex(std::string(kByDeployment), DeploymentOf);
  pods_.AddIndex(std::string(kByGroup), GroupKeysOf);
  job_pods_->AddIndex(std::string(kByGroup), GroupKeysOf);
  job_pods_->Join([this](const auto& event) { OnPod(event); });
}

void PodGroupController::Start() {
  replica_sets_.Start();
  stateful_sets_.Start();
  daemon_sets_.Start();
  jobs_.Start();
  namespaces_.Start();
  groups_.Start();
  pods_.Start();
  job_pods_->Start();
}

bool PodGroupController::HasSynced() const {
  return replica_sets_.HasSynced() && stateful_sets_.HasSynced() && daemon_sets_.HasSynced() &&
         jobs_.HasSynced() && namespaces_.HasSynced() && groups_.HasSynced() && pods_.HasSynced() &&
         job_pods_->HasSynced();
}

// ---- what happens, and which groups that concerns

template <class T>
void PodGroupController::OnWorkload(const kube::InformerEvent<T>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) return LookAtAll();
  const kube::ObjectMeta& meta = event.object ? event.object->meta : event.old_object->meta;
  const std::string name = std::string(kPrefix) + meta.uid;
  const bool concerns = (event.object && Asks(ViewOf(event.object))) ||
                        (event.old_object && Asks(ViewOf(event.old_object))) ||
                        groups_.store().Find(meta.ns, name) != nullptr;
  if (concerns) queue_.Add(kube::ObjectKey(meta.ns, name));
  if constexpr (std::is_same_v<T, kube::ReplicaSet>) OnRolloutStep(event);
}

// What one ReplicaSet of a Deployment gives up, the newer ones may count on.
void PodGroupController::OnRolloutStep(const kube::InformerEvent<kube::ReplicaSet>& event) {
  if (event.object && event.old_object && event.object->replicas == event.old_object->replicas) {
    return;
  }
  const kube::ReplicaSet& set = event.object ? *event.object : *event.old_object;
  for (const std::string& deployment : DeploymentOf(set)) {
    for (const auto& sibling : replica_sets_.store().FindByIndex(kByDeployment, deployment)) {
      if (sibling->meta.uid == set.meta.uid || !Asks(ViewOf(sibling))) continue;
      queue_.Add(kube::ObjectKey(sibling->meta.ns, std::string(kPrefix) + sibling->meta.uid));
    }
  }
}

void PodGroupController::OnPod(const kube::InformerEvent<kube::Pod>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) return LookAtAll();
  const kube::Pod& pod = event.object ? *event.object : *event.old_object;
  if (!IsOurs(pod.spec.scheduler_name) || JobOwner(pod.meta)) return;
  const Kind kind = model::GroupOf(pod).kind;
  if (kind == Kind::kNamed || !event.object) joining_.erase(pod.meta.uid);
  if (kind == Kind::kShadow) {
    // A plain pod, unless its workload asks on its own metadata.
    const kube::OwnerReference* owner = model::GroupOwner(pod.meta);
    if (!owner) return;
    const std::optional<Workload> workload = FindWorkload(pod.meta.ns, owner->uid);
    if (!workload || !Asks(*workload)) return;
  }
  for (std::string& key : GroupKeysOf(pod)) pod_changes_.Add(std::move(key));
}

void PodGroupController::OnGroup(const kube::InformerEvent<kube::PodGroup>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) return LookAtAll();
  const kube::ObjectMeta& meta = event.object ? event.object->meta : event.old_object->meta;
  if (meta.name.starts_with(kPrefix)) queue_.Add(meta.Key());
}

// Nothing is decided before everything is known; then everything is looked at.
void PodGroupController::LookAtAll() {
  if (!HasSynced()) return;
  const auto look = [this](const auto& store) {
    for (const auto& object : store.Sorted()) {
      if (Asks(ViewOf(object))) queue_.Add(object->meta.ns + "/podgroup-" + object->meta.uid);
    }
  };
  look(replica_sets_.store());
  look(stateful_sets_.store());
  look(daemon_sets_.store());
  look(jobs_.store());
  for (const GroupPtr& group : groups_.store().Sorted()) {
    if (group->meta.name.starts_with(kPrefix)) queue_.Add(group->meta.Key());
  }
  const auto look_at = [this](const kube::Pod& pod) {
    if (!IsOurs(pod.spec.scheduler_name) || model::GroupOf(pod).kind != Kind::kAsked) return;
    for (std::string& key : GroupKeysOf(pod)) pod_changes_.Add(std::move(key));
  };
  pods_.store().ForEach(look_at);
  job_pods_->store().ForEach(look_at);
}

// ---- one group

void PodGroupController::Reconcile(const std::string& key, WorkQueue::Done done) {
  if (!HasSynced()) return done(true);
  const GroupName name(key);
  const AsyncJoin join(std::move(done));
  const GroupPtr group = groups_.store().Find(name.ns, name.name);
  Pods live;
  for (const kube::Store<kube::Pod>* pods : {&pods_.store(), &job_pods_->store()}) {
    for (PodPtr& pod : pods->FindByIndex(kByGroup, key)) {
      if (IsOurs(pod->spec.scheduler_name) && !pod->terminal()) live.push_back(std::move(pod));
    }
  }
  if (const std::optional<Workload> workload = FindWorkload(name.ns, name.uid)) {
    ReconcileWorkload(name, *workload, group, live, join);
  } else {
    ReconcilePods(name, group, live, join);
  }
}

void PodGroupController::ReconcileWorkload(const GroupName& name, const Workload& workload,
                                           const GroupPtr& group, const Pods& live,
                                           const AsyncJoin& join) {
  if (workload.meta->deleting()) return;
  if (!Asks(workload) || (!workload.wants_pods && live.empty())) {
    complaints_.erase(name.key);
    // Pods that are in the group, or ask for it themselves, need it as long as they are there. The
    // index also has plain pods of the workload.
    const bool needed = std::ranges::any_of(
        live, [](const PodPtr& pod) { return model::GroupOf(*pod).kind != Kind::kShadow; });
    if (group && !needed && IsControlledBy(*group, name.uid)) DeleteGroup(*group, join);
    if (!group && needed) ReconcilePods(name, group, live, join);
    return;
  }
  PutIntoGroup(name, live, join);
  const Result<GroupSpec> spec = MakeGroupSpec({.own_annotations = &workload.meta->annotations,
                                                .annotations = &workload.pod_template->annotations,
                                                .labels = &workload.pod_template->labels,
                                                .pod = &workload.pod_template->spec,
                                                .pods_at_once = workload.pods_at_once},
                                               UsualQueue(name.ns));
  if (!spec) {
    return Complain(name.key, FaceOf(workload), reasons::kInvalidGroup,
                    "no PodGroup is made: " + spec.error().message);
  }
  if (workload.one_by_one && spec->min_member > 1) {
    Complain(name.key, FaceOf(workload), reasons::kGroupNeverComplete,
             "a group of more than one pod never completes while podManagementPolicy is "
             "OrderedReady, which makes a pod only when the one before it is ready; use Parallel");
  } else {
    complaints_.erase(name.key);
  }
  Ensure(name, group, *spec,
         ControllerReference(workload.kind->ApiVersion(), std::string(workload.kind->kind),
                             workload.meta->name, workload.meta->uid),
         join);
}

// Pods of an owner that is not known as such, or of none, ask by themselves; the newest knows best.
void PodGroupController::ReconcilePods(const GroupName& name, const GroupPtr& group,
                                       const Pods& live, const AsyncJoin& join) {
  PodPtr asking;
  for (const PodPtr& pod : live) {
    if (!model::AsksForGroup(pod->meta.annotations)) continue;
    if (model::GroupNameFor(pod->meta) != name.name) continue;
    const auto age = [](const kube::Pod& p) {
      return std::pair(p.meta.creation_timestamp, std::string_view(p.meta.name));
    };
    if (!asking || age(*asking) < age(*pod)) asking = pod;
  }
  if (!asking) {
    complaints_.erase(name.key);
    // Its owner went and left its pods behind; now these are gone too.
    const bool left_over = group && live.empty() && group->meta.owner_references.empty() &&
                           group->meta.annotations.Contains(kMadeFor);
    if (left_over) DeleteGroup(*group, join);
    return;
  }
  const kube::OwnerReference* owner = model::GroupOwner(asking->meta);
  // A workload that its informer has not shown yet, or that is being deleted.
  if (owner && IsKnownWorkload(*owner) && !FindWorkload(name.ns, owner->uid)) return;
  PutIntoGroup(name, live, join);
  const Result<GroupSpec> spec = MakeGroupSpec({.annotations = &asking->meta.annotations,
                                                .labels = &asking->meta.labels,
                                                .pod = &asking->spec},
                                               UsualQueue(name.ns));
  if (!spec) {
    kube::ObjectReference about = kube::ReferenceTo(*asking);
    if (owner) {
      about = {.api_version = owner->api_version,
               .kind = owner->kind,
               .ns = name.ns,
               .name = owner->name,
               .uid = owner->uid};
    }
    return Complain(name.key, about, reasons::kInvalidGroup,
                    "no PodGroup is made: " + spec.error().message);
  }
  complaints_.erase(name.key);
  Ensure(name, group, *spec,
         owner ? ControllerReference(owner->api_version, owner->kind, owner->name, owner->uid)
               : ControllerReference("v1", "Pod", asking->meta.name, asking->meta.uid),
         join);
}

void PodGroupController::Ensure(const GroupName& name, const GroupPtr& group, const GroupSpec& spec,
                                const kube::OwnerReference& owner, const AsyncJoin& join) {
  const auto written = [join, key = name.key](const Result<kube::ApiResponse>& result) mutable {
    if (result || result.error().code == ErrorCode::kAlreadyExists) return;
    log::Warning("cannot write a PodGroup", {{"group", key}, {"error", result.error().message}});
    join.Fail();
  };
  if (!group) {
    client_.Create({resources::kPodGroups, name.ns}, GroupBody(name.ns, name.name, spec, owner),
                   scope_.Guard(written));
    return;
  }
  // A group that goes is made anew when it is gone. A group with another controller is left alone.
  const kube::OwnerReference* controller = group->meta.Controller();
  if (group->meta.deleting() || (controller && controller->uid != owner.uid)) return;
  std::string patch = GroupPatch(*group, spec, owner);
  if (patch.empty()) return;
  client_.Patch({resources::kPodGroups, name.ns, name.name}, kube::PatchKind::kMerge,
                std::move(patch), scope_.Guard(written));
}

void PodGroupController::DeleteGroup(const kube::PodGroup& group, const AsyncJoin& join) {
  if (group.meta.deleting()) return;
  auto deleted = [join](const Result<kube::ApiResponse>& result) mutable {
    if (!result && result.error().code != ErrorCode::kNotFound) join.Fail();
  };
  client_.Delete({resources::kPodGroups, group.meta.ns, group.meta.name},
                 {.uid = group.meta.uid, .resource_version = group.meta.resource_version},
                 scope_.Guard(std::move(deleted)));
}

void PodGroupController::PutIntoGroup(const GroupName& name, const Pods& pods,
                                      const AsyncJoin& join) {
  for (const PodPtr& pod : pods) {
    if (model::GroupOf(*pod).kind == Kind::kNamed) continue;
    if (model::GroupOwner(pod->meta) == nullptr && pod->meta.uid != name.uid) continue;
    if (!joining_.insert(pod->meta.uid).second) continue;
    auto patched = [this, join, uid = pod->meta.uid](const Result<kube::ApiResponse>& r) mutable {
      if (r) return;
      joining_.erase(uid);
      const ErrorCode code = r.error().code;
      if (code != ErrorCode::kNotFound && code != ErrorCode::kConflict) join.Fail();
    };
    client_.Patch({resources::kPods, pod->meta.ns, pod->meta.name}, kube::PatchKind::kMerge,
                  MembershipPatch(pod->meta.uid, name.name), scope_.Guard(std::move(patched)));
  }
}

void PodGroupController::Complain(const std::string& key, const kube::ObjectReference& about,
                                  std::string_view reason, const std::string& text) {
  std::string& said = complaints_[key];
  if (said == text) return;
  said = text;
  events_.Record(about, kube::EventType::kWarning, reason, text);
}

// ---- questions

bool PodGroupController::IsOurs(std::string_view scheduler_name) const {
  return options_.scheduler_names.empty() ||
         options_.scheduler_names.contains(std::string(scheduler_name));
}

// A pod may name any uid as its owner's: only what is in its own namespace owns it.
std::optional<Workload> PodGroupController::FindWorkload(std::string_view ns,
                                                         std::string_view uid) const {
  std::optional<Workload> found;
  const auto look = [&](const auto& store) {
    for (auto& object : store.FindByIndex(kByUid, uid)) {
      if (!found && object->meta.ns == ns) found = ViewOf(std::move(object));
    }
  };
  for (auto& set : replica_sets_.store().FindByIndex(kByUid, uid)) {
    if (found || set->meta.ns != ns) continue;
    found = ViewOf(set);
    for (const std::string& deployment : DeploymentOf(*set)) {
      found->pods_at_once =
          PodsAtOnce(*set, replica_sets_.store().FindByIndex(kByDeployment, deployment));
    }
  }
  look(stateful_sets_.store());
  look(daemon_sets_.store());
  look(jobs_.store());
  return found;
}

bool PodGroupController::Asks(const Workload& workload) const {
  return IsOurs(workload.pod_template->spec.scheduler_name) &&
         (model::AsksForGroup(workload.pod_template->annotations) ||
          model::AsksForGroup(workload.meta->annotations)) &&
         !model::NamesGroup(workload.pod_template->annotations);
}

std::string PodGroupController::UsualQueue(std::string_view ns) const {
  if (const auto found = namespaces_.store().Find("", ns)) {
    const std::string_view queue = found->meta.annotations.Get(model::annotations::kQueueName);
    if (!queue.empty()) return std::string(queue);
  }
  return options_.default_queue;
}

}  // namespace basalt::controllers
