#include "workloads/pod_pool.h"

#include <boost/json/serialize.hpp>

#include "workloads/child_object.h"
#include "workloads/pod_facts.h"

namespace basalt::workloads {
namespace {

namespace json = boost::json;

constexpr kube::Resource kPods = kube::resources::kPods;
constexpr std::string_view kByOwner = "owner";
constexpr std::string_view kOrphans = "orphans";  // by namespace

// It is not known whether the server has acted on the request.
bool OutcomeIsUnknown(const Error& error) {
  return error.code == ErrorCode::kTimeout || error.code == ErrorCode::kUnavailable ||
         error.code == ErrorCode::kCancelled || error.code == ErrorCode::kInternal;
}

}  // namespace

PodPool::PodPool(kube::Client& client, Warning warn)
    : client_(client),
      warn_(std::move(warn)),
      // Names must differ from those of the last run of this program.
      names_(static_cast<std::uint64_t>(client.loop().Now().time_since_epoch().count())),
      pods_(client, [this](const auto& event) { OnEvent(event); }) {
  pods_.AddIndex(std::string(kByOwner), [](const kube::Pod& pod) {
    const kube::OwnerReference* owner = pod.meta.Controller();
    return owner != nullptr ? std::vector{owner->uid} : std::vector<std::string>();
  });
  pods_.AddIndex(std::string(kOrphans), [](const kube::Pod& pod) {
    return pod.meta.Controller() == nullptr ? std::vector{pod.meta.ns} : std::vector<std::string>();
  });
}

void PodPool::Listen(std::string_view owner_kind, OnOwned on_owned, OnOrphan on_orphan) {
  listeners_[std::string(owner_kind)] = {std::move(on_owned), std::move(on_orphan)};
}

void PodPool::OnEvent(const kube::InformerEvent<kube::Pod>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) return;
  const kube::Pod& pod = event.object ? *event.object : *event.old_object;
  if (const kube::OwnerReference* owner = pod.meta.Controller()) {
    if (event.object) expectations_.Created(owner->uid, pod.meta.name);
    if (!event.object || pod.meta.deleting()) expectations_.Deleted(owner->uid, pod.meta.uid);
  }
  Tell(pod);
  if (event.kind == kube::InformerEventKind::kUpdated) {
    const kube::OwnerReference* before = event.old_object->meta.Controller();
    const kube::OwnerReference* after = pod.meta.Controller();
    if (before != nullptr && (after == nullptr || after->uid != before->uid)) {
      Tell(*event.old_object);
    }
  }
}

void PodPool::Tell(const kube::Pod& pod) {
  if (const kube::OwnerReference* owner = pod.meta.Controller()) {
    const auto listener = listeners_.find(owner->kind);
    if (listener != listeners_.end()) {
      listener->second.on_owned(pod.meta.ns, owner->name, owner->uid);
    }
  } else if (IsActive(pod)) {
    for (const auto& [kind, listener] : listeners_) listener.on_orphan(pod);
  }
}

PodPool::Pods PodPool::OwnedBy(std::string_view owner_uid) const {
  return pods_.store().FindByIndex(kByOwner, owner_uid);
}

std::size_t PodPool::CountOwnedBy(std::string_view owner_uid) const {
  return pods_.store().CountByIndex(kByOwner, owner_uid);
}

PodPool::Pods PodPool::Claim(const PodOwner& owner, AsyncJoin join,
                             const std::function<bool(const kube::Pod&)>& may_adopt) {
  Pods claimed;
  for (auto& pod : OwnedBy(owner.meta.uid)) {
    if (owner.selector.Matches(pod->meta.labels)) {
      claimed.push_back(std::move(pod));
    } else if (!pod->meta.deleting()) {
      PatchMeta(*pod,
                {{"ownerReferences",
                  json::array{json::object{{"$patch", "delete"}, {"uid", owner.meta.uid}}}}},
                join);
    }
  }
  if (owner.meta.deleting()) return claimed;
  for (const auto& pod : pods_.store().FindByIndex(kOrphans, owner.meta.ns)) {
    if (!IsActive(*pod) || !owner.selector.Matches(pod->meta.labels)) continue;
    if (may_adopt && !may_adopt(*pod)) continue;
    PatchMeta(*pod, {{"ownerReferences", json::array{ControllerReference(owner.kind, owner.meta)}}},
              join);
    claimed.push_back(pod);
  }
  return claimed;
}

