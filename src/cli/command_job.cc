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

using kube::resources::kVcJobs;

struct JobCommand {
  BatchFlags batch;
  JobRunFlags run;
  std::string file;
  std::string queue;
  std::string scheduler;
  std::string selector;
};

int CreateJobs(const JobCommand& command, ClusterSession& cluster,
               std::vector<boost::json::object> jobs) {
  for (const boost::json::object& job : jobs) {
    const boost::json::object* meta = ObjectAt(job, {"metadata"});
    const std::string own = TextAt(meta, "namespace");
    const std::string& ns = own.empty() ? command.batch.ask.ns : own;
    const auto made = cluster.Send(
        {.method = "POST", .path = PathOf(kVcJobs, ns), .body = boost::json::serialize(job)});
    if (!made) return Refused(made.error());
    if (!PrintForPrograms(command.batch.ask, *made)) {
      fmt::print(
          "run job {} successfully\n",
          TextAt(made->is_object() ? ObjectAt(made->get_object(), {"metadata"}) : nullptr, "name"));
    }
  }
  return kExitOk;
}

int RunJob(JobCommand& command, ClusterSession& cluster) {
  if (command.file.empty()) {
    command.run.name = command.batch.name;
    command.run.ns = command.batch.ask.ns;
    if (!command.scheduler.empty()) command.run.scheduler = command.scheduler;
    auto body = JobBody(command.run);
    if (!body) return Refused(body.error());
    return CreateJobs(command, cluster, {std::move(*body)});
  }
  auto manifests = ReadManifests(command.file);
  if (!manifests) return Refused(manifests.error());
  std::vector<boost::json::object> jobs;
  for (Manifest& manifest : *manifests) {
    if (manifest.api_version != kVcJobs.ApiVersion() || manifest.kind != kVcJobs.kind) {
      return Refused(
          Error{.code = ErrorCode::kInvalidArgument,
                .message = fmt::format("{}: want a Job of {}, not {} of {}", manifest.origin,
                                       kVcJobs.ApiVersion(), manifest.kind, manifest.api_version)});
    }
    jobs.push_back(std::move(manifest.object));
  }
  return CreateJobs(command, cluster, std::move(jobs));
}

Result<std::string> JobsNow(const JobCommand& command, ClusterSession& cluster) {
  const AskFlags& ask = command.batch.ask;
  const bool all = ask.all_namespaces;
  auto jobs = ListItems(cluster, ask, {.path = PathOf(kVcJobs, all ? "" : ask.ns)});
  if (!jobs) return std::unexpected(jobs.error());
  boost::json::array chosen;
  for (boost::json::value& value : *jobs) {
    const boost::json::object* job = value.if_object();
    if (job == nullptr) continue;
    const boost::json::object* spec = ObjectAt(*job, {"spec"});
    if (!command.queue.empty() && TextAt(spec, "queue") != command.queue) continue;
    if (!command.scheduler.empty() && TextAt(spec, "schedulerName") != command.scheduler) continue;
    if (!TextAt(ObjectAt(*job, {"metadata"}), "name").contains(command.selector)) continue;
    chosen.push_back(std::move(value));
  }
  return Formatted(ask, ListOf(chosen), "job",
                   [&] { return JobsText(chosen, all, ask.output == "wide"); });
}

int ListJobs(const JobCommand& command, ClusterSession& cluster) {
  return ShowOrWatch(command.batch.ask, [&] { return JobsNow(command, cluster); });
}

int ViewJob(const JobCommand& command, ClusterSession& cluster) {
  const BatchFlags& batch = command.batch;
  const auto job = cluster.Send({.path = PathOf(kVcJobs, batch.ask.ns, batch.name)});
  if (!job) return Refused(job.error());
  if (PrintForPrograms(batch.ask, *job)) return kExitOk;
  const auto events = ListItems(
      cluster,
      {.path = PathOf(kube::resources::kEvents, batch.ask.ns),
       .query = {{"fieldSelector",
                  fmt::format("involvedObject.kind=Job,involvedObject.name={}", batch.name)}}});
  fmt::print("{}", JobText(job->is_object() ? job->get_object() : boost::json::object(),
                           events ? *events : boost::json::array(), cluster.Now()));
  return kExitOk;
}

