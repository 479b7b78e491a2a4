#include <algorithm>
#include <map>
#include <set>

#include "apiserver/gc/controllers.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/object/barrier.h"
#include "apiserver/object/object.h"
#include "base/ascii.h"
#include "kube/types/time.h"

namespace basalt::apiserver {
namespace {

// Real clusters are not faster, and many changes come together.
constexpr Duration kDelay = 100ms;
// How long an eviction may take until it counts as not having happened.
constexpr Duration kDisruptionTimeout = 2min;

// The labels of a stored object, without parsing it.
kube::StringMap StoredLabels(const StoredObject& object) {
  std::vector<kube::StringMap::Entry> labels;
  for (std::string_view rest = object.labels; !rest.empty();) {
    const auto [key, value] = StoredObject::NextLabel(rest);
    labels.push_back({key, value});
  }
  return kube::StringMap(std::move(labels));
}

const json::object* ControllerOf(const json::object& object) {
  for (const json::value& item : ListAt(object, {"metadata", "ownerReferences"})) {
    if (GetBool(AsObject(item), {"controller"})) return &AsObject(item);
  }
  return nullptr;
}

// `of` times the percentage, rounded up; or the number itself.
std::int64_t Scaled(const json::value& amount, std::int64_t of) {
  if (amount.is_int64()) return amount.get_int64();
  return (of * std::max(PercentOf(amount), 0) + 99) / 100;
}

void SetDisruptionAllowed(json::object& status, std::string_view value, std::string_view reason,
                          std::string_view message, std::int64_t generation, Time now) {
  SetCondition(status, {{"type", "DisruptionAllowed"},
                        {"status", value},
                        {"observedGeneration", generation},
                        {"lastTransitionTime", FormatTime(now)},
                        {"reason", reason},
                        {"message", message}});
}

class DisruptionController final : public EventSink {
 public:
  explicit DisruptionController(Core& core)
      : core_(core),
        pods_(core.store.Of("", "pods")),
        budgets_(core.store.Of("policy", "poddisruptionbudgets")),
        timer_(core.loop) {
    core.store.Subscribe(pods_, *this);
    core.store.Subscribe(budgets_, *this);
  }

  void OnEvent(const StoreEvent& event) override {
    const std::string ns(event.object->ns());
    if (event.collection == &pods_) {
      if (budgets_of_.contains(ns)) Wake(ns);
      return;
    }
    if (event.type == StoreEvent::Type::kDeleted) {
      budgets_of_[ns].erase(event.object->key);
      if (budgets_of_[ns].empty()) budgets_of_.erase(ns);
      return;
    }
    budgets_of_[ns].insert(event.object->key);
    // What only writes the status, ours or an eviction's, needs no answer.
    const bool new_spec =
        event.previous == nullptr || GetInt(event.previous->Parse(), {"metadata", "generation"}) !=
                                         GetInt(event.object->Parse(), {"metadata", "generation"});
    if (new_spec) Wake(ns);
  }

 private:
  void Wake(const std::string& ns) {
    dirty_.insert(ns);
    if (!timer_.running()) timer_.Start(kDelay, [this] { Run(); });
  }

  void Run() {
    const std::set<std::string> namespaces = std::exchange(dirty_, {});
    for (const std::string& ns : namespaces) {
      const auto found = budgets_of_.find(ns);
      if (found == budgets_of_.end()) continue;
      const std::set<std::string> keys = found->second;
      for (const std::string& key : keys) {
        Survives("counting a disruption budget", [this, &key] { Update(key); });
      }
    }
  }

