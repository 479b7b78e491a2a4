#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "kube/types/namespace.h"
#include "kube/types/node.h"
#include "kube/types/pdb.h"
#include "kube/types/pod.h"
#include "kube/types/priority_class.h"
#include "kube/types/reservation.h"
#include "kube/types/resource_quota.h"
#include "kube/types/scheduling.h"
#include "kube/types/storage.h"
#include "model/intent.h"
#include "scheduler/scheduler.h"
#include "testing/sim_loop.h"

namespace basalt::testutil {

// "ns/name" of the group that the pod says it belongs to.
std::string GroupKey(const kube::Pod& pod);

// One eviction that the scheduler asked for and the cluster carried out.
struct Eviction {
  std::string victim;  // "ns/name"
  std::string victim_group;
  std::string beneficiary;  // "ns/name"
  std::string beneficiary_uid;
  std::string reason;
  Duration at{0};
  std::uint64_t cycle = 0;
  bool helped = false;  // the beneficiary was bound later: the very pod, not one of its name
};

struct FastClusterOptions {
  std::uint64_t seed = 1;
  std::string config;  // YAML
  scheduler::SchedulerOptions scheduler;
  // Writes take up to so long, and their echo up to so long again.
  Duration most_latency = 5ms;
  double bind_failure = 0;
  double eviction_failure = 0;
  // An evicted pod comes back under the same name once it is gone, as a StatefulSet's would.
  bool recreate = false;
  Duration grace = 2s;  // how long an evicted pod stays
  bool trace = false;
  // Told of each decision; none: nobody is.
  std::function<void(const model::Intent& intent)> heard;
};

// A scheduler on virtual time with a cluster that is nothing but maps: no API server, so that
// thousands of random clusters take seconds. It plays the API server, the kubelets and the owner of
// the pods; it carries out intents late and sometimes not at all, and after each change it checks
// what must never be: a node or a queue over its limit, a pod bound twice. Owned by the test.
class FastCluster {
 public:
  explicit FastCluster(FastClusterOptions options);
  ~FastCluster();

  SimLoop& loop() { return loop_; }
  scheduler::Scheduler& scheduler() { return *scheduler_; }

  void Add(kube::Node node);
  void Add(kube::Queue queue);
  void Add(kube::PriorityClass priority_class);
  void Add(kube::PodGroup group);
  void Add(kube::Reservation reservation);
  void Add(kube::Namespace ns);
  void Add(kube::ResourceQuota quota);
  void Add(kube::PodDisruptionBudget budget);
  void Add(kube::PersistentVolumeClaim claim);
  void Add(kube::PersistentVolume volume);
  void Add(kube::StorageClass storage_class);
  void Add(kube::Pod pod);
  void DeleteReservation(const std::string& key);
  void DeletePod(const std::string& key);
  void DeleteGroup(const std::string& key) { Erase(groups_, key); }
  void DeleteQueue(const std::string& name) { Erase(queues_, name); }
  void DeleteBudget(const std::string& key) { Erase(budgets_, key); }
  // Another version of a pod that is there; its kubelet or its owner says so.
  void Change(kube::Pod pod) { SetPod(std::move(pod)); }
  void RemoveNode(const std::string& name);
  // The scheduler dies. Of its writes those that have left arrive, but nobody hears how they ended;
  // evictions that wait for a nomination never leave. When nothing is under way any more, another
  // one starts and is told of everything.
  void RestartScheduler();
  // Of all schedulers that there were.
  std::uint64_t cycles() const;

  const kube::Pod* FindPod(const std::string& key) const;
  const std::map<std::string, std::shared_ptr<const kube::Pod>>& pods() const { return pods_; }
  const std::map<std::string, std::shared_ptr<const kube::PodGroup>>& groups() const {
    return groups_;
  }
  const std::map<std::string, std::shared_ptr<const kube::Reservation>>& reservations() const {
    return reservations_;
  }
  const std::vector<Eviction>& evictions() const { return evictions_; }
  std::uint64_t last_eviction_cycle() const { return last_eviction_cycle_; }
  std::uint64_t binds() const { return binds_; }
  // What was wrong, one line each; "" where nothing was.
  const std::string& violations() const { return violations_; }

