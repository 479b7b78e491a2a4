#include "testing/scheduling/cluster_history.h"

#include <fmt/format.h>

#include "kube/types/pod_resources.h"
#include "model/annotations.h"

namespace basalt::testutil {
namespace {

bool HoldsNode(const kube::Pod& pod) { return pod.bound() && !pod.terminal(); }

std::string_view GroupOf(const kube::Pod& pod) {
  return pod.meta.annotations.Get(model::annotations::kGroupName);
}

}  // namespace

ClusterHistory::ClusterHistory(Loop& loop, apiserver::Server& server)
    : loop_(loop),
      start_(loop.Monotonic()),
      network_(loop, server),
      api_(network_),
      client_(api_),
      nodes_(client_, {}),
      queues_(client_, {}),
      groups_(client_, {}),
      pods_(client_, [this](const kube::InformerEvent<kube::Pod>& event) { OnPod(event); }) {
  nodes_.Start();
  queues_.Start();
  groups_.Start();
  pods_.Start();
}

void ClusterHistory::Violated(const std::string& what) {
  violations_ += fmt::format("at {} ms: {}\n", (loop_.Monotonic() - start_) / 1ms, what);
}

void ClusterHistory::OnPod(const kube::InformerEvent<kube::Pod>& event) {
  const kube::Pod* old = event.old_object.get();
  const kube::Pod* now = event.object.get();
  if (!now) {
    if (old && gone_) gone_(*old);
    return;
  }
  const bool same = old && old->meta.uid == now->meta.uid;
  if (same && old->bound() && old->spec.node_name != now->spec.node_name) {
    Violated(fmt::format("{} went from {} to {}", now->meta.Key(), old->spec.node_name,
                         now->spec.node_name));
  }
  if (same && !old->meta.deleting() && now->meta.deleting()) ++evictions_;
  if (now->bound() && !(same && old->bound())) {
    ++binds_;
    CheckNode(now->spec.node_name);
    CheckQueues();
  }
}

void ClusterHistory::CheckNode(const std::string& name) {
  const auto node = nodes_.store().Find("", name);
  if (!node) return;
  kube::ResourceList used;
  std::int64_t count = 0;
  pods_.store().ForEach([&](const kube::Pod& pod) {
    if (pod.spec.node_name != name || !HoldsNode(pod)) return;
    used.Add(kube::PodRequests(pod));
    ++count;
  });
  const kube::ResourceList& most = node->status.allocatable;
  for (const auto& entry : used) {
    if (entry.quantity > most.Get(entry.name)) {
      Violated(fmt::format("node {} holds {} of {}, of {}", name, entry.quantity.ToString(),
                           entry.name, most.Get(entry.name).ToString()));
    }
  }
  if (const kube::Quantity* slots = most.Find("pods"); slots && count > slots->Value()) {
    Violated(fmt::format("node {} holds {} pods", name, count));
  }
}

void ClusterHistory::CheckQueues() {
  std::map<std::string, kube::ResourceList> used;
  pods_.store().ForEach([&](const kube::Pod& pod) {
    if (!HoldsNode(pod)) return;  // one that leaves still counts
    const auto group = groups_.store().Find(pod.meta.ns, GroupOf(pod));
    if (!group) return;
    const kube::ResourceList request = kube::PodRequests(pod);
    std::string name = group->queue;
    for (int depth = 0; depth < 10 && !name.empty(); ++depth) {
      used[name].Add(request);
      const auto queue = queues_.store().Find("", name);
      name = queue ? queue->parent : std::string();
    }
  });
  for (const auto& [name, sum] : used) {
    const auto queue = queues_.store().Find("", name);
    if (!queue) continue;
    for (const auto& most : queue->capability) {
      if (sum.Get(most.name) > most.quantity) {
        Violated(fmt::format("queue {} holds {} of {}, of {}", name, sum.Get(most.name).ToString(),
                             most.name, most.quantity.ToString()));
      }
    }
  }
}

std::string ClusterHistory::CheckGangs() const {
  std::string out;
  for (const auto& group : groups_.store().Sorted()) {
    int placed = 0;
    pods_.store().ForEach([&](const kube::Pod& pod) {
      if (pod.meta.ns == group->meta.ns && GroupOf(pod) == group->meta.name &&
          (pod.bound() || pod.terminal())) {
        ++placed;
      }
    });
    if (placed > 0 && placed < group->min_member) {
      out += fmt::format("{} has {} pods on nodes and needs {}\n", group->meta.Key(), placed,
                         group->min_member);
    }
  }
  return out;
}

}  // namespace basalt::testutil
