package main

import (
	"encoding/json"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A schema of the published OpenAPI documents, as far as Go's types do not say it.
type schema struct {
	Type       string            `json:"type"`
	Ref        string            `json:"$ref"`
	AllOf      []schema          `json:"allOf"`
	Properties map[string]schema `json:"properties"`
	Required   []string          `json:"required"`
	Default    any               `json:"default"`
	ListType   string            `json:"x-kubernetes-list-type"`
	ListKeys   []string          `json:"x-kubernetes-list-map-keys"`
	MapType    string            `json:"x-kubernetes-map-type"`
}

type groupVersionKind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

type operation struct {
	Kind groupVersionKind `json:"x-kubernetes-group-version-kind"`
}

// How a kind is served.
type servedKind struct {
	groupVersionKind
	plural       string
	namespaced   bool
	subresources []string
}

// By name: io.k8s.api.core.v1.Pod; resources by their collection's path.
type publishedTypes struct {
	schemas   map[string]schema
	resources map[string]*servedKind
}

// Reads what is served off a document's paths: who can be posted to is a collection, and what is
// below {name} a subresource.
func (p publishedTypes) addPaths(paths map[string]map[string]json.RawMessage) {
	ordered := slices.Sorted(maps.Keys(paths))
	for _, path := range ordered {
		var post operation
		if text, ok := paths[path]["post"]; !ok || json.Unmarshal(text, &post) != nil {
			continue
		}
		_, listed := paths[path]["get"]
		if !listed || strings.HasSuffix(path, "}") || strings.Contains(path, "{name}") {
			continue
		}
		p.resources[path] = &servedKind{
			groupVersionKind: post.Kind,
			plural:           path[strings.LastIndex(path, "/")+1:],
			namespaced:       strings.Contains(path, "{namespace}"),
		}
	}
	for _, path := range ordered {
		collection, sub, below := strings.Cut(path, "/{name}/")
		if found := p.resources[collection]; below && found != nil && !strings.Contains(sub, "/") {
			found.subresources = append(found.subresources, sub)
		}
	}
}

func readPublished(folder string) publishedTypes {
	files, err := filepath.Glob(filepath.Join(folder, "*_openapi.json"))
	if err != nil || len(files) == 0 {
		log.Fatalf("no OpenAPI documents in %s (%v)", folder, err)
	}
	all := publishedTypes{schemas: map[string]schema{}, resources: map[string]*servedKind{}}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			log.Fatal(err)
		}
		var document struct {
			Paths      map[string]map[string]json.RawMessage `json:"paths"`
			Components struct {
				Schemas map[string]schema `json:"schemas"`
			} `json:"components"`
		}
		if err := json.Unmarshal(text, &document); err != nil {
			log.Fatalf("%s: %v", file, err)
		}
		for name, found := range document.Components.Schemas {
			all.schemas[name] = found
		}
		all.addPaths(document.Paths)
	}
	return all
}

// io.k8s.api.core.v1 for k8s.io/api/core/v1.
func publishedPackage(path string) string {
	parts := strings.Split(path, "/")
	host := strings.Split(parts[0], ".")
	slices.Reverse(host)
	return strings.Join(append(host, parts[1:]...), ".")
}
