#pragma once

#include <string>
#include <string_view>

namespace basalt::kube {

// Names one kind of object at one version, and where it is served.
struct Resource {
  std::string_view group;  // "" is the core group
  std::string_view version;
  std::string_view plural;
  std::string_view kind;
  bool namespaced = true;

  std::string ApiVersion() const;  // "v1", "apps/v1"
  // "/api/v1/namespaces/NS/pods/NAME/SUB"; empty parts are left out, an empty namespace means all.
  std::string Path(std::string_view ns = "", std::string_view name = "",
                   std::string_view subresource = "") const;
};

namespace resources {
inline constexpr Resource kPods{"", "v1", "pods", "Pod"};
inline constexpr Resource kNodes{"", "v1", "nodes", "Node", false};
inline constexpr Resource kNamespaces{"", "v1", "namespaces", "Namespace", false};
inline constexpr Resource kEvents{"", "v1", "events", "Event"};
inline constexpr Resource kSecrets{"", "v1", "secrets", "Secret"};
inline constexpr Resource kConfigMaps{"", "v1", "configmaps", "ConfigMap"};
inline constexpr Resource kPersistentVolumeClaims{"", "v1", "persistentvolumeclaims",
                                                  "PersistentVolumeClaim"};
inline constexpr Resource kPersistentVolumes{"", "v1", "persistentvolumes", "PersistentVolume",
                                             false};
inline constexpr Resource kResourceQuotas{"", "v1", "resourcequotas", "ResourceQuota"};
inline constexpr Resource kServices{"", "v1", "services", "Service"};
inline constexpr Resource kReplicaSets{"apps", "v1", "replicasets", "ReplicaSet"};
inline constexpr Resource kDeployments{"apps", "v1", "deployments", "Deployment"};
inline constexpr Resource kStatefulSets{"apps", "v1", "statefulsets", "StatefulSet"};
inline constexpr Resource kDaemonSets{"apps", "v1", "daemonsets", "DaemonSet"};
inline constexpr Resource kJobs{"batch", "v1", "jobs", "Job"};
inline constexpr Resource kNetworkPolicies{"networking.k8s.io", "v1", "networkpolicies",
                                           "NetworkPolicy"};
inline constexpr Resource kPodDisruptionBudgets{"policy", "v1", "poddisruptionbudgets",
                                                "PodDisruptionBudget"};
inline constexpr Resource kPriorityClasses{"scheduling.k8s.io", "v1", "priorityclasses",
                                           "PriorityClass", false};
inline constexpr Resource kStorageClasses{"storage.k8s.io", "v1", "storageclasses", "StorageClass",
                                          false};
inline constexpr Resource kCsiNodes{"storage.k8s.io", "v1", "csinodes", "CSINode", false};
inline constexpr Resource kLeases{"coordination.k8s.io", "v1", "leases", "Lease"};
inline constexpr Resource kMutatingWebhooks{"admissionregistration.k8s.io", "v1",
                                            "mutatingwebhookconfigurations",
                                            "MutatingWebhookConfiguration", false};
inline constexpr Resource kValidatingWebhooks{"admissionregistration.k8s.io", "v1",
                                              "validatingwebhookconfigurations",
                                              "ValidatingWebhookConfiguration", false};
inline constexpr Resource kCustomResourceDefinitions{
    "apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", false};
inline constexpr Resource kPodGroups{"scheduling.volcano.sh", "v1beta1", "podgroups", "PodGroup"};
inline constexpr Resource kQueues{"scheduling.volcano.sh", "v1beta1", "queues", "Queue", false};
inline constexpr Resource kVcJobs{"batch.volcano.sh", "v1alpha1", "jobs", "Job"};
inline constexpr Resource kVcCronJobs{"batch.volcano.sh", "v1alpha1", "cronjobs", "CronJob"};
inline constexpr Resource kJobTemplates{"flow.volcano.sh", "v1alpha1", "jobtemplates",
                                        "JobTemplate"};
inline constexpr Resource kJobFlows{"flow.volcano.sh", "v1alpha1", "jobflows", "JobFlow"};
inline constexpr Resource kReservations{"batch.volcano.sh", "v1alpha1", "reservations",
                                        "Reservation"};
inline constexpr Resource kHyperNodes{"topology.volcano.sh", "v1alpha1", "hypernodes", "HyperNode",
                                      false};
inline constexpr Resource kCommands{"bus.volcano.sh", "v1alpha1", "commands", "Command"};
}  // namespace resources

}  // namespace basalt::kube
