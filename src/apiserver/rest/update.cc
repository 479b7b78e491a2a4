#include "apiserver/rest/update.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <utility>

#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/rest/create.h"
#include "apiserver/rest/decode.h"
#include "apiserver/rest/delete.h"
#include "apiserver/rest/field_owners.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/list_options.h"
#include "apiserver/rest/metadata.h"
#include "apiserver/rest/storable.h"
#include "apiserver/rest/write_options.h"

namespace basalt::apiserver {
namespace {

constexpr int kAttempts = 5;

// Where etcd would have it; some messages show it.
std::string RegistryKey(const ServedKind& kind, std::string_view key) {
  if (kind.custom != nullptr) {
    return fmt::format("/registry/{}/{}/{}", kind.info.group, kind.info.plural, key);
  }
  return fmt::format("/registry/{}/{}", kind.info.plural, key);
}

// One update on its way. Shared by the callbacks of its admission.
struct Update : std::enable_shared_from_this<Update> {
  Update(CallPtr of, UpdateTarget what, MakeObject maker, UpdateDone then)
      : call(std::move(of)),
        target(std::move(what)),
        make(std::move(maker)),
        done(std::move(then)),
        key(target.kind->Key(target.ns, target.name)) {}

  const CallPtr call;
  const UpdateTarget target;
  const MakeObject make;
  UpdateDone done;
  const std::string key;
  int attempts = 0;
  StoredPtr stored;
  json::object old;

  const ServedKind& kind() const { return *target.kind; }
  const KindInfo& info() const { return target.kind->info; }
  const KindRules& rules() const { return *target.kind->info.rules; }
  bool of_status() const { return target.subresource == "status"; }
  Core& core() const { return call->core; }

  void Run() {
    stored = Store::Get(*kind().collection, key);
    if (stored == nullptr) return Fail(refusal::NotFound(info(), target.name));
    old = kind().Load(*stored);
    ApiResult<json::object> made = make(old);
    if (!made) return Fail(std::move(made.error()));
    if (ApiResult<void> checked = CheckIdentity(*made); !checked) {
      return Fail(std::move(checked.error()));
    }
    KeepForUpdate(*made, old);
    rules().Default(*made);
    if (!call->owners_settled) TrackOwners(*call, kind(), target.subresource, &old, *made);
    if (target.skip_admission) return Prepare(std::move(*made));
    core().admission.Mutate(Request(std::move(*made)),
                            [self = shared_from_this()](ApiResult<json::object> mutated) {
                              if (!mutated) return self->Fail(std::move(mutated.error()));
                              self->Prepare(std::move(*mutated));
                            });
  }

  // Name, namespace, uid and version of what is to be written against what is there.
  ApiResult<void> CheckIdentity(json::object& object) {
    if (ApiResult<void> settled = SettleNamespace(kind(), target.ns, object); !settled) {
      return settled;
    }
    const std::string name(Name(object));
    if (name.empty()) {
      return Refuse(refusal::BadRequest(
          fmt::format("the name of the object ({} based on URL) was undeterminable: name must be "
                      "provided",
                      target.name)));
    }
    if (name != target.name) {
      return Refuse(refusal::BadRequest(
          fmt::format("the name of the object ({}) does not match the name on the URL ({})", name,
                      target.name)));
    }
    const std::string uid(Uid(object));
    // A patched uid is for validation to refuse; one in a whole object says which one is meant.
    if (call->http.method != "PATCH" && !uid.empty() && uid != Uid(old)) {
      return Refuse(refusal::Conflict(
          info(), target.name,
          fmt::format("StorageError: invalid object, Code: 4, Key: {}, ResourceVersion: 0, "
                      "AdditionalErrorMsg: Precondition failed: UID in precondition: {}, UID in "
                      "object meta: {}",
                      RegistryKey(kind(), key), uid, Uid(old))));
    }
    const std::string version(GetString(object, {"metadata", "resourceVersion"}));
    if (version.empty() || version == "0") {
      if (kind().custom != nullptr || info().update_needs_version) {
        FieldErrors errors;
        errors.Invalid("metadata.resourceVersion", 0, "must be specified for an update");
        KindInfo by_resource = info();  // this one error names the resource, not the kind
        by_resource.kind = info().plural;
        return Refuse(refusal::Invalid(by_resource, target.name, errors));
      }
      return {};
    }
    const std::optional<std::uint64_t> number = ParseVersion(version);
    if (!number) return Refuse({.code = 500, .message = VersionError(version)});
    if (*number != stored->version) return Refuse(refusal::StaleVersion(info(), target.name));
    return {};
  }

