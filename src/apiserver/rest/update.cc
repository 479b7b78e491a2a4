#include <fmt/format.h>

#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/rest/delete.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/request.h"
#include "apiserver/rest/write.h"

namespace basalt::apiserver {
namespace {

constexpr int kAttempts = 5;

// One update on its way. Shared by the callbacks of its admission.
struct Update : std::enable_shared_from_this<Update> {
  Update(CallPtr of, MakeObject maker, UpdateAnswer how)
      : call(std::move(of)), make(std::move(maker)), answer(how), key(call->Key()) {}

  const CallPtr call;
  const MakeObject make;
  const UpdateAnswer answer;
  const std::string key;
  int attempts = 0;
  StoredPtr stored;
  json::object old;

  const ServedKind& kind() const { return *call->kind; }
  const KindInfo& info() const { return call->info(); }
  const KindRules& rules() const { return *info().rules; }
  const std::string& name() const { return call->path.name; }
  const std::string& subresource() const { return call->path.subresource; }
  Core& core() const { return call->core; }

  void Run() {
    stored = call->FindOrRefuse();
    if (stored == nullptr) return;
    old = kind().Load(*stored);
    ApiResult<json::object> made = make(old);
    if (!made) return call->Refuse(made.error());
    if (!call->Passes(CheckIdentity(*made))) return;
    KeepForUpdate(*made, old);
    rules().Default(*made);
    if (!call->owners_settled) TrackOwners(*call, &old, *made);
    const bool patch = call->http.method == "PATCH";
    AdmissionRequest request =
        call->ForAdmission(Operation::kUpdate, patch ? "PatchOptions" : "UpdateOptions");
    request.object = std::move(*made);
    request.old_object.emplace(CopyNear(old));
    core().admission.Admit(
        std::move(request),
        [self = shared_from_this()](json::object object) {
          return self->Prepare(std::move(object));
        },
        [self = shared_from_this()](ApiResult<json::object> admitted) {
          if (!admitted) return self->call->Refuse(admitted.error());
          self->Write(std::move(*admitted));
        });
  }

  // Name, namespace, uid and version of what is to be written against what is there.
  ApiResult<void> CheckIdentity(json::object& object) {
    if (ApiResult<void> settled = SettleNamespace(kind(), call->path.ns, object); !settled) {
      return settled;
    }
    if (Name(object) != name()) return Refuse(OtherName(Name(object), *call));
    const std::string_view uid = Uid(object);
    // A patched uid is for validation to refuse; one in a whole object says which one is meant.
    if (call->http.method != "PATCH" && !uid.empty() && uid != Uid(old)) {
      return Refuse(refusal::Conflict(
          info(), name(),
          fmt::format("the object's uid is {}, that of the one that is stored {}", uid, Uid(old))));
    }
    const std::string_view version = GetString(object, {"metadata", "resourceVersion"});
    if (version.empty() || version == "0") {
      if (kind().custom != nullptr || info().update_needs_version) {
        FieldErrors errors;
        errors.Invalid("metadata.resourceVersion", 0, "must be specified for an update");
        KindInfo by_resource = info();  // this one error names the resource, not the kind
        by_resource.kind = info().plural;
        return Refuse(refusal::Invalid(by_resource, name(), errors));
      }
      return {};
    }
    const std::optional<std::uint64_t> number = ParseVersion(version);
    if (!number) return Refuse(refusal::Plain(VersionError(version)));
    if (*number != stored->version) return Refuse(refusal::StaleVersion(info(), name()));
    return {};
  }

  // Between the two halves of admission.
  ApiResult<json::object> Prepare(json::object object) {
    FieldErrors errors;
    if (subresource() == "status") {
      const json::value* owners = Find(object, {"metadata", "managedFields"});
      const json::value kept = owners == nullptr ? json::value() : *owners;
      rules().PrepareForStatusUpdate(object, old);
      if (owners != nullptr) Metadata(object)["managedFields"] = kept;
      rules().ValidateStatusUpdate(object, old, errors);
    } else if (subresource() != "finalize") {
      rules().PrepareForUpdate(object, old);
      rules().ValidateUpdate(object, old, errors);
    }
    if (!errors.empty()) return Refuse(refusal::Invalid(info(), name(), errors));
    return object;
  }

  void Write(json::object object) {
    Collection& collection = *kind().collection;
    if (Store::Get(collection, key) != stored) {  // while a webhook was asked
      if (++attempts >= kAttempts) return call->Refuse(refusal::StaleVersion(info(), name()));
      return Run();
    }
    Metadata(object)["resourceVersion"] = std::to_string(stored->version);
    if (Unchanged(object)) return Answer(*stored);
    if (!call->Passes(CheckStorable(core(), object))) return;
    if (call->dry_run) return Answer(*Shown(std::move(object)));
    if (FinalizersDone(object)) {
      StoredPtr last = Shown(object);
      core().store.Delete(collection, key, kind().ToStored(std::move(object)));
      return Answer(*last);
    }
    Answer(*core().store.Update(collection, key, kind().ToStored(std::move(object))));
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
    return IsBeingDeleted(object) && HasFinalizers(info(), old) && !HasFinalizers(info(), object) &&
           GetInt(object, {"metadata", "deletionGracePeriodSeconds"}) == 0;
  }

  void Answer(const StoredObject& result) {
    answer == nullptr ? call->Reply(200, result) : answer(*call, result);
  }
};

}  // namespace

void UpdateObject(const CallPtr& call, MakeObject make, UpdateAnswer answer) {
  std::make_shared<Update>(call, std::move(make), answer)->Run();
}

void HandleUpdate(const CallPtr& call) {
  ApiResult<json::object> object = DecodeBody(*call);
  if (!object) return call->Refuse(object.error());
  if (call->info().put_creates && call->path.subresource.empty() &&
      Name(*object) == call->path.name &&
      Store::Get(*call->kind->collection, call->Key()) == nullptr) {
    return CreateObject(call, std::move(*object));
  }
  UpdateObject(call, [object = std::move(*object)](const json::object&) { return object; });
}

}  // namespace basalt::apiserver
