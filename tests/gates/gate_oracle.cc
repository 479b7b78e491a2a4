#include "tests/gates/gate_oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kube/types/pod_resources.h"
#include "testing/autoscalers/rules.h"

namespace basalt::testutil {
namespace {

bool OptedIn(const kube::Pod& pod) { return pod.meta.annotations.Get(kQueueGate) == "true"; }

// It takes part in its job, now or later.
bool Counts(const kube::Pod& pod) {
  return !pod.meta.deleting() && pod.status.phase != kube::PodPhase::kFailed;
}

bool IsAway(const kube::Pod& pod) { return pod.meta.labels.Find(GateOracle::kAway).has_value(); }

bool Selects(const kube::Pod& pod, const kube::Node& node) {
  for (const auto& [key, value] : pod.spec.node_selector) {
    if (node.meta.labels.Find(key) != value) return false;
  }
  return true;
}

}  // namespace

GateOracle::Amounts GateOracle::ToAmounts(const kube::ResourceList& list) {
  Amounts amounts;
  for (const auto& entry : list) amounts[entry.name] = entry.quantity.MilliValue();
  return amounts;
}

void GateOracle::Add(Amounts& sum, const Amounts& item, int times) {
  for (const auto& [name, amount] : item) sum[name] += amount * times;
}

std::map<std::string, GateOracle::Job> GateOracle::Jobs() const {
  std::map<std::string, Job> jobs;
  for (const auto& pod : cluster_.pods().Sorted()) {
    if (!Counts(*pod)) continue;
    const std::string group(pod->meta.annotations.Get("scheduling.k8s.io/group-name"));
    Job& job = jobs[group.empty() ? "pod " + pod->meta.name : group];
    if (group.empty()) {
      job.queue = pod->meta.annotations.Get("scheduling.volcano.sh/queue-name");
    } else if (const auto object = cluster_.groups().Find("default", group)) {
      job.queue = object->queue;
      job.min = object->min_member;
    }
    job.request = ToAmounts(kube::PodRequests(*pod));
    if (pod->bound() || pod->terminal()) {
      ++job.bound;
    } else if (!pod->gated()) {
      ++(OptedIn(*pod) ? job.open : job.ordinary);
    } else if (pod->spec.scheduling_gates.size() == 1 && pod->HasGate(kQueueGate)) {
      ++job.gated;
    }
    job.pods.push_back(pod);
  }
  return jobs;
}

std::vector<std::string> GateOracle::WayUp(const std::string& name) const {
  std::vector<std::string> way = {name};
  if (!rules_.hierarchy) return way;
  while (way.back() != "root") {
    const auto queue = cluster_.queues().Find("", way.back());
    way.push_back(queue && !queue->parent.empty() ? queue->parent : "root");
  }
  return way;
}

GateOracle::Amounts GateOracle::LimitOf(const std::string& name) const {
  const auto queue = cluster_.queues().Find("", name);
  Amounts limit = queue ? ToAmounts(queue->capability) : Amounts{};
  if (!rules_.hierarchy || name == "root") return limit;
  // What is above, less what others at its side are guaranteed.
  const std::string parent = WayUp(name)[1];
  Amounts above = LimitOf(parent);
  for (const auto& other : cluster_.queues().Sorted()) {
    if (other->meta.name == name || other->meta.name == "root") continue;
    if (WayUp(other->meta.name)[1] != parent) continue;
    for (const auto& [resource, amount] : ToAmounts(other->guarantee)) {
      if (above.contains(resource)) above[resource] -= amount;
    }
  }
  for (const auto& [resource, amount] : above) {
    const auto it = limit.find(resource);
    limit[resource] = it == limit.end() ? amount : std::min(it->second, amount);
  }
  return limit;
}

std::map<std::string, GateOracle::Amounts> GateOracle::Loads(const std::map<std::string, Job>& jobs,
                                                             Counted counted) const {
  std::map<std::string, Amounts> loads;
  for (const auto& [name, job] : jobs) {
    int holding = 0, claiming = 0;
    for (const auto& pod : job.pods) {
      if (pod->terminal()) continue;
      if (pod->bound()) ++holding;
      const bool counts = counted.away || !IsAway(*pod);
      if (!pod->bound() && !pod->gated() && OptedIn(*pod) && counts) ++claiming;
    }
    if (counted.whole_gangs && holding == 0 && claiming > 0) {
      claiming = std::clamp(job.min, claiming, std::max<int>(claiming, job.pods.size()));
    }
    int times = holding + (counted.claims ? claiming : 0);
    if (counted.entered) times = std::max(times, std::min<int>(job.pods.size(), job.min));
    for (const std::string& queue : WayUp(job.queue)) Add(loads[queue], job.request, times);
  }
  return loads;
}

bool GateOracle::HasRoom(const std::map<std::string, Amounts>& loads, const Job& job,
                         int times) const {
  for (const std::string& queue : WayUp(job.queue)) {
    const auto it = loads.find(queue);
    Amounts load = it == loads.end() ? Amounts{} : it->second;
    Add(load, job.request, times);
    for (const auto& [resource, most] : LimitOf(queue)) {
      if (job.request.contains(resource) && job.request.at(resource) > 0 && load[resource] > most) {
        return false;
      }
    }
  }
  return true;
}

bool GateOracle::MayBeAdmitted(const std::map<std::string, Job>& jobs, const std::string& name,
                               int more) const {
  auto others = jobs;
  others.erase(name);
  auto loads =
      Loads(others, {.claims = !rules_.claims_lapse, .away = true, .entered = rules_.jobs_enter});
  const Job& job = jobs.at(name);
  for (const auto& [queue, load] : Loads({{name, job}}, {.claims = true, .away = true})) {
    Add(loads[queue], load, 1);
  }
  return HasRoom(loads, job, more);
}

int GateOracle::Slots(const Job& job) const {
  int slots = 0;
  for (const auto& node : cluster_.nodes().Sorted()) {
    if (!Selects(*job.pods.front(), *node)) continue;
    Amounts free = ToAmounts(node->status.allocatable);
    for (const auto& pod : cluster_.pods().Sorted()) {
      if (pod->spec.node_name == node->meta.name && !pod->terminal()) {
        Add(free, ToAmounts(kube::PodRequests(*pod)), -1);
        free["pods"] -= 1000;
      }
    }
    std::int64_t here = free["pods"] / 1000;
    for (const auto& [resource, amount] : job.request) {
      if (amount > 0) here = std::min(here, std::max<std::int64_t>(0, free[resource]) / amount);
    }
    slots += static_cast<int>(here);
  }
  return slots;
}

bool GateOracle::IsSeen(const kube::Pod& pod) const {
  std::set<std::string> nodes;
  for (const auto& node : cluster_.nodes().Sorted()) nodes.insert(node->meta.name);
  return KarpenterIsProvisionable(pod) ||
         SeenByClusterAutoscaler(pod, nodes) == ClusterAutoscalerView::kUnschedulable;
}

std::vector<std::shared_ptr<const kube::Pod>> GateOracle::Seen() const {
  std::vector<std::shared_ptr<const kube::Pod>> seen;
  for (const auto& pod : cluster_.pods().Sorted()) {
    if (Counts(*pod) && IsSeen(*pod)) seen.push_back(pod);
  }
  return seen;
}

std::string GateOracle::CheckNow() const {
  std::string out;
  cluster_.pods().ForEach([&](const kube::Pod& pod) {
    if (pod.gated() && (KarpenterFailedToSchedule(pod) || pod.bound())) {
      out += fmt::format("{} is gated, and an autoscaler sees it\n", pod.meta.name);
    }
    const bool foreign =
        pod.gated() && !(pod.spec.scheduling_gates.size() == 1 && pod.HasGate(kQueueGate));
    if (foreign && OptedIn(pod) && !IsAway(pod) && !pod.HasGate(kQueueGate)) {
      out += fmt::format("{} has lost its gate before the other one\n", pod.meta.name);
    }
  });
  // Who is admitted, on a node or not, is within the limits: nobody of them waits for a queue.
  const auto jobs = Jobs();
  for (const auto& [queue, load] :
       Loads(jobs, {.claims = !rules_.claims_lapse, .whole_gangs = !restarted_})) {
    for (const auto& [resource, most] : LimitOf(queue)) {
      const auto it = load.find(resource);
      if (it != load.end() && it->second > most) {
        out += fmt::format("queue {} has {} of {}, of {}\n", queue, it->second, resource, most);
      }
    }
  }
  return out;
}

void GateOracle::CheckOpenPods(const std::map<std::string, Job>& jobs, std::string& out) const {
  const auto held = Loads(jobs, {});
  for (const auto& [name, job] : jobs) {
    if (job.open == 0 || !job.valid()) continue;
    const int needed = std::max(1, job.needed());
    const bool room = HasRoom(held, job, needed);
    if (room && std::ranges::any_of(job.pods, [](const auto& pod) { return IsAway(*pod); })) {
      // It waits for its turn like the gated ones, though it looks as if it were admitted.
      if (!MayBeAdmitted(jobs, name, std::max(0, needed - job.open))) continue;
    }
    const bool fits = Slots(job) >= needed;
    if (room && fits && job.open + job.ordinary >= needed) {
      out += fmt::format("{} is admitted and fits, and does not run\n", name);
    }
    if (job.needed() > 0 && room && job.open + job.ordinary < job.needed()) {
      out += fmt::format("{} is admitted in part\n", name);
    }
    for (const auto& pod : job.pods) {
      if (pod->bound() || pod->gated() || pod->terminal() || !OptedIn(*pod)) continue;
      if (!pod->status.nominated_node_name.empty()) continue;
      if (room && !fits && !(IsSeen(*pod) && KarpenterIsProvisionable(*pod))) {
        out += fmt::format("{} is admitted and fits no node, and no autoscaler sees it\n",
                           pod->meta.name);
      }
      if (!room && fits && IsSeen(*pod)) {
        out += fmt::format("{} waits for its queue alone, and an autoscaler sees it\n",
                           pod->meta.name);
      }
    }
  }
}

void GateOracle::CheckGatedPods(const std::map<std::string, Job>& jobs, std::string& out) const {
  for (const auto& [name, job] : jobs) {
    if (job.gated == 0 || !job.valid()) continue;
    // Those without a gate are in already, or need no admission of their own.
    const int more = std::max(1, job.needed() - job.open - job.ordinary);
    if (more > job.gated) continue;
    if (MayBeAdmitted(jobs, name, more)) {
      out += fmt::format("{} stays gated, and its queue has room for {} more of it\n", name, more);
    }
  }
}

std::string GateOracle::CheckSettled() const {
  std::string out = CheckNow();
  const auto jobs = Jobs();
  CheckOpenPods(jobs, out);
  CheckGatedPods(jobs, out);
  return out;
}

}  // namespace basalt::testutil
