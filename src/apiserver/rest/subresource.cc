#include <fmt/format.h>

#include <algorithm>

#include "apiserver/kinds/checks.h"
#include "apiserver/kinds/custom_kind.h"
#include "apiserver/kinds/subresources.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/object.h"
#include "apiserver/rest/delete.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/request.h"
#include "apiserver/rest/write.h"
#include "apiserver/schema/type_schema.h"

namespace basalt::apiserver {
namespace {

const KindInfo kBinding{.version = "v1", .kind = "Binding", .plural = "bindings"};
const KindInfo kEviction{
    .group = "policy", .version = "v1", .kind = "Eviction", .plural = "evictions"};
const KindInfo kScale{.group = "autoscaling", .version = "v1", .kind = "Scale", .plural = "scales"};

// A binding or eviction of the pod that the path names: decoded, admitted, handed to `act`, which
// refuses, or writes and leaves the answer to this.
void ActOnPod(const CallPtr& call, const KindInfo& kind,
              ApiResult<void> (*act)(Call& call, const StoredObject& pod,
                                     const json::object& body)) {
  ApiResult<json::object> body = DecodeBodyAs(*call, kind);
  if (!body) return call->Refuse(body.error());
  if (Name(*body) != call->path.name) {
    return call->Refuse(refusal::BadRequest(
        fmt::format("name in URL does not match name in {} object", kind.kind)));
  }
  if (!call->Passes(SettleNamespace(*call->kind, call->path.ns, *body))) return;
  AdmissionRequest request = call->ForAdmission(Operation::kCreate, "CreateOptions");
  request.object = std::move(*body);
  request.object_kind = &kind;
  call->core.admission.Admit(
      std::move(request), [](json::object mutated) { return mutated; },
      [call, act](const ApiResult<json::object>& admitted) {
        if (!admitted) return call->Refuse(admitted.error());
        const StoredPtr pod = call->FindOrRefuse();
        if (pod == nullptr) return;
        if (!call->Passes(act(*call, *pod, *admitted))) return;
        call->ReplySuccess(201, "code", 201);
      });
}

ApiResult<void> Bind(Call& call, const StoredObject& stored, const json::object& binding) {
  json::object pod = call.kind->Load(stored);
  ApiResult<void> bound = ApplyBinding(binding, pod, call.core.loop.Now());
  if (bound) bound = CheckStorable(call.core, pod);
  if (bound && !call.dry_run) {
    call.core.store.Update(*call.kind->collection, stored.key, std::move(pod));
  }
  return bound;
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

ApiResult<void> Evict(Call& call, const StoredObject& pod, const json::object& eviction) {
  Core& core = call.core;
  DeleteOptions options = ReadDeleteOptions(ObjectOf(eviction, "deleteOptions"));
  options.dry_run = options.dry_run || call.dry_run;
  ApiResult<std::optional<json::object>> budget =
      DecideEviction(call.kind->Load(pod),
                     core.List("policy", "poddisruptionbudgets", call.path.ns), core.loop.Now());
  if (!budget) return Refuse(budget.error());
  if (*budget && !options.dry_run) {
    Collection& budgets = core.store.Of("policy", "poddisruptionbudgets");
    const std::string key = call.path.ns + "/" + std::string(Name(**budget));
    core.store.Update(budgets, key, std::move(**budget));
  }
  if (!options.dry_run) MarkAsDisrupted(core, *call.kind, pod);
  const ApiResult<DeleteOutcome> deleted = DeleteObject(core, *call.kind, call.Key(), options);
  if (!deleted) return Refuse(deleted.error());
  return {};
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
  scale ? call.ReplyJson(200, *scale) : call.Refuse(scale.error());
}

// Writes the object through its scale: `make` turns the present scale into the wanted one.
void WriteScale(const CallPtr& call, const MakeObject& make) {
  const auto through_scale = [call, make](const json::object& old) -> ApiResult<json::object> {
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
        metadata[key] = value;
      }
    }
    const ApiResult<void> taken = TakeScale(*call->kind, *wanted, object);
    if (!taken) return Refuse(taken.error());
    return object;
  };
  UpdateObject(call, through_scale, ReplyScale);
}

void HandleGetScale(const CallPtr& call) {
  if (const StoredPtr stored = call->FindOrRefuse()) ReplyScale(*call, *stored);
}

void HandlePutScale(const CallPtr& call) {
  ApiResult<json::object> body = DecodeBodyAs(*call, kScale);
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
        json::value value(std::move(*wanted));
        const Result<void> conformed = Conform(value, *schema);
        if (!conformed) return Refuse(BadPatchResult(conformed.error().message));
        return std::move(value.as_object());
      });
}

