#include "cli/command_guide.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <utility>

namespace basalt::cli {
namespace {

struct Guide {
  std::string_view command;
  std::string_view group;
  std::vector<Example> examples;
};

constexpr std::string_view kTry = "A cluster to try it on";
constexpr std::string_view kAsk = "Ask";
constexpr std::string_view kWork = "Work with jobs and queues";
constexpr std::string_view kRoles = "Roles of a cluster";
constexpr std::string_view kMore = "More";

const std::vector<Guide>& Guides() {
  static const std::vector<Guide> guides = {
      {"up",
       kTry,
       {{"three nodes, in memory", "up"},
        {"a larger one, with GPUs in two zones", "up --nodes 100 --node-gpu 8 --node-zones 2"},
        {"the same cluster again tomorrow", "up --data-dir ~/.basalt"},
        {"with objects from a file", "up --apply queues.yaml --apply jobs.yaml"}}},
      {"simnode",
       kTry,
       {{"nodes with a label, on any cluster", "simnode --node-selector simulated=true"}}},
      {"workloads", kTry, {{"on a cluster without a controller manager", "workloads"}}},
      {"explain",
       kAsk,
       {{"why a pod waits, and what would let it run", "explain pod train-0"},
        {"the pods of a Deployment", "explain deployment/web"},
        {"all pods with a label, for programs", "explain pod -l app=web -o json"},
        {"what is next in a queue", "explain queue team-a"},
        {"what autoscalers make of pods without a node", "explain scale --queue team-a"}}},
      {"simulate",
       kAsk,
       {{"would it run, and where", "simulate -f gang.yaml"},
        {"and with four more nodes", "simulate -f gang.yaml --add-nodes 4 --like worker-1"},
        {"what a larger quota would start", "simulate --set queue/team-a.capability.cpu=40"},
        {"who goes for it, and when each starts", "simulate -f urgent.yaml --until-quiet"}}},
      {"dashboard",
       kAsk,
       {{"a page on this machine", "dashboard"},
        {"in a cluster, for people with tokens of theirs",
         "dashboard --listen 0.0.0.0:8443 --auth review"}}},
      {"status",
       kAsk,
       {{"one screen: leaders, queues, what waits and why", "status"},
        {"again and again", "status -w"},
        {"for programs", "status -o json"}}},
      {"podgroup",
       kAsk,
       {{"every group, those of plain pods too", "podgroup list -A"},
        {"as they change", "podgroup list -n team-a -w"}}},
      {"job",
       kWork,
       {{"a job of four pods that start together",
         "job run train --image=busybox --replicas=4 --min=4 --requests=cpu=2"},
        {"all jobs with more columns", "job list -A -o wide"},
        {"stop it for now", "job suspend train"}}},
      {"queue",
       kWork,
       {{"with what they hold", "queue list -o wide"},
        {"a queue with three times the weight of others", "queue create team-a --weight 3"},
        {"no new jobs", "queue operate team-a --action close"}}},
      {"reservation",
       kWork,
       {{"room for a Deployment that is not there yet",
         "reservation create room -f web.yaml --ttl 1h"},
        {"how it stands", "reservation show room"}}},
      {"defrag",
       kWork,
       {{"what would move, and which nodes it would free", "defrag plan"},
        {"do it, and follow it to its end", "defrag run"},
        {"only some nodes, by memory", "defrag run -l pool=batch --resource memory"},
        {"how the newest run stands", "defrag status"}}},
      {"jobflow", kWork, {{"jobs that follow each other", "jobflow create -f flow.yaml"}}},
      {"jobtemplate", kWork, {{"what flows make jobs from", "jobtemplate list"}}},
      {"pod", kWork, {{"the pods of one job", "pod list --job train"}}},
      {"scheduler",
       kRoles,
       {{"two of these, one works", "scheduler --leader-elect --scheduler-conf policy.yaml"},
        {"beside Volcano's, without a write", "scheduler --shadow --scheduler-conf volcano.conf"}}},
      {"controller", kRoles, {{"all of them", "controller --leader-elect"}}},
      {"descheduler",
       kRoles,
       {{"a run every hour", "descheduler --leader-elect --policy policy.yaml --cron @hourly"}}},
      {"webhook", kRoles, {{"with certificates of its own", "webhook --self-register"}}},
      {"check",
       kMore,
       {{"what differs when Basalt takes Volcano's place", "check"},
        {"what has to be dealt with on the way back", "check --back"},
        {"with a configuration from a file, for programs",
         "check --volcano-conf volcano-scheduler.conf -o json"}}},
      {"shadow", kMore, {{"what it would have done otherwise", "shadow report"}}},
      {"crds", kMore, {{"into a cluster: | kubectl apply -f -", "crds"}}},
      {"completion",
       kMore,
       {{"for this shell: source <(…)", "completion bash"}, {"for fish", "completion fish"}}},
      {"man", kMore, {{"read it: | man -l -", "man"}}},
      {"version", kMore, {{"for programs", "version -o json"}}},
      {"help", kMore, {{"a command's flags", "help queue"}}},
  };
  return guides;
}

const Guide* Find(std::string_view command) {
  const auto it = std::ranges::find(Guides(), command, &Guide::command);
  return it == Guides().end() ? nullptr : &*it;
}

}  // namespace

std::vector<Example> ExamplesOf(std::string_view command) {
  const Guide* guide = Find(command);
  return guide ? guide->examples : std::vector<Example>();
}

std::vector<std::string_view> CommandGroups() { return {kTry, kAsk, kWork, kRoles, kMore}; }

void GroupCommands(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    if (command->get_group().empty()) continue;
    const Guide* guide = Find(command->get_name());
    command->group(std::string(guide ? guide->group : kMore));
  }
}

}  // namespace basalt::cli
