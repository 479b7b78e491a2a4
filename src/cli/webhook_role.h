#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/role.h"

namespace CLI {
class App;
}

namespace basalt::cli {

// The webhook's own flags. Names and defaults are Volcano's where it has them.
struct WebhookFlags {
  std::string address = "0.0.0.0";  // where admission requests are answered
  int port = 8443;                  // 0: a free one
  std::string certificate_file;
  std::string key_file;
  std::string ca_file;
  bool self_register = false;
  std::string url;                // how the API server reaches it
  std::string service_name;       // the same as a service
  std::string ns;                 // of the service and of the secret; "": lock_namespace
  std::string enabled_admission;  // paths; "": all
  std::vector<std::string> scheduler_names = {"volcano"};
  std::string feature_gates;           // "Name=true,Other=false"
  std::vector<std::string> own_users;  // empty: the service accounts of the roles
  bool check_own_user = true;          // warn where it is none of them
  int max_queue_depth = 5;
  std::string lock_namespace = "volcano-system";
};

void AddWebhookFlags(CLI::App& command, WebhookFlags& flags);

Result<std::unique_ptr<Role>> BuildWebhook(RoleContext& context, const WebhookFlags& flags);

}  // namespace basalt::cli
