#include "controllers/job/job_status_body.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "kube/types/time.h"

namespace basalt::controllers {
namespace {

namespace json = boost::json;

json::object StatusJson(const kube::VcJobStatus& status) {
  json::object state{{"phase", kube::ToString(status.phase)},
                     {"lastTransitionTime", kube::FormatTime(status.last_transition_time)}};
  if (!status.reason.empty()) state["reason"] = status.reason;
  if (!status.message.empty()) state["message"] = status.message;
  json::object object{{"state", std::move(state)}};
  const auto count = [&](std::string_view key, std::int32_t number) {
    if (number != 0) object[key] = number;
  };
  count("minAvailable", status.min_available);
  count("pending", status.pending);
  count("running", status.running);
  count("succeeded", status.succeeded);
  count("failed", status.failed);
  count("terminating", status.terminating);
  count("unknown", status.unknown);
  count("version", status.version);
  count("retryCount", status.retry_count);
  if (!status.task_status_count.empty()) {
    json::object tasks;
    for (const auto& task : status.task_status_count) {
      json::object phases;
      for (const auto& [phase, number] : task.phases) phases[phase] = number;
      tasks[task.task] = json::object{{"phase", std::move(phases)}};
    }
    object["taskStatusCount"] = std::move(tasks);
  }
  if (status.running_duration) {
    object["runningDuration"] = kube::FormatDuration(*status.running_duration);
  }
  if (!status.controlled_resources.empty()) {
    json::object made;
    for (const kube::StringMap::Entry entry : status.controlled_resources) {
      made[entry.key] = entry.value;
    }
    object["controlledResources"] = std::move(made);
  }
  json::array conditions;
  for (const auto& condition : status.conditions) {
    conditions.push_back(
        json::object{{"status", kube::ToString(condition.phase)},
                     {"lastTransitionTime", kube::FormatTime(condition.last_transition_time)}});
  }
  object["conditions"] = std::move(conditions);
  return object;
}

}  // namespace

std::string JobStatusPatch(const kube::VcJobStatus& status, std::string_view resource_version) {
  return json::serialize(json::array{
      json::object{
          {"op", "replace"}, {"path", "/metadata/resourceVersion"}, {"value", resource_version}},
      json::object{{"op", "add"}, {"path", "/status"}, {"value", StatusJson(status)}}});
}

}  // namespace basalt::controllers
