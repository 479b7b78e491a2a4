#include "scheduler/explain/what_if.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace basalt::scheduler::explain {

namespace {

constexpr std::string_view kMore =
    "(more ";  // names in Kubernetes have neither spaces nor brackets

}  // namespace

std::string WhatIf::NameFor(std::string_view like) const {
  // No other that is there now has this number.
  const std::string mark = fmt::format("{}{})", kMore, undo_.size());
  switch (reading_.made_up) {
    case Sorts::kBesideItsLike: return fmt::format("{} {}", like, mark);
    case Sorts::kFirst: return fmt::format("{} {}", mark, like);
    case Sorts::kLast: return fmt::format("~ {} {}", mark, like);
  }
  std::unreachable();
}

bool WhatIf::IsMadeUp(std::string_view name) { return name.contains(kMore); }

void WhatIf::Finish(model::TaskId task) {
  undo_.push_back(
      [this, task, before = cluster_.task(task).holding] { cluster_.Move(task, before); });
  cluster_.Move(task, {.status = reading_.finish_well ? model::TaskStatus::kSucceeded
                                                      : model::TaskStatus::kUnknown});
}

void WhatIf::Set(kube::Queue queue) {
  if (const model::Queue* known = cluster_.FindQueue(queue.meta.name)) {
    undo_.push_back([this, before = known->object] { cluster_.SetQueue(before); });
  } else {
    undo_.push_back([this, name = queue.meta.name] { cluster_.RemoveQueue(name); });
  }
  cluster_.SetQueue(std::make_shared<const kube::Queue>(std::move(queue)));
}

void WhatIf::Set(kube::Node node) {
  if (const model::Node* known = cluster_.FindNode(node.meta.name)) {
    undo_.push_back([this, before = known->object] { cluster_.SetNode(before); });
  } else {
    undo_.push_back([this, name = node.meta.name] { cluster_.RemoveNode(name); });
  }
  cluster_.SetNode(std::make_shared<const kube::Node>(std::move(node)));
}

void WhatIf::ChangePod(kube::Pod pod, const std::string& group) {
  const model::Task& task = *cluster_.FindTask(pod.meta.ns, pod.meta.name);
  undo_.push_back([this, before = task.pod, group, holding = task.holding] {
    cluster_.SetPod(before, group, holding);
  });
  cluster_.SetPod(std::make_shared<const kube::Pod>(std::move(pod)), group, task.holding);
}

void WhatIf::AddPod(kube::Pod pod, const std::string& group) {
  undo_.push_back([this, ns = pod.meta.ns, name = pod.meta.name] { cluster_.RemovePod(ns, name); });
  auto shared = std::make_shared<const kube::Pod>(std::move(pod));
  const model::Holding holding = cluster_.HoldingOf(*shared);
  cluster_.SetPod(std::move(shared), group, holding);
}

void WhatIf::RollbackTo(Checkpoint checkpoint) {
  while (undo_.size() > checkpoint) {
    const std::function<void()> undo = std::move(undo_.back());
    undo_.pop_back();
    undo();
  }
}

}  // namespace basalt::scheduler::explain
