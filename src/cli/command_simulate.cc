#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "cli/ask_scheduler.h"
#include "cli/command.h"
#include "cli/common_flags.h"
#include "cli/flag_checks.h"
#include "cli/json_fields.h"
#include "cli/manifests.h"
#include "cli/showing.h"
#include "cli/simulate_objects.h"
#include "cli/simulation_text.h"
#include "cli/state_file.h"
#include "kube/client/kubeconfig.h"
#include "scheduler/simulate/recorded_state.h"
#include "scheduler/simulate/simulation.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

// Some of what was asked about would wait.
constexpr int kExitWaits = 3;

struct SimulateFlags {
  AskFlags ask;
  std::vector<std::string> files;
  std::vector<std::string> node_files;
  int add_nodes = 0;
  std::string like;
  std::vector<std::string> remove_nodes, cordon, uncordon, set, remove, finish;
  bool until_quiet = false;
  std::string horizon;
  std::string state;   // a file instead of the leading scheduler
  std::string config;  // of the scheduler that it is decided by then
  std::vector<std::string> scheduler_names = {"volcano"};
  std::string record;  // where to write a state, instead of asking anything
};

json::array Texts(const std::vector<std::string>& texts) {
  return json::array(texts.begin(), texts.end());
}

Result<json::array> ReadObjects(const SimulateFlags& flags, const std::string& ns) {
  std::vector<Manifest> manifests;
  for (const auto* files : {&flags.node_files, &flags.files}) {
    for (const std::string& file : *files) {
      auto read = ReadManifests(file);
      if (!read) return std::unexpected(read.error());
      std::move(read->begin(), read->end(), std::back_inserter(manifests));
    }
  }
  return ObjectsToSimulate(manifests, ns);
}

Result<json::object> MakeQuestion(const SimulateFlags& flags) {
  std::string ns = flags.ask.ns;
  if (ns.empty() && !flags.state.empty()) ns = "default";
  if (ns.empty()) {
    const auto config = kube::LoadConfig(flags.ask.cluster);
    if (!config) return std::unexpected(config.error());
    ns = config->ns;
  }
  auto objects = ReadObjects(flags, ns);
  if (!objects) return std::unexpected(objects.error());
  json::object question{{"namespace", ns},
                        {"objects", *std::move(objects)},
                        {"removeNodes", Texts(flags.remove_nodes)},
                        {"cordon", Texts(flags.cordon)},
                        {"uncordon", Texts(flags.uncordon)},
                        {"set", Texts(flags.set)},
                        {"delete", Texts(flags.remove)},
                        {"finish", Texts(flags.finish)},
                        {"untilQuiet", flags.until_quiet}};
  if (!flags.horizon.empty()) question["horizon"] = flags.horizon;
  if (flags.add_nodes > 0) {
    question["addNodes"] = {json::object{{"count", flags.add_nodes}, {"like", flags.like}}};
  }
  return question;
}

Result<json::value> AskRecordedState(const SimulateFlags& flags, const std::string& question) {
  namespace simulate = scheduler::simulate;
  auto objects = ReadState(flags.state);
  if (!objects) return std::unexpected(objects.error().Wrap("--state"));
  simulate::RecordedState state{.objects = *std::move(objects),
                                .config = std::string(scheduler::DefaultConfigYaml()),
                                .options = {}};
  state.options.state.scheduler_names.insert(flags.scheduler_names.begin(),
                                             flags.scheduler_names.end());
  if (!flags.config.empty()) {
    std::ifstream file(flags.config, std::ios::binary);
    state.config.assign(std::istreambuf_iterator<char>(file), {});
    if (!file || file.bad()) {
      return Fail(ErrorCode::kNotFound, "--scheduler-conf: cannot read " + flags.config);
    }
  }
  const auto image = simulate::ImageOf(std::move(state));
  if (!image) return std::unexpected(image.error().Wrap("--scheduler-conf"));
  const auto request = simulate::ParseRequest(question);
  if (!request) return std::unexpected(request.error());
  const auto answer = simulate::Simulate(*image, *request, [] { return true; });
  if (!answer) return std::unexpected(answer.error());
  return json::value(*answer);
}

int Record(const SimulateFlags& flags) {
  const auto count = RecordState(flags.ask, flags.record);
  if (!count) return Refused(count.error());
  fmt::print("{} objects written to {}\n", *count, flags.record);
  return kExitOk;
}

