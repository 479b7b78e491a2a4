#pragma once

#include <string>
#include <string_view>

#include "apiserver/kinds/syntax.h"
#include "apiserver/object/field_errors.h"
#include "apiserver/object/kind.h"

namespace basalt::apiserver {

using NameCheck = syntax::Complaints (*)(std::string_view name, bool prefix);

// metadata of any object, built-in or not: name, generateName, namespace, labels, annotations,
// owner references, finalizers.
void ValidateObjectMeta(const json::object& object, bool namespaced, NameCheck name_check,
                        FieldErrors& errors);
// What may not change once it is written; the parts that may are checked as above.
void ValidateObjectMetaUpdate(const json::object& object, const json::object& old,
                              FieldErrors& errors);
// What every update goes through before its kind's own rules, which then say much of it again:
// Kubernetes reports each complaint as often as it checks.
void ValidateAnyUpdate(const json::object& object, const json::object& old, bool namespaced,
                       FieldErrors& errors);
// Built-in kinds allow only finalizers with a domain, and three of Kubernetes' own.
void ValidateFinalizerNames(const json::object& object, FieldErrors& errors);

// Parts of the above that templates need too.
void ValidateLabels(const json::object* labels, const std::string& path, FieldErrors& errors);
void ValidateAnnotations(const json::object* annotations, const std::string& path,
                         FieldErrors& errors);

// Adds a complaint of kind Invalid for each.
void AddInvalid(const std::string& path, const QuotedValue& value,
                const syntax::Complaints& complaints, FieldErrors& errors);
// "field is immutable" where the two differ; a missing value counts as null.
void RequireUnchanged(const json::object& object, const json::object& old, std::string_view field,
                      const std::string& path, FieldErrors& errors);

}  // namespace basalt::apiserver
