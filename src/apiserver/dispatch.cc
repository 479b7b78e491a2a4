#include "apiserver/dispatch.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "apiserver/discovery/discovery.h"
#include "apiserver/object/json_text.h"
#include "apiserver/protobuf/decode_body.h"
#include "apiserver/rest/call.h"
#include "apiserver/rest/decode.h"
#include "apiserver/rest/handlers.h"
#include "apiserver/rest/tokens.h"
#include "apiserver/rest/write_options.h"
#include "net/url.h"

namespace basalt::apiserver {
namespace {

bool Authenticated(const Core& core, const net::HttpRequest& request) {
  if (core.options.bearer_token.empty()) return true;
  const std::string* header = net::FindHeader(request.headers, "Authorization");
  if (header == nullptr) return false;
  constexpr std::string_view kScheme = "Bearer ";
  if (!std::string_view(*header).starts_with(kScheme)) return false;
  return UserOfToken(core, std::string_view(*header).substr(kScheme.size())).has_value();
}

// What Kubernetes shows to everybody: health and version.
bool IsPublic(std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  return path == "/healthz" || path == "/livez" || path == "/readyz" || path == "/version";
}

void PageNotFound(Call& call) {
  call.Respond(
      {.status = 404, .content_type = "text/plain; charset=utf-8", .body = "404 page not found\n"});
}

// The verb of the collection, of one object, of its status or of another subresource.
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
  const bool status = path.subresource == "status";
  if (!path.subresource.empty() && !status) return SubresourceVerb(call);
  if (status && !call.info().has_status) return Refuse(refusal::NoSuchResource());
  if (method == "GET") return watch ? HandleWatch : HandleGet;
  if (method == "PUT") return HandleUpdate;
  if (method == "PATCH") return HandlePatch;
  if (method == "DELETE" && !status) return HandleDelete;
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
    if (Authenticated(core, head)) return std::nullopt;
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
  const std::string_view target = call->http.target;
  const std::size_t question = target.find('?');
  const std::optional<std::string> path = net::PercentDecode(target.substr(0, question));
  if (!path) return call->Refuse(refusal::BadRequest("the path is not well encoded"));
  if (question != std::string_view::npos) call->query = Query::Parse(target.substr(question + 1));

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
  const std::string* accept = net::FindHeader(call->http.headers, "Accept");
  ApiResult<OutputFormat> format = NegotiateOutput(accept == nullptr ? "" : *accept);
  if (!format) return call->Refuse(format.error());
  const bool reads = call->http.method == "GET";
  if (reads || format->shape != OutputFormat::Shape::kTable) call->format = *format;
  const std::string_view include = call->query.Get("includeObject");
  if (include == "None" || include == "Object") call->format.include_object = include;
  const ApiResult<Handler> verb = VerbOf(*call);
  if (!verb) return call->Refuse(verb.error());
  if (ApiResult<void> options = ReadWriteOptions(*call); !options) {
    return call->Refuse(options.error());
  }
  (*verb)(call);
}

}  // namespace basalt::apiserver
