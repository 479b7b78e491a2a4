#include "cli/cluster_session.h"

#include <fmt/core.h>

#include <boost/json/parse.hpp>
#include <optional>
#include <string_view>

#include "kube/client/retry_policy.h"

namespace basalt::cli {
namespace {

// A server that does not have a kind of ours says so without a name: what is missing are the CRDs.
Error WithRemedy(Error error, std::string_view path) {
  constexpr std::string_view kGroups = "/apis/", kOurs = "volcano.sh";
  if (error.code != ErrorCode::kNotFound || !path.starts_with(kGroups)) return error;
  path.remove_prefix(kGroups.size());
  const std::string_view group = path.substr(0, path.find('/'));
  if (!group.ends_with(kOurs) || error.message.contains(group)) return error;
  error.message = fmt::format(
      "this cluster does not know the kinds of {}: \"basalt crds | kubectl apply -f "
      "-\" makes them known ({})",
      group, error.message);
  return error;
}

}  // namespace

Result<std::unique_ptr<ClusterSession>> ClusterSession::Open(const kube::ClusterChoice& cluster) {
  auto session = std::make_unique<ClusterSession>();
  auto config = kube::LoadConfig(cluster);
  if (!config) return std::unexpected(config.error());
  session->config_ = std::move(*config);
  auto connection = Connect(session->loop_, session->config_, 0, 0);
  if (!connection) return std::unexpected(connection.error());
  session->connection_ = std::move(*connection);
  return session;
}

Result<kube::ApiResponse> ClusterSession::Try(kube::ApiRequest request, bool retry) {
  constexpr Duration kTimeout = 30s;
  std::optional<Result<kube::ApiResponse>> answer;
  connection_.client->Send(std::move(request),
                           [&](Result<kube::ApiResponse> result) {
                             answer.emplace(std::move(result));
                             loop_.Stop();
                           },
                           {.deadline = kTimeout, .retry = retry});
  loop_.Run();
  return *std::move(answer);
}

Result<boost::json::value> ClusterSession::Send(kube::ApiRequest request) {
  Result<kube::ApiResponse> answer = Try(request, false);
  // A person waits for the answer: that no server is there is told at once, and only a server that
  // is there and has too much to do is asked again.
  if (!answer && !answer.error().unsent && kube::MayRetry(request, answer.error())) {
    answer = Try(request, true);
  }
  if (!answer) return std::unexpected(WithRemedy(answer.error(), request.path));
  boost::system::error_code broken;
  boost::json::value body = boost::json::parse(answer->body, broken);
  if (broken) {
    return Fail(ErrorCode::kUnavailable, "the server's answer is no JSON: " + broken.message());
  }
  return body;
}

}  // namespace basalt::cli
