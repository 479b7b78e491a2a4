// One node, as the dashboard shows it.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <ranges>
#include <vector>

#include "scheduler/explain/amounts.h"
#include "scheduler/explain/promise_wait.h"
#include "scheduler/framework/plugin_set.h"
#include "scheduler/framework/session.h"
#include "scheduler/overview/clip.h"
#include "scheduler/overview/overview.h"
#include "scheduler/plugins/registry.h"

namespace basalt::scheduler::overview {
namespace {

namespace json = boost::json;
using model::TaskStatus;

// Groups that wait whose fit is looked at.
constexpr std::size_t kMostLookedAt = 50;
// More than a kubelet takes; any tenant may name a node in a pod.
constexpr std::size_t kMostPods = 1000;
constexpr std::size_t kMostTaints = 50;

// What stands on the node, and what stands nowhere: to the rules about the node there is no other.
StateImage AroundNode(const StateImage& whole, model::NodeId node) {
  StateImage part = whole;
  std::erase_if(part.nodes, [&](const StateImage::NodeImage& n) { return n.id != node; });
  std::erase_if(part.tasks, [&](const StateImage::TaskImage& task) {
    return task.holding.node.valid() && task.holding.node != node;
  });
  part.reservations.clear();
  std::erase_if(part.jobs, [](const StateImage::JobImage& job) { return job.reservation; });
  return part;
}

json::object PodRow(const model::Cluster& cluster, const model::Task& task) {
  const model::Job* job = cluster.FindJob(task.job);
  return {
      {"namespace", ClipName(task.ns())},
      {"name", ClipName(task.name())},
      {"status", model::ToString(task.status())},
      {"queue", job && job->queue.valid() ? ClipName(cluster.queue(job->queue).name) : ""},
      {"group", job && !job->shadow ? ClipName(job->name) : ""},
      {"priority", task.priority},
      {"requests", explain::ToJson(explain::ToResourceList(task.request(), cluster.dimensions()))}};
}

}  // namespace

Result<json::object> NodeOf(const SchedulerImage& image, std::string_view name) {
  const auto found = std::ranges::find_if(image.state.nodes, [&](const auto& node) {
    return node.object && node.object->meta.name == name;
  });
  if (found == image.state.nodes.end()) {
    return Fail(ErrorCode::kNotFound, fmt::format("node {} is not known to the scheduler", name));
  }
  Result<std::unique_ptr<PluginSet>> plugins = PluginSet::Make(image.config, BuiltinPlugins());
  if (!plugins) return std::unexpected(plugins.error());
  ClusterState state(image.options.state);
  state.cluster().SetPodKeys((*plugins)->pod_keys());
  state.Adopt(AroundNode(image.state, found->id));
  model::Cluster& cluster = state.cluster();
  const model::Node& node = *cluster.FindNode(name);

  std::vector<const model::Task*> tasks;
  for (const model::TaskId id : node.tasks) tasks.push_back(&cluster.task(id));
  std::ranges::sort(tasks, {}, explain::NamesOf);
  json::array pods;
  for (const model::Task* task : tasks | std::views::take(kMostPods)) {
    pods.push_back(PodRow(cluster, *task));
  }

  std::vector<const model::Task*> waiting;
  const auto task_of = [&](model::TaskId id) -> const model::Task& { return cluster.task(id); };
  cluster.jobs().ForEach([&](const model::Job& job) {
    if (job.pending.empty()) return;
    waiting.push_back(&task_of(*std::ranges::min_element(job.pending, model::TaskBefore, task_of)));
  });
  std::ranges::sort(waiting, {}, explain::NamesOf);
  Session session(cluster, **plugins, image.taken_at, nullptr, nullptr,
                  Session::Purpose::kRehearsal);
  json::array others;
  for (const model::Task* task : waiting | std::views::take(kMostLookedAt)) {
    const bool fits = session.finder().Try(*task, node.id, NodeFinder::Room::kChecked).has_value();
    std::string why;
    if (!fits) {
      const FitFailure failure = session.finder().Explain(*task, NodeFinder::Room::kChecked);
      why = failure.nodes_by_reason.empty() ? failure.other : failure.nodes_by_reason[0].first;
    }
    json::object row = PodRow(cluster, *task);
    row["fits"] = fits;
    row["why"] = Clip(why, kLongestMessage);
    others.push_back(std::move(row));
  }
  json::array taints;
  for (const kube::Taint& taint : node.object->spec.taints | std::views::take(kMostTaints)) {
    taints.emplace_back(ClipName(taint.value.empty() ? taint.key : taint.key + "=" + taint.value));
  }
  return json::object{{"name", name},
                      {"cordoned", node.object->spec.unschedulable},
                      {"ready", node.object->ready()},
                      {"taints", std::move(taints)},
                      {"podsTotal", tasks.size()},
                      {"pods", std::move(pods)},
                      {"waiting", std::move(others)}};
}

}  // namespace basalt::scheduler::overview
