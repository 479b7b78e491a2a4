package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	appsac "k8s.io/client-go/applyconfigurations/apps/v1"
	coreac "k8s.io/client-go/applyconfigurations/core/v1"
	metaac "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/openapi3"
)

func (w *world) deployment(image string) *appsac.DeploymentApplyConfiguration {
	labels := map[string]string{"app": "applied"}
	return appsac.Deployment("applied", w.namespace).WithSpec(appsac.DeploymentSpec().
		WithReplicas(0).
		WithSelector(metaac.LabelSelector().WithMatchLabels(labels)).
		WithTemplate(coreac.PodTemplateSpec().WithLabels(labels).WithSpec(coreac.PodSpec().
			WithContainers(coreac.Container().WithName("main").WithImage(image).
				WithPorts(coreac.ContainerPort().WithContainerPort(80))))))
}

// client-go's apply configurations: created, conflicting, forced, and extracted again.
func (w *world) applyConfigurationsWork() error {
	deployments := w.typed.AppsV1().Deployments(w.namespace)
	mine := metav1.ApplyOptions{FieldManager: "mine"}
	if _, err := deployments.Apply(w.ctx, w.deployment("app:1"), mine); err != nil {
		return err
	}
	_, err := deployments.Apply(w.ctx, w.deployment("app:2"), metav1.ApplyOptions{FieldManager: "yours"})
	if !apierrors.IsConflict(err) || !apierrors.HasStatusCause(err, metav1.CauseTypeFieldManagerConflict) {
		return fmt.Errorf("expected a conflict of field managers, got %v", err)
	}
	applied, err := deployments.Apply(w.ctx, w.deployment("app:2"), metav1.ApplyOptions{FieldManager: "yours", Force: true})
	if err != nil {
		return err
	}
	extracted, err := appsac.ExtractDeployment(applied, "yours")
	if err != nil {
		return err
	}
	if image := *extracted.Spec.Template.Spec.Containers[0].Image; image != "app:2" {
		return fmt.Errorf("extracted the image %s", image)
	}
	left, err := appsac.ExtractDeployment(applied, "mine")
	if err != nil {
		return err
	}
	if containers := left.Spec.Template.Spec.Containers; len(containers) != 1 || containers[0].Image != nil {
		text, _ := json.Marshal(left)
		return fmt.Errorf("what is left to the first: %s", text)
	}
	// A status by its own manager, a condition each.
	pod := coreac.Pod("applied", w.namespace).WithSpec(coreac.PodSpec().WithSchedulerName("nobody").
		WithContainers(coreac.Container().WithName("main").WithImage("app:1")))
	pods := w.typed.CoreV1().Pods(w.namespace)
	if _, err := pods.Apply(w.ctx, pod, mine); err != nil {
		return err
	}
	for _, kind := range []corev1.PodConditionType{"example.com/a", "example.com/b"} {
		status := coreac.Pod("applied", w.namespace).WithStatus(coreac.PodStatus().WithConditions(
			coreac.PodCondition().WithType(kind).WithStatus(corev1.ConditionTrue)))
		if _, err := pods.ApplyStatus(w.ctx, status, metav1.ApplyOptions{FieldManager: string(kind)}); err != nil {
			return err
		}
	}
	got, err := pods.Get(w.ctx, "applied", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if len(got.Status.Conditions) < 2 {
		return fmt.Errorf("conditions of two managers: %v", got.Status.Conditions)
	}
	return nil
}

// What a terminal client like k9s asks before it shows anything: versions, aggregated discovery,
// OpenAPI, permissions, tables.
func (w *world) discoveryIsAnswered() error {
	client := w.typed.Discovery()
	if _, err := client.ServerVersion(); err != nil {
		return err
	}
	groups, lists, err := client.ServerGroupsAndResources()
	if err != nil {
		return err
	}
	if len(groups) < 10 || len(lists) < 10 {
		return fmt.Errorf("%d groups, %d lists", len(groups), len(lists))
	}
	preferred, err := client.ServerPreferredResources()
	if err != nil {
		return err
	}
	listable := discovery.FilteredBy(discovery.SupportsAllVerbs{Verbs: []string{"list", "watch"}}, preferred)
	names := []string{}
	for _, list := range listable {
		for _, found := range list.APIResources {
			names = append(names, found.Name)
		}
	}
	for _, name := range []string{"pods", "deployments", "roles", "clusterrolebindings", "ingresses", "horizontalpodautoscalers", "endpointslices"} {
		if !slices.Contains(names, name) {
			return fmt.Errorf("%s cannot be listed: %v", name, names)
		}
	}
	root := openapi3.NewRoot(client.OpenAPIV3())
	versions, err := root.GroupVersions()
	if err != nil {
		return err
	}
	for _, version := range versions {
		spec, err := root.GVSpec(version)
		if err != nil {
			return fmt.Errorf("OpenAPI of %s: %w", version, err)
		}
		if spec.Components == nil || len(spec.Components.Schemas) == 0 {
			return fmt.Errorf("OpenAPI of %s has no schemas", version)
		}
	}
	if !slices.Contains(versions, schema.GroupVersion{Group: "apps", Version: "v1"}) {
		return fmt.Errorf("no OpenAPI of apps/v1 in %v", versions)
	}
	for _, path := range []string{"/api/v1/pods", "/apis/apps/v1/deployments", "/apis/rbac.authorization.k8s.io/v1/roles", "/apis/networking.k8s.io/v1/ingresses"} {
		var table metav1.Table
		answer, err := w.typed.RESTClient().Get().AbsPath(path).
			SetHeader("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json").
			Param("limit", "500").DoRaw(context.Background())
		if err == nil {
			err = json.Unmarshal(answer, &table)
		}
		if err != nil || table.Kind != "Table" || len(table.ColumnDefinitions) < 2 {
			return fmt.Errorf("the table of %s: %v %v", path, err, table.ColumnDefinitions)
		}
	}
	return nil
}
