#include "apiserver/dispatch.h"

#include <fmt/format.h>

#include "apiserver/discovery/discovery.h"
#include "apiserver/object/json_text.h"
#include "apiserver/object/text.h"
#include "apiserver/protobuf/decode_body.h"
#include "apiserver/rest/call.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/request.h"
#include "net/url.h"

namespace basalt::apiserver {
namespace {

// What Kubernetes shows without a token: health and version.
bool IsPublic(std::string_view target) {
  const std::string_view path = Cut(target, '?').first;
  return path == "/healthz" || path == "/livez" || path == "/readyz" || path == "/version";
}

void PageNotFound(Call& call) {
  call.Respond(
      {.status = 404, .content_type = "text/plain; charset=utf-8", .body = "404 page not found\n"});
}

ApiResult<Handler> SubresourceVerbOf(const Call& call) {
  const std::string& name = call.path.subresource;
  if (call.info().Has(name)) {
    for (const SubresourceVerb& verb : SubresourceVerbs()) {
      if (verb.subresource == name && verb.method == call.http.method) return verb.handler;
    }
    return Refuse(refusal::MethodNotAllowed());
  }
  if (call.info().Has("log") &&
      (name == "exec" || name == "attach" || name == "portforward" || name == "proxy")) {
    return Refuse(
        {501, "NotImplemented", fmt::format("pods are simulated here: {} is not supported", name)});
  }
  return Refuse(refusal::NoSuchResource());
}

// The verb of the collection, of one object or of a subresource.
ApiResult<Handler> VerbOf(const Call& call) {
  const std::string& method = call.http.method;
  const ResourcePath& path = call.path;
  const bool in_place = !call.info().namespaced || path.in_namespace;
  const bool watch = call.query.GetBool("watch");
  if (path.name.empty()) {
    if (method == "GET") return watch ? HandleWatch : HandleList;
    if (method == "POST" && in_place) return HandleCreate;
    if (method == "DELETE" && in_place && call.info().collection_deletion) {
      return HandleDeleteCollection;
    }
    return Refuse(refusal::MethodNotAllowed());
  }
  if (!in_place) return Refuse(refusal::NoSuchResource());
  if (!path.subresource.empty()) return SubresourceVerbOf(call);
  if (method == "GET") return watch ? HandleWatch : HandleGet;
  if (method == "PUT") return HandleUpdate;
  if (method == "PATCH") return HandlePatch;
  if (method == "DELETE") return HandleDelete;
  return Refuse(refusal::MethodNotAllowed());
}

// Handlers read JSON only: a protobuf body is turned into it here.
ApiResult<void> ToJsonBody(net::HttpRequest& http) {
  if (ContentType(http) != kProtobufMediaType || http.body.empty()) return {};
  const Result<json::object> decoded = DecodeProtobufBody(http.body);
  if (!decoded && decoded.error().code == ErrorCode::kUnsupported) {
    return Refuse(refusal::UnsupportedMediaType("application/json"));
  }
  if (!decoded) return Refuse(refusal::BadRequest(decoded.error().message));
  http.body = ToText(*decoded);
  const std::string* type = net::FindHeader(http.headers, "Content-Type");
  for (net::Header& header : http.headers) {
    if (&header.value == type) header.value = "application/json";
  }
  return {};
}

}  // namespace

std::optional<net::HttpResponse> JudgeHead(const Core& core, const net::HttpRequest& head) {
  if (!IsPublic(head.target)) {
    if (UserOf(core, head)) return std::nullopt;
    return ResponseOf(refusal::Unauthorized());
  }
  if (head.method != "GET" && head.method != "HEAD") {
    return ResponseOf(refusal::MethodNotAllowed());
  }
  if (net::AnnouncesBody(head) || !head.body.empty())
    return ResponseOf(refusal::TooLarge("no body is read here"));
  return std::nullopt;
}

void Dispatch(Core& core, net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange) {
  if (auto refused = JudgeHead(core, request)) return exchange->Respond(std::move(*refused));
  auto call = std::make_shared<Call>(core, std::move(request), std::move(exchange));
  if (call->http.body.size() > core.options.max_body_bytes) {
    return call->Refuse(refusal::TooLarge(
        fmt::format("Request entity too large: limit is {}", core.options.max_body_bytes)));
  }
  const auto [encoded, query] = Cut(call->http.target, '?');
  const std::optional<std::string> path = net::PercentDecode(encoded);
  if (!path) return call->Refuse(refusal::BadRequest("the path is not well encoded"));
  call->query = Query::Parse(query);

  const ApiResult<void> body = ToJsonBody(call->http);
  // Of a kind that has no protobuf form here it is told first that it is not served, where it is
  // not.
  const bool unknown_form = !body && body.error().code == 415;
  if (!body && !unknown_form) return call->Refuse(body.error());
  if (ServeDiscovery(call, *path)) return;
  const std::optional<ResourcePath> resource = ParseResourcePath(*path);
  if (!resource || !core.kinds.HasGroup(resource->group)) return PageNotFound(*call);
  call->path = *resource;
  call->kind = core.kinds.Find(resource->group, resource->version, resource->resource);
  if (call->kind == nullptr || (resource->in_namespace && !call->kind->info.namespaced)) {
    return call->Refuse(refusal::NoSuchResource());
  }
  if (!body) return call->Refuse(body.error());
  ApiResult<OutputFormat> format = NegotiateOutput(HeaderText(call->http, "Accept"));
  if (!format) return call->Refuse(format.error());
  const bool reads = call->http.method == "GET";
  if (reads || format->shape != OutputFormat::Shape::kTable) call->format = *format;
  const std::string_view include = call->query.Get("includeObject");
  if (include == "None" || include == "Object") call->format.include_object = include;
  const ApiResult<Handler> verb = VerbOf(*call);
  if (!verb) return call->Refuse(verb.error());
  if (!call->Passes(ReadWriteOptions(*call))) return;
  (*verb)(call);
}

}  // namespace basalt::apiserver
