#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/virtual_loop.h"
#include "model/intent.h"
#include "scheduler/scheduler.h"

namespace basalt::scheduler::simulate {

// What happened to pods, by "ns/name", and when, from the beginning.
struct Happened {
  struct Placement {
    std::string node;
    Duration at{0};
  };
  struct Eviction {
    std::string pod;
    std::string node;
    std::string beneficiary;
    std::string action;
    Duration at{0};
  };
  std::map<std::string, Placement> binds;
  std::vector<Eviction> evictions;
  std::vector<std::string> ungated;
  std::map<std::string, Duration> ended;  // those that came to their end by themselves
};

// A scheduler that knows what another one knew, on virtual time, with the rest of the cluster made
// up: an API server that takes every write at once, and kubelets that start and end pods when they
// should. The scheduler is the one that leads elsewhere, all of it: its cycles, actions and
// plugins; only what it asks for goes nowhere. One thread; for one simulation.
class PretendCluster {
 public:
  explicit PretendCluster(const SchedulerImage& image);
  ~PretendCluster();

  Scheduler& scheduler() { return scheduler_; }
  const model::Cluster& state() const { return scheduler_.state().cluster(); }
  Time now() const { return loop_.Now(); }
  Duration elapsed() const { return loop_.elapsed(); }
  const Happened& happened() const { return happened_; }

  // ---- what people do
  // As the API server would admit it: a new object, or a newer version of the one of its name.
  void Submit(kube::Pod pod);
  void Submit(kube::PodGroup group);
  void Submit(kube::Reservation reservation);
  void Submit(kube::Queue queue);
  void Submit(kube::Node node);
  template <class T>
  void Submit(T object) {
    Admit(object.meta);
    Tell<T>(nullptr, std::make_shared<const T>(std::move(object)));
  }
  // The node, and all pods on it, are gone.
  void RemoveNode(const std::string& name);
  // The pod ends well, now.
  void Finish(const kube::Pod& pod);
  // The pod is deleted, and leaves when its grace is over.
  void Delete(const kube::Pod& pod);

  // ---- time
  // From now on pods that are there leave and end when they should, too.
  void LetTimePass();
  // Runs what is due within `length`. false: `go_on`, which is asked now and then, has said no.
  using GoOn = std::function<bool()>;
  bool Run(Duration length, const GoOn& go_on);
  // Something is still to come by itself.
  bool expects() const { return expected_ > 0; }
  // When something was last decided or came to pass.
  Duration last_change() const { return last_change_; }

 private:
  void Admit(kube::ObjectMeta& meta);
  template <class T>
  void Tell(std::shared_ptr<const T> old, std::shared_ptr<const T> object) {
    using Kind = kube::InformerEventKind;
    const Kind kind = !object ? Kind::kDeleted : old ? Kind::kUpdated : Kind::kAdded;
    scheduler_.Apply(kube::InformerEvent<T>{
        .kind = kind, .old_object = std::move(old), .object = std::move(object)});
  }
  void Change(const kube::Pod& before, kube::Pod pod);
  void Gone(const kube::Pod& pod);
  const kube::Pod* Find(const kube::Pod& pod) const;
  void Expect(Duration delay, Callback what);
  void ExpectEnd(const kube::Pod& pod);
  void ExpectLeave(const kube::Pod& pod);

  // ---- what the scheduler asks for
  void Carry(const model::Intent& intent);
  void Do(const model::Bind& bind);
  void Do(const model::Evict& evict);
  void Do(const model::Promise& promise);
  void Do(const model::Ungate& ungate);
  void Do(const model::PodWaits& waits);
  void Do(const model::GroupStatus& status);
  void Do(const model::ReservationStatus& status);
  void Do(const model::PodEvent&) {}
  void Do(const model::QueueStatus&) {}
  void Do(const model::QueueEvent&) {}
  void Report(model::Outcome::Kind kind, model::TaskId task, const kube::Pod& pod);
  void Bind(const model::VolumeChoice& choice);

  VirtualLoop loop_;
  Happened happened_;
  std::uint64_t made_ = 0;  // objects
  std::uint64_t expected_ = 0;
  bool time_passes_ = false;
  Duration last_change_{0};
  Scheduler scheduler_;
  Scope scope_;
};

}  // namespace basalt::scheduler::simulate
