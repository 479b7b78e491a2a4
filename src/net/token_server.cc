#include "net/token_server.h"

#include <fmt/format.h>

#include <utility>

#include "net/http_server.h"
#include "net/random_token.h"
#include "net/tls.h"

namespace basalt::net {
namespace {

constexpr Duration kCertificateLifetime = 24h * 365 * 5;

std::string WithPort(const std::string& host, std::uint16_t port) {
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port)
                                             : fmt::format("[{}]:{}", host, port);
}

// In a time that does not depend on where they differ.
bool SameText(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

}  // namespace

bool BearsToken(const HttpRequest& request, std::string_view token) {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string* header = FindHeader(request.headers, "Authorization");
  if (!header || !header->starts_with(kBearer)) return false;
  return SameText(std::string_view(*header).substr(kBearer.size()), token);
}

TokenServer::~TokenServer() = default;

std::uint16_t TokenServer::port() const { return server_->port(); }

Result<std::unique_ptr<TokenServer>> TokenServer::Create(AsioLoop& loop, TokenServerOptions options,
                                                         HttpHandler handler) {
  const Time now = loop.Now();
  auto authority = MakeCertificateAuthority(options.name + "-ca", now, kCertificateLifetime);
  if (!authority) return std::unexpected(authority.error());
  auto certificate = MakeCertificate(*authority, {.common_name = options.name,
                                                  .organizations = {},
                                                  .dns_names = {options.name},
                                                  .ip_addresses = {},
                                                  .now = now,
                                                  .lifetime = kCertificateLifetime});
  if (!certificate) return std::unexpected(certificate.error());
  HttpServerOptions http;
  http.address = options.host;
  http.port = options.port;
  http.tls = std::move(*certificate);
  http.max_header_bytes = 16 * 1024;
  http.max_body_bytes = options.max_body_bytes;
  http.max_connections = 64;
  http.judge = std::move(options.judge);
  auto server = HttpServer::Create(loop, std::move(http), std::move(handler));
  if (!server) return std::unexpected(server.error());
  std::unique_ptr<TokenServer> made(new TokenServer());
  made->server_ = std::move(*server);
  made->ca_pem_ = authority->certificate_pem;
  made->token_ = options.token.empty() ? RandomToken() : std::move(options.token);
  const std::string& host = options.published_host.empty() ? options.host : options.published_host;
  made->address_ = WithPort(host, made->server_->port());
  return made;
}

}  // namespace basalt::net