  void Update(const std::string& key) {
    const StoredPtr stored = Store::Get(budgets_, key);
    if (stored == nullptr) return;
    json::object budget = stored->Parse();
    const auto selector = SelectorOf(FindObject(budget, {"spec", "selector"}));
    std::vector<json::object> pods;
    const std::string ns(stored->ns());
    pods_.ForEach(ns + "/", [&](const StoredPtr& pod) {
      if (kube::Matches(selector, StoredLabels(*pod))) pods.push_back(pod->Parse());
    });
    const auto scale_of = [&](const json::object& owner) -> std::optional<std::int64_t> {
      const std::string_view kind = GetString(owner, {"kind"});
      if (kind != "ReplicaSet" && kind != "StatefulSet") return std::nullopt;
      const std::optional<json::object> object =
          core_.Get("apps", ToLower(kind) + "s", ns, GetString(owner, {"name"}));
      if (!object) return std::nullopt;
      // A Deployment's scale, where there is one, stands for its ReplicaSets.
      const json::object* above = ControllerOf(*object);
      if (above != nullptr && GetString(*above, {"kind"}) == "Deployment") {
        const std::optional<json::object> deployment =
            core_.Get("apps", "deployments", ns, GetString(*above, {"name"}));
        if (deployment) return GetInt(*deployment, {"spec", "replicas"});
      }
      return GetInt(*object, {"spec", "replicas"});
    };
    json::object status = BudgetStatus(budget, pods, scale_of, core_.loop.Now());
    if (status == ObjectOf(budget, "status")) return;
    budget["status"] = std::move(status);
    core_.store.Update(budgets_, key, std::move(budget));
  }

  Core& core_;
  Collection& pods_;
  Collection& budgets_;
  std::map<std::string, std::set<std::string>, std::less<>> budgets_of_;  // keys, by namespace
  std::set<std::string> dirty_;                                           // namespaces
  Timer timer_;
};

}  // namespace

json::object BudgetStatus(
    const json::object& budget, const std::vector<json::object>& pods,
    const std::function<std::optional<std::int64_t>(const json::object& owner)>& scale_of,
    Time now) {
  json::object status = ObjectOf(budget, "status");
  const std::int64_t generation = GetInt(budget, {"metadata", "generation"});
  const json::object& spec = ObjectOf(budget, "spec");
  const json::value* least = Find(spec, {"minAvailable"});
  const json::value* most = Find(spec, {"maxUnavailable"});

  std::int64_t expected = static_cast<std::int64_t>(pods.size());
  const bool by_scale = most != nullptr || (least != nullptr && least->is_string());
  if (by_scale) {
    expected = 0;
    std::set<std::string_view> counted;  // by the controller's uid
    for (const json::object& pod : pods) {
      const json::object* owner = ControllerOf(pod);
      if (owner == nullptr || !counted.insert(GetString(*owner, {"uid"})).second) continue;
      const std::optional<std::int64_t> scale = scale_of(*owner);
      if (!scale) {
        status["disruptionsAllowed"] = 0;
        status["observedGeneration"] = generation;
        SetDisruptionAllowed(status, "False", "SyncFailed",
                             "found no controller with a scale for a pod that the budget selects",
                             generation, now);
        return status;
      }
      expected += *scale;
    }
  }
  const std::int64_t desired = most != nullptr
                                   ? std::max<std::int64_t>(0, expected - Scaled(*most, expected))
                               : least != nullptr ? Scaled(*least, expected)
                                                  : 0;

  json::object disrupted;
  std::int64_t healthy = 0;
  for (const json::object& pod : pods) {
    const std::string name(Name(pod));
    if (IsBeingDeleted(pod)) continue;
    const std::string_view since = GetString(status, {"disruptedPods", name});
    const Result<Time> at = kube::ParseTime(since);
    if (at && Between(*at, now) < kDisruptionTimeout) {
      disrupted[name] = since;
      continue;
    }
    if (HasCondition(pod, "Ready")) ++healthy;
  }
  const std::int64_t allowed = expected <= 0 ? 0 : std::max<std::int64_t>(0, healthy - desired);
  status["currentHealthy"] = healthy;
  status["desiredHealthy"] = desired;
  status["expectedPods"] = expected;
  status["disruptionsAllowed"] = allowed;
  status["observedGeneration"] = generation;
  status.erase("disruptedPods");
  if (!disrupted.empty()) status["disruptedPods"] = std::move(disrupted);
  SetDisruptionAllowed(status, allowed > 0 ? "True" : "False",
                       allowed > 0 ? "SufficientPods" : "InsufficientPods", "", generation, now);
  return status;
}

std::unique_ptr<EventSink> MakeDisruptionController(Core& core) {
  return std::make_unique<DisruptionController>(core);
}

}  // namespace basalt::apiserver
