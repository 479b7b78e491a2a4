#include "apiserver/rest/delete.h"

#include <fmt/format.h>

#include <algorithm>

#include "apiserver/object/object.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/read.h"
#include "apiserver/rest/request.h"
#include "apiserver/rest/write.h"
#include "kube/types/time.h"

namespace basalt::apiserver {
namespace {

constexpr std::int64_t kDefaultPodGrace = 30;

ApiResult<void> CheckPreconditions(const KindInfo& info, const StoredObject& stored,
                                   const DeleteOptions& options) {
  KindInfo by_kind = info;  // these messages name the kind, not the resource
  by_kind.plural = info.kind;
  const auto check = [&](std::string_view what, const std::string& wanted,
                         const std::string& is) -> ApiResult<void> {
    if (wanted.empty() || wanted == is) return {};
    return Refuse(refusal::Conflict(
        by_kind, stored.name(),
        fmt::format("the {} in the precondition ({}) does not match the one in record ({})", what,
                    wanted, is)));
  };
  const ApiResult<void> same_uid = check("UID", options.uid, stored.uid);
  if (!same_uid) return same_uid;
  return check("ResourceVersion", options.resource_version, std::to_string(stored.version));
}

const json::array& Finalizers(const json::object& object) {
  return ListAt(object, {"metadata", "finalizers"});
}

void SetFinalizers(json::object& object, json::array finalizers) {
  if (finalizers.empty()) {
    Metadata(object).erase("finalizers");
  } else {
    Metadata(object)["finalizers"] = std::move(finalizers);
  }
}

bool Has(const json::array& names, std::string_view name) {
  return std::ranges::find(names, json::value(name)) != names.end();
}

// Puts a name into a list, or takes it out.
void SetMember(json::array& names, std::string_view name, bool wanted) {
  const auto at = std::ranges::find(names, json::value(name));
  if (wanted && at == names.end()) names.push_back(json::string(name));
  if (!wanted && at != names.end()) names.erase(at);
}

// The finalizers that the chosen propagation asks for. One that is there already stays when nothing
// else is said.
json::array FinalizersFor(const json::object& object, const KindInfo& info,
                          const DeleteOptions& options) {
  json::array finalizers = Finalizers(object);
  const bool said = !options.propagation.empty() || options.orphan_dependents.has_value();
  const bool orphan = said ? options.propagation == "Orphan" || options.orphan_dependents == true
                           : Has(finalizers, kOrphanFinalizer) ||
                                 (info.orphans && !Has(finalizers, kForegroundFinalizer));
  const bool foreground =
      said ? options.propagation == "Foreground" : Has(finalizers, kForegroundFinalizer);
  SetMember(finalizers, kOrphanFinalizer, orphan);
  SetMember(finalizers, kForegroundFinalizer, foreground);
  // A definition takes its objects with it: the server deletes them first.
  if (info.group == "apiextensions.k8s.io") SetMember(finalizers, kCleanupFinalizer, true);
  return finalizers;
}

bool IsNamespace(const KindInfo& info) { return info.group.empty() && info.plural == "namespaces"; }

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

// Sets or shortens the grace period of a pod.
void MarkGraceful(json::object& pod, const DeleteOptions& options, Time now) {
  if (!IsBeingDeleted(pod)) {
    const std::int64_t grace = GraceOf(pod, options);
    Mark(pod, After(now, grace), grace);
    BumpGeneration(pod);
    return;
  }
  if (!options.grace_seconds) return;
  const std::int64_t wanted = *options.grace_seconds < 0 ? 1 : *options.grace_seconds;
  const std::int64_t present = GetInt(pod, {"metadata", "deletionGracePeriodSeconds"});
  if (wanted >= present) return;
  const Result<Time> end = kube::ParseTime(GetString(pod, {"metadata", "deletionTimestamp"}));
  const Time start = After(end ? *end : now, -present);
  Mark(pod, After(start, wanted), wanted);
}

const KindInfo kDeleteOptions{.version = "v1", .kind = "DeleteOptions"};

// From the body where there is one, else from the query.
ApiResult<DeleteOptions> OptionsOf(Call& call) {
  DeleteOptions options;
  if (!call.http.body.empty()) {
    ApiResult<json::object> body = DecodeBodyAs(call, kDeleteOptions);
    if (!body) return Refuse(body.error());
    options = ReadDeleteOptions(*body);
    for (const json::value& item : ListAt(*body, {"dryRun"})) {
      if (item == "All") continue;
      FieldErrors errors;
      errors.NotSupported("dryRun", ListAt(*body, {"dryRun"}), {"All"});
      return Refuse(InvalidOptions("DeleteOptions", errors));
    }
  } else {
    const ApiResult<std::optional<std::int64_t>> grace = call.query.GetInt("gracePeriodSeconds");
    if (!grace) return Refuse(grace.error());
    options.grace_seconds = *grace;
    options.propagation = call.query.Get("propagationPolicy");
    if (call.query.Has("orphanDependents")) {
      options.orphan_dependents = call.query.GetBool("orphanDependents");
    }
  }
  options.dry_run = options.dry_run || call.dry_run;
  call.dry_run = options.dry_run;
  FieldErrors errors;
  if (!options.propagation.empty() && options.orphan_dependents) {
    errors.Invalid("propagationPolicy", options.propagation,
                   "orphanDependents and deletionPropagation cannot be both set");
  }
  if (!options.propagation.empty() && options.propagation != "Foreground" &&
      options.propagation != "Background" && options.propagation != "Orphan") {
    errors.NotSupported("propagationPolicy", options.propagation,
                        {"Foreground", "Background", "Orphan", "nil"});
  }
  if (!errors.empty()) return Refuse(InvalidOptions("DeleteOptions", errors));
  return options;
}

void AnswerDelete(Call& call, const DeleteOptions& options, const DeleteOutcome& outcome) {
  if (!outcome.removed || call.info().returns_deleted) {
    const bool accepted = !outcome.removed && options.orphan_dependents == false;
    return call.Reply(accepted ? 202 : 200, outcome.object);
  }
  json::object details{
      {"name", Name(outcome.object)}, {"kind", call.info().plural}, {"uid", Uid(outcome.object)}};
  if (!call.info().group.empty()) details["group"] = call.info().group;
  call.ReplySuccess(200, "details", std::move(details));
}

// Both halves of admission; refuses, or goes on with `then`.
void AdmitDelete(const CallPtr& call, const StoredObject& stored,
                 std::move_only_function<void()> then) {
  AdmissionRequest request = call->ForAdmission(Operation::kDelete, "DeleteOptions");
  request.name = stored.name();
  request.ns = stored.ns();
  request.old_object = call->kind->Load(stored);
  call->core.admission.Admit(
      std::move(request), [](json::object nothing) { return nothing; },
      [call, then = std::move(then)](const ApiResult<json::object>& admitted) mutable {
        admitted ? then() : call->Refuse(admitted.error());
      });
}

constexpr std::size_t kDeletesPerTurn = 64;  // bounds the depth of the calls below

// Deletes one after the other, each after its admission; then answers with what was there.
struct DeleteAll : std::enable_shared_from_this<DeleteAll> {
  CallPtr call;
  DeleteOptions options;
  Page page;  // as it was

