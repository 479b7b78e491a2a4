#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/log.h"
#include "cli/command.h"
#include "cli/role_flags.h"
#include "cli/webhook_role.h"
#include "net/url.h"

namespace basalt::cli {
namespace {

struct WebhookCommandFlags {
  RoleFlags role;
  WebhookFlags webhook;
  bool enable_healthz = false;
  std::vector<std::string> ignored;
};

// What Volcano's manifests give its webhook and means nothing here: taken, so that switching means
// changing the image.
void AddVolcanosWebhookFlags(CLI::App& command, WebhookCommandFlags& flags) {
  command.add_flag("--enable-healthz", flags.enable_healthz,
                   "health at Volcano's address, :11251, without --healthz-address");
  for (const char* name : {"-v,--v", "--admission-conf", "--graceful-shutdown-time"}) {
    command
        .add_option_function<std::string>(
            name, [&flags, name](const std::string&) { flags.ignored.emplace_back(name); })
        ->group("");
  }
  for (const char* name :
       {"--logtostderr", "--enable-queue-allocated-pods-check", "--enable-root-queue-protection"}) {
    command.add_flag_callback(name, [&flags, name] { flags.ignored.emplace_back(name); })
        ->group("");
  }
  // Its manifests have no shell that would understand this.
  command.add_option("redirection")->check(CLI::IsMember({"2>&1"}))->group("");
}

int RunWebhook(WebhookCommandFlags& flags) {
  for (const std::string& name : flags.ignored) {
    log::Info("this flag of Volcano's has no effect here", {{"flag", name}});
  }
  if (flags.enable_healthz && flags.role.healthz_address.empty()) {
    flags.role.healthz_address = ":11251";
  }
  // Volcano's webhook has its own address there, without a port; every role has its metrics' there.
  if (net::IsIpAddress(flags.role.listen_address)) {
    flags.webhook.address = std::move(flags.role.listen_address);
    flags.role.listen_address.clear();
  }
  // Volcano's registers itself when it is told what to trust.
  if (!flags.webhook.ca_file.empty()) flags.webhook.self_register = true;
  flags.webhook.lock_namespace = flags.role.lock_namespace;
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
  AddVolcanosWebhookFlags(*command, *flags);
  command->callback([flags, &action] { action = [flags] { return RunWebhook(*flags); }; });
}

}  // namespace basalt::cli
