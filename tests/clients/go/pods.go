package main

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"
)

func (w *world) makeNamespace() error {
	made := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}}
	_, err := w.typed.CoreV1().Namespaces().Create(w.ctx, made, metav1.CreateOptions{})
	return err
}

func (w *world) removeNamespace() {
	if err := w.typed.CoreV1().Namespaces().Delete(w.ctx, w.namespace, metav1.DeleteOptions{}); err != nil {
		fmt.Println("the namespace stays:", err)
	}
}

func newPod(name, node string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "test"}},
		Spec: corev1.PodSpec{
			NodeName:   node,
			Containers: []corev1.Container{{Name: "main", Image: "registry.example/app:1"}},
		},
	}
}

// createPod retries while a real cluster has not made the namespace's service account yet.
func (w *world) createPod(pod *corev1.Pod) error {
	return eventually("create "+pod.Name, func() error {
		_, err := w.typed.CoreV1().Pods(w.namespace).Create(w.ctx, pod, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			return nil
		}
		return err
	})
}

func (w *world) listPods() ([]metav1.Object, error) {
	list, err := w.typed.CoreV1().Pods(w.namespace).List(w.ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	var objects []metav1.Object
	for i := range list.Items {
		objects = append(objects, &list.Items[i])
	}
	return objects, nil
}

// start runs a factory until stop is closed, and waits until its stores are filled.
func start(factory informers.SharedInformerFactory, stop chan struct{}) error {
	factory.Start(stop)
	for kind, synced := range factory.WaitForCacheSync(stop) {
		if !synced {
			return fmt.Errorf("%v never synced", kind)
		}
	}
	return nil
}

func (w *world) podsAreFollowed() error {
	stop := make(chan struct{})
	defer close(stop)
	factory := informers.NewSharedInformerFactoryWithOptions(w.typed, 0, informers.WithNamespace(w.namespace))
	informer := factory.Core().V1().Pods().Informer()
	var seen counter
	if _, err := informer.AddEventHandler(seen.handlers()); err != nil {
		return err
	}
	for n := range 5 { // some before the informer starts, some after
		if err := w.createPod(newPod(fmt.Sprintf("early-%d", n), "")); err != nil {
			return err
		}
	}
	if err := start(factory, stop); err != nil {
		return err
	}
	for n := range 20 {
		if err := w.createPod(newPod(fmt.Sprintf("late-%d", n), "")); err != nil {
			return err
		}
	}
	pods := w.typed.CoreV1().Pods(w.namespace)
	for n := range 10 {
		patch := fmt.Appendf(nil, `{"metadata":{"labels":{"n":"%d"}}}`, n)
		if _, err := pods.Patch(w.ctx, fmt.Sprintf("late-%d", n), types.StrategicMergePatchType, patch,
			metav1.PatchOptions{}); err != nil {
			return err
		}
	}
	for n := range 5 {
		if err := pods.Delete(w.ctx, fmt.Sprintf("late-%d", n+15), metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	if err := storeEqualsList(informer.GetStore(), w.listPods); err != nil {
		return err
	}
	if err := eventually("every event is seen", func() error {
		if added, updated, deleted := seen.snapshot(); added != 25 || updated < 10 || deleted != 5 {
			return fmt.Errorf("%d added, %d updated, %d deleted", added, updated, deleted)
		}
		return nil
	}); err != nil {
		return err
	}
	if err := pods.DeleteCollection(w.ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "app=test"}); err != nil {
		return err
	}
	return eventually("the store is empty", func() error {
		if left := informer.GetStore().ListKeys(); len(left) > 0 {
			return fmt.Errorf("%v", left)
		}
		return nil
	})
}

func (w *world) nodesAreFollowed() error {
	stop := make(chan struct{})
	defer close(stop)
	factory := informers.NewSharedInformerFactory(w.typed, 0)
	informer := factory.Core().V1().Nodes().Informer()
	if err := start(factory, stop); err != nil {
		return err
	}
	if len(informer.GetStore().List()) == 0 {
		return errors.New("there are no nodes")
	}
	name := w.namespace + "-node"
	nodes := w.typed.CoreV1().Nodes()
	if _, err := nodes.Create(w.ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{}); err != nil {
		return err
	}
	// Simulated kubelets write to nodes all the time, so compare names.
	sameNames := func(want bool) func() error {
		return func() error {
			_, found, err := informer.GetStore().GetByKey(name)
			if err == nil && found != want {
				err = fmt.Errorf("%s in the store: %v", name, found)
			}
			return err
		}
	}
	if err := eventually("the new node is seen", sameNames(true)); err != nil {
		return err
	}
	if err := nodes.Delete(w.ctx, name, metav1.DeleteOptions{}); err != nil {
		return err
	}
	return eventually("the node is gone", sameNames(false))
}

func (w *world) podsAreIndexed() error {
	stop := make(chan struct{})
	defer close(stop)
	factory := informers.NewSharedInformerFactoryWithOptions(w.typed, 0, informers.WithNamespace(w.namespace),
		informers.WithTweakListOptions(func(o *metav1.ListOptions) { o.FieldSelector = "spec.nodeName!=" }))
	informer := factory.Core().V1().Pods().Informer()
	if err := informer.AddIndexers(cache.Indexers{"node": func(object any) ([]string, error) {
		return []string{object.(*corev1.Pod).Spec.NodeName}, nil
	}}); err != nil {
		return err
	}
	if err := start(factory, stop); err != nil {
		return err
	}
	if err := w.createPod(newPod("unbound", "")); err != nil {
		return err
	}
	if err := w.createPod(newPod("bound", "some-node")); err != nil {
		return err
	}
	return eventually("the index has the bound pod alone", func() error {
		found, err := informer.GetIndexer().ByIndex("node", "some-node")
		if err == nil && (len(found) != 1 || len(informer.GetStore().List()) != 1) {
			err = fmt.Errorf("%d on the node, %v stored", len(found), informer.GetStore().ListKeys())
		}
		return err
	})
}

func (w *world) conflictsAreTyped() error {
	maps := w.typed.CoreV1().ConfigMaps(w.namespace)
	made, err := maps.Create(w.ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "shared"}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	stale := made.DeepCopy()
	made.Data = map[string]string{"by": "first"}
	if _, err := maps.Update(w.ctx, made, metav1.UpdateOptions{}); err != nil {
		return err
	}
	stale.Data = map[string]string{"by": "second"}
	if _, err := maps.Update(w.ctx, stale, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
		return fmt.Errorf("a stale update should conflict: %v", err)
	}
	if _, err := maps.Get(w.ctx, "nope", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		return fmt.Errorf("a missing object should be not found: %v", err)
	}
	if _, err := maps.Create(w.ctx, stale, metav1.CreateOptions{}); err == nil {
		return errors.New("a create with a resourceVersion should be refused")
	}
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		fresh, err := maps.Get(w.ctx, "shared", metav1.GetOptions{})
		if err != nil {
			return err
		}
		fresh.Data["by"] = "second"
		_, err = maps.Update(w.ctx, fresh, metav1.UpdateOptions{})
		return err
	})
}
