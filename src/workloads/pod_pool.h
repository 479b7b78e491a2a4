#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/async_join.h"
#include "kube/client/client.h"
#include "kube/informer/informer.h"
#include "kube/types/pod.h"
#include "kube/types/selector.h"
#include "workloads/expectations.h"

namespace basalt::workloads {

// A warning for an object's owner: an Event on the object.
using Warning = std::function<void(const kube::Resource& kind, const kube::ObjectMeta& object,
                                   std::string_view reason, std::string_view message)>;

// The owner that a controller works for at the moment.
struct PodOwner {
  const kube::Resource& kind;
  const kube::ObjectMeta& meta;
  const kube::LabelSelector& selector;
};

// All pods, as the controllers of this folder share them: which owner has which, what was asked for
// and has not been seen yet, and the writes. Owned by Workloads; loop thread only.
class PodPool {
 public:
  using Pods = std::vector<std::shared_ptr<const kube::Pod>>;
  // A pod of an owner of that kind changed.
  using OnOwned = std::function<void(const std::string& ns, const std::string& owner_name,
                                     const std::string& owner_uid)>;
  // A pod without a controller appeared or changed its labels.
  using OnOrphan = std::function<void(const kube::Pod& pod)>;

  PodPool(kube::Client& client, Warning warn);

  // Before Start.
  void Listen(std::string_view owner_kind, OnOwned on_owned, OnOrphan on_orphan);
  void Start() { pods_.Start(); }
  bool HasSynced() const { return pods_.HasSynced(); }

  // Those that `owner_uid` controls, by name.
  Pods OwnedBy(std::string_view owner_uid) const;
  std::size_t CountOwnedBy(std::string_view owner_uid) const;
  // Those that `owner` controls and its selector matches. Takes in active pods that match and have
  // no controller (and counts them at once), and lets go of those that match no more. With
  // `may_adopt` only those are taken in that it says.
  Pods Claim(const PodOwner& owner, AsyncJoin join,
             const std::function<bool(const kube::Pod&)>& may_adopt = {});

  // The watch has caught up with all that was asked for in this owner's name; otherwise the time
  // after which it is not waited for any longer.
  bool CaughtUp(const std::string& owner_uid);
  Duration CatchUpTime(const std::string& owner_uid) const;
  void Forget(const std::string& owner_uid) { expectations_.Forget(owner_uid); }

  // `pod` has the name `name`. A failure is told to the join and as a warning on the owner.
  void Create(const PodOwner& owner, const std::string& name, boost::json::object pod,
              AsyncJoin join);
  void Delete(const PodOwner& owner, const kube::Pod& pod, AsyncJoin join);
  // Any other patch of the pod's metadata; carries the uid by itself.
  void PatchMeta(const kube::Pod& pod, boost::json::object metadata, AsyncJoin join);
  void RemoveFinalizer(const kube::Pod& pod, std::string_view finalizer, AsyncJoin join);
  // PREFIX-xxxxx: a name that no pod has and that was not given out for one that is on its way.
  // (Five characters are few: among ten thousand pods some would collide.)
  std::string NewName(const kube::ObjectMeta& owner, std::string_view prefix);

  kube::Client& client() { return client_; }

 private:
  struct Listener {
    OnOwned on_owned;
    OnOrphan on_orphan;
  };

  void OnEvent(const kube::InformerEvent<kube::Pod>& event);
  void Tell(const kube::Pod& pod);
  void AfterCreate(std::string owner_uid, std::string ns, std::string name,
                   const Result<kube::ApiResponse>& result, AsyncJoin join,
                   const std::function<void(const Error&)>& warn);
  Duration Now() const { return client_.loop().Monotonic(); }

  kube::Client& client_;
  const Warning warn_;
  std::map<std::string, Listener, std::less<>> listeners_;  // by the owner's kind
  Expectations expectations_;
  Random names_;
  kube::Informer<kube::Pod> pods_;
  Scope scope_;
};

}  // namespace basalt::workloads
