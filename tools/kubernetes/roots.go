package main

import (
	admissionregistration "k8s.io/api/admissionregistration/v1"
	apps "k8s.io/api/apps/v1"
	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	events "k8s.io/api/events/v1"
	networking "k8s.io/api/networking/v1"
	node "k8s.io/api/node/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// What the server reads: the kinds that it stores, and bodies of other types. Types that these use
// come along.
var roots = []any{
	admissionregistration.MutatingWebhookConfiguration{},
	admissionregistration.ValidatingWebhookConfiguration{},
	apiextensions.CustomResourceDefinition{},
	apps.ControllerRevision{},
	apps.DaemonSet{},
	apps.Deployment{},
	apps.ReplicaSet{},
	apps.StatefulSet{},
	authentication.SelfSubjectReview{},
	authentication.TokenRequest{},
	authentication.TokenReview{},
	authorization.LocalSubjectAccessReview{},
	authorization.SelfSubjectAccessReview{},
	authorization.SelfSubjectRulesReview{},
	authorization.SubjectAccessReview{},
	autoscaling.Scale{},
	autoscalingv2.HorizontalPodAutoscaler{},
	batch.CronJob{},
	batch.Job{},
	coordination.Lease{},
	core.Binding{},
	core.ConfigMap{},
	core.Endpoints{},
	core.Event{},
	core.LimitRange{},
	core.Namespace{},
	core.Node{},
	core.PersistentVolume{},
	core.PersistentVolumeClaim{},
	core.Pod{},
	core.PodTemplate{},
	core.ReplicationController{},
	core.ResourceQuota{},
	core.Secret{},
	core.Service{},
	core.ServiceAccount{},
	discovery.EndpointSlice{},
	events.Event{},
	meta.DeleteOptions{},
	meta.ListMeta{},
	meta.Status{},
	networking.Ingress{},
	networking.IngressClass{},
	networking.NetworkPolicy{},
	node.RuntimeClass{},
	policy.Eviction{},
	policy.PodDisruptionBudget{},
	rbac.ClusterRole{},
	rbac.ClusterRoleBinding{},
	rbac.Role{},
	rbac.RoleBinding{},
	scheduling.PriorityClass{},
	storage.CSIDriver{},
	storage.CSINode{},
	storage.CSIStorageCapacity{},
	storage.StorageClass{},
	storage.VolumeAttachment{},
}
