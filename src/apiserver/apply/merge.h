#pragma once

#include <boost/json/value.hpp>

#include "apiserver/apply/field_set.h"
#include "apiserver/schema/type_schema.h"
#include "base/error.h"

// What server-side apply and the keeping of managers do with values, by their type's list types:
// lists that are merged by keys or as sets, lists and maps that are taken as a whole. Pure
// functions.
namespace basalt::apiserver {

// Whether somebody may apply this: known fields alone, scalars where scalars belong, keys in the
// items of merged lists, each once. The error names the field.
Result<void> CheckApplied(const boost::json::value& value, const TypeSchema& type);

// The fields that a value sets.
FieldSet FieldsOf(const boost::json::value& value, const TypeSchema& type);

// `live` with what `applied` sets.
boost::json::value MergeApplied(const boost::json::value& live, const boost::json::value& applied,
                                const TypeSchema& type);

// What is different in `after`.
struct Comparison {
  FieldSet set;  // added, or to something else
  FieldSet removed;
};
Comparison Compare(const boost::json::value& before, const boost::json::value& after,
                   const TypeSchema& type);

// The value without these fields.
boost::json::value Without(const boost::json::value& value, const FieldSet& fields,
                           const TypeSchema& type);

// With the fields of structs on the way to its members: who owns .spec.replicas owns .spec, too.
FieldSet WithNamedFields(const FieldSet& set, const TypeSchema& type);

}  // namespace basalt::apiserver
