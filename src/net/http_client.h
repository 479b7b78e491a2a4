#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "base/asio_loop.h"
#include "base/error.h"
#include "net/http.h"
#include "net/tls.h"
#include "net/url.h"

namespace basalt::net {

struct HttpClientOptions {
  TlsClientOptions tls;
  int max_connections = 32;  // streams not counted; more requests queue
  std::size_t max_response_bytes = 256 * 1024 * 1024;
  Duration connect_timeout = 10s;  // resolve, connect and TLS handshake
  Duration idle_timeout = 60s;     // shorter than servers': 90 s is common
};

// What a streamed response tells its owner, on the loop, never from within Stream. The stream may
// be destroyed in each call. Outlives the stream.
class HttpStreamObserver {
 public:
  virtual void OnHead(int status, const Headers& headers) = 0;
  virtual void OnData(std::string_view piece) = 0;
  // Nothing follows. kCancelled with an empty message: the response is complete.
  virtual void OnEnd(const Error& error) = 0;

 protected:
  ~HttpStreamObserver() = default;
};

// A streamed response. Owned by the caller of Stream; loop thread only. Destroying it cuts the
// response off; the observer is not called any more.
class HttpStream {
 public:
  virtual ~HttpStream() = default;
};

using HttpResponseHandler = std::move_only_function<void(Result<HttpResponse>)>;

// A client of one server (scheme, host, port): a pool of HTTP/1.1 connections that are kept open,
// and a queue, first come first served, for what finds none free. TLS sessions are resumed. Owned
// by the component that asks; loop thread only. Destroyed, it drops what is under way: those
// handlers are never called.
class HttpClient {
 public:
  // Fails on certificates that cannot be used; connects only when there is something to send.
  static Result<std::unique_ptr<HttpClient>> Create(AsioLoop& loop, Url origin,
                                                    HttpClientOptions options);
  ~HttpClient();

  // Adds Host and Content-Length. Calls `handler` exactly once, on the loop, never from within
  // Send. Any response is a success here, whatever its status. Errors: kTimeout (`timeout` counts
  // from now, queueing included), kUnavailable (`unsent` when no byte had left), kTooLarge, and
  // kInvalidArgument or kUnauthorized for certificates that we or the server do not accept. What
  // was lost on a kept connection that the server had closed is sent once more, if that is safe: it
  // had not left, or it is a GET or HEAD without any answer.
  void Send(HttpRequest request, Duration timeout, HttpResponseHandler handler);

  // On a connection of its own. `timeout` is for the response to start.
  std::unique_ptr<HttpStream> Stream(HttpRequest request, Duration timeout,
                                     HttpStreamObserver& observer);

  const Url& origin() const;
  // Connections open now, and how many were ever made: for tests and metrics.
  int connections() const;
  int connections_made() const;
  // Of those, how many were spared the full TLS handshake.
  int sessions_resumed() const;

 private:
  class Pool;
  explicit HttpClient(std::shared_ptr<Pool> pool);
  std::shared_ptr<Pool> pool_;
};

}  // namespace basalt::net
