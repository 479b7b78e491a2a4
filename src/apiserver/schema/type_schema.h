#pragma once

#include <deque>
#include <map>

#include "apiserver/object/object.h"
#include "base/error.h"

namespace basalt::apiserver {

// The Go type of a built-in object's field, as far as the wire shows it: what JSON it takes, how
// its value is normalised, how a strategic merge patch treats it, and how server-side apply merges
// it. The types are written down in data/types.txt, an entry a type; those of custom resources come
// from their definitions (kinds/custom_kind.h). Owned by a TypeTable or by MergeTypes.
struct TypeSchema {
  enum class Kind {
    kString,
    kBool,
    kInt32,
    kInt64,
    kDouble,
    kQuantity,  // normalised to its canonical form
    kTime,      // RFC 3339, seconds
    kMicroTime,
    kDuration,
    kIntOrString,
    kBytes,  // base64
    kAny,    // raw JSON
    kStruct,
    kList,
    kMap,  // string keys
  };
  enum class ListType { kAtomic, kSet, kMap };
  struct Field {
    std::string name;
    const TypeSchema* type = nullptr;
    bool omit_empty = true;  // Go's omitempty: an empty list, map or string is dropped
    bool pointer = false;    // omitempty drops it only where it is absent
    bool omit_zero = false;  // Go's omitzero: a struct without content is dropped
    bool required = false;
    std::string default_value;  // as text, of a string field
  };

  Kind kind = Kind::kAny;
  std::string id;                       // of a struct: "core.PodSpec"
  std::vector<Field> fields;            // of a struct, sorted by name
  const TypeSchema* element = nullptr;  // of a list or map
  std::string merge_key;                // of a list whose patch strategy is merge; "" for scalars
  bool merge = false;                   // patchStrategy: merge
  bool retain_keys = false;             // patchStrategy: retainKeys
  ListType list_type = ListType::kAtomic;  // of a list: how server-side apply merges it
  std::vector<std::string> list_keys;      // of a kMap, sorted
  bool atomic = false;         // of a struct or map: server-side apply takes it as a whole
  bool open = false;           // of a custom resource's type: fields that it does not name are kept
  std::string published_name;  // of a struct: "io.k8s.api.core.v1.PodSpec"

  const Field* FindField(std::string_view name) const;
};

// What Kubernetes' decoder does to a body: checks the type of every known field, drops unknown ones
// and null, normalises quantities and times. The error names the field: "spec.replicas: an integer
// is expected, not a string". Unknown fields are reported in `unknown` (dotted paths) where it is
// not null. Afterwards the value is what Kubernetes would send back. What Go always encodes is
// there ("status": {}); what omitempty drops is not.
Result<void> Conform(json::value& value, const TypeSchema& type,
                     std::vector<std::string>* unknown = nullptr);

// The schema of a built-in type by its group and Go name ("core.Pod", "apps.DeploymentSpec",
// "meta.DeleteOptions"), or nullptr. Lives as long as the program.
const TypeSchema* FindBuiltinType(std::string_view id);

// Of "apps/v1" and "Deployment": apps.Deployment. Options are the same in every group.
std::string TypeIdOf(std::string_view api_version, std::string_view kind);

// Struct types written down as text (data/tables.h), one an entry:
//
//   =core io.k8s.api.core.v1
//   core.Container image:string name:string!$
//     ports:[]core.ContainerPort+containerPort=containerPort,protocol
//
// An entry that starts with = is a group and the published name of its types. Of a type the first
// word is its id, group and Go name, with a # where server-side apply takes the struct as a whole.
// Each further word is a field: name, colon, type, flags. Types are string, bool, int32, int64,
// float64, quantity, time, microtime, duration, intorstring, bytes, any, the id of a struct, []T
// (list), {}T (map with string keys), *T (pointer). Flags are ! (not omitempty), ~ (omitzero), %
// (patchStrategy retainKeys), $ (required), # (a map that server-side apply takes as a whole);
// then, in this order, +KEY (patchStrategy merge; the key is empty for scalars), =KEYS (server-side
// apply merges the list: by these keys, or as a set where there are none), &VALUE (the default).
//
// Immutable; owns its types, which do not move. The built-in table lives as long as the program;
// any thread. What it cannot read ends the program: the table is a part of it.
class TypeTable {
 public:
  explicit TypeTable(std::string_view text);

  const TypeSchema* Find(std::string_view id) const;

 private:
  TypeSchema& New(TypeSchema::Kind kind);
  TypeSchema::Field ParseField(std::string_view word);
  TypeSchema& ParseType(std::string_view word);

  std::deque<TypeSchema> types_;
  std::map<std::string, TypeSchema*, std::less<>> structs_;
  // Structs that a field patches in its own way, and what they are copies of.
  std::vector<std::pair<TypeSchema*, const TypeSchema*>> copies_;
};

}  // namespace basalt::apiserver
