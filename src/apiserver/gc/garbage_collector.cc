#include "apiserver/gc/garbage_collector.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <vector>

#include "apiserver/kinds/checks.h"
#include "apiserver/object/barrier.h"
#include "apiserver/object/object.h"
#include "apiserver/rest/delete.h"

namespace basalt::apiserver {
namespace {

constexpr int kStepsPerTurn = 256;

bool HasFinalizer(const json::object& object, std::string_view name) {
  const json::array& finalizers = ListAt(object, {"metadata", "finalizers"});
  return std::ranges::find(finalizers, json::value(name)) != finalizers.end();
}

bool IsNamespaces(const Collection& collection) {
  return collection.group.empty() && collection.plural == "namespaces";
}

bool IsDefinitions(const Collection& collection) {
  return collection.group == "apiextensions.k8s.io" &&
         collection.plural == "customresourcedefinitions";
}

}  // namespace

GarbageCollector::GarbageCollector(Core& core) : core_(core) { core.store.SubscribeToAll(*this); }

void GarbageCollector::OnEvent(const StoreEvent& event) {
  Index(event);
  const StoredObject& object = *event.object;
  const Object self{event.collection, object.key};
  if (event.type == StoreEvent::Type::kDeleted) {
    if (const auto it = dependents_.find(object.uid); it != dependents_.end()) {
      for (const Object& dependent : it->second) Enqueue(Step::kDependent, dependent);
    }
    for (const std::string& owner : object.owner_uids) {
      if (const auto it = waiting_.find(owner); it != waiting_.end()) {
        Enqueue(Step::kOwner, it->second);
      }
    }
    if (const auto it = terminating_.find(object.ns()); it != terminating_.end()) {
      Enqueue(Step::kNamespace, it->second);
    }
    if (const auto it = definitions_.find(event.collection); it != definitions_.end()) {
      Enqueue(Step::kDefinition, it->second);
    }
    return;
  }
  const bool owners_changed =
      event.previous == nullptr || event.previous->owner_uids != object.owner_uids;
  if (owners_changed && !object.owner_uids.empty() &&
      std::ranges::none_of(object.owner_uids,
                           [this](const std::string& uid) { return live_.contains(uid); })) {
    Enqueue(Step::kDependent, self);
  }
  if (!object.being_deleted) return;
  if (IsNamespaces(*event.collection)) {
    terminating_[std::string(object.name())] = self;
    Enqueue(Step::kNamespace, self);
  } else if (IsDefinitions(*event.collection)) {
    Enqueue(Step::kDefinition, self);
  }
  Enqueue(Step::kOwner, self);
}

void GarbageCollector::Index(const StoreEvent& event) {
  const StoredObject& object = *event.object;
  const Object self{event.collection, object.key};
  if (event.previous != nullptr) {
    for (const std::string& owner : event.previous->owner_uids) {
      const auto it = dependents_.find(owner);
      if (it == dependents_.end()) continue;
      it->second.erase(self);
      if (it->second.empty()) dependents_.erase(it);
    }
  }
  if (event.type == StoreEvent::Type::kDeleted) {
    live_.erase(object.uid);
    waiting_.erase(object.uid);
    if (IsNamespaces(*event.collection)) terminating_.erase(std::string(object.name()));
    std::erase_if(definitions_, [&self](const auto& entry) { return entry.second == self; });
    return;
  }
  live_.insert(object.uid);
  for (const std::string& owner : object.owner_uids) dependents_[owner].insert(self);
}

void GarbageCollector::Enqueue(Step step, Object object) {
  Job job{step, std::move(object)};
  if (!queued_.insert(job).second) return;
  queue_.push_back(std::move(job));
  if (std::exchange(scheduled_, true)) return;
  core_.loop.Post(scope_.Guard([this] { RunSome(); }));
}

void GarbageCollector::RunSome() {
  for (int i = 0; i < kStepsPerTurn && !queue_.empty(); ++i) {
    const Job job = std::move(queue_.front());
    queue_.pop_front();
    queued_.erase(job);
    Survives("collecting what is left over", [this, &job] { Run(job); });
  }
  scheduled_ = !queue_.empty();
  if (scheduled_) core_.loop.Post(scope_.Guard([this] { RunSome(); }));
}

void GarbageCollector::Run(const Job& job) {
  switch (job.step) {
    case Step::kDependent: return CollectDependent(job.object);
    case Step::kOwner: return HandleOwner(job.object);
    case Step::kNamespace: return EmptyNamespace(job.object);
    case Step::kDefinition: return EmptyDefinition(job.object);
  }
}

KindPtr GarbageCollector::KindOf(const Collection& collection) const {
  return core_.kinds.FindResource(collection.group, collection.plural);
}

bool GarbageCollector::OwnerKindIsServed(const json::object& reference) const {
  return core_.kinds.FindByKind(GetString(reference, {"apiVersion"}),
                                GetString(reference, {"kind"})) != nullptr;
}

void GarbageCollector::CollectDependent(const Object& object) {
  const StoredPtr stored = Store::Get(*object.collection, object.key);
  const KindPtr kind = KindOf(*object.collection);
  if (stored == nullptr || kind == nullptr) return;
  const json::object parsed = kind->Load(*stored);
  bool has_owner = false;
  bool owner_waits = false;
  std::set<std::string> gone;
  for (const json::value& item : ListAt(parsed, {"metadata", "ownerReferences"})) {
    const json::object& reference = AsObject(item);
    const std::string uid(GetString(reference, {"uid"}));
    if (waiting_.contains(uid)) {
      owner_waits = true;
      gone.insert(uid);
    } else if (live_.contains(uid) || !OwnerKindIsServed(reference)) {
      has_owner = true;  // of an owner that nobody here can see it is not known that it is gone
    } else {
      gone.insert(uid);
    }
  }
  if (gone.empty()) return;
  if (has_owner) return DropOwners(object, gone);
  DeleteOptions options;
  options.uid = stored->uid;
  if (owner_waits && dependents_.contains(stored->uid)) options.propagation = "Foreground";
  (void)DeleteObject(core_, *kind, object.key, options);
}

void GarbageCollector::DropOwners(const Object& object, const std::set<std::string>& gone) {
  const StoredPtr stored = Store::Get(*object.collection, object.key);
  if (stored == nullptr) return;
  json::object parsed = stored->Parse();
  json::array* references = FindArray(parsed, {"metadata", "ownerReferences"});
  if (references == nullptr) return;
  json::array kept;
  for (json::value& item : *references) {
    const bool goes =
        item.is_object() && gone.contains(std::string(GetString(item.get_object(), {"uid"})));
    if (!goes) kept.push_back(std::move(item));
  }
  if (kept.empty()) {
    Metadata(parsed).erase("ownerReferences");
  } else {
    *references = std::move(kept);
  }
  core_.store.Update(*object.collection, object.key, std::move(parsed));
}

void GarbageCollector::HandleOwner(const Object& object) {
  const StoredPtr stored = Store::Get(*object.collection, object.key);
  if (stored == nullptr || !stored->being_deleted) return;
  const json::object parsed = stored->Parse();
  if (HasFinalizer(parsed, kOrphanFinalizer)) {
    OrphanDependents(object, stored->uid);
    RemoveFinalizer(object, kOrphanFinalizer);
  } else if (HasFinalizer(parsed, kForegroundFinalizer)) {
    waiting_[stored->uid] = object;
    if (!HasBlockingDependents(stored->uid)) {
      waiting_.erase(stored->uid);
      RemoveFinalizer(object, kForegroundFinalizer);
    }
  }
}

void GarbageCollector::OrphanDependents(const Object& owner, const std::string& uid) {
  (void)owner;
  const auto it = dependents_.find(uid);
  if (it == dependents_.end()) return;
  const std::set<Object> dependents = it->second;  // shrinks while they are written
  for (const Object& dependent : dependents) DropOwners(dependent, {uid});
}

bool GarbageCollector::HasBlockingDependents(const std::string& uid) {
  const auto it = dependents_.find(uid);
  if (it == dependents_.end()) return false;
  bool blocking = false;
  for (const Object& dependent : it->second) {
    const StoredPtr stored = Store::Get(*dependent.collection, dependent.key);
    if (stored == nullptr) continue;
    if (!stored->being_deleted) Enqueue(Step::kDependent, dependent);
    const json::object parsed = stored->Parse();
    for (const json::value& item : ListAt(parsed, {"metadata", "ownerReferences"})) {
      blocking = blocking || (item.is_object() && GetString(item.get_object(), {"uid"}) == uid &&
                              GetBool(item.get_object(), {"blockOwnerDeletion"}));
    }
  }
  return blocking;
}

void GarbageCollector::RemoveFinalizer(const Object& object, std::string_view finalizer) {
  apiserver::RemoveFinalizer(core_.store, *object.collection, object.key, finalizer);
}

void GarbageCollector::EmptyNamespace(const Object& object) {
  const StoredPtr stored = Store::Get(*object.collection, object.key);
  if (stored == nullptr || !stored->being_deleted) return;
  const std::string prefix = object.key + "/";
  bool empty = true;
  std::set<const Collection*> done;
  for (const KindPtr& kind : core_.kinds.All()) {
    if (!kind->info.namespaced || !done.insert(kind->collection).second) continue;
    const auto& objects = kind->collection->objects;
    std::vector<std::string> keys;
    for (auto it = objects.lower_bound(prefix);
         it != objects.end() && it->first.starts_with(prefix); ++it) {
      if (!it->second->being_deleted) keys.push_back(it->first);
      empty = false;
    }
    for (const std::string& key : keys) (void)DeleteObject(core_, *kind, key, {});
  }
  if (!empty) {  // what went at once needs no second look by an event: look again now
    const bool left = std::ranges::any_of(core_.kinds.All(), [&prefix](const KindPtr& kind) {
      if (!kind->info.namespaced) return false;
      const auto it = kind->collection->objects.lower_bound(prefix);
      return it != kind->collection->objects.end() && it->first.starts_with(prefix);
    });
    if (left) return;
  }
  json::object parsed = stored->Parse();
  Child(parsed, "spec").erase("finalizers");
  if (HasFinalizers(parsed)) {
    if (FindArray(stored->Parse(), {"spec", "finalizers"}) == nullptr) return;
    core_.store.Update(*object.collection, object.key, std::move(parsed));
  } else {
    core_.store.Delete(*object.collection, object.key, std::move(parsed));
  }
}

void GarbageCollector::EmptyDefinition(const Object& object) {
  const StoredPtr stored = Store::Get(*object.collection, object.key);
  if (stored == nullptr || !stored->being_deleted) return;
  const json::object parsed = stored->Parse();
  if (!HasFinalizer(parsed, kCleanupFinalizer)) return;
  const KindPtr kind = core_.kinds.FindResource(GetString(parsed, {"spec", "group"}),
                                                GetString(parsed, {"spec", "names", "plural"}));
  if (kind != nullptr && kind->custom != nullptr) {
    definitions_[kind->collection] = object;
    std::vector<std::string> keys;
    for (const auto& [key, instance] : kind->collection->objects) {
      if (!instance->being_deleted) keys.push_back(key);
    }
    for (const std::string& key : keys) (void)DeleteObject(core_, *kind, key, {});
    if (!kind->collection->objects.empty()) return;
  }
  RemoveFinalizer(object, kCleanupFinalizer);
}

}  // namespace basalt::apiserver
