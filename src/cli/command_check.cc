#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/ask_scheduler.h"
#include "cli/cluster_session.h"
#include "cli/command.h"
#include "cli/flag_checks.h"
#include "cli/json_fields.h"
#include "migrate/cluster_check.h"
#include "migrate/configuration_check.h"
#include "migrate/way_back.h"
#include "model/annotations.h"
#include "scheduler/actions/registry.h"
#include "scheduler/config/config.h"
#include "scheduler/framework/plugin_set.h"
#include "scheduler/plugins/registry.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;
using migrate::Finding;
using migrate::Findings;

constexpr int kExitDiffers = 3;
constexpr int kExitBlocks = 4;

struct CheckCommand {
  AskFlags ask;  // kubeconfig, output
  std::string conf;
  std::string ns = "volcano-system";
  std::vector<std::string> scheduler_names = {"volcano"};
  bool back = false;  // from Basalt to Volcano
};

// Whether a configuration could be in force, as the scheduler itself judges it.
Result<void> TryConfiguration(const std::string& yaml) {
  using namespace scheduler;
  const KnownNames known{.actions = BuiltinActions().Names(), .plugins = BuiltinPlugins().Names()};
  Result<Config> config = LoadConfig(yaml, known);
  if (!config) return std::unexpected(config.error());
  for (const std::string& name : config->actions) {
    if (auto action = (*BuiltinActions().Find(name))(config->ArgumentsOf(name)); !action) {
      return std::unexpected(action.error());
    }
  }
  auto plugins = PluginSet::Make(*std::move(config), BuiltinPlugins());
  if (!plugins) return std::unexpected(plugins.error());
  return {};
}

const json::object* PartOf(const json::object* object, std::string_view key) {
  return object ? ObjectAt(*object, {key}) : nullptr;
}

// All objects of a collection, page by page. None where the cluster has no such kind.
Result<json::array> All(ClusterSession& cluster, const std::string& path,
                        const std::string& accept = "") {
  json::array items;
  std::string next;
  do {
    kube::ApiRequest request{.path = path, .query = {{"limit", "500"}}, .accept = accept};
    if (!next.empty()) request.query.emplace_back("continue", next);
    const auto page = cluster.Send(std::move(request));
    if (!page && page.error().code == ErrorCode::kNotFound) return items;
    if (!page) return std::unexpected(page.error().Wrap(path));
    const json::object* list = page->if_object();
    std::ranges::copy(ArrayAt(list, "items"), std::back_inserter(items));
    next = TextAt(PartOf(list, "metadata"), "continue");
  } while (!next.empty());
  return items;
}

// The configuration that Volcano's scheduler has in the cluster; "": none was found.
Result<std::string> ConfigurationInCluster(ClusterSession& cluster, const std::string& ns) {
  const auto map = cluster.Send(
      {.path = fmt::format("/api/v1/namespaces/{}/configmaps/volcano-scheduler-configmap", ns)});
  if (!map && map.error().code == ErrorCode::kNotFound) return std::string();
  if (!map) return std::unexpected(map.error());
  if (const json::object* data = PartOf(map->if_object(), "data")) {
    for (const auto& [name, text] : *data) {
      if (name.ends_with(".conf") && text.is_string()) return std::string(text.get_string());
    }
  }
  return std::string();
}

// Of one that is left alone: Volcano has all of them in this version.
std::string PathOfKind(std::string_view name) {
  const std::size_t dot = name.find('.');
  return fmt::format("/apis/{}/v1alpha1/{}", name.substr(dot + 1), name.substr(0, dot));
}

class ClusterLook {
 public:
  explicit ClusterLook(ClusterSession& cluster) : cluster_(cluster) {}

