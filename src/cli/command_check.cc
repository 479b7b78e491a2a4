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
#include "cli/batch_flags.h"
#include "cli/command.h"
#include "cli/common_flags.h"
#include "cli/json_fields.h"
#include "cli/showing.h"
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

// All objects of a collection. None where the cluster has no such kind.
Result<json::array> All(ClusterSession& cluster, const std::string& path,
                        const std::string& accept = "") {
  auto items = ListItems(cluster, {.path = path, .accept = accept});
  if (!items && items.error().code == ErrorCode::kNotFound) return json::array();
  if (!items) return std::unexpected(items.error().Wrap(path));
  return items;
}

// The configuration that Volcano's scheduler has in the cluster; "": none was found.
Result<std::string> ConfigurationInCluster(ClusterSession& cluster, const std::string& ns) {
  const auto map = cluster.Send(
      {.path = PathOf(kube::resources::kConfigMaps, ns, "volcano-scheduler-configmap")});
  if (!map && map.error().code == ErrorCode::kNotFound) return std::string();
  if (!map) return std::unexpected(map.error());
  if (const json::object* data = ObjectAt(ObjectOf(*map), {"data"})) {
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
    crds.emplace_back(MetaText(ObjectOf(crd), "name"));
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
  Append(findings,
         migrate::CheckWorkloads(look.List(PathOf(kube::resources::kDeployments, command.ns)),
                                 look.List(PathOf(kube::resources::kDaemonSets, command.ns))));
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
std::string FindingsText(const json::array& findings) {
  if (findings.empty()) return "Nothing differs.\n";
  std::string out;
  for (const char* weight : {"blocks", "differs", "note"}) {
    for (const json::value& item : findings) {
      const json::object* finding = item.if_object();
      if (TextAt(finding, "weight") != weight) continue;
      out += fmt::format("{:<8} {}: {}\n         {}\n", weight, TextAt(finding, "area"),
                         TextAt(finding, "what"), TextAt(finding, "remedy"));
    }
  }
  return out;
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
  auto cluster = ClusterSession::Open(command.ask.cluster);
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
  fmt::print("{}", Formatted(command.ask, ForPrograms(findings), "", [](const json::value& shown) {
               return FindingsText(ArrayAt(shown.if_object(), "findings"));
             }));
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
  AddClusterFlags(*check, command->ask);
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
  AddProgramOutputFlag(*check, command->ask);
  check->callback([command, &action] { action = [command] { return RunCheck(*command); }; });
}

}  // namespace basalt::cli
