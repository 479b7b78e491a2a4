#pragma once

#include <string>
#include <string_view>

#include "apiserver/kinds/syntax.h"
#include "apiserver/object/field_errors.h"
#include "apiserver/object/kind.h"

namespace basalt::apiserver {

using NameCheck = syntax::Complaint (*)(std::string_view name);

// metadata of any object, built-in or not: name, generateName, namespace, labels, annotations,
// owner references, finalizers.
void ValidateObjectMeta(const json::object& object, bool namespaced, NameCheck name_check,
                        FieldErrors& errors);
// What may not change once it is written.
void ValidateObjectMetaUpdate(const json::object& object, const json::object& old,
                              FieldErrors& errors);
// Built-in kinds allow only finalizers with a domain, and three of Kubernetes' own.
void ValidateFinalizerNames(const json::object& object, FieldErrors& errors);

// Parts of the above that templates need too.
void ValidateLabels(const json::object* labels, const std::string& path, FieldErrors& errors);
void ValidateAnnotations(const json::object* annotations, const std::string& path,
                         FieldErrors& errors);

}  // namespace basalt::apiserver
