# The node with the most left is taken first
plugins gang predicates nodeorder
queue default
node n1 cpu=4 memory=4Gi
node n2 cpu=8 memory=8Gi
node n3 cpu=8 memory=2Gi
pod a cpu=1 memory=1Gi
=> bind a n2
pod b cpu=1 memory=1Gi
pod c cpu=1 memory=1Gi
pod d cpu=1 memory=1Gi
=> bind b n1
=> bind c n2
=> bind d n2
pod e
=> bind e n3

# With the most requested first the fullest node is taken
plugins gang predicates nodeorder
argument nodeorder mostrequested.weight=10
argument nodeorder leastrequested.weight=0
queue default
node n1 cpu=4 memory=4Gi
node n2 cpu=8 memory=8Gi
pod a cpu=1 memory=1Gi
pod b cpu=3 memory=1Gi
pod c cpu=1 memory=1Gi
=> bind a n1
=> bind b n1
=> bind c n2

# Balanced use decides where it counts most
plugins gang predicates nodeorder
argument nodeorder balancedresource.weight=10
argument nodeorder leastrequested.weight=0
queue default
node n1 cpu=4 memory=8Gi
node n2 cpu=8 memory=4Gi
node n3 cpu=4 memory=4Gi gpu=2
pod a cpu=1 memory=2Gi
pod b cpu=2 memory=1Gi
pod c cpu=1 memory=1Gi gpu=1
pod d cpu=1
pod e memory=1Gi
=> bind a n1
=> bind b n2
=> bind c n3
=> bind d n2
=> bind e n1

# Nodes that a pod prefers, taints that it does not mind and images that are there count
plugins gang predicates nodeorder
argument nodeorder imagelocality.weight=5
queue default
node n1 cpu=4 zone=a
node n2 cpu=4 zone=b taint=soft=x:PreferNoSchedule
node n3 cpu=4 zone=c status.images=[{"names":["docker.io/library/big:v1","big@sha256:1"],"sizeBytes":900000000}]
pod prefers cpu=1 spec.affinity={"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":100,"preference":{"matchExpressions":[{"key":"zone","operator":"In","values":["b"]}]}}]}}
pod plain cpu=1
=> bind prefers n1
=> bind plain n3
pod image cpu=1 spec.containers=[{"name":"c","image":"docker.io/library/big:v1","resources":{"requests":{"cpu":"1"}}}]
pod untagged cpu=1 spec.containers=[{"name":"c","image":"docker.io/library/big","resources":{"requests":{"cpu":"1"}}}]
pod tolerant cpu=1 spec.tolerations=[{"key":"soft","operator":"Exists"}]
=> bind image n3
=> bind untagged n1
=> bind tolerant n2

# Pods that ask for nothing are taken for a little
plugins gang predicates nodeorder
queue default
node n1 cpu=2 memory=2Gi
node n2 cpu=2 memory=2Gi
pod a
pod b
pod c
pod d
=> bind a n1
=> bind b n2
=> bind c n1
=> bind d n2

# GPUs count for pods that ask for them
plugins gang predicates nodeorder
queue default
node n1 cpu=8 memory=8Gi gpu=2
node n2 cpu=8 memory=8Gi gpu=8
node n3 cpu=8 memory=8Gi
pod a cpu=1 memory=1Gi gpu=1
pod b cpu=1 memory=1Gi gpu=1
pod c cpu=1 memory=1Gi
pod d cpu=4 memory=1Gi gpu=2
=> bind a n2
=> bind b n2
=> bind c n1
=> bind d n2

# With balance alone the node whose resources are used alike is taken, with GPUs and without
plugins gang predicates nodeorder
argument nodeorder balancedresource.weight=10
argument nodeorder leastrequested.weight=0
queue default
node n1 cpu=8 memory=8Gi gpu=8
node n2 cpu=4 memory=8Gi gpu=4
node n3 cpu=8 memory=4Gi gpu=2
pod a cpu=2 memory=2Gi gpu=2
pod b cpu=2 memory=4Gi gpu=2
pod c cpu=4 memory=2Gi gpu=1
pod d cpu=1 memory=1Gi
pod e cpu=1 memory=2Gi
pod f cpu=1
=> bind a n1
=> bind b n2
=> bind c n3
=> bind d n1
=> bind e n2
=> bind f n1

