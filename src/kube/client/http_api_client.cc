#include "kube/client/http_api_client.h"

#include <fmt/core.h>

#include <charconv>
#include <optional>
#include <utility>

#include "base/log.h"
#include "kube/client/frame_splitter.h"
#include "kube/client/token_source.h"
#include "kube/types/status.h"
#include "net/http_client.h"
#include "net/url.h"

namespace basalt::kube {
namespace {

// Of a refused watch: a Status is small.
constexpr std::size_t kMostErrorBytes = 64 * 1024;

// What may stand in a path as it is (RFC 3986 pchar and the slash).
bool IsPathCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("/-._~:@!$&'()*+,;=").find(c) != std::string_view::npos;
}

void AppendPath(std::string& target, std::string_view path) {
  for (const char& c : path) {
    if (IsPathCharacter(c)) {
      target += c;
    } else {
      net::AppendPercentEncoded(target, std::string_view(&c, 1));
    }
  }
}

// A whole number of seconds; servers of Kubernetes send no dates.
std::optional<std::chrono::seconds> RetryAfter(const net::Headers& headers) {
  const std::string* text = net::FindHeader(headers, "Retry-After");
  if (text == nullptr) return std::nullopt;
  int seconds = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), seconds);
  if (error != std::errc() || end != text->data() + text->size() || seconds < 0) {
    return std::nullopt;
  }
  return BoundedRetryAfter(seconds);
}

// A redirect is none of ours to follow, and what it answers was not done.
bool IsError(int status) { return status >= 300; }

Error ToError(int status, std::string_view body, const net::Headers& headers) {
  if (status < 400) {
    const std::string* location = net::FindHeader(headers, "Location");
    return {.code = ErrorCode::kUnavailable,
            .message = fmt::format("the server answers with a redirect ({}) to '{}', which is not "
                                   "followed",
                                   status, location == nullptr ? "" : location->substr(0, 256)),
            .http_status = status};
  }
  Error error = DecodeStatus(status, body);
  error.http_status = status;
  if (const auto retry_after = RetryAfter(headers)) error.retry_after = retry_after;
  return error;
}

}  // namespace

struct HttpApiClient::Impl {
  Impl(AsioLoop& its_loop, ClusterConfig config, HttpApiClientOptions its_options)
      : loop(its_loop),
        options(std::move(its_options)),
        token(loop, std::move(config.token), std::move(config.token_file)) {}

  Result<net::HttpRequest> ToHttp(ApiRequest request);

  AsioLoop& loop;
  HttpApiClientOptions options;
  TokenSource token;
  std::string base_path;
  std::unique_ptr<net::HttpClient> http;
  Scope scope;
};

Result<net::HttpRequest> HttpApiClient::Impl::ToHttp(ApiRequest request) {
  net::HttpRequest made{.method = std::move(request.method)};
  made.target.reserve(base_path.size() + request.path.size() + 32);
  made.target = base_path;
  AppendPath(made.target, request.path);
  char separator = '?';
  for (const auto& [key, value] : request.query) {
    made.target += std::exchange(separator, '&');
    net::AppendPercentEncoded(made.target, key);
    made.target += '=';
    net::AppendPercentEncoded(made.target, value);
  }
  const auto bearer = token.Get();
  if (!bearer) return std::unexpected(bearer.error());
  made.headers.reserve(4);
  if (!bearer->empty()) {
    made.headers.push_back({"Authorization", fmt::format("Bearer {}", *bearer)});
  }
  made.headers.push_back(
      {"Accept", request.accept.empty() ? "application/json" : std::move(request.accept)});
  made.headers.push_back({"User-Agent", options.user_agent});
  if (!request.body.empty()) {
    made.headers.push_back({"Content-Type", request.content_type.empty()
                                                ? "application/json"
                                                : std::move(request.content_type)});
  }
  made.body = std::move(request.body);
  return made;
}

HttpApiClient::HttpApiClient(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpApiClient::~HttpApiClient() = default;

Result<std::unique_ptr<HttpApiClient>> HttpApiClient::Create(AsioLoop& loop, ClusterConfig config,
                                                             HttpApiClientOptions options) {
  auto url = net::ParseUrl(config.server);
  if (!url) return std::unexpected(url.error().Wrap(config.source));
  std::string base_path = std::move(url->path);
  while (base_path.ends_with('/')) base_path.pop_back();
  if (base_path.find('?') != std::string::npos) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the server's URL must not have a query", config.source));
  }
  const bool has_token = !config.token.empty() || !config.token_file.empty();
  if (!url->tls && has_token) {
    log::Warning("the token is not sent to a server without TLS", {{"server", config.server}});
    config.token.clear();
    config.token_file.clear();
  }
  net::HttpClientOptions http_options{.tls = std::move(config.tls),
                                      .max_connections = options.max_connections,
                                      .max_response_bytes = options.max_response_bytes};
  auto http = net::HttpClient::Create(loop, std::move(*url), std::move(http_options));
  if (!http) return std::unexpected(http.error().Wrap(config.source));
  auto impl = std::make_unique<Impl>(loop, std::move(config), std::move(options));
  impl->base_path = std::move(base_path);
  impl->http = std::move(*http);
  return std::unique_ptr<HttpApiClient>(new HttpApiClient(std::move(impl)));
}

