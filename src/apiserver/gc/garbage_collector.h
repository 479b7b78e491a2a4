#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "apiserver/core/core.h"
#include "apiserver/storage/store.h"

namespace basalt::apiserver {

// Deletes what is left over, as kube-controller-manager does: dependents whose owners are all gone,
// dependents of an owner that is deleted in the foreground, and what a namespace or custom resource
// definition takes with it. Orphans dependents where that was asked for. Works on the loop, a
// bounded number of steps a turn, after the write that called for it. Owned by the server.
class GarbageCollector final : public EventSink {
 public:
  explicit GarbageCollector(Core& core);

  void OnEvent(const StoreEvent& event) override;

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

  void Index(const StoreEvent& event);
  void Enqueue(Step step, Object object);
  void RunSome();
  void Run(const Job& job);

  // Has lost an owner, or came without one.
  void CollectDependent(const Object& object);
  // Is being deleted and waits for its dependents: to be orphaned or to go first.
  void HandleOwner(const Object& object);
  void OrphanDependents(const Object& owner, const std::string& uid);
  bool HasBlockingDependents(const std::string& uid);
  void EmptyNamespace(const Object& object);
  void EmptyDefinition(const Object& object);
  // Takes a finalizer off, and the object away if it was the last.
  void RemoveFinalizer(const Object& object, std::string_view finalizer);
  // Takes the references to owners that `gone` names off the object.
  void DropOwners(const Object& object, const std::set<std::string>& gone);
  KindPtr KindOf(const Collection& collection) const;
  bool OwnerKindIsServed(const json::object& reference) const;

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

}  // namespace basalt::apiserver
