# A job enters as far as its namespace's quota has room for its minimum
plugins gang resourcequota predicates
queue q
queue default
node n1 cpu=8
quota rq spec.hard={"cpu":"3"} status={"hard":{"cpu":"3"},"used":{"cpu":"1"}}
group a queue=q min=1 minimum.cpu=2 phase=Pending created=-50s
group b queue=q min=1 minimum.cpu=3 phase=Pending created=-40s
group next queue=q min=1 minimum.cpu=1 phase=Pending created=-30s
group none queue=q min=1 phase=Pending
pod a of=a cpu=2
pod b of=b cpu=1
pod next of=next cpu=1
pod none of=none cpu=2
pod lone cpu=1
=> bind lone n1
=> bind a n1
=> bind none n1
=> group a Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits b WaitingForQueue: resource quota insufficient, requested: 3, used: 1, limited: 3 of cpu
=> group b Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: resource quota insufficient, requested: 3, used: 1, limited: 3 of cpu
=> waits next WaitingForQueue: resource quota insufficient, requested: 1, used: 1, limited: 3 of cpu
=> group next Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: resource quota insufficient, requested: 1, used: 1, limited: 3 of cpu
=> group none Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> bind next n1
=> group next Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group a Running, 1 running
=> group none Running, 1 running
=> group next Running, 1 running
quota rq spec.hard={"cpu":"8"} status={"hard":{"cpu":"8"},"used":{"cpu":"1"}}
=> bind b n1
=> group b Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group b Running, 1 running

# A quota of pods and of requests counts, and one of another namespace does not
plugins gang resourcequota predicates
queue q
node n1 cpu=8 memory=8Gi
quota two spec.hard={"pods":"3","requests.cpu":"2","limits.cpu":"1","services":"0"} status={"hard":{"pods":"3","requests.cpu":"2","limits.cpu":"1","services":"0"},"used":{"pods":"1","requests.cpu":"1"}}
quota other/none spec.hard={"pods":"0"} status={"hard":{"pods":"0"},"used":{"pods":"0"}}
group fits queue=q min=1 minimum.cpu=1 minimum.pods=2
group cpu queue=q min=1 spec.minResources={"requests.cpu":"2"}
group pods queue=q min=1 minimum.pods=3
pod fits of=fits cpu=1
pod cpu of=cpu cpu=2
pod pods of=pods
=> bind fits n1
=> group fits Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits cpu WaitingForQueue: resource quota insufficient, requested: 2, used: 1, limited: 2 of requests.cpu
=> group cpu Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: resource quota insufficient, requested: 2, used: 1, limited: 2 of requests.cpu
=> waits pods WaitingForQueue: resource quota insufficient, requested: 3, used: 1, limited: 3 of pods
=> group pods Pending, Scheduled tasks in gang are ready to be scheduled: 
=> group fits Running, 1 running
