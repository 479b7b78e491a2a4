package main

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

type object = map[string]any

var (
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	sprockets   = schema.GroupVersionResource{Group: "go.basalt.example", Version: "v1", Resource: "sprockets"}
)

func sprocketDefinition() *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": object{"name": "sprockets.go.basalt.example"},
		"spec": object{
			"group": "go.basalt.example", "scope": "Namespaced",
			"names": object{"plural": "sprockets", "singular": "sprocket", "kind": "Sprocket", "listKind": "SprocketList"},
			"versions": []any{object{
				"name": "v1", "served": true, "storage": true,
				"schema": object{"openAPIV3Schema": object{
					"type": "object",
					"properties": object{"spec": object{"type": "object", "properties": object{
						"teeth": object{"type": "integer", "minimum": int64(3)}}}},
				}},
			}},
		},
	}}
}

func sprocket(name string, teeth int64) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: object{
		"apiVersion": "go.basalt.example/v1", "kind": "Sprocket",
		"metadata": object{"name": name}, "spec": object{"teeth": teeth},
	}}
}

func (w *world) customKindIsFollowed() error {
	crds := w.dynamic.Resource(definitions)
	if _, err := crds.Create(w.ctx, sprocketDefinition(), metav1.CreateOptions{}); err != nil {
		return err
	}
	defer crds.Delete(w.ctx, "sprockets.go.basalt.example", metav1.DeleteOptions{})
	items := w.dynamic.Resource(sprockets).Namespace(w.namespace)
	if err := eventually("the kind is served", func() error {
		_, err := items.List(w.ctx, metav1.ListOptions{})
		return err
	}); err != nil {
		return err
	}

	stop := make(chan struct{})
	defer close(stop)
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(w.dynamic, 0, w.namespace, nil)
	informer := factory.ForResource(sprockets).Informer()
	factory.Start(stop)
	factory.WaitForCacheSync(stop)
	for n := range 10 {
		if _, err := items.Create(w.ctx, sprocket(fmt.Sprintf("s%d", n), int64(n+3)), metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	if _, err := items.Create(w.ctx, sprocket("bad", 1), metav1.CreateOptions{}); !apierrors.IsInvalid(err) {
		return fmt.Errorf("two few teeth should be invalid: %v", err)
	}
	changed, err := items.Get(w.ctx, "s1", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if err := unstructured.SetNestedField(changed.Object, int64(99), "spec", "teeth"); err != nil {
		return err
	}
	if _, err := items.Update(w.ctx, changed, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if err := items.Delete(w.ctx, "s2", metav1.DeleteOptions{}); err != nil {
		return err
	}
	if err := storeEqualsList(informer.GetStore(), func() ([]metav1.Object, error) {
		list, err := items.List(w.ctx, metav1.ListOptions{})
		if err != nil {
			return nil, err
		}
		var objects []metav1.Object
		for i := range list.Items {
			objects = append(objects, &list.Items[i])
		}
		return objects, nil
	}); err != nil {
		return err
	}
	if kept := len(informer.GetStore().ListKeys()); kept != 9 {
		return fmt.Errorf("%d sprockets, want 9: %s", kept, strings.Join(informer.GetStore().ListKeys(), " "))
	}
	return nil
}

func (w *world) leaseElectsOneLeader() error {
	var leaders atomic.Int32
	ended := make(chan struct{}, 2)
	elect := func(ctx context.Context, name string) {
		defer func() { ended <- struct{}{} }()
		lock := &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: "leader", Namespace: w.namespace},
			Client:     w.typed.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: name},
		}
		leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
			Lock: lock, ReleaseOnCancel: true,
			LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 200 * time.Millisecond,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(ctx context.Context) {
					leaders.Add(1)
					<-ctx.Done()
				},
				OnStoppedLeading: func() {},
			},
		})
	}
	first, endFirst := context.WithCancel(w.ctx)
	second, endSecond := context.WithCancel(w.ctx)
	defer endFirst()
	defer endSecond()
	go elect(first, "first")
	wait := func(want int32) func() error {
		return func() error {
			if got := leaders.Load(); got != want {
				return fmt.Errorf("%d times elected, want %d", got, want)
			}
			return nil
		}
	}
	if err := eventually("the first leads", wait(1)); err != nil {
		return err
	}
	go elect(second, "second")
	endFirst() // gives the lease back, and the second takes it
	if err := eventually("the second leads", wait(2)); err != nil {
		return err
	}
	endSecond()
	<-ended
	<-ended
	return nil
}
