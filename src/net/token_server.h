#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/asio_loop.h"
#include "base/error.h"
#include "net/http.h"

namespace basalt::net {

class HttpServer;

// Whether the request carries `Authorization: Bearer TOKEN`, found out in a time that does not
// depend on where it differs.
bool BearsToken(const HttpRequest& request, std::string_view token);

struct TokenServerOptions {
  std::string name;  // in its certificate, whatever its address
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;      // 0: one that is free
  std::string published_host;  // "": as `host`
  std::string token;           // "": a fresh one
  std::size_t max_body_bytes = 1024;
  // May answer a request by its header alone, before its body is read. May be empty.
  HttpJudge judge = {};
};

// A small HTTPS server of a role, for clients that have its token. Its certificate is of a CA that
// is made anew for each process: clients have to be told address, CA and token. Requests are small
// and few: everything that comes in is bounded. The handler checks the token. Owned by the role, on
// the role's loop; loop thread only.
class TokenServer {
 public:
  // It listens when this returns.
  static Result<std::unique_ptr<TokenServer>> Create(AsioLoop& loop, TokenServerOptions options,
                                                     HttpHandler handler);
  ~TokenServer();

  const std::string& address() const { return address_; }  // "host:port"
  const std::string& ca_pem() const { return ca_pem_; }
  const std::string& token() const { return token_; }
  std::uint16_t port() const;

 private:
  TokenServer() = default;

  std::string address_, ca_pem_, token_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace basalt::net
