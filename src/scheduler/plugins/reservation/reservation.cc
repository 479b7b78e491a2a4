#include <algorithm>

#include "model/reservation_use.h"
#include "scheduler/framework/session_plugin.h"

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

// A pod that names a reservation gets that one or none: a job that cannot use it is not let in and
// not placed, and only the action `reserve` places its pods. And the tasks of reservations go to
// the nodes that they name, where one of them takes them. Counterpart: Volcano's proposal of a
// plugin of that name. It takes no arguments.
class Reservation final : public SessionPlugin,
                          public JobValidator,
                          public EnqueueVoter,
                          public PrePredicate,
                          public BestNode {
 public:
  Verdict ValidateJob(const Job& job) const override {
    if (!job.NamesReservation()) return Verdict::Ok();
    const model::ReservationRefusal refusal = model::RefusalOf(cluster(), job);
    return refusal.reason.empty() ? Verdict::Ok() : Verdict::Unschedulable(refusal.reason);
  }
  // What it waits for is no room in its queue.
  Vote MayEnqueue(const Job& job, EnqueueRefusal* why) const override {
    if (!job.NamesReservation() || ValidateJob(job).ok()) return Vote::kAbstain;
    why->helps = {};
    return Vote::kReject;
  }
  Verdict CheckTask(const Task& task) override {
    const Job* job = view().JobOf(task);
    if (!job || !job->NamesReservation()) return Verdict::Ok();
    const bool names = !model::NamedReservation(*task.pod, job->group.get()).empty();
    return names ? Verdict::Unresolvable(kOnlyReserved) : Verdict::Ok();
  }
  bool Concerns(const Task& task) const override { return WantedNodes(view(), task) != nullptr; }
  std::optional<NodeId> Choose(const Task& task, std::span<const NodeId> nodes,
                               std::span<const double> scores) const override {
    const std::vector<std::string>* wanted = WantedNodes(view(), task);
    if (!wanted) return std::nullopt;
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::string& name = cluster().node(nodes[i]).name;
      if (std::ranges::find(*wanted, name) == wanted->end()) continue;
      if (!best || scores[i] > scores[*best]) best = i;
    }
    if (!best) return std::nullopt;
    return nodes[*best];
  }
};

}  // namespace

std::unique_ptr<Plugin> MakeReservation() { return std::make_unique<Reservation>(); }

}  // namespace basalt::scheduler::plugins