  void Run(std::size_t next) {
    if (next == page.objects.size()) {
      return call->ReplyText(200, RenderList(*call->kind, {}, page, call->core.loop.Now()));
    }
    AdmitDelete(call, *page.objects[next],
                [self = shared_from_this(), next] { self->DeleteOne(next); });
  }

 private:
  void DeleteOne(std::size_t next) {
    const ApiResult<DeleteOutcome> outcome =
        DeleteObject(call->core, *call->kind, page.objects[next]->key, options);
    // Gone meanwhile is as good.
    if (!outcome && outcome.error().code != 404) return call->Refuse(outcome.error());
    if ((next + 1) % kDeletesPerTurn != 0) return Run(next + 1);
    call->core.loop.Post(
        call->core.scope.Guard([self = shared_from_this(), next] { self->Run(next + 1); }));
  }
};

}  // namespace

bool HasFinalizers(const json::object& object) { return !Finalizers(object).empty(); }

bool HasFinalizers(const KindInfo& info, const json::object& object) {
  return HasFinalizers(object) ||
         (IsNamespace(info) && !ListAt(object, {"spec", "finalizers"}).empty());
}

ApiResult<DeleteOutcome> DeleteObject(Core& core, const ServedKind& kind, std::string_view key,
                                      const DeleteOptions& options) {
  Collection& collection = *kind.collection;
  const StoredPtr stored = Store::Get(collection, key);
  if (stored == nullptr) {
    return Refuse(refusal::NotFound(kind.info, key.substr(key.find('/') + 1)));
  }
  json::object object = kind.Load(*stored);
  if (ApiResult<void> ok = CheckPreconditions(kind.info, *stored, options); !ok) {
    return Refuse(ok.error());
  }
  const json::object before = CopyNear(object);
  const Time now = core.loop.Now();
  SetFinalizers(object, FinalizersFor(object, kind.info, options));
  bool waits = HasFinalizers(kind.info, object);
  if (kind.info.graceful_deletion) {
    MarkGraceful(object, options, now);
    waits = waits || GetInt(object, {"metadata", "deletionGracePeriodSeconds"}) > 0;
  } else if (waits && !IsBeingDeleted(object)) {
    Mark(object, now, 0);
    if (IsNamespace(kind.info)) {
      Metadata(object).erase("deletionGracePeriodSeconds");
      Child(object, "status")["phase"] = "Terminating";
    } else {
      BumpGeneration(object);
    }
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
  json::array finalizers = Finalizers(parsed);
  if (!Has(finalizers, finalizer)) return;
  SetMember(finalizers, finalizer, false);
  SetFinalizers(parsed, std::move(finalizers));
  if (!HasFinalizers(parsed) && stored->being_deleted &&
      GetInt(parsed, {"metadata", "deletionGracePeriodSeconds"}) == 0) {
    store.Delete(collection, key, std::move(parsed));
  } else {
    store.Update(collection, key, std::move(parsed));
  }
}

DeleteOptions ReadDeleteOptions(const json::object& body) {
  DeleteOptions options;
  if (Find(body, {"gracePeriodSeconds"}) != nullptr) {
    options.grace_seconds = GetInt(body, {"gracePeriodSeconds"});
  }
  options.propagation = GetString(body, {"propagationPolicy"});
  if (Find(body, {"orphanDependents"}) != nullptr) {
    options.orphan_dependents = GetBool(body, {"orphanDependents"});
  }
  options.uid = GetString(body, {"preconditions", "uid"});
  options.resource_version = GetString(body, {"preconditions", "resourceVersion"});
  options.dry_run = !ListAt(body, {"dryRun"}).empty();
  return options;
}

void HandleDelete(const CallPtr& call) {
  ApiResult<DeleteOptions> options = OptionsOf(*call);
  if (!options) return call->Refuse(options.error());
  const StoredPtr stored = call->FindOrRefuse();
  if (stored == nullptr) return;
  AdmitDelete(call, *stored, [call, options = std::move(*options)] {
    const ApiResult<DeleteOutcome> outcome =
        DeleteObject(call->core, *call->kind, call->Key(), options);
    outcome ? AnswerDelete(*call, options, *outcome) : call->Refuse(outcome.error());
  });
}

void HandleDeleteCollection(const CallPtr& call) {
  ApiResult<DeleteOptions> options = OptionsOf(*call);
  if (!options) return call->Refuse(options.error());
  const ApiResult<Selection> selection =
      Selection::Parse(call->kind, call->query, call->path.ns, "");
  if (!selection) return call->Refuse(selection.error());
  auto all = std::make_shared<DeleteAll>();
  all->call = call;
  all->options = std::move(*options);
  all->page.version = call->core.store.version();
  call->kind->collection->ForEach(selection->key_prefix(), [&](const StoredPtr& object) {
    if (selection->Matches(*object)) all->page.objects.push_back(object);
  });
  all->Run(0);
}

}  // namespace basalt::apiserver
