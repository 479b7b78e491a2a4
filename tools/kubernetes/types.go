package main

import (
	"fmt"
	"log"
	"path"
	"reflect"
	"slices"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Types with a JSON form of their own.
var special = map[reflect.Type]string{
	reflect.TypeFor[resource.Quantity]():                          "quantity",
	reflect.TypeFor[meta.Time]():                                  "time",
	reflect.TypeFor[meta.MicroTime]():                             "microtime",
	reflect.TypeFor[meta.Duration]():                              "duration",
	reflect.TypeFor[intstr.IntOrString]():                         "intorstring",
	reflect.TypeFor[[]byte]():                                     "bytes",
	reflect.TypeFor[runtime.RawExtension]():                       "any",
	reflect.TypeFor[meta.FieldsV1]():                              "any",
	reflect.TypeFor[apiextensions.JSON]():                         "any",
	reflect.TypeFor[apiextensions.JSONSchemaPropsOrArray]():       "any",
	reflect.TypeFor[apiextensions.JSONSchemaPropsOrBool]():        "any",
	reflect.TypeFor[apiextensions.JSONSchemaPropsOrStringArray](): "any",
}

var scalars = map[reflect.Kind]string{
	reflect.String: "string", reflect.Bool: "bool", reflect.Int32: "int32", reflect.Int64: "int64",
	reflect.Int: "int64", reflect.Float64: "float64",
}

// Everything that the roots reach.
type walk struct {
	published publishedTypes
	seen      map[reflect.Type]bool
	order     []reflect.Type
}

func newWalk(published publishedTypes) *walk {
	return &walk{published: published, seen: map[reflect.Type]bool{}}
}

func (w *walk) add(root any) { w.visit(reflect.TypeOf(root)) }

func (w *walk) visit(t reflect.Type) {
	if special[t] != "" {
		return
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		w.visit(t.Elem())
	case reflect.Struct:
		if w.seen[t] {
			return
		}
		w.seen[t] = true
		w.order = append(w.order, t)
		for i := range t.NumField() {
			w.visit(t.Field(i).Type)
		}
	}
}

// "core" of k8s.io/api/core/v1, "autoscalingv2" of k8s.io/api/autoscaling/v2.
func group(t reflect.Type) string {
	version := path.Base(t.PkgPath())
	name := path.Base(path.Dir(t.PkgPath()))
	if version != "v1" {
		name += version
	}
	return name
}

func id(t reflect.Type) string { return group(t) + "." + t.Name() }

type field struct {
	reflect.StructField
	name    string   // "" for one whose fields stand in its parent
	options []string // of the json tag
}

func fieldsOf(t reflect.Type) []field {
	var fields []field
	for i := range t.NumField() {
		found := field{StructField: t.Field(i)}
		tag := strings.Split(found.Tag.Get("json"), ",")
		if tag[0] == "-" || !found.IsExported() {
			continue
		}
		found.name, found.options = tag[0], tag[1:]
		fields = append(fields, found)
	}
	return fields
}

func (f field) inlined() bool { return f.name == "" }

// With the fields of those that are inlined, as JSON has them.
func flatFields(t reflect.Type) []field {
	var flat []field
	for _, f := range fieldsOf(t) {
		if f.inlined() {
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			flat = append(flat, flatFields(inner)...)
		} else {
			flat = append(flat, f)
		}
	}
	slices.SortFunc(flat, func(a, b field) int { return strings.Compare(a.name, b.name) })
	return flat
}

// A type in the notation of src/apiserver/schema/type_schema.h.
func word(t reflect.Type) string {
	if name := special[t]; name != "" {
		return name
	}
	switch t.Kind() {
	case reflect.Struct:
		return id(t)
	case reflect.Pointer:
		return "*" + word(t.Elem())
	case reflect.Slice:
		return "[]" + word(t.Elem())
	case reflect.Map:
		return "{}" + word(t.Elem())
	}
	scalar := scalars[t.Kind()]
	if scalar == "" {
		log.Fatalf("no notation for %s", t)
	}
	return scalar
}

func (w *walk) fieldWord(f field, owner schema) string {
	text := f.name + ":" + word(f.Type)
	if !slices.Contains(f.options, "omitempty") {
		text += "!"
	}
	if slices.Contains(f.options, "omitzero") {
		text += "~"
	}
	strategies := strings.Split(f.Tag.Get("patchStrategy"), ",")
	if slices.Contains(strategies, "retainKeys") {
		text += "%"
	}
	published := owner.Properties[f.name]
	if slices.Contains(owner.Required, f.name) {
		text += "$"
	}
	if published.MapType == "atomic" {
		text += "#"
	}
	if slices.Contains(strategies, "merge") {
		text += "+" + f.Tag.Get("patchMergeKey")
	}
	switch published.ListType {
	case "set":
		text += "="
	case "map":
		text += "=" + strings.Join(published.ListKeys, ",")
	}
	if value, ok := published.Default.(string); ok && value != "" {
		text += "&" + value
	}
	return text
}

func (w *walk) types() []entry {
	groups := map[string]entry{}
	var entries []entry
	for _, t := range w.order {
		if t.Name() == "TypeMeta" {
			continue
		}
		groups[group(t)] = entry{"=" + group(t), publishedPackage(t.PkgPath())}
		published, ok := w.published.schemas[publishedPackage(t.PkgPath())+"."+t.Name()]
		if !ok && !w.onlyInlined(t) {
			fmt.Printf("not published: %s\n", id(t))
		}
		head := id(t)
		if published.MapType == "atomic" {
			head += "#"
		}
		line := entry{head}
		for _, f := range flatFields(t) {
			line = append(line, w.fieldWord(f, published))
		}
		if !w.onlyInlined(t) {
			entries = append(entries, line)
		}
	}
	for _, line := range groups {
		entries = append(entries, line)
	}
	return entries
}

// Whether a type stands nowhere but inside of others.
func (w *walk) onlyInlined(t reflect.Type) bool {
	inlined := false
	for _, owner := range w.order {
		for _, f := range fieldsOf(owner) {
			at := f.Type
			for at.Kind() == reflect.Pointer || at.Kind() == reflect.Slice || at.Kind() == reflect.Map {
				at = at.Elem()
			}
			if at == t && !f.inlined() {
				return false
			}
			inlined = inlined || at == t
		}
	}
	return inlined
}

// NAME=NUMBER for each field; *=NUMBER:MESSAGE for one whose fields stand in its parent in JSON.
func (w *walk) numbers() []entry {
	var entries []entry
	for _, t := range w.order {
		// Definitions of custom resources have no protobuf form here: what they hold is any JSON.
		if t.Name() == "TypeMeta" || group(t) == "apiextensions" {
			continue
		}
		line := entry{id(t)}
		for _, f := range fieldsOf(t) {
			tag := strings.Split(f.Tag.Get("protobuf"), ",")
			if len(tag) < 2 {
				continue
			}
			if f.inlined() {
				line = append(line, fmt.Sprintf("*=%s:%s", tag[1], id(f.Type)))
			} else {
				line = append(line, f.name+"="+tag[1])
			}
		}
		entries = append(entries, line)
	}
	return entries
}

// How the roots that are stored are served: ID GROUP VERSION PLURAL SCOPE SUBRESOURCES...
func (w *walk) kinds(roots []any) []entry {
	var entries []entry
	for _, root := range roots {
		t := reflect.TypeOf(root)
		for _, found := range w.published.resources {
			if found.Kind != t.Name() || found.Version != path.Base(t.PkgPath()) || !inGroup(found.Group, t) {
				continue
			}
			group, scope := found.Group, "cluster"
			if group == "" {
				group = "core"
			}
			if found.namespaced {
				scope = "namespaced"
			}
			line := entry{id(t), group, found.Version, found.plural, scope}
			entries = append(entries, append(line, found.subresources...))
		}
	}
	return entries
}

// "rbac.authorization.k8s.io" of k8s.io/api/rbac/v1.
func inGroup(group string, t reflect.Type) bool {
	name := path.Base(path.Dir(t.PkgPath()))
	return group == name || (group == "" && name == "core") || strings.HasPrefix(group, name+".")
}
