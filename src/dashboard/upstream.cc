#include "dashboard/upstream.h"

#include <fmt/format.h>

#include <utility>

#include "kube/client/access_secret.h"
#include "net/url.h"

namespace basalt::dashboard {
namespace {

constexpr Duration kTimeout = 40s;

}  // namespace

void Upstream::Send(net::HttpRequest request, Done done) {
  Try({.request = std::move(request), .done = std::move(done)});
}

void Upstream::Try(Waiting waiting) {
  if (!http_) {
    waiting_.push_back(std::move(waiting));
    return ReadSecret();
  }
  net::HttpRequest request = waiting.request;
  request.headers.push_back({"Authorization", "Bearer " + token_});
  const auto http = http_;  // it stays while this is under way
  http->Send(std::move(request), kTimeout,
             scope_.Guard([this, http,
                           waiting = std::move(waiting)](Result<net::HttpResponse> result) mutable {
               const bool refused = !result || result->status == 401;
               if (!refused) return waiting.done(std::move(result));
               if (http_ == http) http_ = nullptr;
               Retry(std::move(waiting), std::move(result));
             }));
}

void Upstream::Retry(Waiting waiting, Result<net::HttpResponse> last) {
  if (waiting.again) {
    if (last) last = Fail(ErrorCode::kUnavailable, "another leader is taking over");
    return waiting.done(std::move(last));
  }
  waiting.again = true;
  Try(std::move(waiting));
}

void Upstream::ReadSecret() {
  if (std::exchange(reading_, true)) return;
  client_.Get({kube::resources::kSecrets, ns_, name_},
              scope_.Guard([this](const Result<kube::ApiResponse>& result) {
                reading_ = false;
                SecretRead(result);
              }));
}

void Upstream::SecretRead(const Result<kube::ApiResponse>& result) {
  std::vector<Waiting> waiting = std::exchange(waiting_, {});
  const auto fail = [&](const Error& error) {
    for (Waiting& one : waiting) one.done(std::unexpected(error));
  };
  if (!result) {
    return fail(result.error().code == ErrorCode::kNotFound
                    ? Error{.code = ErrorCode::kNotFound,
                            .message = fmt::format("there is no Secret {}/{}", ns_, name_)}
                    : result.error());
  }
  const Result<kube::Access> access = kube::ReadAccessSecret(name_, result->body);
  if (!access) return fail(access.error());
  auto url = net::ParseUrl("https://" + access->address);
  if (!url) return fail(url.error());
  net::HttpClientOptions options;
  options.tls.ca_pem = access->ca_pem;
  options.tls.server_name = name_;
  options.max_connections = 8;
  auto http = net::HttpClient::Create(loop_, std::move(*url), std::move(options));
  if (!http) return fail(http.error());
  http_ = std::move(*http);
  token_ = access->token;
  for (Waiting& one : waiting) Try(std::move(one));
}

}  // namespace basalt::dashboard
