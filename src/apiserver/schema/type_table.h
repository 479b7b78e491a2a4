#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "apiserver/schema/type_schema.h"
#include "base/error.h"

namespace basalt::apiserver {

// Struct types written down as text, one a line (a line that starts with a blank goes on with the
// one before it):
//
//   core.Container image:string name:string! ports:[]core.ContainerPort+containerPort
//
// The line's first word is the type's id: its API group and Go name. Each further word is a field:
// name, colon, type, flags. Types are string, bool, int32, int64, float64, quantity, time,
// microtime, duration, intorstring, bytes, any, the id of a struct, []T (list), {}T (map with
// string keys), *T (pointer), each followed by @NAME where Go has a name of its own for it. Flags
// are ! (not omitempty), ~ (omitzero), % (patchStrategy retainKeys), +KEY (patchStrategy merge; the
// key is empty for scalars).
//
// Immutable once parsed; owns its types, which do not move.
class TypeTable {
 public:
  static Result<TypeTable> Parse(std::string_view text);

  const TypeSchema* Find(std::string_view id) const;

 private:
  friend class TypeTableParser;
  std::deque<TypeSchema> types_;
  std::map<std::string, TypeSchema*, std::less<>> structs_;
};

}  // namespace basalt::apiserver
