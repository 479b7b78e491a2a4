#include "webhook/reservation_admission.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "kube/types/names.h"
#include "kube/types/time.h"
#include "webhook/queue_reference.h"

namespace basalt::webhook {
namespace {

using kube::Reservation;

// The scheduler keeps each of them in memory.
constexpr std::int64_t kMostReplicas = 10'000;

std::int64_t AllReplicas(const Reservation& reservation) {
  std::int64_t replicas = 0;
  for (const Reservation::Task& task : reservation.tasks) replicas += task.replicas;
  return replicas;
}

void CheckAmounts(const kube::ResourceList& amounts, const std::string& field, Verdict& verdict) {
  for (const auto& [name, quantity] : amounts) {
    if (quantity.Sign() >= 0) continue;
    verdict.Refuse(
        fmt::format("{}[{}]: {}: must not be negative", field, name, quantity.ToString()));
  }
}

void CheckResources(const kube::ResourceRequirements& resources, const std::string& field,
                    Verdict& verdict) {
  CheckAmounts(resources.requests, field + ".requests", verdict);
  CheckAmounts(resources.limits, field + ".limits", verdict);
}

void CheckContainers(const kube::SharedList<kube::Container>& containers, const std::string& field,
                     Verdict& verdict) {
  std::size_t number = 0;
  for (const kube::Container& container : containers) {
    const std::string at = fmt::format("{}[{}]", field, number++);
    if (container.name.empty()) verdict.Refuse(at + ".name: missing");
    CheckResources(container.resources, at + ".resources", verdict);
  }
}

void CheckTemplate(const kube::PodTemplate& pod, const std::string& field, Verdict& verdict) {
  if (pod.spec.containers.empty()) {
    verdict.Refuse(field + ".spec.containers: at least one is needed: it says how much to reserve");
  }
  CheckContainers(pod.spec.containers, field + ".spec.containers", verdict);
  CheckContainers(pod.spec.init_containers, field + ".spec.initContainers", verdict);
  if (pod.spec.resources) CheckResources(*pod.spec.resources, field + ".spec.resources", verdict);
  CheckAmounts(pod.spec.overhead, field + ".spec.overhead", verdict);
}

void CheckTasks(const Reservation& reservation, Verdict& verdict) {
  if (reservation.tasks.empty()) verdict.Refuse("spec.tasks: at least one is needed");
  if (AllReplicas(reservation) > kMostReplicas) {
    verdict.Refuse(
        fmt::format("spec.tasks: {} replicas are more than the {} of a reservation; make "
                    "several",
                    AllReplicas(reservation), kMostReplicas));
  }
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < reservation.tasks.size(); ++i) {
    const Reservation::Task& task = reservation.tasks[i];
    const std::string at = fmt::format("spec.tasks[{}]", i);
    for (const std::string& problem : kube::Dns1123LabelProblems(task.name)) {
      verdict.Refuse(fmt::format("{}.name: \"{}\": {}", at, task.name, problem));
    }
    if (!names.insert(task.name).second) {
      verdict.Refuse(fmt::format("{}.name: \"{}\": another task has this name", at, task.name));
    }
    if (task.replicas < 1) {
      verdict.Refuse(fmt::format("{}.replicas: {}: must be positive", at, task.replicas));
    }
    if (task.reservation_node_policy == Reservation::NodePolicy::kRequired &&
        task.reservation_node_names.empty()) {
      verdict.Refuse(at +
                     ".reservationNodeNames: the policy Required needs at least one; name the "
                     "nodes, or use Preferred");
    }
    for (const std::string& node : task.reservation_node_names) {
      if (node.empty()) verdict.Refuse(at + ".reservationNodeNames: an empty name");
    }
    CheckTemplate(task.pod_template, at + ".template", verdict);
  }
}

void CheckOwners(const Reservation& reservation, Verdict& verdict) {
  for (std::size_t i = 0; i < reservation.owners.size(); ++i) {
    const Reservation::Owner& owner = reservation.owners[i];
    if (owner.object || owner.label_selector) continue;
    verdict.Refuse(fmt::format("spec.owners[{}]: want object, labelSelector or both", i));
  }
}

// What the tasks ask for; the text of their templates may differ in the order of its keys, and
// whoever sends the whole again leaves out what was filled in.
std::vector<Reservation::Task> AsAskedFor(const Reservation& reservation) {
  std::vector<Reservation::Task> tasks = reservation.tasks;
  for (Reservation::Task& task : tasks) {
    task.pod_template.raw.clear();
    std::string& scheduler = task.pod_template.spec.scheduler_name;
    if (scheduler.empty()) scheduler = reservation.scheduler_name;
  }
  return tasks;
}

void CheckUnchanged(const Reservation& reservation, const Reservation& old, Verdict& verdict) {
  const auto refuse = [&](std::string_view field) {
    verdict.Refuse(
        fmt::format("{}: cannot be changed; delete the reservation and create another", field));
  };
  if (reservation.scheduler_name != old.scheduler_name) refuse("spec.schedulerName");
  if (reservation.min_available != old.min_available) refuse("spec.minAvailable");
  if (reservation.queue != old.queue) refuse("spec.queue");
  if (AsAskedFor(reservation) != AsAskedFor(old)) refuse("spec.tasks");
}

}  // namespace

