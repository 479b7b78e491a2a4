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
