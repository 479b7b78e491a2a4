#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace basalt::apiserver {

// The Go type of a built-in object's field, as far as the wire shows it: what JSON it takes, how a
// strategic merge patch treats it, and how its value is normalised. The types are written down in
// schema/builtin_types.cc, one line a type.
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
  struct Field {
    std::string name;
    const TypeSchema* type = nullptr;
    bool omit_empty = true;  // Go's omitempty: an empty list, map or string is dropped
    bool pointer = false;    // omitempty drops it only where it is absent
    bool omit_zero = false;  // Go's omitzero: a struct without content is dropped
  };

  Kind kind = Kind::kAny;
  std::string id;                       // of a struct: "core.PodSpec"
  std::string go_name;                  // "PodSpec", as decoding errors name it
  std::vector<Field> fields;            // of a struct, sorted by name
  const TypeSchema* element = nullptr;  // of a list or map
  std::string merge_key;                // of a list whose patch strategy is merge; "" for scalars
  bool merge = false;                   // patchStrategy: merge
  bool retain_keys = false;             // patchStrategy: retainKeys

  const Field* FindField(std::string_view name) const;
};

// What Kubernetes' decoder does to a body: checks the type of every known field, drops unknown ones
// and null, normalises quantities and times. The error reads as the decoder's does:
// `json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`.
// Unknown fields are reported in `unknown` (dotted paths) where it is not null. Afterwards the
// value is what Kubernetes would send back: what Go encodes always is there ("status": {}), what
// omitempty drops is not.
Result<void> Conform(boost::json::value& value, const TypeSchema& type,
                     std::vector<std::string>* unknown = nullptr);

}  // namespace basalt::apiserver
