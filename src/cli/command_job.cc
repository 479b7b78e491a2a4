#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <boost/json/serialize.hpp>
#include <memory>

#include "cli/batch_flags.h"
#include "cli/batch_text.h"
#include "cli/command.h"
#include "cli/job_body.h"
#include "cli/json_fields.h"
#include "cli/manifests.h"
#include "cli/showing.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;
using kube::resources::kVcJobs;

struct JobCommand {
  BatchFlags batch;
  JobRunFlags run;
  std::string file;
  std::string queue;
  std::string scheduler;
  std::string selector;
};

int CreateJob(const JobCommand& command, ClusterSession& cluster, const std::string& ns,
              const json::object& job) {
  const auto made =
      cluster.Send({.method = "POST", .path = PathOf(kVcJobs, ns), .body = json::serialize(job)});
  const std::string name = made ? MetaText(ObjectOf(*made), "name") : "";
  return ReportChange(command.batch.ask, made, kVcJobs, name,
                      fmt::format("run job {} successfully", name));
}

int RunJob(JobCommand& command, ClusterSession& cluster) {
  const std::string& ns = command.batch.ask.ns;
  if (command.file.empty()) {
    command.run.name = command.batch.name;
    command.run.ns = ns;
    if (!command.scheduler.empty()) command.run.scheduler = command.scheduler;
    const auto body = JobBody(command.run);
    return body ? CreateJob(command, cluster, ns, *body) : Refused(body.error());
  }
  const auto jobs = ReadManifestsOf(kVcJobs, command.file, ns);
  if (!jobs) return Refused(jobs.error());
  for (const Manifest& job : *jobs) {
    if (const int code = CreateJob(command, cluster, job.ns, job.object); code != kExitOk) {
      return code;
    }
  }
  return kExitOk;
}

bool IsChosen(const JobCommand& command, const json::object& job) {
  const json::object* spec = ObjectAt(job, {"spec"});
  return (command.queue.empty() || TextAt(spec, "queue") == command.queue) &&
         (command.scheduler.empty() || TextAt(spec, "schedulerName") == command.scheduler) &&
         MetaText(job, "name").contains(command.selector);
}

int ListJobs(const JobCommand& command, ClusterSession& cluster) {
  const AskFlags& ask = command.batch.ask;
  return ShowOrWatch(ask, [&]() -> Result<std::string> {
    auto jobs = ListObjects(cluster, kVcJobs, ask.all_namespaces ? "" : ask.ns, {ask.selector});
    if (!jobs) return std::unexpected(jobs.error());
    json::array chosen;
    for (json::value& job : *jobs) {
      if (IsChosen(command, ObjectOf(job))) chosen.push_back(std::move(job));
    }
    return Formatted(ask, ListOf(std::move(chosen)), "job",
                     [&](const json::value& shown) { return JobsText(ItemsOf(shown), ask); });
  });
}

int ViewJob(const JobCommand& command, ClusterSession& cluster) {
  const AskFlags& ask = command.batch.ask;
  const std::string& name = command.batch.name;
  return ShowOrWatch(ask, [&]() -> Result<std::string> {
    const auto job = cluster.Send({.path = PathOf(kVcJobs, ask.ns, name)});
    if (!job) return std::unexpected(job.error());
    return Formatted(ask, *job, "job", [&](const json::value&) {
      const auto events = ListObjects(
          cluster, kube::resources::kEvents, ask.ns,
          {.fields = fmt::format("involvedObject.kind=Job,involvedObject.name={}", name)});
      return JobText(ObjectOf(*job), events, cluster.Now());
    });
  });
}

// Suspending and resuming is the controller's: it is asked by a Command.
int CommandTheJob(const JobCommand& command, ClusterSession& cluster) {
  const auto& [ask, verb, name, name_flag, rules] = command.batch;
  const auto job = cluster.Send({.path = PathOf(kVcJobs, ask.ns, name)});
  if (!job) return Refused(job.error());
  const auto made =
      cluster.Send({.method = "POST",
                    .path = PathOf(kube::resources::kCommands, ask.ns),
                    .body = json::serialize(CommandBody(
                        ObjectOf(*job), ask.ns, verb == "suspend" ? "AbortJob" : "ResumeJob"))});
  return ReportChange(ask, made, kVcJobs, name, fmt::format("{} job {} successfully", verb, name));
}

