#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/asio_loop.h"
#include "base/error.h"
#include "kube/client/client.h"
#include "net/http_client.h"

namespace basalt::dashboard {

// Asks a role that answers over TLS where its Secret says (kube::Access): the leading scheduler,
// the descheduler. Another leader has another address and token: when one is refused or does not
// answer, the Secret is read again, once for each question. Owned by the dashboard's role; `client`
// outlives it. Loop thread only.
class Upstream {
 public:
  // `name`: of the Secret, and in the role's certificate.
  Upstream(AsioLoop& loop, kube::Client& client, std::string ns, std::string name)
      : loop_(loop), client_(client), ns_(std::move(ns)), name_(std::move(name)) {}

  // Adds the token. Any response is a success but 401.
  using Done = std::function<void(Result<net::HttpResponse>)>;
  void Send(net::HttpRequest request, Done done);

 private:
  struct Waiting {
    net::HttpRequest request;
    Done done;
    bool again = false;  // the Secret was read for it already
  };
  void Try(Waiting waiting);
  void Retry(Waiting waiting, Result<net::HttpResponse> last);
  void ReadSecret();
  void SecretRead(const Result<kube::ApiResponse>& result);

  AsioLoop& loop_;
  kube::Client& client_;
  std::string ns_, name_;
  std::string token_;
  std::shared_ptr<net::HttpClient> http_;  // nullptr: the Secret must be read first
  std::vector<Waiting> waiting_;           // for the Secret
  bool reading_ = false;
  Scope scope_;
};

}  // namespace basalt::dashboard
