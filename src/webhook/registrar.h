#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/loop.h"
#include "kube/client/client.h"
#include "webhook/authority_secret.h"
#include "webhook/configurations.h"

namespace basalt::webhook {

struct RegistrarOptions {
  AuthoritySecretOptions secret;
  std::vector<std::string> dns_names;
  std::vector<std::string> ip_addresses;
  Duration certificate_lifetime = 24h * 30;
  Duration check_interval = 1min;
  Policy policy;
  std::vector<const Route*> routes;
};

// Keeps the webhook believed and known: loads the shared authority, makes this replica's
// certificate, writes the configurations, and looks again at intervals, so that everything is
// renewed long before it ends and put back when another client breaks it. An authority is in the
// configurations before a certificate of it is shown. Owned by the Webhook; loop thread only.
class Registrar {
 public:
  // `use_certificate` is told of each certificate to show from now on.
  Registrar(kube::Client& client, RegistrarOptions options,
            std::function<void(const net::CertificateAndKey&)> use_certificate);

  // Gets the first certificate, and tries until it has one.
  void Start();
  // From now on the configurations are written too.
  void Register(CallTarget target);
  // They were, and the certificate in use is one that they trust.
  bool registered() const { return registered_; }
  // With certificates that come from elsewhere: what the API server is to trust.
  void UseBundle(std::string ca_pem);

 private:
  void Look();
  void OnLoaded(Result<AuthoritySecret::Loaded> loaded);
  void ShowCertificate();
  void WriteConfigurations();
  void OnRegistered(const Result<void>& result);
  void Confirm(std::move_only_function<void(bool)> answer);
  void LookLater(Duration delay);
  void Fail(const Error& error);

  kube::Client& client_;
  RegistrarOptions options_;
  std::function<void(const net::CertificateAndKey&)> use_certificate_;
  AuthoritySecret secret_;
  AuthoritySecret confirming_;
  Configurations configurations_;
  std::optional<AuthoritySecret::Loaded> authority_;
  std::string given_bundle_;
  std::string shown_authority_;  // the certificate of the authority that made what is shown
  std::string shown_certificate_;
  std::optional<CallTarget> target_;
  bool registered_ = false;
  bool looking_ = false;
  bool look_again_ = false;
  Duration retry_delay_;
  Timer timer_;
  Scope scope_;
};

}  // namespace basalt::webhook
