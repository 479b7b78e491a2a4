#include "webhook/webhook.h"

#include <fmt/format.h>

#include <utility>

#include "base/log.h"
#include "kube/client/files.h"
#include "net/url.h"

namespace basalt::webhook {
namespace {

// An object and the one that it replaces, each as large as an API server allows.
constexpr std::size_t kMostBodyBytes = 8 * 1024 * 1024;

// API servers keep a few each; other clients are not worth memory.
constexpr int kMostConnections = 256;

bool IsAnyAddress(const std::string& address) { return address == "0.0.0.0" || address == "::"; }

// The names by which an API server may know the webhook.
void AddNames(const WebhookOptions& options, RegistrarOptions& out) {
  out.dns_names = {"localhost"};
  out.ip_addresses = {"127.0.0.1", "::1"};
  const auto add = [&](const std::string& host) {
    (net::IsIpAddress(host) ? out.ip_addresses : out.dns_names).push_back(host);
  };
  if (!IsAnyAddress(options.address)) add(options.address);
  if (const auto url = net::ParseUrl(options.target.url); url) add(url->host);
  if (!options.target.service_name.empty()) {
    const std::string service =
        fmt::format("{}.{}", options.target.service_name, options.target.service_ns);
    for (const char* end : {"", ".svc", ".svc.cluster.local"}) add(service + end);
  }
}

RegistrarOptions RegistrarFor(const WebhookOptions& options) {
  RegistrarOptions made{.secret = options.secret,
                        .dns_names = {},
                        .ip_addresses = {},
                        .certificate_lifetime = options.certificate_lifetime,
                        .check_interval = options.check_interval,
                        .policy = options.policy,
                        .routes = options.routes};
  AddNames(options, made);
  return made;
}

WebhookOptions WithAllRoutes(WebhookOptions options) {
  if (options.routes.empty()) {
    for (const Route& route : AllRoutes()) options.routes.push_back(&route);
  }
  return options;
}

}  // namespace

Result<std::unique_ptr<Webhook>> Webhook::Create(AsioLoop& loop, kube::Client& client,
                                                 WebhookOptions options,
                                                 metrics::Registry* metrics) {
  if (!options.target.url.empty()) {
    const auto url = net::ParseUrl(options.target.url);
    if (!url) return std::unexpected(url.error().Wrap("--webhook-url"));
    if (!url->tls || !(url->path.empty() || url->path == "/")) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("--webhook-url: \"{}\": want https://HOST[:PORT] without a path",
                              options.target.url));
    }
    if (options.target.url.ends_with('/')) options.target.url.pop_back();
  }
  std::unique_ptr<Webhook> webhook(
      new Webhook(loop, client, WithAllRoutes(std::move(options)), metrics));
  if (!webhook->options_.certificate_file.empty()) {
    if (auto used = webhook->UseFiles(); !used) return std::unexpected(used.error());
  }
  return webhook;
}

Webhook::Webhook(AsioLoop& loop, kube::Client& client, WebhookOptions options,
                 metrics::Registry* metrics)
    : loop_(loop),
      options_(std::move(options)),
      view_(client, [this] { OnViewChanged(); }),
      registrar_(client, RegistrarFor(options_),
                 [this](const net::CertificateAndKey& identity) {
                   if (const auto used = UseCertificate(identity); !used) {
                     log::Error("the webhook cannot listen", {{"error", used.error().message}});
                   }
                 }),
      own_user_check_(client, options_.policy.own_users) {
  handler_ = std::make_unique<Handler>(
      loop_, view_.snapshot(), HandlerOptions{.policy = options_.policy, .routes = options_.routes},
      metrics);
}

Webhook::~Webhook() = default;

Result<void> Webhook::UseFiles() {
  files_.emplace(loop_, options_.certificate_file, options_.key_file,
                 [this](const net::CertificateAndKey& identity) {
                   const auto used = UseCertificate(identity);
                   if (!used) {
                     log::Warning(
                         "the new certificate cannot be used; the old one stays",
                         {{"file", options_.certificate_file}, {"error", used.error().message}});
                     return false;
                   }
                   log::Info("the certificate was renewed", {{"file", options_.certificate_file}});
                   return ReadTrusted(identity).has_value();
                 });
  const auto identity = files_->Read();
  if (!identity) return std::unexpected(identity.error());
  if (auto used = UseCertificate(*identity); !used) {
    return std::unexpected(used.error().Wrap(options_.certificate_file));
  }
  if (auto trusted = ReadTrusted(*identity); !trusted) return trusted;
  files_->Follow(*identity);
  return {};
}

// What the API server is to trust, where the webhook registers itself.
Result<void> Webhook::ReadTrusted(const net::CertificateAndKey& identity) {
  if (!options_.self_register) return {};
  Result<std::string> pem = identity.certificate_pem;
  if (!options_.ca_file.empty()) pem = kube::ReadFile(options_.ca_file);
  if (!pem) return std::unexpected(pem.error().Wrap("--ca-cert-file"));
  registrar_.UseBundle(std::move(*pem));
  return {};
}

Result<void> Webhook::UseCertificate(const net::CertificateAndKey& identity) {
  if (server_) return server_->ReplaceCertificate(identity);
  net::HttpServerOptions options{.address = options_.address,
                                 .port = options_.port,
                                 .tls = identity,
                                 .max_body_bytes = kMostBodyBytes,
                                 .header_timeout = options_.request_timeout,
                                 .body_timeout = options_.request_timeout,
                                 .max_connections = kMostConnections};
  options.judge = [this](const net::HttpRequest& head) { return handler_->Judge(head); };
  auto server = net::HttpServer::Create(
      loop_, std::move(options),
      [this](net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange) {
        handler_->Handle(std::move(request), std::move(exchange));
      });
  if (!server) return std::unexpected(server.error());
  server_ = std::move(*server);
  log::Info("judging admission requests",
            {{"address", options_.address}, {"port", server_->port()}});
  RegisterWhenReady();
  return {};
}

void Webhook::Start() {
  view_.Start();
  if (options_.self_register && options_.check_own_user) own_user_check_.Start();
  if (!files_) {
    registrar_.Start();
  } else {
    RegisterWhenReady();
  }
}

void Webhook::OnViewChanged() {
  if (!handler_->synced() && view_.HasSynced()) {
    handler_->SetSynced();
    RegisterWhenReady();
  }
  handler_->OnSnapshotChanged();
}

// The API server is not to call before the handler knows the answers.
void Webhook::RegisterWhenReady() {
  if (!options_.self_register || registering_ || !server_ || !handler_->synced()) return;
  registering_ = true;
  registrar_.Register(Target());
}

CallTarget Webhook::Target() const {
  CallTarget target = options_.target;
  if (target.url.empty() && target.service_name.empty()) {
    const net::Url url{.tls = true,
                       .host = IsAnyAddress(options_.address) ? "127.0.0.1" : options_.address,
                       .port = server_->port()};
    target.url = "https://" + url.Authority();
  }
  return target;
}

bool Webhook::ready() const {
  return server_ != nullptr && handler_->synced() &&
         (!options_.self_register || registrar_.registered());
}

void Webhook::Stop(Callback done) {
  if (!server_) return done();
  server_->Shutdown(5s, std::move(done));
}

}  // namespace basalt::webhook
