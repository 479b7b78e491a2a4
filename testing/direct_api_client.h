#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/loop.h"
#include "kube/client/api_client.h"
#include "testing/direct_network.h"

namespace basalt::testutil {

class DirectConnection;

// An ApiClient that reaches the server's core through a DirectNetwork instead of a socket. Stands
// for one client process: Crash ends it. Owned by the test. Loop thread only.
class DirectApiClient final : public kube::ApiClient {
 public:
  explicit DirectApiClient(DirectNetwork& network, std::string bearer_token = "");
  ~DirectApiClient() override;

  void Send(kube::ApiRequest request, kube::ApiHandler handler) override;
  std::unique_ptr<kube::WatchStream> Watch(kube::ApiRequest request,
                                           kube::WatchObserver& observer) override;
  Loop& loop() override { return network_.loop(); }

  // From now on no handler and no observer of this client is ever called, and nothing that it sends
  // goes out. What is on its way to the server still arrives there. Restarting means a new client.
  void Crash();
  bool crashed() const { return crashed_; }

 private:
  class Stream;

  net::HttpRequest ToHttp(kube::ApiRequest request) const;

  DirectNetwork& network_;
  std::string bearer_token_;
  bool crashed_ = false;
  std::uint64_t next_id_ = 1;
  std::map<std::uint64_t, std::shared_ptr<DirectConnection>> sending_;
  std::map<std::uint64_t, Stream*> streams_;
};

}  // namespace basalt::testutil
