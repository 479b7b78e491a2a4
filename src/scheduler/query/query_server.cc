#include "scheduler/query/query_server.h"

#include <utility>

#include "net/random_token.h"
#include "net/token_server.h"

namespace basalt::scheduler::query {
namespace {

// A gang of a few thousand pods, each in full.
constexpr std::size_t kLargestQuestion = 16 * 1024 * 1024;

}  // namespace

QueryServer::QueryServer(std::string token, QuerySources sources)
    : handler_(std::move(token), std::move(sources)) {}

QueryServer::~QueryServer() = default;

std::uint16_t QueryServer::port() const { return server_->port(); }

Result<std::unique_ptr<QueryServer>> QueryServer::Create(AsioLoop& loop,
                                                         const QueryServerOptions& options,
                                                         QuerySources sources) {
  const std::string token = net::RandomToken();
  std::unique_ptr<QueryServer> made(new QueryServer(token, std::move(sources)));
  auto server = net::TokenServer::Create(
      loop,
      {.name = std::string(kServerName),
       .host = options.host,
       .port = options.port,
       .published_host = options.published_host,
       .token = token,
       .max_body_bytes = kLargestQuestion,
       .judge = [query = made.get()](
                    const net::HttpRequest& head) { return query->handler_.Judge(head); }},
      [query = made.get()](net::HttpRequest request, std::shared_ptr<net::HttpExchange> exchange) {
        query->handler_.Handle(request, [exchange](net::HttpResponse response) {
          exchange->Respond(std::move(response));
        });
      });
  if (!server) return std::unexpected(server.error());
  made->server_ = std::move(*server);
  made->access_ = {
      .address = made->server_->address(), .ca_pem = made->server_->ca_pem(), .token = token};
  return made;
}

}  // namespace basalt::scheduler::query
