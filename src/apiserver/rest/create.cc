#include <utility>

#include "apiserver/object/object.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/write.h"

namespace basalt::apiserver {
namespace {

constexpr int kNameAttempts = 8;

// Everything between the two halves of admission.
ApiResult<json::object> PrepareNew(Call& call, json::object object) {
  const ServedKind& kind = *call.kind;
  FillForCreate(call.core, object);
  const std::string generate(GetString(object, {"metadata", "generateName"}));
  if (Name(object).empty() && !generate.empty()) {
    std::string name = call.core.NewName(generate);
    for (int attempt = 1; attempt < kNameAttempts; ++attempt) {
      if (Store::Get(*kind.collection, kind.Key(call.path.ns, name)) == nullptr) break;
      name = call.core.NewName(generate);
    }
    Metadata(object)["name"] = name;
  }
  kind.info.rules->PrepareForCreate(object, call.core.loop.Now());
  FieldErrors errors;
  kind.info.rules->Validate(object, errors);
  if (!errors.empty()) return Refuse(refusal::Invalid(kind.info, Name(object), errors));
  return object;
}

void StoreAndReply(const CallPtr& call, json::object object) {
  if (!GetString(object, {"metadata", "resourceVersion"}).empty()) {
    return call->Refuse(refusal::Plain("a new object has no resourceVersion yet"));
  }
  const std::string name(Name(object));
  std::string key = call->kind->Key(call->path.ns, name);
  Collection& collection = *call->kind->collection;
  if (Store::Get(collection, key) != nullptr) {
    return call->Refuse(refusal::AlreadyExists(call->info(), name));
  }
  if (!call->Passes(CheckStorable(call->core, object))) return;
  if (!call->info().idle.empty()) call->warnings.push_back(call->info().idle);
  if (call->dry_run) return call->Reply(201, object);
  call->Reply(201, *call->core.store.Create(collection, std::move(key),
                                            call->kind->ToStored(std::move(object))));
}

}  // namespace

void CreateObject(const CallPtr& call, json::object object) {
  if (!call->Passes(SettleNamespace(*call->kind, call->path.ns, object))) return;
  call->info().rules->Default(object);
  if (!call->owners_settled) TrackOwners(*call, nullptr, object);
  AdmissionRequest request = call->ForAdmission(Operation::kCreate, "CreateOptions");
  request.name = Name(object);
  request.object = std::move(object);
  call->core.admission.Admit(
      std::move(request),
      [call](json::object mutated) { return PrepareNew(*call, std::move(mutated)); },
      [call](ApiResult<json::object> admitted) {
        admitted ? StoreAndReply(call, std::move(*admitted)) : call->Refuse(admitted.error());
      });
}

void HandleCreate(const CallPtr& call) {
  ApiResult<json::object> object = DecodeBody(*call);
  object ? CreateObject(call, std::move(*object)) : call->Refuse(object.error());
}

}  // namespace basalt::apiserver
