#include "scheduler/simulate/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <utility>

namespace basalt::scheduler::simulate {
namespace {

using PodPointer = PretendCluster::PodPointer;

constexpr std::string_view kHostname = "kubernetes.io/hostname";

std::unexpected<Error> NotThere(std::string_view field, std::string_view kind,
                                std::string_view name) {
  return Fail(ErrorCode::kNotFound,
              fmt::format("{}: {} {} is not known to the scheduler", field, kind, name));
}

std::unexpected<Error> Unusable(const Request::Setting& setting, std::string_view wants) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("set: {} of {} {} cannot be \"{}\": {}", setting.field,
                          setting.object.kind, setting.object.name, setting.value, wants));
}

Result<void> AddNodes(const Request::AddNodes& add, PretendCluster& cluster) {
  const model::Node* like = cluster.state().FindNode(add.like);
  if (!like || !like->exists()) return NotThere("addNodes", "node", add.like);
  const std::shared_ptr<const kube::Node> pattern = like->object;
  int number = 0;
  for (int i = 0; i < add.count; ++i) {
    kube::Node node = *pattern;
    do {
      node.meta.name = fmt::format("{}-more-{}", add.like, ++number);
    } while (cluster.state().FindNode(node.meta.name));
    node.meta.uid.clear();
    if (node.meta.labels.Contains(kHostname)) node.meta.labels.Set(kHostname, node.meta.name);
    // A new node is ready for work, whatever the other one is being kept from.
    node.spec.unschedulable = false;
    std::erase_if(node.spec.taints, [](const kube::Taint& taint) {
      return taint.key.starts_with("node.kubernetes.io/");
    });
    cluster.Submit(std::move(node));
  }
  return {};
}

Result<void> Cordon(const std::string& name, bool on, PretendCluster& cluster) {
  const model::Node* known = cluster.state().FindNode(name);
  if (!known || !known->exists()) return NotThere(on ? "cordon" : "uncordon", "node", name);
  kube::Node node = *known->object;
  node.spec.unschedulable = on;
  std::erase_if(node.spec.taints, [](const kube::Taint& taint) {
    return taint.key == "node.kubernetes.io/unschedulable";
  });
  cluster.Submit(std::move(node));
  return {};
}

// "capability.cpu" of "capability": "cpu".
std::optional<std::string_view> ResourceIn(std::string_view field, std::string_view list) {
  if (!field.starts_with(list) || field.size() <= list.size() + 1) return std::nullopt;
  if (field[list.size()] != '.') return std::nullopt;
  return field.substr(list.size() + 1);
}

Result<void> SetAmount(const Request::Setting& setting, std::string_view resource,
                       kube::ResourceList& list) {
  const Result<kube::Quantity> amount = kube::Quantity::Parse(setting.value);
  if (!amount || *amount < kube::Quantity()) {
    return Unusable(setting, "a quantity such as 40 or 16Gi is needed");
  }
  list.Set(resource, *amount);
  return {};
}

Result<void> SetNumber(const Request::Setting& setting, std::int32_t least, std::int32_t& out) {
  std::int32_t number = 0;
  const char* end = setting.value.data() + setting.value.size();
  const auto [at, error] = std::from_chars(setting.value.data(), end, number);
  if (error != std::errc() || at != end || number < least) {
    return Unusable(setting, fmt::format("a whole number from {} on is needed", least));
  }
  out = number;
  return {};
}

Result<bool> ToBool(const Request::Setting& setting) {
  if (setting.value == "true" || setting.value == "false") return setting.value == "true";
  return Unusable(setting, "true or false is needed");
}

Result<void> SetInQueue(const Request::Setting& setting, PretendCluster& cluster) {
  const model::Queue* known = cluster.state().FindQueue(setting.object.name);
  if (!known || !known->exists()) return NotThere("set", "queue", setting.object.name);
  kube::Queue queue = *known->object;
  Result<void> done;
  if (const auto resource = ResourceIn(setting.field, "capability")) {
    done = SetAmount(setting, *resource, queue.capability);
  } else if (const auto deserved = ResourceIn(setting.field, "deserved")) {
    done = SetAmount(setting, *deserved, queue.deserved);
  } else if (const auto guaranteed = ResourceIn(setting.field, "guarantee")) {
    done = SetAmount(setting, *guaranteed, queue.guarantee);
  } else if (setting.field == "weight") {
    done = SetNumber(setting, 1, queue.weight);
  } else if (setting.field == "priority") {
    done = SetNumber(setting, 0, queue.priority);
  } else if (setting.field == "reclaimable") {
    const Result<bool> on = ToBool(setting);
    if (!on) return std::unexpected(on.error());
    queue.reclaimable = *on;
  } else {
    return Unusable(setting, "a queue has no such field here");
  }
  if (done) cluster.Submit(std::move(queue));
  return done;
}

