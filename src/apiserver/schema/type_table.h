#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {

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
// Immutable; owns its types, which do not move. What it cannot read ends the program: the table is
// a part of it.
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
