#include "model/reservation_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kube/types/reasons.h"

namespace basalt::model {

using Phase = kube::ReservationPhase;

ReservationUser::ReservationUser(const Cluster& cluster, const Job& job, const Task& task)
    : cluster_(cluster),
      job_(job),
      task_(task),
      named_(task.names_reservation || job.group_names_reservation
                 ? NamedReservation(*task.pod, job.group.get())
                 : std::string_view()) {}

std::size_t ReservationUser::quick() const {
  if (!quick_) quick_ = QuickShape(task_.pod->spec);
  return *quick_;
}

bool ReservationUser::MayUse(const ReservationRecord& record) const {
  return model::MayUse(*record.object, *task_.pod, job_.group.get(), job_.shadow);
}

bool ReservationUser::IsLike(const ReservationRecord& record, std::uint32_t task) const {
  if (record.quick_shapes[task] != quick()) return false;
  const kube::PodSpec& wanted = record.object->tasks[task].pod_template.spec;
  const kube::PodSpec& spec = task_.pod->spec;
  if (!SamePriorityClass(wanted.priority_class_name, spec.priority_class_name,
                         cluster_.reservations().global_default_class())) {
    return false;
  }
  if (!shape_) shape_ = ShapeOf(spec);
  return record.shapes[task] == *shape_;
}

void ReservationUser::AddSlots(const ReservationRecord& record, std::size_t most,
                               std::vector<const ReservedSlot*>& slots) const {
  const Reservations& all = cluster_.reservations();
  if (std::ranges::none_of(record.quick_shapes, [&](std::size_t q) { return q == quick(); }) ||
      !MayUse(record) || all.PhaseOf(record) != Phase::kAvailable) {
    return;
  }
  all.ForEachFreeSlot(record, [&](const ReservedSlot& slot) {
    if (slots.size() == most) return false;
    if (IsLike(record, slot.task)) slots.push_back(&slot);
    return true;
  });
}

std::vector<const ReservedSlot*> ReservationUser::Slots(std::size_t most) const {
  std::vector<const ReservedSlot*> slots;
  const Reservations& all = cluster_.reservations();
  if (!named_.empty()) {
    if (const ReservationRecord* record = all.Find(task_.ns(), named_)) {
      AddSlots(*record, most, slots);
    }
    return slots;
  }
  all.FreshIndex().ForEachCandidate(*task_.pod, job_.shadow ? nullptr : job_.group.get(),
                                    [&](const ReservationRecord& record) {
                                      AddSlots(record, most, slots);
                                      return slots.size() < most;
                                    });
  return slots;
}

namespace {

// The job's waiting pods that name one, by its name, in their order.
std::map<std::string_view, std::vector<const Task*>> ByName(const Cluster& cluster, const Job& job,
                                                            int* nameless) {
  std::map<std::string_view, std::vector<const Task*>> by_name;
  for (const TaskId id : job.pending) {
    const Task& task = cluster.task(id);
    const std::string_view name = NamedReservation(*task.pod, job.group.get());
    if (name.empty()) {
      ++*nameless;
    } else {
      by_name[name].push_back(&task);
    }
  }
  for (auto& [name, tasks] : by_name) {
    std::ranges::sort(tasks, [](const Task* a, const Task* b) { return TaskBefore(*a, *b); });
  }
  return by_name;
}

// How many of the tasks can have a free slot each: a slot serves one task.
int CountServed(const Cluster& cluster, const Job& job, const ReservationRecord& record,
                const std::vector<const Task*>& tasks) {
  std::vector<int> left(record.object->tasks.size());
  for (const ReservedSlot& slot : record.slots) {
    if (cluster.reservations().IsFree(slot)) ++left[slot.task];
  }
  int served = 0;
  for (const Task* task : tasks) {
    const ReservationUser user(cluster, job, *task);
    for (std::uint32_t t = 0; t < left.size(); ++t) {
      if (left[t] == 0 || !user.IsLike(record, t)) continue;
      --left[t];
      ++served;
      break;
    }
  }
  return served;
}

}  // namespace

ReservationRefusal RefusalOf(const Cluster& cluster, const Job& job) {
  if (job.reservation) return {};
  int served = 0;
  const auto by_name = ByName(cluster, job, &served);
  if (by_name.empty()) return {};
  const Reservations& all = cluster.reservations();
  for (const auto& [name, tasks] : by_name) {
    const ReservationRecord* record = all.Find(job.ns, name);
    const auto refuse = [&](std::string_view reason, std::string message) {
      return ReservationRefusal{reason, std::string(name), std::move(message)};
    };
    if (!record) {
      return refuse(reasons::kReservationInvalid,
                    fmt::format("there is no reservation {} in namespace {}", name, job.ns));
    }
    if (const Phase phase = all.PhaseOf(*record); phase != Phase::kAvailable) {
      return refuse(reasons::kReservationInvalid,
                    fmt::format("reservation {} is not Available but {}", name, ToString(phase)));
    }
  }
  for (const auto& [name, tasks] : by_name) {
    const ReservationRecord& record = *all.Find(job.ns, name);
    for (const Task* task : tasks) {
      if (ReservationUser(cluster, job, *task).MayUse(record)) continue;
      return {reasons::kReservationOfOther, std::string(name),
              fmt::format("reservation {} is for others: pod {} matches none of its owners", name,
                          task->name())};
    }
    served += CountServed(cluster, job, record, tasks);
  }
  // One that runs already needs nothing to start, and its next pod a place all the same.
  const int needed = std::max(1, job.min_available - job.ready_tasks() - job.waiting_tasks());
  if (served >= needed) return {};
  const std::string_view name = by_name.begin()->first;
  return {reasons::kReservationOfOtherSpec, std::string(name),
          fmt::format("reservation {} has room for {} of the {} pods that are needed to start: "
                      "their template differs, or they are more than it has left",
                      name, served, needed)};
}

}  // namespace basalt::model
