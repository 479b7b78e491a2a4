#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/function_ref.h"
#include "kube/types/priority_class.h"
#include "kube/types/reservation.h"
#include "model/ids.h"
#include "model/reservation_index.h"
#include "model/reservation_match.h"
#include "model/reservation_moves.h"
#include "model/reservation_status.h"
#include "model/task.h"

namespace basalt::model {

class Cluster;
struct Job;
struct Node;

// One replica of one of a reservation's tasks. Where it stands is where its task stands: on a node
// (held), promised one, pending, succeeded (taken) or failed (released by the reservation's end).
struct ReservedSlot {
  std::uint32_t task = 0;  // of the object's tasks
  std::int32_t index = 0;
  TaskId id;
  std::string node;  // the last that it had; "": it never had one
  // The task that takes it over, until that is bound there or gives up; then it is given back.
  TaskId taker;
  std::string taker_uid;
  // The owner that took it, and as which in the order of all.
  std::optional<kube::ObjectReference> owner;
  std::uint64_t taken_as = 0;
  // The node's generation (GenerationFor) when the slot was last found usable there.
  std::uint64_t looked_at = 0;
};

// A reservation in the state: a job whose tasks hold room like any other and never become pods.
struct ReservationRecord {
  std::shared_ptr<const kube::Reservation> object;
  JobId job;
  std::vector<ReservedSlot> slots;  // by task and index
  // By task: what one replica asks for, and what a pod must be like to take its place.
  std::vector<kube::ResourceList> requests;
  std::vector<SchedulingShape> shapes;
  std::vector<std::size_t> quick_shapes;
  bool ended = false;
  std::int32_t being_taken = 0;          // slots with a taker
  mutable std::uint32_t first_free = 0;  // no slot before it is free
  // Why its first task without a place has none, as a pod would be told.
  std::uint32_t waiting_slot = 0;
  std::string waiting_reason;
  std::string waiting_message;
  // What its status is to say, and what was sent of it and has not come back yet.
  kube::Reservation::Status status;
  std::vector<kube::Reservation::Status> sent;
  // Under which it stands in the index, while it has a slot that is free; none: it stands there
  // not.
  std::vector<ReservationMark> marks;
  bool indexed = false;
  bool stale = false;    // whether it has a free slot is to be looked at
  bool touched = false;  // its status is to be looked at

  const std::string& ns() const { return object->meta.ns; }
  const std::string& name() const { return object->meta.name; }
  std::string key() const { return object->meta.Key(); }
};

// Every reservation of ours that is not being deleted. Part of the Cluster, on the same thread; it
// holds no amounts: the ledgers have them, as those of pods.
class Reservations {
 public:
  explicit Reservations(Cluster& cluster) : cluster_(cluster), moves_(cluster) {}
  Reservations(const Reservations&) = delete;
  Reservations& operator=(const Reservations&) = delete;

  // ---- reading
  bool empty() const { return by_key_.empty(); }
  std::size_t size() const { return by_key_.size(); }
  const ReservationRecord* Find(std::string_view ns, std::string_view name) const;
  template <class Fn>
  void ForEach(Fn fn) const {  // by namespace and name
    for (const auto& [key, record] : by_key_) fn(*record);
  }
  // The reservations that have a free slot, by the pods that they serve.
  const ReservationIndex& FreshIndex() const;
  // The slot of a reservation's task.
  const ReservedSlot& SlotOf(const Task& task) const;
  // Where the slot stands, as users see it.
  kube::ReservationPhase PhaseOf(const ReservedSlot& slot) const;
  // Where the whole stands at this moment, which its status may not say yet.
  kube::ReservationPhase PhaseOf(const ReservationRecord& record) const;
  // It is held, and no pod has taken it.
  bool IsFree(const ReservedSlot& slot) const;
  // Calls fn(slot) for the free slots, in their order, until it says false. What was taken from the
  // front costs nothing.
  template <class Fn>
  void ForEachFreeSlot(const ReservationRecord& record, Fn fn) const {
    std::uint32_t& first = record.first_free;
    while (first < record.slots.size() && !IsFree(record.slots[first])) ++first;
    for (std::size_t i = first; i < record.slots.size(); ++i) {
      if (IsFree(record.slots[i]) && !fn(record.slots[i])) return;
    }
  }
  // The name of the priority class that pods get which name none; "": there is none.
  std::string_view global_default_class() const;

