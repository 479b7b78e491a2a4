#include "cli/role_client.h"

#include <fmt/core.h>
#include <unistd.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <optional>
#include <utility>

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

Error Explained(const RoleAddress& address, const kube::ClusterConfig& config, const Error& error) {
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
    default:
      out = error.Wrap(fmt::format("reading Secret {} from {}", NameOf(address), config.server));
  }
  return out;
}

}  // namespace

RoleClient::RoleClient() = default;
RoleClient::~RoleClient() = default;

Result<std::unique_ptr<RoleClient>> RoleClient::Open(const AskFlags& flags, RoleAddress address) {
  std::unique_ptr<RoleClient> made(new RoleClient());
  made->address_ = std::move(address);
  auto config = kube::LoadConfig(flags.kubeconfig);
  if (!config) return std::unexpected(config.error());
  made->config_ = std::move(*config);
  if (!flags.master.empty()) made->config_.server = flags.master;
  auto connection = Connect(made->loop_, made->config_, 0, 0);
  if (!connection) return std::unexpected(connection.error());
  std::optional<Result<kube::ApiResponse>> secret;
  connection->client->Get({kube::resources::kSecrets, made->address_.ns, made->address_.secret},
                          [&](Result<kube::ApiResponse> result) {
                            secret.emplace(std::move(result));
                            made->loop_.Stop();
                          },
                          {.deadline = kTimeout});
  made->loop_.Run();
  if (!*secret) {
    return std::unexpected(Explained(made->address_, made->config_, secret->error()));
  }
  const Result<kube::Access> access =
      kube::ReadAccessSecret(made->address_.secret, (*secret)->body);
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
