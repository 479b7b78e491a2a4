#include <fmt/format.h>

#include <algorithm>

#include "scheduler/explain/change_search.h"
#include "scheduler/framework/job_text.h"
#include "scheduler/framework/pod_wait.h"

namespace basalt::scheduler::explain {

using model::Task;

constexpr int kMostNewPods = 1024;

void AddPods(const model::Cluster& cluster, const model::Job& job, Time now, Candidates& out) {
  const model::Role* role = nullptr;
  for (const model::Role& each : job.roles) {
    if (job.RolesCount() && each.counts.Valid() < each.min_available) role = &each;
  }
  const int missing =
      role ? role->min_available - role->counts.Valid() : job.min_available - job.valid_tasks();
  const std::string text = fmt::format(
      "{} more pod{} of {}group {}", missing, missing == 1 ? "" : "s",
      role && !role->name.empty() ? fmt::format("task {} of ", role->name) : "", job.key());
  const Task* like = nullptr;
  for (const auto* list : {&job.pending, &job.pipelined, &job.others}) {
    for (const Task& task : cluster.TasksOf(*list)) {
      const bool of_role = !role || &job.roles[task.role] == role;
      if (of_role && (!like || model::TaskBefore(task, *like))) like = &task;
    }
  }
  if (!like || missing > kMostNewPods) {
    // There is none to make it from, or there would be too many: whether it is enough cannot be
    // tried, that it is needed is known.
    Candidate needed = Once(text, [](WhatIf&) {});
    needed.untried = true;
    out.push_back(std::move(needed));
    return;
  }
  kube::Pod pod = *like->pod;
  pod.spec.node_name.clear();
  pod.status = {};
  pod.meta.deletion_timestamp.reset();
  pod.meta.creation_timestamp = now;
  out.push_back(Once(text, [pod, missing, group = job.name](WhatIf& what_if) {
    for (int i = 0; i < missing; ++i) {
      kube::Pod one = pod;
      one.meta.name = one.meta.uid = what_if.NameFor(pod.meta.name);
      what_if.AddPod(std::move(one), group);
    }
  }));
}

Candidate Ungate(const model::Job& job, const std::vector<const Task*>& held) {
  std::vector<kube::Pod> ungated;
  std::vector<std::string> texts;
  for (const Task* task : held) {
    if (ungated.size() == kMostPodsFinished) break;
    kube::Pod pod = *task->pod;
    const std::vector<std::string> gates = GatesInTheWay(pod);
    std::erase_if(pod.spec.scheduling_gates, [&](const std::string& gate) {
      return std::ranges::find(gates, gate) != gates.end();
    });
    texts.push_back(fmt::format("remove scheduling gate{} {} from pod {}",
                                gates.size() > 1 ? "s" : "", FewOf(gates), task->pod->meta.Key()));
    ungated.push_back(std::move(pod));
  }
  return Several(
      ungated.size(),
      [texts](int times) {
        return fmt::format("{}", fmt::join(texts.begin(), texts.begin() + times, "; "));
      },
      [ungated, group = job.name](WhatIf& what_if, int times) {
        for (int i = 0; i < times; ++i) what_if.ChangePod(ungated[i], group);
      });
}

}  // namespace basalt::scheduler::explain
