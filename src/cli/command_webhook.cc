#include <CLI/CLI.hpp>
#include <string>

#include "cli/command.h"
#include "cli/role_flags.h"
#include "cli/volcano_flags.h"
#include "cli/webhook_role.h"
#include "net/url.h"

namespace basalt::cli {
namespace {

struct WebhookCommandFlags {
  RoleFlags role;
  WebhookFlags webhook;
  VolcanoFlags volcano;
};

int RunWebhook(WebhookCommandFlags& flags) {
  ApplyVolcanosFlags(flags.volcano, VolcanoProgram::kWebhookManager, flags.role.listen_address,
                     flags.role.healthz_address);
  // Volcano's webhook has its own address there, without a port; every role has its metrics' there.
  if (net::IsIpAddress(flags.role.listen_address)) {
    flags.webhook.address = std::move(flags.role.listen_address);
    flags.role.listen_address.clear();
  }
  // Volcano's registers itself when it is told what to trust.
  if (!flags.webhook.ca_file.empty()) flags.webhook.self_register = true;
  flags.webhook.lock_namespace = flags.role.election.lock_namespace;
  return RunRole(flags.role,
                 [&flags](RoleContext& context) { return BuildWebhook(context, flags.webhook); });
}

}  // namespace

void AddWebhookCommand(CLI::App& app, Action& action) {
  auto flags = std::make_shared<WebhookCommandFlags>();
  CLI::App* command = app.add_subcommand(
      "webhook", "Answers a cluster's admission requests: defaults, gates, validation");
  AddRoleFlags(*command, flags->role);
  command->get_option("--listen-address")
      ->description("ADDRESS for admission requests; ADDRESS:PORT: of /metrics");
  AddWebhookFlags(*command, flags->webhook);
  AddVolcanosFlags(*command, VolcanoProgram::kWebhookManager, flags->volcano);
  command->callback([flags, &action] { action = [flags] { return RunWebhook(*flags); }; });
}

}  // namespace basalt::cli
