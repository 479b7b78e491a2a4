#include "cli/ask_scheduler.h"

#include <fmt/core.h>

#include <boost/json/parse.hpp>
#include <optional>
#include <utility>

#include "base/asio_loop.h"
#include "cli/command.h"
#include "cli/common_flags.h"
#include "cli/role.h"
#include "cli/showing.h"
#include "kube/client/access_secret.h"
#include "net/http_client.h"
#include "net/url.h"
#include "scheduler/query/query_server.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;
using kube::Access;

constexpr Duration kTimeout = 30s;

std::string NameOf(const AskFlags& flags) {
  return fmt::format("{}/{}", flags.scheduler_namespace, scheduler::query::kSecretName);
}

Error Explained(const AskFlags& flags, const kube::ClusterConfig& config, const Error& error) {
  Error out = error;
  switch (error.code) {
    case ErrorCode::kNotFound:
      out.code = ErrorCode::kUnavailable;
      out.message = fmt::format(
          "no scheduler answers questions: there is no Secret {}. Start \"basalt scheduler\" with "
          "--query-address, or name its namespace with --scheduler-namespace",
          NameOf(flags));
      break;
    case ErrorCode::kForbidden:
    case ErrorCode::kUnauthorized:
      out.message = fmt::format(
          "you may not read Secret {} ({}). Whoever may \"get\" it may ask the scheduler",
          NameOf(flags), error.message);
      break;
    default:
      out = error.Wrap(fmt::format("reading Secret {} from {}", NameOf(flags), config.server));
  }
  return out;
}

// Two steps on a loop of their own: read the Secret, ask.
class Question {
 public:
  explicit Question(const AskFlags& flags) : flags_(flags) {}

  Result<json::value> Ask(std::string path) {
    auto config = kube::LoadConfig(flags_.kubeconfig);
    if (!config) return std::unexpected(config.error());
    if (!flags_.master.empty()) config->server = flags_.master;
    const std::string& ns = flags_.ns.empty() ? config->ns : flags_.ns;
    if (const std::size_t at = path.find("{namespace}"); at != std::string::npos) {
      path.replace(at, std::string_view("{namespace}").size(), ns);
    }
    auto connection = Connect(loop_, *config, 0, 0);
    if (!connection) return std::unexpected(connection.error());
    auto read = [&](Result<kube::ApiResponse> result) {
      if (!result) return End(std::unexpected(Explained(flags_, *config, result.error())));
      const Result<Access> access =
          kube::ReadAccessSecret(scheduler::query::kSecretName, result->body);
      if (!access) return End(std::unexpected(access.error()));
      Send(*access, path);
    };
    connection->client->Get(
        {kube::resources::kSecrets, flags_.scheduler_namespace, scheduler::query::kSecretName},
        read, {.deadline = kTimeout});
    loop_.Run();
    return std::move(*answer_);
  }

 private:
  void End(Result<json::value> answer) {
    answer_.emplace(std::move(answer));
    loop_.Stop();
  }

  void Send(const Access& access, const std::string& path) {
    auto url = net::ParseUrl("https://" + access.address);
    if (!url) return End(std::unexpected(url.error().Wrap("Secret " + NameOf(flags_))));
    net::HttpClientOptions options;
    options.tls.ca_pem = access.ca_pem;
    options.tls.server_name = scheduler::query::kServerName;
    auto client = net::HttpClient::Create(loop_, std::move(*url), std::move(options));
    if (!client) return End(std::unexpected(client.error()));
    client_ = std::move(*client);
    net::HttpRequest request{.method = "GET",
                             .target = path,
                             .headers = {{"Authorization", "Bearer " + access.token}},
                             .body = {}};
    client_->Send(std::move(request), kTimeout,
                  [this, address = access.address](Result<net::HttpResponse> result) {
                    End(Read(std::move(result), address));
                  });
  }

  Result<json::value> Read(Result<net::HttpResponse> result, const std::string& address) const {
    if (!result) {
      return std::unexpected(result.error().Wrap(fmt::format(
          "the scheduler at {} does not answer; no scheduler leads, or it cannot be reached from "
          "here",
          address)));
    }
    boost::system::error_code broken;
    json::value body = json::parse(result->body, broken);
    if (result->status == 200 && !broken) return body;
    std::string message = fmt::format("the scheduler answers {}", result->status);
    const json::object* refusal = broken ? nullptr : body.if_object();
    const json::value* said = refusal ? refusal->if_contains("message") : nullptr;
    if (said && said->is_string()) message = std::string(said->as_string());
    if (result->status == 401) {
      message = fmt::format(
          "the scheduler at {} does not take the token of Secret {}: another one is taking over; "
          "try again",
          address, NameOf(flags_));
    }
    return Fail(result->status == 404 ? ErrorCode::kNotFound : ErrorCode::kUnavailable, message);
  }

  const AskFlags& flags_;
  AsioLoop loop_;
  std::unique_ptr<net::HttpClient> client_;
  std::optional<Result<json::value>> answer_;
};

}  // namespace

void AddAskFlags(CLI::App& command, AskFlags& flags) {
  AddOutputFlag(command, flags);
  AddClusterFlags(command, flags);
  AddSchedulerNamespaceFlag(command, flags);
}

Result<json::value> AskScheduler(const AskFlags& flags, std::string path) {
  return Question(flags).Ask(std::move(path));
}

bool PrintForPrograms(const AskFlags& flags, const json::value& answer) {
  if (flags.output.empty() || flags.output == "wide") return false;
  fmt::print("{}", Formatted(flags, answer, "object", [] { return std::string(); }));
  return true;
}

int Refused(const Error& error) {
  PrintError(error.message);
  return kExitFailure;
}

}  // namespace basalt::cli
