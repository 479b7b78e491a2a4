#include "webhook/pod_admission.h"

#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "kube/types/time.h"
#include "model/annotations.h"
#include "model/group_of.h"

namespace basalt::webhook {
namespace {

namespace annotations = model::annotations;
namespace json = boost::json;

using NewAnnotations = std::vector<std::pair<std::string_view, std::string>>;

bool WantsGate(const kube::Pod& pod, const Policy& policy) {
  return policy.queue_allocation_gates &&
         pod.meta.annotations.Get(annotations::kQueueAllocationGate) == "true" &&
         // Its node is chosen already: with a gate it would be refused.
         !pod.bound();
}

void AddAnnotations(const kube::Pod& pod, const NewAnnotations& added, json::array& patch) {
  if (added.empty()) return;
  if (pod.meta.annotations.empty()) {
    json::object all;
    for (const auto& [key, value] : added) all[key] = value;
    AddOperation(patch, Pointer({"metadata", "annotations"}), std::move(all));
    return;
  }
  for (const auto& [key, value] : added) {
    AddOperation(patch, Pointer({"metadata", "annotations", key}), json::string(value));
  }
}

void AddGate(const kube::Pod& pod, json::array& patch) {
  if (pod.HasGate(annotations::kQueueAllocationGate)) return;
  const json::object gate{{"name", annotations::kQueueAllocationGate}};
  if (pod.spec.scheduling_gates.empty()) {
    AddOperation(patch, "/spec/schedulingGates", json::array{gate});
  } else {
    AddOperation(patch, "/spec/schedulingGates/-", gate);
  }
}

// A count, or a share of 1% to 99%.
std::string DisruptionProblem(std::string_view key, std::string_view value) {
  const bool percent = value.ends_with('%');
  const std::string_view digits = percent ? value.substr(0, value.size() - 1) : value;
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (whole && number > 0 && (!percent || number < 100)) return "";
  return fmt::format(
      "metadata.annotations[{}]: \"{}\": want a positive integer or a percentage from 1% to 99%",
      key, value);
}

}  // namespace

Review MutatePod(const kube::Pod& pod, std::string_view ns, const Snapshot& snapshot,
                 const Policy& policy) {
  Review review;
  if (!policy.Schedules(pod.spec.scheduler_name)) return review;
  const bool gate = WantsGate(pod, policy);
  const model::GroupChoice group = model::GroupOf(pod);
  const bool asks_for_group = group.kind == model::GroupChoice::Kind::kAsked;
  if (!gate && !asks_for_group) return review;

  NewAnnotations added;
  // A pod without an owner is a group of its own and has no uid yet: the controller names it.
  const kube::OwnerReference* owner = model::GroupOwner(pod.meta);
  if (asks_for_group && owner != nullptr && !owner->uid.empty()) {
    added.emplace_back(annotations::kGroupName, group.name);
  }
  // The queue of a group that is named is the group's.
  if (group.kind != model::GroupChoice::Kind::kNamed &&
      !pod.meta.annotations.Contains(annotations::kQueueName)) {
    review.doubtful = !snapshot.KnowsNamespace(ns);
    const std::string_view queue = snapshot.QueueOfNamespace(ns);
    if (!queue.empty()) added.emplace_back(annotations::kQueueName, queue);
  }
  AddAnnotations(pod, added, review.patch);
  if (gate) AddGate(pod, review.patch);
  return review;
}

Review ValidatePod(const kube::Pod& pod, const Policy& policy) {
  Review review;
  if (!policy.Schedules(pod.spec.scheduler_name)) return review;
  const kube::StringMap& given = pod.meta.annotations;
  for (const std::string_view key :
       {annotations::kJdbMinAvailable, annotations::kJdbMaxUnavailable}) {
    const auto value = given.Find(key);
    if (!value) continue;
    if (std::string problem = DisruptionProblem(key, *value); !problem.empty()) {
      review.Refuse(std::move(problem));
    }
  }
  if (given.Contains(annotations::kJdbMinAvailable) &&
      given.Contains(annotations::kJdbMaxUnavailable)) {
    review.Refuse(fmt::format("metadata.annotations: {} and {} exclude each other; remove one",
                              annotations::kJdbMinAvailable, annotations::kJdbMaxUnavailable));
  }
  if (const auto least = given.Find(annotations::kGroupMinMember);
      least && !model::ParseMinMember(*least)) {
    review.warnings.push_back(
        fmt::format("annotation {}: \"{}\" is no positive integer; the pod waits until its "
                    "workload is corrected",
                    annotations::kGroupMinMember, *least));
  }
  if (const auto amounts = given.Find(annotations::kGroupMinResources)) {
    if (const auto parsed = model::ParseMinResources(*amounts); !parsed) {
      review.warnings.push_back(
          fmt::format("{}; the pod waits until its workload is corrected", parsed.error().message));
    }
  }
  for (const std::string_view key : {annotations::kSlaWaitingTime, annotations::kCooldownTime}) {
    const auto text = given.Find(key);
    if (!text) continue;
    const Result<Duration> duration = kube::ParseDuration(*text);
    if (duration && *duration > Duration::zero()) continue;
    review.warnings.push_back(
        fmt::format("annotation {}: \"{}\" is no positive duration such as \"10m\"; it is ignored",
                    key, *text));
  }
  return review;
}

std::span<const std::string_view> FixedAnnotations() {
  static constexpr std::string_view kFixed[] = {annotations::kQueueName, annotations::kBoundQueue};
  return kFixed;
}

Review ValidatePodUpdate(const kube::Pod& pod, const kube::Pod& old, const Policy& policy) {
  Review review;
  if (!policy.Schedules(pod.spec.scheduler_name) || !old.bound() || pod.meta.deleting()) {
    return review;
  }
  for (const std::string_view key : FixedAnnotations()) {
    const auto was = old.meta.annotations.Find(key), is = pod.meta.annotations.Find(key);
    if (was == is) continue;
    review.Refuse(fmt::format(
        "metadata.annotations[{}]: \"{}\": the pod has a node and stays in the queue in "
        "which it was bound; make a new pod for another queue",
        key, is.value_or("")));
  }
  return review;
}

}  // namespace basalt::webhook
