#pragma once

#include <string>
#include <string_view>

#include "base/loop.h"
#include "kube/client/client.h"

namespace basalt::kube {

// Where the leader of a role answers over TLS, and how to prove that one may ask.
struct Access {
  std::string address;  // "host:port"
  std::string ca_pem;
  std::string token;
};

// Keeps the Secret that holds a role's Access. Writes it on each leadership, makes its namespace
// where that is missing, and tries again until it works. Owned by the role; `client` should refuse
// writes when the role does not lead, and must outlive it. Loop thread only.
class AccessSecret {
 public:
  AccessSecret(Client& client, std::string ns, std::string name, Access access);

  void Publish();
  bool published() const { return published_; }
  // The first attempt has ended, well or not.
  bool tried() const { return tried_; }

 private:
  void MakeNamespace();
  void Create();
  void Replace();
  void Ended(const Result<ApiResponse>& result);
  std::string Body() const;

  Client& client_;
  std::string ns_;
  std::string name_;
  Access access_;
  bool published_ = false;
  bool tried_ = false;
  Timer retry_;
  Scope scope_;
};

// The Secret's text, read. Errors name it, and what is missing in it.
Result<Access> ReadAccessSecret(std::string_view name, std::string_view secret_json);

}  // namespace basalt::kube
