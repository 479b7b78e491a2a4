#include "apiserver/kinds/columns.h"

#include <algorithm>

namespace basalt::apiserver {
namespace {

// The columns are part of the wire format, descriptions included: kubectl explains them from here.
constexpr const char* kNameText =
    "Name must be unique within a namespace. Is required when creating resources, although "
    "some resources may allow a client to request the generation of an appropriate name "
    "automatically. Name is primarily intended for creation idempotence and configuration "
    "definition. Cannot be updated. More info: "
    "https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";
constexpr const char* kAgeText =
    "CreationTimestamp is a timestamp representing the server time when this object was "
    "created. It is not guaranteed to be set in happens-before order across separate "
    "operations. Clients may not set this value. It is represented in RFC3339 form and is "
    "in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: "
    "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";
constexpr const char* kListOfAddressesReachableText =
    "List of addresses reachable to the node. Queried from cloud provider, if available. "
    "More info: https://kubernetes.io/docs/reference/node/node-status/#addresses Note: "
    "This field is declared as mergeable, but the merge key is not sufficiently unique, "
    "which can cause data corruption when it is merged. Callers should instead use a "
    "full-replacement patch. See https://pr.k8s.io/79391 for an example. Consumers should "
    "assume that addresses can change during the lifetime of a Node. However, there are "
    "some exceptions where this may not be possible, such as Pods that inherit a Node's "
    "address in its own status or consumers of the downward API (status.hostIP).";
constexpr const char* kNamesOfEachContainerText = "Names of each container in the template.";
constexpr const char* kImagesReferencedByEachText =
    "Images referenced by each container in the template.";
constexpr const char* kNumberOfThePodText = "Number of the pod with ready state";
constexpr const char* kALabelQueryOverText =
    "A label query over pods that should match the pod count. Normally, the system sets "
    "this field for you. More info: "
    "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors";
constexpr const char* kWebhooksIndicatesTheNumberText =
    "Webhooks indicates the number of webhooks registered in this configuration";

struct Column {
  const char* name;
  const char* type;
  const char* format;
  int priority;
  const char* description;
};
struct KindColumns {
  std::string_view plural;
  std::vector<Column> columns;
};

const std::vector<KindColumns>& AllColumns() {
  static const std::vector<KindColumns> columns{
      {"pods",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Ready", "string", "", 0,
            "The aggregate readiness state of this pod for accepting traffic."},
           {"Status", "string", "", 0, "The aggregate status of the containers in this pod."},
           {"Restarts", "string", "", 0,
            "The number of times the containers in this pod have been restarted and when the last "
            "container in this pod has restarted."},
           {"Age", "string", "", 0, kAgeText},
           {"IP", "string", "", 1,
            "podIP address allocated to the pod. Routable at least within the cluster. Empty if "
            "not yet allocated."},
           {"Node", "string", "", 1,
            "NodeName indicates in which node this pod is scheduled. If empty, this pod is a "
            "candidate for scheduling by the scheduler defined in schedulerName. Once this field "
            "is set, the kubelet for this node becomes responsible for the lifecycle of this pod. "
            "This field should not be used to express a desire for the pod to be scheduled on a "
            "specific node. "
            "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename"},
           {"Nominated Node", "string", "", 1,
            "nominatedNodeName is set only when this pod preempts other pods on the node, but it "
            "cannot be scheduled right away as preemption victims receive their graceful "
            "termination periods. This field does not guarantee that the pod will be scheduled on "
            "this node. Scheduler may decide to place the pod elsewhere if other nodes become "
            "available sooner. Scheduler may also decide to give the resources on this node to a "
            "higher priority pod that is created after preemption. As a result, this field may be "
            "different than PodSpec.nodeName when the pod is scheduled."},
           {"Readiness Gates", "string", "", 1,
            "If specified, all readiness gates will be evaluated for pod readiness. A pod is ready "
            "when all its containers are ready AND all conditions specified in the readiness gates "
            "have status equal to \"True\" More info: "
            "https://git.k8s.io/enhancements/keps/sig-network/580-pod-readiness-gates"},
       }},
      {"nodes",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Status", "string", "", 0, "The status of the node"},
           {"Roles", "string", "", 0, "The roles of the node"},
           {"Age", "string", "", 0, kAgeText},
           {"Version", "string", "", 0, "Kubelet Version reported by the node."},
           {"Internal-IP", "string", "", 1, kListOfAddressesReachableText},
           {"External-IP", "string", "", 1, kListOfAddressesReachableText},
           {"OS-Image", "string", "", 1,
            "OS Image reported by the node from /etc/os-release (e.g. Debian GNU/Linux 7 "
            "(wheezy))."},
           {"Kernel-Version", "string", "", 1,
            "Kernel Version reported by the node from 'uname -r' (e.g. 3.16.0-0.bpo.4-amd64)."},
           {"Container-Runtime", "string", "", 1,
            "ContainerRuntime Version reported by the node through runtime remote API (e.g. "
            "containerd://1.4.2)."},
       }},
      {"namespaces",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Status", "string", "", 0, "The status of the namespace"},
           {"Age", "string", "", 0, kAgeText},
       }},
      {"events",
       {
           {"Last Seen", "string", "", 0,
            "The time at which the most recent occurrence of this event was recorded."},
           {"Type", "string", "", 0,
            "Type of this event (Normal, Warning), new types could be added in the future"},
           {"Reason", "string", "", 0,
            "This should be a short, machine understandable string that gives the reason for the "
            "transition into the object's current status."},
           {"Object", "string", "", 0, "The object that this event is about."},
           {"Subobject", "string", "", 1,
            "If referring to a piece of an object instead of an entire object, this string should "
            "contain a valid JSON/Go field access statement, such as "
            "desiredState.manifest.containers[2]. For example, if the object reference is to a "
            "container within a pod, this would take on a value like: \"spec.containers{name}\" "
            "(where \"name\" refers to the name of the container that triggered the event) or if "
            "no "
            "container name is specified \"spec.containers[2]\" (container with index 2 in this "
            "pod). This syntax is chosen only to have some well-defined way of referencing a part "
            "of an object."},
           {"Source", "string", "", 1,
            "The component reporting this event. Should be a short machine understandable string."},
           {"Message", "string", "", 0,
            "A human-readable description of the status of this operation."},
           {"First Seen", "string", "", 1,
            "The time at which the event was first recorded. (Time of server receipt is in "
            "TypeMeta.)"},
           {"Count", "string", "", 1, "The number of times this event has occurred."},
           {"Name", "string", "name", 1, kNameText},
       }},
      {"secrets",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Type", "string", "", 0,
            "Used to facilitate programmatic handling of secret data. More info: "
            "https://kubernetes.io/docs/concepts/configuration/secret/#secret-types"},
           {"Data", "string", "", 0,
            "Data contains the secret data. Each key must consist of alphanumeric characters, '-', "
            "'_' or '.'. The serialized form of the secret data is a base64 encoded string, "
            "representing the arbitrary (possibly non-string) data value here. Described in "
            "https://tools.ietf.org/html/rfc4648#section-4"},
           {"Age", "string", "", 0, kAgeText},
       }},
      {"configmaps",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Data", "string", "", 0,
            "Data contains the configuration data. Each key must consist of alphanumeric "
            "characters, '-', '_' or '.'. Values with non-UTF-8 byte sequences must use the "
            "BinaryData field. The keys stored in Data must not overlap with the keys in the "
            "BinaryData field, this is enforced during validation process."},
           {"Age", "string", "", 0, kAgeText},
       }},
      {"services",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Type", "string", "", 0,
            "type determines how the Service is exposed. Defaults to ClusterIP. Valid options are "
            "ExternalName, ClusterIP, NodePort, and LoadBalancer. \"ClusterIP\" allocates a "
            "cluster-internal IP address for load-balancing to endpoints. Endpoints are determined "
            "by the selector or if that is not specified, by manual construction of an Endpoints "
            "object or EndpointSlice objects. If clusterIP is \"None\", no virtual IP is allocated "
            "and the endpoints are published as a set of endpoints rather than a virtual IP. "
            "\"NodePort\" builds on ClusterIP and allocates a port on every node which routes to "
            "the "
            "same endpoints as the clusterIP. \"LoadBalancer\" builds on NodePort and creates an "
            "external load-balancer (if supported in the current cloud) which routes to the same "
            "endpoints as the clusterIP. \"ExternalName\" aliases this service to the specified "
            "externalName. Several other fields do not apply to ExternalName services. More info: "
            "https://kubernetes.io/docs/concepts/services-networking/service/"
            "#publishing-services-service-types"},
           {"Cluster-IP", "string", "", 0,
            "clusterIP is the IP address of the service and is usually assigned randomly. If an "
            "address is specified manually, is in-range (as per system configuration), and is not "
            "in use, it will be allocated to the service; otherwise creation of the service will "
            "fail. This field may not be changed through updates unless the type field is also "
            "being changed to ExternalName (which requires this field to be blank) or the type "
            "field is being changed from ExternalName (in which case this field may optionally be "
            "specified, as describe above).  Valid values are \"None\", empty string (\"\"), or a "
            "valid IP address. Setting this to \"None\" makes a \"headless service\" (no virtual "
            "IP), "
            "which is useful when direct endpoint connections are preferred and proxying is not "
            "required.  Only applies to types ClusterIP, NodePort, and LoadBalancer. If this field "
            "is specified when creating a Service of type ExternalName, creation will fail. This "
            "field will be wiped when updating a Service to type ExternalName. More info: "
            "https://kubernetes.io/docs/concepts/services-networking/service/"
            "#virtual-ips-and-service-proxies"},
           {"External-IP", "string", "", 0,
            "externalIPs is a list of IP addresses for which nodes in the cluster will also accept "
            "traffic for this service.  These IPs are not managed by Kubernetes.  The user is "
            "responsible for ensuring that traffic arrives at a node with this IP.  A common "
            "example is external load-balancers that are not part of the Kubernetes system."},
           {"Port(s)", "string", "", 0,
            "The list of ports that are exposed by this service. More info: "
            "https://kubernetes.io/docs/concepts/services-networking/service/"
            "#virtual-ips-and-service-proxies"},
           {"Age", "string", "", 0, kAgeText},
           {"Selector", "string", "", 1,
            "Route service traffic to pods with label keys and values matching this selector. If "
            "empty or not present, the service is assumed to have an external process managing its "
            "endpoints, which Kubernetes will not modify. Only applies to types ClusterIP, "
            "NodePort, and LoadBalancer. Ignored if type is ExternalName. More info: "
            "https://kubernetes.io/docs/concepts/services-networking/service/"},
       }},
      {"endpoints",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Endpoints", "string", "", 0,
            "The set of all endpoints is the union of all subsets. Addresses are placed into "
            "subsets according to the IPs they share. A single address with multiple ports, some "
            "of which are ready and some of which are not (because they come from different "
            "containers) will result in the address being displayed in different subsets for the "
            "different ports. No address will appear in both Addresses and NotReadyAddresses in "
            "the same subset. Sets of addresses and ports that comprise a service."},
           {"Age", "string", "", 0, kAgeText},
       }},
      {"serviceaccounts",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Age", "string", "", 0, kAgeText},
       }},
      {"persistentvolumeclaims",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Status", "string", "", 0,
            "phase represents the current phase of PersistentVolumeClaim."},
           {"Volume", "string", "", 0,
            "volumeName is the binding reference to the PersistentVolume backing this claim."},
           {"Capacity", "string", "", 0,
            "capacity represents the actual resources of the underlying volume."},
           {"Access Modes", "string", "", 0,
            "accessModes contains the actual access modes the volume backing the PVC has. More "
            "info: https://kubernetes.io/docs/concepts/storage/persistent-volumes#access-modes-1"},
           {"StorageClass", "string", "", 0, "StorageClass of the pvc"},
           {"VolumeAttributesClass", "string", "", 0, "VolumeAttributesClass of the pvc"},
           {"Age", "string", "", 0, kAgeText},
           {"VolumeMode", "string", "", 1,
            "volumeMode defines what type of volume is required by the claim. Value of Filesystem "
            "is implied when not included in claim spec."},
       }},
      {"persistentvolumes",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Capacity", "string", "", 0,
            "capacity is the description of the persistent volume's resources and capacity. More "
            "info: https://kubernetes.io/docs/concepts/storage/persistent-volumes#capacity"},
           {"Access Modes", "string", "", 0,
            "accessModes contains all ways the volume can be mounted. More info: "
            "https://kubernetes.io/docs/concepts/storage/persistent-volumes#access-modes"},
           {"Reclaim Policy", "string", "", 0,
            "persistentVolumeReclaimPolicy defines what happens to a persistent volume when "
            "released from its claim. Valid options are Retain (default for manually created "
            "PersistentVolumes), Delete (default for dynamically provisioned PersistentVolumes), "
            "and Recycle (deprecated). Recycle must be supported by the volume plugin underlying "
            "this PersistentVolume. More info: "
            "https://kubernetes.io/docs/concepts/storage/persistent-volumes#reclaiming"},
           {"Status", "string", "", 0,
            "phase indicates if a volume is available, bound to a claim, or released by a claim. "
            "More info: https://kubernetes.io/docs/concepts/storage/persistent-volumes#phase"},
           {"Claim", "string", "", 0,
            "claimRef is part of a bi-directional binding between PersistentVolume and "
            "PersistentVolumeClaim. Expected to be non-nil when bound. claim.VolumeName is the "
            "authoritative bind between PV and PVC. More info: "
            "https://kubernetes.io/docs/concepts/storage/persistent-volumes#binding"},
           {"StorageClass", "string", "", 0, "StorageClass of the pv"},
           {"VolumeAttributesClass", "string", "", 0, "VolumeAttributesClass of the pv"},
           {"Reason", "string", "", 0,
            "reason is a brief CamelCase string that describes any failure and is meant for "
            "machine parsing and tidy display in the CLI."},
           {"Age", "string", "", 0, kAgeText},
           {"VolumeMode", "string", "", 1,
            "volumeMode defines if a volume is intended to be used with a formatted filesystem or "
            "to remain in raw block state. Value of Filesystem is implied when not included in "
            "spec."},
       }},
      {"resourcequotas",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Request", "string", "", 0,
            "Request represents a minimum amount of cpu/memory that a container may consume."},
           {"Limit", "string", "", 0,
            "Limits control the maximum amount of cpu/memory that a container may use independent "
            "of contention on the node."},
           {"Age", "string", "", 0, kAgeText},
       }},
      {"limitranges",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Created At", "date", "", 0, kAgeText},
       }},
      {"replicationcontrollers",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Desired", "integer", "", 0,
            "Replicas is the number of desired replicas. This is a pointer to distinguish between "
            "explicit zero and unspecified. Defaults to 1. More info: "
            "https://kubernetes.io/docs/concepts/workloads/controllers/"
            "replicationcontroller#what-is-a-replicationcontroller"},
           {"Current", "integer", "", 0,
            "Replicas is the most recently observed number of replicas. More info: "
            "https://kubernetes.io/docs/concepts/workloads/controllers/"
            "replicationcontroller#what-is-a-replicationcontroller"},
           {"Ready", "integer", "", 0,
            "The number of ready replicas for this replication controller."},
           {"Age", "string", "", 0, kAgeText},
           {"Containers", "string", "", 1, kNamesOfEachContainerText},
           {"Images", "string", "", 1, kImagesReferencedByEachText},
           {"Selector", "string", "", 1,
            "Selector is a label query over pods that should match the Replicas count. If Selector "
            "is empty, it is defaulted to the labels present on the Pod template. Label keys and "
            "values that must match in order to be controlled by this replication controller, if "
            "empty defaulted to labels on Pod template. More info: "
            "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/"
            "#label-selectors"},
       }},
      {"storageclasses",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Provisioner", "string", "", 0, "provisioner indicates the type of the provisioner."},
           {"ReclaimPolicy", "string", "", 0,
            "reclaimPolicy controls the reclaimPolicy for dynamically provisioned "
            "PersistentVolumes of this storage class. Defaults to Delete."},
           {"VolumeBindingMode", "string", "", 0,
            "volumeBindingMode indicates how PersistentVolumeClaims should be provisioned and "
            "bound.  When unset, VolumeBindingImmediate is used. This field is only honored by "
            "servers that enable the VolumeScheduling feature."},
           {"AllowVolumeExpansion", "string", "", 0,
            "allowVolumeExpansion shows whether the storage class allow volume expand."},
           {"Age", "string", "", 0, kAgeText},
       }},
      {"csinodes",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Drivers", "integer", "", 0,
            "Drivers indicates the number of CSI drivers registered on the node"},
           {"Age", "string", "", 0, kAgeText},
       }},
      {"csidrivers",
       {
           {"Name", "string", "name", 0, kNameText},
           {"AttachRequired", "boolean", "", 0,
            "attachRequired indicates this CSI volume driver requires an attach operation (because "
            "it implements the CSI ControllerPublishVolume() method), and that the Kubernetes "
            "attach detach controller should call the attach volume interface which checks the "
            "volumeattachment status and waits until the volume is attached before proceeding to "
            "mounting. The CSI external-attacher coordinates with CSI volume driver and updates "
            "the volumeattachment status when the attach operation is complete. If the value is "
            "specified to false, the attach operation will be skipped. Otherwise the attach "
            "operation will be called.\n\nThis field is immutable."},
           {"PodInfoOnMount", "boolean", "", 0,
            "podInfoOnMount indicates this CSI volume driver requires additional pod information "
            "(like podName, podUID, etc.) during mount operations, if set to true. If set to "
            "false, pod information will not be passed on mount. Default is false.\n\nThe CSI "
            "driver "
            "specifies podInfoOnMount as part of driver deployment. If true, Kubelet will pass pod "
            "information as VolumeContext in the CSI NodePublishVolume() calls. The CSI driver is "
            "responsible for parsing and validating the information passed in as "
            "VolumeContext.\n\nThe following VolumeContext will be passed if podInfoOnMount is set "
            "to true. This list might grow, but the prefix will be used. "
            "\"csi.storage.k8s.io/pod.name\": pod.Name \"csi.storage.k8s.io/pod.namespace\": "
            "pod.Namespace \"csi.storage.k8s.io/pod.uid\": string(pod.UID) "
            "\"csi.storage.k8s.io/ephemeral\": \"true\" if the volume is an ephemeral inline "
            "volume\n   "
            "defined by a CSIVolumeSource, otherwise \"false\"\n\n\"csi.storage.k8s.io/ephemeral\" "
            "is a "
            "new feature in Kubernetes 1.16. It is only required for drivers which support both "
            "the \"Persistent\" and \"Ephemeral\" VolumeLifecycleMode. Other drivers can leave pod "
            "info disabled and/or ignore this field. As Kubernetes 1.15 doesn't support this "
            "field, drivers can only support one mode when deployed on such a cluster and the "
            "deployment determines which mode that is, for example via a command line parameter of "
            "the driver.\n\nThis field was immutable in Kubernetes < 1.29 and now is mutable."},
           {"StorageCapacity", "boolean", "", 0,
            "storageCapacity indicates that the CSI volume driver wants pod scheduling to consider "
            "the storage capacity that the driver deployment will report by creating "
            "CSIStorageCapacity objects with capacity information, if set to true.\n\nThe check "
            "can "
            "be enabled immediately when deploying a driver. In that case, provisioning new "
            "volumes with late binding will pause until the driver deployment has published some "
            "suitable CSIStorageCapacity object.\n\nAlternatively, the driver can be deployed with "
            "the field unset or false and it can be flipped later when storage capacity "
            "information has been published.\n\nThis field was immutable in Kubernetes <= 1.22 and "
            "now is mutable."},
           {"TokenRequests", "string", "", 0,
            "tokenRequests indicates the CSI driver needs pods' service account tokens it is "
            "mounting volume for to do necessary authentication. Kubelet will pass the tokens in "
            "VolumeContext in the CSI NodePublishVolume calls. The CSI driver should parse and "
            "validate the following VolumeContext: \"csi.storage.k8s.io/serviceAccount.tokens\": "
            "{\n  "
            "\"<audience>\": {\n    \"token\": <token>,\n    \"expirationTimestamp\": <expiration "
            "timestamp in RFC3339>,\n  },\n  ...\n}\n\nNote: Audience in each TokenRequest should "
            "be "
            "different and at most one token is empty string. To receive a new token after expiry, "
            "RequiresRepublish can be used to trigger NodePublishVolume periodically."},
           {"RequiresRepublish", "boolean", "", 0,
            "requiresRepublish indicates the CSI driver wants `NodePublishVolume` being "
            "periodically called to reflect any possible change in the mounted volume. This field "
            "defaults to false.\n\nNote: After a successful initial NodePublishVolume call, "
            "subsequent calls to NodePublishVolume should only update the contents of the volume. "
            "New mount points will not be seen by a running container."},
           {"Modes", "string", "", 0,
            "volumeLifecycleModes defines what kind of volumes this CSI volume driver supports. "
            "The default if the list is empty is \"Persistent\", which is the usage defined by the "
            "CSI specification and implemented in Kubernetes via the usual PV/PVC "
            "mechanism.\n\nThe "
            "other mode is \"Ephemeral\". In this mode, volumes are defined inline inside the pod "
            "spec with CSIVolumeSource and their lifecycle is tied to the lifecycle of that pod. A "
            "driver has to be aware of this because it is only going to get a NodePublishVolume "
            "call for such a volume.\n\nFor more information about implementing this mode, see "
            "https://kubernetes-csi.github.io/docs/ephemeral-local-volumes.html A driver can "
            "support one or more of these modes and more modes may be added in the future.\n\nThis "
            "field is beta. This field is immutable."},
           {"Age", "string", "", 0, kAgeText},
       }},
      {"volumeattachments",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Attacher", "string", "name", 0,
            "attacher indicates the name of the volume driver that MUST handle this request. This "
            "is the name returned by GetPluginName()."},
           {"PV", "string", "", 0,
            "persistentVolumeName represents the name of the persistent volume to attach."},
           {"Node", "string", "", 0,
            "nodeName represents the node that the volume should be attached to."},
           {"Attached", "boolean", "", 0,
            "attached indicates the volume is successfully attached. This field must only be set "
            "by the entity completing the attach operation, i.e. the external-attacher."},
           {"Age", "string", "", 0, kAgeText},
       }},
      {"priorityclasses",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Value", "integer", "", 0,
            "value represents the integer value of this priority class. This is the actual "
            "priority that pods receive when they have the name of this class in their pod spec."},
           {"Global-Default", "boolean", "", 0,
            "globalDefault specifies whether this PriorityClass should be considered as the "
            "default priority for pods that do not have any priority class. Only one PriorityClass "
            "can be marked as `globalDefault`. However, if more than one PriorityClasses exists "
            "with their `globalDefault` field set to true, the smallest value of such global "
            "default PriorityClasses will be used as the default priority."},
           {"Age", "string", "", 0, kAgeText},
           {"PreemptionPolicy", "string", "", 0,
            "preemptionPolicy is the Policy for preempting pods with lower priority. One of Never, "
            "PreemptLowerPriority. Defaults to PreemptLowerPriority if unset."},
       }},
      {"networkpolicies",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Pod-Selector", "string", "", 0, "The pods that it is about."},
           {"Age", "string", "", 0, kAgeText},
       }},
      {"poddisruptionbudgets",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Min Available", "string", "", 0, "The minimum number of pods that must be available."},
           {"Max Unavailable", "string", "", 0,
            "The maximum number of pods that may be unavailable."},
           {"Allowed Disruptions", "integer", "", 0,
            "Calculated number of pods that may be disrupted at this time."},
           {"Age", "string", "", 0, kAgeText},
       }},
      {"leases",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Holder", "string", "", 0,
            "holderIdentity contains the identity of the holder of a current lease. If Coordinated "
            "Leader Election is used, the holder identity must be equal to the elected "
            "LeaseCandidate.metadata.name field."},
           {"Age", "string", "", 0, kAgeText},
       }},
      {"replicasets",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Desired", "integer", "", 0,
            "Replicas is the number of desired pods. This is a pointer to distinguish between "
            "explicit zero and unspecified. Defaults to 1. More info: "
            "https://kubernetes.io/docs/concepts/workloads/controllers/replicaset"},
           {"Current", "integer", "", 0,
            "Replicas is the most recently observed number of non-terminating pods. More info: "
            "https://kubernetes.io/docs/concepts/workloads/controllers/replicaset"},
           {"Ready", "integer", "", 0,
            "The number of non-terminating pods targeted by this ReplicaSet with a Ready "
            "Condition."},
           {"Age", "string", "", 0, kAgeText},
           {"Containers", "string", "", 1, kNamesOfEachContainerText},
           {"Images", "string", "", 1, kImagesReferencedByEachText},
           {"Selector", "string", "", 1,
            "Selector is a label query over pods that should match the replica count. Label keys "
            "and values that must match in order to be controlled by this replica set. It must "
            "match the pod template's labels. More info: "
            "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/"
            "#label-selectors"},
       }},
      {"deployments",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Ready", "string", "", 0, kNumberOfThePodText},
           {"Up-to-date", "string", "", 0,
            "Total number of non-terminating pods targeted by this deployment that have the "
            "desired template spec."},
           {"Available", "string", "", 0,
            "Total number of available non-terminating pods (ready for at least minReadySeconds) "
            "targeted by this deployment."},
           {"Age", "string", "", 0, kAgeText},
           {"Containers", "string", "", 1, kNamesOfEachContainerText},
           {"Images", "string", "", 1, kImagesReferencedByEachText},
           {"Selector", "string", "", 1,
            "Label selector for pods. Existing ReplicaSets whose pods are selected by this will be "
            "the ones affected by this deployment. It must match the pod template's labels."},
       }},
      {"statefulsets",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Ready", "string", "", 0, kNumberOfThePodText},
           {"Age", "string", "", 0, kAgeText},
           {"Containers", "string", "", 1, kNamesOfEachContainerText},
           {"Images", "string", "", 1, kImagesReferencedByEachText},
       }},
      {"daemonsets",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Desired", "integer", "", 0,
            "The total number of nodes that should be running the daemon pod (including nodes "
            "correctly running the daemon pod). More info: "
            "https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/"},
           {"Current", "integer", "", 0,
            "The number of nodes that are running at least 1 daemon pod and are supposed to run "
            "the daemon pod. More info: "
            "https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/"},
           {"Ready", "integer", "", 0,
            "numberReady is the number of nodes that should be running the daemon pod and have one "
            "or more of the daemon pod running with a Ready Condition."},
           {"Up-to-date", "integer", "", 0,
            "The total number of nodes that are running updated daemon pod"},
           {"Available", "integer", "", 0,
            "The number of nodes that should be running the daemon pod and have one or more of the "
            "daemon pod running and available (ready for at least spec.minReadySeconds)"},
           {"Node Selector", "string", "", 0,
            "NodeSelector is a selector which must be true for the pod to fit on a node. Selector "
            "which must match a node's labels for the pod to be scheduled on that node. More info: "
            "https://kubernetes.io/docs/concepts/configuration/assign-pod-node/"},
           {"Age", "string", "", 0, kAgeText},
           {"Containers", "string", "", 1, kNamesOfEachContainerText},
           {"Images", "string", "", 1, kImagesReferencedByEachText},
           {"Selector", "string", "", 1,
            "A label query over pods that are managed by the daemon set. Must match in order to be "
            "controlled. It must match the pod template's labels. More info: "
            "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/"
            "#label-selectors"},
       }},
      {"controllerrevisions",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Controller", "string", "", 0, "Controller of the object"},
           {"Revision", "string", "", 0,
            "Revision indicates the revision of the state represented by Data."},
           {"Age", "string", "", 0, kAgeText},
       }},
      {"jobs",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Status", "string", "", 0, "Status of the job."},
           {"Completions", "string", "", 0,
            "The number of pods which reached phase Succeeded. The value increases monotonically "
            "for a given spec. However, it may decrease in reaction to scale down of elastic "
            "indexed jobs."},
           {"Duration", "string", "", 0, "Time required to complete the job."},
           {"Age", "string", "", 0, kAgeText},
           {"Containers", "string", "", 1, kNamesOfEachContainerText},
           {"Images", "string", "", 1, kImagesReferencedByEachText},
           {"Selector", "string", "", 1, kALabelQueryOverText},
       }},
      {"cronjobs",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Schedule", "string", "", 0,
            "The schedule in Cron format, see https://en.wikipedia.org/wiki/Cron."},
           {"Timezone", "string", "", 0,
            "The time zone name for the given schedule, see "
            "https://en.wikipedia.org/wiki/List_of_tz_database_time_zones. If not specified, this "
            "will default to the time zone of the kube-controller-manager process. The set of "
            "valid time zone names and the time zone offset is loaded from the system-wide time "
            "zone database by the API server during CronJob validation and the controller manager "
            "during execution. If no system-wide time zone database can be found a bundled version "
            "of the database is used instead. If the time zone name becomes invalid during the "
            "lifetime of a CronJob or due to a change in host configuration, the controller will "
            "stop creating new new Jobs and will create a system event with the reason "
            "UnknownTimeZone. More information can be found in "
            "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#time-zones"},
           {"Suspend", "boolean", "", 0,
            "This flag tells the controller to suspend subsequent executions, it does not apply to "
            "already started executions.  Defaults to false."},
           {"Active", "integer", "", 0, "A list of pointers to currently running jobs."},
           {"Last Schedule", "string", "", 0,
            "Information when was the last time the job was successfully scheduled."},
           {"Age", "string", "", 0, kAgeText},
           {"Containers", "string", "", 1, kNamesOfEachContainerText},
           {"Images", "string", "", 1, kImagesReferencedByEachText},
           {"Selector", "string", "", 1, kALabelQueryOverText},
       }},
      {"mutatingwebhookconfigurations",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Webhooks", "integer", "", 0, kWebhooksIndicatesTheNumberText},
           {"Age", "string", "", 0, kAgeText},
       }},
      {"validatingwebhookconfigurations",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Webhooks", "integer", "", 0, kWebhooksIndicatesTheNumberText},
           {"Age", "string", "", 0, kAgeText},
       }},
      {"roles",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Created At", "date", "", 0, kAgeText},
       }},
      {"rolebindings",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Role", "string", "", 0,
            "RoleRef can reference a Role in the current namespace or a ClusterRole in the global "
            "namespace. If the RoleRef cannot be resolved, the Authorizer must return an error."},
           {"Age", "string", "", 0, kAgeText},
           {"Users", "string", "", 1, "Users in the roleBinding"},
           {"Groups", "string", "", 1, "Groups in the roleBinding"},
           {"ServiceAccounts", "string", "", 1, "ServiceAccounts in the roleBinding"},
       }},
      {"clusterroles",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Created At", "date", "", 0, kAgeText},
       }},
      {"clusterrolebindings",
       {
           {"Name", "string", "name", 0, kNameText},
           {"Role", "string", "", 0,
            "RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef "
            "cannot be resolved, the Authorizer must return an error."},
           {"Age", "string", "", 0, kAgeText},
           {"Users", "string", "", 1, "Users in the clusterRoleBinding"},
           {"Groups", "string", "", 1, "Groups in the clusterRoleBinding"},
           {"ServiceAccounts", "string", "", 1, "ServiceAccounts in the clusterRoleBinding"},
       }},
      {"endpointslices",
       {
           {"Name", "string", "name", 0, kNameText},
           {"AddressType", "string", "", 0,
            "addressType specifies the type of address carried by this EndpointSlice. All "
            "addresses in this slice must be the same type. This field is immutable after "
            "creation. The following address types are currently supported: * IPv4: Represents an "
            "IPv4 Address. * IPv6: Represents an IPv6 Address. * FQDN: Represents a Fully "
            "Qualified Domain Name. (Deprecated) The EndpointSlice controller only generates, and "
            "kube-proxy only processes, slices of addressType \"IPv4\" and \"IPv6\". No semantics "
            "are "
            "defined for the \"FQDN\" type."},
           {"Ports", "string", "", 0,
            "ports specifies the list of network ports exposed by each endpoint in this slice. "
            "Each port must have a unique name. Each slice may include a maximum of 100 ports. "
            "Services always have at least 1 port, so EndpointSlices generated by the "
            "EndpointSlice controller will likewise always have at least 1 port. EndpointSlices "
            "used for other purposes may have an empty ports list."},
           {"Endpoints", "string", "", 0,
            "endpoints is a list of unique endpoints in this slice. Each slice may include a "
            "maximum of 1000 endpoints."},
           {"Age", "string", "", 0, kAgeText},
       }},
  };
  return columns;
}

}  // namespace

std::vector<TableColumn> BuiltinColumns(std::string_view plural) {
  const auto found = std::ranges::find(AllColumns(), plural, &KindColumns::plural);
  std::vector<TableColumn> columns;
  if (found == AllColumns().end()) {
    return {{.name = "Name", .format = "name", .description = kNameText},
            {.name = "Created At", .type = "date", .description = kAgeText}};
  }
  for (const Column& column : found->columns) {
    columns.push_back({.name = column.name,
                       .type = column.type,
                       .format = column.format,
                       .description = column.description,
                       .priority = column.priority});
  }
  return columns;
}

}  // namespace basalt::apiserver
