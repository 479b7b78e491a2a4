#include "controllers/job/job_pods.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "controllers/job/plugins/job_keys.h"

namespace basalt::controllers {
namespace {

std::int32_t NumberIn(std::string_view text, std::int32_t otherwise) {
  std::int32_t number = otherwise;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : otherwise;
}

bool AllReady(const kube::Pod& pod) {
  return pod.status.container_statuses.size() >= pod.spec.containers.size() &&
         std::ranges::all_of(pod.status.container_statuses, &kube::ContainerStatus::ready);
}

const kube::ContainerStatus* FirstContainer(const kube::Pod& pod) {
  const auto& statuses = pod.status.container_statuses;
  if (statuses.empty()) return nullptr;
  if (!pod.spec.containers.empty()) {
    const auto found =
        std::ranges::find(statuses, pod.spec.containers.front().name, &kube::ContainerStatus::name);
    if (found != statuses.end()) return &*found;
  }
  return &statuses.front();
}

}  // namespace

JobPod ViewOf(const kube::Pod& pod) {
  const kube::StringMap& labels = pod.meta.labels;
  const kube::StringMap& annotations = pod.meta.annotations;
  JobPod view{
      .name = pod.meta.name,
      .uid = pod.meta.uid,
      .task = std::string(annotations.Get(job_keys::kTaskSpec, labels.Get(job_keys::kTaskSpec))),
      .partition = std::string(labels.Get(job_keys::kPartitionId)),
      .index =
          NumberIn(annotations.Get(job_keys::kTaskIndex, labels.Get(job_keys::kTaskIndex)), -1),
      .version = NumberIn(annotations.Get(job_keys::kJobVersion), 0),
      .phase = pod.status.phase,
      .leaving = pod.meta.deleting(),
      .marked = annotations.Get(job_keys::kOutOfSync) == "true",
      .ready = AllReady(pod),
      .created = pod.meta.creation_timestamp};
  view.ours = view.marked;
  for (const kube::ContainerStatus& status : pod.status.container_statuses) {
    view.restarts += status.restart_count;
    view.ended = std::max(view.ended, status.state.finished_at);
  }
  for (const kube::ContainerStatus& status : pod.status.init_container_statuses) {
    view.restarts += status.restart_count;
  }
  if (view.phase == kube::PodPhase::kFailed) {
    if (const kube::ContainerStatus* first = FirstContainer(pod)) {
      view.exit_code = first->state.exit_code;
    }
  }
  // Pods that another controller made carry their index in their name alone.
  if (view.index < 0) {
    const std::size_t dash = view.name.rfind('-');
    if (dash != std::string::npos) {
      view.index = NumberIn(std::string_view(view.name).substr(dash + 1), -1);
    }
  }
  return view;
}

std::string PodNameOf(std::string_view job, std::string_view task, std::int32_t index) {
  return fmt::format("{}-{}-{}", job, task, index);
}

void PodTally::Add(kube::PodPhase phase) {
  switch (phase) {
    case kube::PodPhase::kPending: ++pending; break;
    case kube::PodPhase::kRunning: ++running; break;
    case kube::PodPhase::kSucceeded: ++succeeded; break;
    case kube::PodPhase::kFailed: ++failed; break;
    case kube::PodPhase::kUnknown: ++unknown; break;
  }
}

JobTally TallyOf(const kube::VcJobSpec& spec, const JobPods& pods) {
  JobTally tally;
  tally.tasks.resize(spec.tasks.size());
  boost::unordered_flat_map<std::string_view, std::size_t> by_name;
  for (std::size_t i = 0; i < spec.tasks.size(); ++i) by_name[spec.tasks[i].name] = i;
  for (const auto& [name, pod] : pods) {
    const auto found = by_name.find(std::string_view(pod.task));
    TaskTally* task = found == by_name.end() ? nullptr : &tally.tasks[found->second];
    if (task && pod.index >= 0 && pod.index < spec.tasks[found->second].replicas) ++task->wanted;
    if (pod.leaving) {
      ++tally.terminating;
      if (task) ++task->terminating;
      continue;
    }
    tally.Add(pod.phase);
    if (!task) continue;
    task->Add(pod.phase);
    const bool runs = pod.phase == kube::PodPhase::kRunning;
    if ((runs && pod.ready) || pod.phase == kube::PodPhase::kSucceeded) ++task->serving;
    if (runs || pod.phase == kube::PodPhase::kPending) task->restarts += pod.restarts;
  }
  return tally;
}

}  // namespace basalt::controllers
