#include "kube/types/pod.h"

#include <algorithm>

namespace basalt::kube {

std::string_view ToString(PodPhase phase) {
  switch (phase) {
    case PodPhase::kPending: return "Pending";
    case PodPhase::kRunning: return "Running";
    case PodPhase::kSucceeded: return "Succeeded";
    case PodPhase::kFailed: return "Failed";
    case PodPhase::kUnknown: break;
  }
  return "Unknown";
}

std::string_view ToString(TaintEffect effect) {
  switch (effect) {
    case TaintEffect::kNoSchedule: return "NoSchedule";
    case TaintEffect::kPreferNoSchedule: return "PreferNoSchedule";
    case TaintEffect::kNoExecute: return "NoExecute";
    case TaintEffect::kNone:
    case TaintEffect::kUnrecognised: break;
  }
  return "";
}

bool Pod::HasGate(std::string_view name) const {
  return std::ranges::find(spec.scheduling_gates, name) != spec.scheduling_gates.end();
}

bool Toleration::Tolerates(const Taint& taint) const {
  if (effect != TaintEffect::kNone && effect != taint.effect) return false;
  if (!key.empty() && key != taint.key) return false;
  switch (op) {
    case Operator::kEqual: return value == taint.value;
    case Operator::kExists: return true;
    case Operator::kLt:
    case Operator::kGt:  // behind a feature gate that is off in Kubernetes 1.36
    case Operator::kUnrecognised: break;
  }
  return false;
}

}  // namespace basalt::kube
