#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/server.h"
#include "base/error.h"
#include "kube/client/client.h"
#include "kube/types/resource.h"
#include "testing/builders.h"
#include "testing/direct_api_client.h"
#include "testing/direct_network.h"
#include "testing/fault_plan.h"
#include "testing/sim_loop.h"

namespace basalt::testutil {

struct SimClusterOptions {
  std::uint64_t seed = 1;
  FaultPlan faults;  // of network(); the test's own calls are spared
  apiserver::ServerOptions server;
};

// An embedded cluster on virtual time for tests of roles: the server's core, a network with faults
// for the roles under test, and calls for the test itself that run the loop until they are
// answered.
class SimCluster {
 public:
  explicit SimCluster(SimClusterOptions options = {});

  SimLoop& loop() { return loop_; }
  apiserver::Server& server() { return server_; }
  // For roles that stand for processes of their own, with a DirectApiClient each.
  DirectNetwork& network() { return network_; }
  // For the role under test where one is enough.
  DirectApiClient& api() { return api_; }
  kube::Client& client() { return client_; }

  // The test's own calls: no faults, no latency. Only from outside of the loop.
  template <class Builder>
  json::value Create(const Builder& object) {
    return MustCreate(object.resource(), object.ns(), object.Json());
  }
  // Fails the test if the server refuses it.
  json::value MustCreate(const kube::Resource& resource, std::string_view ns, json::object object);
  // Null where there is no such object.
  json::value Get(const kube::Resource& resource, std::string_view ns, std::string_view name);
  // All of a namespace, or of all, in the server's order.
  std::vector<json::value> List(const kube::Resource& resource, std::string_view ns = "");
  Result<json::value> Patch(const kube::Target& target, kube::PatchKind kind, std::string body);
  Result<json::value> Delete(const kube::Target& target, const kube::DeleteOptions& how = {});
  // Any call of the client, run until it is answered:
  //   cluster.Call([&](kube::Client& client, kube::ApiHandler done) { client.Get(…,
  //   std::move(done)); });
  Result<json::value> Call(const std::function<void(kube::Client&, kube::ApiHandler)>& start);

 private:
  SimLoop loop_;
  apiserver::Server server_;
  DirectNetwork network_;
  DirectApiClient api_;
  kube::Client client_;
  DirectNetwork own_network_;
  DirectApiClient own_api_;
  kube::Client own_client_;
};

}  // namespace basalt::testutil
