// client-go's informers against the cluster that $KUBECONFIG names: pods and nodes through the shared
// informer factory, a custom kind through the dynamic one. Objects are created, changed and deleted
// while the informers follow; at the end each store must equal a fresh list.
package main

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

const patience = 30 * time.Second

// A world is what the tests share: clients, and a namespace of their own.
type world struct {
	ctx       context.Context
	typed     *kubernetes.Clientset
	dynamic   *dynamic.DynamicClient
	namespace string
}

// Counter follows one informer's events.
type counter struct {
	sync.Mutex
	added, updated, deleted int
}

func (c *counter) handlers() cache.ResourceEventHandler {
	count := func(field *int) {
		c.Lock()
		defer c.Unlock()
		*field++
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { count(&c.added) },
		UpdateFunc: func(_, _ any) { count(&c.updated) },
		DeleteFunc: func(any) { count(&c.deleted) },
	}
}

func (c *counter) snapshot() (added, updated, deleted int) {
	c.Lock()
	defer c.Unlock()
	return c.added, c.updated, c.deleted
}

// versions maps each object to its resourceVersion: equal maps mean equal content.
func versions(objects []metav1.Object) map[string]string {
	found := map[string]string{}
	for _, object := range objects {
		found[object.GetNamespace()+"/"+object.GetName()] = object.GetResourceVersion()
	}
	return found
}

func stored(store cache.Store) []metav1.Object {
	var objects []metav1.Object
	for _, item := range store.List() {
		objects = append(objects, item.(metav1.Object))
	}
	return objects
}

// eventually waits for a condition, and fails with what it last said.
func eventually(what string, condition func() error) error {
	var last error
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if last = condition(); last == nil {
			return nil
		}
	}
	return fmt.Errorf("%s: %w", what, last)
}

func storeEqualsList(store cache.Store, list func() ([]metav1.Object, error)) error {
	return eventually("store equals a fresh list", func() error {
		fresh, err := list()
		if err != nil {
			return err
		}
		if want, got := versions(fresh), versions(stored(store)); !reflect.DeepEqual(want, got) {
			return fmt.Errorf("listed %v, stored %v", want, got)
		}
		return nil
	})
}

func connect() (*world, error) {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = 200, 400
	// Servers tell clients off through warnings; none is expected here.
	config.WarningHandler = rest.NewWarningWriter(os.Stderr, rest.WarningWriterOptions{})
	typed, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	untyped, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return &world{ctx: context.Background(), typed: typed, dynamic: untyped,
		namespace: fmt.Sprintf("client-go-%d", os.Getpid())}, nil
}

func main() {
	w, err := connect()
	if err == nil {
		err = w.makeNamespace()
	}
	if err != nil {
		fmt.Printf("FAILED   connect: %v\n0 passed, 1 failed\n", err)
		os.Exit(1)
	}
	passed, failed := 0, 0
	for _, test := range []struct {
		name string
		run  func() error
	}{
		{"an informer of pods follows creates, updates and deletes", w.podsAreFollowed},
		{"an informer of nodes equals a list", w.nodesAreFollowed},
		{"a dynamic informer follows a custom kind", w.customKindIsFollowed},
		{"a lister with an index finds pods by node", w.podsAreIndexed},
		{"a conflict is typed and can be retried", w.conflictsAreTyped},
		{"a lease elects one leader", w.leaseElectsOneLeader},
		{"apply configurations are applied, conflict and are extracted", w.applyConfigurationsWork},
		{"what a terminal client discovers is answered", w.discoveryIsAnswered},
	} {
		start := time.Now()
		if err := test.run(); err != nil {
			failed++
			fmt.Printf("FAILED   %s\n         %v\n", test.name, err)
			continue
		}
		passed++
		fmt.Printf("ok       %s  %.1f s\n", test.name, time.Since(start).Seconds())
	}
	w.removeNamespace()
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}
