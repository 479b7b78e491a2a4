# A node is left out for each rule that a pod breaks, and the reasons are counted
plugins gang predicates
queue default
node cordoned cpu=4 spec.unschedulable=true
node tainted cpu=4 taint=a=b:NoSchedule
node full cpu=1
node other cpu=4 zone=b
pod p cpu=2 spec.nodeSelector.zone=a
+3s
=> waits p Unschedulable: 0/4 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable, 2 node(s) didn't match Pod's node affinity/selector.
pod tolerates cpu=2 spec.tolerations=[{"key":"a","operator":"Equal","value":"b","effect":"NoSchedule"}]
=> bind tolerates other
node cordoned cpu=4 zone=a
=> bind p cordoned

# A host port is used by one pod of a node
plugins gang predicates
queue default
node n1 cpu=4
pod a cpu=1 spec.containers=[{"name":"c","ports":[{"containerPort":80,"hostPort":80}],"resources":{"requests":{"cpu":"1"}}}]
pod b cpu=1 spec.containers=[{"name":"c","ports":[{"containerPort":80,"hostPort":80}],"resources":{"requests":{"cpu":"1"}}}]
pod c cpu=1 spec.containers=[{"name":"c","ports":[{"containerPort":80,"hostPort":80,"protocol":"UDP"}],"resources":{"requests":{"cpu":"1"}}}]
+3s
=> bind a n1
=> bind c n1
=> waits b Unschedulable: 0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.
node n2 cpu=4
=> bind b n2

# A node takes no more pods than it says
plugins gang predicates
queue default
node n1 cpu=4 pods=1
pod a cpu=1
pod b cpu=1
+3s
=> bind a n1
=> waits b Unschedulable: 0/1 nodes are available: 1 Too many pods.

# A claim that waits for its pod gets a volume that the pod's node can reach
plugins gang predicates
queue default
node n1 cpu=4 zone=a
node n2 cpu=4 zone=b
storage local provisioner=kubernetes.io/no-provisioner volumeBindingMode=WaitForFirstConsumer
volume v1 spec={"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"local","nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In","values":["b"]}]}]}}} status.phase=Available
volume v2 spec={"capacity":{"storage":"5Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"local","nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In","values":["b"]}]}]}}} status.phase=Available
claim c1 spec={"accessModes":["ReadWriteOnce"],"storageClassName":"local","resources":{"requests":{"storage":"1Gi"}}} status.phase=Pending
claim c2 spec={"accessModes":["ReadWriteOnce"],"storageClassName":"local","resources":{"requests":{"storage":"1Gi"}}} status.phase=Pending
pod p1 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c1"}}]
pod p2 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c2"}}]
=> bind p1 n2
=> claim c1 gets v1
=> bind p2 n2
=> claim c2 gets v2

# A claim that is bound keeps its pod to the volume's nodes, and one that is missing keeps it waiting
plugins gang predicates
queue default
node n1 cpu=4 zone=a
node n2 cpu=4 zone=b
volume v1 spec={"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"claimRef":{"namespace":"ns","name":"c1"},"nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In","values":["b"]}]}]}}} status.phase=Bound
claim c1 spec={"accessModes":["ReadWriteOnce"],"volumeName":"v1","resources":{"requests":{"storage":"1Gi"}}} status.phase=Bound metadata.annotations."pv.kubernetes.io/bind-completed"=yes
pod p1 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c1"}}]
pod p2 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"missing"}}]
+3s
=> bind p1 n2
=> waits p2 Unschedulable: persistentvolumeclaim "missing" not found
claim missing spec={"accessModes":["ReadWriteOnce"],"volumeName":"v1","resources":{"requests":{"storage":"1Gi"}}} status.phase=Bound metadata.annotations."pv.kubernetes.io/bind-completed"=yes
=> bind p2 n2

# Pods spread over zones as evenly as they ask
plugins gang predicates nodeorder
queue default
node n1 cpu=8 zone=a
node n2 cpu=8 zone=b
node n3 cpu=8 zone=c spec.unschedulable=true
pod s-0 cpu=1 metadata.labels.s=x spec.topologySpreadConstraints=[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"s":"x"}}}]
pod s-1 cpu=1 metadata.labels.s=x spec.topologySpreadConstraints=[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"s":"x"}}}]
pod s-2 cpu=1 metadata.labels.s=x spec.topologySpreadConstraints=[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"s":"x"}}}]
pod t-0 cpu=1 metadata.labels.t=x spec.topologySpreadConstraints=[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule","minDomains":4,"nodeTaintsPolicy":"Honor","labelSelector":{"matchLabels":{"t":"x"}}}]
pod t-1 cpu=1 metadata.labels.t=x spec.topologySpreadConstraints=[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule","minDomains":4,"nodeTaintsPolicy":"Honor","labelSelector":{"matchLabels":{"t":"x"}}}]
pod w-0 cpu=1 metadata.labels.w=x spec.topologySpreadConstraints=[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"ScheduleAnyway","labelSelector":{"matchLabels":{"w":"x"}}}]
pod w-1 cpu=1 metadata.labels.w=x spec.topologySpreadConstraints=[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"ScheduleAnyway","labelSelector":{"matchLabels":{"w":"x"}}}]
+3s
=> bind s-0 n1
=> bind s-1 n2
=> bind t-0 n1
=> bind t-1 n2
=> bind w-0 n1
=> bind w-1 n2
=> waits s-2 Unschedulable: 0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) didn't match pod topology spread constraints.
node n3 cpu=8 zone=c
=> bind s-2 n3

