#include "apiserver/http_endpoint.h"

#include <fmt/format.h>

#include <utility>

#include "apiserver/object/json_text.h"
#include "apiserver/object/status.h"

namespace basalt::apiserver {
namespace {

// A watch writes no more while more than OpenWatches allows waits to be read: this is that and the
// largest piece.
constexpr std::size_t kMaxStreamBacklog = 8 * 1024 * 1024;

net::HttpResponse RefusalOf(int code, std::string_view message, std::size_t max_body_bytes) {
  ApiStatus status{.code = code, .message = std::string(message)};
  switch (code) {
    case 413:
      status =
          refusal::TooLarge(fmt::format("Request entity too large: limit is {}", max_body_bytes));
      break;
    case 408: status.reason = "Timeout"; break;
    case 400: status.reason = "BadRequest"; break;
    default: break;
  }
  return {.status = code, .body = ToText(status.ToJson()) + "\n"};
}

}  // namespace

Result<std::unique_ptr<net::HttpServer>> Listen(AsioLoop& loop, Server& server,
                                                HttpEndpointOptions options) {
  net::HttpServerOptions http;
  http.address = std::move(options.address);
  http.port = options.port;
  http.tls = std::move(options.tls);
  http.max_body_bytes = options.max_body_bytes;
  http.max_stream_backlog = kMaxStreamBacklog;
  http.refusal = [limit = options.max_body_bytes](int status, std::string_view message) {
    return RefusalOf(status, message, limit);
  };
  http.judge = [&server](const net::HttpRequest& head) { return server.Judge(head); };
  return net::HttpServer::Create(
      loop, std::move(http),
      [&server](net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange) {
        server.Handle(std::move(request), std::move(exchange));
      });
}

}  // namespace basalt::apiserver
