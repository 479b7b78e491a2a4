#include "scheduler/query/query_server.h"

#include <fmt/format.h>

#include <utility>

#include "net/http_server.h"
#include "net/random_token.h"
#include "net/tls.h"

namespace basalt::scheduler::query {
namespace {

constexpr Duration kCertificateLifetime = 24h * 365 * 5;

std::string WithPort(const std::string& host, std::uint16_t port) {
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port)
                                             : fmt::format("[{}]:{}", host, port);
}

}  // namespace

QueryServer::QueryServer(QueryAccess access, QueryHandler handler)
    : access_(std::move(access)), handler_(std::move(handler)) {}

QueryServer::~QueryServer() = default;

std::uint16_t QueryServer::port() const { return server_->port(); }

Result<std::unique_ptr<QueryServer>> QueryServer::Create(AsioLoop& loop,
                                                         const QueryServerOptions& options,
                                                         QuerySources sources) {
  const Time now = loop.Now();
  auto authority = net::MakeCertificateAuthority("basalt-query-ca", now, kCertificateLifetime);
  if (!authority) return std::unexpected(authority.error());
  auto certificate = net::MakeCertificate(*authority, {.common_name = std::string(kServerName),
                                                       .organizations = {},
                                                       .dns_names = {std::string(kServerName)},
                                                       .ip_addresses = {},
                                                       .now = now,
                                                       .lifetime = kCertificateLifetime});
  if (!certificate) return std::unexpected(certificate.error());
  std::string token = net::RandomToken();
  std::unique_ptr<QueryServer> made(
      new QueryServer({.address = {}, .ca_pem = authority->certificate_pem, .token = token},
                      QueryHandler(token, std::move(sources))));
  net::HttpServerOptions http;
  http.address = options.host;
  http.port = options.port;
  http.tls = std::move(*certificate);
  http.max_header_bytes = 16 * 1024;
  http.max_body_bytes = 1024;
  http.max_connections = 64;
  auto server = net::HttpServer::Create(
      loop, std::move(http),
      [query = made.get()](net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange) {
        exchange->Respond(query->handler_.Answer(request));
      });
  if (!server) return std::unexpected(server.error());
  made->server_ = std::move(*server);
  const std::string& host = options.published_host.empty() ? options.host : options.published_host;
  made->access_.address = WithPort(host, made->server_->port());
  return made;
}

}  // namespace basalt::scheduler::query
