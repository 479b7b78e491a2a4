#include "cli/role_client.h"

#include <fmt/core.h>
#include <unistd.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <optional>
#include <utility>

#include "cli/batch_flags.h"
#include "kube/client/access_secret.h"
#include "net/http_client.h"
#include "net/url.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

constexpr Duration kTimeout = 30s;

std::string NameOf(const RoleAddress& address) {
  return fmt::format("{}/{}", address.ns, address.secret);
}

Error Explained(const RoleAddress& address, const std::string& server, const Error& error) {
  Error out = error;
  switch (error.code) {
    case ErrorCode::kNotFound:
      out.code = ErrorCode::kUnavailable;
      out.message = fmt::format("no {} answers questions: there is no Secret {}. {}", address.role,
                                NameOf(address), address.how_to_have_one);
      break;
    case ErrorCode::kForbidden:
    case ErrorCode::kUnauthorized:
      out.message =
          fmt::format("you may not read Secret {} ({}). Whoever may \"get\" it may ask the {}",
                      NameOf(address), error.message, address.role);
      break;
    default: out = error.Wrap(fmt::format("reading Secret {} from {}", NameOf(address), server));
  }
  return out;
}

}  // namespace

RoleClient::RoleClient() = default;
RoleClient::~RoleClient() = default;

Result<std::unique_ptr<RoleClient>> RoleClient::Open(const AskFlags& flags, RoleAddress address) {
  std::unique_ptr<RoleClient> made(new RoleClient());
  made->address_ = std::move(address);
  auto cluster = ClusterSession::Open(flags.cluster);
  if (!cluster) return std::unexpected(cluster.error());
  made->ns_ = (*cluster)->ns();
  const auto secret = (*cluster)->Send({.path = PathOf(kube::resources::kSecrets, made->address_.ns,
                                                       std::string(made->address_.secret))});
  if (!secret) {
    return std::unexpected(Explained(made->address_, (*cluster)->server(), secret.error()));
  }
  const Result<kube::Access> access =
      kube::ReadAccessSecret(made->address_.secret, json::serialize(*secret));
  if (!access) return std::unexpected(access.error());
  auto url = net::ParseUrl("https://" + access->address);
  if (!url) return std::unexpected(url.error().Wrap("Secret " + NameOf(made->address_)));
  net::HttpClientOptions options;
  options.tls.ca_pem = access->ca_pem;
  options.tls.server_name = made->address_.server_name;
  auto client = net::HttpClient::Create(made->loop_, std::move(*url), std::move(options));
  if (!client) return std::unexpected(client.error());
  made->client_ = std::move(*client);
  made->server_ = access->address;
  made->token_ = access->token;
  return made;
}

namespace {

// The likeliest mistake on a real cluster.
std::string_view WhyPerhaps(std::string_view server) {
  const bool loopback = server.starts_with("127.") || server.starts_with("[::1]");
  return loopback ? ": it listens on its own machine alone; --query-address 0.0.0.0:PORT lets "
                    "others ask"
                  : "";
}

}  // namespace

Result<RoleClient::Answer> RoleClient::Send(const std::string& method, const std::string& target,
                                            const std::string& body) {
  std::optional<Result<net::HttpResponse>> response;
  client_->Send({.method = method,
                 .target = target,
                 .headers = {{"Authorization", "Bearer " + token_},
                             {"X-Basalt-Asker", fmt::format("cli {}", getpid())}},
                 .body = body},
                kTimeout, [&](Result<net::HttpResponse> result) {
                  response.emplace(std::move(result));
                  loop_.Stop();
                });
  loop_.Run();
  if (!*response) {
    return std::unexpected(response->error().Wrap(fmt::format(
        "the {} at {} does not answer; no {} leads, or it cannot be reached from here{}",
        address_.role, server_, address_.role, WhyPerhaps(server_))));
  }
  if ((*response)->status == 401) {
    return Fail(ErrorCode::kUnauthorized,
                fmt::format("the {} at {} does not take the token of Secret {}: another one is "
                            "taking over; try again",
                            address_.role, server_, NameOf(address_)));
  }
  Answer answer{.status = (*response)->status,
                .body = nullptr,
                .message = fmt::format("the {} answers {}", address_.role, (*response)->status)};
  boost::system::error_code broken;
  json::value value = json::parse((*response)->body, broken);
  if (broken) {
    if (answer.status == 200) answer.message += ", and not in JSON";
    return answer;
  }
  answer.body = std::move(value);
  const json::object* object = answer.body.if_object();
  const json::value* said = object ? object->if_contains("message") : nullptr;
  if (said && said->is_string()) answer.message = std::string(said->get_string());
  return answer;
}

void RoleClient::Wait(Duration duration) {
  loop_.Schedule(duration, [this] { loop_.Stop(); });
  loop_.Run();
}

}  // namespace basalt::cli