  json::array List(const std::string& path, const std::string& accept = "") {
    auto items = All(cluster_, path, accept);
    if (items) return *std::move(items);
    if (!error_) error_ = items.error();
    return {};
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  ClusterSession& cluster_;
  std::optional<Error> error_;
};

void Append(Findings& all, Findings more) { std::ranges::move(more, std::back_inserter(all)); }

Result<Findings> LookAtCluster(ClusterSession& cluster, const CheckCommand& command) {
  ClusterLook look(cluster);
  Findings findings;
  std::vector<std::string> crds;
  // Their schemas are large, and deeper than anything else.
  const char* names = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
  for (const json::value& crd :
       look.List("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", names)) {
    crds.emplace_back(TextAt(PartOf(crd.if_object(), "metadata"), "name"));
  }
  std::vector<migrate::KindCount> left_alone;
  for (const std::string& name : migrate::KindsLeftAlone()) {
    if (std::ranges::find(crds, name) == crds.end()) continue;
    left_alone.push_back({name, look.List(PathOfKind(name)).size()});
  }
  Append(findings, migrate::CheckKinds(crds, left_alone));
  const std::string admission = "/apis/admissionregistration.k8s.io/v1/";
  Append(findings,
         migrate::CheckWebhooks(look.List(admission + "mutatingwebhookconfigurations"),
                                look.List(admission + "validatingwebhookconfigurations")));
  Append(findings,
         migrate::CheckGroups(look.List("/apis/scheduling.volcano.sh/v1beta1/podgroups")));
  Append(findings, migrate::CheckPods(look.List("/api/v1/pods"), command.scheduler_names));
  const std::string apps = fmt::format("/apis/apps/v1/namespaces/{}/", command.ns);
  Append(findings,
         migrate::CheckWorkloads(look.List(apps + "deployments"), look.List(apps + "daemonsets")));
  if (look.error()) return std::unexpected(*look.error());
  return findings;
}

// Whether a kind has a status subresource, by what the API server tells of its group.
Result<bool> HasStatus(ClusterSession& cluster, const kube::Resource& kind) {
  const auto group = cluster.Send({.path = fmt::format("/apis/{}/{}", kind.group, kind.version)});
  if (!group && group.error().code == ErrorCode::kNotFound) return false;
  if (!group) return std::unexpected(group.error());
  const std::string wanted = fmt::format("{}/status", kind.plural);
  return std::ranges::any_of(ArrayAt(group->if_object(), "resources"), [&](const auto& resource) {
    return TextAt(resource.if_object(), "name") == wanted;
  });
}

Result<Findings> LookAtTheWayBack(ClusterSession& cluster, const CheckCommand& command) {
  ClusterLook look(cluster);
  const std::string admission = "/apis/admissionregistration.k8s.io/v1/";
  migrate::WayBack found{
      .pods = look.List("/api/v1/pods"),
      .scheduler_names = command.scheduler_names,
      .gate = std::string(model::annotations::kQueueAllocationGate),
      .mutating = look.List(admission + "mutatingwebhookconfigurations"),
      .validating = look.List(admission + "validatingwebhookconfigurations"),
      .reservations = look.List(kube::resources::kReservations.Path("", "")).size()};
  if (look.error()) return std::unexpected(*look.error());
  const Result<bool> has_status = HasStatus(cluster, kube::resources::kPodGroups);
  if (!has_status) return std::unexpected(has_status.error());
  found.groups_have_status = *has_status;
  return migrate::CheckWayBack(found);
}

const char* WeightName(Finding::Weight weight) {
  switch (weight) {
    case Finding::Weight::kNote: return "note";
    case Finding::Weight::kDiffers: return "differs";
    case Finding::Weight::kBlocks: return "blocks";
  }
  return "";
}

json::value ForPrograms(const Findings& findings) {
  json::array items;
  for (const Finding& finding : findings) {
    items.push_back(json::object{{"weight", WeightName(finding.weight)},
                                 {"area", finding.area},
                                 {"what", finding.what},
                                 {"remedy", finding.remedy}});
  }
  return json::object{{"findings", std::move(items)}};
}

// The gravest first.
void PrintForPeople(const Findings& findings) {
  if (findings.empty()) fmt::print("Nothing differs.\n");
  for (const auto weight :
       {Finding::Weight::kBlocks, Finding::Weight::kDiffers, Finding::Weight::kNote}) {
    for (const Finding& finding : findings) {
      if (finding.weight != weight) continue;
      fmt::print("{:<8} {}: {}\n         {}\n", WeightName(weight), finding.area, finding.what,
                 finding.remedy);
    }
  }
}

// What is otherwise in the configuration of Volcano's scheduler.
Result<Findings> LookAtConfiguration(ClusterSession& cluster, const CheckCommand& command) {
  Result<std::string> conf = std::string();
  if (command.conf.empty()) {
    conf = ConfigurationInCluster(cluster, command.ns);
    if (!conf) return std::unexpected(conf.error());
  } else {
    std::ifstream file(command.conf, std::ios::binary);
    if (!file) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("--volcano-conf: cannot read {}", command.conf));
    }
    conf = std::string(std::istreambuf_iterator<char>(file), {});
  }
  if (conf->empty() && command.conf.empty()) {
    return Findings{{Finding::Weight::kNote, "configuration",
                     fmt::format("no ConfigMap volcano-scheduler-configmap in {}", command.ns),
                     "give the file with --volcano-conf"}};
  }
  return migrate::CheckConfiguration(*conf, {.actions = scheduler::BuiltinActions().Names(),
                                             .plugins = scheduler::BuiltinPlugins().Names(),
                                             .check = TryConfiguration});
}

