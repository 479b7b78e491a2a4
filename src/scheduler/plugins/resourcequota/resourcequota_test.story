# A job enters as far as its namespace's quota has room for its minimum
plugins gang resourcequota predicates
queue q
queue default
node n1 cpu=8
quota rq spec.hard={"cpu":"3"} status={"hard":{"cpu":"3"},"used":{"cpu":"1"}}
group a queue=q min=1 minimum.cpu=2 phase=Pending created=-50s
group b queue=q min=1 minimum.cpu=1 phase=Pending created=-40s
group none queue=q min=1 phase=Pending
pod a of=a cpu=2
pod b of=b cpu=1
pod none of=none cpu=4
pod lone cpu=1
=> bind lone n1
=> bind a n1
=> bind none n1
=> group a Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> waits b WaitingForQueue: resource quota insufficient, requested: 1, used: 1, limited: 3 of cpu
=> group b Pending, Unschedulable NotEnoughResources: 1/1 tasks in gang unschedulable: pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable. Origin reason is: resource quota insufficient, requested: 1, used: 1, limited: 3 of cpu
=> group none Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group a Running, 1 running
=> group none Running, 1 running
quota rq spec.hard={"cpu":"8"} status={"hard":{"cpu":"8"},"used":{"cpu":"1"}}
=> bind b n1
=> group b Inqueue, Scheduled tasks in gang are ready to be scheduled: 
=> group b Running, 1 running
