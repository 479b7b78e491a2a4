#pragma once

#include "kube/types/resource.h"

namespace basalt::kube {

struct Pod;
struct Node;
struct Namespace;
struct PriorityClass;
struct PodDisruptionBudget;
struct PersistentVolumeClaim;
struct PersistentVolume;
struct StorageClass;
struct CsiNode;
struct ResourceQuota;
struct Lease;
struct Event;
struct ReplicaSet;
struct Deployment;
struct StatefulSet;
struct DaemonSet;
struct Job;
struct PodGroup;
struct Queue;
struct Reservation;
struct HyperNode;
struct Command;
struct VcJob;
struct VcCronJob;
struct JobTemplate;
struct JobFlow;

// Where objects of type T are served. Every type that codec.h decodes has one.
template <class T>
struct KindTraits;

#define BASALT_KIND(Type, name)                           \
  template <>                                             \
  struct KindTraits<Type> {                               \
    static constexpr Resource resource = resources::name; \
  }
BASALT_KIND(Pod, kPods);
BASALT_KIND(Node, kNodes);
BASALT_KIND(Namespace, kNamespaces);
BASALT_KIND(PriorityClass, kPriorityClasses);
BASALT_KIND(PodDisruptionBudget, kPodDisruptionBudgets);
BASALT_KIND(PersistentVolumeClaim, kPersistentVolumeClaims);
BASALT_KIND(PersistentVolume, kPersistentVolumes);
BASALT_KIND(StorageClass, kStorageClasses);
BASALT_KIND(CsiNode, kCsiNodes);
BASALT_KIND(ResourceQuota, kResourceQuotas);
BASALT_KIND(Lease, kLeases);
BASALT_KIND(Event, kEvents);
BASALT_KIND(ReplicaSet, kReplicaSets);
BASALT_KIND(Deployment, kDeployments);
BASALT_KIND(StatefulSet, kStatefulSets);
BASALT_KIND(DaemonSet, kDaemonSets);
BASALT_KIND(Job, kJobs);
BASALT_KIND(PodGroup, kPodGroups);
BASALT_KIND(Queue, kQueues);
BASALT_KIND(Reservation, kReservations);
BASALT_KIND(HyperNode, kHyperNodes);
BASALT_KIND(Command, kCommands);
BASALT_KIND(VcJob, kVcJobs);
BASALT_KIND(VcCronJob, kVcCronJobs);
BASALT_KIND(JobTemplate, kJobTemplates);
BASALT_KIND(JobFlow, kJobFlows);
#undef BASALT_KIND

}  // namespace basalt::kube