Verdict MutateReservation(const Reservation& reservation, std::string_view ns,
                          const Snapshot& snapshot, const Policy& policy) {
  Verdict verdict;
  std::string scheduler = reservation.scheduler_name;
  if (scheduler.empty() && !policy.scheduler_names.empty()) {
    scheduler = policy.scheduler_names.front();
    AddOperation(verdict.patch, "/spec/schedulerName", boost::json::string(scheduler));
  }
  for (std::size_t i = 0; i < reservation.tasks.size() && !scheduler.empty(); ++i) {
    const kube::PodTemplate& pod = reservation.tasks[i].pod_template;
    if (!pod.spec.scheduler_name.empty() || pod.spec.containers.empty()) continue;
    AddOperation(verdict.patch, fmt::format("/spec/tasks/{}/template/spec/schedulerName", i),
                 boost::json::string(scheduler));
  }
  const std::string_view queue = ChooseQueue(reservation.queue, ns, snapshot, verdict);
  if (queue != reservation.queue) {
    AddOperation(verdict.patch, "/spec/queue", boost::json::string(queue));
  }
  const std::int64_t all = AllReplicas(reservation);
  if (reservation.min_available.value_or(0) == 0 && all > 0 &&
      all <= std::numeric_limits<std::int32_t>::max()) {
    AddOperation(verdict.patch, "/spec/minAvailable", all);
  }
  return verdict;
}

Verdict ValidateReservation(const Reservation& reservation, const Reservation* old,
                            const Snapshot& snapshot, Time now) {
  Verdict verdict;
  if (old != nullptr) CheckUnchanged(reservation, *old, verdict);
  CheckOwners(reservation, verdict);
  if (reservation.ttl && *reservation.ttl < Duration::zero()) {
    verdict.Refuse(fmt::format("spec.ttl: {}: must not be negative; 0s never expires",
                               kube::FormatDuration(*reservation.ttl)));
  }
  if (old != nullptr) return verdict;
  CheckTasks(reservation, verdict);
  const std::int32_t least = reservation.min_available.value_or(0);
  if (least < 0) {
    verdict.Refuse(fmt::format("spec.minAvailable: {}: must be positive", least));
  } else if (least > AllReplicas(reservation)) {
    verdict.Refuse(
        fmt::format("spec.minAvailable: {}: must not exceed the {} replicas of all tasks", least,
                    AllReplicas(reservation)));
  }
  if (reservation.expires && *reservation.expires <= now) {
    verdict.warnings.push_back(fmt::format("spec.expires: {} has passed: nothing will be reserved",
                                           kube::FormatTime(*reservation.expires)));
  }
  CheckQueueIsOpen(reservation.queue, "spec.queue", snapshot, verdict);
  return verdict;
}

}  // namespace basalt::webhook
