#include "dashboard/dashboard_server.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <utility>
#include <vector>

#include "dashboard/assets.h"
#include "kube/types/json_fields.h"
#include "net/http_server.h"

namespace basalt::dashboard {
namespace {

namespace json = boost::json;

constexpr std::string_view kApi = "/api/v1/";
constexpr std::size_t kLongestTarget = 1024;

// Nothing but what this server serves; no scripts or styles in the page itself; in no page's frame.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for "
    "'script'";

net::Headers SafeHeaders() {
  return {{"Content-Security-Policy", std::string(kPolicy)},
          {"X-Content-Type-Options", "nosniff"},
          {"X-Frame-Options", "DENY"},
          {"Referrer-Policy", "no-referrer"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Cross-Origin-Resource-Policy", "same-origin"},
          {"Cache-Control", "no-store"}};
}

net::HttpResponse Json(int status, std::string body) {
  return {.status = status, .headers = SafeHeaders(), .body = std::move(body)};
}

net::HttpResponse Refuse(int status, std::string_view message) {
  return Json(status, json::serialize(json::object{{"message", message}}));
}

net::HttpResponse Page(std::string_view path) {
  for (const Asset& asset : Assets()) {
    if (asset.path != path) continue;
    return {.status = 200,
            .content_type = std::string(asset.content_type),
            .headers = SafeHeaders(),
            .body = std::string(asset.content)};
  }
  return Refuse(404, "there is no such page");
}

std::string TokenIn(const net::HttpRequest& request) {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string* header = net::FindHeader(request.headers, "Authorization");
  return header && header->starts_with(kBearer) ? header->substr(kBearer.size()) : "";
}

int StatusOf(const Error& error) {
  switch (error.code) {
    case ErrorCode::kUnauthorized: return 401;
    case ErrorCode::kForbidden: return 403;
    case ErrorCode::kNotFound: return 404;
    default: return 503;
  }
}

std::vector<std::string_view> Parts(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0) parts.push_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

// What a question about other namespaces would make or end.
bool AsksAboutOthers(const Sight& sight, const json::object& question) {
  const std::string ns = kube::TextAt(&question, "namespace");
  const std::string usual = ns.empty() ? "default" : ns;
  for (const json::value& object : kube::ArrayAt(&question, "objects")) {
    const json::object* meta =
        object.is_object() ? kube::ObjectAt(object.as_object(), {"metadata"}) : nullptr;
    const std::string in = kube::TextAt(meta, "namespace");
    if (!sight.Sees(in.empty() ? usual : in)) return true;
  }
  for (const char* list : {"finish", "delete", "set"}) {
    for (const json::value& named : kube::ArrayAt(&question, list)) {
      if (!named.is_string()) return true;
      const std::string_view text(named.as_string());
      if (text.starts_with("queue/") || text.starts_with("node/")) continue;  // all may see them
      // "podgroup/NAMESPACE/NAME.minMember=2": what stands behind "=" is no name.
      const auto parts = Parts(text.substr(0, text.find('=')));
      if (!sight.Sees(parts.size() == 3 ? parts[1] : std::string_view(usual))) return true;
    }
  }
  return false;
}

}  // namespace

DashboardServer::DashboardServer(Loop& loop, DashboardSources sources)
    : sources_(std::move(sources)), feed_(loop, [this](auto done) {
        sources_.scheduler({.method = "GET", .target = "/v1/overview", .headers = {}, .body = {}},
                           [done](Result<net::HttpResponse> response) {
                             if (!response) return done(std::unexpected(response.error()));
                             if (response->status != 200) {
                               return done(Fail(ErrorCode::kUnavailable,
                                                "the scheduler does not answer: ask again"));
                             }
                             done(std::move(response->body));
                           });
      }) {}

DashboardServer::~DashboardServer() = default;

std::uint16_t DashboardServer::port() const { return server_->port(); }

Result<std::unique_ptr<DashboardServer>> DashboardServer::Create(AsioLoop& loop,
                                                                 DashboardOptions options,
                                                                 DashboardSources sources) {
  std::unique_ptr<DashboardServer> made(new DashboardServer(loop, std::move(sources)));
  net::HttpServerOptions http;
  http.address = options.host;
  http.port = options.port;
  http.tls = std::move(options.tls);
  http.max_header_bytes = 32 * 1024;
  http.max_body_bytes = 4 * 1024 * 1024;
  http.max_connections = 1024;
  http.max_stream_backlog = 32 * 1024 * 1024;
  http.judge = [](const net::HttpRequest& head) -> std::optional<net::HttpResponse> {
    if (head.target.size() > kLongestTarget) return Refuse(414, "the question is too long");
    const bool api = head.target.starts_with(kApi);
    if (api && TokenIn(head).empty()) return Refuse(401, "a token is needed");
    if (!api && head.method != "GET") return Refuse(405, "pages are only read");
    return std::nullopt;
  };
  auto server = net::HttpServer::Create(
      loop, std::move(http), [dashboard = made.get()](net::HttpRequest request, Exchange exchange) {
        dashboard->Handle(std::move(request), std::move(exchange));
      });
  if (!server) return std::unexpected(server.error());
  made->server_ = std::move(*server);
  return made;
}

void DashboardServer::Handle(net::HttpRequest request, Exchange exchange) {
  if (!request.target.starts_with(kApi)) {
    return exchange->Respond(
        Page(std::string_view(request.target).substr(0, request.target.find('?'))));
  }
  const std::string token = TokenIn(request);
  admission_->Admit(token, scope_.Guard([this, request = std::move(request),
                                         exchange = std::move(exchange)](Result<Sight> sight) {
    if (!sight) return exchange->Respond(Refuse(StatusOf(sight.error()), sight.error().message));
    Answer(request, *sight, exchange);
  }));
}

void DashboardServer::Answer(const net::HttpRequest& request, const Sight& sight,
                             Exchange exchange) {
  const std::string_view path = std::string_view(request.target).substr(kApi.size());
  const std::vector<std::string_view> parts = Parts(path);
  if (parts.empty()) return exchange->Respond(Refuse(404, "there is no such question"));
  if (parts[0] == "simulate") return Simulate(request, sight, exchange);
  if (parts[0] == "defragmentation") return Defragment(request, sight, exchange);
  if (request.method != "GET") return exchange->Respond(Refuse(405, "it is asked with GET"));
  if (path == "stream") {
    if (feed_.pages() >= Feed::kMostPages) {
      return exchange->Respond(Refuse(503, "too many pages are open"));
    }
    return feed_.Listen(std::move(exchange), sight, [this, token = TokenIn(request)](auto done) {
      admission_->Admit(token, std::move(done));
    });
  }
  if (path == "overview") {
    std::string text = feed_.OverviewFor(sight);
    if (text.empty()) return exchange->Respond(Refuse(503, "nothing is known yet: ask again"));
    return exchange->Respond(Json(200, std::move(text)));
  }
  if (path == "history") {
    return exchange->Respond(Json(200, json::serialize(feed_.history().ToJson())));
  }
  const bool node = parts.size() == 2 && parts[0] == "nodes";
  const bool explain = parts.size() == 4 && parts[0] == "explain" && sight.Sees(parts[2]);
  const bool queue = parts.size() == 3 && parts[0] == "explain" && parts[1] == "queue";
  if (node || explain || queue) {
    return Forward(
        true, {.method = "GET", .target = "/v1/" + std::string(path), .headers = {}, .body = {}},
        sight, exchange);
  }
  exchange->Respond(Refuse(404, "there is no such question"));
}

void DashboardServer::Forward(bool to_scheduler, net::HttpRequest request, const Sight& sight,
                              const Exchange& exchange) {
  auto answered = [sight, exchange](Result<net::HttpResponse> response) {
    if (!response) {
      return exchange->Respond(Refuse(StatusOf(response.error()), response.error().message));
    }
    if (sight.everything) return exchange->Respond(Json(response->status, response->body));
    boost::system::error_code broken;
    json::value value = json::parse(response->body, broken);
    if (broken) return exchange->Respond(Refuse(503, "the answer cannot be read"));
    Hide(sight, value);
    exchange->Respond(Json(response->status, json::serialize(value)));
  };
  (to_scheduler ? sources_.scheduler : sources_.descheduler)(std::move(request),
                                                             scope_.Guard(std::move(answered)));
}

void DashboardServer::Simulate(const net::HttpRequest& request, const Sight& sight,
                               const Exchange& exchange) {
  if (request.method != "POST") return exchange->Respond(Refuse(405, "it is asked with POST"));
  boost::system::error_code broken;
  const json::value question = json::parse(request.body, broken);
  if (broken || !question.is_object()) {
    return exchange->Respond(Refuse(400, "the question must be a JSON object"));
  }
  if (!sight.everything && AsksAboutOthers(sight, question.as_object())) {
    return exchange->Respond(Refuse(403, "it is about namespaces that you may not list"));
  }
  Forward(true,
          {.method = "POST",
           .target = "/v1/simulate",
           .headers = {{"X-Basalt-Asker", "dashboard " + sight.person}},
           .body = request.body},
          sight, exchange);
}

// The plan is of the whole cluster: it is for persons that see the whole cluster.
void DashboardServer::Defragment(const net::HttpRequest& request, const Sight& sight,
                                 const Exchange& exchange) {
  if (!sight.everything) {
    return exchange->Respond(Refuse(403, "plans are for those who may list pods everywhere"));
  }
  if (request.method == "POST") {
    boost::system::error_code broken;
    const json::value body = json::parse(request.body.empty() ? "{}" : request.body, broken);
    const json::value* dry =
        !broken && body.is_object() ? body.as_object().if_contains("dryRun") : nullptr;
    const bool only_plan = dry && dry->is_bool() && dry->as_bool();
    if (!only_plan && !sight.may_defragment) {
      return exchange->Respond(
          Refuse(403, "to run a plan you must be allowed to create reservations and evictions"));
    }
  } else if (request.method != "GET") {
    return exchange->Respond(Refuse(405, "it is asked with GET or POST"));
  }
  Forward(false,
          {.method = request.method,
           .target = "/v1/" + request.target.substr(kApi.size()),
           .headers = {},
           .body = request.body},
          sight, exchange);
}

}  // namespace basalt::dashboard
