// load makes nodes and pods on a real API server, binds pods as fast as it can, and waits until pods
// are bound.
//
//	load nodes -count 1000                          ready nodes
//	load pods -count 5000 [-gang 100] [-ns NAME]    pods that wait, in gangs where -gang is not 0
//	load bind [-ns NAME]                            the bare binder: binds all that wait, round robin
//	load wait -count 5000 [-ns NAME]                says "watching", then when the last one was bound
//	load clear [-ns NAME]                           deletes the pods and groups
//
// $KUBECONFIG names the cluster. Each prints one JSON object.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const groupsPath = "/apis/scheduling.volcano.sh/v1beta1/namespaces/%s/podgroups"

var (
	ctx       = context.Background()
	flags     = flag.NewFlagSet("load", flag.ExitOnError)
	count     = flags.Int("count", 1000, "how many")
	gang      = flags.Int("gang", 0, "pods of a gang; 0: plain pods")
	namespace = flags.String("ns", "default", "namespace")
	scheduler = flags.String("scheduler", "volcano", "schedulerName of the pods")
	workers   = flags.Int("workers", 32, "requests at a time")
	timeout   = flags.Duration("timeout", 15*time.Minute, "wait at most so long")
)

func main() {
	if len(os.Args) < 2 {
		fail(fmt.Errorf("usage: load nodes|pods|bind|wait|clear [flags]"))
	}
	check(flags.Parse(os.Args[2:]))
	start := time.Now()
	result := map[string]any{}
	switch os.Args[1] {
	case "nodes":
		makeNodes()
	case "pods":
		makePods()
	case "bind":
		result["bound"] = bindAll()
	case "wait":
		result["at"] = waitForBinds()
	case "clear":
		clear()
	default:
		fail(fmt.Errorf("unknown command %q", os.Args[1]))
	}
	result["seconds"] = time.Since(start).Seconds()
	text, err := json.Marshal(result)
	check(err)
	fmt.Println(string(text))
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "load:", err)
	os.Exit(1)
}

func check(err error) {
	if err != nil {
		fail(err)
	}
}

func config(protobuf bool) *rest.Config {
	c, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	check(err)
	c.QPS, c.Burst = -1, -1
	c.UserAgent = "load"
	if protobuf {
		c.ContentType = "application/vnd.kubernetes.protobuf"
		c.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	}
	return c
}

func client() *kubernetes.Clientset {
	k, err := kubernetes.NewForConfig(config(true))
	check(err)
	return k
}

// each runs do(0) to do(n-1), several at a time.
func each(n int, do func(i int) error) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range *workers {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				check(do(i))
			}
		})
	}
	group.Wait()
}

func quantities(cpu, memory, pods string) v1.ResourceList {
	list := v1.ResourceList{v1.ResourceCPU: resource.MustParse(cpu), v1.ResourceMemory: resource.MustParse(memory)}
	if pods != "" {
		list[v1.ResourcePods] = resource.MustParse(pods)
	}
	return list
}

func makeNodes() {
	k := client()
	room := quantities("32", "256Gi", "110")
	each(*count, func(i int) error {
		name := fmt.Sprintf("node-%05d", i)
		_, err := k.CoreV1().Nodes().Create(ctx, &v1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{v1.LabelHostname: name}},
			Status: v1.NodeStatus{Capacity: room, Allocatable: room,
				Conditions: []v1.NodeCondition{{Type: v1.NodeReady, Status: v1.ConditionTrue}}}}, metav1.CreateOptions{})
		return err
	})
}

func makePods() {
	k := client()
	groupOf := func(i int) string { return fmt.Sprintf("gang-%05d", i / *gang) }
	if *gang > 0 {
		plain, err := kubernetes.NewForConfig(config(false))
		check(err)
		each((*count+*gang-1) / *gang, func(i int) error {
			body := fmt.Sprintf(`{"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"PodGroup","metadata":{"name":%q},"spec":{"minMember":%d,"queue":"default"}}`,
				groupOf(i**gang), min(*gang, *count-i**gang))
			return plain.CoreV1().RESTClient().Post().AbsPath(fmt.Sprintf(groupsPath, *namespace)).
				SetHeader("Content-Type", "application/json").Body([]byte(body)).Do(ctx).Error()
		})
	}
	var grace int64
	each(*count, func(i int) error {
		pod := &v1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("pod-%06d", i), Labels: map[string]string{"app": "load"}},
			Spec: v1.PodSpec{SchedulerName: *scheduler, TerminationGracePeriodSeconds: &grace, Containers: []v1.Container{{
				Name: "main", Image: "image", Resources: v1.ResourceRequirements{Requests: quantities("1", "1Gi", "")}}}}}
		if *gang > 0 {
			pod.Annotations = map[string]string{"scheduling.k8s.io/group-name": groupOf(i)}
		}
		_, err := k.CoreV1().Pods(*namespace).Create(ctx, pod, metav1.CreateOptions{})
		return err
	})
}

func bindAll() int {
	k := client()
	nodes, err := k.CoreV1().Nodes().List(ctx, metav1.ListOptions{ResourceVersion: "0"})
	check(err)
	pods, err := k.CoreV1().Pods(*namespace).List(ctx, metav1.ListOptions{ResourceVersion: "0", FieldSelector: "spec.nodeName="})
	check(err)
	each(len(pods.Items), func(i int) error {
		pod := &pods.Items[i]
		return k.CoreV1().Pods(pod.Namespace).Bind(ctx, &v1.Binding{
			ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
			Target:     v1.ObjectReference{Kind: "Node", Name: nodes.Items[i%len(nodes.Items)].Name}}, metav1.CreateOptions{})
	})
	return len(pods.Items)
}

// waitForBinds returns when the last pod got its node, in seconds since 1970.
func waitForBinds() float64 {
	k := client()
	bound := metav1.ListOptions{FieldSelector: "spec.nodeName!="}
	pods, err := k.CoreV1().Pods(*namespace).List(ctx, bound)
	check(err)
	seen := map[string]bool{}
	for i := range pods.Items {
		seen[pods.Items[i].Name] = true
	}
	bound.ResourceVersion = pods.ResourceVersion
	end := time.After(*timeout)
	last := time.Now()
	told := false
	for len(seen) < *count {
		watch, err := k.CoreV1().Pods(*namespace).Watch(ctx, bound)
		check(err)
		if !told {
			fmt.Println("watching")
			told = true
		}
		for open := true; open && len(seen) < *count; {
			select {
			case event, more := <-watch.ResultChan():
				pod, ok := event.Object.(*v1.Pod)
				if open = more && ok; !open { // a watcher that is too slow is dropped: go on from there
					break
				}
				bound.ResourceVersion = pod.ResourceVersion
				if !seen[pod.Name] {
					seen[pod.Name] = true
					last = time.Now()
				}
			case <-end:
				fail(fmt.Errorf("%d of %d are bound", len(seen), *count))
			}
		}
		watch.Stop()
	}
	return float64(last.UnixNano()) / 1e9
}

func clear() {
	k := client()
	var now int64
	check(k.CoreV1().Pods(*namespace).DeleteCollection(ctx, metav1.DeleteOptions{GracePeriodSeconds: &now}, metav1.ListOptions{}))
	check(k.CoreV1().RESTClient().Delete().AbsPath(fmt.Sprintf(groupsPath, *namespace)).
		SetHeader("Accept", "application/json").Do(ctx).Error())
	for {
		left, err := k.CoreV1().Pods(*namespace).List(ctx, metav1.ListOptions{Limit: 1})
		check(err)
		if len(left.Items) == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}
