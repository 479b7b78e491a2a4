#include "cli/batch_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/value.hpp>
#include <iterator>
#include <vector>

#include "cli/age_text.h"
#include "cli/json_fields.h"
#include "cli/text_table.h"
#include "cli/yaml_text.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

using TextRows = std::vector<std::vector<std::string>>;

std::string Count(const json::object* object, std::string_view key) {
  return std::to_string(NumberAt(object, key));
}

const json::object& EntryOf(const json::value& value) {
  static const json::object kNone;
  return value.is_object() ? value.get_object() : kNone;
}

std::string MetaText(const json::object& object, std::string_view key) {
  return TextAt(ObjectAt(object, {"metadata"}), key);
}

std::string PhaseText(const json::object& object) {
  return TextAt(ObjectAt(object, {"status", "state"}), "phase");
}

std::int64_t AllReplicasOf(const json::object& job) {
  std::int64_t replicas = 0;
  for (const json::value& task : ArrayAt(ObjectAt(job, {"spec"}), "tasks")) {
    replicas += NumberAt(task.if_object(), "replicas");
  }
  return replicas;
}

void PutNamespaceFirst(TextRows& rows, const json::array& objects) {
  rows[0].insert(rows[0].begin(), "Namespace");
  for (std::size_t i = 0; i < objects.size(); ++i) {
    rows[i + 1].insert(rows[i + 1].begin(), MetaText(EntryOf(objects[i]), "namespace"));
  }
}