void HttpApiClient::Send(ApiRequest request, ApiHandler handler) {
  const Duration timeout = request.timeout;
  auto http = impl_->ToHttp(std::move(request));
  if (!http) {
    impl_->loop.Post(
        impl_->scope.Guard([handler = std::move(handler), error = http.error()] mutable {
          handler(std::unexpected(std::move(error)));
        }));
    return;
  }
  impl_->http->Send(
      std::move(*http), timeout,
      [impl = impl_.get(),
       handler = std::move(handler)](Result<net::HttpResponse> response) mutable {
        if (!response) return handler(std::unexpected(std::move(response.error())));
        if (response->status == 401) impl->token.Expire();
        if (IsError(response->status)) {
          return handler(
              std::unexpected(ToError(response->status, response->body, response->headers)));
        }
        handler(ApiResponse{.status = response->status, .body = std::move(response->body)});
      });
}

namespace {

// One watch: a streamed response on one side, frames on the other.
class HttpWatch final : public WatchStream, public net::HttpStreamObserver {
 public:
  HttpWatch(TokenSource& token, std::size_t max_frame_bytes, WatchObserver& observer)
      : token_(token),
        max_frame_bytes_(max_frame_bytes),
        splitter_(max_frame_bytes),
        observer_(observer) {}

  void Start(net::HttpClient& http, net::HttpRequest request, Duration timeout) {
    stream_ = http.Stream(std::move(request), timeout, *this);
  }
  // For a request that could not even be made.
  void EndLater(Loop& loop, Error error) {
    loop.Post(scope_.Guard([this, error = std::move(error)] { observer_.OnEnd(error); }));
  }

  void OnHead(int status, const net::Headers& headers) override {
    status_ = status;
    if (status == 401) token_.Expire();
    if (IsError(status)) error_headers_ = headers;
  }

  void OnData(std::string_view piece) override {
    if (IsError(status_)) {
      error_body_ +=
          piece.substr(0, kMostErrorBytes - std::min(kMostErrorBytes, error_body_.size()));
      return;
    }
    bool alive = true;
    alive_ = &alive;  // the observer may destroy this
    const bool fits = splitter_.Feed(piece, [&](std::string_view frame) {
      observer_.OnFrame(frame);
      return alive;
    });
    if (!alive) return;
    alive_ = nullptr;
    if (fits) return;
    stream_.reset();
    observer_.OnEnd(
        {.code = ErrorCode::kTooLarge,
         .message = fmt::format("a frame of the watch is larger than {} bytes", max_frame_bytes_)});
  }

  void OnEnd(const Error& error) override {
    if (IsError(status_)) return observer_.OnEnd(ToError(status_, error_body_, error_headers_));
    if (error.code == ErrorCode::kCancelled && splitter_.pending() > 0) {
      return observer_.OnEnd(
          {.code = ErrorCode::kUnavailable, .message = "the watch ended in the middle of a frame"});
    }
    observer_.OnEnd(error);
  }

  ~HttpWatch() override {
    if (alive_ != nullptr) *alive_ = false;
  }

 private:
  TokenSource& token_;
  std::size_t max_frame_bytes_;
  FrameSplitter splitter_;
  WatchObserver& observer_;
  int status_ = 0;
  net::Headers error_headers_;
  std::string error_body_;
  bool* alive_ = nullptr;
  std::unique_ptr<net::HttpStream> stream_;
  Scope scope_;
};

}  // namespace

std::unique_ptr<WatchStream> HttpApiClient::Watch(ApiRequest request, WatchObserver& observer) {
  auto watch = std::make_unique<HttpWatch>(impl_->token, impl_->options.max_frame_bytes, observer);
  const Duration timeout = request.timeout;
  auto http = impl_->ToHttp(std::move(request));
  if (http) {
    watch->Start(*impl_->http, std::move(*http), timeout);
  } else {
    watch->EndLater(impl_->loop, http.error());
  }
  return watch;
}

Loop& HttpApiClient::loop() { return impl_->loop; }
int HttpApiClient::connections_made() const { return impl_->http->connections_made(); }

}  // namespace basalt::kube
