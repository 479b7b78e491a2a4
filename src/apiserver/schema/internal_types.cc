#include "apiserver/schema/internal_types.h"

namespace basalt::apiserver {

// One type a line: NAME=wire:TYPE, the wire name left out where it is the name with a small first
// letter. TYPE is string, bool, int, any (as on the wire) or another line's type, behind *
// (pointer),
// [] (list) or {} (map); a ? at the end means that Go leaves the field out when it is empty.
std::string_view InternalTypes() {
  return R"types(
OwnerReference apiVersion=:string kind=:string name=:string uid=:string controller=:*bool?
  blockOwnerDeletion=:*bool?
ManagedFieldsEntry manager=:string? operation=:string? apiVersion=:string? time=:*any?
  fieldsType=:string? fieldsV1=:*any? subresource=:string?
HostPathVolumeSource Path=:string Type=:*string
EmptyDirVolumeSource Medium=:string SizeLimit=:*any
GCEPersistentDiskVolumeSource PDName=pdName:string FSType=fsType:string Partition=:int
  ReadOnly=:bool
AWSElasticBlockStoreVolumeSource VolumeID=:string FSType=fsType:string Partition=:int
  ReadOnly=:bool
GitRepoVolumeSource Repository=:string Revision=:string Directory=:string
KeyToPath Key=:string Path=:string Mode=:*int
SecretVolumeSource SecretName=:string Items=:[]KeyToPath DefaultMode=:*int Optional=:*bool
NFSVolumeSource Server=:string Path=:string ReadOnly=:bool
LocalObjectReference Name=:string
ISCSIVolumeSource TargetPortal=:string IQN=iqn:string Lun=:int
  ISCSIInterface=iscsiInterface:string FSType=fsType:string ReadOnly=:bool Portals=:[]string
  DiscoveryCHAPAuth=chapAuthDiscovery:bool SessionCHAPAuth=chapAuthSession:bool
  SecretRef=:*LocalObjectReference InitiatorName=:*string
GlusterfsVolumeSource EndpointsName=endpoints:string Path=:string ReadOnly=:bool
PersistentVolumeClaimVolumeSource ClaimName=:string ReadOnly=:bool
RBDVolumeSource CephMonitors=monitors:[]string RBDImage=image:string FSType=fsType:string
  RBDPool=pool:string RadosUser=user:string Keyring=:string SecretRef=:*LocalObjectReference
  ReadOnly=:bool
QuobyteVolumeSource Registry=:string Volume=:string ReadOnly=:bool User=:string Group=:string
  Tenant=:string
FlexVolumeSource Driver=:string FSType=fsType:string SecretRef=:*LocalObjectReference
  ReadOnly=:bool Options=:{}string
CinderVolumeSource VolumeID=:string FSType=fsType:string ReadOnly=:bool
  SecretRef=:*LocalObjectReference
CephFSVolumeSource Monitors=:[]string Path=:string User=:string SecretFile=:string
  SecretRef=:*LocalObjectReference ReadOnly=:bool
FlockerVolumeSource DatasetName=:string DatasetUUID=:string
ObjectFieldSelector APIVersion=apiVersion:string FieldPath=:string
ResourceFieldSelector ContainerName=:string Resource=:string Divisor=:any
DownwardAPIVolumeFile Path=:string FieldRef=:*ObjectFieldSelector
  ResourceFieldRef=:*ResourceFieldSelector Mode=:*int
DownwardAPIVolumeSource Items=:[]DownwardAPIVolumeFile DefaultMode=:*int
FCVolumeSource TargetWWNs=:[]string Lun=:*int FSType=fsType:string ReadOnly=:bool
  WWIDs=wwids:[]string
AzureFileVolumeSource SecretName=:string ShareName=:string ReadOnly=:bool
ConfigMapVolumeSource Name=:string Items=:[]KeyToPath DefaultMode=:*int Optional=:*bool
VsphereVirtualDiskVolumeSource VolumePath=:string FSType=fsType:string StoragePolicyName=:string
  StoragePolicyID=:string
AzureDiskVolumeSource DiskName=:string DataDiskURI=diskURI:string CachingMode=:*string
  FSType=fsType:*string ReadOnly=:*bool Kind=:*string
PhotonPersistentDiskVolumeSource PdID=:string FSType=fsType:string
SecretProjection Name=:string Items=:[]KeyToPath Optional=:*bool
DownwardAPIProjection Items=:[]DownwardAPIVolumeFile
ConfigMapProjection Name=:string Items=:[]KeyToPath Optional=:*bool
ServiceAccountTokenProjection Audience=:string ExpirationSeconds=:int Path=:string
LabelSelectorRequirement key=:string operator=:string values=:[]string?
LabelSelector matchLabels=:{}string? matchExpressions=:[]LabelSelectorRequirement?
ClusterTrustBundleProjection Name=:*string SignerName=:*string LabelSelector=:*LabelSelector
  Optional=:*bool Path=:string
PodCertificateProjection SignerName=:string KeyType=:string MaxExpirationSeconds=:*int
  CredentialBundlePath=:string KeyPath=:string CertificateChainPath=:string
  UserAnnotations=:{}string
VolumeProjection Secret=:*SecretProjection DownwardAPI=:*DownwardAPIProjection
  ConfigMap=:*ConfigMapProjection ServiceAccountToken=:*ServiceAccountTokenProjection
  ClusterTrustBundle=:*ClusterTrustBundleProjection PodCertificate=:*PodCertificateProjection
ProjectedVolumeSource Sources=:[]VolumeProjection DefaultMode=:*int
PortworxVolumeSource VolumeID=:string FSType=fsType:string ReadOnly=:bool
ScaleIOVolumeSource Gateway=:string System=:string SecretRef=:*LocalObjectReference
  SSLEnabled=sslEnabled:bool ProtectionDomain=:string StoragePool=:string StorageMode=:string
  VolumeName=:string FSType=fsType:string ReadOnly=:bool
StorageOSVolumeSource VolumeName=:string VolumeNamespace=:string FSType=fsType:string
  ReadOnly=:bool SecretRef=:*LocalObjectReference
CSIVolumeSource Driver=:string ReadOnly=:*bool FSType=fsType:*string VolumeAttributes=:{}string
  NodePublishSecretRef=:*LocalObjectReference
VolumeResourceRequirements Limits=:{}any Requests=:{}any
TypedLocalObjectReference APIGroup=apiGroup:*string Kind=:string Name=:string
TypedObjectReference APIGroup=apiGroup:*string Kind=:string Name=:string Namespace=:*string
PersistentVolumeClaimSpec AccessModes=:[]string Selector=:*LabelSelector
  Resources=:VolumeResourceRequirements VolumeName=:string StorageClassName=:*string
  VolumeMode=:*string DataSource=:*TypedLocalObjectReference DataSourceRef=:*TypedObjectReference
  VolumeAttributesClassName=:*string
PersistentVolumeClaimTemplate name=:string? generateName=:string? namespace=:string?
  selfLink=:string? uid=:string? resourceVersion=:string? generation=:int? creationTimestamp=:any?
  deletionTimestamp=:*any? deletionGracePeriodSeconds=:*int? labels=:{}string?
  annotations=:{}string? ownerReferences=:[]OwnerReference? finalizers=:[]string?
  managedFields=:[]ManagedFieldsEntry? Spec=:PersistentVolumeClaimSpec
EphemeralVolumeSource VolumeClaimTemplate=:*PersistentVolumeClaimTemplate
ImageVolumeSource Reference=:string PullPolicy=:string
Volume Name=:string HostPath=:*HostPathVolumeSource EmptyDir=:*EmptyDirVolumeSource
  GCEPersistentDisk=gcePersistentDisk:*GCEPersistentDiskVolumeSource
  AWSElasticBlockStore=awsElasticBlockStore:*AWSElasticBlockStoreVolumeSource
  GitRepo=:*GitRepoVolumeSource Secret=:*SecretVolumeSource NFS=nfs:*NFSVolumeSource
  ISCSI=iscsi:*ISCSIVolumeSource Glusterfs=:*GlusterfsVolumeSource
  PersistentVolumeClaim=:*PersistentVolumeClaimVolumeSource RBD=rbd:*RBDVolumeSource
  Quobyte=:*QuobyteVolumeSource FlexVolume=:*FlexVolumeSource Cinder=:*CinderVolumeSource
  CephFS=cephfs:*CephFSVolumeSource Flocker=:*FlockerVolumeSource
  DownwardAPI=:*DownwardAPIVolumeSource FC=fc:*FCVolumeSource AzureFile=:*AzureFileVolumeSource
  ConfigMap=:*ConfigMapVolumeSource VsphereVolume=:*VsphereVirtualDiskVolumeSource
  AzureDisk=:*AzureDiskVolumeSource PhotonPersistentDisk=:*PhotonPersistentDiskVolumeSource
  Projected=:*ProjectedVolumeSource PortworxVolume=:*PortworxVolumeSource
  ScaleIO=:*ScaleIOVolumeSource StorageOS=storageos:*StorageOSVolumeSource
  CSI=csi:*CSIVolumeSource Ephemeral=:*EphemeralVolumeSource Image=:*ImageVolumeSource
ContainerPort Name=:string HostPort=:int ContainerPort=:int Protocol=:string HostIP=:string
ConfigMapEnvSource Name=:string Optional=:*bool
SecretEnvSource Name=:string Optional=:*bool
EnvFromSource Prefix=:string ConfigMapRef=:*ConfigMapEnvSource SecretRef=:*SecretEnvSource
ConfigMapKeySelector Name=:string Key=:string Optional=:*bool
SecretKeySelector Name=:string Key=:string Optional=:*bool
FileKeySelector VolumeName=:string Path=:string Key=:string Optional=:*bool
EnvVarSource FieldRef=:*ObjectFieldSelector ResourceFieldRef=:*ResourceFieldSelector
  ConfigMapKeyRef=:*ConfigMapKeySelector SecretKeyRef=:*SecretKeySelector
  FileKeyRef=:*FileKeySelector
EnvVar Name=:string Value=:string ValueFrom=:*EnvVarSource
ResourceClaim Name=:string Request=:string
ResourceRequirements Limits=:{}any Requests=:{}any Claims=:[]ResourceClaim
ContainerResizePolicy ResourceName=:string RestartPolicy=:string
ContainerRestartRuleOnExitCodes Operator=:string Values=:[]int
ContainerRestartRule Action=:string ExitCodes=:*ContainerRestartRuleOnExitCodes
VolumeMount Name=:string ReadOnly=:bool RecursiveReadOnly=:*string MountPath=:string
  SubPath=:string MountPropagation=:*string SubPathExpr=:string
VolumeDevice Name=:string DevicePath=:string
ExecAction Command=:[]string
HTTPHeader Name=:string Value=:string
HTTPGetAction Path=:string Port=:any Host=:string Scheme=:string
  HTTPHeaders=httpHeaders:[]HTTPHeader
TCPSocketAction Port=:any Host=:string
GRPCAction Port=:int Service=:*string
Probe Exec=:*ExecAction HTTPGet=httpGet:*HTTPGetAction TCPSocket=tcpSocket:*TCPSocketAction
  GRPC=grpc:*GRPCAction InitialDelaySeconds=:int TimeoutSeconds=:int PeriodSeconds=:int
  SuccessThreshold=:int FailureThreshold=:int TerminationGracePeriodSeconds=:*int
SleepAction Seconds=:int
LifecycleHandler Exec=:*ExecAction HTTPGet=httpGet:*HTTPGetAction
  TCPSocket=tcpSocket:*TCPSocketAction Sleep=:*SleepAction
Lifecycle PostStart=:*LifecycleHandler PreStop=:*LifecycleHandler StopSignal=:*string
Capabilities Add=:[]string Drop=:[]string
SELinuxOptions User=:string Role=:string Type=:string Level=:string
WindowsSecurityContextOptions GMSACredentialSpecName=gmsaCredentialSpecName:*string
  GMSACredentialSpec=gmsaCredentialSpec:*string RunAsUserName=:*string HostProcess=:*bool
SeccompProfile Type=:string LocalhostProfile=:*string
AppArmorProfile Type=:string LocalhostProfile=:*string
SecurityContext Capabilities=:*Capabilities Privileged=:*bool
  SELinuxOptions=seLinuxOptions:*SELinuxOptions WindowsOptions=:*WindowsSecurityContextOptions
  RunAsUser=:*int RunAsGroup=:*int RunAsNonRoot=:*bool ReadOnlyRootFilesystem=:*bool
  AllowPrivilegeEscalation=:*bool ProcMount=:*string SeccompProfile=:*SeccompProfile
  AppArmorProfile=:*AppArmorProfile
Container Name=:string Image=:string Command=:[]string Args=:[]string WorkingDir=:string
  Ports=:[]ContainerPort EnvFrom=:[]EnvFromSource Env=:[]EnvVar Resources=:ResourceRequirements
  ResizePolicy=:[]ContainerResizePolicy RestartPolicy=:*string
  RestartPolicyRules=:[]ContainerRestartRule VolumeMounts=:[]VolumeMount
  VolumeDevices=:[]VolumeDevice LivenessProbe=:*Probe ReadinessProbe=:*Probe StartupProbe=:*Probe
  Lifecycle=:*Lifecycle TerminationMessagePath=:string TerminationMessagePolicy=:string
  ImagePullPolicy=:string SecurityContext=:*SecurityContext Stdin=:bool StdinOnce=:bool
  TTY=tty:bool
EphemeralContainer Name=:string Image=:string Command=:[]string Args=:[]string WorkingDir=:string
  Ports=:[]ContainerPort EnvFrom=:[]EnvFromSource Env=:[]EnvVar Resources=:ResourceRequirements
  ResizePolicy=:[]ContainerResizePolicy RestartPolicy=:*string
  RestartPolicyRules=:[]ContainerRestartRule VolumeMounts=:[]VolumeMount
  VolumeDevices=:[]VolumeDevice LivenessProbe=:*Probe ReadinessProbe=:*Probe StartupProbe=:*Probe
  Lifecycle=:*Lifecycle TerminationMessagePath=:string TerminationMessagePolicy=:string
  ImagePullPolicy=:string SecurityContext=:*SecurityContext Stdin=:bool StdinOnce=:bool
  TTY=tty:bool TargetContainerName=:string
Sysctl Name=:string Value=:string
PodSecurityContext HostNetwork=:bool HostPID=:bool HostIPC=:bool ShareProcessNamespace=:*bool
  HostUsers=:*bool SELinuxOptions=seLinuxOptions:*SELinuxOptions
  WindowsOptions=:*WindowsSecurityContextOptions RunAsUser=:*int RunAsGroup=:*int
  RunAsNonRoot=:*bool SupplementalGroups=:[]int SupplementalGroupsPolicy=:*string
  FSGroup=fsGroup:*int FSGroupChangePolicy=fsGroupChangePolicy:*string Sysctls=:[]Sysctl
  SeccompProfile=:*SeccompProfile AppArmorProfile=:*AppArmorProfile
  SELinuxChangePolicy=seLinuxChangePolicy:*string
NodeSelectorRequirement Key=:string Operator=:string Values=:[]string
NodeSelectorTerm MatchExpressions=:[]NodeSelectorRequirement
  MatchFields=:[]NodeSelectorRequirement
NodeSelector NodeSelectorTerms=:[]NodeSelectorTerm
PreferredSchedulingTerm Weight=:int Preference=:NodeSelectorTerm
NodeAffinity RequiredDuringSchedulingIgnoredDuringExecution=:*NodeSelector
  PreferredDuringSchedulingIgnoredDuringExecution=:[]PreferredSchedulingTerm
PodAffinityTerm LabelSelector=:*LabelSelector Namespaces=:[]string TopologyKey=:string
  NamespaceSelector=:*LabelSelector MatchLabelKeys=:[]string MismatchLabelKeys=:[]string
WeightedPodAffinityTerm Weight=:int PodAffinityTerm=:PodAffinityTerm
PodAffinity RequiredDuringSchedulingIgnoredDuringExecution=:[]PodAffinityTerm
  PreferredDuringSchedulingIgnoredDuringExecution=:[]WeightedPodAffinityTerm
PodAntiAffinity RequiredDuringSchedulingIgnoredDuringExecution=:[]PodAffinityTerm
  PreferredDuringSchedulingIgnoredDuringExecution=:[]WeightedPodAffinityTerm
Affinity NodeAffinity=:*NodeAffinity PodAffinity=:*PodAffinity PodAntiAffinity=:*PodAntiAffinity
Toleration Key=:string Operator=:string Value=:string Effect=:string TolerationSeconds=:*int
HostAlias IP=ip:string Hostnames=:[]string
PodDNSConfigOption Name=:string Value=:*string
PodDNSConfig Nameservers=:[]string Searches=:[]string Options=:[]PodDNSConfigOption
PodReadinessGate ConditionType=:string
TopologySpreadConstraint MaxSkew=:int TopologyKey=:string WhenUnsatisfiable=:string
  LabelSelector=:*LabelSelector MinDomains=:*int NodeAffinityPolicy=:*string
  NodeTaintsPolicy=:*string MatchLabelKeys=:[]string
PodOS Name=:string
PodSchedulingGate Name=:string
PodResourceClaim Name=:string ResourceClaimName=:*string ResourceClaimTemplateName=:*string
PodSchedulingGroup PodGroupName=:*string
PodSpec Volumes=:[]Volume InitContainers=:[]Container Containers=:[]Container
  EphemeralContainers=:[]EphemeralContainer RestartPolicy=:string
  TerminationGracePeriodSeconds=:*int ActiveDeadlineSeconds=:*int DNSPolicy=dnsPolicy:string
  NodeSelector=:{}string ServiceAccountName=:string AutomountServiceAccountToken=:*bool
  NodeName=:string SecurityContext=:*PodSecurityContext ImagePullSecrets=:[]LocalObjectReference
  Hostname=:string Subdomain=:string SetHostnameAsFQDN=:*bool Affinity=:*Affinity
  SchedulerName=:string Tolerations=:[]Toleration HostAliases=:[]HostAlias
  PriorityClassName=:string Priority=:*int PreemptionPolicy=:*string
  DNSConfig=dnsConfig:*PodDNSConfig ReadinessGates=:[]PodReadinessGate RuntimeClassName=:*string
  Overhead=:{}any EnableServiceLinks=:*bool TopologySpreadConstraints=:[]TopologySpreadConstraint
  OS=os:*PodOS SchedulingGates=:[]PodSchedulingGate ResourceClaims=:[]PodResourceClaim
  Resources=:*ResourceRequirements HostnameOverride=:*string SchedulingGroup=:*PodSchedulingGroup
PodTemplateSpec name=:string? generateName=:string? namespace=:string? selfLink=:string?
  uid=:string? resourceVersion=:string? generation=:int? creationTimestamp=:any?
  deletionTimestamp=:*any? deletionGracePeriodSeconds=:*int? labels=:{}string?
  annotations=:{}string? ownerReferences=:[]OwnerReference? finalizers=:[]string?
  managedFields=:[]ManagedFieldsEntry? Spec=:PodSpec
GlusterfsPersistentVolumeSource EndpointsName=endpoints:string Path=:string ReadOnly=:bool
  EndpointsNamespace=:*string
SecretReference Name=:string Namespace=:string
RBDPersistentVolumeSource CephMonitors=monitors:[]string RBDImage=image:string
  FSType=fsType:string RBDPool=pool:string RadosUser=user:string Keyring=:string
  SecretRef=:*SecretReference ReadOnly=:bool
ISCSIPersistentVolumeSource TargetPortal=:string IQN=iqn:string Lun=:int
  ISCSIInterface=iscsiInterface:string FSType=fsType:string ReadOnly=:bool Portals=:[]string
  DiscoveryCHAPAuth=chapAuthDiscovery:bool SessionCHAPAuth=chapAuthSession:bool
  SecretRef=:*SecretReference InitiatorName=:*string
FlexPersistentVolumeSource Driver=:string FSType=fsType:string SecretRef=:*SecretReference
  ReadOnly=:bool Options=:{}string
CinderPersistentVolumeSource VolumeID=:string FSType=fsType:string ReadOnly=:bool
  SecretRef=:*SecretReference
CephFSPersistentVolumeSource Monitors=:[]string Path=:string User=:string SecretFile=:string
  SecretRef=:*SecretReference ReadOnly=:bool
AzureFilePersistentVolumeSource SecretName=:string ShareName=:string ReadOnly=:bool
  SecretNamespace=:*string
ScaleIOPersistentVolumeSource Gateway=:string System=:string SecretRef=:*SecretReference
  SSLEnabled=sslEnabled:bool ProtectionDomain=:string StoragePool=:string StorageMode=:string
  VolumeName=:string FSType=fsType:string ReadOnly=:bool
LocalVolumeSource Path=:string FSType=fsType:*string
ObjectReference Kind=:string Namespace=:string Name=:string UID=uid:string
  APIVersion=apiVersion:string ResourceVersion=:string FieldPath=:string
StorageOSPersistentVolumeSource VolumeName=:string VolumeNamespace=:string FSType=fsType:string
  ReadOnly=:bool SecretRef=:*ObjectReference
CSIPersistentVolumeSource Driver=:string VolumeHandle=:string ReadOnly=:bool FSType=fsType:string
  VolumeAttributes=:{}string ControllerPublishSecretRef=:*SecretReference
  NodeStageSecretRef=:*SecretReference NodePublishSecretRef=:*SecretReference
  ControllerExpandSecretRef=:*SecretReference NodeExpandSecretRef=:*SecretReference
PersistentVolumeSource GCEPersistentDisk=gcePersistentDisk:*GCEPersistentDiskVolumeSource
  AWSElasticBlockStore=awsElasticBlockStore:*AWSElasticBlockStoreVolumeSource
  HostPath=:*HostPathVolumeSource Glusterfs=:*GlusterfsPersistentVolumeSource
  NFS=nfs:*NFSVolumeSource RBD=rbd:*RBDPersistentVolumeSource Quobyte=:*QuobyteVolumeSource
  ISCSI=iscsi:*ISCSIPersistentVolumeSource FlexVolume=:*FlexPersistentVolumeSource
  Cinder=:*CinderPersistentVolumeSource CephFS=cephfs:*CephFSPersistentVolumeSource
  FC=fc:*FCVolumeSource Flocker=:*FlockerVolumeSource AzureFile=:*AzureFilePersistentVolumeSource
  VsphereVolume=:*VsphereVirtualDiskVolumeSource AzureDisk=:*AzureDiskVolumeSource
  PhotonPersistentDisk=:*PhotonPersistentDiskVolumeSource PortworxVolume=:*PortworxVolumeSource
  ScaleIO=:*ScaleIOPersistentVolumeSource Local=:*LocalVolumeSource
  StorageOS=storageos:*StorageOSPersistentVolumeSource CSI=csi:*CSIPersistentVolumeSource
PodDisruptionBudgetSpec MinAvailable=:*any Selector=:*LabelSelector MaxUnavailable=:*any
  UnhealthyPodEvictionPolicy=:*string
RollingUpdateDeployment MaxUnavailable=:any MaxSurge=:any
DeploymentStrategy Type=:string RollingUpdate=:*RollingUpdateDeployment
RollingUpdateStatefulSetStrategy Partition=:int MaxUnavailable=:*any
StatefulSetUpdateStrategy Type=:string RollingUpdate=:*RollingUpdateStatefulSetStrategy
RollingUpdateDaemonSet MaxUnavailable=:any MaxSurge=:any
DaemonSetUpdateStrategy Type=:string RollingUpdate=:*RollingUpdateDaemonSet
Taint Key=:string Value=:string Effect=:string TimeAdded=:*any
SuccessPolicyRule SucceededIndexes=:*string SucceededCount=:*int
SuccessPolicy Rules=:[]SuccessPolicyRule
)types";
}

}  // namespace basalt::apiserver
