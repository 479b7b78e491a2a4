#include "apiserver/kinds/object_meta.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <cctype>

#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/field_rules.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "base/ascii.h"

namespace basalt::apiserver {
namespace {

constexpr std::size_t kMostAnnotationBytes = 256 * 1024;

void ValidateOwnerReferences(const json::array& owners, FieldErrors& errors) {
  const std::string path = "metadata.ownerReferences";
  std::string controller;
  for (const json::value& item : owners) {
    const json::object& owner = AsObject(item);
    const std::string_view api_version = GetString(owner, {"apiVersion"});
    const std::size_t slash = api_version.find('/');
    const std::string_view version =
        slash == api_version.npos ? api_version : api_version.substr(slash + 1);
    if (version.empty()) {
      errors.Invalid(Sub(path, "apiVersion"), api_version, "version must not be empty");
    }
    for (const std::string_view field : {"kind", "name", "uid"}) {
      if (GetString(owner, {field}).empty()) {
        errors.Invalid(Sub(path, field), GetString(owner, {field}), "must not be empty");
      }
    }
    if (api_version == "v1" && GetString(owner, {"kind"}) == "Event") {
      errors.Invalid(path, item, "/v1, Kind=Event is disallowed from being an owner");
    }
    if (GetBool(owner, {"controller"})) {
      const std::string name =
          fmt::format("{}/{}", GetString(owner, {"kind"}), GetString(owner, {"name"}));
      if (!controller.empty()) {
        errors.Invalid(path, owners,
                       fmt::format("Only one reference can have Controller set to true. Found "
                                   "\"true\" in references for {} and {}",
                                   controller, name));
      } else {
        controller = name;
      }
    }
  }
}

void ValidateFinalizers(const json::array& finalizers, FieldErrors& errors) {
  const std::string path = "metadata.finalizers";
  bool orphan = false;
  bool foreground = false;
  for (std::size_t i = 0; i < finalizers.size(); ++i) {
    const std::string_view name = AsText(finalizers[i]);
    AddInvalid(path, finalizers[i], syntax::QualifiedName(name), errors);
    orphan |= name == "orphan";
    foreground |= name == "foregroundDeletion";
  }
  if (orphan && foreground) {
    errors.Invalid(path, finalizers, "finalizer orphan and foregroundDeletion cannot be both set");
  }
}

// An expression of a label selector.
void CheckRequirement(const json::object& expression, const std::string& path,
                      FieldErrors& errors) {
  const std::string_view op = GetString(expression, {"operator"});
  const json::array& values = ListOf(expression, "values");
  if (op == "Exists" || op == "DoesNotExist") {
    if (!values.empty()) {
      errors.Forbidden(Sub(path, "values"),
                       "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
  } else if (op != "In" && op != "NotIn") {
    errors.Invalid(Sub(path, "operator"), op, "not a valid selector operator");
  } else if (values.empty()) {
    errors.Required(Sub(path, "values"), "must be specified when `operator` is 'In' or 'NotIn'");
  }
  const std::string_view key = GetString(expression, {"key"});
  AddInvalid(Sub(path, "key"), key, syntax::LabelKey(key), errors);
  if (op == "Exists" || op == "DoesNotExist") return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    AddInvalid(At(Sub(path, "values"), i), values[i], syntax::LabelValue(AsText(values[i])),
               errors);
  }
}

}  // namespace

void AddInvalid(const std::string& path, const QuotedValue& value,
                const syntax::Complaints& complaints, FieldErrors& errors) {
  for (const std::string& complaint : complaints) errors.Invalid(path, value, complaint);
}

void RequireUnchanged(const json::object& object, const json::object& old, std::string_view field,
                      const std::string& path, FieldErrors& errors) {
  const json::value* now = Find(object, {field});
  const json::value* before = Find(old, {field});
  const json::value nothing;
  if ((now ? *now : nothing) == (before ? *before : nothing)) return;
  errors.Invalid(path, now ? *now : nothing, "field is immutable");
}

void ValidateLabels(const json::object* labels, const std::string& path, FieldErrors& errors) {
  if (labels == nullptr) return;
  for (const auto& [key, value] : *labels) {
    AddInvalid(path, std::string_view(key), syntax::LabelKey(key), errors);
    AddInvalid(path, value, syntax::LabelValue(AsText(value)), errors);
  }
}

void ValidateAnnotations(const json::object* annotations, const std::string& path,
                         FieldErrors& errors) {
  if (annotations == nullptr) return;
  std::size_t bytes = 0;
  for (const auto& [key, value] : *annotations) {
    AddInvalid(path, std::string_view(key), syntax::QualifiedName(ToLower(key)), errors);
    bytes += key.size() + AsText(value).size();
  }
  if (bytes > kMostAnnotationBytes) errors.TooLong(path, kMostAnnotationBytes);
}

void ValidateObjectMeta(const json::object& object, bool namespaced, NameCheck name_check,
                        FieldErrors& errors) {
  const json::object& metadata = ObjectOf(object, "metadata");
  const std::string_view generate_name = GetString(metadata, {"generateName"});
  if (!generate_name.empty()) {
    AddInvalid("metadata.generateName", generate_name, name_check(generate_name, true), errors);
  }
  const std::string_view name = GetString(metadata, {"name"});
  if (name.empty()) {
    errors.Required("metadata.name", "name or generateName is required");
  } else {
    AddInvalid("metadata.name", name, name_check(name, false), errors);
  }
  const std::string_view ns = GetString(metadata, {"namespace"});
  if (namespaced) {
    if (ns.empty()) {
      errors.Required("metadata.namespace");
    } else {
      AddInvalid("metadata.namespace", ns, syntax::Dns1123Label(ns), errors);
    }
  } else if (!ns.empty()) {
    errors.Forbidden("metadata.namespace", "not allowed on this type");
  }
  ValidateLabels(FindObject(metadata, {"labels"}), "metadata.labels", errors);
  ValidateAnnotations(FindObject(metadata, {"annotations"}), "metadata.annotations", errors);
  ValidateOwnerReferences(ListOf(metadata, "ownerReferences"), errors);
  ValidateFinalizers(ListOf(metadata, "finalizers"), errors);
}

void ValidateObjectMetaUpdate(const json::object& object, const json::object& old,
                              FieldErrors& errors) {
  const json::object& now = ObjectOf(object, "metadata");
  const json::object& before = ObjectOf(old, "metadata");
  if (IsBeingDeleted(old)) {
    const json::array& had = ListOf(before, "finalizers");
    std::string added;
    for (const json::value& finalizer : ListOf(now, "finalizers")) {
      if (std::ranges::find(had, finalizer) != had.end()) continue;
      if (!added.empty()) added += ", ";
      added += Quoted(AsText(finalizer));
    }
    if (!added.empty()) {
      errors.Forbidden("metadata.finalizers",
                       fmt::format("no new finalizers can be added if the object is being deleted, "
                                   "found new finalizers []string{{{}}}",
                                   added));
    }
  }
  for (const std::string_view field : {"name", "namespace", "uid", "creationTimestamp",
                                       "deletionTimestamp", "deletionGracePeriodSeconds"}) {
    RequireUnchanged(now, before, field, Sub("metadata", field), errors);
  }
  ValidateLabels(FindObject(now, {"labels"}), "metadata.labels", errors);
  ValidateAnnotations(FindObject(now, {"annotations"}), "metadata.annotations", errors);
  ValidateOwnerReferences(ListOf(now, "ownerReferences"), errors);
}

void ValidateAnyUpdate(const json::object& object, const json::object& old, bool namespaced,
                       FieldErrors& errors) {
  ValidateObjectMeta(object, namespaced, syntax::NameIsPathSegment, errors);
  ValidateObjectMetaUpdate(object, old, errors);
}

void ValidateFinalizerNames(const json::object& object, FieldErrors& errors) {
  const json::array& finalizers = ListAt(object, {"metadata", "finalizers"});
  for (std::size_t i = 0; i < finalizers.size(); ++i) {
    const std::string_view name = AsText(finalizers[i]);
    if (name.find('/') != name.npos || name == "kubernetes" || name == "orphan" ||
        name == "foregroundDeletion") {
      continue;
    }
    errors.Invalid(At("metadata.finalizers", i), name,
                   "name is neither a standard finalizer name nor is it fully qualified");
  }
}

std::span<const TypeHooks> SelectorHooks() {
  static constexpr TypeHooks kTypes[] = {
      {.type = "meta.LabelSelectorRequirement", .check = CheckRequirement}};
  return kTypes;
}

}  // namespace basalt::apiserver