int RunSimulate(const SimulateFlags& flags) {
  if (!flags.record.empty()) return Record(flags);
  if ((flags.add_nodes > 0) != !flags.like.empty()) {
    PrintError("--add-nodes NUMBER and --like NODE go together");
    return kExitUsage;
  }
  const auto question = MakeQuestion(flags);
  if (!question) return Refused(question.error());
  const std::string text = json::serialize(*question);
  const auto answer = flags.state.empty() ? AskScheduler(flags.ask, "/v1/simulate", text)
                                          : AskRecordedState(flags, text);
  if (!answer) return Refused(answer.error());
  fmt::print("{}", Formatted(flags.ask, *answer, "", [](const json::value& shown) {
               return SimulationText(ObjectOf(shown));
             }));
  return NumberAt(answer->if_object(), "waiting") > 0 ? kExitWaits : kExitOk;
}

}  // namespace

void AddSimulateCommand(CLI::App& app, Action& action) {
  auto flags = std::make_shared<SimulateFlags>();
  CLI::App* command = app.add_subcommand(
      "simulate",
      "What would happen if: these objects came, these nodes came or went, these limits were "
      "others. Asks the leading scheduler, or a recorded state; nothing is changed. Exit code 0: "
      "all would run, 3: some "
      "would wait");
  const auto list = [&](const char* name, std::vector<std::string>& out, const char* type,
                        const char* help) {
    command->add_option(name, out, help)->take_all()->allow_extra_args(false)->type_name(type);
  };
  list("-f,--filename", flags->files, "FILE",
       "YAML or JSON file with Pods, PodGroups, Jobs, Deployments, Reservations, …; -: standard "
       "input; may be repeated");
  command->add_option("--add-nodes", flags->add_nodes, "so many more nodes, with --like")
      ->check(Positive())
      ->type_name("N");
  command->add_option("--like", flags->like, "the node that those of --add-nodes are like")
      ->type_name("NODE");
  list("--node-file", flags->node_files, "FILE", "file with Nodes that are added or replaced");
  list("--remove-node", flags->remove_nodes, "NODE", "a node that goes, with all its pods");
  list("--cordon", flags->cordon, "NODE", "a node that is cordoned");
  list("--uncordon", flags->uncordon, "NODE", "a node that is cordoned no longer");
  list("--set", flags->set, "CHANGE",
       "KIND/NAME.FIELD=VALUE: queue/NAME.capability.cpu=40 (deserved, guarantee, weight, "
       "priority, reclaimable), node/NAME.allocatable.cpu=8, podgroup/NAME.minMember=2");
  list("--delete", flags->remove, "pod/NAME",
       "pod/NAME that is deleted and leaves after its grace");
  list("--finish", flags->finish, "KIND/NAME",
       "pod/NAME, podgroup/NAME or job/NAME whose pods are done");
  command->add_flag("--until-quiet", flags->until_quiet,
                    "play on in virtual time until nothing changes any more, and say when each "
                    "pod starts; pods end by their annotation basalt.sh/run-duration");
  command
      ->add_option("--horizon", flags->horizon,
                   "with --until-quiet: no longer than this; without it: 168h")
      ->type_name("DURATION");
  command
      ->add_option("-n,--namespace", flags->ask.ns,
                   "of what names none; without it: that of the kubeconfig")
      ->type_name("NAMESPACE");
  CLI::Option* state =
      command
          ->add_option(
              "--state", flags->state,
              "ask a recorded state instead of the leading scheduler: a file that --record "
              "or \"kubectl get -o json\" wrote; -: standard input")
          ->type_name("FILE");
  command
      ->add_option("--scheduler-conf", flags->config,
                   "with --state: the configuration to decide by; without it: the default one")
      ->needs(state)
      ->type_name("FILE");
  command
      ->add_option("--scheduler-name", flags->scheduler_names,
                   "with --state: whose pods are placed; may be repeated")
      ->needs(state)
      ->take_all()
      ->allow_extra_args(false)
      ->capture_default_str()
      ->type_name("NAME");
  command
      ->add_option("--record", flags->record,
                   "write all that a scheduler decides by to a file for --state, and end")
      ->excludes(state)
      ->type_name("FILE");
  AddProgramOutputFlag(*command, flags->ask);
  AddClusterFlags(*command, flags->ask);
  AddSchedulerNamespaceFlag(*command, flags->ask);
  command->callback([flags, &action] { action = [flags] { return RunSimulate(*flags); }; });
}

}  // namespace basalt::cli