bool PodPool::CaughtUp(const std::string& owner_uid) { return expectations_.Met(owner_uid, Now()); }

Duration PodPool::CatchUpTime(const std::string& owner_uid) const {
  return expectations_.LapsesIn(owner_uid, Now());
}

std::string PodPool::NewName(const kube::ObjectMeta& owner, std::string_view prefix) {
  while (true) {
    std::string name = GeneratedName(std::string(prefix) + "-", names_.Next());
    if (pods_.store().Find(owner.ns, name) == nullptr &&
        !expectations_.IsCreating(owner.uid, name)) {
      return name;
    }
  }
}

void PodPool::Create(const PodOwner& owner, const std::string& name, json::object pod,
                     AsyncJoin join) {
  expectations_.Creating(owner.meta.uid, name, Now());
  const auto warn = [this, kind = owner.kind, meta = owner.meta](const Error& error) {
    warn_(kind, meta, "FailedCreate", "Error creating: " + error.message);
  };
  client_.Create({kPods, owner.meta.ns}, json::serialize(pod),
                 scope_.Guard([this, uid = owner.meta.uid, ns = owner.meta.ns, name, join,
                               warn](Result<kube::ApiResponse> result) {
                   AfterCreate(uid, ns, name, result, join, warn);
                 }));
}

void PodPool::AfterCreate(std::string owner_uid, std::string ns, std::string name,
                          const Result<kube::ApiResponse>& result, AsyncJoin join,
                          const std::function<void(const Error&)>& warn) {
  // The name was free when it was chosen: one that exists is ours, from an attempt whose answer got
  // lost, and the watch shows it. (Or another client was faster: then the expectation lapses.)
  if (result || result.error().code == ErrorCode::kAlreadyExists) return;
  join.Fail();
  if (!OutcomeIsUnknown(result.error())) {
    expectations_.Created(owner_uid, name);
    warn(result.error());
    return;
  }
  // Was it made or not? If that cannot be found out either, the watch will show it.
  client_.Get({kPods, ns, name},
              scope_.Guard([this, owner_uid, name, join](const Result<kube::ApiResponse>& found) {
                if (!found && found.error().code == ErrorCode::kNotFound) {
                  expectations_.Created(owner_uid, name);
                }
              }));
}

void PodPool::Delete(const PodOwner& owner, const kube::Pod& pod, AsyncJoin join) {
  expectations_.Deleting(owner.meta.uid, pod.meta.uid, Now());
  client_.Delete({kPods, pod.meta.ns, pod.meta.name}, {.uid = pod.meta.uid},
                 scope_.Guard([this, owner_uid = owner.meta.uid, uid = pod.meta.uid,
                               join](const Result<kube::ApiResponse>& result) mutable {
                   if (result) return;
                   expectations_.Deleted(owner_uid, uid);
                   if (result.error().code != ErrorCode::kNotFound &&
                       result.error().code != ErrorCode::kConflict) {
                     join.Fail();
                   }
                 }));
}

void PodPool::PatchMeta(const kube::Pod& pod, json::object metadata, AsyncJoin join) {
  metadata["uid"] = pod.meta.uid;
  client_.Patch({kPods, pod.meta.ns, pod.meta.name}, kube::PatchKind::kStrategic,
                json::serialize(json::object{{"metadata", std::move(metadata)}}),
                scope_.Guard([join](const Result<kube::ApiResponse>& result) mutable {
                  if (!result && result.error().code != ErrorCode::kNotFound &&
                      result.error().code != ErrorCode::kConflict &&
                      result.error().code != ErrorCode::kInvalid) {
                    join.Fail();
                  }
                }));
}

void PodPool::RemoveFinalizer(const kube::Pod& pod, std::string_view finalizer, AsyncJoin join) {
  PatchMeta(pod, {{"$deleteFromPrimitiveList/finalizers", json::array{json::value(finalizer)}}},
            std::move(join));
}

}  // namespace basalt::workloads