  AdmissionRequest Request(json::object object) {
    AdmissionRequest request;
    request.kind = &info();
    request.subresource = target.subresource;
    request.operation = Operation::kUpdate;
    request.ns = info().namespaced ? target.ns : "";
    request.name = target.name;
    request.object = std::move(object);
    request.old_object.emplace(CopyNear(old));
    request.dry_run = call->dry_run;
    request.warnings = &call->warnings;
    request.options = {{"kind", call->http.method == "PATCH" ? "PatchOptions" : "UpdateOptions"},
                       {"apiVersion", "meta.k8s.io/v1"}};
    return request;
  }

  // Between the two halves of admission.
  void Prepare(json::object object) {
    FieldErrors errors;
    if (of_status()) {
      const json::value* owners = Find(object, {"metadata", "managedFields"});
      const json::value kept = owners == nullptr ? json::value() : *owners;
      rules().PrepareForStatusUpdate(object, old);
      if (owners != nullptr) Metadata(object)["managedFields"] = kept;
      rules().ValidateStatusUpdate(object, old, errors);
    } else {
      rules().PrepareForUpdate(object, old, core().loop.Now());
      rules().ValidateUpdate(object, old, errors);
    }
    if (!errors.empty()) return Fail(refusal::Invalid(info(), target.name, errors));
    if (target.skip_admission || !core().admission.HasValidatingWebhooks()) {
      return Write(std::move(object));
    }
    AdmissionRequest request = Request(CopyNear(object));
    core().admission.Validate(
        std::move(request),
        [self = shared_from_this(), object = std::move(object)](ApiResult<void> allowed) mutable {
          if (!allowed) return self->Fail(std::move(allowed.error()));
          self->Write(std::move(object));
        });
  }

  void Write(json::object object) {
    Collection& collection = *kind().collection;
    if (Store::Get(collection, key) != stored) {  // while a webhook was asked
      if (++attempts >= kAttempts) return Fail(refusal::StaleVersion(info(), target.name));
      return Run();
    }
    Metadata(object)["resourceVersion"] = std::to_string(stored->version);
    if (Unchanged(object)) return Succeed(stored);
    if (ApiResult<void> fits = CheckStorable(core(), object); !fits) return Fail(fits.error());
    if (call->dry_run) return Succeed(Shown(std::move(object)));
    if (FinalizersDone(object)) {
      StoredPtr last = Shown(object);
      core().store.Delete(collection, key, kind().ToStored(std::move(object)));
      return Succeed(std::move(last));
    }
    Succeed(core().store.Update(collection, key, kind().ToStored(std::move(object))));
  }

  // Documents are slow to compare and fast to write: what is not of the same length is not the
  // same.
  bool Unchanged(const json::object& object) const {
    if (kind().from_stored == nullptr &&
        ToText(object).size() != kind().prefix.size() + stored->text.size() - 1) {
      return false;
    }
    return object == old;
  }

  // As if it were stored, under the version that is.
  StoredPtr Shown(json::object object) const {
    object = kind().ToStored(std::move(object));
    object.erase("kind");
    object.erase("apiVersion");
    auto shown = std::make_shared<StoredObject>();
    shown->key = key;
    shown->version = stored->version;
    shown->text = ToText(object);
    return shown;
  }

  // Whether this update takes away the last thing that an object being deleted waited for.
  bool FinalizersDone(const json::object& object) const {
    if (!IsBeingDeleted(object) || HasFinalizers(object)) return false;
    return HasFinalizers(old) && GetInt(object, {"metadata", "deletionGracePeriodSeconds"}) == 0;
  }

  void Fail(ApiStatus status) { std::exchange(done, {})(Refuse(std::move(status))); }
  void Succeed(StoredPtr result) { std::exchange(done, {})(std::move(result)); }
};

}  // namespace

void UpdateObject(const CallPtr& call, UpdateTarget target, MakeObject make, UpdateDone done) {
  std::make_shared<Update>(call, std::move(target), std::move(make), std::move(done))->Run();
}

void HandleUpdate(const CallPtr& call) {
  if (ApiResult<void> options = ReadWriteOptions(*call, "UpdateOptions"); !options) {
    return call->Refuse(options.error());
  }
  ApiResult<json::object> object = DecodeBody(*call);
  if (!object) return call->Refuse(object.error());
  const bool exists = Store::Get(*call->kind->collection, call->Key()) != nullptr;
  if (!exists && call->path.subresource.empty() && call->info().put_creates &&
      Name(*object) == call->path.name) {
    return CreateObject(call, std::move(*object));
  }
  // A wrong name or namespace is told even where nothing is stored.
  if (!exists && Name(*object) == call->path.name) {
    return call->Refuse(refusal::NotFound(call->info(), call->path.name));
  }
  UpdateObject(
      call, {call->kind, call->path.ns, call->path.name, call->path.subresource},
      [object = std::move(*object)](const json::object&) { return object; },
      [call](const ApiResult<StoredPtr>& result) {
        result ? call->Reply(200, **result) : call->Refuse(result.error());
      });
}

}  // namespace basalt::apiserver
