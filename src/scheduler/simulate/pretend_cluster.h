#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
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

  Scheduler& scheduler() { return scheduler_; }
  const model::Cluster& state() const { return scheduler_.state().cluster(); }
  Time now() const { return loop_.Now(); }
  Duration elapsed() const { return loop_.elapsed(); }
  const Happened& happened() const { return happened_; }

  // ---- what people do
  using PodPointer = std::shared_ptr<const kube::Pod>;
  // As the API server would admit it: a new object, or a newer version of the one of its name.
  void Submit(kube::Pod pod);
  void Submit(kube::PodGroup group);
  void Submit(kube::Reservation reservation);
  void Submit(kube::Queue queue);
  void Submit(kube::Node node);
  template <class T>
  void Submit(T object) {
    Admit(nullptr, object.meta);
    Tell(nullptr, std::move(object));
  }
  // The node, and all pods on it, are gone.
  void RemoveNode(const std::string& name);
  // The pod ends well, now.
  void Finish(const PodPointer& pod);
  // The pod is deleted, and leaves when its grace is over.
  void Delete(const PodPointer& pod);

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
  // A newer version of the `known` object, or (nullptr) a new one.
  void Admit(const kube::ObjectMeta* known, kube::ObjectMeta& meta);
  // The scheduler hears of the object, which was `old` before (nullptr: it is new).
  template <class T>
  std::shared_ptr<const T> Tell(std::type_identity_t<std::shared_ptr<const T>> old, T object) {
    using Kind = kube::InformerEventKind;
    auto told = std::make_shared<const T>(std::move(object));
    const Kind kind = old ? Kind::kUpdated : Kind::kAdded;
    scheduler_.Apply(kube::InformerEvent<T>{kind, std::move(old), told});
    return told;
  }
  template <class T>
  void TellGone(std::shared_ptr<const T> last) {
    scheduler_.Apply(
        kube::InformerEvent<T>{kube::InformerEventKind::kDeleted, std::move(last), nullptr});
  }
  // The pod as it is now; nullptr: it is gone.
  PodPointer Find(const kube::Pod& pod) const;
  void Gone(const kube::Pod& pod);
  void Expect(Duration delay, Callback what);
  void ExpectEnd(const PodPointer& pod);
  void ExpectLeave(const PodPointer& pod);

  // ---- what the scheduler asks for
  void Do(const model::Bind& bind);
  void Do(const model::Evict& evict);
  void Do(const model::Promise& promise);
  void Do(const model::Ungate& ungate);
  void Do(const model::PodWaits& waits);
  void Do(const model::GroupStatus& status);
  void Do(const model::ReservationStatus& status);
  void Do(const auto&) {}  // events, and what queues say: nothing comes of them
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
