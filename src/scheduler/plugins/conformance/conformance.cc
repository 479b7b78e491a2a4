#include "scheduler/framework/session_plugin.h"

namespace basalt::scheduler::plugins {
namespace {

VictimOpinion NotCritical(Candidates candidates) {
  return VictimsAmong(candidates, [](const Task& task) {
    const std::string& priority_class = task.pod->spec.priority_class_name;
    return priority_class != "system-cluster-critical" &&
           priority_class != "system-node-critical" && task.ns() != "kube-system";
  });
}

// Pods that the cluster itself needs are never victims: those of namespace kube-system and of the
// system priority classes. Counterpart: Volcano plugins/conformance. It takes no arguments.
class Conformance final : public Plugin, public EvictionVictims, public UnifiedVictims {
 public:
  VictimOpinion Permit(const Task&, Candidates candidates) const override {
    return NotCritical(candidates);
  }
  VictimOpinion PermitEviction(const GangEviction&, Candidates candidates) const override {
    return NotCritical(candidates);
  }
};

}  // namespace

std::unique_ptr<Plugin> MakeConformance() { return std::make_unique<Conformance>(); }

}  // namespace basalt::scheduler::plugins