  // ---- what events say
  // A new one: its job and tasks.
  void Add(std::shared_ptr<const kube::Reservation> object, std::string_view queue);
  // After a restart, once all pods, nodes and reservations are known: those that are there get the
  // places that their statuses say, as far as that can be true.
  void Restore();
  // A newer version of the same: owners and end may be others, and its status is held against what
  // it should be. false: nothing of that makes a difference.
  bool Refresh(std::shared_ptr<const kube::Reservation> object);
  void Remove(std::string_view ns, std::string_view name);
  void RemoveAll();
  // Its time is over: what was not taken is free.
  void EndDue(Time now);
  // The next time at which one ends.
  std::optional<Time> next_end() const;

  // ---- taking over
  // The taker, which stands where the reserved task stood, has its slot from now on.
  void NoteTaker(TaskId reserved, TaskId taker);
  // A task that was bound has taken its slot for good; the slot of one that has no node any more is
  // given back.
  void SettleTakes();
  // The same for one, if it takes anything. What it gives back moves by `move`.
  using Move = FunctionRef<void(TaskId task, const Holding& to)>;
  void SettleTake(TaskId taker, Move move);

  // ---- placements
  // The task has got its node, or the promise of one.
  void NotePlaced(const Task& task);
  // Held tasks on nodes that have changed since this was last asked, which may not be usable any
  // more; in the order of the nodes' changes.
  std::vector<TaskId> TakeDoubtful();
  // It has lost its place, and is to be placed anew.
  void NoteGivenUp(const Task& task);
  // It was found usable on its node as that is now.
  void NoteLookedAt(const Task& task);
  void SayWaiting(const Task& task, std::string_view reason, std::string_view message);

  // ---- moves: what a pod and the reservation for its next place count together
  ReservationMoves& moves() { return moves_; }

  // ---- statuses
  // A task of a reservation has moved.
  void Moved(const Task& task);
  // The statuses that have changed and must be written, by namespace and name.
  struct Changed {
    const ReservationRecord* record = nullptr;
    bool phase_changed = false;
  };
  std::vector<Changed> TakeChanged(Time now);
  // The write of the status has failed, and may be tried again.
  void WriteFailed(std::string_view ns, std::string_view name, std::string_view uid);

  // Something has happened to it: jobs that may use it are to be woken.
  void Tell(const ReservationRecord& record) { news_.emplace(record.ns(), record.name()); }
  // Brings back jobs that wait and that something has happened for, or to, since this was last
  // asked: a reservation that their pods name, or may use.
  void WakeThoseServed();
  bool has_news() const { return !news_.empty(); }

 private:
  struct Taker {
    ReservationRecord* record;
    std::uint32_t slot;
  };
  ReservationRecord* FindRecord(std::string_view ns, std::string_view name);
  ReservationRecord& RecordOf(const Task& task) const;
  ReservedSlot& SlotIn(ReservationRecord& record, const Task& task) const;
  void Touch(ReservationRecord& record);
  void SetTaker(ReservationRecord& record, ReservedSlot& slot, TaskId taker);
  bool HasFreeSlot(const ReservationRecord& record) const;
  const kube::PriorityClass* ClassOf(const kube::PodSpec& spec) const;
  void MakeTasks(ReservationRecord& record, std::string_view queue);
  ReservedSlot* SlotOf(ReservationRecord& record, const kube::Reservation::Placement& placement);
  const Task* FindUser(const ReservationRecord& record, const ReservedSlot& slot,
                       std::string_view node);
  void RestoreTaken(ReservationRecord& record);
  void RestoreHeld(ReservationRecord& record);
  void MarkTaken(ReservationRecord& record, ReservedSlot& slot, const Task& pod);
  void GiveBack(ReservationRecord& record, ReservedSlot& slot, Move move);
  bool Concerns(const ReservationRecord* record, std::string_view name, const Job& job) const;
  void SetEnd(ReservationRecord& record, bool add);
  bool IsTaken(const ReservedSlot& slot) const;

  Cluster& cluster_;
  std::map<std::string, std::unique_ptr<ReservationRecord>, std::less<>> by_key_;
  std::set<std::pair<Time, std::string>> ends_;  // with the key
  boost::unordered_flat_map<TaskId, Taker> takers_;
  std::uint64_t takes_ = 0;
  std::vector<ReservationRecord*> touched_;
  mutable ReservationIndex index_;
  mutable std::vector<ReservationRecord*> stale_;
  std::uint64_t nodes_seen_ = 0;  // of the cluster's log
  ReservationMoves moves_;
  std::set<std::pair<std::string, std::string>> news_;  // namespaces and names
  boost::unordered_flat_set<TaskId> attributed_;        // while it restores: pods that took a slot
};

// The node's generation with which what the reserved task needs there may change.
std::uint64_t GenerationFor(const Task& reserved, const Node& node);

// When the reservation ends: expires, or ttl after its creation, whichever comes first. Nothing:
// never.
std::optional<Time> EndOf(const kube::Reservation& reservation);

}  // namespace basalt::model
