#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "descheduler/migration/acts.h"
#include "descheduler/migration/world.h"
#include "descheduler/plan/plan.h"

namespace basalt::descheduler {

// A plan that is carried out, as a pure state machine: Step looks at the cluster and at the clock
// and says what to do now; answers come back by the other calls. Call Step after each of them,
// whenever something changes in the cluster, and at wake_at().
//
// Each source goes through the same steps, and several at once as far as maxParallel has a use for
// them: all its reservations are made; when all are held the node is tainted; then its pods are
// evicted, each while its own place is held; when the last move has ended the reservations and the
// taint go. A move that fails ends those of its source that have not evicted, and gives its
// reservation back at once.
//
// While a pod is without a place nothing is asked of the API server that can wait: nodes are told
// to cool down, and reservations that were taken are deleted, when a source is empty; and a
// replacement that starts quickly has started before the next pod goes in its stead.
//
// Which of the replacements of one controller takes which reservation is not for us to say: when a
// pod that was evicted is replaced at the place of another that was not, the two exchange their
// places.
//
// Owned by a Migrator while its plan is carried out; loop thread only.
class Migration {
 public:
  explicit Migration(Plan plan);

  std::vector<Act> Step(Duration now, const World& world);
  // The latest moment at which Step must be called again; nothing: when something happens.
  std::optional<Duration> wake_at() const { return wake_at_; }

  void Reserved(std::size_t move, Answer answer, const std::string& uid,
                const std::string& message);
  void Unreserved(std::string_view name, Answer answer);
  void Evicted(std::size_t move, Answer answer, const std::string& message);
  void TaintSet(const std::string& node, bool on, Answer answer);

  // Every move has ended, and nothing of it is left in the cluster.
  bool ended() const { return started_ == sources_.size() && active_.empty(); }
  // Pods that are away: asked to go, and their replacements have not started.
  int away() const { return out_; }
  const Plan& plan() const { return plan_; }
  // Whether the reservation is one of its own.
  bool Owns(std::string_view ns, std::string_view name) const;

 private:
  enum class Stage : std::uint8_t {
    kIdle,
    kReserving,
    kEvicting,
    kRebinding,
    kStarting,  // it has moved; its replacement is to start
    kEnded,
  };

  // A place that is held for a move, or may be.
  struct Place {
    std::string name;  // of the reservation; "": none was asked for
    std::string uid;   // "": it was not made yet, or that is not known
    std::string node;
    std::string taker;  // the pod that took it; "": that is not known
    bool seen = false;  // in the cluster
    bool held = false;  // Available, on its node, when last looked at
    bool was_held = false;
    bool taken = false;  // Succeeded
    bool lost = false;   // gone, or over
    bool asked = false;  // the request to make it is under way
    bool may_be_there = false;
    bool leaving = false;     // the request to delete it is under way
    Duration again{0};        // the next attempt to make it
    Duration leave_again{0};  // and to delete it
  };
  struct Progress {
    Stage stage = Stage::kIdle;
    std::size_t source = 0;
    std::string pool;   // of moves whose replacements are interchangeable
    std::string group;  // its PodGroup, once it was to be asked to go
    Place place;
    bool asked = false;            // the eviction is under way
    std::optional<Answer> answer;  // to that, not looked at yet
    bool may_be_evicted = false;
    std::string refusal;  // what was said last
    Duration deadline{0};
    Duration again{0};
    std::optional<Duration> group_deadline;
  };
  struct Source {
    std::string node;
    std::vector<std::size_t> moves;
    bool failed = false;
    bool opened = false;  // all was held once: its pods may go
    bool taint_may_be_on = false;
    bool tainted = false;
    bool taint_asked = false;
    Duration again{0};
  };
  struct Pool {
    int held = 0;  // reservations that are Available
    int out = 0;   // pods that are asked to go, or went, and are not replaced
  };

  const MigrationRules& rules() const { return plan_.rules; }
  Duration Timeout() const { return std::chrono::milliseconds(rules().timeout_ms); }
  bool StartSources();
  void Start(std::size_t source);
  std::size_t UnendedMoves();
  Duration TimeToLive();

  void LookAtPlaces();
  void LookAtPlace(const std::string& ns, Place& place);
  bool OwnsWhatItTook(const Progress& progress) const;
  void ExchangeTaken();
  void CountPools();
  void Advance(std::size_t move);
  void AdvanceReserving(std::size_t move);
  void AdvanceEvicting(std::size_t move);
  void AdvanceRebinding(std::size_t move);
  void AdvanceStarting(std::size_t move);
  bool FailIfPlaceIsLost(std::size_t move);
  bool FailIfTargetIsGone(std::size_t move);
  void TryToReserve(std::size_t move);
  bool MayEvict(std::size_t move);
  bool GroupLetsGo(std::size_t move);
  void AskToGo(std::size_t move);
  void Accepted(std::size_t move);
  void OpenSource(Source& source);
  // Whether nothing of it is left.
  bool CloseSource(Source& source);
  bool GiveBack(std::size_t move);
  bool TakeTaintAway(Source& source);

  void Fail(std::size_t move, std::string_view reason, std::string message);
  void Cancel(std::size_t move);
  void End(std::size_t move, MoveState state);
  void TellNode(const Source& source, std::string_view reason, bool warning, std::string message);
  void KeepCool(const std::string& node);
  void CoolDownUntil(Duration due);
  void WakeAt(Duration when);
  template <class Visit>
  void ForEachActiveMove(Visit visit) {
    for (const std::size_t source : active_) {
      for (const std::size_t move : sources_[source].moves) visit(move);
    }
  }
  const kube::Pod* PodThatStays(std::size_t move) const;
  static bool IsOut(const Progress& progress) {
    return progress.stage >= Stage::kEvicting && progress.stage < Stage::kEnded;
  }
  // Its place is of no further interest.
  static bool IsOver(const Progress& progress) { return progress.stage >= Stage::kStarting; }

  Plan plan_;
  std::vector<Source> sources_;
  std::vector<Progress> progress_;                                  // by move
  std::size_t started_ = 0;                                         // of sources_
  std::vector<std::size_t> active_;                                 // of those, in order
  std::map<std::string, std::size_t, std::less<>> by_reservation_;  // name to move
  std::map<std::string, Duration> to_cool_;  // nodes, and when they are told at the latest
  int out_ = 0;                              // moves that are out
  std::optional<Duration> wake_at_;
  // During Step.
  Duration now_{0};
  const World* world_ = nullptr;
  std::map<std::string, Pool> pools_;
  std::vector<Act> acts_;
};

}  // namespace basalt::descheduler
