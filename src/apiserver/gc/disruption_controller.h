#pragma once

#include <map>
#include <set>
#include <string>

#include "apiserver/core/core.h"
#include "apiserver/storage/store.h"
#include "base/loop.h"

namespace basalt::apiserver {

// Keeps the status of PodDisruptionBudgets, as kube-controller-manager's disruption controller
// does: how many pods a budget covers, how many of them are healthy, how many may be disturbed.
// Looks at a namespace again a moment after a pod or a budget in it has changed; a namespace
// without budgets costs a lookup. Owned by the server; loop thread only.
class DisruptionController final : public EventSink {
 public:
  explicit DisruptionController(Core& core);

  void OnEvent(const StoreEvent& event) override;

 private:
  void Wake(const std::string& ns);
  void Run();
  void Update(const std::string& key);

  Core& core_;
  Collection& pods_;
  Collection& budgets_;
  std::map<std::string, std::set<std::string>, std::less<>> budgets_of_;  // keys, by namespace
  std::set<std::string> dirty_;                                           // namespaces
  Timer timer_;
};

// The status that a budget should have, given the pods that it selects. `scale_of` tells how many
// pods a pod's controller wants; nothing: it cannot be told. Pure.
json::object BudgetStatus(
    const json::object& budget, const std::vector<json::object>& pods,
    const std::function<std::optional<std::int64_t>(const json::object& owner)>& scale_of,
    Time now);

}  // namespace basalt::apiserver
