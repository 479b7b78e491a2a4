#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/asio_loop.h"
#include "kube/client/api_client.h"
#include "kube/client/kubeconfig.h"

namespace basalt::kube {

struct HttpApiClientOptions {
  std::string user_agent = "basalt/" BASALT_VERSION;
  int max_connections = 32;  // watches not counted
  // Of a page, mostly: one that is larger is read in smaller ones (Client::List).
  std::size_t max_response_bytes = 64 * 1024 * 1024;
  std::size_t max_frame_bytes = 16 * 1024 * 1024;
};

// An ApiClient over HTTP/1.1 and TLS: one attempt per request, on kept connections. Owned by the
// process or thread of a role; loop thread only. Destroyed, it calls no handler any more; its
// watches must be destroyed before it.
class HttpApiClient final : public ApiClient {
 public:
  // Fails on a configuration that cannot work. Connects only when there is something to send.
  static Result<std::unique_ptr<HttpApiClient>> Create(AsioLoop& loop, ClusterConfig config,
                                                       HttpApiClientOptions options = {});
  ~HttpApiClient() override;

  void Send(ApiRequest request, ApiHandler handler) override;
  std::unique_ptr<WatchStream> Watch(ApiRequest request, WatchObserver& observer) override;
  Loop& loop() override;

  // Connections ever made: for tests and metrics.
  int connections_made() const;

 private:
  struct Impl;
  explicit HttpApiClient(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace basalt::kube