# A claim that waits for its pod is made on the pod's node where a provisioner does that
plugins gang predicates
queue default
node n1 cpu=4 zone=a
node n2 cpu=4 zone=b
storage fast provisioner=example.com/disks volumeBindingMode=WaitForFirstConsumer allowedTopologies=[{"matchLabelExpressions":[{"key":"zone","values":["b"]}]}]
storage now provisioner=example.com/disks volumeBindingMode=Immediate
claim c1 spec={"accessModes":["ReadWriteOnce"],"storageClassName":"fast","resources":{"requests":{"storage":"1Gi"}}} status.phase=Pending
claim c2 spec={"accessModes":["ReadWriteOnce"],"storageClassName":"now","resources":{"requests":{"storage":"1Gi"}}} status.phase=Pending
pod p1 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c1"}}]
pod p2 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c2"}}]
=> bind p1 n2
=> claim c1 gets a new volume
=> waits p2 Unschedulable: pod has unbound immediate PersistentVolumeClaims
+3s
=> nothing

# A claim that one pod alone may use keeps a second one waiting
plugins gang predicates
queue default
node n1 cpu=4
volume v1 spec={"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOncePod"],"claimRef":{"namespace":"ns","name":"c1"}} status.phase=Bound
claim c1 spec={"accessModes":["ReadWriteOncePod"],"volumeName":"v1","resources":{"requests":{"storage":"1Gi"}}} status.phase=Bound metadata.annotations."pv.kubernetes.io/bind-completed"=yes
pod p1 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c1"}}]
=> bind p1 n1
pod p2 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c1"}}]
+3s
=> waits p2 Unschedulable: 0/1 nodes are available: 1 node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode.
delete pod p1
=> bind p2 n1

