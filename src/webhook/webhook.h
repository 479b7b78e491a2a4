#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/asio_loop.h"
#include "base/error.h"
#include "base/metrics.h"
#include "kube/client/client.h"
#include "net/http_server.h"
#include "webhook/certificate_files.h"
#include "webhook/cluster_view.h"
#include "webhook/handler.h"
#include "webhook/own_user_check.h"
#include "webhook/registrar.h"

namespace basalt::webhook {

struct WebhookOptions {
  std::string address = "0.0.0.0";
  std::uint16_t port = 8443;  // 0: a free one
  Policy policy;
  std::vector<const Route*> routes;  // empty: all

  // Certificates from files, or, without them, made by the webhook itself.
  std::string certificate_file;
  std::string key_file;
  std::string ca_file;  // what the API server is to trust; "": the certificate itself

  bool self_register = false;
  bool check_own_user = false;  // warn where what this process writes is not left out
  CallTarget target;            // nothing in it: the address and port that it listens on
  AuthoritySecretOptions secret;
  Duration certificate_lifetime = 24h * 30;
  Duration check_interval = 1min;
  Duration request_timeout = 10s;  // for a request to arrive
};

// The admission webhook, wired: a view of the cluster, a handler, a TLS server, certificates and
// registration. Any number of replicas may run. Owned by the webhook role; the client must outlive
// it. Loop thread only.
class Webhook {
 public:
  // With certificates from files it listens when this returns; otherwise after Start, once it has
  // made some.
  static Result<std::unique_ptr<Webhook>> Create(AsioLoop& loop, kube::Client& client,
                                                 WebhookOptions options,
                                                 metrics::Registry* metrics = nullptr);
  ~Webhook();

  void Start();
  // It listens, knows the cluster, and, if it is to, is registered.
  bool ready() const;
  // Lets what is under way be answered.
  void Stop(Callback done);
  // 0: it does not listen yet.
  std::uint16_t port() const { return server_ ? server_->port() : 0; }

 private:
  Webhook(AsioLoop& loop, kube::Client& client, WebhookOptions options, metrics::Registry* metrics);

  Result<void> UseFiles();
  Result<void> ReadTrusted(const net::CertificateAndKey& identity);
  Result<void> UseCertificate(const net::CertificateAndKey& identity);
  void OnViewChanged();
  void RegisterWhenReady();
  CallTarget Target() const;

  AsioLoop& loop_;
  WebhookOptions options_;
  std::unique_ptr<Handler> handler_;
  ClusterView view_;
  Registrar registrar_;
  OwnUserCheck own_user_check_;
  std::optional<CertificateFiles> files_;
  std::unique_ptr<net::HttpServer> server_;
  bool registering_ = false;
};

}  // namespace basalt::webhook
