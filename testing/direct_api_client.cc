#include "testing/direct_api_client.h"

#include <cctype>
#include <charconv>
#include <string_view>
#include <utility>

#include "kube/types/status.h"
#include "testing/direct_connection.h"

namespace basalt::testutil {
namespace {

using kube::ApiHandler;
using kube::ApiRequest;
using kube::ApiResponse;
using kube::WatchObserver;
using kube::WatchStream;

std::string PercentEncode(std::string_view text) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  for (const unsigned char c : text) {
    if (std::isalnum(c) || c == '-' || c == '.' || c == '_' || c == '~') {
      out += static_cast<char>(c);
    } else {
      out += {'%', kHex[c >> 4], kHex[c & 15]};
    }
  }
  return out;
}

Error ErrorOf(const net::HttpResponse& response) {
  Error error = kube::DecodeStatus(response.status, response.body);
  if (const std::string* text = net::FindHeader(response.headers, "Retry-After")) {
    int seconds = 0;
    std::from_chars(text->data(), text->data() + text->size(), seconds);
    error.retry_after = std::chrono::seconds(seconds);
  }
  return error;
}

}  // namespace

// Cuts what arrives into frames.
class DirectApiClient::Stream final : public WatchStream {
 public:
  Stream(DirectApiClient& client, WatchObserver& observer)
      : client_(&client), id_(client.next_id_++), observer_(observer) {
    client.streams_.emplace(id_, this);
    connection_ = std::make_shared<DirectConnection>(
        client.network_, DirectConnection::Client{
                             .on_response = [this](net::HttpResponse r) { OnResponse(r); },
                             .on_piece = [this](std::string_view piece) { OnPiece(piece); },
                             .on_end = [this](const Error& error) { observer_.OnEnd(error); },
                         });
  }
  ~Stream() override { Close(); }

  void Send(net::HttpRequest request, Duration timeout) {
    connection_->Send(std::move(request), timeout);
  }
  void Close() {
    if (client_ == nullptr) return;
    client_->streams_.erase(id_);
    client_ = nullptr;
    connection_->Close();
  }

 private:
  void OnResponse(const net::HttpResponse& response) {
    if (response.status >= 400) {
      observer_.OnEnd(ErrorOf(response));
    } else {
      observer_.OnEnd(Error{.code = ErrorCode::kInternal, .message = "not a watch stream"});
    }
  }

  void OnPiece(std::string_view piece) {
    // The observer may destroy us, or crash the client, at any frame.
    const std::weak_ptr<bool> alive = alive_;
    buffer_.append(piece);
    std::string buffer = std::move(buffer_);
    buffer_.clear();
    std::size_t begin = 0;
    while (true) {
      const std::size_t end = buffer.find('\n', begin);
      if (end == std::string::npos) break;
      const std::string_view frame(buffer.data() + begin, end - begin);
      begin = end + 1;
      if (!frame.empty()) observer_.OnFrame(frame);
      if (alive.expired() || client_ == nullptr) return;
    }
    buffer_ = buffer.substr(begin);
  }

  DirectApiClient* client_;  // null: closed
  const std::uint64_t id_;
  WatchObserver& observer_;
  std::shared_ptr<DirectConnection> connection_;
  std::string buffer_;  // the beginning of a frame
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

DirectApiClient::DirectApiClient(DirectNetwork& network, std::string bearer_token)
    : network_(network), bearer_token_(std::move(bearer_token)) {}

DirectApiClient::~DirectApiClient() { Crash(); }

void DirectApiClient::Crash() {
  crashed_ = true;
  while (!streams_.empty()) streams_.begin()->second->Close();
  const auto sending = std::move(sending_);
  sending_.clear();
  for (const auto& [id, connection] : sending) connection->Close();
}

net::HttpRequest DirectApiClient::ToHttp(ApiRequest request) const {
  net::HttpRequest http{.method = std::move(request.method),
                        .target = std::move(request.path),
                        .body = std::move(request.body)};
  char separator = '?';
  for (const auto& [name, value] : request.query) {
    http.target += separator + PercentEncode(name) + '=' + PercentEncode(value);
    separator = '&';
  }
  http.headers.push_back({"Accept", request.accept.empty() ? "application/json" : request.accept});
  http.headers.push_back({"Host", "basalt.test"});
  if (!http.body.empty()) {
    http.headers.push_back(
        {"Content-Type", request.content_type.empty() ? "application/json" : request.content_type});
  }
  if (!bearer_token_.empty()) http.headers.push_back({"Authorization", "Bearer " + bearer_token_});
  return http;
}

void DirectApiClient::Send(ApiRequest request, ApiHandler handler) {
  if (crashed_) return;
  const std::uint64_t id = next_id_++;
  const auto shared_handler = std::make_shared<ApiHandler>(std::move(handler));
  const auto finish = [this, id, shared_handler](Result<ApiResponse> result) {
    sending_.erase(id);
    (*shared_handler)(std::move(result));  // may destroy the client
  };
  auto connection = std::make_shared<DirectConnection>(
      network_,
      DirectConnection::Client{
          .on_response =
              [finish](net::HttpResponse response) {
                if (response.status >= 400) {
                  finish(std::unexpected(ErrorOf(response)));
                } else {
                  finish(ApiResponse{.status = response.status, .body = std::move(response.body)});
                }
              },
          .on_piece = [](std::string_view) {},
          .on_end = [finish](const Error& error) { finish(std::unexpected(error)); },
      });
  sending_.emplace(id, connection);
  const Duration timeout = request.timeout;
  connection->Send(ToHttp(std::move(request)), timeout);
}

std::unique_ptr<WatchStream> DirectApiClient::Watch(ApiRequest request, WatchObserver& observer) {
  auto stream = std::make_unique<Stream>(*this, observer);
  const Duration timeout = request.timeout;
  if (crashed_) {
    stream->Close();
  } else {
    stream->Send(ToHttp(std::move(request)), timeout);
  }
  return stream;
}

}  // namespace basalt::testutil