# The smallest volume that suffices is taken
plugins gang predicates
queue default
node n1 cpu=4
storage local provisioner=kubernetes.io/no-provisioner volumeBindingMode=WaitForFirstConsumer
volume a spec={"capacity":{"storage":"9Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"local"} status.phase=Available
volume b spec={"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"local"} status.phase=Available
volume c spec={"capacity":{"storage":"5Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"local"} status.phase=Available
claim c1 spec={"accessModes":["ReadWriteOnce"],"storageClassName":"local","resources":{"requests":{"storage":"2Gi"}}} status.phase=Pending
claim c2 spec={"accessModes":["ReadWriteMany"],"storageClassName":"local","resources":{"requests":{"storage":"1Gi"}}} status.phase=Pending
pod p1 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c1"}}]
pod p2 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c2"}}]
=> bind p1 n1
=> claim c1 gets c
=> waits p2 Unschedulable: 0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind.

# Two claims of one pod get two volumes, or the pod waits
plugins gang predicates
queue default
node n1 cpu=4
storage local provisioner=kubernetes.io/no-provisioner volumeBindingMode=WaitForFirstConsumer
volume a spec={"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"local"} status.phase=Available
claim c1 spec={"accessModes":["ReadWriteOnce"],"storageClassName":"local","resources":{"requests":{"storage":"1Gi"}}} status.phase=Pending
claim c2 spec={"accessModes":["ReadWriteOnce"],"storageClassName":"local","resources":{"requests":{"storage":"1Gi"}}} status.phase=Pending
pod p1 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c1"}},{"name":"w","persistentVolumeClaim":{"claimName":"c2"}}]
=> waits p1 Unschedulable: 0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind.
volume b spec={"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"local"} status.phase=Available
=> bind p1 n1
=> claim c1 gets a
=> claim c2 gets b

# Ports of the pod alone are nobody's business
plugins gang predicates
queue default
node n1 cpu=4
pod a cpu=1 spec.containers=[{"name":"c","ports":[{"containerPort":80,"hostPort":80},{"containerPort":90}],"resources":{"requests":{"cpu":"1"}}}]
pod b cpu=1 spec.containers=[{"name":"c","ports":[{"containerPort":81,"hostPort":81},{"containerPort":90}],"resources":{"requests":{"cpu":"1"}}}]
pod c cpu=1 spec.containers=[{"name":"c","ports":[{"containerPort":80}],"resources":{"requests":{"cpu":"1"}}}]
=> bind a n1
=> bind b n1
=> bind c n1

# Pods that share a claim share its volume, and its node
plugins gang predicates
queue default
node n1 cpu=2 zone=a
node n2 cpu=2 zone=b
storage local provisioner=kubernetes.io/no-provisioner volumeBindingMode=WaitForFirstConsumer
volume v1 spec={"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"local","nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In","values":["a"]}]}]}}} status.phase=Pending
volume v2 spec={"capacity":{"storage":"2Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"local","nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In","values":["b"]}]}]}}} status.phase=Available
volume v3 spec={"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"local"} status.phase=Failed
claim c1 spec={"accessModes":["ReadWriteOnce"],"storageClassName":"local","resources":{"requests":{"storage":"1Gi"}}} status.phase=Pending
pod p1 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c1"}}]
pod p2 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c1"}}]
=> bind p1 n1
=> claim c1 gets v1
=> bind p2 n1
=> claim c1 gets v1

# A volume of a zone keeps its pod there, in the old words and in the new
plugins gang predicates
queue default
node n1 cpu=4 metadata.labels."topology.kubernetes.io/zone"=a
node n2 cpu=4 metadata.labels."topology.kubernetes.io/zone"=b metadata.labels."topology.kubernetes.io/region"=r
volume v1 spec={"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"claimRef":{"namespace":"ns","name":"c1"}} status.phase=Bound metadata.labels."topology.kubernetes.io/zone"=b__c
volume v2 spec={"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"claimRef":{"namespace":"ns","name":"c2"}} status.phase=Bound metadata.labels."failure-domain.beta.kubernetes.io/zone"=a
volume v3 spec={"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"claimRef":{"namespace":"ns","name":"c3"}} status.phase=Bound metadata.labels."topology.kubernetes.io/zone"=ab
volume v4 spec={"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"claimRef":{"namespace":"ns","name":"c4"}} status.phase=Bound metadata.labels."topology.kubernetes.io/region"=r
claim c1 spec={"accessModes":["ReadWriteOnce"],"volumeName":"v1"} status.phase=Bound metadata.annotations."pv.kubernetes.io/bind-completed"=yes
claim c2 spec={"accessModes":["ReadWriteOnce"],"volumeName":"v2"} status.phase=Bound metadata.annotations."pv.kubernetes.io/bind-completed"=yes
claim c3 spec={"accessModes":["ReadWriteOnce"],"volumeName":"v3"} status.phase=Bound metadata.annotations."pv.kubernetes.io/bind-completed"=yes
claim c4 spec={"accessModes":["ReadWriteOnce"],"volumeName":"v4"} status.phase=Bound metadata.annotations."pv.kubernetes.io/bind-completed"=yes
pod p1 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c1"}}]
pod p2 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c2"}}]
pod p3 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c3"}}]
pod p4 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c4"}}]
+3s
=> bind p1 n2
=> bind p2 n1
=> bind p4 n2
=> waits p3 Unschedulable: 0/2 nodes are available: 2 node(s) had no available volume zone.
node n3 cpu=4
=> bind p3 n3

# A claim that is not the pod's own, is going, or has lost its volume keeps the pod waiting
plugins gang predicates
queue default
node n1 cpu=4
volume v1 spec={"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"]} status.phase=Available
claim going spec={"accessModes":["ReadWriteOnce"],"volumeName":"v1"} status.phase=Bound metadata.annotations."pv.kubernetes.io/bind-completed"=yes metadata.deletionTimestamp=2026-01-01T00:00:00Z
claim lost spec={"accessModes":["ReadWriteOnce"],"volumeName":"gone"} status.phase=Bound metadata.annotations."pv.kubernetes.io/bind-completed"=yes
claim named spec={"accessModes":["ReadWriteOnce"],"volumeName":"v1"} status.phase=Pending
claim other-e spec={"accessModes":["ReadWriteOnce"],"volumeName":"v1"} status.phase=Bound metadata.annotations."pv.kubernetes.io/bind-completed"=yes
pod going cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"going"}}]
pod lost cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"lost"}}]
pod named cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"named"}}]
pod other cpu=1 spec.volumes=[{"name":"e","ephemeral":{"volumeClaimTemplate":{"spec":{"accessModes":["ReadWriteOnce"]}}}}]
pod none cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"none"}}]
+3s
=> waits going Unschedulable: persistentvolumeclaim "going" is being deleted
=> waits lost Unschedulable: 0/1 nodes are available: 1 node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s).
=> waits named Unschedulable: pod has unbound immediate PersistentVolumeClaims
=> waits other Unschedulable: persistentvolumeclaim "other-e" was not made for this pod, whose ephemeral volume needs that name
=> waits none Unschedulable: persistentvolumeclaim "none" not found

# A volume that names its claim is for that claim, and a provisioner goes where it was sent
plugins gang predicates
queue default
node n1 cpu=4 zone=a
node n2 cpu=4 zone=b
storage local provisioner=kubernetes.io/no-provisioner volumeBindingMode=WaitForFirstConsumer
storage fast provisioner=example.com/disks volumeBindingMode=WaitForFirstConsumer
volume mine spec={"capacity":{"storage":"9Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"local","claimRef":{"namespace":"ns","name":"c1"}} status.phase=Available
volume small spec={"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"local"} status.phase=Available
claim c1 spec={"accessModes":["ReadWriteOnce"],"storageClassName":"local","resources":{"requests":{"storage":"1Gi"}}} status.phase=Pending
claim c2 spec={"accessModes":["ReadWriteOnce"],"storageClassName":"local","resources":{"requests":{"storage":"1Gi"}}} status.phase=Pending
claim c3 spec={"accessModes":["ReadWriteOnce"],"storageClassName":"fast","resources":{"requests":{"storage":"1Gi"}}} status.phase=Pending metadata.annotations."volume.kubernetes.io/selected-node"=n2
pod p1 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c1"}}]
pod p2 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c2"}}]
pod p3 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c3"}}]
=> bind p1 n1
=> claim c1 gets mine
=> bind p2 n1
=> claim c2 gets small
=> bind p3 n2
=> claim c3 gets a new volume

# A sidecar's host port is taken as long as it runs, an init container's is free again
plugins gang predicates
queue default
node n1 cpu=4
pod a cpu=1 spec.initContainers=[{"name":"s","restartPolicy":"Always","ports":[{"containerPort":80,"hostPort":80},{"containerPort":90}]}]
pod b cpu=1 spec.initContainers=[{"name":"s","restartPolicy":"Always","ports":[{"containerPort":80,"hostPort":80}]}]
pod c cpu=1 spec.initContainers=[{"name":"s","restartPolicy":"Always","ports":[{"containerPort":81,"hostPort":81},{"containerPort":90}]}]
pod d cpu=1 spec.initContainers=[{"name":"i","ports":[{"containerPort":80,"hostPort":80}]},{"name":"s","restartPolicy":"Always","ports":[{"containerPort":82,"hostPort":82}]}]
+3s
=> bind a n1
=> bind c n1
=> bind d n1
=> waits b Unschedulable: 0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.

# Rules that are switched off keep nobody away, and the others still do
plugins gang predicates
argument predicates predicate.NodePortsEnable=false
argument predicates predicate.VolumeBindingEnable=false
queue default
node n1 cpu=9 metadata.labels."topology.kubernetes.io/zone"=a
storage local provisioner=kubernetes.io/no-provisioner volumeBindingMode=WaitForFirstConsumer
volume v1 spec={"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"local"} status.phase=Available
volume v2 spec={"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"]} status.phase=Bound metadata.labels."topology.kubernetes.io/zone"=b
volume v3 spec={"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOncePod"]} status.phase=Bound
claim waiting spec={"accessModes":["ReadWriteOnce"],"storageClassName":"local","resources":{"requests":{"storage":"1Gi"}}} status.phase=Pending
claim zoned spec={"accessModes":["ReadWriteOnce"],"volumeName":"v2"} status.phase=Bound
claim single spec={"accessModes":["ReadWriteOncePod"],"volumeName":"v3"} status.phase=Bound
2x pod port% cpu=1 spec.containers=[{"name":"c","ports":[{"containerPort":80,"hostPort":80}],"resources":{"requests":{"cpu":"1"}}}]
pod missing cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"none"}}]
pod waiting cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"waiting"}}]
2x pod single% cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"single"}}]
pod zoned cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"zoned"}}]
+3s
=> bind port0 n1
=> bind port1 n1
=> bind missing n1
=> bind waiting n1
=> bind single0 n1
=> bind single1 n1
=> waits zoned Unschedulable: 0/1 nodes are available: 1 node(s) had no available volume zone.

