#include <utility>

#include "apiserver/object/object.h"
#include "apiserver/rest/delete.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/options.h"
#include "apiserver/rest/render.h"
#include "apiserver/rest/write.h"

namespace basalt::apiserver {
namespace {

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
  call.ReplyJson(200, {{"kind", "Status"},
                       {"apiVersion", "v1"},
                       {"metadata", json::object()},
                       {"status", "Success"},
                       {"details", std::move(details)}});
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
  const std::string& prefix = selection->key_prefix();
  const auto& objects = call->kind->collection->objects;
  for (auto it = objects.lower_bound(prefix); it != objects.end(); ++it) {
    if (!it->first.starts_with(prefix)) break;
    if (selection->Matches(*it->second)) all->page.objects.push_back(it->second);
  }
  all->Run(0);
}

}  // namespace basalt::apiserver
