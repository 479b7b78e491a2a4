#include "apiserver/admission/https_webhook_caller.h"

#include <fmt/format.h>

#include "net/url.h"

namespace basalt::apiserver {
namespace {

constexpr std::size_t kMostClients = 64;
constexpr std::size_t kMostResponseBytes = 3 * 1024 * 1024;

}  // namespace

Result<net::HttpClient*> HttpsWebhookCaller::ClientFor(const net::Url& url,
                                                       const std::string& ca_bundle) {
  const auto key = std::pair(url.Authority(), ca_bundle);
  if (const auto found = clients_.find(key); found != clients_.end()) return found->second.get();
  net::HttpClientOptions options;
  options.tls.ca_pem = ca_bundle;
  options.max_response_bytes = kMostResponseBytes;
  Result<std::unique_ptr<net::HttpClient>> client =
      net::HttpClient::Create(loop_, url, std::move(options));
  if (!client) return std::unexpected(client.error());
  // Configurations that are replaced again and again must not pile up clients.
  if (clients_.size() >= kMostClients) clients_.erase(clients_.begin());
  return clients_.emplace(key, std::move(*client)).first->second.get();
}

void HttpsWebhookCaller::Call(WebhookTarget target, std::string body, Duration timeout,
                              std::move_only_function<void(Result<std::string>)> done) {
  const auto fail = [&](Error error) {
    loop_.Post([done = std::move(done), error = std::move(error)]() mutable {
      done(std::unexpected(std::move(error)));
    });
  };
  Result<net::Url> url = net::ParseUrl(target.url);
  if (!url) return fail(url.error());
  if (!url->tls) return fail(Error{ErrorCode::kInvalidArgument, "a webhook's URL must be https"});
  Result<net::HttpClient*> client = ClientFor(*url, target.ca_bundle);
  if (!client) return fail(client.error());
  net::HttpRequest request;
  request.method = "POST";
  request.target = url->path.empty() ? "/" : url->path;
  if (request.target.front() != '/') request.target.insert(0, "/");
  request.headers = {{"Content-Type", "application/json"}, {"Accept", "application/json"}};
  request.body = std::move(body);
  (*client)->Send(
      std::move(request), timeout,
      [done = std::move(done), address = target.url](Result<net::HttpResponse> response) mutable {
        if (!response) {
          Error error = response.error();
          error.message = fmt::format("Post \"{}\": {}", address, error.message);
          return done(std::unexpected(std::move(error)));
        }
        if (response->status != 200) {
          return done(Fail(ErrorCode::kUnavailable,
                           fmt::format("the server answered with status {}", response->status)));
        }
        done(std::move(response->body));
      });
}

}  // namespace basalt::apiserver
