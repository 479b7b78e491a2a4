#include "scheduler/plugins/reservation/reservation.h"

#include <algorithm>

#include "model/reservation_use.h"

namespace basalt::scheduler::plugins {
namespace {

constexpr std::string_view kOnlyReserved = "only its reservation may give it a place";

// The nodes that the task of a reservation is to be on; nullptr: any.
const std::vector<std::string>* WantedNodes(const SessionView& view, const Task& task) {
  const Job* job = view.cluster().FindJob(task.job);
  if (!job || !job->reservation) return nullptr;
  const model::ReservedSlot& slot = view.cluster().reservations().SlotOf(task);
  const auto& names = job->reservation->object->tasks[slot.task].reservation_node_names;
  return names.empty() ? nullptr : &names;
}

}  // namespace

Result<std::unique_ptr<Plugin>> Reservation::Make(const PluginContext& context) {
  if (auto ok = context.config.arguments.CheckKnown({}); !ok) return std::unexpected(ok.error());
  return std::make_unique<Reservation>();
}

Verdict Reservation::ValidateJob(const Job& job) const {
  if (!job.NamesReservation()) return Verdict::Ok();
  const model::ReservationRefusal refusal = model::RefusalOf(view_->cluster(), job);
  return refusal.reason.empty() ? Verdict::Ok() : Verdict::Unschedulable(kName, refusal.reason);
}

// What it waits for is no room in its queue.
Vote Reservation::MayEnqueue(const Job& job, EnqueueRefusal* why) const {
  if (!job.NamesReservation() || ValidateJob(job).ok()) return Vote::kAbstain;
  why->helps = {};
  return Vote::kReject;
}

Verdict Reservation::CheckTask(const Task& task) {
  const Job* job = view_->JobOf(task);
  if (!job || !job->NamesReservation()) return Verdict::Ok();
  const bool names = !model::NamedReservation(*task.pod, job->group.get()).empty();
  return names ? Verdict::Unresolvable(kName, kOnlyReserved) : Verdict::Ok();
}

bool Reservation::Concerns(const Task& task) const { return WantedNodes(*view_, task) != nullptr; }

std::optional<NodeId> Reservation::Choose(const Task& task, std::span<const NodeId> nodes,
                                          std::span<const double> scores) const {
  const std::vector<std::string>* wanted = WantedNodes(*view_, task);
  if (!wanted) return std::nullopt;
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string& name = view_->cluster().node(nodes[i]).name;
    if (std::ranges::find(*wanted, name) == wanted->end()) continue;
    if (!best || scores[i] > scores[*best]) best = i;
  }
  if (!best) return std::nullopt;
  return nodes[*best];
}

}  // namespace basalt::scheduler::plugins