  // What happened, line by line, where the options ask for it.
  const std::string& trace() const { return trace_; }

  // All that must hold once nothing moves any more; "" where it does.
  std::string CheckSettled() const;

 private:
  void StartScheduler();
  template <class T>
  void Tell(std::shared_ptr<const T> old, std::shared_ptr<const T> object) {
    if (!scheduler_) return;  // whoever starts next finds it
    const auto kind = !object ? kube::InformerEventKind::kDeleted
                      : old   ? kube::InformerEventKind::kUpdated
                              : kube::InformerEventKind::kAdded;
    scheduler_->Apply(kube::InformerEvent<T>{
        .kind = kind, .old_object = std::move(old), .object = std::move(object)});
  }
  template <class T>
  void Erase(std::map<std::string, std::shared_ptr<const T>>& objects, const std::string& key) {
    const auto it = objects.find(key);
    if (it == objects.end()) return;
    const auto old = it->second;
    objects.erase(it);
    Tell(old, std::shared_ptr<const T>());
  }
  void SetPod(kube::Pod pod);
  void ErasePod(const std::string& key);
  void Carry(const model::Intent& intent);
  void Bind(const model::Bind& bind);
  void SendPromise(const model::Promise& promise);
  void WritePromise(const model::Promise& promise);
  void Evict(const model::Evict& evict);
  void WriteStatus(const model::ReservationStatus& written);
  void NoteHelped(const std::string& reservation);
  void Report(model::Outcome outcome);
  void CheckNode(const std::string& name);
  void CheckQueues();
  void CheckHeld(const model::Cluster& cluster);
  void CheckReservations(std::string& out) const;
  std::string CheckState() const;
  std::string CheckGangs() const;
  std::string CheckEvictions() const;
  void Violated(std::string what);
  void Trace(const std::string& what);
  Duration Latency();
  void After(Duration delay, std::function<void()> what);

  FastClusterOptions options_;
  SimLoop loop_;
  Random random_;
  std::uint64_t next_uid_ = 1;
  std::map<std::string, std::shared_ptr<const kube::Node>> nodes_;
  std::map<std::string, std::shared_ptr<const kube::Queue>> queues_;
  std::map<std::string, std::shared_ptr<const kube::PriorityClass>> priority_classes_;
  std::map<std::string, std::shared_ptr<const kube::PodGroup>> groups_;
  std::map<std::string, std::shared_ptr<const kube::Reservation>> reservations_;
  std::map<std::string, std::shared_ptr<const kube::Namespace>> namespaces_;
  std::map<std::string, std::shared_ptr<const kube::ResourceQuota>> quotas_;
  std::map<std::string, std::shared_ptr<const kube::PodDisruptionBudget>> budgets_;
  std::map<std::string, std::shared_ptr<const kube::PersistentVolumeClaim>> claims_;
  std::map<std::string, std::shared_ptr<const kube::PersistentVolume>> volumes_;
  std::map<std::string, std::shared_ptr<const kube::StorageClass>> storage_classes_;
  // What the reservations said when the scheduler that runs was started: what they held they hold.
  std::map<std::string, kube::Reservation::Status> held_at_start_;
  std::map<std::string, std::shared_ptr<const kube::Pod>> pods_;
  std::vector<Eviction> evictions_;
  // By group: which of all decisions the last bind of one of its pods was, and the last eviction.
  struct LastDecisions {
    std::uint64_t bind = 0;
    std::uint64_t eviction = 0;
  };
  std::map<std::string, LastDecisions> last_decisions_;
  std::uint64_t decisions_ = 0;
  std::uint64_t last_eviction_cycle_ = 0;
  std::uint64_t earlier_cycles_ = 0;  // of schedulers that died
  std::uint64_t binds_ = 0;
  std::string violations_;
  std::string trace_;
  std::unique_ptr<scheduler::Scheduler> scheduler_;
  Scope process_;  // of the scheduler that runs now
  Scope scope_;
};

}  // namespace basalt::testutil
