#include "cli/webhook_role.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <utility>

#include "base/log.h"
#include "cli/bad_flag.h"
#include "cli/feature_gates.h"
#include "cli/flag_checks.h"
#include "net/url.h"
#include "webhook/webhook.h"

namespace basalt::cli {
namespace {

class WebhookRole final : public Role {
 public:
  explicit WebhookRole(std::unique_ptr<webhook::Webhook> webhook) : webhook_(std::move(webhook)) {}

  std::string name() const override { return "webhook"; }
  void Start() override { webhook_->Start(); }
  bool ready() const override { return webhook_->ready(); }
  void Stop(Callback done) override { webhook_->Stop(std::move(done)); }
  // All replicas work: none has to lead.
  bool elects_itself() const override { return true; }

 private:
  std::unique_ptr<webhook::Webhook> webhook_;
};

Result<void> CheckCertificates(const WebhookFlags& flags) {
  if (flags.certificate_file.empty() != flags.key_file.empty()) {
    return BadFlag(flags.key_file.empty() ? "--tls-private-key-file" : "--tls-cert-file",
                   "missing: a certificate and its key go together");
  }
  if (flags.certificate_file.empty() && !flags.self_register) {
    return BadFlag("--tls-cert-file",
                   "missing; give a certificate and its key, or --self-register to have them made");
  }
  if (flags.certificate_file.empty() && !flags.ca_file.empty()) {
    return BadFlag("--ca-cert-file", "needs --tls-cert-file and --tls-private-key-file");
  }
  if (!flags.url.empty() && !flags.service_name.empty()) {
    return BadFlag("--webhook-url", "excludes --webhook-service-name: the API server calls one");
  }
  return {};
}

// The service accounts of the roles, under our names and under those of Volcano's chart, in whose
// place they may run.
std::vector<std::string> RoleAccounts(const std::string& ns) {
  std::vector<std::string> users;
  for (const char* name : {"basalt", "basalt-scheduler", "basalt-controller", "basalt-webhook",
                           "volcano-scheduler", "volcano-controllers", "volcano-admission"}) {
    users.push_back(fmt::format("system:serviceaccount:{}:{}", ns, name));
  }
  return users;
}

}  // namespace

void AddWebhookFlags(CLI::App& command, WebhookFlags& flags) {
  command.add_option("--port", flags.port, "the port for admission requests; 0: a free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command.add_option("--tls-cert-file", flags.certificate_file,
                     "the server's certificate, read again when it changes");
  command.add_option("--tls-private-key-file", flags.key_file, "its key");
  command.add_option("--ca-cert-file", flags.ca_file,
                     "what the API server is to trust; without it: the certificate itself");
  command.add_flag("--self-register", flags.self_register,
                   "write the webhook configurations; without certificates also make and renew "
                   "them, shared by all replicas in a secret");
  command.add_option("--webhook-url", flags.url,
                     "https://HOST:PORT by which the API server reaches the webhook; without it "
                     "and without a service: the address and port");
  command.add_option("--webhook-service-name", flags.service_name,
                     "the service by which the API server reaches the webhook");
  command.add_option("--webhook-namespace", flags.ns,
                     "the namespace of that service and of the secret; without it: "
                     "--lock-object-namespace");
  command.add_option("--enabled-admission", flags.enabled_admission,
                     "/pods/mutate,/queues/validate,…; without it: all");
  command
      .add_option("--scheduler-name", flags.scheduler_names,
                  "pods with this schedulerName are looked at; may be repeated")
      ->take_all()
      ->allow_extra_args(false)
      ->capture_default_str();
  command.add_option("--feature-gates", flags.feature_gates,
                     "NAME=true|false,…: SchedulingGatesQueueAdmission (default true)");
  command
      .add_option("--own-user", flags.own_users,
                  "a user as which a role of Basalt runs: what it writes itself is not looked at, "
                  "so that it is not refused while the webhook is away; may be repeated; without "
                  "it: the service accounts basalt-… and volcano-… of --webhook-namespace")
      ->take_all()
      ->allow_extra_args(false);
  command
      .add_option("--max-queue-depth", flags.max_queue_depth,
                  "levels of queues below root, at most")
      ->check(Positive())
      ->capture_default_str();
}

Result<std::unique_ptr<Role>> BuildWebhook(RoleContext& context, const WebhookFlags& flags) {
  if (auto checked = CheckCertificates(flags); !checked) return std::unexpected(checked.error());
  const auto gates = ParseFeatureGates(flags.feature_gates);
  if (!gates) return std::unexpected(gates.error());
  std::vector<std::string> passed_over;
  auto routes = webhook::ParseEnabledAdmission(flags.enabled_admission, passed_over);
  if (!routes) return std::unexpected(routes.error());
  for (const std::string& path : passed_over) {
    log::Info("this path of Volcano's is not served here", {{"path", path}});
  }
  const std::string& ns = flags.ns.empty() ? flags.lock_namespace : flags.ns;
  webhook::WebhookOptions options;
  options.address = flags.address;
  options.port = static_cast<std::uint16_t>(flags.port);
  options.policy = {.scheduler_names = flags.scheduler_names,
                    .queue_allocation_gates = gates->queue_admission,
                    .max_queue_depth = flags.max_queue_depth,
                    .own_users = flags.own_users.empty() ? RoleAccounts(ns) : flags.own_users};
  options.routes = std::move(*routes);
  options.certificate_file = flags.certificate_file;
  options.key_file = flags.key_file;
  options.ca_file = flags.ca_file;
  options.self_register = flags.self_register;
  options.check_own_user = flags.check_own_user;
  options.target = {.url = flags.url, .service_ns = ns, .service_name = flags.service_name};
  options.secret.ns = ns;
  auto made =
      webhook::Webhook::Create(context.loop, context.client, std::move(options), &context.metrics);
  if (!made) return std::unexpected(made.error());
  return std::make_unique<WebhookRole>(std::move(*made));
}

}  // namespace basalt::cli
