#include "scheduler/plugins/predicates/volume_limits.h"

#include <map>
#include <set>
#include <string>

#include "scheduler/plugins/predicates/predicates.h"
#include "scheduler/plugins/predicates/volume_claims.h"

namespace basalt::scheduler::plugins {
namespace {

// Which volumes, by driver.
using Attached = std::map<std::string, std::set<std::string>>;

void AddVolumes(const model::Cluster& cluster, const model::Task& task, Attached* attached) {
  const model::Objects& objects = cluster.objects();
  for (const std::string& name : ClaimsOf(*task.pod)) {
    const kube::PersistentVolumeClaim* claim = objects.volume_claims.Find(task.ns() + "/" + name);
    if (!claim) continue;
    if (const auto* volume = objects.volumes.Find(claim->volume_name)) {
      if (!volume->csi_driver.empty()) {
        (*attached)[volume->csi_driver].insert("volume " + volume->csi_volume_handle);
      }
    } else if (const kube::StorageClass* storage_class = ClassOf(cluster, *claim)) {
      (*attached)[storage_class->provisioner].insert("claim " + claim->meta.Key());
    }
  }
}

}  // namespace

Verdict CheckVolumeLimits(const model::Cluster& cluster, const model::Task& task,
                          const model::Node& node) {
  const kube::CsiNode* csi_node = cluster.objects().csi_nodes.Find(node.name);
  if (!csi_node) return Verdict::Ok();
  Attached asked;
  AddVolumes(cluster, task, &asked);
  if (asked.empty()) return Verdict::Ok();
  Attached there;
  for (const model::TaskId id : node.tasks) {
    const model::Task& other = cluster.task(id);
    if (id != task.id && other.task_class->has_volumes) AddVolumes(cluster, other, &there);
  }
  for (const kube::CsiNode::Driver& driver : csi_node->drivers) {
    const auto wanted = asked.find(driver.name);
    if (!driver.allocatable_count || wanted == asked.end()) continue;
    std::set<std::string>& together = there[driver.name];
    const std::size_t before = together.size();
    together.insert(wanted->second.begin(), wanted->second.end());
    if (together.size() > before &&
        together.size() > static_cast<std::size_t>(std::max(0, *driver.allocatable_count))) {
      return Verdict::Unschedulable(Predicates::kName, "node(s) exceed max volume count");
    }
  }
  return Verdict::Ok();
}

}  // namespace basalt::scheduler::plugins
