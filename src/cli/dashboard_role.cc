#include "cli/dashboard_role.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <utility>

#include "base/log.h"
#include "cli/bad_flag.h"
#include "cli/listen_address.h"
#include "dashboard/dashboard_server.h"
#include "dashboard/upstream.h"
#include "net/random_token.h"

namespace basalt::cli {
namespace {

Result<std::string> ReadPem(const std::string& flag, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  if (!file || text.empty()) return BadFlag(flag, fmt::format("cannot read {}", path));
  return text;
}

Result<dashboard::DashboardOptions> ServerOptions(const DashboardFlags& flags) {
  const Result<ListenAddress> listen = ParseListenAddress(flags.listen);
  if (!listen) return std::unexpected(listen.error().Wrap("--listen"));
  if (!listen->loopback() && flags.auth != "review") {
    return BadFlag("--listen",
                   "others than this machine would reach it: that needs --auth review, by which "
                   "people log in with their own tokens");
  }
  dashboard::DashboardOptions options{.host = listen->host, .port = listen->port, .tls = {}};
  if (flags.cert_file.empty() != flags.key_file.empty()) {
    return BadFlag("--tls-cert-file", "goes together with --tls-private-key-file");
  }
  if (!flags.cert_file.empty()) {
    auto certificate = ReadPem("--tls-cert-file", flags.cert_file);
    if (!certificate) return std::unexpected(certificate.error());
    auto key = ReadPem("--tls-private-key-file", flags.key_file);
    if (!key) return std::unexpected(key.error());
    options.tls = net::CertificateAndKey{.certificate_pem = *certificate, .key_pem = *key};
  } else if (!listen->loopback()) {
    log::Warning("the dashboard is served without TLS: put it behind something that has it",
                 {{"listen", flags.listen}});
  }
  return options;
}

}  // namespace

DashboardRole::DashboardRole() = default;
DashboardRole::~DashboardRole() = default;

void DashboardRole::Start() {
  server_->Start();
  log::Info("the dashboard is served", {{"address", address_.substr(0, address_.find('#'))}});
}

Result<std::unique_ptr<DashboardRole>> DashboardRole::Build(RoleContext& context,
                                                            const DashboardFlags& flags) {
  auto options = ServerOptions(flags);
  if (!options) return std::unexpected(options.error());
  const std::string scheme = options->tls ? "https" : "http";
  const std::string host = options->host;
  std::unique_ptr<DashboardRole> made(new DashboardRole());
  made->scheduler_ = std::make_unique<dashboard::Upstream>(
      context.loop, context.client, flags.scheduler_namespace, "basalt-query");
  made->descheduler_ = std::make_unique<dashboard::Upstream>(
      context.loop, context.client, flags.scheduler_namespace, "basalt-descheduler");
  const auto ask = [](dashboard::Upstream* upstream) {
    return [upstream](net::HttpRequest request, dashboard::DashboardSources::Done done) {
      upstream->Send(std::move(request), std::move(done));
    };
  };
  auto server = dashboard::DashboardServer::Create(
      context.loop, *std::move(options),
      {.scheduler = ask(made->scheduler_.get()), .descheduler = ask(made->descheduler_.get())});
  if (!server) return std::unexpected(server.error().Wrap("--listen"));
  made->server_ = std::move(*server);
  made->address_ = fmt::format("{}://{}:{}/", scheme,
                               host.find(':') == std::string::npos ? host : "[" + host + "]",
                               made->server_->port());
  if (flags.auth == "review") {
    made->server_->Use(dashboard::AdmitByReview(
        context.client, [feed = &made->server_->feed()] { return feed->namespaces(); }));
  } else {
    const std::string token = net::RandomToken();
    made->server_->Use(dashboard::AdmitByOneToken(token));
    made->address_ += "#token=" + token;
  }
  return made;
}

}  // namespace basalt::cli
