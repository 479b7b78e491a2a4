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

void CheckAmounts(const kube::ResourceList& amounts, const std::string& field, Review& review) {
  for (const auto& [name, quantity] : amounts) {
    if (quantity.Sign() >= 0) continue;
    review.Refuse(
        fmt::format("{}[{}]: {}: must not be negative", field, name, quantity.ToString()));
  }
}

void CheckResources(const kube::ResourceRequirements& resources, const std::string& field,
                    Review& review) {
  CheckAmounts(resources.requests, field + ".requests", review);
  CheckAmounts(resources.limits, field + ".limits", review);
}

void CheckContainers(const kube::SharedList<kube::Container>& containers, const std::string& field,
                     Review& review) {
  std::size_t number = 0;
  for (const kube::Container& container : containers) {
    const std::string at = fmt::format("{}[{}]", field, number++);
    if (container.name.empty()) review.Refuse(at + ".name: missing");
    CheckResources(container.resources, at + ".resources", review);
  }
}

void CheckTemplate(const kube::PodTemplate& pod, const std::string& field, Review& review) {
  if (pod.spec.containers.empty()) {
    review.Refuse(field + ".spec.containers: at least one is needed: it says how much to reserve");
  }
  CheckContainers(pod.spec.containers, field + ".spec.containers", review);
  CheckContainers(pod.spec.init_containers, field + ".spec.initContainers", review);
  if (pod.spec.resources) CheckResources(*pod.spec.resources, field + ".spec.resources", review);
  CheckAmounts(pod.spec.overhead, field + ".spec.overhead", review);
}

void CheckTasks(const Reservation& reservation, Review& review) {
  if (reservation.tasks.empty()) review.Refuse("spec.tasks: at least one is needed");
  if (AllReplicas(reservation) > kMostReplicas) {
    review.Refuse(
        fmt::format("spec.tasks: {} replicas are more than the {} of a reservation; make "
                    "several",
                    AllReplicas(reservation), kMostReplicas));
  }
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < reservation.tasks.size(); ++i) {
    const Reservation::Task& task = reservation.tasks[i];
    const std::string at = fmt::format("spec.tasks[{}]", i);
    for (const std::string& problem : kube::Dns1123LabelProblems(task.name)) {
      review.Refuse(fmt::format("{}.name: \"{}\": {}", at, task.name, problem));
    }
    if (!names.insert(task.name).second) {
      review.Refuse(fmt::format("{}.name: \"{}\": another task has this name", at, task.name));
    }
    if (task.replicas < 1) {
      review.Refuse(fmt::format("{}.replicas: {}: must be positive", at, task.replicas));
    }
    if (task.reservation_node_policy == Reservation::NodePolicy::kRequired &&
        task.reservation_node_names.empty()) {
      review.Refuse(at +
                    ".reservationNodeNames: the policy Required needs at least one; name the "
                    "nodes, or use Preferred");
    }
    for (const std::string& node : task.reservation_node_names) {
      if (node.empty()) review.Refuse(at + ".reservationNodeNames: an empty name");
    }
    CheckTemplate(task.pod_template, at + ".template", review);
  }
}

void CheckOwners(const Reservation& reservation, Review& review) {
  for (std::size_t i = 0; i < reservation.owners.size(); ++i) {
    const Reservation::Owner& owner = reservation.owners[i];
    if (owner.object || owner.label_selector) continue;
    review.Refuse(fmt::format("spec.owners[{}]: want object, labelSelector or both", i));
  }
}

// What the tasks ask for. The text of their templates may differ in the order of its keys. A client
// that sends the whole object again leaves out what was filled in.
std::vector<Reservation::Task> AsAskedFor(const Reservation& reservation) {
  std::vector<Reservation::Task> tasks = reservation.tasks;
  for (Reservation::Task& task : tasks) {
    task.pod_template.raw.clear();
    std::string& scheduler = task.pod_template.spec.scheduler_name;
    if (scheduler.empty()) scheduler = reservation.scheduler_name;
  }
  return tasks;
}

void CheckUnchanged(const Reservation& reservation, const Reservation& old, Review& review) {
  const auto refuse = [&](std::string_view field) {
    review.Refuse(
        fmt::format("{}: cannot be changed; delete the reservation and create another", field));
  };
  if (reservation.scheduler_name != old.scheduler_name) refuse("spec.schedulerName");
  if (reservation.min_available != old.min_available) refuse("spec.minAvailable");
  if (reservation.queue != old.queue) refuse("spec.queue");
  if (AsAskedFor(reservation) != AsAskedFor(old)) refuse("spec.tasks");
}

}  // namespace

Review MutateReservation(const Reservation& reservation, std::string_view ns,
                         const Snapshot& snapshot, const Policy& policy) {
  Review review;
  std::string scheduler = reservation.scheduler_name;
  if (scheduler.empty() && !policy.scheduler_names.empty()) {
    scheduler = policy.scheduler_names.front();
    AddOperation(review.patch, "/spec/schedulerName", boost::json::string(scheduler));
  }
  for (std::size_t i = 0; i < reservation.tasks.size() && !scheduler.empty(); ++i) {
    const kube::PodTemplate& pod = reservation.tasks[i].pod_template;
    if (!pod.spec.scheduler_name.empty() || pod.spec.containers.empty()) continue;
    AddOperation(review.patch, fmt::format("/spec/tasks/{}/template/spec/schedulerName", i),
                 boost::json::string(scheduler));
  }
  const std::string_view queue = ChooseQueue(reservation.queue, ns, snapshot, review);
  if (queue != reservation.queue) {
    AddOperation(review.patch, "/spec/queue", boost::json::string(queue));
  }
  const std::int64_t all = AllReplicas(reservation);
  if (reservation.min_available.value_or(0) == 0 && all > 0 &&
      all <= std::numeric_limits<std::int32_t>::max()) {
    AddOperation(review.patch, "/spec/minAvailable", all);
  }
  return review;
}

Review ValidateReservation(const Reservation& reservation, const Reservation* old,
                           const Snapshot& snapshot, Time now) {
  Review review;
  if (old != nullptr) CheckUnchanged(reservation, *old, review);
  CheckOwners(reservation, review);
  if (reservation.ttl && *reservation.ttl < Duration::zero()) {
    review.Refuse(fmt::format("spec.ttl: {}: must not be negative; 0s never expires",
                              kube::FormatDuration(*reservation.ttl)));
  }
  if (old != nullptr) return review;
  CheckTasks(reservation, review);
  const std::int32_t least = reservation.min_available.value_or(0);
  if (least < 0) {
    review.Refuse(fmt::format("spec.minAvailable: {}: must be positive", least));
  } else if (least > AllReplicas(reservation)) {
    review.Refuse(fmt::format("spec.minAvailable: {}: must not exceed the {} replicas of all tasks",
                              least, AllReplicas(reservation)));
  }
  if (reservation.expires && *reservation.expires <= now) {
    review.warnings.push_back(fmt::format("spec.expires: {} has passed: nothing will be reserved",
                                          kube::FormatTime(*reservation.expires)));
  }
  CheckQueueIsOpen(reservation.queue, "spec.queue", snapshot, review);
  return review;
}

}  // namespace basalt::webhook
