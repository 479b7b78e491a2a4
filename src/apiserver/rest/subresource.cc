#include "apiserver/rest/subresource.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <utility>

#include "apiserver/crd/custom_kind.h"
#include "apiserver/kinds/subresources.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/rest/decode.h"
#include "apiserver/rest/delete.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/patch_handler.h"
#include "apiserver/rest/pod_log.h"
#include "apiserver/rest/reviews.h"
#include "apiserver/rest/storable.h"
#include "apiserver/rest/update.h"
#include "apiserver/rest/write_options.h"
#include "apiserver/schema/builtin_types.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {
namespace {

const KindInfo kBinding{.version = "v1", .kind = "Binding", .plural = "bindings"};
const KindInfo kEviction{
    .group = "policy", .version = "v1", .kind = "Eviction", .plural = "evictions"};
const KindInfo kScale{.group = "autoscaling", .version = "v1", .kind = "Scale", .plural = "scales"};

void ReplySuccess(Call& call) {
  call.ReplyJson(201, ToText(json::object{{"kind", "Status"},
                                          {"apiVersion", "v1"},
                                          {"metadata", json::object()},
                                          {"status", "Success"},
                                          {"code", 201}}));
}

AdmissionRequest RequestFor(Call& call, const KindInfo& body_kind, json::object object) {
  AdmissionRequest request;
  request.kind = &call.info();
  request.subresource = call.path.subresource;
  request.operation = Operation::kCreate;
  request.ns = call.path.ns;
  request.name = call.path.name;
  request.object = std::move(object);
  request.dry_run = call.dry_run;
  request.warnings = &call.warnings;
  request.options = {{"kind", "CreateOptions"}, {"apiVersion", "meta.k8s.io/v1"}};
  request.object_api_version = body_kind.ApiVersion();
  request.object_kind = body_kind.kind;
  return request;
}

// The body of a binding or eviction, of the pod that the path names.
ApiResult<json::object> DecodeAbout(Call& call, std::string_view type_id, const KindInfo& kind) {
  if (ApiResult<void> options = ReadWriteOptions(call, "CreateOptions"); !options) {
    return Refuse(options.error());
  }
  ApiResult<json::object> body = DecodeBodyAs(call, type_id, kind);
  if (!body) return body;
  if (Name(*body) != call.path.name) {
    return Refuse(refusal::BadRequest(
        fmt::format("name in URL does not match name in {} object", kind.kind)));
  }
  const std::string_view ns = Namespace(*body);
  if (!ns.empty() && ns != call.path.ns) {
    return Refuse(refusal::BadRequest(
        "the namespace of the provided object does not match the namespace sent on the request"));
  }
  Metadata(*body)["namespace"] = call.path.ns;
  return body;
}

// Runs both halves of admission over a body that is not itself stored, then `then`.
void Admit(const CallPtr& call, const KindInfo& kind, json::object body,
           std::function<void(json::object)> then) {
  call->core.admission.Mutate(
      RequestFor(*call, kind, std::move(body)),
      [call, &kind, then = std::move(then)](ApiResult<json::object> mutated) mutable {
        if (!mutated) return call->Refuse(mutated.error());
        AdmissionRequest request = RequestFor(*call, kind, *mutated);
        call->core.admission.Validate(std::move(request),
                                      [call, body = std::move(*mutated),
                                       then = std::move(then)](ApiResult<void> allowed) mutable {
                                        if (!allowed) return call->Refuse(allowed.error());
                                        then(std::move(body));
                                      });
      });
}

void Bind(const CallPtr& call, const json::object& binding) {
  Core& core = call->core;
  Collection& pods = *call->kind->collection;
  const StoredPtr stored = Store::Get(pods, call->Key());
  if (stored == nullptr) {
    return call->Refuse(refusal::NotFound(call->info(), call->path.name));
  }
  json::object pod = call->kind->Load(*stored);
  if (ApiResult<void> bound = ApplyBinding(binding, pod, core.loop.Now()); !bound) {
    return call->Refuse(bound.error());
  }
  if (ApiResult<void> fits = CheckStorable(core, pod); !fits) return call->Refuse(fits.error());
  if (!call->dry_run) core.store.Update(pods, stored->key, std::move(pod));
  ReplySuccess(*call);
}

DeleteOptions EvictionDeleteOptions(const Call& call, const json::object& eviction) {
  DeleteOptions options{.dry_run = call.dry_run};
  const json::object* body = FindObject(eviction, {"deleteOptions"});
  if (body == nullptr) return options;
  if (Find(*body, {"gracePeriodSeconds"}) != nullptr) {
    options.grace_seconds = GetInt(*body, {"gracePeriodSeconds"});
  }
  options.uid = GetString(*body, {"preconditions", "uid"});
  options.resource_version = GetString(*body, {"preconditions", "resourceVersion"});
  options.propagation = GetString(*body, {"propagationPolicy"});
  if (const json::array* dry_run = FindArray(*body, {"dryRun"})) {
    options.dry_run = options.dry_run || !dry_run->empty();
  }
  return options;
}

// Leaves word on the pod of why it goes.
void MarkAsDisrupted(Core& core, const ServedKind& pods, const StoredObject& stored) {
  json::object pod = stored.Parse();
  SetCondition(Child(pod, "status"), {{"type", "DisruptionTarget"},
                                      {"status", "True"},
                                      {"lastProbeTime", nullptr},
                                      {"lastTransitionTime", FormatTime(core.loop.Now())},
                                      {"reason", "EvictionByEvictionAPI"},
                                      {"message", "Eviction API: evicting"}});
  core.store.Update(*pods.collection, stored.key, std::move(pod));
}

void Evict(const CallPtr& call, const json::object& eviction) {
  Core& core = call->core;
  const StoredPtr stored = Store::Get(*call->kind->collection, call->Key());
  if (stored == nullptr) {
    return call->Refuse(refusal::NotFound(call->info(), call->path.name));
  }
  const DeleteOptions options = EvictionDeleteOptions(*call, eviction);
  ApiResult<EvictionVerdict> verdict =
      DecideEviction(call->kind->Load(*stored),
                     core.List("policy", "poddisruptionbudgets", call->path.ns), core.loop.Now());
  if (!verdict) return call->Refuse(verdict.error());
  if (verdict->budget && !options.dry_run) {
    Collection& budgets = core.store.Of("policy", "poddisruptionbudgets");
    const std::string key = call->path.ns + "/" + std::string(Name(*verdict->budget));
    core.store.Update(budgets, key, std::move(*verdict->budget));
  }
  if (!options.dry_run) MarkAsDisrupted(core, *call->kind, *stored);
  if (ApiResult<DeleteOutcome> deleted = DeleteObject(core, *call->kind, call->Key(), options);
      !deleted) {
    return call->Refuse(deleted.error());
  }
  ReplySuccess(*call);
}

ApiResult<json::object> MakeScale(const ServedKind& kind, const json::object& object,
                                  bool for_write = false) {
  if (kind.custom != nullptr) return kind.custom->ScaleOf(object, for_write);
  return ScaleOf(kind.info, object);
}

ApiResult<void> TakeScale(const ServedKind& kind, const json::object& scale, json::object& object) {
  if (kind.custom != nullptr) return kind.custom->ApplyScale(scale, object);
  return ApplyScale(kind.info, scale, object);
}

void ReplyScale(Call& call, const StoredObject& stored) {
  const ApiResult<json::object> scale = MakeScale(*call.kind, call.kind->Load(stored));
  scale ? call.ReplyJson(200, ToText(*scale)) : call.Refuse(scale.error());
}

// Writes the object through its scale: `make` turns the present scale into the wanted one.
void WriteScale(const CallPtr& call,
                std::function<ApiResult<json::object>(const json::object&)> make) {
  UpdateTarget target{call->kind, call->path.ns, call->path.name, "scale"};
  UpdateObject(
      call, std::move(target),
      [call, make = std::move(make)](const json::object& old) -> ApiResult<json::object> {
        const ApiResult<json::object> present = MakeScale(*call->kind, old, true);
        if (!present) return present;
        ApiResult<json::object> wanted = make(*present);
        if (!wanted) return wanted;
        json::object object = old;
        // The name, namespace, uid and version to check are those of the Scale.
        json::object& metadata = Metadata(object);
        for (const std::string_view key : {"name", "namespace", "uid", "resourceVersion"}) {
          const std::string_view value = GetString(*wanted, {"metadata", key});
          if (value.empty() && key != "uid" && key != "namespace") {
            metadata.erase(key);
          } else if (!value.empty()) {
            metadata[key] = json::string(value);
          }
        }
        if (ApiResult<void> taken = TakeScale(*call->kind, *wanted, object); !taken) {
          return Refuse(taken.error());
        }
        return object;
      },
      [call](const ApiResult<StoredPtr>& result) {
        result ? ReplyScale(*call, **result) : call->Refuse(result.error());
      });
}

void HandleScale(const CallPtr& call) {
  const std::string& method = call->http.method;
  if (method == "GET") {
    const StoredPtr stored = Store::Get(*call->kind->collection, call->Key());
    if (stored == nullptr) {
      return call->Refuse(refusal::NotFound(call->info(), call->path.name));
    }
    return ReplyScale(*call, *stored);
  }
  if (method == "PUT") {
    if (ApiResult<void> options = ReadWriteOptions(*call, "UpdateOptions"); !options) {
      return call->Refuse(options.error());
    }
    ApiResult<json::object> body = DecodeBodyAs(*call, "autoscaling.Scale", kScale);
    if (!body) return call->Refuse(body.error());
    return WriteScale(call, [body = std::move(*body)](const json::object&) { return body; });
  }
  if (method == "PATCH") {
    if (ApiResult<void> options = ReadWriteOptions(*call, "PatchOptions"); !options) {
      return call->Refuse(options.error());
    }
    const TypeSchema* schema = FindBuiltinType("autoscaling.Scale");
    ApiResult<PatchFunction> patch = ReadPatch(*call, schema);
    if (!patch) return call->Refuse(patch.error());
    return WriteScale(call,
                      [patch = std::move(*patch),
                       schema](const json::object& present) -> ApiResult<json::object> {
                        ApiResult<json::object> wanted = patch(present);
                        if (!wanted || schema == nullptr) return wanted;
                        const std::string shown = ToText(*wanted);
                        json::value value(std::move(*wanted));
                        if (Result<void> conformed = Conform(value, *schema); !conformed) {
                          return Refuse(BadPatchResult(shown, conformed.error().message));
                        }
                        return std::move(value.as_object());
                      });
  }
  call->Refuse(refusal::MethodNotAllowed());
}

// PUT namespaces/NAME/finalize: only spec.finalizers is written.
void HandleFinalize(const CallPtr& call) {
  if (call->http.method != "PUT") return call->Refuse(refusal::MethodNotAllowed());
  if (ApiResult<void> options = ReadWriteOptions(*call, "UpdateOptions"); !options) {
    return call->Refuse(options.error());
  }
  ApiResult<json::object> body = DecodeBody(*call);
  if (!body) return call->Refuse(body.error());
  Core& core = call->core;
  Collection& namespaces = *call->kind->collection;
  const StoredPtr stored = Store::Get(namespaces, call->Key());
  if (stored == nullptr) {
    return call->Refuse(refusal::NotFound(call->info(), call->path.name));
  }
  if (Name(*body) != call->path.name) {
    return call->Refuse(refusal::BadRequest(
        fmt::format("the name of the object ({}) does not match the name on the URL ({})",
                    Name(*body), call->path.name)));
  }
  const std::string_view version = GetString(*body, {"metadata", "resourceVersion"});
  if (!version.empty() && version != std::to_string(stored->version)) {
    return call->Refuse(refusal::StaleVersion(call->info(), call->path.name));
  }
  json::object object = call->kind->Load(*stored);
  const json::array* finalizers = FindArray(*body, {"spec", "finalizers"});
  const bool empty = finalizers == nullptr || finalizers->empty();
  if (empty) {
    Child(object, "spec").erase("finalizers");
  } else {
    Child(object, "spec")["finalizers"] = *finalizers;
  }
  if (ApiResult<void> fits = CheckStorable(core, object); !fits) {
    return call->Refuse(fits.error());
  }
  if (call->dry_run) return call->Reply(200, object);
  const bool gone = empty && stored->being_deleted && !HasFinalizers(object);
  call->Reply(200, gone ? *core.store.Delete(namespaces, stored->key, std::move(object))
                        : *core.store.Update(namespaces, stored->key, std::move(object)));
}

// Of a kind that has it, by its table.
bool Has(const KindInfo& info, std::string_view subresource) {
  return std::ranges::find(info.subresources, subresource) != info.subresources.end();
}

void HandleBinding(const CallPtr& call) {
  if (call->http.method != "POST") return call->Refuse(refusal::MethodNotAllowed());
  ApiResult<json::object> body = DecodeAbout(*call, "core.Binding", kBinding);
  if (!body) return call->Refuse(body.error());
  Admit(call, kBinding, std::move(*body), [call](json::object binding) { Bind(call, binding); });
}

void HandleEviction(const CallPtr& call) {
  if (call->http.method != "POST") return call->Refuse(refusal::MethodNotAllowed());
  ApiResult<json::object> body = DecodeAbout(*call, "policy.Eviction", kEviction);
  if (!body) return call->Refuse(body.error());
  Admit(call, kEviction, std::move(*body),
        [call](json::object eviction) { Evict(call, eviction); });
}

}  // namespace