# Without the rules about volumes one that is gone is not missed
plugins gang predicates
argument predicates predicate.VolumeZoneEnable=false
argument predicates predicate.VolumeBindingEnable=false
queue default
node n1 cpu=4
claim lost spec={"accessModes":["ReadWriteOnce"],"volumeName":"gone"} status.phase=Bound
pod p cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"lost"}}]
=> bind p n1

# A claim that is made anew for one pod alone is no longer shared
plugins gang predicates
queue default
node n1 cpu=2
volume v1 spec={"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce","ReadWriteOncePod"]} status.phase=Bound
claim c1 spec={"accessModes":["ReadWriteOnce"],"volumeName":"v1"} status.phase=Bound metadata.annotations."pv.kubernetes.io/bind-completed"=yes
pod p1 cpu=1 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c1"}}]
pod p2 cpu=2 spec.volumes=[{"name":"v","persistentVolumeClaim":{"claimName":"c1"}}]
+3s
=> bind p1 n1
=> waits p2 Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.
claim c1 spec={"accessModes":["ReadWriteOncePod"],"volumeName":"v1"} status.phase=Bound metadata.annotations."pv.kubernetes.io/bind-completed"=yes
node n1 cpu=4
+3s
=> waits p2 Unschedulable: 0/1 nodes are available: 1 node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode.

# Which nodes count when pods spread is each pod's own choice
plugins gang predicates
queue default
node n1 cpu=8 zone=a metadata.labels.pool=x
node n2 cpu=8 zone=b metadata.labels.pool=y
pod there on=n1 cpu=1 metadata.labels.s=x
pod p cpu=1 metadata.labels.s=x spec.nodeSelector.pool=x spec.topologySpreadConstraints=[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule","nodeTaintsPolicy":"Honor","labelSelector":{"matchLabels":{"s":"x"}}}]
pod q cpu=1 metadata.labels.s=x spec.nodeSelector.pool=x spec.topologySpreadConstraints=[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule","nodeTaintsPolicy":"Honor","nodeAffinityPolicy":"Ignore","labelSelector":{"matchLabels":{"s":"x"}}}]
+3s
=> bind p n1
=> waits q Unschedulable: 0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) didn't match pod topology spread constraints.
