#pragma once

#include <map>

#include "apiserver/object/object.h"
#include "apiserver/schema/type_schema.h"
#include "base/error.h"

// What server-side apply and the keeping of managers do with values, by their type's list types:
// lists that are merged by keys or as sets, lists and maps that are taken as a whole. Pure
// functions.
namespace basalt::apiserver {

// A set of fields of an object: which ones a manager owns. A tree by path elements, each written as
// metadata.managedFields writes it: f:NAME (a field), k:{"name":"c"} (an item of a list by its
// keys), v:VALUE (an item of a set).
struct FieldSet {
  bool member = false;  // the field itself, not only some below it
  std::map<std::string, FieldSet, std::less<>> children;

  bool Empty() const { return !member && children.empty(); }
  const FieldSet* Find(std::string_view element) const;
  // Puts `child` there, unless it is empty.
  void Add(std::string element, FieldSet child) {
    if (!child.Empty()) children.insert_or_assign(std::move(element), std::move(child));
  }

  FieldSet& operator|=(const FieldSet& other);
  FieldSet& operator&=(const FieldSet& other);
  // The fields themselves: what is below a field of `other` stays.
  FieldSet& operator-=(const FieldSet& other);

  // The form on the wire ("fieldsV1"). Reading takes what it understands.
  json::object ToFieldsV1() const;
  static FieldSet FromFieldsV1(const json::object& fields);

  // As conflicts name them: .spec.containers[name="c"].image
  std::vector<std::string> Paths() const;
};

inline FieldSet operator|(FieldSet a, const FieldSet& b) { return std::move(a |= b); }
inline FieldSet operator&(FieldSet a, const FieldSet& b) { return std::move(a &= b); }
inline FieldSet operator-(FieldSet a, const FieldSet& b) { return std::move(a -= b); }

// Whether this may be applied: known fields alone, scalars where scalars belong, keys in the items
// of merged lists, each once. The error names the field.
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

// With the fields of structs on the way to its members: an owner of .spec.replicas owns .spec, too.
FieldSet WithNamedFields(const FieldSet& set, const TypeSchema& type);

}  // namespace basalt::apiserver
