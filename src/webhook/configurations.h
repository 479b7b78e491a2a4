#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kube/client/client.h"
#include "webhook/policy.h"
#include "webhook/routes.h"

namespace basalt::webhook {

// Where the API server finds the webhook: a URL, or a service of the cluster.
struct CallTarget {
  std::string url;  // "https://host:port"; "": the service
  std::string service_ns;
  std::string service_name;
  std::int32_t service_port = 443;
};

inline constexpr std::string_view kConfigurationName = "basalt-webhook";

// The Mutating- or ValidatingWebhookConfiguration of the routes, whole. Pods and workloads: the API
// server calls only for those of our schedulers with an annotation that is acted on, does not wait
// long, and lets them in when the webhook fails. Basalt's own kinds are refused then, but for those
// that its own roles write.
boost::json::object MakeConfiguration(bool mutating, const std::vector<const Route*>& routes,
                                      const CallTarget& target, const std::string& ca_pem,
                                      const Policy& policy);

// Everything that `wanted` says stands in `found`, which may say more (what a server adds).
bool Covers(const boost::json::value& found, const boost::json::value& wanted);

// Brings a cluster's configurations to what they should be. Owned by a Registrar; loop thread only.
class Configurations {
 public:
  using Done = std::move_only_function<void(Result<void>)>;
  // Asked before a configuration that another client has changed is overwritten: is what we want
  // still right? Calls its argument with the answer.
  using Confirm = std::function<void(std::move_only_function<void(bool)>)>;

  Configurations(kube::Client& client, Confirm confirm)
      : client_(client), confirm_(std::move(confirm)) {}

  // One call at a time. kCancelled: not confirmed.
  void Ensure(boost::json::object mutating, boost::json::object validating, Done done);

 private:
  struct Step {
    const kube::Resource* resource;
    boost::json::object wanted;
  };

  void Next();
  void OnRead(Result<kube::ApiResponse> result);
  void Write(const std::string& resource_version);
  void OnWritten(Result<kube::ApiResponse> result);
  void Finish(Result<void> result);

  kube::Client& client_;
  Confirm confirm_;
  std::vector<Step> steps_;
  std::size_t at_ = 0;
  Done done_;
  Scope scope_;
};

}  // namespace basalt::webhook
