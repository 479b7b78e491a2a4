#pragma once

#include "apiserver/apply/field_set.h"
#include "apiserver/object/object.h"
#include "apiserver/schema/type_schema.h"
#include "base/error.h"

// What server-side apply and the keeping of managers do with values, by their type's list types:
// lists that are merged by keys or as sets, lists and maps that are taken as a whole. Pure
// functions.
namespace basalt::apiserver {

// Whether somebody may apply this: known fields alone, scalars where scalars belong, keys in the
// items of merged lists, each once. The error names the field.
Result<void> CheckApplied(const json::value& value, const TypeSchema& type,
                          const std::string& path = "");

// The fields that a value sets.
FieldSet FieldsOf(const json::value& value, const TypeSchema& type);

// `live` with what `applied` sets.
json::value MergeApplied(const json::value& live, const json::value& applied,
                         const TypeSchema& type);

// What is different in `after`.
struct Comparison {
  FieldSet set;  // added, or to something else
  FieldSet removed;
};
Comparison Compare(const json::value& before, const json::value& after, const TypeSchema& type);

// The value without these fields.
json::value Without(const json::value& value, const FieldSet& fields, const TypeSchema& type);

// With the fields of structs on the way to its members: who owns .spec.replicas owns .spec, too.
FieldSet WithNamedFields(const FieldSet& set, const TypeSchema& type);

}  // namespace basalt::apiserver