int RunCheck(const CheckCommand& command) {
  Findings findings;
  auto cluster = ClusterSession::Open(command.ask.kubeconfig);
  if (!cluster) return Refused(cluster.error());
  if (!command.back) {
    auto configuration = LookAtConfiguration(**cluster, command);
    if (!configuration && configuration.error().code == ErrorCode::kInvalidArgument) {
      PrintError(configuration.error().message);
      return kExitUsage;
    }
    if (!configuration) return Refused(configuration.error());
    Append(findings, *std::move(configuration));
  }
  auto seen =
      command.back ? LookAtTheWayBack(**cluster, command) : LookAtCluster(**cluster, command);
  if (!seen) return Refused(seen.error());
  Append(findings, *std::move(seen));
  if (!PrintForPrograms(command.ask, ForPrograms(findings))) PrintForPeople(findings);
  int code = kExitOk;
  for (const Finding& finding : findings) {
    if (finding.weight == Finding::Weight::kDiffers) code = std::max(code, kExitDiffers);
    if (finding.weight == Finding::Weight::kBlocks) code = kExitBlocks;
  }
  return code;
}

}  // namespace

void AddCheckCommand(CLI::App& app, Action& action) {
  auto command = std::make_shared<CheckCommand>();
  CLI::App* check = app.add_subcommand(
      "check",
      "Says what will be otherwise when Basalt takes Volcano's place in this cluster. Exit code: 0 "
      "nothing, 3 something differs, 4 something has to be dealt with, 1 it could not look");
  check->add_option("-k,--kubeconfig", command->ask.kubeconfig,
                    "the cluster; without it: the pod's service account, $KUBECONFIG, "
                    "~/.kube/config");
  check->add_flag("--back", command->back,
                  "the other way: what has to be dealt with when Volcano takes Basalt's place");
  check->add_option("--volcano-conf", command->conf,
                    "the configuration of Volcano's scheduler; without it: the cluster's");
  check->add_option("--volcano-namespace", command->ns, "where Volcano is installed")
      ->capture_default_str();
  check
      ->add_option("--scheduler-name", command->scheduler_names,
                   "pods with this schedulerName are Volcano's; may be repeated")
      ->take_all()
      ->allow_extra_args(false)
      ->capture_default_str();
  check->add_option("-o,--output", command->ask.output, "json or yaml; without it: text")
      ->type_name("FORM")
      ->check(OneOf({"json", "yaml"}));
  check->callback([command, &action] { action = [command] { return RunCheck(*command); }; });
}

}  // namespace basalt::cli
