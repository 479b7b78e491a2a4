#include "apiserver/http_endpoint.h"

#include <utility>

#include "apiserver/rest/call.h"

namespace basalt::apiserver {

Result<std::unique_ptr<net::HttpServer>> Listen(AsioLoop& loop, Server& server,
                                                net::HttpServerOptions http) {
  // A watch writes no more while more than OpenWatches allows waits to be read: this is that and
  // the largest piece.
  http.max_stream_backlog = 8 * 1024 * 1024;
  http.refusal = [](int code, std::string_view message) {
    const std::string reason = code == 413   ? "RequestEntityTooLarge"
                               : code == 408 ? "Timeout"
                               : code == 400 ? "BadRequest"
                                             : "";
    return ResponseOf({code, reason, std::string(message)});
  };
  http.judge = [&server](const net::HttpRequest& head) { return server.Judge(head); };
  return net::HttpServer::Create(
      loop, std::move(http),
      [&server](net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange) {
        server.Handle(std::move(request), std::move(exchange));
      });
}

}  // namespace basalt::apiserver
