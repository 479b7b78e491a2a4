#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "apiserver/gc/controllers.h"
#include "apiserver/object/object.h"
#include "apiserver/rest/delete.h"

namespace basalt::apiserver {
namespace {

constexpr std::string_view kClaimFinalizer = "kubernetes.io/pvc-protection";
constexpr std::string_view kVolumeFinalizer = "kubernetes.io/pv-protection";

bool NamesClaim(const json::object& pod, std::string_view claim) {
  const json::array& volumes = ListAt(pod, {"spec", "volumes"});
  return std::ranges::any_of(volumes, [&](const json::value& item) {
    const json::object& volume = AsObject(item);
    // The claim of an ephemeral volume is named after pod and volume.
    return GetString(volume, {"persistentVolumeClaim", "claimName"}) == claim ||
           (volume.contains("ephemeral") &&
            fmt::format("{}-{}", Name(pod), GetString(volume, {"name"})) == claim);
  });
}

class VolumeProtection final : public EventSink {
 public:
  explicit VolumeProtection(Core& core)
      : core_(core),
        pods_(core.store.Of("", "pods")),
        claims_(core.store.Of("", "persistentvolumeclaims")),
        volumes_(core.store.Of("", "persistentvolumes")) {
    for (Collection* collection : {&pods_, &claims_, &volumes_}) {
      core.store.Subscribe(*collection, *this);
    }
  }

  void OnEvent(const StoreEvent& event) override {
    if (event.collection == &pods_) {
      if (!leaving_claims_.empty()) CheckSoon();
      return;
    }
    std::set<std::string>& leaving =
        event.collection == &claims_ ? leaving_claims_ : leaving_volumes_;
    if (event.type == StoreEvent::Type::kDeleted || !event.object->being_deleted) {
      leaving.erase(event.object->key);
    } else {
      leaving.insert(event.object->key);
      CheckSoon();
    }
  }

 private:
  // Not within the write that calls for it.
  void CheckSoon() {
    if (check_posted_) return;
    check_posted_ = true;
    core_.loop.Post(scope_.Guard([this] {
      check_posted_ = false;
      Check();
    }));
  }

  void Check() {
    for (const std::string& key : std::set(leaving_claims_)) {
      const StoredPtr claim = Store::Get(claims_, key);
      if (claim != nullptr && !ClaimIsUsed(*claim)) {
        RemoveFinalizer(core_.store, claims_, key, kClaimFinalizer);
      }
    }
    for (const std::string& key : std::set(leaving_volumes_)) {
      const StoredPtr volume = Store::Get(volumes_, key);
      if (volume != nullptr && GetString(volume->Parse(), {"status", "phase"}) != "Bound") {
        RemoveFinalizer(core_.store, volumes_, key, kVolumeFinalizer);
      }
    }
  }

  bool ClaimIsUsed(const StoredObject& claim) const {
    bool used = false;
    pods_.ForEach(std::string(claim.ns()) + "/", [&](const StoredPtr& stored) {
      if (used) return;
      const json::object pod = stored->Parse();
      const std::string_view phase = GetString(pod, {"status", "phase"});
      used = phase != "Succeeded" && phase != "Failed" && NamesClaim(pod, claim.name());
    });
    return used;
  }

  Core& core_;
  Collection& pods_;
  Collection& claims_;
  Collection& volumes_;
  // Keys of what is being deleted and still protected.
  std::set<std::string> leaving_claims_;
  std::set<std::string> leaving_volumes_;
  bool check_posted_ = false;
  Scope scope_;
};

}  // namespace

std::unique_ptr<EventSink> MakeVolumeProtection(Core& core) {
  return std::make_unique<VolumeProtection>(core);
}

}  // namespace basalt::apiserver
