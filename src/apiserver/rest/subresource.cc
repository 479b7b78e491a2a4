#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <utility>

#include "apiserver/crd/custom_kind.h"
#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/subresources.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/rest/decode.h"
#include "apiserver/rest/delete.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/metadata.h"
#include "apiserver/rest/patch_handler.h"
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

// The body of a binding or eviction, of the pod that the path names.
ApiResult<json::object> DecodeAbout(Call& call, std::string_view type_id, const KindInfo& kind) {
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

// Takes a body that is not itself stored through admission, then to `then`.
void Admit(const CallPtr& call, const KindInfo& kind, json::object body,
           void (*then)(Call& call, const json::object& body)) {
  AdmissionRequest request = call->ForAdmission(Operation::kCreate, "CreateOptions");
  request.object = std::move(body);
  request.object_api_version = kind.ApiVersion();
  request.object_kind = kind.kind;
  call->core.admission.Admit(
      std::move(request), [](json::object mutated) { return mutated; },
      [call, then](const ApiResult<json::object>& admitted) {
        admitted ? then(*call, *admitted) : call->Refuse(admitted.error());
      });
}

void Bind(Call& call, const json::object& binding) {
  Core& core = call.core;
  const StoredPtr stored = call.FindOrRefuse();
  if (stored == nullptr) return;
  json::object pod = call.kind->Load(*stored);
  if (ApiResult<void> bound = ApplyBinding(binding, pod, core.loop.Now()); !bound) {
    return call.Refuse(bound.error());
  }
  if (ApiResult<void> fits = CheckStorable(core, pod); !fits) return call.Refuse(fits.error());
  if (!call.dry_run) core.store.Update(*call.kind->collection, stored->key, std::move(pod));
  ReplySuccess(call);
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

void Evict(Call& call, const json::object& eviction) {
  Core& core = call.core;
  const StoredPtr stored = call.FindOrRefuse();
  if (stored == nullptr) return;
  DeleteOptions options = ReadDeleteOptions(ObjectOf(eviction, "deleteOptions"));
  options.dry_run = options.dry_run || call.dry_run;
  ApiResult<EvictionVerdict> verdict =
      DecideEviction(call.kind->Load(*stored),
                     core.List("policy", "poddisruptionbudgets", call.path.ns), core.loop.Now());
  if (!verdict) return call.Refuse(verdict.error());
  if (verdict->budget && !options.dry_run) {
    Collection& budgets = core.store.Of("policy", "poddisruptionbudgets");
    const std::string key = call.path.ns + "/" + std::string(Name(*verdict->budget));
    core.store.Update(budgets, key, std::move(*verdict->budget));
  }
  if (!options.dry_run) MarkAsDisrupted(core, *call.kind, *stored);
  if (ApiResult<DeleteOutcome> deleted = DeleteObject(core, *call.kind, call.Key(), options);
      !deleted) {
    return call.Refuse(deleted.error());
  }
  ReplySuccess(call);
}

ApiResult<json::object> PresentScale(const ServedKind& kind, const json::object& object,
                                     bool for_write = false) {
  if (kind.custom != nullptr) return kind.custom->ScaleOf(object, for_write);
  return ScaleOf(kind.info, object);
}

ApiResult<void> TakeScale(const ServedKind& kind, const json::object& scale, json::object& object) {
  const ApiResult<std::int64_t> replicas = ReplicasOf(scale);
  if (!replicas) return Refuse(replicas.error());
  if (kind.custom != nullptr) return kind.custom->SetReplicas(*replicas, object);
  Child(object, "spec")["replicas"] = *replicas;
  return {};
}

void ReplyScale(Call& call, const StoredObject& stored) {
  const ApiResult<json::object> scale = PresentScale(*call.kind, call.kind->Load(stored));
  scale ? call.ReplyJson(200, ToText(*scale)) : call.Refuse(scale.error());
}

// Writes the object through its scale: `make` turns the present scale into the wanted one.
void WriteScale(const CallPtr& call,
                std::function<ApiResult<json::object>(const json::object&)> make) {
  const auto through_scale =
      [call, make = std::move(make)](const json::object& old) -> ApiResult<json::object> {
    const ApiResult<json::object> present = PresentScale(*call->kind, old, true);
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
  };
  UpdateObject(call, through_scale, ReplyScale);
}

void HandleGetScale(const CallPtr& call) {
  if (const StoredPtr stored = call->FindOrRefuse()) ReplyScale(*call, *stored);
}

void HandlePutScale(const CallPtr& call) {
  ApiResult<json::object> body = DecodeBodyAs(*call, "autoscaling.Scale", kScale);
  if (!body) return call->Refuse(body.error());
  WriteScale(call, [body = std::move(*body)](const json::object&) { return body; });
}

void HandlePatchScale(const CallPtr& call) {
  const TypeSchema* schema = FindBuiltinType("autoscaling.Scale");
  ApiResult<PatchFunction> patch = ReadPatch(*call, schema);
  if (!patch) return call->Refuse(patch.error());
  WriteScale(
      call,
      [patch = std::move(*patch), schema](const json::object& present) -> ApiResult<json::object> {
        ApiResult<json::object> wanted = patch(present);
        if (!wanted) return wanted;
        const std::string shown = ToText(*wanted);
        json::value value(std::move(*wanted));
        if (Result<void> conformed = Conform(value, *schema); !conformed) {
          return Refuse(BadPatchResult(shown, conformed.error().message));
        }
        return std::move(value.as_object());
      });
}

// PUT namespaces/NAME/finalize: only spec.finalizers is written.
void HandleFinalize(const CallPtr& call) {
  ApiResult<json::object> body = DecodeBody(*call);
  if (!body) return call->Refuse(body.error());
  Core& core = call->core;
  Collection& namespaces = *call->kind->collection;
  const StoredPtr stored = call->FindOrRefuse();
  if (stored == nullptr) return;
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
  const json::array& finalizers = ListAt(*body, {"spec", "finalizers"});
  if (finalizers.empty()) {
    Child(object, "spec").erase("finalizers");
  } else {
    Child(object, "spec")["finalizers"] = finalizers;
  }
  if (ApiResult<void> fits = CheckStorable(core, object); !fits) {
    return call->Refuse(fits.error());
  }
  if (call->dry_run) return call->Reply(200, object);
  const bool gone = finalizers.empty() && stored->being_deleted && !HasFinalizers(object);
  call->Reply(200, gone ? *core.store.Delete(namespaces, stored->key, std::move(object))
                        : *core.store.Update(namespaces, stored->key, std::move(object)));
}

void HandleBinding(const CallPtr& call) {
  ApiResult<json::object> body = DecodeAbout(*call, "core.Binding", kBinding);
  if (!body) return call->Refuse(body.error());
  Admit(call, kBinding, std::move(*body), Bind);
}

void HandleEviction(const CallPtr& call) {
  ApiResult<json::object> body = DecodeAbout(*call, "policy.Eviction", kEviction);
  if (!body) return call->Refuse(body.error());
  Admit(call, kEviction, std::move(*body), Evict);
}

struct MethodOf {
  std::string_view subresource;
  std::string_view method;
  Handler handler;
};
constexpr MethodOf kMethods[] = {
    {"binding", "POST", HandleBinding},    {"eviction", "POST", HandleEviction},
    {"finalize", "PUT", HandleFinalize},   {"log", "GET", HandlePodLog},
    {"token", "POST", HandleTokenRequest}, {"scale", "GET", HandleGetScale},
    {"scale", "PUT", HandlePutScale},      {"scale", "PATCH", HandlePatchScale},
};

}  // namespace

ApiResult<Handler> SubresourceVerb(const Call& call) {
  const std::string& sub = call.path.subresource;
  const auto has = [&call](std::string_view name) {
    return std::ranges::find(call.info().subresources, name) != call.info().subresources.end();
  };
  if (sub == "scale" ? call.info().has_scale : has(sub)) {
    for (const MethodOf& verb : kMethods) {
      if (verb.subresource == sub && verb.method == call.http.method) return verb.handler;
    }
    return Refuse(refusal::MethodNotAllowed());
  }
  if (has("log") && (sub == "exec" || sub == "attach" || sub == "portforward" || sub == "proxy")) {
    return Refuse({.code = 501,
                   .reason = "NotImplemented",
                   .message = fmt::format("pods are simulated here: {} is not supported", sub)});
  }
  return Refuse(refusal::NoSuchResource());
}

void HandleBindingCollection(const CallPtr& call) {
  if (call->http.method != "POST") return call->Refuse(refusal::MethodNotAllowed());
  if (ApiResult<void> options = ReadWriteOptions(*call); !options) {
    return call->Refuse(options.error());
  }
  // The name is in the body only: take it from there, then go on as pods/NAME/binding.
  const Result<json::value> parsed = ParseJson(call->http.body);
  if (parsed && parsed->is_object()) call->path.name = Name(parsed->get_object());
  call->path.subresource = "binding";
  HandleBinding(call);
}

}  // namespace basalt::apiserver
