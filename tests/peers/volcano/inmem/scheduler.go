package main

import (
	"os"
	"sync"

	v1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/record"

	vcv1 "volcano.sh/apis/pkg/apis/scheduling/v1beta1"
	"volcano.sh/volcano/pkg/scheduler"
	_ "volcano.sh/volcano/pkg/scheduler/actions"
	"volcano.sh/volcano/pkg/scheduler/api"
	"volcano.sh/volcano/pkg/scheduler/cache"
	"volcano.sh/volcano/pkg/scheduler/conf"
	"volcano.sh/volcano/pkg/scheduler/framework"
	_ "volcano.sh/volcano/pkg/scheduler/plugins"
	"volcano.sh/volcano/pkg/scheduler/util"
)

const schedulerName = "volcano"

// nobody takes every write and does nothing; what was decided is read from the cache.
type nobody struct{}

func (nobody) Bind(kubernetes.Interface, []*api.TaskInfo) map[api.TaskID]string { return nil }
func (nobody) Evict(*v1.Pod, string) error                                      { return nil }

// phases notes the phases that PodGroups are given.
type phases struct {
	util.FakeStatusUpdater
	lock    sync.Mutex
	changed map[string]vcv1.PodGroupPhase
}

func (p *phases) UpdatePodGroup(group *api.PodGroup) (*api.PodGroup, error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.changed[group.Namespace+"/"+group.Name] = vcv1.PodGroupPhase(group.Status.Phase)
	return group, nil
}

// runner has one cache for all clusters: to make one costs more than to empty it.
type runner struct {
	cache  *cache.SchedulerCache
	phases phases
}

func newRunner() *runner {
	r := &runner{}
	r.phases.changed = map[string]vcv1.PodGroupPhase{}
	r.cache = cache.NewCustomMockSchedulerCache(schedulerName, nobody{}, nobody{}, &r.phases, nil, &record.FakeRecorder{})
	r.cache.Run(make(chan struct{}))
	return r
}

func (r *runner) empty() {
	c := r.cache
	c.Lock()
	defer c.Unlock()
	c.Jobs = map[api.JobID]*api.JobInfo{}
	c.Nodes = map[string]*api.NodeInfo{}
	c.NodeList = nil
	c.Queues = map[api.QueueID]*api.QueueInfo{}
	c.PriorityClasses = map[string]*schedulingv1.PriorityClass{}
	c.NamespaceCollection = map[string]*api.NamespaceCollection{}
}

// policy is a configuration that is in force.
type policy struct {
	actions        []framework.Action
	tiers          []conf.Tier
	configurations []conf.Configuration
}

func load(text string) policy {
	actions, tiers, configurations, _, err := scheduler.UnmarshalSchedulerConf(text)
	must(err)
	return policy{actions, tiers, configurations}
}

// cycle is one scheduling cycle.
func (r *runner) cycle(p policy) {
	conf.EnabledActionMap = map[string]bool{}
	for _, action := range p.actions {
		conf.EnabledActionMap[action.Name()] = true
	}
	session := framework.OpenSession(r.cache, p.tiers, p.configurations)
	for _, action := range p.actions {
		action.Initialize()
		action.Execute(session)
		action.UnInitialize()
	}
	framework.CloseSession(session)
}

func readFile(path string) string {
	text, err := os.ReadFile(path)
	must(err)
	return string(text)
}
