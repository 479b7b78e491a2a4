#include <utility>

#include "apiserver/object/object.h"
#include "apiserver/rest/decode.h"
#include "apiserver/rest/field_owners.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/metadata.h"

namespace basalt::apiserver {
namespace {

constexpr int kNameAttempts = 8;

// Everything between the two halves of admission.
ApiResult<json::object> Prepare(Call& call, json::object object) {
  Core& core = call.core;
  const ServedKind& kind = *call.kind;
  FillForCreate(core, object);
  const std::string generate(GetString(object, {"metadata", "generateName"}));
  if (Name(object).empty() && !generate.empty()) {
    std::string name;
    for (int attempt = 0; attempt < kNameAttempts; ++attempt) {
      name = core.NewName(generate);
      if (Store::Get(*kind.collection, kind.Key(call.path.ns, name)) == nullptr) break;
    }
    Metadata(object)["name"] = name;
  }
  kind.info.rules->PrepareForCreate(object, core.loop.Now());
  FieldErrors errors;
  kind.info.rules->Validate(object, errors);
  if (!errors.empty()) return Refuse(refusal::Invalid(kind.info, Name(object), errors));
  return object;
}

// An error that is not one of the API's own: only a message.
ApiStatus PlainError(std::string message) { return {.code = 500, .message = std::move(message)}; }

void StoreAndReply(const CallPtr& call, json::object object) {
  if (!GetString(object, {"metadata", "resourceVersion"}).empty()) {
    call->Refuse(PlainError("resourceVersion should not be set on objects to be created"));
    return;
  }
  const std::string name(Name(object));
  std::string key = call->kind->Key(call->path.ns, name);
  Collection& collection = *call->kind->collection;
  if (Store::Get(collection, key) != nullptr) {
    call->Refuse(refusal::AlreadyExists(call->info(), name));
    return;
  }
  if (ApiResult<void> fits = CheckStorable(call->core, object); !fits) {
    return call->Refuse(fits.error());
  }
  if (!call->info().idle.empty()) call->warnings.push_back(call->info().idle);
  if (call->dry_run) return call->Reply(201, object);
  const StoredPtr stored =
      call->core.store.Create(collection, std::move(key), call->kind->ToStored(std::move(object)));
  call->Reply(201, *stored);
}

}  // namespace

void CreateObject(const CallPtr& call, json::object object) {
  if (ApiResult<void> settled = SettleNamespace(*call->kind, call->path.ns, object); !settled) {
    call->Refuse(settled.error());
    return;
  }
  call->info().rules->Default(object);
  if (!call->owners_settled) TrackOwners(*call, *call->kind, "", nullptr, object);
  AdmissionRequest request = call->ForAdmission(Operation::kCreate, "CreateOptions");
  request.name = Name(object);
  request.object = std::move(object);
  call->core.admission.Admit(
      std::move(request),
      [call](json::object mutated) { return Prepare(*call, std::move(mutated)); },
      [call](ApiResult<json::object> admitted) {
        admitted ? StoreAndReply(call, std::move(*admitted)) : call->Refuse(admitted.error());
      });
}

void HandleCreate(const CallPtr& call) {
  ApiResult<json::object> object = DecodeBody(*call);
  if (!object) return call->Refuse(object.error());
  CreateObject(call, std::move(*object));
}

}  // namespace basalt::apiserver