// "cpu 4, memory 8Gi"; "" where there is none.
std::string AmountsText(const json::object* amounts) {
  std::vector<std::string> parts;
  if (amounts != nullptr) {
    for (const auto& [name, value] : *amounts) {
      parts.push_back(fmt::format("{} {}", std::string_view(name), TextAt(amounts, name)));
    }
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

// Behind those that are there; what is empty is "-".
void AddColumns(TextRows& rows, const json::array& objects, std::vector<std::string> head,
                std::vector<std::string> (*cells_of)(const json::object&)) {
  std::ranges::move(head, std::back_inserter(rows[0]));
  for (std::size_t i = 0; i < objects.size(); ++i) {
    for (std::string& cell : cells_of(EntryOf(objects[i]))) {
      rows[i + 1].push_back(cell.empty() ? "-" : std::move(cell));
    }
  }
}

// As kubectl shows it: what keeps a container, else the phase.
std::string PodStatusText(const json::object& pod) {
  const json::object* status = ObjectAt(pod, {"status"});
  if (!MetaText(pod, "deletionTimestamp").empty()) return "Terminating";
  std::string text = TextAt(status, "reason");
  if (text.empty()) text = TextAt(status, "phase");
  for (const char* list : {"initContainerStatuses", "containerStatuses"}) {
    for (const json::value& one : ArrayAt(status, list)) {
      const json::object& container = EntryOf(one);
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

}  // namespace

std::string JobsText(const json::array& jobs, bool all_namespaces, bool wide) {
  if (jobs.empty()) return "No jobs.\n";
  TextRows rows = {{"Name", "Creation", "Phase", "JobType", "Replicas", "Min", "Pending", "Running",
                    "Succeeded", "Failed", "Unknown", "RetryCount"}};
  for (const json::value& one : jobs) {
    const json::object& job = EntryOf(one);
    const json::object* status = ObjectAt(job, {"status"});
    const std::string type = TextAt(ObjectAt(job, {"metadata", "labels"}), "volcano.sh/job-type");
    rows.push_back({MetaText(job, "name"), MetaText(job, "creationTimestamp").substr(0, 10),
                    PhaseText(job), type.empty() ? "Batch" : type,
                    std::to_string(AllReplicasOf(job)),
                    Count(ObjectAt(job, {"spec"}), "minAvailable"), Count(status, "pending"),
                    Count(status, "running"), Count(status, "succeeded"), Count(status, "failed"),
                    Count(status, "unknown"), Count(status, "retryCount")});
  }
  if (wide) {
    AddColumns(rows, jobs, {"Queue", "Priority", "Scheduler"}, [](const json::object& job) {
      const json::object* spec = ObjectAt(job, {"spec"});
      return std::vector<std::string>{TextAt(spec, "queue"), TextAt(spec, "priorityClassName"),
                                      TextAt(spec, "schedulerName")};
    });
  }
  if (all_namespaces) PutNamespaceFirst(rows, jobs);
  return TextTable(rows);
}

std::string JobText(const json::object& job, const json::array& events, Time now) {
  std::string out = TextTable({{"Name:", MetaText(job, "name")},
                               {"Namespace:", MetaText(job, "namespace")},
                               {"Age:", AgeText(job, now)},
                               {"Phase:", PhaseText(job)}});
  for (const char* part : {"metadata", "spec", "status"}) {
    const json::value* value = job.if_contains(part);
    if (value == nullptr) continue;
    json::object shown = EntryOf(*value);
    shown.erase("managedFields");
    out += YamlText(json::object{{part, std::move(shown)}});
  }
  TextRows rows = {{"Type", "Reason", "Count", "From", "Message"}};
  for (const json::value& one : events) {
    const json::object& event = EntryOf(one);
    rows.push_back({TextAt(&event, "type"), TextAt(&event, "reason"),
                    std::to_string(NumberAt(&event, "count", 1)),
                    TextAt(ObjectAt(event, {"source"}), "component"), TextAt(&event, "message")});
  }
  return out + (events.empty() ? "No events.\n" : "Events:\n" + TextTable(rows));
}

std::string QueueTable(const json::array& queues, bool wide) {
  if (queues.empty()) return "No queues.\n";
  TextRows rows = {{"Name", "Weight", "State", "Parent", "Inqueue", "Pending", "Running", "Unknown",
                    "Completed"}};
  for (const json::value& one : queues) {
    const json::object& queue = EntryOf(one);
    const json::object* status = ObjectAt(queue, {"status"});
    const json::object* spec = ObjectAt(queue, {"spec"});
    const std::string parent = TextAt(spec, "parent");
    rows.push_back({MetaText(queue, "name"), Count(spec, "weight"), TextAt(status, "state"),
                    parent.empty() ? "-" : parent, Count(status, "inqueue"),
                    Count(status, "pending"), Count(status, "running"), Count(status, "unknown"),
                    Count(status, "completed")});
  }
  if (wide) {
    AddColumns(rows, queues, {"Capability", "Deserved", "Guarantee", "Allocated"},
               [](const json::object& queue) {
                 return std::vector<std::string>{
                     AmountsText(ObjectAt(queue, {"spec", "capability"})),
                     AmountsText(ObjectAt(queue, {"spec", "deserved"})),
                     AmountsText(ObjectAt(queue, {"spec", "guarantee", "resource"})),
                     AmountsText(ObjectAt(queue, {"status", "allocated"}))};
               });
  }
  return TextTable(rows);
}

std::string FlowsText(const json::array& objects, std::string_view kind, Time now) {
  if (objects.empty()) return fmt::format("No {}s.\n", kind);
  const bool has_phase = kind == "jobflow";
  TextRows rows = {{"Name", "Namespace", "Phase", "Age"}};
  for (const json::value& one : objects) {
    const json::object& object = EntryOf(one);
    rows.push_back({MetaText(object, "name"), MetaText(object, "namespace"),
                    has_phase ? PhaseText(object) : "-", AgeText(object, now)});
  }
  return TextTable(rows);
}

std::string PodsText(const json::array& pods, bool all_namespaces, Time now, bool wide) {
  if (pods.empty()) return "No pods.\n";
  TextRows rows = {{"Name", "Ready", "Status", "Restart", "Age"}};
  for (const json::value& one : pods) {
    const json::object& pod = EntryOf(one);
    std::int64_t ready = 0, restarts = 0;
    for (const json::value& container : ArrayAt(ObjectAt(pod, {"status"}), "containerStatuses")) {
      const json::object& status = EntryOf(container);
      const json::value* is_ready = status.if_contains("ready");
      ready += is_ready != nullptr && *is_ready == true ? 1 : 0;
      restarts += NumberAt(&status, "restartCount");
    }
    const std::size_t all = ArrayAt(ObjectAt(pod, {"spec"}), "containers").size();
    rows.push_back({MetaText(pod, "name"), fmt::format("{}/{}", ready, all), PodStatusText(pod),
                    std::to_string(restarts), AgeText(pod, now)});
  }
  if (wide) {
    AddColumns(rows, pods, {"Node", "IP", "Queue"}, [](const json::object& pod) {
      return std::vector<std::string>{
          TextAt(ObjectAt(pod, {"spec"}), "nodeName"), TextAt(ObjectAt(pod, {"status"}), "podIP"),
          TextAt(ObjectAt(pod, {"metadata", "labels"}), "volcano.sh/queue-name")};
    });
  }
  if (all_namespaces) PutNamespaceFirst(rows, pods);
  return TextTable(rows);
}

}  // namespace basalt::cli
