#include "scheduler/placement/reserved_room.h"

#include <algorithm>

#include "model/reservation_use.h"
#include "scheduler/placement/task_list.h"

namespace basalt::scheduler {
namespace {

// A slot that does not take the pod after all is rare; so many others are tried.
constexpr std::size_t kMostTried = 8;

bool TakeSlot(Session& session, const Job& job, const Task& task, const model::ReservedSlot& slot,
              Statement& statement) {
  const model::Cluster& cluster = session.cluster();
  const Task& reserved = cluster.task(slot.id);
  const NodeId node = reserved.node();
  // What counts with the pod that it is to move gives nothing up while that is there.
  const Job& held_by = cluster.job(reserved.job);
  const bool gives_its_share = held_by.queue == job.queue && !held_by.counts_with_pod;
  const Statement::Checkpoint before = statement.Mark();
  // The pod must fit where the reserved task stood, and be let into another queue than that of the
  // reservation once the reservation has given up its share.
  statement.Release(slot.id, task.id);
  const Queue& queue = session.QueueOf(job);
  const bool admitted =
      gives_its_share || (session.MayAllocate(queue, task).ok() && session.MayStart(queue, task));
  const auto found =
      admitted ? session.finder().Try(task, node, NodeFinder::Room::kChecked) : std::nullopt;
  if (found && found->now) {
    statement.Allocate(task.id, node);
    return true;
  }
  statement.RollbackTo(before);
  return false;
}

}  // namespace

bool MayUseReservedRoom(const Session& session, const Job& job) {
  if (job.reservation || job.pending.empty()) return false;
  const model::Reservations& all = session.cluster().reservations();
  if (all.empty() || (!job.NamesReservation() && all.FreshIndex().empty())) return false;
  for (const Task& task : session.cluster().TasksOf(job.pending)) {
    if (!task.may_be_placed()) continue;
    if (!model::ReservationUser(session.cluster(), job, task).Slots(1).empty()) return true;
  }
  return false;
}

bool TakeReservedRoom(Session& session, const Job& job, Statement& statement) {
  bool taken = false;
  for (TaskList tasks(session, PlaceablePendingTasks(session, job)); !tasks.empty();) {
    const Task& task = *tasks.Take();
    const model::ReservationUser user(session.cluster(), job, task);
    for (const model::ReservedSlot* slot : user.Slots(kMostTried)) {
      if (!TakeSlot(session, job, task, *slot, statement)) continue;
      taken = true;
      break;
    }
  }
  return taken;
}

bool IsStillUsable(Session& session, const Task& reserved) {
  const model::Cluster& cluster = session.cluster();
  const Node& node = cluster.node(reserved.node());
  if (!node.exists()) return false;
  bool over = false;
  model::ForEachDimension(reserved.request().NonZero(), [&](int d) {
    over = over || cluster.ledger().idle(d, node.id) < -model::Amounts::kEpsilon;
  });
  if (over) return false;
  if (cluster.reservations().SlotOf(reserved).looked_at == GenerationFor(reserved, node))
    return true;
  Statement trial(session);
  trial.Vanish(reserved.id);
  const auto found = session.finder().Try(reserved, node.id, NodeFinder::Room::kChecked);
  trial.Discard();
  if (!found || !found->now) return false;
  session.NoteUsable(reserved);
  return true;
}

void GiveUpReservedRoom(Statement& statement, const Task& reserved) {
  statement.Unallocate(reserved.id);
}

std::vector<std::string> ReservationsInTheWay(Session& session, const Task& task) {
  const model::Cluster& cluster = session.cluster();
  const model::Reservations& all = cluster.reservations();
  if (all.empty()) return {};
  Statement trial(session);
  std::vector<const model::ReservationRecord*> held;
  all.ForEach([&](const model::ReservationRecord& record) {
    if (task.job == record.job) return;
    for (const model::ReservedSlot& slot : record.slots) {
      if (!all.IsFree(slot)) continue;
      trial.Vanish(slot.id);
      if (held.empty() || held.back() != &record) held.push_back(&record);
    }
  });
  const auto found = session.finder().Best(task, NodeFinder::Room::kChecked);
  trial.Discard();
  if (!found || !found->now) return {};
  std::vector<std::string> names;
  for (const model::ReservationRecord* record : held) {
    const bool there = std::ranges::any_of(record->slots, [&](const model::ReservedSlot& slot) {
      return all.IsFree(slot) && cluster.task(slot.id).node() == found->node;
    });
    if (there) names.push_back(record->key());
  }
  return names;
}

}  // namespace basalt::scheduler
