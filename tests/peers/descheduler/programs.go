//go:build programs

// Package programs names the program to build, so that `go mod tidy` keeps what it needs.
package programs

import _ "sigs.k8s.io/descheduler/cmd/descheduler"
