#include "scheduler/query/query_server.h"

#include <utility>

#include "net/random_token.h"

namespace basalt::scheduler::query {

Result<std::unique_ptr<net::TokenServer>> ServeQuestions(AsioLoop& loop,
                                                         net::TokenServerOptions where,
                                                         QuerySources sources) {
  net::TokenServerOptions options = std::move(where);
  options.name = kServerName;
  options.token = net::RandomToken();
  options.max_body_bytes = 16 * 1024 * 1024;  // a gang of a few thousand pods, each in full
  const auto handler = std::make_shared<const QueryHandler>(options.token, std::move(sources));
  options.judge = [handler](const net::HttpRequest& head) { return handler->Judge(head); };
  return net::TokenServer::Create(
      loop, std::move(options),
      [handler](const net::HttpRequest& request, std::shared_ptr<net::HttpExchange> exchange) {
        handler->Handle(request, [exchange](net::HttpResponse response) {
          exchange->Respond(std::move(response));
        });
      });
}

}  // namespace basalt::scheduler::query
