#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// HTTP as the rest of the code base sees it: plain values and one interface, no Asio, no Beast.
// Everything here is used on the loop's thread.
namespace basalt::net {

struct Header {
  std::string name;
  std::string value;
};
using Headers = std::vector<Header>;

// The first value of `name` (any case), or nullptr.
const std::string* FindHeader(const Headers& headers, std::string_view name);

struct HttpRequest {
  std::string method;  // "GET", …
  std::string target;  // path and query, still percent-encoded
  Headers headers;
  std::string body;
};

// Whether a request's header says that a body follows.
bool AnnouncesBody(const HttpRequest& request);

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  Headers headers;
  std::string body;
};

// The server's side of one request, owned by its handler. Exactly one of Respond and StartStream is
// called, once. All calls are allowed after the peer has gone; they then do nothing.
class HttpExchange {
 public:
  virtual ~HttpExchange() = default;

  virtual void Respond(HttpResponse response) = 0;

  // A response of unknown length (a watch). Write sends a piece at once; End finishes it. A peer
  // that does not read is cut off when more than the server's limit waits for it.
  virtual void StartStream(int status, std::string content_type) = 0;
  virtual void Write(std::string piece) = 0;
  virtual void End() = 0;
  // How much of a stream waits for the peer to read. A writer that has more than a little to say
  // looks, and goes on when OnSent calls back: once, on the loop, when nothing waits any more.
  virtual std::size_t Unsent() const { return 0; }
  virtual void OnSent(std::move_only_function<void()> /*callback*/) {}

  // Called once when the peer goes away before the exchange is over.
  virtual void OnPeerGone(std::move_only_function<void()> callback) = 0;
};

using HttpHandler = std::function<void(HttpRequest, std::shared_ptr<HttpExchange>)>;

// Sees a request's header before its body is read; what it returns is the answer, nothing means
// that the body and the handler follow.
using HttpJudge = std::function<std::optional<HttpResponse>(const HttpRequest& head)>;

}  // namespace basalt::net
