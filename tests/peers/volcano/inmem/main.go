// inmem runs Volcano's scheduler packages in memory: its cache, sessions, actions and plugins, with
// nobody behind its writers.
//
//	inmem decide < clusters.jsonl > decisions.jsonl
//	inmem bench --case like|distinct|idle --nodes N --pods M --gang G
//
// decide takes one cluster a line (see tests/differential/README.md) and answers with one line each.
// bench takes the flags of bench_core, makes the same objects, and prints the same keys.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"

	"volcano.sh/volcano/pkg/scheduler/metrics"
)

func main() {
	// The fake client of Volcano's API knows no watch-list, without which its informers never sync.
	must(utilfeature.DefaultMutableFeatureGate.Set("WatchListClient=false"))
	quiet := flag.NewFlagSet("", flag.ExitOnError) // it complains about its own bookkeeping at times
	klog.InitFlags(quiet)
	must(quiet.Parse([]string{"-logtostderr=false", "-stderrthreshold=FATAL", "-alsologtostderr=false"}))
	klog.SetOutput(io.Discard)
	metrics.InitKubeSchedulerRelatedMetrics()
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: inmem decide | inmem bench [flags]")
		os.Exit(2)
	}
	switch os.Args[1] {
	case "decide":
		decideAll(os.Stdin, os.Stdout)
	case "bench":
		bench(os.Args[2:])
	default:
		fmt.Fprintf(os.Stderr, "inmem: unknown command %q\n", os.Args[1])
		os.Exit(2)
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "inmem:", err)
		os.Exit(1)
	}
}
