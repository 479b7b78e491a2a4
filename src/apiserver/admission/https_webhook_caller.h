#pragma once

#include <map>

#include "apiserver/admission/webhook.h"
#include "base/asio_loop.h"
#include "net/http_client.h"

namespace basalt::apiserver {

// Calls webhooks over TLS. Keeps a client, and so its connections, per server and authority. Owned
// beside the Server; loop thread only. Destroyed, it drops the calls that are under way.
class HttpsWebhookCaller final : public WebhookCaller {
 public:
  explicit HttpsWebhookCaller(AsioLoop& loop) : loop_(loop) {}

  void Call(WebhookTarget target, std::string body, Duration timeout,
            std::move_only_function<void(Result<std::string>)> done) override;

 private:
  Result<net::HttpClient*> ClientFor(const net::Url& url, const std::string& ca_bundle);

  AsioLoop& loop_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<net::HttpClient>> clients_;
};

}  // namespace basalt::apiserver