int DeleteJob(const JobCommand& command, ClusterSession& cluster) {
  const std::string& name = command.batch.name;
  return ReportChange(
      command.batch.ask,
      cluster.Send({.method = "DELETE", .path = PathOf(kVcJobs, command.batch.ask.ns, name)}),
      kVcJobs, name, fmt::format("delete job {} successfully", name));
}

// "": the command makes sense.
std::string WrongJobUse(const JobCommand& command) {
  const auto& [ask, verb, name, name_flag, rules] = command.batch;
  const bool named = !name.empty() || !name_flag.empty();
  if (!named || verb != "list") return "";  // of a run by file the name counts for nothing, as ever
  return "job list takes no NAME; --selector chooses by a part of it";
}

int RunJobCommand(JobCommand& command) {
  const auto with = [&](int (*run)(const JobCommand&, ClusterSession&)) {
    return [&command, run](ClusterSession& cluster) { return run(command, cluster); };
  };
  return RunVerb("job", command.batch, WrongJobUse(command),
                 {{"run", command.file.empty() ? TakesName::kYes : TakesName::kMay,
                   [&](ClusterSession& cluster) { return RunJob(command, cluster); }},
                  {"list", TakesName::kNo, with(ListJobs)},
                  {"view", TakesName::kYes, with(ViewJob)},
                  {"suspend", TakesName::kYes, with(CommandTheJob)},
                  {"resume", TakesName::kYes, with(CommandTheJob)},
                  {"delete", TakesName::kYes, with(DeleteJob)}});
}

}  // namespace

void AddJobCommand(CLI::App& app, Action& action) {
  auto command = std::make_shared<JobCommand>();
  CLI::App* sub = app.add_subcommand(
      "job", "run, list, view, suspend, resume, delete: jobs of batch.volcano.sh");
  AddBatchFlags(*sub, command->batch, {"run", "list", "view", "suspend", "resume", "delete"},
                {"list", "view"}, NameLetters::kNamespaced);
  JobRunFlags& run = command->run;
  VerbRules& rules = command->batch.rules;
  rules.Add(sub->add_option("-i,--image", run.image, "with run: what its pods run")
                ->capture_default_str(),
            {"run"});
  rules.Add(sub->add_option("-m,--min", run.min_available,
                            "with run: pods that must be there for it to run")
                ->check(CLI::Range(0, 1'000'000))
                ->capture_default_str(),
            {"run"});
  rules.Add(sub->add_option("-r,--replicas", run.replicas, "with run: how many pods")
                ->check(CLI::Range(0, 1'000'000))
                ->capture_default_str(),
            {"run"});
  rules.Add(sub->add_option("-R,--requests", run.requests,
                            "with run: of each pod: cpu=1000m,memory=100Mi"),
            {"run"});
  rules.Add(
      sub->add_option("-L,--limits", run.limits, "with run: of each pod: cpu=1000m,memory=100Mi"),
      {"run"});
  rules.Add(sub->add_option("-S,--scheduler", command->scheduler,
                            "with run: its scheduler, volcano without it; with list: only of this "
                            "scheduler"),
            {"run", "list"});
  rules.Add(sub->add_option("-f,--filename", command->file,
                            "with run: the jobs of this file; -: standard input"),
            {"run"});
  rules.Add(sub->add_option("-q,--queue", command->queue, "with list: only of this queue"),
            {"list"});
  rules.Add(sub->add_option("--selector", command->selector,
                            "with list: only those with this in their name"),
            {"list"});
  sub->callback([command, &action] { action = [command] { return RunJobCommand(*command); }; });
}

}  // namespace basalt::cli
