#include "cli/cluster_session.h"

#include <boost/json/parse.hpp>
#include <optional>

namespace basalt::cli {

Result<std::unique_ptr<ClusterSession>> ClusterSession::Open(const std::string& kubeconfig,
                                                             const std::string& server) {
  auto session = std::make_unique<ClusterSession>();
  auto config = kube::LoadConfig(kubeconfig);
  if (!config) return std::unexpected(config.error());
  session->config_ = std::move(*config);
  if (!server.empty()) session->config_.server = server;
  auto connection = Connect(session->loop_, session->config_, 0, 0);
  if (!connection) return std::unexpected(connection.error());
  session->connection_ = std::move(*connection);
  return session;
}

Result<boost::json::value> ClusterSession::Send(kube::ApiRequest request) {
  constexpr Duration kTimeout = 30s;
  std::optional<Result<kube::ApiResponse>> answer;
  connection_.client->Send(std::move(request),
                           [&](Result<kube::ApiResponse> result) {
                             answer.emplace(std::move(result));
                             loop_.Stop();
                           },
                           {.deadline = kTimeout});
  loop_.Run();
  if (!*answer) return std::unexpected(answer->error());
  boost::system::error_code broken;
  boost::json::value body = boost::json::parse((*answer)->body, broken);
  if (broken) {
    return Fail(ErrorCode::kUnavailable, "the server's answer is no JSON: " + broken.message());
  }
  return body;
}

}  // namespace basalt::cli
