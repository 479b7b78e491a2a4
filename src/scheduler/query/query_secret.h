#pragma once

#include <string>

#include "base/loop.h"
#include "kube/client/client.h"

namespace basalt::scheduler::query {

// Where the leading scheduler answers questions, and how to prove that one may ask.
struct QueryAccess {
  std::string address;  // "host:port"
  std::string ca_pem;
  std::string token;
};

inline constexpr std::string_view kSecretName = "basalt-query";
// The name in the server's certificate, whatever its address.
inline constexpr std::string_view kServerName = "basalt-query";

// Keeps the Secret that says so (contract C10): written on each leadership, its namespace made
// where it is missing, again and again until it works. Owned by the scheduler role; `client` should
// refuse writes when it does not lead, and must outlive it. Loop thread only.
class QuerySecret {
 public:
  QuerySecret(kube::Client& client, std::string ns, QueryAccess access);

  void Publish();
  bool published() const { return published_; }
  // The first attempt has ended, well or not.
  bool tried() const { return tried_; }

 private:
  void MakeNamespace();
  void Create();
  void Replace();
  void Ended(const Result<kube::ApiResponse>& result);
  std::string Body() const;

  kube::Client& client_;
  std::string ns_;
  QueryAccess access_;
  bool published_ = false;
  bool tried_ = false;
  Timer retry_;
  Scope scope_;
};

// The Secret's text, read. Errors name what is missing in it.
Result<QueryAccess> ReadQuerySecret(std::string_view secret_json);

}  // namespace basalt::scheduler::query
