
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <set>
#include <vector>

#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/pod.h"
#include "apiserver/object/object.h"

namespace basalt::apiserver {
namespace {

bool SameNumberOfContainers(const json::object& spec, const json::object& old,
                            FieldErrors& errors) {
  if (ListOf(spec, "containers").size() != ListOf(old, "containers").size()) {
    errors.Forbidden("spec.containers", "pod updates may not add or remove containers");
    return false;
  }
  if (ListOf(spec, "initContainers").size() != ListOf(old, "initContainers").size()) {
    errors.Forbidden("spec.initContainers", "pod updates may not add or remove containers");
    return false;
  }
  return true;
}

void CheckImages(const json::object& spec, FieldErrors& errors) {
  for (const std::string_view list : {"containers", "initContainers"}) {
    const json::array& containers = ListOf(spec, list);
    for (std::size_t i = 0; i < containers.size(); ++i) {
      if (GetString(AsObject(containers[i]), {"image"}).empty()) {
        errors.Required(Sub(At(Sub("spec", list), i), "image"));
      }
    }
  }
}

void CheckDeadline(const json::object& spec, const json::object& old, FieldErrors& errors) {
  const json::value* now = Find(spec, {"activeDeadlineSeconds"});
  const json::value* before = Find(old, {"activeDeadlineSeconds"});
  if (now != nullptr) {
    const std::int64_t seconds = GetInt(spec, {"activeDeadlineSeconds"});
    if (seconds < 0 || seconds > 2147483647) {
      errors.Invalid("spec.activeDeadlineSeconds", *now,
                     "must be between 0 and 2147483647, inclusive");
      return;
    }
    if (before != nullptr && GetInt(old, {"activeDeadlineSeconds"}) < seconds) {
      errors.Invalid("spec.activeDeadlineSeconds", *now,
                     "must be less than or equal to previous value");
    }
  } else if (before != nullptr) {
    errors.Invalid("spec.activeDeadlineSeconds", nullptr,
                   "must not update from a positive integer to nil value");
  }
}

void CheckGates(const json::object& spec, const json::object& old, FieldErrors& errors) {
  const NameSet had = NamesIn(ListOf(old, "schedulingGates"));
  const json::array& has = ListOf(spec, "schedulingGates");
  for (std::size_t i = 0; i < has.size(); ++i) {
    const std::string_view name = GetString(AsObject(has[i]), {"name"});
    if (had.contains(name)) continue;
    errors.Forbidden(
        Sub(At("spec.schedulingGates", i), "name"),
        fmt::format("only deletion is allowed, but found new scheduling gate '{}'", name));
  }
}

void CheckTolerations(const json::object& spec, const json::object& old, FieldErrors& errors) {
  const auto without_seconds = [](const json::value& item) {
    const json::object& toleration = AsObject(item);
    std::vector<std::string_view> parts;
    for (const std::string_view field : {"key", "operator", "value", "effect"}) {
      parts.push_back(GetString(toleration, {field}));
    }
    return parts;
  };
  std::set<std::vector<std::string_view>> present;
  for (const json::value& item : ListOf(spec, "tolerations")) present.insert(without_seconds(item));
  for (const json::value& before : ListOf(old, "tolerations")) {
    if (!present.contains(without_seconds(before))) {
      errors.Forbidden("spec.tolerations",
                       "existing toleration can not be modified except its tolerationSeconds");
      return;
    }
  }
}

// A gated pod's node selector and affinity may become stricter.
void CheckGatedNodeSelector(const json::object& spec, const json::object& old,
                            FieldErrors& errors) {
  const json::object* before = FindObject(old, {"nodeSelector"});
  if (before == nullptr) return;
  const json::object* now = FindObject(spec, {"nodeSelector"});
  for (const auto& [key, value] : *before) {
    const json::value* kept = now ? now->if_contains(key) : nullptr;
    if (kept != nullptr && *kept == value) continue;
    errors.Invalid("spec.nodeSelector", now ? json::value(*now) : json::value(),
                   "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
    return;
  }
}

void CheckGatedNodeAffinity(const json::object& spec, const json::object& old,
                            FieldErrors& errors) {
  constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
  const std::string path =
      fmt::format("spec.affinity.nodeAffinity.{}.nodeSelectorTerms", kRequired);
  const json::array* before =
      FindArray(old, {"affinity", "nodeAffinity", kRequired, "nodeSelectorTerms"});
  if (before == nullptr || before->empty()) return;
  const json::array* now =
      FindArray(spec, {"affinity", "nodeAffinity", kRequired, "nodeSelectorTerms"});
  if (now == nullptr || now->size() != before->size()) {
    errors.Invalid(path, now ? json::value(*now) : json::value(),
                   "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
    return;
  }
  for (std::size_t i = 0; i < now->size(); ++i) {
    for (const std::string_view list : {"matchExpressions", "matchFields"}) {
      const json::array& kept = ListOf(AsObject((*before)[i]), list);
      const json::array& has = ListOf(AsObject((*now)[i]), list);
      const bool prefix =
          has.size() >= kept.size() && std::equal(kept.begin(), kept.end(), has.begin());
      if (!prefix) {
        errors.Invalid(At(path, i), (*now)[i],
                       "only additions are allowed (no mutations or deletions)");
        break;
      }
    }
  }
}

}  // namespace

void CheckPodUpdate(const json::object& pod, const json::object& old_pod, FieldErrors& errors) {
  const json::object& spec = ObjectOf(pod, "spec");
  const json::object& old = ObjectOf(old_pod, "spec");
  if (!SameNumberOfContainers(spec, old, errors)) return;
  CheckImages(spec, errors);
  CheckDeadline(spec, old, errors);
  CheckGates(spec, old, errors);
  CheckTolerations(spec, old, errors);

  json::object munged = spec;
  for (const std::string_view list : {"containers", "initContainers"}) {
    json::array* containers = FindArray(munged, {list});
    const json::array& before = ListOf(old, list);
    for (std::size_t i = 0; containers != nullptr && i < before.size(); ++i) {
      Restore(AsObject((*containers)[i]), AsObject(before[i]), "image");
    }
  }
  for (const std::string_view field : {"activeDeadlineSeconds", "schedulingGates", "tolerations"}) {
    Restore(munged, old, field);
  }
  const std::int64_t grace = GetInt(spec, {"terminationGracePeriodSeconds"});
  if (GetInt(old, {"terminationGracePeriodSeconds"}) < 0 && grace == 1) {
    Restore(munged, old, "terminationGracePeriodSeconds");
  }
  if (!ListOf(old, "schedulingGates").empty()) {
    CheckGatedNodeSelector(spec, old, errors);
    Restore(munged, old, "nodeSelector");
    if (munged.contains("affinity") || old.contains("affinity")) {
      CheckGatedNodeAffinity(spec, old, errors);
      const json::value* before = Find(old, {"affinity", "nodeAffinity"});
      if (before != nullptr) {
        Child(munged, "affinity")["nodeAffinity"] = *before;
      } else if (json::object* affinity = FindObject(munged, {"affinity"})) {
        affinity->erase("nodeAffinity");
        if (affinity->empty() && !old.contains("affinity")) munged.erase("affinity");
      }
    }
  }
  if (munged == old) return;
  errors.Forbidden(
      "spec",
      "pod updates may not change fields other than "
      "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
      "`spec.tolerations` (only additions to existing tolerations),"
      "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously "
      "negative); changed: " +
          ChangedFields(old, munged, "core.PodSpec"));
}

}  // namespace basalt::apiserver
