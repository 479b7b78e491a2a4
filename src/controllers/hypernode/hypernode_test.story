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

# A node that changes its labels changes the count
controllers hypernode
make
| {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {rack: a}}}
| ---
| {apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: a}, spec: {tier: 1, members: [{type: Node, selector: {labelMatch: {matchLabels: {rack: a}}}}]}}
=> PATCH hypernodes/a/status {"status":{"nodeCount":1}}
change node n1 {"metadata":{"labels":{"rack":"b"}}}
=> PATCH hypernodes/a/status {"status":{"nodeCount":0}}

# Hypernodes that contain each other count their nodes once, and a pattern that is none matches nobody
controllers hypernode
make
| {apiVersion: v1, kind: Node, metadata: {name: n1}}
| ---
| {apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: a}, spec: {tier: 1, members: [{type: Node, selector: {exactMatch: {name: n1}}}, {type: HyperNode, selector: {exactMatch: {name: b}}}]}}
| ---
| {apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: b}, spec: {tier: 2, members: [{type: HyperNode, selector: {regexMatch: {pattern: "^a$"}}}, {type: Node, selector: {exactMatch: {name: n1}}}]}}
| ---
| {apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: wrong}, spec: {tier: 1, members: [{type: Node, selector: {regexMatch: {pattern: "["}}}]}}
=> PATCH hypernodes/a/status {"status":{"nodeCount":1}}
=> PATCH hypernodes/b/status {"status":{"nodeCount":1}}
