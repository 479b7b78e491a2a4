#include "apiserver/rest/delete.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <utility>

#include "apiserver/object/kube_time.h"
#include "apiserver/object/object.h"
#include "kube/types/time.h"

namespace basalt::apiserver {
namespace {

constexpr std::int64_t kDefaultPodGrace = 30;

ApiResult<void> CheckPreconditions(const KindInfo& info, const StoredObject& stored,
                                   const json::object& object, const DeleteOptions& options) {
  KindInfo by_kind = info;  // these messages name the kind, not the resource
  by_kind.plural = info.kind;
  if (!options.uid.empty() && options.uid != Uid(object)) {
    return Refuse(refusal::Conflict(
        by_kind, stored.name(),
        fmt::format("the UID in the precondition ({}) does not match the UID in record ({}). The "
                    "object might have been deleted and then recreated",
                    options.uid, Uid(object))));
  }
  if (!options.resource_version.empty() &&
      options.resource_version != std::to_string(stored.version)) {
    return Refuse(refusal::Conflict(
        by_kind, stored.name(),
        fmt::format("the ResourceVersion in the precondition ({}) does not match the "
                    "ResourceVersion in record ({}). The object might have been modified",
                    options.resource_version, stored.version)));
  }
  return {};
}

const json::array& Finalizers(const json::object& object) {
  return ListAt(object, {"metadata", "finalizers"});
}

bool Has(const json::array& finalizers, std::string_view name) {
  return std::ranges::any_of(finalizers, [name](const json::value& item) {
    return item.is_string() && std::string_view(item.get_string()) == name;
  });
}

// The finalizers that the chosen propagation asks for. One that is there already stays when nothing
// else is said.
json::array FinalizersFor(const json::object& object, const KindInfo& info,
                          const DeleteOptions& options) {
  const json::array before = Finalizers(object);
  const bool said = !options.propagation.empty() || options.orphan_dependents.has_value();
  const bool orphan =
      said ? options.propagation == "Orphan" || options.orphan_dependents == true
           : Has(before, kOrphanFinalizer) || (info.orphans && !Has(before, kForegroundFinalizer));
  const bool foreground =
      said ? options.propagation == "Foreground" : Has(before, kForegroundFinalizer);
  json::array after;
  for (const json::value& item : before) {
    const std::string_view name = item.is_string() ? std::string_view(item.get_string()) : "";
    if (name != kOrphanFinalizer && name != kForegroundFinalizer) after.push_back(item);
  }
  if (orphan) after.push_back(json::string(kOrphanFinalizer));
  if (foreground) after.push_back(json::string(kForegroundFinalizer));
  // The same names in another order are no change.
  if (after.size() == before.size() &&
      std::ranges::all_of(after, [&before](const json::value& item) {
        return std::find(before.begin(), before.end(), item) != before.end();
      })) {
    return before;
  }
  return after;
}

std::int64_t GraceOf(const json::object& pod, const DeleteOptions& options) {
  const std::string_view phase = GetString(pod, {"status", "phase"});
  if (GetString(pod, {"spec", "nodeName"}).empty() || phase == "Failed" || phase == "Succeeded") {
    return 0;
  }
  const std::int64_t grace = options.grace_seconds.value_or(
      GetInt(pod, {"spec", "terminationGracePeriodSeconds"}, kDefaultPodGrace));
  return grace < 0 ? 1 : grace;
}

void Mark(json::object& object, Time when, std::int64_t grace) {
  json::object& metadata = Metadata(object);
  metadata["deletionTimestamp"] = FormatTime(when);
  metadata["deletionGracePeriodSeconds"] = grace;
}

void BumpGeneration(json::object& object) {
  const std::int64_t generation = GetInt(object, {"metadata", "generation"});
  if (generation > 0) Metadata(object)["generation"] = generation + 1;
}

// Sets or shortens the grace period of a pod. False: it is already going and stays as it is.
bool MarkGraceful(json::object& pod, const DeleteOptions& options, Time now) {
  if (!IsBeingDeleted(pod)) {
    const std::int64_t grace = GraceOf(pod, options);
    Mark(pod, After(now, grace), grace);
    BumpGeneration(pod);
    return true;
  }
  if (!options.grace_seconds) return false;
  const std::int64_t wanted = *options.grace_seconds < 0 ? 1 : *options.grace_seconds;
  const std::int64_t present = GetInt(pod, {"metadata", "deletionGracePeriodSeconds"});
  if (wanted >= present) return false;
  const Result<Time> end = kube::ParseTime(GetString(pod, {"metadata", "deletionTimestamp"}));
  const Time start = After(end ? *end : now, -present);
  Mark(pod, After(start, wanted), wanted);
  return true;
}

// A definition takes its objects with it: the server deletes them first.
bool IsDefinition(const KindInfo& info) {
  return info.group == "apiextensions.k8s.io" && info.plural == "customresourcedefinitions";
}

// A namespace goes when its own finalizers (spec, not metadata) are gone: the server empties it
// first.
bool IsNamespace(const KindInfo& info) { return info.group.empty() && info.plural == "namespaces"; }

}  // namespace

bool HasFinalizers(const json::object& object) { return !Finalizers(object).empty(); }

ApiResult<DeleteOutcome> DeleteObject(Core& core, const ServedKind& kind, std::string_view key,
                                      const DeleteOptions& options) {
  Collection& collection = *kind.collection;
  const StoredPtr stored = Store::Get(collection, key);
  if (stored == nullptr) {
    const std::size_t slash = key.find('/');
    return Refuse(refusal::NotFound(kind.info,
                                    slash == std::string_view::npos ? key : key.substr(slash + 1)));
  }
  json::object object = kind.Load(*stored);
  if (ApiResult<void> ok = CheckPreconditions(kind.info, *stored, object, options); !ok) {
    return Refuse(ok.error());
  }
  const json::object before = CopyNear(object);
  const Time now = core.loop.Now();
  json::array finalizers = FinalizersFor(object, kind.info, options);
  if (IsDefinition(kind.info) && !Has(finalizers, kCleanupFinalizer)) {
    finalizers.push_back(json::string(kCleanupFinalizer));
  }
  bool waits = !finalizers.empty();
  if (finalizers != Finalizers(object)) {
    if (finalizers.empty()) {
      Metadata(object).erase("finalizers");
    } else {
      Metadata(object)["finalizers"] = std::move(finalizers);
    }
  }
  if (kind.info.graceful_deletion) {
    MarkGraceful(object, options, now);
    waits = waits || GetInt(object, {"metadata", "deletionGracePeriodSeconds"}) > 0;
  } else if (IsNamespace(kind.info)) {
    waits = waits || !ListAt(object, {"spec", "finalizers"}).empty();
    if (waits && !IsBeingDeleted(object)) {
      Mark(object, now, 0);
      Metadata(object).erase("deletionGracePeriodSeconds");
      Child(object, "status")["phase"] = "Terminating";
    }
  } else if (waits && !IsBeingDeleted(object)) {
    Mark(object, now, 0);
    BumpGeneration(object);
  }
  DeleteOutcome outcome{.removed = !waits};
  if (options.dry_run || (waits && object == before)) {
    outcome.object = std::move(object);
    return outcome;
  }
  object = kind.ToStored(std::move(object));
  const StoredPtr result = waits ? core.store.Update(collection, key, std::move(object))
                                 : core.store.Delete(collection, key, std::move(object));
  outcome.object = kind.Load(*result);
  return outcome;
}

void RemoveFinalizer(Store& store, Collection& collection, std::string_view key,
                     std::string_view finalizer) {
  const StoredPtr stored = Store::Get(collection, key);
  if (stored == nullptr) return;
  json::object parsed = stored->Parse();
  json::array* finalizers = FindArray(parsed, {"metadata", "finalizers"});
  if (finalizers == nullptr) return;
  json::array kept;
  for (const json::value& item : *finalizers) {
    if (!item.is_string() || std::string_view(item.get_string()) != finalizer) kept.push_back(item);
  }
  if (kept.size() == finalizers->size()) return;
  const bool last = kept.empty();
  if (last) {
    Metadata(parsed).erase("finalizers");
  } else {
    *finalizers = std::move(kept);
  }
  if (last && stored->being_deleted &&
      GetInt(parsed, {"metadata", "deletionGracePeriodSeconds"}) == 0) {
    store.Delete(collection, key, std::move(parsed));
  } else {
    store.Update(collection, key, std::move(parsed));
  }
}

}  // namespace basalt::apiserver
