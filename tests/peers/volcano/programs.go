//go:build programs

// Package programs names the programs to build, so that `go mod tidy` keeps what they need.
package programs

import (
	_ "volcano.sh/volcano/cmd/controller-manager"
	_ "volcano.sh/volcano/cmd/scheduler"
	_ "volcano.sh/volcano/cmd/webhook-manager"
)
