package main

import (
	"encoding/json"
	"log"
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

// By name: io.k8s.api.core.v1.Pod.
type publishedTypes map[string]schema

func readPublished(folder string) publishedTypes {
	files, err := filepath.Glob(filepath.Join(folder, "*_openapi.json"))
	if err != nil || len(files) == 0 {
		log.Fatalf("no OpenAPI documents in %s (%v)", folder, err)
	}
	all := publishedTypes{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			log.Fatal(err)
		}
		var document struct {
			Components struct {
				Schemas map[string]schema `json:"schemas"`
			} `json:"components"`
		}
		if err := json.Unmarshal(text, &document); err != nil {
			log.Fatalf("%s: %v", file, err)
		}
		for name, found := range document.Components.Schemas {
			all[name] = found
		}
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
