#pragma once

#include <functional>
#include <string>

#include "kube/client/client.h"
#include "webhook/authority.h"

namespace basalt::webhook {

struct AuthoritySecretOptions {
  std::string ns = "volcano-system";
  std::string name = "basalt-webhook";
  Duration lifetime = 24h * 365;
};

// The authority that all replicas share: a Secret (ca.crt, ca.key). A replica that finds none makes
// it. A replica that finds it near its end puts a new one in front. Writes carry the
// resourceVersion: of several replicas that try one wins, and the others take what it wrote. Owned
// by a Registrar; loop thread only.
class AuthoritySecret {
 public:
  struct Loaded {
    Authority authority;
    std::string resource_version;
  };
  using Done = std::move_only_function<void(Result<Loaded>)>;

  AuthoritySecret(kube::Client& client, AuthoritySecretOptions options)
      : client_(client), options_(std::move(options)) {}

  // One call at a time.
  void Load(Done done);

 private:
  void Read();
  void OnRead(Result<kube::ApiResponse> result);
  void Create(bool namespace_is_new);
  void Renew(const std::string& resource_version, std::string_view old_bundle);
  void OnWritten(Authority authority, Result<kube::ApiResponse> result);
  void MakeNamespace();
  void Finish(Result<Loaded> result);

  kube::Client& client_;
  AuthoritySecretOptions options_;
  int rounds_left_ = 0;
  Done done_;
  Scope scope_;
};

}  // namespace basalt::webhook
