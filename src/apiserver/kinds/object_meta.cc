
#include <algorithm>

#include "apiserver/kinds/checks.h"
#include "apiserver/object/object.h"
#include "base/ascii.h"

namespace basalt::apiserver {
namespace {

constexpr std::size_t kMostAnnotationBytes = 256 * 1024;

void ValidateOwnerReferences(const json::array& owners, FieldErrors& errors) {
  const std::string path = "metadata.ownerReferences";
  int controllers = 0;
  for (const json::value& item : owners) {
    const json::object& owner = AsObject(item);
    for (const std::string_view field : {"apiVersion", "kind", "name", "uid"}) {
      const std::string_view text = GetString(owner, {field});
      if (text.empty() || text.ends_with('/')) {
        errors.Invalid(Sub(path, field), text, "must not be empty");
      }
    }
    if (GetString(owner, {"apiVersion"}) == "v1" && GetString(owner, {"kind"}) == "Event") {
      errors.Invalid(path, item, "an Event cannot be an owner");
    }
    if (GetBool(owner, {"controller"}) && ++controllers == 2) {
      errors.Invalid(path, owners, "only one reference can have controller set to true");
    }
  }
}

void ValidateFinalizers(const json::array& finalizers, FieldErrors& errors) {
  const auto has = [&finalizers](std::string_view name) {
    return std::ranges::find(finalizers, json::value(name)) != finalizers.end();
  };
  for (const json::value& name : finalizers) {
    AddInvalid("metadata.finalizers", name, Misfit("qualifiedName", AsText(name)), errors);
  }
  if (has("orphan") && has("foregroundDeletion")) {
    errors.Invalid("metadata.finalizers", finalizers,
                   "finalizer orphan and foregroundDeletion cannot be both set");
  }
}

}  // namespace

void ValidateLabels(const json::object* labels, const std::string& path, FieldErrors& errors) {
  if (labels == nullptr) return;
  for (const auto& [key, value] : *labels) {
    AddInvalid(path, std::string_view(key), Misfit("qualifiedName", key), errors);
    AddInvalid(path, value, Misfit("labelValue", AsText(value)), errors);
  }
}

void ValidateAnnotations(const json::object* annotations, const std::string& path,
                         FieldErrors& errors) {
  if (annotations == nullptr) return;
  std::size_t bytes = 0;
  for (const auto& [key, value] : *annotations) {
    AddInvalid(path, std::string_view(key), Misfit("qualifiedName", ToLower(key)), errors);
    bytes += key.size() + AsText(value).size();
  }
  if (bytes > kMostAnnotationBytes) errors.TooLong(path, kMostAnnotationBytes);
}

void ValidateObjectMeta(const json::object& object, bool namespaced, std::string_view name_format,
                        FieldErrors& errors) {
  const json::object& metadata = ObjectOf(object, "metadata");
  std::string generate_name(GetString(metadata, {"generateName"}));
  if (!generate_name.empty()) {
    // It may end in a dash: more follows.
    if (generate_name.size() > 1 && generate_name.ends_with('-')) generate_name.back() = 'a';
    AddInvalid("metadata.generateName", generate_name, Misfit(name_format, generate_name), errors);
  }
  const std::string_view name = GetString(metadata, {"name"});
  if (name.empty()) {
    errors.Required("metadata.name", "name or generateName is required");
  } else {
    AddInvalid("metadata.name", name, Misfit(name_format, name), errors);
  }
  const std::string_view ns = GetString(metadata, {"namespace"});
  if (namespaced) {
    if (ns.empty()) {
      errors.Required("metadata.namespace");
    } else {
      AddInvalid("metadata.namespace", ns, Misfit("dnsLabel", ns), errors);
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
  const json::array& had = ListOf(before, "finalizers");
  const bool added = std::ranges::any_of(ListOf(now, "finalizers"), [&had](const json::value& one) {
    return std::ranges::find(had, one) == had.end();
  });
  if (added && IsBeingDeleted(old)) {
    errors.Forbidden("metadata.finalizers",
                     "no new finalizers can be added if the object is being deleted");
  }
  for (const std::string_view field : {"name", "namespace", "uid", "creationTimestamp",
                                       "deletionTimestamp", "deletionGracePeriodSeconds"}) {
    RequireUnchanged(Find(now, {field}), Find(before, {field}), Sub("metadata", field), errors);
  }
}

void ValidateFinalizerNames(const json::object& object, FieldErrors& errors) {
  const json::array& finalizers = ListAt(object, {"metadata", "finalizers"});
  for (std::size_t i = 0; i < finalizers.size(); ++i) {
    AddInvalid(At("metadata.finalizers", i), finalizers[i],
               Misfit("finalizer", AsText(finalizers[i])), errors);
  }
}

}  // namespace basalt::apiserver
