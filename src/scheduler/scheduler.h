#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/loop.h"
#include "base/random.h"
#include "kube/informer/informer.h"
#include "model/intent.h"
#include "model/outcome.h"
#include "scheduler/cycle_budget.h"
#include "scheduler/explain/explainer.h"
#include "scheduler/framework/action.h"
#include "scheduler/framework/eviction_memory.h"
#include "scheduler/framework/job_turns.h"
#include "scheduler/framework/plugin_set.h"
#include "scheduler/state/cluster_state.h"
#include "scheduler/state/image_taker.h"

namespace basalt::scheduler {

// Told of the state after each action of a cycle; nullptr: there is no listener.
using AfterAction = std::function<void(const model::Cluster& cluster, std::string_view action)>;
// Counts every ledger anew, and ends the process where one is wrong; of clusters that are not too
// large for that.
void CheckLedgersAfter(const model::Cluster& cluster, std::string_view action);
#ifdef NDEBUG
inline constexpr auto kDefaultAfterAction = nullptr;
#else
inline constexpr auto kDefaultAfterAction = &CheckLedgersAfter;
#endif

struct SchedulerOptions {
  ClusterState::Options state;
  // After an event the next cycle waits so long for more of them.
  Duration batch_window = 1ms;
  // The longest time between cycles while a job waits: what depends on time alone (an SLA, a zone
  // that opens) has no event.
  Duration period = 1s;
  // A cycle that has gone on for so long ends at the next job, and another goes on where it
  // stopped.
  Duration cycle_budget = 500ms;
  // The same in jobs looked at, for virtual time.
  std::uint64_t cycle_steps = CycleBudget::kNoLimit;
  // A cycle is followed by a pause as long, but not longer than this: events come in meanwhile.
  Duration most_pause = 100ms;
  // How long a pod whose bind, or the removal of whose gate, failed again and again waits before
  // the next attempt.
  Duration first_retry = 100ms;
  Duration most_retry = 10s;
  // How long after a change queues' statuses follow; what changes meanwhile is told together.
  Duration queue_status_delay = 1s;
  // So often everything is looked at, whatever has happened: a job that can go on then and was not
  // woken is a bug.
  Duration look_at_everything = 1min;
  // So many tasks or jobs are a piece of an image that is taken in pieces: a few
  // microseconds, which a pod that comes meanwhile waits for at each of its steps.
  std::uint32_t image_piece = 24;
  // Off: jobs that cannot go on are looked at in every cycle all the same; for tests.
  bool park = true;
  AfterAction after_action = kDefaultAfterAction;
};

// All that a scheduler knows at one moment, by which another one, on another thread, decides as it
// would.
struct SchedulerImage {
  SchedulerOptions options;  // without the signer, which is of one thread
  Config config;
  StateImage state;
  EvictionMemory::Image evictions;
  std::uint64_t cycles = 0;
  Duration last_cycle_took{0};
  Time taken_at{};
};

// A cycle of so long is told of: some job took far more than the whole budget.
inline constexpr Duration kLongCycle = 1s;

// What a cycle decided and how long it took, in all and in its parts, for metrics and the log.
struct CycleTimes {
  std::uint64_t cycle = 0;
  std::size_t binds = 0;
  std::size_t promises = 0;
  std::size_t evictions = 0;
  std::size_t ungated = 0;
  bool decided() const { return binds + promises + evictions + ungated > 0; }
  Duration open{0};
  std::vector<std::pair<std::string_view, Duration>> actions;  // by name, in their order
  Duration close{0};
  Duration total{0};
  Duration cpu{0};  // of all of it, of this thread: what it was without what it waited
  std::size_t jobs_put_off = 0;
  std::size_t missed_wakeups = 0;
};

// The scheduling loop: events in, decisions out. It owns the state; everything of it runs on one
// loop, its own thread in production and the test's on virtual time. It does no I/O: intents go out
// through `emit`, and their outcomes come back as events.
class Scheduler {
 public:
  using Emit = std::function<void(std::vector<model::Intent>)>;

  Scheduler(Loop& loop, SchedulerOptions options, Emit emit);

  // Puts a configuration in force, from the next cycle on. On an error the last good one stays.
  Result<void> Configure(std::string_view yaml);

  // Cycles run between Start and Stop: when this scheduler leads and its informers have synced.
  void Start();
  void Stop();

