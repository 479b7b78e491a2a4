# A hypernode's nodes are counted when they come and go, and not otherwise
controllers hypernode
make
| {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {rack: a}}}
| ---
| {apiVersion: v1, kind: Node, metadata: {name: n2, labels: {rack: b}}}
| ---
| {apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: leaf}, spec: {tier: 1, members: [{type: Node, selector: {regexMatch: {pattern: "^n[0-9]$"}}}]}}
| ---
| {apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: spine}, spec: {tier: 2, members: [{type: HyperNode, selector: {exactMatch: {name: leaf}}}, {type: Node, selector: {labelMatch: {matchExpressions: [{key: rack, operator: NotIn, values: [a]}]}}}]}}
=> PATCH hypernodes/leaf/status {"status":{"nodeCount":2}}
=> PATCH hypernodes/spine/status {"status":{"nodeCount":2}}
change node n1 {"metadata":{"annotations":{"beat":"1"}}}
=> nothing
make
| {apiVersion: v1, kind: Node, metadata: {name: n3}}
=> PATCH hypernodes/leaf/status {"status":{"nodeCount":3}}
=> PATCH hypernodes/spine/status {"status":{"nodeCount":3}}
delete node n1
=> PATCH hypernodes/leaf/status {"status":{"nodeCount":2}}
=> PATCH hypernodes/spine/status {"status":{"nodeCount":2}}
delete hypernode leaf
=> nothing