Result<void> SetInNode(const Request::Setting& setting, PretendCluster& cluster) {
  const model::Node* known = cluster.state().FindNode(setting.object.name);
  if (!known || !known->exists()) return NotThere("set", "node", setting.object.name);
  if (setting.field == "unschedulable") {
    const Result<bool> on = ToBool(setting);
    if (!on) return std::unexpected(on.error());
    return Cordon(setting.object.name, *on, cluster);
  }
  kube::Node node = *known->object;
  const auto resource = ResourceIn(setting.field, "allocatable");
  if (!resource) return Unusable(setting, "a node has no such field here");
  const Result<void> done = SetAmount(setting, *resource, node.status.allocatable);
  if (done) cluster.Submit(std::move(node));
  return done;
}

Result<void> SetInGroup(const Request::Setting& setting, PretendCluster& cluster) {
  const model::Job* known = cluster.state().FindJob(setting.object.ns, setting.object.name);
  if (!known || !known->exists() || known->shadow) {
    return NotThere("set", "podgroup", setting.object.ns + "/" + setting.object.name);
  }
  if (setting.field != "minMember") return Unusable(setting, "a group has no such field here");
  kube::PodGroup group = *known->group;
  const Result<void> done = SetNumber(setting, 1, group.min_member);
  if (done) cluster.Submit(std::move(group));
  return done;
}

Result<void> Set(const Request::Setting& setting, PretendCluster& cluster) {
  if (setting.object.kind == "queue") return SetInQueue(setting, cluster);
  if (setting.object.kind == "node") return SetInNode(setting, cluster);
  return SetInGroup(setting, cluster);
}

bool IsOfJob(const kube::Pod& pod, std::string_view name) {
  if (pod.meta.annotations.Get("volcano.sh/job-name") == name) return true;
  const kube::OwnerReference* owner = pod.meta.Controller();
  return owner && owner->name == name && owner->kind == "Job";
}

std::vector<PodPointer> PodsOf(const Named& named, const model::Cluster& state) {
  std::vector<PodPointer> pods;
  if (named.kind == "pod") {
    if (const model::Task* task = state.FindTask(named.ns, named.name)) pods.push_back(task->pod);
    return pods;
  }
  state.tasks().ForEach([&](const model::Task& task) {
    if (task.ns() != named.ns) return;
    if (state.IsReserved(task)) return;
    const model::Job* job = state.FindJob(task.job);
    const bool is_of_it =
        named.kind == "podgroup" ? job && job->name == named.name : IsOfJob(*task.pod, named.name);
    if (is_of_it) pods.push_back(task.pod);
  });
  return pods;
}

template <class Do>
Result<void> ForPodsOf(std::string_view field, const Named& named, PretendCluster& cluster,
                       Do act) {
  const auto pods = PodsOf(named, cluster.state());
  if (pods.empty()) return NotThere(field, named.kind, named.ns + "/" + named.name);
  for (const auto& pod : pods) act(pod);
  return {};
}

}  // namespace

Result<Submitted> MakeChanges(const Request& request, PretendCluster& cluster) {
  Result<void> done;
  const auto each = [&](const auto& items, auto make) {
    for (const auto& item : items) {
      if (!done) return;
      done = make(item);
    }
  };
  each(request.add_nodes, [&](const auto& add) { return AddNodes(add, cluster); });
  each(request.remove_nodes, [&](const std::string& name) -> Result<void> {
    const model::Node* known = cluster.state().FindNode(name);
    if (!known || !known->exists()) return NotThere("removeNodes", "node", name);
    cluster.RemoveNode(name);
    return {};
  });
  each(request.cordon, [&](const std::string& name) { return Cordon(name, true, cluster); });
  each(request.uncordon, [&](const std::string& name) { return Cordon(name, false, cluster); });
  each(request.set, [&](const Request::Setting& setting) { return Set(setting, cluster); });
  each(request.finish, [&](const Named& named) {
    return ForPodsOf("finish", named, cluster, [&](const PodPointer& pod) {
      if (!pod->terminal()) cluster.Finish(pod);
    });
  });
  each(request.remove, [&](const Named& named) {
    return ForPodsOf("delete", named, cluster, [&](const PodPointer& pod) { cluster.Delete(pod); });
  });
  if (!done) return std::unexpected(done.error());

  Submitted submitted;
  // Groups and what they need come before their pods, as when a user submits a job. So a gang is
  // complete when a cycle first looks at it.
  const auto submit = [&](bool pods) {
    for (const Object& object : request.objects) {
      if (std::holds_alternative<kube::Pod>(object) != pods) continue;
      std::visit([&](const auto& one) { cluster.Submit(one); }, object);
      if (pods) submitted.pods.push_back(std::get<kube::Pod>(object).meta.Key());
      if (const auto* reservation = std::get_if<kube::Reservation>(&object)) {
        submitted.reservations.push_back(reservation->meta.Key());
      }
    }
  };
  submit(false);
  submit(true);
  return submitted;
}

}  // namespace basalt::scheduler::simulate
