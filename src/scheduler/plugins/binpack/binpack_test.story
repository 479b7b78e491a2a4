# The fullest node that still fits is taken
plugins gang predicates binpack
queue default
node n1 cpu=4 memory=4Gi
node n2 cpu=8 memory=8Gi
node n3 cpu=2 memory=2Gi
pod a cpu=1 memory=1Gi
=> bind a n3
pod b cpu=2 memory=1Gi
=> bind b n1
pod c cpu=3 memory=1Gi
=> bind c n2
4x pod d% cpu=1
=> bind d0 n3
=> bind d1 n1
=> bind d2 n1
=> bind d3 n2

# Resources may weigh more than others
plugins gang predicates binpack
argument binpack binpack.weight=10
argument binpack binpack.cpu=1
argument binpack binpack.memory=0
argument binpack binpack.resources=nvidia.com/gpu
argument binpack binpack.resources.nvidia.com/gpu=8
queue default
node n1 cpu=4 memory=1Gi gpu=4
node n2 cpu=2 memory=8Gi gpu=8
pod a cpu=1 memory=512Mi gpu=2
pod b cpu=1
=> bind a n1
=> bind b n1

# A resource that weighs nothing is not looked at, and a weight below zero counts as one
plugins gang predicates binpack
argument binpack binpack.cpu=0
argument binpack binpack.memory=-3
queue default
node n1 cpu=4 memory=8Gi
node n2 cpu=8 memory=4Gi
pod cpu cpu=1
pod both cpu=1 memory=1Gi
=> bind cpu n1
=> bind both n2
pod memory memory=1Gi
=> bind memory n2

# Names of resources may stand apart, and one that no node has changes nothing
plugins gang predicates binpack
argument binpack binpack.resources="nvidia.com/gpu , example.com/none,,"
argument binpack binpack.resources.nvidia.com/gpu=5
queue default
node n1 cpu=4 memory=4Gi gpu=8
node n2 cpu=4 memory=4Gi gpu=2
node n3 cpu=2 memory=2Gi
pod a cpu=1 memory=1Gi gpu=1
pod b cpu=1 memory=1Gi
=> bind a n2
=> bind b n2
pod c cpu=1 memory=1Gi gpu=1
pod d cpu=1 memory=1Gi gpu=1
=> bind c n2
=> bind d n1

# Without a weight it has no opinion
plugins gang predicates binpack
argument binpack binpack.weight=0
queue default
node n1 cpu=8
node n2 cpu=2
pod a cpu=1
=> bind a n1