# An image that has left its node does not count there any more
plugins gang predicates nodeorder
argument nodeorder imagelocality.weight=5
queue default
node n1 cpu=4
node n2 cpu=4 status.images=[{"names":["docker.io/library/big:v1"],"sizeBytes":900000000}]
pod a cpu=1 spec.containers=[{"name":"c","image":"docker.io/library/big:v1","resources":{"requests":{"cpu":"1"}}}]
=> bind a n2
node n2 cpu=4
pod b cpu=1 spec.containers=[{"name":"c","image":"docker.io/library/big:v1","resources":{"requests":{"cpu":"1"}}}]
=> bind b n1
node n1 cpu=4 status.images=[{"names":["docker.io/library/big:v1"],"sizeBytes":900000000}]
delete node n2
node n3 cpu=4
pod c cpu=1 spec.containers=[{"name":"c","image":"docker.io/library/big:v1","resources":{"requests":{"cpu":"1"}}}]
=> bind c n1

# Pods that a pod had rather be near to, or far from, draw it there or away
plugins gang predicates nodeorder
queue default
node n1 cpu=8 zone=a
node n2 cpu=8 zone=b
node n3 cpu=8 zone=c
pod db on=n2 cpu=1 metadata.labels.app=db
pod noise on=n3 cpu=1 metadata.labels.app=noise
pod near cpu=1 spec.affinity={"podAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":10,"podAffinityTerm":{"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"db"}}}}]}}
=> bind near n2
pod far cpu=1 spec.affinity={"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":10,"podAffinityTerm":{"topologyKey":"zone","labelSelector":{"matchExpressions":[{"key":"app","operator":"In","values":["db","noise"]}]}}}]}}
=> bind far n1
pod both cpu=1 spec.affinity={"podAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,"podAffinityTerm":{"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"noise"}}}}]},"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":90,"podAffinityTerm":{"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"db"}}}}]}}
=> bind both n3

# A pod that is placed draws others to it by its own wishes
plugins gang predicates nodeorder
queue default
node n1 cpu=8 zone=a
node n2 cpu=8 zone=b
pod host on=n2 cpu=1 spec.affinity={"podAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":50,"podAffinityTerm":{"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"guest"}}}}]}}
pod guest cpu=1 metadata.labels.app=guest
pod other cpu=1 metadata.labels.app=other
=> bind guest n2
=> bind other n1
delete pod host
delete pod guest
pod guest2 cpu=2 metadata.labels.app=guest
=> bind guest2 n2

# Pods spread over zones as far as they can where that is a wish alone
plugins gang predicates nodeorder
argument nodeorder leastrequested.weight=0
argument nodeorder balancedresource.weight=0
queue default
node n1 cpu=8 zone=a
node n2 cpu=8 zone=a
node n3 cpu=8 zone=b
node n4 cpu=8
4x pod p% cpu=1 metadata.labels.app=web spec.topologySpreadConstraints=[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"ScheduleAnyway","labelSelector":{"matchLabels":{"app":"web"}}}]
=> bind p0 n1
=> bind p1 n3
=> bind p2 n1
=> bind p3 n3

# Taints that a pod had rather avoid count by their number
plugins gang predicates nodeorder
argument nodeorder leastrequested.weight=0
argument nodeorder balancedresource.weight=0
queue default
node n1 cpu=1 spec.taints=[{"key":"a","effect":"PreferNoSchedule"},{"key":"b","effect":"PreferNoSchedule"}]
node n2 cpu=1 spec.taints=[{"key":"a","effect":"PreferNoSchedule"}]
node n3 cpu=1
pod p1 cpu=1
pod p2 cpu=1
pod p3 cpu=1
=> bind p1 n3
=> bind p2 n2
=> bind p3 n1
delete pod p1
delete pod p2
delete pod p3
pod q1 cpu=1 spec.tolerations=[{"key":"a","operator":"Exists"},{"key":"b","operator":"Exists"}]
=> bind q1 n1

# What weighs nothing does not count
plugins gang predicates nodeorder
argument nodeorder nodeaffinity.weight=0
argument nodeorder tainttoleration.weight=0
argument nodeorder imagelocality.weight=0
argument nodeorder podaffinity.weight=0
argument nodeorder podtopologyspread.weight=0
queue default
node n1 cpu=8 zone=a taint=soft=x:PreferNoSchedule
node n2 cpu=4 zone=b status.images=[{"names":["docker.io/library/big:v1"],"sizeBytes":900000000}]
pod db on=n2 cpu=1 metadata.labels.app=db
pod a cpu=1 spec.containers=[{"name":"c","image":"docker.io/library/big:v1","resources":{"requests":{"cpu":"1"}}}]
pod b cpu=1 spec.affinity={"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":100,"preference":{"matchExpressions":[{"key":"zone","operator":"In","values":["b"]}]}}]}}
pod c cpu=1 spec.affinity={"podAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":100,"podAffinityTerm":{"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"db"}}}}]}}
=> bind a n1
=> bind b n1
=> bind c n1
