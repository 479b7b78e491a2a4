// Writes down what the wire of a version of Kubernetes looks like, for the embedded API server: the
// types of its built-in kinds, the field numbers of their protobuf form and the columns of kubectl's
// tables. Facts only, no sentences: names, types, tags, list types, merge keys, defaults.
//
// usage: go run . -kubernetes FOLDER -out FOLDER     (tools/kubernetes/update calls it)
//
// Types come by reflection from k8s.io/api; what Go's types do not say (list types, what is required,
// defaults) from the OpenAPI documents in the module k8s.io/kubernetes, columns from its printers.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

const width = 100

func main() {
	log.SetFlags(0)
	kubernetes := flag.String("kubernetes", "", "folder of the module k8s.io/kubernetes")
	out := flag.String("out", "", "folder for the tables")
	flag.Parse()
	published := readPublished(filepath.Join(*kubernetes, "api/openapi-spec/v3"))
	walk := newWalk(published)
	for _, root := range roots {
		walk.add(root)
	}
	write(*out, "kinds.txt", walk.kinds(roots))
	write(*out, "types.txt", walk.types())
	write(*out, "field_numbers.txt", walk.numbers())
	write(*out, "columns.txt", readColumns(filepath.Join(*kubernetes, "pkg/printers/internalversion/printers.go")))
}

// One entry: its first word, and what follows. Long ones go on in lines that start with a blank.
type entry []string

func write(folder, name string, entries []entry) {
	sort.Slice(entries, func(i, j int) bool { return entries[i][0] < entries[j][0] })
	var text strings.Builder
	for _, words := range entries {
		line := words[0]
		for _, word := range words[1:] {
			if len(line)+1+len(word) > width {
				fmt.Fprintln(&text, line)
				line = " "
			}
			line += " " + word
		}
		fmt.Fprintln(&text, line)
	}
	if err := os.WriteFile(filepath.Join(folder, name), []byte(text.String()), 0o644); err != nil {
		log.Fatal(err)
	}
}
