#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "apiserver/gc/controllers.h"
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

class GarbageCollector final : public EventSink {
 public:
  explicit GarbageCollector(Core& core) : core_(core) { core.store.SubscribeToAll(*this); }

  void OnEvent(const StoreEvent& event) override {
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

 private:
  struct Object {
    Collection* collection = nullptr;
    std::string key;
    auto operator<=>(const Object&) const = default;
  };
  enum class Step { kDependent, kOwner, kNamespace, kDefinition };
  struct Job {
    Step step;
    Object object;
    auto operator<=>(const Job&) const = default;
  };

  void Index(const StoreEvent& event) {
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

  void Enqueue(Step step, Object object) {
    Job job{step, std::move(object)};
    if (!queued_.insert(job).second) return;
    queue_.push_back(std::move(job));
    if (std::exchange(scheduled_, true)) return;
    core_.loop.Post(scope_.Guard([this] { RunSome(); }));
  }

  void RunSome() {
    for (int i = 0; i < kStepsPerTurn && !queue_.empty(); ++i) {
      const Job job = std::move(queue_.front());
      queue_.pop_front();
      queued_.erase(job);
      Survives("collecting what is left over", [this, &job] { Run(job); });
    }
    scheduled_ = !queue_.empty();
    if (scheduled_) core_.loop.Post(scope_.Guard([this] { RunSome(); }));
  }

  void Run(const Job& job) {
    switch (job.step) {
      case Step::kDependent: return CollectDependent(job.object);
      case Step::kOwner: return HandleOwner(job.object);
      case Step::kNamespace: return EmptyNamespace(job.object);
      case Step::kDefinition: return EmptyDefinition(job.object);
    }
  }

  // Has lost an owner, or came without one.
  void CollectDependent(const Object& object) {
    const StoredPtr stored = Store::Get(*object.collection, object.key);
    const KindPtr kind =
        core_.kinds.FindResource(object.collection->group, object.collection->plural);
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
      } else if (live_.contains(uid) ||
                 core_.kinds.FindByKind(GetString(reference, {"apiVersion"}),
                                        GetString(reference, {"kind"})) == nullptr) {
        has_owner = true;  // an owner of a kind that is not served here may still be there
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

  // Takes the references to owners that `gone` names off the object.
  void DropOwners(const Object& object, const std::set<std::string>& gone) {
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

  // Is being deleted and waits for its dependents: to be orphaned or to go first.
  void HandleOwner(const Object& object) {
    const StoredPtr stored = Store::Get(*object.collection, object.key);
    if (stored == nullptr || !stored->being_deleted) return;
    const json::object parsed = stored->Parse();
    if (HasFinalizer(parsed, kOrphanFinalizer)) {
      std::set<Object> dependents;  // a copy: it shrinks while they are written
      if (const auto it = dependents_.find(stored->uid); it != dependents_.end()) {
        dependents = it->second;
      }
      for (const Object& dependent : dependents) DropOwners(dependent, {stored->uid});
      RemoveFinalizer(core_.store, *object.collection, object.key, kOrphanFinalizer);
    } else if (HasFinalizer(parsed, kForegroundFinalizer)) {
      waiting_[stored->uid] = object;
      if (!HasBlockingDependents(stored->uid)) {
        waiting_.erase(stored->uid);
        RemoveFinalizer(core_.store, *object.collection, object.key, kForegroundFinalizer);
      }
    }
  }

  bool HasBlockingDependents(const std::string& uid) {
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

  // Deletes what there is of a kind, in a namespace or everywhere. True: nothing is left.
  bool Empty(const ServedKind& kind, std::string_view ns) {
    const std::string prefix = ns.empty() ? "" : kind.Key(ns, "");
    std::vector<std::string> keys;
    kind.collection->ForEach(prefix, [&keys](const StoredPtr& object) {
      if (!object->being_deleted) keys.push_back(object->key);
    });
    for (const std::string& key : keys) (void)DeleteObject(core_, kind, key, {});
    bool empty = true;
    kind.collection->ForEach(prefix, [&empty](const StoredPtr&) { empty = false; });
    return empty;
  }

  void EmptyNamespace(const Object& object) {
    const StoredPtr stored = Store::Get(*object.collection, object.key);
    if (stored == nullptr || !stored->being_deleted) return;
    bool empty = true;
    for (const KindPtr& kind : core_.kinds.All()) {
      if (kind->info.namespaced) empty = Empty(*kind, object.key) && empty;
    }
    if (!empty) return;
    json::object parsed = stored->Parse();
    Child(parsed, "spec").erase("finalizers");
    if (HasFinalizers(parsed)) {
      if (FindArray(stored->Parse(), {"spec", "finalizers"}) == nullptr) return;
      core_.store.Update(*object.collection, object.key, std::move(parsed));
    } else {
      core_.store.Delete(*object.collection, object.key, std::move(parsed));
    }
  }

  void EmptyDefinition(const Object& object) {
    const StoredPtr stored = Store::Get(*object.collection, object.key);
    if (stored == nullptr || !stored->being_deleted) return;
    const json::object parsed = stored->Parse();
    if (!HasFinalizer(parsed, kCleanupFinalizer)) return;
    const KindPtr kind = core_.kinds.FindResource(GetString(parsed, {"spec", "group"}),
                                                  GetString(parsed, {"spec", "names", "plural"}));
    if (kind != nullptr && kind->custom != nullptr) {
      definitions_[kind->collection] = object;
      if (!Empty(*kind, "")) return;
    }
    RemoveFinalizer(core_.store, *object.collection, object.key, kCleanupFinalizer);
  }

  Core& core_;
  std::unordered_set<std::string> live_;                          // uids of all objects
  std::unordered_map<std::string, std::set<Object>> dependents_;  // by the owner's uid
  std::map<std::string, Object> waiting_;  // owners that wait for their dependents, by uid
  std::map<std::string, Object, std::less<>> terminating_;  // namespaces, by name
  std::map<const Collection*, Object> definitions_;         // being deleted, by what they define
  std::deque<Job> queue_;
  std::set<Job> queued_;
  bool scheduled_ = false;
  Scope scope_;
};

}  // namespace

std::unique_ptr<EventSink> MakeGarbageCollector(Core& core) {
  return std::make_unique<GarbageCollector>(core);
}

}  // namespace basalt::apiserver
