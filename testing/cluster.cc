#include "testing/cluster.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <optional>
#include <utility>

#include "base/check.h"

namespace basalt::testutil {
namespace {

apiserver::ServerOptions WithSeed(apiserver::ServerOptions options, std::uint64_t seed) {
  options.seed = seed;
  return options;
}

}  // namespace

SimCluster::SimCluster(SimClusterOptions options)
    : server_(loop_, WithSeed(options.server, options.seed)),
      network_(loop_, server_, options.faults, options.seed),
      api_(network_, options.server.bearer_token),
      client_(api_, {.pacing = {.seed = options.seed}}),
      own_network_(loop_, server_),
      own_api_(own_network_, options.server.bearer_token),
      own_client_(own_api_) {}

Result<json::value> SimCluster::Call(
    const std::function<void(kube::Client&, kube::ApiHandler)>& start) {
  std::optional<Result<kube::ApiResponse>> answer;
  start(own_client_, [&answer](Result<kube::ApiResponse> result) { answer = std::move(result); });
  BASALT_CHECK(loop_.RunUntil([&answer] { return answer.has_value(); }, 1h));
  if (!*answer) return std::unexpected((*answer).error());
  return json::parse((*answer)->body);
}

json::value SimCluster::MustCreate(const kube::Resource& resource, std::string_view ns,
                                   json::object object) {
  auto created = Call([&](kube::Client& client, kube::ApiHandler done) {
    client.Create({resource, ns}, json::serialize(object), std::move(done));
  });
  if (created) return *created;
  ADD_FAILURE() << "creating " << json::serialize(object) << ": " << created.error().message;
  return nullptr;
}

json::value SimCluster::Get(const kube::Resource& resource, std::string_view ns,
                            std::string_view name) {
  auto found = Call([&](kube::Client& client, kube::ApiHandler done) {
    client.Get({resource, ns, name}, std::move(done));
  });
  if (found) return *found;
  if (found.error().code != ErrorCode::kNotFound) ADD_FAILURE() << found.error().message;
  return nullptr;
}

std::vector<json::value> SimCluster::List(const kube::Resource& resource, std::string_view ns) {
  auto listed = Call([&](kube::Client& client, kube::ApiHandler done) {
    client.Send({.path = resource.Path(ns)}, std::move(done));
  });
  if (!listed) {
    ADD_FAILURE() << listed.error().message;
    return {};
  }
  json::array& items = listed->at("items").as_array();
  return {items.begin(), items.end()};
}

Result<json::value> SimCluster::Patch(const kube::Target& target, kube::PatchKind kind,
                                      std::string body) {
  return Call([&](kube::Client& client, kube::ApiHandler done) {
    client.Patch(target, kind, std::move(body), std::move(done));
  });
}

Result<json::value> SimCluster::Delete(const kube::Target& target, const kube::DeleteOptions& how) {
  return Call([&](kube::Client& client, kube::ApiHandler done) {
    client.Delete(target, how, std::move(done));
  });
}

}  // namespace basalt::testutil
