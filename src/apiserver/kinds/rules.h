#pragma once

#include "apiserver/kinds/builtin_rules.h"

// What is special about kinds, each in the file that is named.
namespace basalt::apiserver {

extern const KindHooks kPodHooks;         // pod.cc
extern const KindHooks kNodeHooks;        // core.cc
extern const KindHooks kNamespaceHooks;   // core.cc
extern const KindHooks kEventHooks;       // event.cc: of core/v1
extern const KindHooks kNewEventHooks;    // event.cc: of events.k8s.io/v1
extern const KindHooks kSecretHooks;      // config.cc
extern const KindHooks kConfigMapHooks;   // config.cc
extern const KindHooks kServiceHooks;     // network.cc
extern const KindHooks kClaimHooks;       // storage.cc
extern const KindHooks kVolumeHooks;      // storage.cc
extern const KindHooks kClassHooks;       // storage.cc
extern const KindHooks kQuotaHooks;       // quota.cc
extern const KindHooks kLimitRangeHooks;  // quota.cc
extern const KindHooks kDeploymentHooks;  // workloads.cc
extern const KindHooks kReplicaSetHooks;
extern const KindHooks kStatefulSetHooks;
extern const KindHooks kDaemonSetHooks;
extern const KindHooks kReplicationControllerHooks;
extern const KindHooks kJobHooks;            // job.cc
extern const KindHooks kCronJobHooks;        // job.cc
extern const KindHooks kBudgetHooks;         // policy.cc
extern const KindHooks kPriorityClassHooks;  // policy.cc
extern const KindHooks kLeaseHooks;          // policy.cc

}  // namespace basalt::apiserver
