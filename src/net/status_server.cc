#include "net/status_server.h"

#include <optional>
#include <string_view>
#include <utility>

#include "base/metrics_page.h"
#include "net/http_server.h"

namespace basalt::net {
namespace {

HttpResponse Text(int status, std::string body) {
  return {.status = status, .content_type = "text/plain; charset=utf-8", .body = std::move(body)};
}

HttpResponse Check(const std::function<std::string()>& problem,
                   const std::function<std::string()>& details) {
  const std::string wrong = problem ? problem() : "";
  const std::string more = details ? details() : "";
  return wrong.empty() ? Text(200, "ok\n" + more) : Text(503, wrong + "\n" + more);
}

// By the header alone: clients have no body to send.
std::optional<HttpResponse> Judge(const HttpRequest& head) {
  if (head.method != "GET" && head.method != "HEAD") {
    HttpResponse response = Text(405, "only GET and HEAD\n");
    response.headers.push_back({"Allow", "GET, HEAD"});
    return response;
  }
  if (AnnouncesBody(head)) return Text(413, "no body is read here\n");
  return std::nullopt;
}

void Answer(metrics::MetricsPage& page, const StatusSource& source, const HttpRequest& request,
            const std::shared_ptr<HttpExchange>& exchange) {
  const std::string_view path =
      std::string_view(request.target).substr(0, request.target.find('?'));
  if (path == "/healthz" || path == "/livez") {
    return exchange->Respond(Check(source.unhealthy, source.details));
  }
  if (path == "/readyz") return exchange->Respond(Check(source.not_ready, {}));
  if (path != "/metrics") {
    return exchange->Respond(Text(404, "there are /metrics, /healthz and /readyz\n"));
  }
  page.Read([exchange](const std::shared_ptr<const std::string>& text) {
    HttpResponse response = Text(200, *text);
    response.content_type = "text/plain; version=0.0.4; charset=utf-8";
    exchange->Respond(std::move(response));
  });
}

}  // namespace

Result<std::unique_ptr<StatusServer>> StatusServer::Create(AsioLoop& loop,
                                                           const std::string& address,
                                                           std::uint16_t port,
                                                           const metrics::Registry& registry,
                                                           StatusSource source) {
  auto page = std::make_shared<metrics::MetricsPage>(loop, registry, std::move(source.collect));
  HttpServerOptions options{.address = address, .port = port};
  options.max_header_bytes = 16 * 1024;
  options.max_body_bytes = 4096;
  // Probes and scrapes are short, and anybody may connect.
  options.header_timeout = 5s;
  options.idle_timeout = 5s;
  options.response_timeout = 30s;
  options.max_connections = 64;
  options.judge = Judge;
  auto http = HttpServer::Create(
      loop, std::move(options),
      [page = std::move(page), source = std::move(source)](
          const HttpRequest& request, const std::shared_ptr<HttpExchange>& exchange) {
        Answer(*page, source, request, exchange);
      });
  if (!http) return std::unexpected(http.error());
  return std::unique_ptr<StatusServer>(new StatusServer(std::move(*http)));
}

StatusServer::StatusServer(std::unique_ptr<HttpServer> http) : http_(std::move(http)) {}
StatusServer::~StatusServer() = default;

std::uint16_t StatusServer::port() const { return http_->port(); }

}  // namespace basalt::net
