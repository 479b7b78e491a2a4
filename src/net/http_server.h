#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/asio_loop.h"
#include "base/error.h"
#include "net/http.h"
#include "net/tls.h"

namespace basalt::net {

struct HttpServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;                // 0: one that is free
  std::optional<CertificateAndKey> tls;  // nothing: plain HTTP
  std::string client_ca_pem;             // with TLS: clients need a certificate of one of these
  std::size_t max_header_bytes = 64 * 1024;
  std::size_t max_body_bytes = 3 * 1024 * 1024;
  // Of all requests that are being read or handled. Past it the largest of those that are still
  // being read is refused (503), so that what is small gets through.
  std::size_t max_bytes_of_bodies = 64 * 1024 * 1024;
  Duration header_timeout = 10s;  // TLS handshake and header, from the first byte
  Duration body_timeout = 30s;    // the whole body, from the end of the header
  Duration idle_timeout = 120s;   // between requests
  Duration write_timeout = 60s;   // without the peer reading anything
  // A whole response, until the peer has read it; streams have no end, and their backlog instead.
  Duration response_timeout = 120s;
  // At the limit a new connection takes the place of the one that has waited the longest for its
  // peer: to send the header of a request, or to read the answer. Where none does, it waits.
  int max_connections = 4096;
  std::size_t max_stream_backlog = 64 * 1024 * 1024;  // a stream's unread bytes; more: cut off
  // May answer a request by its header alone, before its body is read. May be empty.
  HttpJudge judge;
  // The response to a request that never reaches the handler (400, 408, 413, 431, 501, 503); empty:
  // plain text.
  std::function<HttpResponse(int status, std::string_view message)> refusal;
};

// An HTTP/1.1 server: keep-alive, pipelining (one request at a time, in order), chunked streams,
// limits on the size and the time of everything that comes in. Owned by the component that serves;
// loop thread only, and its handler is called there. A handler that drops its exchange unanswered
// answers 500.
class HttpServer {
 public:
  // It listens when this returns.
  static Result<std::unique_ptr<HttpServer>> Create(AsioLoop& loop, HttpServerOptions options,
                                                    HttpHandler handler);
  // Cuts every connection.
  ~HttpServer();

  std::uint16_t port() const;
  int connections() const;

  // For connections made from now on.
  Result<void> ReplaceCertificate(const CertificateAndKey& identity);

  // Accepts nothing more, ends the streams, lets requests be answered for at most `grace`, then
  // calls `done`.
  void Shutdown(Duration grace, Callback done);

 private:
  class Impl;
  explicit HttpServer(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace basalt::net
