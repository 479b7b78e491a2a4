#include "scheduler/plugins/predicates/volume_plans.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/plugins/predicates/volume_claims.h"

namespace basalt::scheduler::plugins {

namespace {

constexpr std::string_view kSelectedNode = "volume.kubernetes.io/selected-node";

bool HoldsPlace(const model::Task& task) {
  using enum model::TaskStatus;
  const model::TaskStatus status = task.status();
  return task.node().valid() &&
         (status == kAllocated || status == kBinding || status == kPipelined);
}

}  // namespace

void VolumePlans::Open(const model::Cluster& cluster) {
  if (cluster_ != &cluster) volumes_generation_ = ~0ull;
  cluster_ = &cluster;
  ++version_;  // objects may have changed
  std::vector<model::TaskId> over;
  for (const auto& [id, plan] : plans_) {
    const model::Task* task = cluster.FindTask(id);
    const bool holds =
        task && task->uid() == plan.uid && HoldsPlace(*task) && task->node() == plan.node;
    if (!holds) over.push_back(id);
  }
  for (const model::TaskId id : over) Forget(id);
}

void VolumePlans::Keep(model::TaskId task, Plan plan) {
  ++version_;
  for (const model::VolumeChoice& choice : plan.choices) {
    if (!choice.volume.empty()) users_of_volume_[choice.volume].insert(task);
    users_of_claim_[choice.ns + "/" + choice.claim].insert(task);
  }
  plans_[task] = std::move(plan);
}

void VolumePlans::Forget(model::TaskId task) {
  const auto plan = plans_.find(task);
  if (plan == plans_.end()) return;
  ++version_;
  const auto remove = [&](auto& users, const std::string& key) {
    const auto it = users.find(key);
    if (it == users.end()) return;
    it->second.erase(task);
    if (it->second.empty()) users.erase(it);
  };
  for (const model::VolumeChoice& choice : plan->second.choices) {
    remove(users_of_volume_, choice.volume);
    remove(users_of_claim_, choice.ns + "/" + choice.claim);
  }
  plans_.erase(plan);
}

void VolumePlans::TaskMoved(const model::Task& task) {
  if (!HoldsPlace(task)) return Forget(task.id);
  const auto known = plans_.find(task.id);
  if (known != plans_.end() && known->second.node == task.node()) return;
  Forget(task.id);
  std::optional<Choices> choices = Match(task, cluster_->node(task.node()));
  if (!choices || choices->empty()) return;
  Keep(task.id, {task.uid(), task.node(), *std::move(choices)});
}

VolumePlans::Choices VolumePlans::ChoicesOf(const model::Task& task) const {
  const auto it = plans_.find(task.id);
  return it == plans_.end() ? Choices{} : it->second.choices;
}

void VolumePlans::IndexVolumes() const {
  const auto& volumes = cluster_->objects().volumes;
  if (volumes_generation_ == volumes.generation()) return;
  volumes_generation_ = volumes.generation();
  volumes_of_claim_.clear();
  volumes_of_class_.clear();
  for (const auto& [name, volume] : volumes) {
    const auto& owner = volume->claim_ref;
    Volumes& list = owner ? volumes_of_claim_[owner->ns + "/" + owner->name]
                          : volumes_of_class_[volume->storage_class_name];
    list.push_back(volume.get());
  }
  for (auto* lists : {&volumes_of_claim_, &volumes_of_class_}) {
    for (auto& [key, list] : *lists) {
      std::ranges::stable_sort(list, [](const auto* a, const auto* b) {
        return a->capacity.Get("storage") < b->capacity.Get("storage");
      });
    }
  }
}

VolumePlans::Wanted VolumePlans::WhatClaimMayGet(const model::Task& task,
                                                 const kube::PersistentVolumeClaim& claim) const {
  Wanted wanted{.claim = &claim};
  if (const auto it = users_of_claim_.find(claim.meta.Key()); it != users_of_claim_.end()) {
    for (const model::TaskId user : it->second) {
      if (user == task.id) continue;
      const Plan& plan = plans_.at(user);
      for (const model::VolumeChoice& choice : plan.choices) {
        if (choice.ns != claim.meta.ns || choice.claim != claim.meta.name) continue;
        wanted.shared = &plan;
        wanted.shared_choice = &choice;
      }
    }
  }
  if (wanted.shared) return wanted;  // the choice is made
  IndexVolumes();
  const auto add = [&](const auto& lists, const std::string& key) {
    const auto list = lists.find(key);
    if (list == lists.end()) return;
    for (const kube::PersistentVolume* volume : list->second) {
      const auto users = users_of_volume_.find(volume->meta.name);
      if (users != users_of_volume_.end() && *users->second.rbegin() != task.id) continue;
      if (MayHold(*volume, claim)) wanted.volumes.push_back(volume);
    }
  };
  // One that names the claim is its own.
  add(volumes_of_claim_, claim.meta.Key());
  add(volumes_of_class_, claim.storage_class_name.value_or(""));
  return wanted;
}

const VolumePlans::TaskVolumes& VolumePlans::VolumesOf(const model::Task& task) const {
  if (known_version_ == version_ && known_of_ == task.id) return known_;
  known_version_ = version_;
  known_of_ = task.id;
  known_ = {};
  for (const auto& [name, ephemeral, claim] : ClaimsOf(*cluster_, task)) {
    if (!claim) continue;
    if (claim->volume_name.empty()) {
      known_.wanted.push_back(WhatClaimMayGet(task, *claim));
    } else {
      known_.bound.push_back(cluster_->objects().volumes.Find(claim->volume_name));
    }
  }
  // Small claims first, so that they do not take a volume that a larger one needs.
  std::ranges::stable_sort(known_.wanted, [](const Wanted& a, const Wanted& b) {
    return a.claim->requests.Get("storage") < b.claim->requests.Get("storage");
  });
  return known_;
}

std::optional<model::VolumeChoice> VolumePlans::Choose(const Wanted& wanted,
                                                       const model::Node& node,
                                                       const Choices& so_far) const {
  const kube::PersistentVolumeClaim& claim = *wanted.claim;
  if (wanted.shared) {
    const std::string& name = wanted.shared_choice->volume;
    const auto* volume = name.empty() ? nullptr : cluster_->objects().volumes.Find(name);
    // One without a name is being made, on that node.
    const bool usable =
        name.empty() ? wanted.shared->node == node.id : volume && UsableOn(*volume, *node.object);
    return usable ? std::optional(*wanted.shared_choice) : std::nullopt;
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
  for (const Wanted& wanted : VolumesOf(task).wanted) {
    auto choice = Choose(wanted, node, choices);
    if (!choice) return std::nullopt;
    choices.push_back(*std::move(choice));
  }
  return choices;
}

namespace {

struct ZoneLabel {
  std::string_view name;
  std::string_view today;  // what nodes carry in place of one that Kubernetes has given up
};
constexpr ZoneLabel kZoneLabels[] = {
    {"topology.kubernetes.io/zone", "topology.kubernetes.io/zone"},
    {"topology.kubernetes.io/region", "topology.kubernetes.io/region"},
    {"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"},
    {"failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"}};

// A volume with several zones has them in its label with "__" between.
bool InZone(const kube::PersistentVolume& volume, const kube::Node& node) {
  const bool node_has_zone = std::ranges::any_of(
      kZoneLabels, [&](const ZoneLabel& label) { return node.meta.labels.Contains(label.name); });
  if (!node_has_zone) return true;
  for (const ZoneLabel& label : kZoneLabels) {
    const auto zones = volume.meta.labels.Find(label.name);
    if (!zones) continue;
    auto zone = node.meta.labels.Find(label.name);
    if (!zone) zone = node.meta.labels.Find(label.today);
    if (!zone) return false;
    const std::string list = "__" + std::string(*zones) + "__";
    if (list.find("__" + std::string(*zone) + "__") == list.npos) return false;
  }
  return true;
}

}  // namespace

Verdict CheckClaims(const model::Cluster& cluster, const model::Task& task, Reasons& reasons) {
  const auto refuse = [&](const ClaimUse& use, std::string_view why) {
    return Verdict::Unresolvable(
        reasons.Keep(fmt::format("persistentvolumeclaim \"{}\" {}", use.name, why)));
  };
  for (const ClaimUse& use : ClaimsOf(cluster, task)) {
    const kube::PersistentVolumeClaim* claim = use.claim;
    if (!claim) return refuse(use, "not found");
    if (use.ephemeral && !IsMadeFor(*claim, *task.pod)) {
      return refuse(use, "was not made for this pod, whose ephemeral volume needs that name");
    }
    if (claim->meta.deleting()) return refuse(use, "is being deleted");
    if (IsBound(*claim)) continue;
    const kube::StorageClass* storage_class = ClassOf(cluster, *claim);
    // A claim that names a volume waits until that is really its own.
    if (!claim->volume_name.empty() || !storage_class || !storage_class->wait_for_first_consumer) {
      return Verdict::Unresolvable("pod has unbound immediate PersistentVolumeClaims");
    }
  }
  return Verdict::Ok();
}

Verdict CheckVolumes(const VolumePlans& plans, const model::Task& task, const model::Node& node,
                     const VolumeRules& rules) {
  if (rules.binding && !plans.Match(task, node)) {
    return Verdict::Unresolvable("node(s) didn't find available persistent volumes to bind");
  }
  for (const kube::PersistentVolume* volume : plans.BoundTo(task)) {
    if (!volume) {
      return Verdict::Unresolvable(
          "node(s) unavailable due to one or more pvc(s) bound to "
          "non-existent pv(s)");
    }
    if (rules.binding && !UsableOn(*volume, *node.object)) {
      return Verdict::Unresolvable("node(s) didn't match PersistentVolume's node affinity");
    }
    if (rules.zone && !InZone(*volume, *node.object)) {
      return Verdict::Unresolvable("node(s) had no available volume zone");
    }
  }
  return Verdict::Ok();
}

}  // namespace basalt::scheduler::plugins
