#include "apiserver/schema/builtin_types.h"

#include "apiserver/schema/type_table.h"
#include "base/check.h"

namespace basalt::apiserver {
namespace {

// The wire types of Kubernetes 1.36's built-in kinds; type_table.h explains the notation.
constexpr std::string_view kBuiltinTypes = R"types(
admissionregistration.MatchCondition expression:string! name:string!
admissionregistration.MutatingWebhook admissionReviewVersions:[]string!
  clientConfig:admissionregistration.WebhookClientConfig!
  failurePolicy:*string@v1.FailurePolicyType
  matchConditions:[]admissionregistration.MatchCondition+name
  matchPolicy:*string@v1.MatchPolicyType name:string! namespaceSelector:*meta.LabelSelector
  objectSelector:*meta.LabelSelector reinvocationPolicy:*string@v1.ReinvocationPolicyType
  rules:[]admissionregistration.RuleWithOperations sideEffects:*string@v1.SideEffectClass!
  timeoutSeconds:*int32
admissionregistration.MutatingWebhookConfiguration apiVersion:string kind:string
  metadata:meta.ObjectMeta webhooks:[]admissionregistration.MutatingWebhook+name
admissionregistration.RuleWithOperations apiGroups:[]string apiVersions:[]string
  operations:[]string@v1.OperationType resources:[]string scope:*string@v1.ScopeType
admissionregistration.ServiceReference name:string! namespace:string! path:*string port:*int32
admissionregistration.ValidatingWebhook admissionReviewVersions:[]string!
  clientConfig:admissionregistration.WebhookClientConfig!
  failurePolicy:*string@v1.FailurePolicyType
  matchConditions:[]admissionregistration.MatchCondition+name
  matchPolicy:*string@v1.MatchPolicyType name:string! namespaceSelector:*meta.LabelSelector
  objectSelector:*meta.LabelSelector rules:[]admissionregistration.RuleWithOperations
  sideEffects:*string@v1.SideEffectClass! timeoutSeconds:*int32
admissionregistration.ValidatingWebhookConfiguration apiVersion:string kind:string
  metadata:meta.ObjectMeta webhooks:[]admissionregistration.ValidatingWebhook+name
admissionregistration.WebhookClientConfig caBundle:bytes
  service:*admissionregistration.ServiceReference url:*string
apiextensions.CustomResourceColumnDefinition description:string format:string jsonPath:string!
  name:string! priority:int32 type:string!
apiextensions.CustomResourceConversion strategy:string@v1.ConversionStrategyType!
  webhook:*apiextensions.WebhookConversion
apiextensions.CustomResourceDefinition apiVersion:string kind:string metadata:meta.ObjectMeta
  spec:apiextensions.CustomResourceDefinitionSpec!
  status:apiextensions.CustomResourceDefinitionStatus
apiextensions.CustomResourceDefinitionCondition lastTransitionTime:time message:string
  observedGeneration:int64 reason:string status:string@v1.ConditionStatus!
  type:string@v1.CustomResourceDefinitionConditionType!
apiextensions.CustomResourceDefinitionNames categories:[]string kind:string! listKind:string
  plural:string! shortNames:[]string singular:string
apiextensions.CustomResourceDefinitionSpec conversion:*apiextensions.CustomResourceConversion
  group:string! names:apiextensions.CustomResourceDefinitionNames! preserveUnknownFields:bool
  scope:string@v1.ResourceScope! versions:[]apiextensions.CustomResourceDefinitionVersion!
apiextensions.CustomResourceDefinitionStatus
  acceptedNames:apiextensions.CustomResourceDefinitionNames!
  conditions:[]apiextensions.CustomResourceDefinitionCondition! observedGeneration:int64
  storedVersions:[]string!
apiextensions.CustomResourceDefinitionVersion
  additionalPrinterColumns:[]apiextensions.CustomResourceColumnDefinition deprecated:bool
  deprecationWarning:*string name:string! schema:*apiextensions.CustomResourceValidation
  selectableFields:[]apiextensions.SelectableField served:bool! storage:bool!
  subresources:*apiextensions.CustomResourceSubresources
apiextensions.CustomResourceSubresourceScale labelSelectorPath:*string specReplicasPath:string!
  statusReplicasPath:string!
apiextensions.CustomResourceSubresourceStatus
apiextensions.CustomResourceSubresources scale:*apiextensions.CustomResourceSubresourceScale
  status:*apiextensions.CustomResourceSubresourceStatus
apiextensions.CustomResourceValidation openAPIV3Schema:*apiextensions.JSONSchemaProps
apiextensions.ExternalDocumentation description:string url:string
apiextensions.JSONSchemaProps $ref:*string $schema:string@v1.JSONSchemaURL additionalItems:*any
  additionalProperties:*any allOf:[]apiextensions.JSONSchemaProps
  anyOf:[]apiextensions.JSONSchemaProps default:*any
  definitions:{}apiextensions.JSONSchemaProps@v1.JSONSchemaDefinitions
  dependencies:{}any@v1.JSONSchemaDependencies description:string enum:[]any example:*any
  exclusiveMaximum:bool exclusiveMinimum:bool externalDocs:*apiextensions.ExternalDocumentation
  format:string id:string items:*any maxItems:*int64 maxLength:*int64 maxProperties:*int64
  maximum:*float64 minItems:*int64 minLength:*int64 minProperties:*int64 minimum:*float64
  multipleOf:*float64 not:*apiextensions.JSONSchemaProps nullable:bool
  oneOf:[]apiextensions.JSONSchemaProps pattern:string
  patternProperties:{}apiextensions.JSONSchemaProps properties:{}apiextensions.JSONSchemaProps
  required:[]string title:string type:string uniqueItems:bool x-kubernetes-embedded-resource:bool
  x-kubernetes-int-or-string:bool x-kubernetes-list-map-keys:[]string
  x-kubernetes-list-type:*string x-kubernetes-map-type:*string
  x-kubernetes-preserve-unknown-fields:*bool
  x-kubernetes-validations:[]apiextensions.ValidationRule@v1.ValidationRules+rule
apiextensions.SelectableField jsonPath:string!
apiextensions.ServiceReference name:string! namespace:string! path:*string port:*int32
apiextensions.ValidationRule fieldPath:string message:string messageExpression:string
  optionalOldSelf:*bool reason:*string@v1.FieldValueErrorReason rule:string!
apiextensions.WebhookClientConfig caBundle:bytes service:*apiextensions.ServiceReference
  url:*string
apiextensions.WebhookConversion clientConfig:*apiextensions.WebhookClientConfig
  conversionReviewVersions:[]string!
apps.ControllerRevision apiVersion:string data:any kind:string metadata:meta.ObjectMeta
  revision:int64!
apps.DaemonSet apiVersion:string kind:string metadata:meta.ObjectMeta spec:apps.DaemonSetSpec
  status:apps.DaemonSetStatus
apps.DaemonSetCondition lastTransitionTime:time message:string reason:string
  status:string@v1.ConditionStatus! type:string@v1.DaemonSetConditionType!
apps.DaemonSetSpec minReadySeconds:int32 revisionHistoryLimit:*int32 selector:*meta.LabelSelector!
  template:core.PodTemplateSpec! updateStrategy:apps.DaemonSetUpdateStrategy
apps.DaemonSetStatus collisionCount:*int32 conditions:[]apps.DaemonSetCondition+type
  currentNumberScheduled:int32! desiredNumberScheduled:int32! numberAvailable:int32
  numberMisscheduled:int32! numberReady:int32! numberUnavailable:int32 observedGeneration:int64
  updatedNumberScheduled:int32
apps.DaemonSetUpdateStrategy rollingUpdate:*apps.RollingUpdateDaemonSet
  type:string@v1.DaemonSetUpdateStrategyType
apps.Deployment apiVersion:string kind:string metadata:meta.ObjectMeta spec:apps.DeploymentSpec
  status:apps.DeploymentStatus
apps.DeploymentCondition lastTransitionTime:time lastUpdateTime:time message:string reason:string
  status:string@v1.ConditionStatus! type:string@v1.DeploymentConditionType!
apps.DeploymentSpec minReadySeconds:int32 paused:bool progressDeadlineSeconds:*int32
  replicas:*int32 revisionHistoryLimit:*int32 selector:*meta.LabelSelector!
  strategy:apps.DeploymentStrategy% template:core.PodTemplateSpec!
apps.DeploymentStatus availableReplicas:int32 collisionCount:*int32
  conditions:[]apps.DeploymentCondition+type observedGeneration:int64 readyReplicas:int32
  replicas:int32 terminatingReplicas:*int32 unavailableReplicas:int32 updatedReplicas:int32
apps.DeploymentStrategy rollingUpdate:*apps.RollingUpdateDeployment
  type:string@v1.DeploymentStrategyType
apps.ReplicaSet apiVersion:string kind:string metadata:meta.ObjectMeta spec:apps.ReplicaSetSpec
  status:apps.ReplicaSetStatus
apps.ReplicaSetCondition lastTransitionTime:time message:string reason:string
  status:string@v1.ConditionStatus! type:string@v1.ReplicaSetConditionType!
apps.ReplicaSetSpec minReadySeconds:int32 replicas:*int32 selector:*meta.LabelSelector!
  template:core.PodTemplateSpec
apps.ReplicaSetStatus availableReplicas:int32 conditions:[]apps.ReplicaSetCondition+type
  fullyLabeledReplicas:int32 observedGeneration:int64 readyReplicas:int32 replicas:int32!
  terminatingReplicas:*int32
apps.RollingUpdateDaemonSet maxSurge:*intorstring maxUnavailable:*intorstring
apps.RollingUpdateDeployment maxSurge:*intorstring maxUnavailable:*intorstring
apps.RollingUpdateStatefulSetStrategy maxUnavailable:*intorstring partition:*int32
apps.StatefulSet apiVersion:string kind:string metadata:meta.ObjectMeta spec:apps.StatefulSetSpec
  status:apps.StatefulSetStatus
apps.StatefulSetCondition lastTransitionTime:time message:string reason:string
  status:string@v1.ConditionStatus! type:string@v1.StatefulSetConditionType!
apps.StatefulSetOrdinals start:int32!
apps.StatefulSetPersistentVolumeClaimRetentionPolicy
  whenDeleted:string@v1.PersistentVolumeClaimRetentionPolicyType
  whenScaled:string@v1.PersistentVolumeClaimRetentionPolicyType
apps.StatefulSetSpec minReadySeconds:int32 ordinals:*apps.StatefulSetOrdinals
  persistentVolumeClaimRetentionPolicy:*apps.StatefulSetPersistentVolumeClaimRetentionPolicy
  podManagementPolicy:string@v1.PodManagementPolicyType replicas:*int32
  revisionHistoryLimit:*int32 selector:*meta.LabelSelector! serviceName:string!
  template:core.PodTemplateSpec! updateStrategy:apps.StatefulSetUpdateStrategy
  volumeClaimTemplates:[]core.PersistentVolumeClaim
apps.StatefulSetStatus availableReplicas:int32! collisionCount:*int32
  conditions:[]apps.StatefulSetCondition+type currentReplicas:int32 currentRevision:string
  observedGeneration:int64 readyReplicas:int32 replicas:int32! updateRevision:string
  updatedReplicas:int32
apps.StatefulSetUpdateStrategy rollingUpdate:*apps.RollingUpdateStatefulSetStrategy
  type:string@v1.StatefulSetUpdateStrategyType
authorization.NonResourceAttributes path:string verb:string
authorization.ResourceAttributes group:string name:string namespace:string resource:string
  subresource:string verb:string version:string
authorization.SelfSubjectAccessReview apiVersion:string kind:string metadata:meta.ObjectMeta
  spec:authorization.SelfSubjectAccessReviewSpec!
  status:authorization.SubjectAccessReviewStatus
authorization.SelfSubjectAccessReviewSpec
  nonResourceAttributes:*authorization.NonResourceAttributes
  resourceAttributes:*authorization.ResourceAttributes
authorization.SubjectAccessReviewStatus allowed:bool! denied:bool evaluationError:string
  reason:string
autoscaling.Scale apiVersion:string kind:string metadata:meta.ObjectMeta
  spec:autoscaling.ScaleSpec status:autoscaling.ScaleStatus
autoscaling.ScaleSpec replicas:int32
autoscaling.ScaleStatus replicas:int32! selector:string
batch.CronJob apiVersion:string kind:string metadata:meta.ObjectMeta spec:batch.CronJobSpec
  status:batch.CronJobStatus
batch.CronJobSpec concurrencyPolicy:string@v1.ConcurrencyPolicy failedJobsHistoryLimit:*int32
  jobTemplate:batch.JobTemplateSpec! schedule:string! startingDeadlineSeconds:*int64
  successfulJobsHistoryLimit:*int32 suspend:*bool timeZone:*string
batch.CronJobStatus active:[]core.ObjectReference lastScheduleTime:*time lastSuccessfulTime:*time
batch.Job apiVersion:string kind:string metadata:meta.ObjectMeta spec:batch.JobSpec
  status:batch.JobStatus
batch.JobCondition lastProbeTime:time lastTransitionTime:time message:string reason:string
  status:string@v1.ConditionStatus! type:string@v1.JobConditionType!
batch.JobSpec activeDeadlineSeconds:*int64 backoffLimit:*int32 backoffLimitPerIndex:*int32
  completionMode:*string@v1.CompletionMode completions:*int32 managedBy:*string
  manualSelector:*bool maxFailedIndexes:*int32 parallelism:*int32
  podFailurePolicy:*batch.PodFailurePolicy podReplacementPolicy:*string@v1.PodReplacementPolicy
  selector:*meta.LabelSelector successPolicy:*batch.SuccessPolicy suspend:*bool
  template:core.PodTemplateSpec! ttlSecondsAfterFinished:*int32
batch.JobStatus active:int32 completedIndexes:string completionTime:*time
  conditions:[]batch.JobCondition+type failed:int32 failedIndexes:*string ready:*int32
  startTime:*time succeeded:int32 terminating:*int32
  uncountedTerminatedPods:*batch.UncountedTerminatedPods
batch.JobTemplateSpec metadata:meta.ObjectMeta spec:batch.JobSpec
batch.PodFailurePolicy rules:[]batch.PodFailurePolicyRule!
batch.PodFailurePolicyOnExitCodesRequirement containerName:*string
  operator:string@v1.PodFailurePolicyOnExitCodesOperator! values:[]int32!
batch.PodFailurePolicyOnPodConditionsPattern status:string@v1.ConditionStatus!
  type:string@v1.PodConditionType!
batch.PodFailurePolicyRule action:string@v1.PodFailurePolicyAction!
  onExitCodes:*batch.PodFailurePolicyOnExitCodesRequirement
  onPodConditions:[]batch.PodFailurePolicyOnPodConditionsPattern
batch.SuccessPolicy rules:[]batch.SuccessPolicyRule!
batch.SuccessPolicyRule succeededCount:*int32 succeededIndexes:*string
batch.UncountedTerminatedPods failed:[]string@types.UID succeeded:[]string@types.UID
coordination.Lease apiVersion:string kind:string metadata:meta.ObjectMeta
  spec:coordination.LeaseSpec
coordination.LeaseSpec acquireTime:*microtime holderIdentity:*string leaseDurationSeconds:*int32
  leaseTransitions:*int32 preferredHolder:*string renewTime:*microtime
  strategy:*string@v1.CoordinatedLeaseStrategy
core.AWSElasticBlockStoreVolumeSource fsType:string partition:int32 readOnly:bool volumeID:string!
core.Affinity nodeAffinity:*core.NodeAffinity podAffinity:*core.PodAffinity
  podAntiAffinity:*core.PodAntiAffinity
core.AppArmorProfile localhostProfile:*string type:string@v1.AppArmorProfileType!
core.AttachedVolume devicePath:string! name:string@v1.UniqueVolumeName!
core.AzureDiskVolumeSource cachingMode:*string@v1.AzureDataDiskCachingMode diskName:string!
  diskURI:string! fsType:*string kind:*string@v1.AzureDataDiskKind readOnly:*bool
core.AzureFilePersistentVolumeSource readOnly:bool secretName:string! secretNamespace:*string!
  shareName:string!
core.AzureFileVolumeSource readOnly:bool secretName:string! shareName:string!
core.Binding apiVersion:string kind:string metadata:meta.ObjectMeta target:core.ObjectReference!
core.CSIPersistentVolumeSource controllerExpandSecretRef:*core.SecretReference
  controllerPublishSecretRef:*core.SecretReference driver:string! fsType:string
  nodeExpandSecretRef:*core.SecretReference nodePublishSecretRef:*core.SecretReference
  nodeStageSecretRef:*core.SecretReference readOnly:bool volumeAttributes:{}string
  volumeHandle:string!
core.CSIVolumeSource driver:string! fsType:*string nodePublishSecretRef:*core.LocalObjectReference
  readOnly:*bool volumeAttributes:{}string
core.Capabilities add:[]string@v1.Capability drop:[]string@v1.Capability
core.CephFSPersistentVolumeSource monitors:[]string! path:string readOnly:bool secretFile:string
  secretRef:*core.SecretReference user:string
core.CephFSVolumeSource monitors:[]string! path:string readOnly:bool secretFile:string
  secretRef:*core.LocalObjectReference user:string
core.CinderPersistentVolumeSource fsType:string readOnly:bool secretRef:*core.SecretReference
  volumeID:string!
core.CinderVolumeSource fsType:string readOnly:bool secretRef:*core.LocalObjectReference
  volumeID:string!
core.ClientIPConfig timeoutSeconds:*int32
core.ClusterTrustBundleProjection labelSelector:*meta.LabelSelector name:*string optional:*bool
  path:string! signerName:*string
core.ConfigMap apiVersion:string binaryData:{}bytes data:{}string immutable:*bool kind:string
  metadata:meta.ObjectMeta
core.ConfigMapEnvSource name:string optional:*bool
core.ConfigMapKeySelector key:string! name:string optional:*bool
core.ConfigMapNodeConfigSource kubeletConfigKey:string! name:string! namespace:string!
  resourceVersion:string uid:string@types.UID
core.ConfigMapProjection items:[]core.KeyToPath name:string optional:*bool
core.ConfigMapVolumeSource defaultMode:*int32 items:[]core.KeyToPath name:string optional:*bool
core.Container args:[]string command:[]string env:[]core.EnvVar+name envFrom:[]core.EnvFromSource
  image:string imagePullPolicy:string@v1.PullPolicy lifecycle:*core.Lifecycle
  livenessProbe:*core.Probe name:string! ports:[]core.ContainerPort+containerPort
  readinessProbe:*core.Probe resizePolicy:[]core.ContainerResizePolicy
  resources:core.ResourceRequirements restartPolicy:*string@v1.ContainerRestartPolicy
  restartPolicyRules:[]core.ContainerRestartRule securityContext:*core.SecurityContext
  startupProbe:*core.Probe stdin:bool stdinOnce:bool terminationMessagePath:string
  terminationMessagePolicy:string@v1.TerminationMessagePolicy tty:bool
  volumeDevices:[]core.VolumeDevice+devicePath volumeMounts:[]core.VolumeMount+mountPath
  workingDir:string
core.ContainerExtendedResourceRequest containerName:string! requestName:string!
  resourceName:string!
core.ContainerImage names:[]string! sizeBytes:int64
core.ContainerPort containerPort:int32! hostIP:string hostPort:int32 name:string
  protocol:string@v1.Protocol
core.ContainerResizePolicy resourceName:string@v1.ResourceName!
  restartPolicy:string@v1.ResourceResizeRestartPolicy!
core.ContainerRestartRule action:string@v1.ContainerRestartRuleAction
  exitCodes:*core.ContainerRestartRuleOnExitCodes
core.ContainerRestartRuleOnExitCodes operator:string@v1.ContainerRestartRuleOnExitCodesOperator
  values:[]int32
core.ContainerState running:*core.ContainerStateRunning terminated:*core.ContainerStateTerminated
  waiting:*core.ContainerStateWaiting
core.ContainerStateRunning startedAt:time
core.ContainerStateTerminated containerID:string exitCode:int32! finishedAt:time message:string
  reason:string signal:int32 startedAt:time
core.ContainerStateWaiting message:string reason:string
core.ContainerStatus allocatedResources:{}quantity@v1.ResourceList
  allocatedResourcesStatus:[]core.ResourceStatus+name containerID:string image:string!
  imageID:string! lastState:core.ContainerState name:string! ready:bool!
  resources:*core.ResourceRequirements restartCount:int32! started:*bool state:core.ContainerState
  stopSignal:*string@v1.Signal user:*core.ContainerUser
  volumeMounts:[]core.VolumeMountStatus+mountPath
core.ContainerUser linux:*core.LinuxContainerUser
core.DaemonEndpoint Port:int32!
core.DownwardAPIProjection items:[]core.DownwardAPIVolumeFile
core.DownwardAPIVolumeFile fieldRef:*core.ObjectFieldSelector mode:*int32 path:string!
  resourceFieldRef:*core.ResourceFieldSelector
core.DownwardAPIVolumeSource defaultMode:*int32 items:[]core.DownwardAPIVolumeFile
core.EmptyDirVolumeSource medium:string@v1.StorageMedium sizeLimit:*quantity
core.EndpointAddress hostname:string ip:string! nodeName:*string targetRef:*core.ObjectReference
core.EndpointPort appProtocol:*string name:string port:int32! protocol:string@v1.Protocol
core.EndpointSubset addresses:[]core.EndpointAddress notReadyAddresses:[]core.EndpointAddress
  ports:[]core.EndpointPort
core.Endpoints apiVersion:string kind:string metadata:meta.ObjectMeta
  subsets:[]core.EndpointSubset
core.EnvFromSource configMapRef:*core.ConfigMapEnvSource prefix:string
  secretRef:*core.SecretEnvSource
core.EnvVar name:string! value:string valueFrom:*core.EnvVarSource
core.EnvVarSource configMapKeyRef:*core.ConfigMapKeySelector fieldRef:*core.ObjectFieldSelector
  fileKeyRef:*core.FileKeySelector resourceFieldRef:*core.ResourceFieldSelector
  secretKeyRef:*core.SecretKeySelector
core.EphemeralContainer args:[]string command:[]string env:[]core.EnvVar+name
  envFrom:[]core.EnvFromSource image:string imagePullPolicy:string@v1.PullPolicy
  lifecycle:*core.Lifecycle livenessProbe:*core.Probe name:string!
  ports:[]core.ContainerPort+containerPort readinessProbe:*core.Probe
  resizePolicy:[]core.ContainerResizePolicy resources:core.ResourceRequirements
  restartPolicy:*string@v1.ContainerRestartPolicy restartPolicyRules:[]core.ContainerRestartRule
  securityContext:*core.SecurityContext startupProbe:*core.Probe stdin:bool stdinOnce:bool
  targetContainerName:string terminationMessagePath:string
  terminationMessagePolicy:string@v1.TerminationMessagePolicy tty:bool
  volumeDevices:[]core.VolumeDevice+devicePath volumeMounts:[]core.VolumeMount+mountPath
  workingDir:string
core.EphemeralVolumeSource volumeClaimTemplate:*core.PersistentVolumeClaimTemplate
core.Event action:string apiVersion:string count:int32 eventTime:microtime firstTimestamp:time
  involvedObject:core.ObjectReference! kind:string lastTimestamp:time message:string
  metadata:meta.ObjectMeta! reason:string related:*core.ObjectReference reportingComponent:string!
  reportingInstance:string! series:*core.EventSeries source:core.EventSource type:string
core.EventSeries count:int32 lastObservedTime:microtime
core.EventSource component:string host:string
core.ExecAction command:[]string
core.FCVolumeSource fsType:string lun:*int32 readOnly:bool targetWWNs:[]string wwids:[]string
core.FileKeySelector key:string! optional:*bool path:string! volumeName:string!
core.FlexPersistentVolumeSource driver:string! fsType:string options:{}string readOnly:bool
  secretRef:*core.SecretReference
core.FlexVolumeSource driver:string! fsType:string options:{}string readOnly:bool
  secretRef:*core.LocalObjectReference
core.FlockerVolumeSource datasetName:string datasetUUID:string
core.GCEPersistentDiskVolumeSource fsType:string partition:int32 pdName:string! readOnly:bool
core.GRPCAction port:int32! service:*string!
core.GitRepoVolumeSource directory:string repository:string! revision:string
core.GlusterfsPersistentVolumeSource endpoints:string! endpointsNamespace:*string path:string!
  readOnly:bool
core.GlusterfsVolumeSource endpoints:string! path:string! readOnly:bool
core.HTTPGetAction host:string httpHeaders:[]core.HTTPHeader path:string port:intorstring!
  scheme:string@v1.URIScheme
core.HTTPHeader name:string! value:string!
core.HostAlias hostnames:[]string ip:string!
core.HostIP ip:string!
core.HostPathVolumeSource path:string! type:*string@v1.HostPathType
core.ISCSIPersistentVolumeSource chapAuthDiscovery:bool chapAuthSession:bool fsType:string
  initiatorName:*string iqn:string! iscsiInterface:string lun:int32! portals:[]string
  readOnly:bool secretRef:*core.SecretReference targetPortal:string!
core.ISCSIVolumeSource chapAuthDiscovery:bool chapAuthSession:bool fsType:string
  initiatorName:*string iqn:string! iscsiInterface:string lun:int32! portals:[]string
  readOnly:bool secretRef:*core.LocalObjectReference targetPortal:string!
core.ImageVolumeSource pullPolicy:string@v1.PullPolicy reference:string
core.ImageVolumeStatus imageRef:string
core.KeyToPath key:string! mode:*int32 path:string!
core.Lifecycle postStart:*core.LifecycleHandler preStop:*core.LifecycleHandler
  stopSignal:*string@v1.Signal
core.LifecycleHandler exec:*core.ExecAction httpGet:*core.HTTPGetAction sleep:*core.SleepAction
  tcpSocket:*core.TCPSocketAction
core.LimitRange apiVersion:string kind:string metadata:meta.ObjectMeta spec:core.LimitRangeSpec
core.LimitRangeItem default:{}quantity@v1.ResourceList defaultRequest:{}quantity@v1.ResourceList
  max:{}quantity@v1.ResourceList maxLimitRequestRatio:{}quantity@v1.ResourceList
  min:{}quantity@v1.ResourceList type:string@v1.LimitType!
core.LimitRangeSpec limits:[]core.LimitRangeItem!
core.LinuxContainerUser gid:int64! supplementalGroups:[]int64 uid:int64!
core.LoadBalancerIngress hostname:string ip:string ipMode:*string@v1.LoadBalancerIPMode
  ports:[]core.PortStatus
core.LoadBalancerStatus ingress:[]core.LoadBalancerIngress
core.LocalObjectReference name:string
core.LocalVolumeSource fsType:*string path:string!
core.ModifyVolumeStatus status:string@v1.PersistentVolumeClaimModifyVolumeStatus!
  targetVolumeAttributesClassName:string
core.NFSVolumeSource path:string! readOnly:bool server:string!
core.Namespace apiVersion:string kind:string metadata:meta.ObjectMeta spec:core.NamespaceSpec
  status:core.NamespaceStatus
core.NamespaceCondition lastTransitionTime:time message:string reason:string
  status:string@v1.ConditionStatus! type:string@v1.NamespaceConditionType!
core.NamespaceSpec finalizers:[]string@v1.FinalizerName
core.NamespaceStatus conditions:[]core.NamespaceCondition+type phase:string@v1.NamespacePhase
core.Node apiVersion:string kind:string metadata:meta.ObjectMeta spec:core.NodeSpec
  status:core.NodeStatus
core.NodeAddress address:string! type:string@v1.NodeAddressType!
core.NodeAffinity preferredDuringSchedulingIgnoredDuringExecution:[]core.PreferredSchedulingTerm
  requiredDuringSchedulingIgnoredDuringExecution:*core.NodeSelector
core.NodeAllocatableResourceClaimStatus containers:[]string resourceClaimName:string!
  resources:{}quantity@map[v1.ResourceName]resource.Quantity!
core.NodeCondition lastHeartbeatTime:time lastTransitionTime:time message:string reason:string
  status:string@v1.ConditionStatus! type:string@v1.NodeConditionType!
core.NodeConfigSource configMap:*core.ConfigMapNodeConfigSource
core.NodeConfigStatus active:*core.NodeConfigSource assigned:*core.NodeConfigSource error:string
  lastKnownGood:*core.NodeConfigSource
core.NodeDaemonEndpoints kubeletEndpoint:core.DaemonEndpoint
core.NodeFeatures supplementalGroupsPolicy:*bool
core.NodeRuntimeHandler features:*core.NodeRuntimeHandlerFeatures name:string!
core.NodeRuntimeHandlerFeatures recursiveReadOnlyMounts:*bool userNamespaces:*bool
core.NodeSelector nodeSelectorTerms:[]core.NodeSelectorTerm!
core.NodeSelectorRequirement key:string! operator:string@v1.NodeSelectorOperator! values:[]string
core.NodeSelectorTerm matchExpressions:[]core.NodeSelectorRequirement
  matchFields:[]core.NodeSelectorRequirement
core.NodeSpec configSource:*core.NodeConfigSource externalID:string podCIDR:string
  podCIDRs:[]string+ providerID:string taints:[]core.Taint unschedulable:bool
core.NodeStatus addresses:[]core.NodeAddress+type allocatable:{}quantity@v1.ResourceList
  capacity:{}quantity@v1.ResourceList conditions:[]core.NodeCondition+type
  config:*core.NodeConfigStatus daemonEndpoints:core.NodeDaemonEndpoints declaredFeatures:[]string
  features:*core.NodeFeatures images:[]core.ContainerImage nodeInfo:core.NodeSystemInfo
  phase:string@v1.NodePhase runtimeHandlers:[]core.NodeRuntimeHandler
  volumesAttached:[]core.AttachedVolume volumesInUse:[]string@v1.UniqueVolumeName
core.NodeSwapStatus capacity:*int64
core.NodeSystemInfo architecture:string! bootID:string! containerRuntimeVersion:string!
  kernelVersion:string! kubeProxyVersion:string! kubeletVersion:string! machineID:string!
  operatingSystem:string! osImage:string! swap:*core.NodeSwapStatus systemUUID:string!
core.ObjectFieldSelector apiVersion:string fieldPath:string!
core.ObjectReference apiVersion:string fieldPath:string kind:string name:string namespace:string
  resourceVersion:string uid:string@types.UID
core.PersistentVolume apiVersion:string kind:string metadata:meta.ObjectMeta
  spec:core.PersistentVolumeSpec status:core.PersistentVolumeStatus
core.PersistentVolumeClaim apiVersion:string kind:string metadata:meta.ObjectMeta
  spec:core.PersistentVolumeClaimSpec status:core.PersistentVolumeClaimStatus
core.PersistentVolumeClaimCondition lastProbeTime:time lastTransitionTime:time message:string
  reason:string status:string@v1.ConditionStatus!
  type:string@v1.PersistentVolumeClaimConditionType!
core.PersistentVolumeClaimSpec accessModes:[]string@v1.PersistentVolumeAccessMode
  dataSource:*core.TypedLocalObjectReference dataSourceRef:*core.TypedObjectReference
  resources:core.VolumeResourceRequirements selector:*meta.LabelSelector storageClassName:*string
  volumeAttributesClassName:*string volumeMode:*string@v1.PersistentVolumeMode volumeName:string
core.PersistentVolumeClaimStatus accessModes:[]string@v1.PersistentVolumeAccessMode
  allocatedResourceStatuses:{}string@v1.ClaimResourceStatus@map[v1.ResourceName]v1.ClaimResourceStatus
  allocatedResources:{}quantity@v1.ResourceList capacity:{}quantity@v1.ResourceList
  conditions:[]core.PersistentVolumeClaimCondition+type currentVolumeAttributesClassName:*string
  modifyVolumeStatus:*core.ModifyVolumeStatus phase:string@v1.PersistentVolumeClaimPhase
core.PersistentVolumeClaimTemplate metadata:meta.ObjectMeta spec:core.PersistentVolumeClaimSpec!
core.PersistentVolumeClaimVolumeSource claimName:string! readOnly:bool
core.PersistentVolumeSpec accessModes:[]string@v1.PersistentVolumeAccessMode
  awsElasticBlockStore:*core.AWSElasticBlockStoreVolumeSource
  azureDisk:*core.AzureDiskVolumeSource azureFile:*core.AzureFilePersistentVolumeSource
  capacity:{}quantity@v1.ResourceList cephfs:*core.CephFSPersistentVolumeSource
  cinder:*core.CinderPersistentVolumeSource claimRef:*core.ObjectReference
  csi:*core.CSIPersistentVolumeSource fc:*core.FCVolumeSource
  flexVolume:*core.FlexPersistentVolumeSource flocker:*core.FlockerVolumeSource
  gcePersistentDisk:*core.GCEPersistentDiskVolumeSource
  glusterfs:*core.GlusterfsPersistentVolumeSource hostPath:*core.HostPathVolumeSource
  iscsi:*core.ISCSIPersistentVolumeSource local:*core.LocalVolumeSource mountOptions:[]string
  nfs:*core.NFSVolumeSource nodeAffinity:*core.VolumeNodeAffinity
  persistentVolumeReclaimPolicy:string@v1.PersistentVolumeReclaimPolicy
  photonPersistentDisk:*core.PhotonPersistentDiskVolumeSource
  portworxVolume:*core.PortworxVolumeSource quobyte:*core.QuobyteVolumeSource
  rbd:*core.RBDPersistentVolumeSource scaleIO:*core.ScaleIOPersistentVolumeSource
  storageClassName:string storageos:*core.StorageOSPersistentVolumeSource
  volumeAttributesClassName:*string volumeMode:*string@v1.PersistentVolumeMode
  vsphereVolume:*core.VsphereVirtualDiskVolumeSource
core.PersistentVolumeStatus lastPhaseTransitionTime:*time message:string
  phase:string@v1.PersistentVolumePhase reason:string
core.PhotonPersistentDiskVolumeSource fsType:string pdID:string!
core.Pod apiVersion:string kind:string metadata:meta.ObjectMeta spec:core.PodSpec
  status:core.PodStatus
core.PodAffinity preferredDuringSchedulingIgnoredDuringExecution:[]core.WeightedPodAffinityTerm
  requiredDuringSchedulingIgnoredDuringExecution:[]core.PodAffinityTerm
core.PodAffinityTerm labelSelector:*meta.LabelSelector matchLabelKeys:[]string
  mismatchLabelKeys:[]string namespaceSelector:*meta.LabelSelector namespaces:[]string
  topologyKey:string!
core.PodAntiAffinity
  preferredDuringSchedulingIgnoredDuringExecution:[]core.WeightedPodAffinityTerm
  requiredDuringSchedulingIgnoredDuringExecution:[]core.PodAffinityTerm
core.PodCertificateProjection certificateChainPath:string credentialBundlePath:string
  keyPath:string keyType:string maxExpirationSeconds:*int32 signerName:string
  userAnnotations:{}string
core.PodCondition lastProbeTime:time lastTransitionTime:time message:string
  observedGeneration:int64 reason:string status:string@v1.ConditionStatus!
  type:string@v1.PodConditionType!
core.PodDNSConfig nameservers:[]string options:[]core.PodDNSConfigOption searches:[]string
core.PodDNSConfigOption name:string value:*string
core.PodExtendedResourceClaimStatus requestMappings:[]core.ContainerExtendedResourceRequest!
  resourceClaimName:string!
core.PodIP ip:string!
core.PodOS name:string@v1.OSName!
core.PodReadinessGate conditionType:string@v1.PodConditionType!
core.PodResourceClaim name:string! resourceClaimName:*string resourceClaimTemplateName:*string
core.PodResourceClaimStatus name:string! resourceClaimName:*string
core.PodSchedulingGate name:string!
core.PodSchedulingGroup podGroupName:*string
core.PodSecurityContext appArmorProfile:*core.AppArmorProfile fsGroup:*int64
  fsGroupChangePolicy:*string@v1.PodFSGroupChangePolicy runAsGroup:*int64 runAsNonRoot:*bool
  runAsUser:*int64 seLinuxChangePolicy:*string@v1.PodSELinuxChangePolicy
  seLinuxOptions:*core.SELinuxOptions seccompProfile:*core.SeccompProfile
  supplementalGroups:[]int64 supplementalGroupsPolicy:*string@v1.SupplementalGroupsPolicy
  sysctls:[]core.Sysctl windowsOptions:*core.WindowsSecurityContextOptions
core.PodSpec activeDeadlineSeconds:*int64 affinity:*core.Affinity
  automountServiceAccountToken:*bool containers:[]core.Container!+name
  dnsConfig:*core.PodDNSConfig dnsPolicy:string@v1.DNSPolicy enableServiceLinks:*bool
  ephemeralContainers:[]core.EphemeralContainer+name hostAliases:[]core.HostAlias+ip hostIPC:bool
  hostNetwork:bool hostPID:bool hostUsers:*bool hostname:string hostnameOverride:*string
  imagePullSecrets:[]core.LocalObjectReference+name initContainers:[]core.Container+name
  nodeName:string nodeSelector:{}string os:*core.PodOS overhead:{}quantity@v1.ResourceList
  preemptionPolicy:*string@v1.PreemptionPolicy priority:*int32 priorityClassName:string
  readinessGates:[]core.PodReadinessGate resourceClaims:[]core.PodResourceClaim%+name
  resources:*core.ResourceRequirements restartPolicy:string@v1.RestartPolicy
  runtimeClassName:*string schedulerName:string schedulingGates:[]core.PodSchedulingGate+name
  schedulingGroup:*core.PodSchedulingGroup securityContext:*core.PodSecurityContext
  serviceAccount:string serviceAccountName:string setHostnameAsFQDN:*bool
  shareProcessNamespace:*bool subdomain:string terminationGracePeriodSeconds:*int64
  tolerations:[]core.Toleration
  topologySpreadConstraints:[]core.TopologySpreadConstraint+topologyKey
  volumes:[]core.Volume%+name
core.PodStatus allocatedResources:{}quantity@v1.ResourceList conditions:[]core.PodCondition+type
  containerStatuses:[]core.ContainerStatus ephemeralContainerStatuses:[]core.ContainerStatus
  extendedResourceClaimStatus:*core.PodExtendedResourceClaimStatus hostIP:string
  hostIPs:[]core.HostIP+ip initContainerStatuses:[]core.ContainerStatus message:string
  nodeAllocatableResourceClaimStatuses:[]core.NodeAllocatableResourceClaimStatus
  nominatedNodeName:string observedGeneration:int64 phase:string@v1.PodPhase podIP:string
  podIPs:[]core.PodIP+ip qosClass:string@v1.PodQOSClass reason:string
  resize:string@v1.PodResizeStatus resourceClaimStatuses:[]core.PodResourceClaimStatus%+name
  resources:*core.ResourceRequirements startTime:*time
core.PodTemplate apiVersion:string kind:string metadata:meta.ObjectMeta
  template:core.PodTemplateSpec
core.PodTemplateSpec metadata:meta.ObjectMeta spec:core.PodSpec
core.PortStatus error:*string port:int32! protocol:string@v1.Protocol!
core.PortworxVolumeSource fsType:string readOnly:bool volumeID:string!
core.PreferredSchedulingTerm preference:core.NodeSelectorTerm! weight:int32!
core.Probe exec:*core.ExecAction failureThreshold:int32 grpc:*core.GRPCAction
  httpGet:*core.HTTPGetAction initialDelaySeconds:int32 periodSeconds:int32 successThreshold:int32
  tcpSocket:*core.TCPSocketAction terminationGracePeriodSeconds:*int64 timeoutSeconds:int32
core.ProjectedVolumeSource defaultMode:*int32 sources:[]core.VolumeProjection!
core.QuobyteVolumeSource group:string readOnly:bool registry:string! tenant:string user:string
  volume:string!
core.RBDPersistentVolumeSource fsType:string image:string! keyring:string monitors:[]string!
  pool:string readOnly:bool secretRef:*core.SecretReference user:string
core.RBDVolumeSource fsType:string image:string! keyring:string monitors:[]string! pool:string
  readOnly:bool secretRef:*core.LocalObjectReference user:string
core.ReplicationController apiVersion:string kind:string metadata:meta.ObjectMeta
  spec:core.ReplicationControllerSpec status:core.ReplicationControllerStatus
core.ReplicationControllerCondition lastTransitionTime:time message:string reason:string
  status:string@v1.ConditionStatus! type:string@v1.ReplicationControllerConditionType!
core.ReplicationControllerSpec minReadySeconds:int32 replicas:*int32 selector:{}string
  template:*core.PodTemplateSpec
core.ReplicationControllerStatus availableReplicas:int32
  conditions:[]core.ReplicationControllerCondition+type fullyLabeledReplicas:int32
  observedGeneration:int64 readyReplicas:int32 replicas:int32!
core.ResourceClaim name:string! request:string
core.ResourceFieldSelector containerName:string divisor:quantity resource:string!
core.ResourceHealth health:string@v1.ResourceHealthStatus message:*string
  resourceID:string@v1.ResourceID!
core.ResourceQuota apiVersion:string kind:string metadata:meta.ObjectMeta
  spec:core.ResourceQuotaSpec status:core.ResourceQuotaStatus
core.ResourceQuotaSpec hard:{}quantity@v1.ResourceList scopeSelector:*core.ScopeSelector
  scopes:[]string@v1.ResourceQuotaScope
core.ResourceQuotaStatus hard:{}quantity@v1.ResourceList used:{}quantity@v1.ResourceList
core.ResourceRequirements claims:[]core.ResourceClaim limits:{}quantity@v1.ResourceList
  requests:{}quantity@v1.ResourceList
core.ResourceStatus name:string@v1.ResourceName! resources:[]core.ResourceHealth
core.SELinuxOptions level:string role:string type:string user:string
core.ScaleIOPersistentVolumeSource fsType:string gateway:string! protectionDomain:string
  readOnly:bool secretRef:*core.SecretReference! sslEnabled:bool storageMode:string
  storagePool:string system:string! volumeName:string
core.ScaleIOVolumeSource fsType:string gateway:string! protectionDomain:string readOnly:bool
  secretRef:*core.LocalObjectReference! sslEnabled:bool storageMode:string storagePool:string
  system:string! volumeName:string
core.ScopeSelector matchExpressions:[]core.ScopedResourceSelectorRequirement
core.ScopedResourceSelectorRequirement operator:string@v1.ScopeSelectorOperator!
  scopeName:string@v1.ResourceQuotaScope! values:[]string
core.SeccompProfile localhostProfile:*string type:string@v1.SeccompProfileType!
core.Secret apiVersion:string data:{}bytes immutable:*bool kind:string metadata:meta.ObjectMeta
  stringData:{}string type:string@v1.SecretType
core.SecretEnvSource name:string optional:*bool
core.SecretKeySelector key:string! name:string optional:*bool
core.SecretProjection items:[]core.KeyToPath name:string optional:*bool
core.SecretReference name:string namespace:string
core.SecretVolumeSource defaultMode:*int32 items:[]core.KeyToPath optional:*bool secretName:string
core.SecurityContext allowPrivilegeEscalation:*bool appArmorProfile:*core.AppArmorProfile
  capabilities:*core.Capabilities privileged:*bool procMount:*string@v1.ProcMountType
  readOnlyRootFilesystem:*bool runAsGroup:*int64 runAsNonRoot:*bool runAsUser:*int64
  seLinuxOptions:*core.SELinuxOptions seccompProfile:*core.SeccompProfile
  windowsOptions:*core.WindowsSecurityContextOptions
core.Service apiVersion:string kind:string metadata:meta.ObjectMeta spec:core.ServiceSpec
  status:core.ServiceStatus
core.ServiceAccount apiVersion:string automountServiceAccountToken:*bool
  imagePullSecrets:[]core.LocalObjectReference kind:string metadata:meta.ObjectMeta
  secrets:[]core.ObjectReference+name
core.ServiceAccountTokenProjection audience:string expirationSeconds:*int64 path:string!
core.ServicePort appProtocol:*string name:string nodePort:int32 port:int32!
  protocol:string@v1.Protocol targetPort:intorstring
core.ServiceSpec allocateLoadBalancerNodePorts:*bool clusterIP:string clusterIPs:[]string
  externalIPs:[]string externalName:string
  externalTrafficPolicy:string@v1.ServiceExternalTrafficPolicy healthCheckNodePort:int32
  internalTrafficPolicy:*string@v1.ServiceInternalTrafficPolicy ipFamilies:[]string@v1.IPFamily
  ipFamilyPolicy:*string@v1.IPFamilyPolicy loadBalancerClass:*string loadBalancerIP:string
  loadBalancerSourceRanges:[]string ports:[]core.ServicePort+port publishNotReadyAddresses:bool
  selector:{}string sessionAffinity:string@v1.ServiceAffinity
  sessionAffinityConfig:*core.SessionAffinityConfig trafficDistribution:*string
  type:string@v1.ServiceType
core.ServiceStatus conditions:[]meta.Condition+type loadBalancer:core.LoadBalancerStatus
core.SessionAffinityConfig clientIP:*core.ClientIPConfig
core.SleepAction seconds:int64!
core.StorageOSPersistentVolumeSource fsType:string readOnly:bool secretRef:*core.ObjectReference
  volumeName:string volumeNamespace:string
core.StorageOSVolumeSource fsType:string readOnly:bool secretRef:*core.LocalObjectReference
  volumeName:string volumeNamespace:string
core.Sysctl name:string! value:string!
core.TCPSocketAction host:string port:intorstring!
core.Taint effect:string@v1.TaintEffect! key:string! timeAdded:*time value:string
core.Toleration effect:string@v1.TaintEffect key:string operator:string@v1.TolerationOperator
  tolerationSeconds:*int64 value:string
core.TopologySelectorLabelRequirement key:string! values:[]string!
core.TopologySelectorTerm matchLabelExpressions:[]core.TopologySelectorLabelRequirement
core.TopologySpreadConstraint labelSelector:*meta.LabelSelector matchLabelKeys:[]string
  maxSkew:int32! minDomains:*int32 nodeAffinityPolicy:*string@v1.NodeInclusionPolicy
  nodeTaintsPolicy:*string@v1.NodeInclusionPolicy topologyKey:string!
  whenUnsatisfiable:string@v1.UnsatisfiableConstraintAction!
core.TypedLocalObjectReference apiGroup:*string! kind:string! name:string!
core.TypedObjectReference apiGroup:*string! kind:string! name:string! namespace:*string
core.Volume awsElasticBlockStore:*core.AWSElasticBlockStoreVolumeSource
  azureDisk:*core.AzureDiskVolumeSource azureFile:*core.AzureFileVolumeSource
  cephfs:*core.CephFSVolumeSource cinder:*core.CinderVolumeSource
  configMap:*core.ConfigMapVolumeSource csi:*core.CSIVolumeSource
  downwardAPI:*core.DownwardAPIVolumeSource emptyDir:*core.EmptyDirVolumeSource
  ephemeral:*core.EphemeralVolumeSource fc:*core.FCVolumeSource flexVolume:*core.FlexVolumeSource
  flocker:*core.FlockerVolumeSource gcePersistentDisk:*core.GCEPersistentDiskVolumeSource
  gitRepo:*core.GitRepoVolumeSource glusterfs:*core.GlusterfsVolumeSource
  hostPath:*core.HostPathVolumeSource image:*core.ImageVolumeSource iscsi:*core.ISCSIVolumeSource
  name:string! nfs:*core.NFSVolumeSource
  persistentVolumeClaim:*core.PersistentVolumeClaimVolumeSource
  photonPersistentDisk:*core.PhotonPersistentDiskVolumeSource
  portworxVolume:*core.PortworxVolumeSource projected:*core.ProjectedVolumeSource
  quobyte:*core.QuobyteVolumeSource rbd:*core.RBDVolumeSource scaleIO:*core.ScaleIOVolumeSource
  secret:*core.SecretVolumeSource storageos:*core.StorageOSVolumeSource
  vsphereVolume:*core.VsphereVirtualDiskVolumeSource
core.VolumeDevice devicePath:string! name:string!
core.VolumeMount mountPath:string! mountPropagation:*string@v1.MountPropagationMode name:string!
  readOnly:bool recursiveReadOnly:*string@v1.RecursiveReadOnlyMode subPath:string
  subPathExpr:string
core.VolumeMountStatus mountPath:string! name:string! readOnly:bool
  recursiveReadOnly:*string@v1.RecursiveReadOnlyMode volumeStatus:*core.VolumeStatus
core.VolumeNodeAffinity required:*core.NodeSelector
core.VolumeProjection clusterTrustBundle:*core.ClusterTrustBundleProjection
  configMap:*core.ConfigMapProjection downwardAPI:*core.DownwardAPIProjection
  podCertificate:*core.PodCertificateProjection secret:*core.SecretProjection
  serviceAccountToken:*core.ServiceAccountTokenProjection
core.VolumeResourceRequirements limits:{}quantity@v1.ResourceList
  requests:{}quantity@v1.ResourceList
core.VolumeStatus image:*core.ImageVolumeStatus
core.VsphereVirtualDiskVolumeSource fsType:string storagePolicyID:string storagePolicyName:string
  volumePath:string!
core.WeightedPodAffinityTerm podAffinityTerm:core.PodAffinityTerm! weight:int32!
core.WindowsSecurityContextOptions gmsaCredentialSpec:*string gmsaCredentialSpecName:*string
  hostProcess:*bool runAsUserName:*string
discovery.Endpoint addresses:[]string! conditions:discovery.EndpointConditions
  deprecatedTopology:{}string hints:*discovery.EndpointHints hostname:*string nodeName:*string
  targetRef:*core.ObjectReference zone:*string
discovery.EndpointConditions ready:*bool serving:*bool terminating:*bool
discovery.EndpointHints forNodes:[]discovery.ForNode forZones:[]discovery.ForZone
discovery.EndpointPort appProtocol:*string name:*string port:*int32 protocol:*string@v1.Protocol
discovery.EndpointSlice addressType:string@v1.AddressType! apiVersion:string
  endpoints:[]discovery.Endpoint! kind:string metadata:meta.ObjectMeta
  ports:[]discovery.EndpointPort!
discovery.ForNode name:string!
discovery.ForZone name:string!
events.Event action:string apiVersion:string deprecatedCount:int32 deprecatedFirstTimestamp:time
  deprecatedLastTimestamp:time deprecatedSource:core.EventSource eventTime:microtime! kind:string
  metadata:meta.ObjectMeta! note:string reason:string regarding:core.ObjectReference
  related:*core.ObjectReference reportingController:string reportingInstance:string
  series:*events.EventSeries type:string
events.EventSeries count:int32! lastObservedTime:microtime!
meta.Condition lastTransitionTime:time! message:string! observedGeneration:int64 reason:string!
  status:string@v1.ConditionStatus! type:string!
meta.DeleteOptions apiVersion:string dryRun:[]string gracePeriodSeconds:*int64
  ignoreStoreReadErrorWithClusterBreakingPotential:*bool kind:string orphanDependents:*bool
  preconditions:*meta.Preconditions propagationPolicy:*string@v1.DeletionPropagation
meta.LabelSelector matchExpressions:[]meta.LabelSelectorRequirement matchLabels:{}string
meta.LabelSelectorRequirement key:string! operator:string@v1.LabelSelectorOperator!
  values:[]string
meta.ManagedFieldsEntry apiVersion:string fieldsType:string fieldsV1:*any manager:string
  operation:string@v1.ManagedFieldsOperationType subresource:string time:*time
meta.ObjectMeta annotations:{}string creationTimestamp:time~ deletionGracePeriodSeconds:*int64
  deletionTimestamp:*time finalizers:[]string+ generateName:string generation:int64
  labels:{}string managedFields:[]meta.ManagedFieldsEntry name:string namespace:string
  ownerReferences:[]meta.OwnerReference+uid resourceVersion:string selfLink:string
  uid:string@types.UID
meta.OwnerReference apiVersion:string! blockOwnerDeletion:*bool controller:*bool kind:string!
  name:string! uid:string@types.UID!
meta.Preconditions resourceVersion:*string uid:*string@types.UID
networking.IPBlock cidr:string! except:[]string
networking.NetworkPolicy apiVersion:string kind:string metadata:meta.ObjectMeta
  spec:networking.NetworkPolicySpec
networking.NetworkPolicyEgressRule ports:[]networking.NetworkPolicyPort
  to:[]networking.NetworkPolicyPeer
networking.NetworkPolicyIngressRule from:[]networking.NetworkPolicyPeer
  ports:[]networking.NetworkPolicyPort
networking.NetworkPolicyPeer ipBlock:*networking.IPBlock namespaceSelector:*meta.LabelSelector
  podSelector:*meta.LabelSelector
networking.NetworkPolicyPort endPort:*int32 port:*intorstring protocol:*string@v1.Protocol
networking.NetworkPolicySpec egress:[]networking.NetworkPolicyEgressRule
  ingress:[]networking.NetworkPolicyIngressRule podSelector:meta.LabelSelector!
  policyTypes:[]string@v1.PolicyType
policy.Eviction apiVersion:string deleteOptions:*meta.DeleteOptions kind:string
  metadata:meta.ObjectMeta
policy.PodDisruptionBudget apiVersion:string kind:string metadata:meta.ObjectMeta
  spec:policy.PodDisruptionBudgetSpec status:policy.PodDisruptionBudgetStatus
policy.PodDisruptionBudgetSpec maxUnavailable:*intorstring minAvailable:*intorstring
  selector:*meta.LabelSelector
  unhealthyPodEvictionPolicy:*string@v1.UnhealthyPodEvictionPolicyType
policy.PodDisruptionBudgetStatus conditions:[]meta.Condition+type currentHealthy:int32!
  desiredHealthy:int32! disruptedPods:{}time disruptionsAllowed:int32! expectedPods:int32!
  observedGeneration:int64
rbac.AggregationRule clusterRoleSelectors:[]meta.LabelSelector
rbac.ClusterRole aggregationRule:*rbac.AggregationRule apiVersion:string kind:string
  metadata:meta.ObjectMeta rules:[]rbac.PolicyRule!
rbac.ClusterRoleBinding apiVersion:string kind:string metadata:meta.ObjectMeta
  roleRef:rbac.RoleRef! subjects:[]rbac.Subject
rbac.PolicyRule apiGroups:[]string nonResourceURLs:[]string resourceNames:[]string
  resources:[]string verbs:[]string!
rbac.Role apiVersion:string kind:string metadata:meta.ObjectMeta rules:[]rbac.PolicyRule!
rbac.RoleBinding apiVersion:string kind:string metadata:meta.ObjectMeta roleRef:rbac.RoleRef!
  subjects:[]rbac.Subject
rbac.RoleRef apiGroup:string! kind:string! name:string!
rbac.Subject apiGroup:string kind:string! name:string! namespace:string
scheduling.PriorityClass apiVersion:string description:string globalDefault:bool kind:string
  metadata:meta.ObjectMeta preemptionPolicy:*string@v1.PreemptionPolicy value:int32!
storage.CSIDriver apiVersion:string kind:string metadata:meta.ObjectMeta
  spec:storage.CSIDriverSpec!
storage.CSIDriverSpec attachRequired:*bool fsGroupPolicy:*string@v1.FSGroupPolicy
  nodeAllocatableUpdatePeriodSeconds:*int64 podInfoOnMount:*bool
  preventPodSchedulingIfMissing:*bool requiresRepublish:*bool seLinuxMount:*bool
  serviceAccountTokenInSecrets:*bool storageCapacity:*bool tokenRequests:[]storage.TokenRequest
  volumeLifecycleModes:[]string@v1.VolumeLifecycleMode
storage.CSINode apiVersion:string kind:string metadata:meta.ObjectMeta spec:storage.CSINodeSpec!
storage.CSINodeDriver allocatable:*storage.VolumeNodeResources name:string! nodeID:string!
  topologyKeys:[]string!
storage.CSINodeSpec drivers:[]storage.CSINodeDriver!+name
storage.CSIStorageCapacity apiVersion:string capacity:*quantity kind:string
  maximumVolumeSize:*quantity metadata:meta.ObjectMeta nodeTopology:*meta.LabelSelector
  storageClassName:string!
storage.StorageClass allowVolumeExpansion:*bool allowedTopologies:[]core.TopologySelectorTerm
  apiVersion:string kind:string metadata:meta.ObjectMeta mountOptions:[]string parameters:{}string
  provisioner:string! reclaimPolicy:*string@v1.PersistentVolumeReclaimPolicy
  volumeBindingMode:*string@v1.VolumeBindingMode
storage.TokenRequest audience:string! expirationSeconds:*int64
storage.VolumeAttachment apiVersion:string kind:string metadata:meta.ObjectMeta
  spec:storage.VolumeAttachmentSpec! status:storage.VolumeAttachmentStatus
storage.VolumeAttachmentSource inlineVolumeSpec:*core.PersistentVolumeSpec
  persistentVolumeName:*string
storage.VolumeAttachmentSpec attacher:string! nodeName:string!
  source:storage.VolumeAttachmentSource!
storage.VolumeAttachmentStatus attachError:*storage.VolumeError attached:bool!
  attachmentMetadata:{}string detachError:*storage.VolumeError
storage.VolumeError errorCode:*int32 message:string time:time
storage.VolumeNodeResources count:*int32
)types";

}  // namespace

const TypeSchema* FindBuiltinType(std::string_view id) {
  static const TypeTable* const table = [] {
    Result<TypeTable> parsed = TypeTable::Parse(kBuiltinTypes);
    BASALT_CHECK(parsed.has_value());
    return new TypeTable(std::move(*parsed));
  }();
  return table->Find(id);
}

}  // namespace basalt::apiserver
