#pragma once

#include <functional>

#include "apiserver/apply/managed_fields.h"
#include "apiserver/rest/call.h"
#include "base/error.h"

// The steps that writes share, in the order in which they are taken.
namespace basalt::apiserver {

// The body of a create or update as an object of the call's kind: parsed, its kind and apiVersion
// checked and filled in, its fields checked against the schema, unknown ones dropped or, as
// fieldValidation says, warned about or refused.
ApiResult<json::object> DecodeBody(Call& call);
// The same for a body of another built-in type: a Binding, an Eviction, …
ApiResult<json::object> DecodeBodyAs(Call& call, const KindInfo& kind);

// Brings an object that a patch has made back into the form of its kind. Unknown fields are dropped
// and named in `unknown`, where it is not null.
Result<void> ConformToKind(const ServedKind& kind, json::object& object,
                           std::vector<std::string>* unknown);
// Applies fieldValidation to them.
Result<void> JudgeUnknownFields(Call& call, const std::vector<std::string>& unknown);

struct TypeSchema;

// Takes the request's namespace, refuses another.
ApiResult<void> SettleNamespace(const ServedKind& kind, std::string_view ns, json::object& object);
// uid and creationTimestamp; drops what only the server sets.
void FillForCreate(Core& core, json::object& object);
// Puts back what the user left out and what no update may change.
void KeepForUpdate(json::object& object, const json::object& old);

// Settles which manager owns which field, in metadata.managedFields of an object that is about to
// be created (`old` is null) or to replace `old`; after defaulting, before admission. The owners of
// an object's fields are kept from the first server-side apply on, or from its creation where the
// request named its fieldManager, as kubectl's and Helm's do. Everything else, the bulk of what
// controllers write, costs nothing.
void TrackOwners(const Call& call, const json::object* old, json::object& object);
// How the kind's objects are merged; null: they are not.
const TypeSchema* MergeTypeOf(const ServedKind& kind);
FieldWriter WriterOf(const Call& call);
// An object of the kind without content.
json::object ZeroObject(const ServedKind& kind);

// Whether an object may be stored: nested at most kMostDepth deep, at most max_object_bytes long.
// Asked before every write that a client's words can make larger.
ApiResult<void> CheckStorable(const Core& core, const json::object& object);

// Takes a decoded object through defaulting, admission and validation into the store, and answers.
void CreateObject(const CallPtr& call, json::object object);

// Makes the new object from the stored one: a body, or the stored one patched. Called again when
// another request wrote in between.
using MakeObject = std::function<ApiResult<json::object>(const json::object& old)>;
// Answers with what is stored now.
using UpdateAnswer = void (*)(Call& call, const StoredObject& stored);

// One read-modify-write of the object that the call's path names (of its status alone, where it
// names that), with admission, validation, optimistic concurrency, and the removal of an object
// whose last finalizer goes. Answers, now or (a webhook is asked) later, with what is stored then;
// for a dry run with what would be, and for a removed object with its last state.
void UpdateObject(const CallPtr& call, MakeObject make, UpdateAnswer answer = nullptr);

// The request's patch, by its content type. `schema` (for strategic merge patches) may be null:
// then those are refused.
using PatchFunction = std::function<ApiResult<json::object>(json::object object)>;
ApiResult<PatchFunction> ReadPatch(const Call& call, const TypeSchema* schema);
// What came of a patch is not an object of the kind.
ApiStatus BadPatchResult(std::string_view why);
// The name in the object is not that of the path.
ApiStatus OtherName(std::string_view name, const Call& call);

}  // namespace basalt::apiserver
