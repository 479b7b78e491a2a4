package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"syscall"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	vcv1 "volcano.sh/apis/pkg/apis/scheduling/v1beta1"
	"volcano.sh/volcano/pkg/scheduler/api"
	"volcano.sh/volcano/pkg/scheduler/util"
)

type benchOptions struct {
	kind              string
	nodes, pods, gang int
	conf              string
}

// bench makes the objects that bench/core.cc makes, and measures one cycle over them and one without
// news.
func bench(arguments []string) {
	var o benchOptions
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	flags.StringVar(&o.kind, "case", "like", "like, distinct or idle")
	flags.IntVar(&o.nodes, "nodes", 1000, "nodes")
	flags.IntVar(&o.pods, "pods", 1000, "pods")
	flags.IntVar(&o.gang, "gang", 100, "pods of a gang")
	flags.StringVar(&o.conf, "conf", "", "the scheduler's configuration")
	must(flags.Parse(arguments))
	p := load(readFile(o.conf))
	r := newRunner()
	r.cache.AddPriorityClass(util.BuildPriorityClass("low", 1))
	r.cache.AddPriorityClass(util.BuildPriorityClass("high", 1000))
	yes := true
	r.cache.AddQueueV1beta1(&vcv1.Queue{ObjectMeta: metav1.ObjectMeta{Name: "default", UID: "default"},
		Spec: vcv1.QueueSpec{Weight: 1, Reclaimable: &yes}, Status: vcv1.QueueStatus{State: vcv1.QueueStateOpen}})
	for i := 0; i < o.nodes; i++ {
		must(r.cache.AddOrUpdateNode(benchNode(i)))
	}
	for i := 0; i < o.pods; i++ {
		r.addBenchPod(&o, i)
	}

	start := time.Now()
	r.cycle(p)
	first := time.Since(start)
	bound := 0
	for _, job := range r.cache.Jobs {
		bound += len(job.TaskStatusIndex[api.Binding])
	}
	start = time.Now()
	r.cycle(p)
	second := time.Since(start)

	result, err := json.Marshal(map[string]any{"case": o.kind, "nodes": o.nodes, "pods": o.pods, "gang": o.gang,
		"decisions": bound, "pods_per_s": float64(bound) / first.Seconds(),
		"cycle_ms": float64(first.Microseconds()) / 1000, "idle_ms": float64(second.Microseconds()) / 1000, "peak_mib": peakMiB()})
	must(err)
	fmt.Println(string(result))
	os.Exit(0)
}

func amounts(milliCPU, memory, pods int64) v1.ResourceList {
	list := v1.ResourceList{v1.ResourceCPU: *resource.NewMilliQuantity(milliCPU, resource.DecimalSI),
		v1.ResourceMemory: *resource.NewQuantity(memory, resource.BinarySI)}
	if pods > 0 {
		list[v1.ResourcePods] = *resource.NewQuantity(pods, resource.DecimalSI)
	}
	return list
}

func benchNode(i int) *v1.Node {
	name := fmt.Sprintf("node-%05d", i)
	room := amounts(32000, 128<<30, 110)
	return &v1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name), Labels: map[string]string{
			v1.LabelHostname: name, v1.LabelTopologyZone: fmt.Sprintf("zone-%d", i%3)}},
		Status: v1.NodeStatus{Capacity: room, Allocatable: room,
			Conditions: []v1.NodeCondition{{Type: v1.NodeReady, Status: v1.ConditionTrue}}}}
}

func (r *runner) addBenchPod(o *benchOptions, i int) {
	running := o.kind == "idle"
	kind, class, phase, minMember := "wait", "high", vcv1.PodGroupPending, min(o.gang, o.pods-i/o.gang*o.gang)
	if running {
		kind, class, phase, minMember = "run", "low", vcv1.PodGroupRunning, 1
	}
	group := fmt.Sprintf("%s-%d", kind, i/o.gang)
	if i%o.gang == 0 {
		r.cache.AddPodGroupV1beta1(&vcv1.PodGroup{
			ObjectMeta: metav1.ObjectMeta{Namespace: "bench", Name: group, UID: types.UID(group)},
			Spec:       vcv1.PodGroupSpec{MinMember: int32(minMember), Queue: "default", PriorityClassName: class},
			Status:     vcv1.PodGroupStatus{Phase: phase}})
	}
	name := fmt.Sprintf("%s-worker-%d", group, i)
	priority := int32(100)
	requests := amounts(1000, 2<<30, 0)
	pod := &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "bench", Name: name, UID: types.UID(name),
			Annotations: map[string]string{vcv1.KubeGroupNameAnnotationKey: group}},
		Spec: v1.PodSpec{SchedulerName: schedulerName, Priority: &priority}, Status: v1.PodStatus{Phase: v1.PodPending}}
	switch {
	case running:
		requests = amounts(3200, 12<<30, 0)
		pod.Spec.NodeName = fmt.Sprintf("node-%05d", i%o.nodes)
		pod.Status.Phase = v1.PodRunning
		priority = 1
	case o.kind == "distinct":
		requests = amounts(1000+int64(i%977), 2<<30+int64(i)*4096, 0)
	}
	pod.Spec.Containers = []v1.Container{{Name: "main", Image: "registry.example.com/train:1",
		Resources: v1.ResourceRequirements{Requests: requests}}}
	r.cache.AddPod(pod)
}

func peakMiB() float64 {
	var usage syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Maxrss) / 1024
}
