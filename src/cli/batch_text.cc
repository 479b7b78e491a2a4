#include "cli/batch_text.h"

#include <fmt/format.h>

#include <boost/json/value.hpp>
#include <vector>

#include "cli/json_fields.h"
#include "cli/shown_text.h"
#include "cli/text_table.h"
#include "cli/yaml_text.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;
using enum Column::When;

Cell NameCell() { return TextCell({"metadata", "name"}); }
Cell NamespaceCell() { return TextCell({"metadata", "namespace"}); }
Cell PhaseCell() { return TextCell({"status", "state", "phase"}); }

std::string AllReplicasOf(const json::object& job) {
  std::int64_t replicas = 0;
  for (const json::value& task : ArrayAt(ObjectAt(job, {"spec"}), "tasks")) {
    replicas += NumberAt(task.if_object(), "replicas");
  }
  return std::to_string(replicas);
}

// As kubectl shows it: what keeps a container, else the phase.
std::string PodStatusText(const json::object& pod) {
  const json::object* status = ObjectAt(pod, {"status"});
  if (!MetaText(pod, "deletionTimestamp").empty()) return "Terminating";
  std::string text = TextAt(status, "reason");
  if (text.empty()) text = TextAt(status, "phase");
  for (const char* list : {"initContainerStatuses", "containerStatuses"}) {
    for (const json::value& one : ArrayAt(status, list)) {
      const json::object& container = ObjectOf(one);
      for (const char* state : {"waiting", "terminated"}) {
        const std::string reason = TextAt(ObjectAt(container, {"state", state}), "reason");
        const bool init = std::string_view(list) == "initContainerStatuses";
        if (reason.empty() || (init && reason == "Completed")) continue;
        text = init ? "Init:" + reason : reason;
        if (init) return text;
      }
    }
  }
  return text;
}

std::string ReadyText(const json::object& pod) {
  std::int64_t ready = 0;
  for (const json::value& container : ArrayAt(ObjectAt(pod, {"status"}), "containerStatuses")) {
    const json::value* is_ready = ObjectOf(container).if_contains("ready");
    ready += is_ready != nullptr && *is_ready == true ? 1 : 0;
  }
  return fmt::format("{}/{}", ready, ArrayAt(ObjectAt(pod, {"spec"}), "containers").size());
}

std::string RestartsText(const json::object& pod) {
  std::int64_t restarts = 0;
  for (const json::value& container : ArrayAt(ObjectAt(pod, {"status"}), "containerStatuses")) {
    restarts += NumberAt(container.if_object(), "restartCount");
  }
  return std::to_string(restarts);
}

std::string EventsText(const Result<json::array>& events) {
  if (!events) return fmt::format("Events cannot be read: {}\n", OneLine(events.error().message));
  if (events->empty()) return "No events.\n";
  return "Events:\n" + ObjectTable("events", *events,
                                   {{"Type", TextCell({"type"})},
                                    {"Reason", TextCell({"reason"})},
                                    {"Count", TextCell({"count"}, "1")},
                                    {"From", TextCell({"source", "component"})},
                                    {"Message", TextCell({"message"})}});
}

}  // namespace

std::string JobsText(const json::array& jobs, const TableForm& form) {
  return ObjectTable(
      "jobs", jobs,
      {{"Namespace", NamespaceCell(), kAllNamespaces},
       {"Name", NameCell()},
       {"Creation",
        [](const json::object& job) { return MetaText(job, "creationTimestamp").substr(0, 10); }},
       {"Phase", PhaseCell()},
       {"JobType", TextCell({"metadata", "labels", "volcano.sh/job-type"}, "Batch")},
       {"Replicas", AllReplicasOf},
       {"Min", CountCell({"spec", "minAvailable"})},
       {"Pending", CountCell({"status", "pending"})},
       {"Running", CountCell({"status", "running"})},
       {"Succeeded", CountCell({"status", "succeeded"})},
       {"Failed", CountCell({"status", "failed"})},
       {"Unknown", CountCell({"status", "unknown"})},
       {"RetryCount", CountCell({"status", "retryCount"})},
       {"Queue", TextCell({"spec", "queue"}), kWide},
       {"Priority", TextCell({"spec", "priorityClassName"}), kWide},
       {"Scheduler", TextCell({"spec", "schedulerName"}), kWide}},
      form);
}

std::string JobText(const json::object& job, const Result<json::array>& events, Time now) {
  std::string out = TextTable({{"Name:", MetaText(job, "name")},
                               {"Namespace:", MetaText(job, "namespace")},
                               {"Age:", AgeCell(now)(job)},
                               {"Phase:", PhaseCell()(job)}});
  for (const char* part : {"metadata", "spec", "status"}) {
    const json::value* value = job.if_contains(part);
    if (value == nullptr) continue;
    json::object shown = ObjectOf(*value);
    shown.erase("managedFields");
    out += YamlText(json::object{{part, std::move(shown)}});
  }
  return out + EventsText(events);
}

std::string QueueTable(const json::array& queues, const TableForm& form) {
  return ObjectTable("queues", queues,
                     {{"Name", NameCell()},
                      {"Weight", CountCell({"spec", "weight"})},
                      {"State", TextCell({"status", "state"})},
                      {"Parent", TextCell({"spec", "parent"}, "-")},
                      {"Inqueue", CountCell({"status", "inqueue"})},
                      {"Pending", CountCell({"status", "pending"})},
                      {"Running", CountCell({"status", "running"})},
                      {"Unknown", CountCell({"status", "unknown"})},
                      {"Completed", CountCell({"status", "completed"})},
                      {"Capability", AmountsCell({"spec", "capability"}), kWide},
                      {"Deserved", AmountsCell({"spec", "deserved"}), kWide},
                      {"Guarantee", AmountsCell({"spec", "guarantee", "resource"}), kWide},
                      {"Allocated", AmountsCell({"status", "allocated"}), kWide}},
                     form);
}

std::string FlowsText(const json::array& objects, std::string_view kind, Time now) {
  const bool has_phase = kind == "jobflow";
  return ObjectTable(
      fmt::format("{}s", kind), objects,
      {{"Name", NameCell()},
       {"Namespace", NamespaceCell()},
       {"Phase", has_phase ? PhaseCell() : [](const json::object&) { return std::string("-"); }},
       {"Age", AgeCell(now)}});
}

std::string PodsText(const json::array& pods, const TableForm& form, Time now) {
  return ObjectTable("pods", pods,
                     {{"Namespace", NamespaceCell(), kAllNamespaces},
                      {"Name", NameCell()},
                      {"Ready", ReadyText},
                      {"Status", PodStatusText},
                      {"Restart", RestartsText},
                      {"Age", AgeCell(now)},
                      {"Node", TextCell({"spec", "nodeName"}), kWide},
                      {"IP", TextCell({"status", "podIP"}), kWide},
                      {"Queue", TextCell({"metadata", "labels", "volcano.sh/queue-name"}), kWide}},
                     form);
}

}  // namespace basalt::cli
