//go:build tools

// Keeps the requirement in go.mod: tests/cluster/build builds Helm itself.
package tools

import _ "helm.sh/helm/v3/cmd/helm"
