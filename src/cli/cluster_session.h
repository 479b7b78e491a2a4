#pragma once

#include <boost/json/value.hpp>
#include <memory>
#include <string>

#include "base/asio_loop.h"
#include "base/error.h"
#include "cli/role.h"

namespace basalt::cli {

// Requests to a cluster one after the other, each waited for: for commands that ask or change a
// thing and end. Owned by a command; one thread, which runs its loop during each call.
class ClusterSession {
 public:
  static Result<std::unique_ptr<ClusterSession>> Open(const kube::ClusterChoice& cluster);

  // The namespace of the kubeconfig.
  const std::string& ns() const { return config_.ns; }
  const std::string& server() const { return config_.server; }
  Time Now() { return loop_.Now(); }
  // The object or list that was answered. An error has the server's words.
  Result<boost::json::value> Send(kube::ApiRequest request);

 private:
  Result<kube::ApiResponse> Try(kube::ApiRequest request, bool retry);

  AsioLoop loop_;
  kube::ClusterConfig config_;
  Connection connection_;
};

}  // namespace basalt::cli