void HandleSubresource(const CallPtr& call) {
  const std::string& sub = call->path.subresource;
  if (sub == "scale" && call->info().has_scale) return HandleScale(call);
  if (Has(call->info(), sub)) {
    if (sub == "binding") return HandleBinding(call);
    if (sub == "eviction") return HandleEviction(call);
    if (sub == "finalize") return HandleFinalize(call);
    if (sub == "log") return HandlePodLog(call);
    if (sub == "token") return HandleTokenRequest(call);
  }
  if (Has(call->info(), "log") &&
      (sub == "exec" || sub == "attach" || sub == "portforward" || sub == "proxy")) {
    return call->Refuse(
        {.code = 501,
         .reason = "NotImplemented",
         .message = fmt::format("pods are simulated here: {} is not supported", sub)});
  }
  call->Refuse(refusal::NoSuchResource());
}

void HandleBindingCollection(const CallPtr& call) {
  if (call->http.method != "POST") return call->Refuse(refusal::MethodNotAllowed());
  if (ApiResult<void> options = ReadWriteOptions(*call, "CreateOptions"); !options) {
    return call->Refuse(options.error());
  }
  // The name is in the body only: take it from there, then go on as pods/NAME/binding.
  const Result<json::value> parsed = ParseJson(call->http.body);
  if (parsed && parsed->is_object()) call->path.name = Name(parsed->get_object());
  call->path.subresource = "binding";
  HandleBinding(call);
}

}  // namespace basalt::apiserver
