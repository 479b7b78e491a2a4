#include "workloads/replica_set_controller.h"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "workloads/child_object.h"
#include "workloads/pod_facts.h"

namespace basalt::workloads {
namespace {

namespace json = boost::json;

using kube::resources::kReplicaSets;
constexpr std::string_view kSetsByOwner = "owner";
constexpr std::string_view kOrphanSets = "orphans";
constexpr std::string_view kByNamespace = "namespace";
// Written at once for one set; the rest follows when the watch has shown these.
constexpr std::int64_t kMostPodsAtOnce = 500;

bool HasLabels(const kube::Pod& pod, const kube::StringMap& labels) {
  return std::all_of(labels.begin(), labels.end(), [&](const kube::StringMap::Entry& label) {
    return pod.meta.labels.Find(label.key) == label.value;
  });
}

}  // namespace

CountedReplicas CountReplicas(const kube::ReplicaSet& set,
                              const std::vector<const kube::Pod*>& active, Time now) {
  CountedReplicas result;
  kube::ReplicaCounts& counts = result.counts;
  counts.replicas = static_cast<std::int32_t>(active.size());
  for (const kube::Pod* pod : active) {
    if (HasLabels(*pod, set.pod_template.labels)) ++counts.fully_labeled;
    const auto available = AvailableAt(*pod, set.min_ready_seconds);
    if (!available) continue;
    ++counts.ready;
    if (*available <= now) {
      ++counts.available;
    } else if (!result.next_change || *available < *result.next_change) {
      result.next_change = available;
    }
  }
  return result;
}

ReplicaSetController::ReplicaSetController(kube::Client& client, PodPool& pods, Observer observer)
    : client_(client),
      pods_(pods),
      observer_(std::move(observer)),
      sets_(client, [this](const Event& event) { OnEvent(event); }),
      queue_(client.loop(), {.parallel = 32},
             [this](const std::string& key, WorkQueue::Done done) {
               Reconcile(key, std::move(done));
             }),
      pod_changes_(client.loop(), queue_) {
  sets_.AddIndex(std::string(kSetsByOwner), [](const kube::ReplicaSet& set) {
    const kube::OwnerReference* owner = set.meta.Controller();
    return owner != nullptr ? std::vector{owner->uid} : std::vector<std::string>();
  });
  sets_.AddIndex(std::string(kOrphanSets), [](const kube::ReplicaSet& set) {
    return set.meta.Controller() == nullptr ? std::vector{set.meta.ns} : std::vector<std::string>();
  });
  sets_.AddIndex(std::string(kByNamespace),
                 [](const kube::ReplicaSet& set) { return std::vector{set.meta.ns}; });
  pods_.Listen(
      "ReplicaSet",
      [this](const std::string& ns, const std::string& name, const std::string&) {
        pod_changes_.Add(kube::ObjectKey(ns, name));
        observer_.on_pod(ns, name);
      },
      [this](const kube::Pod& pod) { OnOrphan(pod); });
}

void ReplicaSetController::OnEvent(const Event& event) {
  if (event.object) queue_.Add(event.object->meta.Key());
  if (event.kind == kube::InformerEventKind::kDeleted) {
    pods_.Forget(event.old_object->meta.uid);
    failing_.erase(event.old_object->meta.uid);
  }
  observer_.on_set(event);
}

void ReplicaSetController::OnOrphan(const kube::Pod& pod) {
  for (const auto& set : sets_.store().FindByIndex(kByNamespace, pod.meta.ns)) {
    if (kube::Matches(set->selector, pod.meta.labels)) queue_.Add(set->meta.Key());
  }
}

void ReplicaSetController::Kick() {
  for (const auto& set : sets_.store().Sorted()) queue_.Add(set->meta.Key());
}

std::vector<std::shared_ptr<const kube::ReplicaSet>> ReplicaSetController::OwnedBy(
    std::string_view owner_uid) const {
  return sets_.store().FindByIndex(kSetsByOwner, owner_uid);
}

std::vector<std::shared_ptr<const kube::ReplicaSet>> ReplicaSetController::Orphans(
    std::string_view ns) const {
  return sets_.store().FindByIndex(kOrphanSets, ns);
}

void ReplicaSetController::Reconcile(const std::string& key, WorkQueue::Done done) {
  // Kick comes again when they are there.
  if (!sets_.HasSynced() || !pods_.HasSynced()) return done(true);
  const std::size_t slash = key.find('/');
  const auto set = sets_.store().Find(std::string_view(key).substr(0, slash),
                                      std::string_view(key).substr(slash + 1));
  if (set == nullptr || !set->selector) return done(true);
  AsyncJoin join(std::move(done));
  const PodOwner owner{kReplicaSets, set->meta, *set->selector};
  const PodPool::Pods claimed = pods_.Claim(owner, join);
  std::vector<const kube::Pod*> active;
  for (const auto& pod : claimed) {
    if (IsActive(*pod)) active.push_back(pod.get());
  }
  if (!set->meta.deleting()) {
    if (pods_.CaughtUp(set->meta.uid)) {
      Manage(*set, owner, active, join);
      // It may have asked for something that will never be seen.
      if (!pods_.CaughtUp(set->meta.uid)) {
        queue_.AddAfter(key, pods_.CatchUpTime(set->meta.uid) + 1ms);
      }
    }
  }
  const CountedReplicas counted = CountReplicas(*set, active, client_.loop().Now());
  if (counted.next_change) queue_.AddAfter(key, *counted.next_change - client_.loop().Now());
  WriteStatus(*set, counted.counts, join);
}

void ReplicaSetController::Manage(const kube::ReplicaSet& set, const PodOwner& owner,
                                  const std::vector<const kube::Pod*>& active, AsyncJoin join) {
  const std::int64_t missing = std::int64_t{set.replicas} - std::ssize(active);
  if (missing > 0) {
    const std::int64_t most = failing_.contains(set.meta.uid) ? 1 : kMostPodsAtOnce;
    AsyncJoin creations([this, uid = set.meta.uid, join](bool ok) mutable {
      if (ok) {
        failing_.erase(uid);
      } else {
        failing_.insert(uid);
        join.Fail();
      }
    });
    for (std::int64_t i = 0; i < std::min(missing, most); ++i) {
      const std::string name = pods_.NewName(set.meta, set.meta.name);
      pods_.Create(owner, name, PodFromTemplate(set.pod_template, kReplicaSets, set.meta, name),
                   creations);
    }
  } else if (missing < 0) {
    std::vector<const kube::Pod*> sorted = active;
    SortForDeletion(sorted, active);
    for (std::int64_t i = 0; i < std::min(-missing, kMostPodsAtOnce); ++i) {
      pods_.Delete(owner, *sorted[static_cast<std::size_t>(i)], join);
    }
  }
}

void ReplicaSetController::WriteStatus(const kube::ReplicaSet& set,
                                       const kube::ReplicaCounts& counts, AsyncJoin join) {
  if (set.status.replicas == counts.replicas && set.status.ready == counts.ready &&
      set.status.available == counts.available &&
      set.status.fully_labeled == counts.fully_labeled &&
      set.observed_generation == set.meta.generation) {
    return;
  }
  const json::object patch{
      {"metadata", json::object{{"uid", set.meta.uid}}},
      {"status", json::object{{"replicas", counts.replicas},
                              {"fullyLabeledReplicas", NullIfZero(counts.fully_labeled)},
                              {"readyReplicas", NullIfZero(counts.ready)},
                              {"availableReplicas", NullIfZero(counts.available)},
                              {"observedGeneration", set.meta.generation}}}};
  client_.Patch({kReplicaSets, set.meta.ns, set.meta.name, "status"}, kube::PatchKind::kMerge,
                json::serialize(patch),
                scope_.Guard([join](const Result<kube::ApiResponse>& result) mutable {
                  if (!result && result.error().code != ErrorCode::kNotFound) join.Fail();
                }));
}

}  // namespace basalt::workloads