  template <class T>
  void Apply(const kube::InformerEvent<T>& event) {
    if (running_ && ChangesPolicy(event)) evictions_.PolicyChanged();
    if (event.object) {
      state_.Set(event.object);
    } else if (event.old_object) {
      bind_failures_.erase(event.old_object->meta.uid);
      ungate_failures_.erase(event.old_object->meta.uid);
      state_.Remove(*event.old_object);
    }
    CycleSoon();
  }
  void Apply(const model::Outcome& outcome);

  // Told after every cycle.
  void OnCycle(std::function<void(const CycleTimes&)> callback) { on_cycle_ = std::move(callback); }

  // One cycle: decides on everything that can be decided now.
  void RunOnce();

  // For one question about the state as it is now, between cycles. Nothing while it does not run: a
  // scheduler that does not lead has no say.
  std::optional<explain::Explainer> MakeExplainer();

  // For a simulation, between cycles. Nothing while it does not run, as above.
  std::optional<SchedulerImage> TakeImage() const;
  // The same, in pieces with other work in between, each of which takes this thread a fraction of a
  // millisecond: an image of the moment in which `done` gets it. One at a time. Nothing also where
  // it stops meanwhile.
  using WithImage = std::move_only_function<void(std::optional<SchedulerImage>)>;
  void TakeImageInPieces(WithImage done);
  // Instead of Configure and Start, on one that has been told of nothing.
  void Adopt(const SchedulerImage& image);

  const ClusterState& state() const { return state_; }
  const EvictionMemory& evictions() const { return evictions_; }
  std::uint64_t cycles() const { return cycles_; }
  // Jobs that could go on although nothing had happened that they waited for, and were not woken.
  std::uint64_t missed_wakeups() const { return missed_wakeups_; }

 private:
  class Cycle;
  template <class T>
  static bool ChangesPolicy(const kube::InformerEvent<T>&) {
    return std::is_same_v<T, kube::PriorityClass>;
  }
  static bool ChangesPolicy(const kube::InformerEvent<kube::Queue>& event) {
    return !event.object || !event.old_object ||
           !model::SameButForStatus(*event.old_object, *event.object);
  }
  Result<void> Install(Config config);
  void Begin();
  bool SomethingToDo() const;
  void CycleSoon();
  void WakeAt(std::optional<Time> due);
  using Failures = boost::unordered_flat_map<std::string, int>;  // by uid
  Duration PauseAfter(Failures& failures, const std::string& uid) const;
  // Then, and a cycle follows.
  void After(Duration pause, Callback then);
  void BindRefused(const model::Task& task, const Error& why);
  void UngateRefused(const model::Task& task);
  void ReservationWritten(const model::Outcome& outcome);
  void TellQueues();
  void LookAtEverything();
  void NoteMissed(const std::vector<model::JobId>& jobs);
  SchedulerImage ImageWith(StateImage state) const;
  void NextPieceOfImage();
  void EndImage(std::optional<SchedulerImage> image);

  Loop& loop_;
  SchedulerOptions options_;
  Emit emit_;
  ClusterState state_;
  EvictionMemory evictions_;
  JobTurns turns_;
  std::unique_ptr<PluginSet> plugins_;
  std::vector<std::unique_ptr<Action>> actions_;
  std::unique_ptr<PluginSet>
      question_plugins_;  // of the same configuration; none before a question
  bool running_ = false;
  std::uint64_t seen_generation_ = 0;
  bool settled_ = false;  // the last cycle decided nothing and had nothing to say
  int quiet_cycles_ = 0;  // in a row
  Duration last_cycle_end_{0};
  Duration last_cycle_took_{0};
  std::uint64_t cycles_ = 0;
  std::uint64_t missed_wakeups_ = 0;
  CycleTimes times_;  // of the last cycle
  std::function<void(const CycleTimes&)> on_cycle_;
  Failures bind_failures_;
  Failures ungate_failures_;
  Timer next_cycle_;
  Timer next_period_;
  Timer wake_up_;  // something is due then: a promise that ends
  bool woken_ = false;
  Timer next_look_at_everything_;
  Timer queue_status_;
  std::size_t queue_cycles_ = 0;             // queues in a cycle of parents, when last told
  std::unique_ptr<ImageTaker> image_taker_;  // while an image is being taken in pieces
  WithImage with_image_;
  Scope scope_;
};

}  // namespace basalt::scheduler
