package main

import (
	"bufio"
	"encoding/json"
	"io"
	"sort"
	"time"

	v1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	vcv1 "volcano.sh/apis/pkg/apis/scheduling/v1beta1"
	"volcano.sh/volcano/pkg/scheduler/api"
)

// cluster is one line of input: the objects, the configuration, and how the world goes on.
type cluster struct {
	Seed            int                           `json:"seed"`
	Conf            string                        `json:"conf"`
	Grace           int                           `json:"grace"`     // cycles that an evicted pod stays
	MaxCycles       int                           `json:"maxCycles"` // then it has no end
	Nodes           []*v1.Node                    `json:"nodes"`
	Pods            []*v1.Pod                     `json:"pods"`
	PodGroups       []*vcv1.PodGroup              `json:"podGroups"`
	Queues          []*vcv1.Queue                 `json:"queues"`
	PriorityClasses []*schedulingv1.PriorityClass `json:"priorityClasses"`
}

// decisions of one cycle. Pods and groups are "namespace/name".
type decisions struct {
	Binds     map[string]string `json:"binds"`
	Evictions []string          `json:"evictions"`
	Phases    map[string]string `json:"phases"`
}

type answer struct {
	Seed   int         `json:"seed"`
	Quiet  bool        `json:"quiet"`
	Cycles []decisions `json:"cycles"`
}

func decideAll(in io.Reader, out io.Writer) {
	r := newRunner()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	writer := bufio.NewWriter(out)
	defer writer.Flush()
	encoder := json.NewEncoder(writer)
	for lines.Scan() {
		var c cluster
		must(json.Unmarshal(lines.Bytes(), &c))
		must(encoder.Encode(r.decide(&c)))
	}
	must(lines.Err())
}

// decide runs cycles until nothing changes any more. Between cycles the world moves on: bound pods
// run, evicted ones leave.
func (r *runner) decide(c *cluster) answer {
	p := load(c.Conf)
	result := answer{Seed: c.Seed}
	leaving := map[string]int{} // cycles that are left
	for len(result.Cycles) < c.MaxCycles {
		r.set(c)
		r.phases.changed = map[string]vcv1.PodGroupPhase{}
		r.cycle(p)
		d := r.decided()
		result.Cycles = append(result.Cycles, d)
		if len(d.Binds)+len(d.Evictions)+len(d.Phases)+len(leaving) == 0 {
			result.Quiet = true
			break
		}
		c.apply(d, leaving)
	}
	return result
}

func (r *runner) set(c *cluster) {
	r.empty()
	for _, node := range c.Nodes {
		must(r.cache.AddOrUpdateNode(node))
	}
	for _, class := range c.PriorityClasses {
		r.cache.AddPriorityClass(class)
	}
	for _, queue := range c.Queues {
		r.cache.AddQueueV1beta1(queue)
	}
	for _, group := range c.PodGroups {
		r.cache.AddPodGroupV1beta1(group)
	}
	for _, pod := range c.Pods {
		r.cache.AddPod(pod)
	}
}

// decided reads from the cache what the cycle handed to the binder and to the evictor.
func (r *runner) decided() decisions {
	d := decisions{Binds: map[string]string{}, Evictions: []string{}, Phases: map[string]string{}}
	r.cache.Lock()
	defer r.cache.Unlock()
	for _, job := range r.cache.Jobs {
		for _, task := range job.Tasks {
			key := task.Namespace + "/" + task.Name
			switch {
			case task.Status == api.Binding:
				d.Binds[key] = task.NodeName
			case task.Status == api.Releasing && task.Pod.DeletionTimestamp == nil:
				d.Evictions = append(d.Evictions, key)
			}
		}
		if job.PodGroup == nil {
			continue
		}
		key := job.Namespace + "/" + job.Name
		if phase, ok := r.phases.changed[key]; ok && phase != vcv1.PodGroupPhase(job.PodGroup.Status.Phase) {
			d.Phases[key] = string(phase)
		}
	}
	sort.Strings(d.Evictions)
	return d
}

func (c *cluster) apply(d decisions, leaving map[string]int) {
	evicted := map[string]bool{}
	for _, key := range d.Evictions {
		evicted[key] = true
	}
	var stay []*v1.Pod
	for _, pod := range c.Pods {
		key := pod.Namespace + "/" + pod.Name
		if left, ok := leaving[key]; ok {
			if left <= 1 {
				delete(leaving, key)
				continue
			}
			leaving[key] = left - 1
		}
		if evicted[key] {
			if c.Grace == 0 {
				continue
			}
			pod = pod.DeepCopy()
			pod.DeletionTimestamp = &metav1.Time{Time: time.Now().Add(time.Hour)}
			leaving[key] = c.Grace
		}
		if node, ok := d.Binds[key]; ok {
			pod = pod.DeepCopy()
			pod.Spec.NodeName = node
			pod.Status.Phase = v1.PodRunning
		}
		stay = append(stay, pod)
	}
	c.Pods = stay
	for i, group := range c.PodGroups {
		if phase, ok := d.Phases[group.Namespace+"/"+group.Name]; ok {
			c.PodGroups[i] = group.DeepCopy()
			c.PodGroups[i].Status.Phase = vcv1.PodGroupPhase(phase)
		}
	}
}