int CommandTheJob(const JobCommand& command, ClusterSession& cluster) {
  const BatchFlags& batch = command.batch;
  const auto job = cluster.Send({.path = PathOf(kVcJobs, batch.ask.ns, batch.name)});
  if (!job) return Refused(job.error());
  const std::string_view action = batch.verb == "suspend" ? "AbortJob" : "ResumeJob";
  const auto made = cluster.Send(
      {.method = "POST",
       .path = PathOf(kube::resources::kCommands, batch.ask.ns),
       .body = boost::json::serialize(CommandBody(
           job->is_object() ? job->get_object() : boost::json::object(), batch.ask.ns, action))});
  if (!made) return Refused(made.error());
  fmt::print("{} job {} successfully\n", batch.verb, batch.name);
  return kExitOk;
}

int DeleteJob(const JobCommand& command, ClusterSession& cluster) {
  const auto gone = cluster.Send(
      {.method = "DELETE", .path = PathOf(kVcJobs, command.batch.ask.ns, command.batch.name)});
  if (!gone) return Refused(gone.error());
  fmt::print("delete job {} successfully\n", command.batch.name);
  return kExitOk;
}

int RunJobCommand(JobCommand& command) {
  const std::string verb = command.batch.verb;
  const bool needs_name = verb != "list" && !(verb == "run" && !command.file.empty());
  if (const std::string wrong = TakeName(command.batch, needs_name); !wrong.empty()) {
    PrintError("job: " + wrong);
    return kExitUsage;
  }
  if (verb == "list" && !command.batch.name.empty()) {
    PrintError("job list takes no NAME; --selector chooses by a part of it");
    return kExitUsage;
  }
  auto cluster = OpenSession(command.batch);
  if (!cluster) return Refused(cluster.error());
  if (verb == "run") return RunJob(command, **cluster);
  if (verb == "list") return ListJobs(command, **cluster);
  if (verb == "view") return ViewJob(command, **cluster);
  if (verb == "delete") return DeleteJob(command, **cluster);
  return CommandTheJob(command, **cluster);
}

}  // namespace

void AddJobCommand(CLI::App& app, Action& action) {
  auto command = std::make_shared<JobCommand>();
  CLI::App* sub = app.add_subcommand(
      "job", "run, list, view, suspend, resume, delete: jobs of batch.volcano.sh");
  AddBatchFlags(*sub, command->batch, {"run", "list", "view", "suspend", "resume", "delete"},
                NameLetters::kNamespaced);
  JobRunFlags& run = command->run;
  sub->add_option("-i,--image", run.image, "with run: what its pods run")->capture_default_str();
  sub->add_option("-m,--min", run.min_available, "with run: pods that must be there for it to run")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  sub->add_option("-r,--replicas", run.replicas, "with run: how many pods")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  sub->add_option("-R,--requests", run.requests, "with run: of each pod: cpu=1000m,memory=100Mi");
  sub->add_option("-L,--limits", run.limits, "with run: of each pod: cpu=1000m,memory=100Mi");
  sub->add_option("-S,--scheduler", command->scheduler,
                  "with run: its scheduler, volcano without it; with list: only of this scheduler");
  sub->add_option("-f,--filename", command->file,
                  "with run: the jobs of this file; -: standard input");
  sub->add_option("-q,--queue", command->queue, "with list: only of this queue");
  sub->add_option("--selector", command->selector, "with list: only those with this in their name");
  sub->callback([command, &action] { action = [command] { return RunJobCommand(*command); }; });
}

}  // namespace basalt::cli