// PUT namespaces/NAME/finalize: only spec.finalizers is written.
void HandleFinalize(const CallPtr& call) {
  ApiResult<json::object> body = DecodeBody(*call);
  if (!body) return call->Refuse(body.error());
  UpdateObject(call, [body = std::move(*body)](const json::object& old) {
    json::object object = old;
    for (const std::string_view key : {"name", "resourceVersion"}) {
      Metadata(object)[key] = GetString(body, {"metadata", key});
    }
    Child(object, "spec").erase("finalizers");
    const json::array& finalizers = ListAt(body, {"spec", "finalizers"});
    if (!finalizers.empty()) Child(object, "spec")["finalizers"] = finalizers;
    return object;
  });
}

// GET pods/NAME/log. Pods are simulated: no program runs and nothing is logged, and one line says
// so. The container is chosen as Kubernetes does.
void HandlePodLog(const CallPtr& call) {
  const StoredPtr stored = call->FindOrRefuse();
  if (stored == nullptr) return;
  const json::object pod = call->kind->Load(*stored);
  std::vector<std::string_view> names;
  for (const std::string_view list : {"containers", "initContainers", "ephemeralContainers"}) {
    for (const json::value& container : ListAt(pod, {"spec", list})) {
      names.push_back(GetString(AsObject(container), {"name"}));
    }
  }
  std::string_view chosen = call->query.Get("container");
  if (chosen.empty() && ListAt(pod, {"spec", "containers"}).size() == 1) chosen = names.front();
  if (std::ranges::find(names, chosen) == names.end()) {
    return call->Refuse(refusal::BadRequest(
        chosen.empty()
            ? fmt::format("which container of pod {}? [{}]", call->path.name, fmt::join(names, " "))
            : fmt::format("container {} is not valid for pod {}", chosen, call->path.name)));
  }
  const std::string_view node = GetString(pod, {"spec", "nodeName"});
  std::string text;
  if (!node.empty()) {
    text = fmt::format(
        "basalt: pod {} is simulated: no program runs on node {}, and container {} logs nothing\n",
        call->path.name, node, chosen);
  }
  call->Respond({.status = 200, .content_type = "text/plain", .body = std::move(text)});
}

void HandleBinding(const CallPtr& call) { ActOnPod(call, kBinding, Bind); }

void HandleEviction(const CallPtr& call) { ActOnPod(call, kEviction, Evict); }

constexpr SubresourceVerb kSubresourceVerbs[] = {
    {"binding", "POST", "create", HandleBinding, "Binding"},
    {"eviction", "POST", "create", HandleEviction, "Eviction", "policy"},
    {"finalize", "PUT", "update", HandleFinalize},
    {"log", "GET", "get", HandlePodLog},
    {"scale", "GET", "get", HandleGetScale, "Scale", "autoscaling"},
    {"scale", "PATCH", "patch", HandlePatchScale, "Scale", "autoscaling"},
    {"scale", "PUT", "update", HandlePutScale, "Scale", "autoscaling"},
    {"status", "GET", "get", HandleGet},
    {"status", "PATCH", "patch", HandlePatch},
    {"status", "PUT", "update", HandleUpdate},
    {"token", "POST", "create", HandleTokenRequest, "TokenRequest", "authentication.k8s.io"},
};

}  // namespace

std::span<const SubresourceVerb> SubresourceVerbs() { return kSubresourceVerbs; }

void HandleBindingCollection(const CallPtr& call) {
  if (!call->Passes(ReadWriteOptions(*call))) return;
  // The name is in the body only: take it from there, then go on as pods/NAME/binding.
  const Result<json::value> parsed = ParseJson(call->http.body);
  if (parsed && parsed->is_object()) call->path.name = Name(parsed->get_object());
  call->kind = call->core.kinds.Find("", "v1", "pods");
  call->path.subresource = "binding";
  HandleBinding(call);
}

}  // namespace basalt::apiserver
