#include "scheduler/plugins/predicates/volume_plans.h"

#include <algorithm>
#include <tuple>

#include "scheduler/plugins/predicates/volume_claims.h"

namespace basalt::scheduler::plugins {
namespace {

constexpr std::string_view kSelectedNode = "volume.kubernetes.io/selected-node";

bool HoldsPlace(const model::Task& task) {
  switch (task.status()) {
    case model::TaskStatus::kAllocated:
    case model::TaskStatus::kBinding:
    case model::TaskStatus::kPipelined: return task.node().valid();
    default: return false;
  }
}

}  // namespace

void VolumePlans::Changed() {
  ++version_;
  taken_.clear();
  for (const auto& [task, plan] : plans_) {
    for (const model::VolumeChoice& choice : plan.choices) {
      if (!choice.volume.empty()) taken_[choice.volume] = task;
    }
  }
}

void VolumePlans::Open(const model::Cluster& cluster) {
  cluster_ = &cluster;
  ++version_;  // objects may have changed
  const std::size_t erased = std::erase_if(plans_, [&](const auto& item) {
    const model::Task* task = cluster.FindTask(item.first);
    return !task || task->uid() != item.second.uid || !HoldsPlace(*task) ||
           task->node() != item.second.node;
  });
  if (erased > 0) Changed();
}

void VolumePlans::Forget(model::TaskId task) {
  if (plans_.erase(task) > 0) Changed();
}

void VolumePlans::TaskMoved(const model::Task& task) {
  if (!HoldsPlace(task)) return Forget(task.id);
  const auto known = plans_.find(task.id);
  if (known != plans_.end() && known->second.node == task.node()) return;
  Forget(task.id);
  std::optional<Choices> choices = Match(task, cluster_->node(task.node()));
  if (!choices || choices->empty()) return;
  plans_[task.id] = {task.uid(), task.node(), *std::move(choices)};
  Changed();
}

VolumePlans::Choices VolumePlans::ChoicesOf(const model::Task& task) const {
  const auto it = plans_.find(task.id);
  return it == plans_.end() ? Choices{} : it->second.choices;
}

const std::vector<VolumePlans::Wanted>& VolumePlans::WantedBy(const model::Task& task) const {
  if (wanted_version_ == version_ && wanted_by_ == task.id) return wanted_;
  wanted_version_ = version_;
  wanted_by_ = task.id;
  wanted_.clear();
  const model::Objects& objects = cluster_->objects();
  for (const std::string& name : ClaimsOf(*task.pod)) {
    const kube::PersistentVolumeClaim* claim = objects.volume_claims.Find(task.ns() + "/" + name);
    if (!claim || !claim->volume_name.empty()) continue;
    Wanted& wanted = wanted_.emplace_back();
    wanted.claim = claim;
    for (const auto& [id, plan] : plans_) {
      if (id == task.id) continue;
      for (const model::VolumeChoice& choice : plan.choices) {
        if (choice.ns != claim->meta.ns || choice.claim != claim->meta.name) continue;
        wanted.shared = &plan;
        wanted.shared_choice = &choice;
      }
    }
    for (const auto& [volume_name, volume] : objects.volumes) {
      const auto taken = taken_.find(volume_name);
      if (taken != taken_.end() && taken->second != task.id) continue;
      if (MayHold(*volume, *claim)) wanted.volumes.push_back(volume.get());
    }
    std::ranges::stable_sort(wanted.volumes, [](const auto* a, const auto* b) {
      // One that names the claim is its own.
      if (a->claim_ref.has_value() != b->claim_ref.has_value()) return a->claim_ref.has_value();
      return a->capacity.Get("storage") < b->capacity.Get("storage");
    });
  }
  // Small claims first, so that they do not take a volume that a larger one needs.
  std::ranges::stable_sort(wanted_, [](const Wanted& a, const Wanted& b) {
    return a.claim->requests.Get("storage") < b.claim->requests.Get("storage");
  });
  return wanted_;
}

std::optional<model::VolumeChoice> VolumePlans::Choose(const Wanted& wanted,
                                                       const model::Node& node,
                                                       const Choices& so_far) const {
  const kube::PersistentVolumeClaim& claim = *wanted.claim;
  if (wanted.shared) {
    const model::VolumeChoice& choice = *wanted.shared_choice;
    if (choice.volume.empty()) {
      if (wanted.shared->node != node.id) return std::nullopt;  // it is being made there
      return choice;
    }
    const kube::PersistentVolume* volume = cluster_->objects().volumes.Find(choice.volume);
    if (!volume || !UsableOn(*volume, *node.object)) return std::nullopt;
    return choice;
  }
  model::VolumeChoice choice{
      .ns = claim.meta.ns, .claim = claim.meta.name, .claim_uid = claim.meta.uid};
  for (const kube::PersistentVolume* volume : wanted.volumes) {
    if (!UsableOn(*volume, *node.object)) continue;
    if (std::ranges::find(so_far, volume->meta.name, &model::VolumeChoice::volume) !=
        so_far.end()) {
      continue;
    }
    choice.volume = volume->meta.name;
    choice.volume_version = volume->meta.resource_version;
    choice.prebound = volume->claim_ref && !volume->claim_ref->uid.empty();
    return choice;
  }
  const kube::StorageClass* storage_class = ClassOf(*cluster_, claim);
  if (!storage_class || !CanProvision(*storage_class, *node.object)) return std::nullopt;
  // The provisioner is at work for another node, or has not given up on it.
  const auto selected = claim.meta.annotations.Find(kSelectedNode);
  if (selected && *selected != node.name) return std::nullopt;
  return choice;
}

std::optional<VolumePlans::Choices> VolumePlans::Match(const model::Task& task,
                                                       const model::Node& node) const {
  Choices choices;
  for (const Wanted& wanted : WantedBy(task)) {
    auto choice = Choose(wanted, node, choices);
    if (!choice) return std::nullopt;
    choices.push_back(*std::move(choice));
  }
  return choices;
}

}  // namespace basalt::scheduler::plugins
