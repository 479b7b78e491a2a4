#pragma once

#include <set>
#include <string>

#include "apiserver/core/core.h"
#include "apiserver/storage/store.h"

namespace basalt::apiserver {

// Lets go of claims and volumes that are being deleted, once nobody uses them any more, as the
// protection controllers of kube-controller-manager do: a claim when no pod that may still run
// names it, a volume when it is not bound. Owned by the server; loop thread only.
class VolumeProtection final : public EventSink {
 public:
  explicit VolumeProtection(Core& core);

  void OnEvent(const StoreEvent& event) override;

 private:
  void CheckSoon();
  void Check();
  bool ClaimIsUsed(const StoredObject& claim) const;

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

}  // namespace basalt::apiserver
