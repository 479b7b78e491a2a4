#include "apiserver/gc/volume_protection.h"

#include <boost/json/array.hpp>

#include "apiserver/kinds/checks.h"
#include "apiserver/object/object.h"
#include "apiserver/rest/delete.h"

namespace basalt::apiserver {
namespace {

constexpr std::string_view kClaimFinalizer = "kubernetes.io/pvc-protection";
constexpr std::string_view kVolumeFinalizer = "kubernetes.io/pv-protection";

bool NamesClaim(const json::object& pod, std::string_view claim) {
  for (const json::value& item : ListAt(pod, {"spec", "volumes"})) {
    const json::object& volume = AsObject(item);
    if (GetString(volume, {"persistentVolumeClaim", "claimName"}) == claim) return true;
    // The claim of an ephemeral volume is named after pod and volume.
    if (volume.contains("ephemeral") &&
        std::string(Name(pod)) + "-" + std::string(GetString(volume, {"name"})) == claim) {
      return true;
    }
  }
  return false;
}

}  // namespace

VolumeProtection::VolumeProtection(Core& core)
    : core_(core),
      pods_(core.store.Of("", "pods")),
      claims_(core.store.Of("", "persistentvolumeclaims")),
      volumes_(core.store.Of("", "persistentvolumes")) {
  for (Collection* collection : {&pods_, &claims_, &volumes_}) {
    core.store.Subscribe(*collection, *this);
  }
}

void VolumeProtection::OnEvent(const StoreEvent& event) {
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

// Not within the write that calls for it.
void VolumeProtection::CheckSoon() {
  if (check_posted_) return;
  check_posted_ = true;
  core_.loop.Post(scope_.Guard([this] {
    check_posted_ = false;
    Check();
  }));
}

void VolumeProtection::Check() {
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

bool VolumeProtection::ClaimIsUsed(const StoredObject& claim) const {
  const std::string prefix = std::string(claim.ns()) + "/";
  for (auto it = pods_.objects.lower_bound(prefix);
       it != pods_.objects.end() && it->first.starts_with(prefix); ++it) {
    const json::object pod = it->second->Parse();
    const std::string_view phase = GetString(pod, {"status", "phase"});
    if (phase == "Succeeded" || phase == "Failed") continue;
    if (NamesClaim(pod, claim.name())) return true;
  }
  return false;
}

}  // namespace basalt::apiserver
