#include "webhook/job_defaults.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json/value.hpp>

#include "webhook/fields.h"
#include "webhook/review.h"

namespace basalt::webhook {
namespace {

namespace json = boost::json;

constexpr auto kJobPlugins = std::to_array<std::string_view>(
    {"env", "svc", "ssh", "pytorch", "tensorflow", "mpi", "ray", "hcclrank"});

// Pods of these find each other by name.
constexpr auto kNeedNames =
    std::to_array<std::string_view>({"tensorflow", "pytorch", "mpi", "ray"});

std::int64_t TaskMinimum(const json::object& task) {
  if (const auto stated = NumberAt(task, "minAvailable")) return *stated;
  const json::object& partitions = ObjectAt(task, "partitionPolicy");
  if (!partitions.empty()) {
    const std::int64_t least = NumberAt(partitions, "minPartitions").value_or(0);
    const std::int64_t size = NumberAt(partitions, "partitionSize").value_or(0);
    // Bounded, so that the product of two wild numbers is refused instead of overflowing.
    if (least > 0 && size > 0 && least <= 1'000'000'000 && size <= 1'000'000'000) {
      return least * size;
    }
  }
  return NumberAt(task, "replicas").value_or(0);
}

}  // namespace

bool IsJobPlugin(std::string_view name) {
  return std::ranges::find(kJobPlugins, name) != kJobPlugins.end();
}

std::vector<JobDefault> MissingInJob(const json::object& spec, std::string_view queue,
                                     std::string_view scheduler) {
  std::vector<JobDefault> missing;
  const auto add = [&](std::string path, json::value value) {
    missing.push_back({std::move(path), std::move(value)});
  };
  if (!queue.empty() && queue != TextAt(spec, "queue")) add("/queue", json::string(queue));
  if (TextAt(spec, "schedulerName").empty()) add("/schedulerName", json::string(scheduler));
  if (NumberAt(spec, "maxRetry").value_or(0) == 0) add("/maxRetry", kDefaultMaxRetry);
  const json::array& tasks = ListAt(spec, "tasks");
  std::int64_t least = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!tasks[i].is_object()) continue;
    const json::object& task = tasks[i].get_object();
    const std::string at = fmt::format("/tasks/{}", i);
    if (TextAt(task, "name").empty()) add(at + "/name", json::string(fmt::format("default{}", i)));
    if (!Has(task, "minAvailable")) add(at + "/minAvailable", TaskMinimum(task));
    if (NumberAt(task, "maxRetry").value_or(0) == 0) add(at + "/maxRetry", kDefaultMaxRetry);
    const std::int64_t own = TaskMinimum(task);
    if (own > 0 && own <= 1'000'000'000) least += own;
    const json::object& pod = ObjectAt(ObjectAt(task, "template"), "spec");
    const json::value* host = pod.if_contains("hostNetwork");
    if (host != nullptr && *host == true && TextAt(pod, "dnsPolicy").empty()) {
      add(at + "/template/spec/dnsPolicy", "ClusterFirstWithHostNet");
    }
  }
  if (NumberAt(spec, "minAvailable").value_or(0) == 0) add("/minAvailable", least);
  const json::object& plugins = ObjectAt(spec, "plugins");
  const bool named = std::ranges::any_of(
      kNeedNames, [&](std::string_view name) { return plugins.contains(name); });
  if (named && !plugins.contains("svc")) add("/plugins/svc", json::array());
  if (plugins.contains("mpi") && !plugins.contains("ssh")) add("/plugins/ssh", json::array());
  return missing;
}

json::object WithJobDefaults(const json::object& spec, std::string_view queue,
                             std::string_view scheduler) {
  json::value whole(spec);
  for (JobDefault& field : MissingInJob(spec, queue, scheduler)) {
    SetAtPointer(whole, field.path, std::move(field.value));
  }
  return std::move(whole.get_object());
}

}  // namespace basalt::webhook
