#include "tests/explain/waiting_world.h"

#include <fmt/format.h>

#include <regex>

#include "model/annotations.h"
#include "testing/seeds.h"

namespace basalt::testutil {
namespace {

constexpr std::string_view kForeignGate = "example.com/wait";
const std::string kQueueGate(model::annotations::kQueueAllocationGate);

std::string Config(Random& random) {
  const bool evicts = random.Chance(0.3);
  const bool capacity = random.Chance(0.6);
  return fmt::format(R"(actions: "enqueue, allocate, {}backfill"
tiers:
- plugins:
  - name: priority
  - name: gang
  - name: conformance
- plugins:
  - name: overcommit
    arguments:
      overcommit-factor: {}
  - name: drf
    enablePreemptable: false
  - name: predicates
  - name: {}
{}  - name: nodeorder
  - name: binpack
)",
                     evicts ? "preempt, reclaim, " : "", random.Chance(0.5) ? "1.2" : "10.0",
                     capacity ? "capacity" : "proportion",
                     capacity && random.Chance(0.6) ? "    enableHierarchy: true\n" : "");
}

std::vector<std::string> Split(std::string text, std::string_view by) {
  std::vector<std::string> parts;
  for (std::size_t at; (at = text.find(by)) != std::string::npos; text.erase(0, at + by.size())) {
    parts.push_back(text.substr(0, at));
  }
  parts.push_back(std::move(text));
  return parts;
}

void SetAmounts(kube::Node& node, const std::string& amounts) {
  node.status.allocatable = {};
  for (const std::string& amount : Split(amounts, ", ")) {
    if (amount == "the pod") continue;  // it asks for nothing
    const std::vector<std::string> words = Split(amount, " ");
    node.status.allocatable.Set(words[0], *kube::Quantity::Parse(words[1]));
  }
  node.status.allocatable.Set("pods", kube::Quantity::Of(110));
}

}  // namespace

WaitingWorld::WaitingWorld(std::uint64_t seed) : random_(seed * 6151) {
  cluster_ = std::make_unique<FastCluster>(
      FastClusterOptions{.seed = seed, .config = Config(random_), .trace = OneSeedOnly()});
  const int nodes = 1 + static_cast<int>(random_.Below(5));
  for (int i = 0; i < nodes; ++i) AddNode(i);
  const int queues = 1 + static_cast<int>(random_.Below(4));
  cluster_->Add([] {
    kube::Queue root;
    root.meta.name = "root";
    root.state = kube::QueueState::kOpen;
    return root;
  }());
  for (int i = 0; i < queues; ++i) AddQueue(i);
  constexpr std::pair<const char*, int> kClasses[] = {{"low", 1}, {"high", 1000}};
  for (const auto& [name, value] : kClasses) {
    kube::PriorityClass priority_class;
    priority_class.meta.name = name;
    priority_class.value = value;
    cluster_->Add(std::move(priority_class));
  }
  const int groups = 3 + static_cast<int>(random_.Below(12));
  for (int i = 0; i < groups; ++i) AddGroup(i, queues);
}

void WaitingWorld::Settle() { cluster_->loop().RunFor(75s); }

std::vector<std::string> WaitingWorld::Waiting() const {
  std::vector<std::string> waiting;
  for (const auto& [key, pod] : cluster_->pods()) {
    if (!pod->bound() && !pod->meta.deleting()) waiting.push_back(key);
  }
  return waiting;
}

void WaitingWorld::AddNode(int i) {
  kube::Node node;
  node.meta.name = fmt::format("n{}", i);
  node.meta.labels.Set("kubernetes.io/hostname", node.meta.name);
  if (random_.Chance(0.2)) node.meta.labels.Set("disk", "ssd");
  node.status.allocatable.Set("cpu", kube::Quantity::Of(2 + random_.Below(7)));
  node.status.allocatable.Set("memory", kube::Quantity::Of(std::int64_t{64} << 30));
  node.status.allocatable.Set("pods", kube::Quantity::Of(random_.Chance(0.2) ? 3 : 110));
  node.status.capacity = node.status.allocatable;
  node.status.conditions.push_back({.type = "Ready", .status = kube::ConditionStatus::kTrue});
  node.spec.unschedulable = random_.Chance(0.12);
  if (random_.Chance(0.12)) {
    node.spec.taints.push_back(
        {.key = "dedicated", .value = "ml", .effect = kube::TaintEffect::kNoSchedule});
  }
  nodes_[node.meta.name] = node;
  cluster_->Add(std::move(node));
}

void WaitingWorld::AddQueue(int i) {
  kube::Queue queue;
  queue.meta.name = fmt::format("q{}", i);
  queue.weight = 1 + static_cast<int>(random_.Below(3));
  queue.state = random_.Chance(0.06) ? kube::QueueState::kClosed : kube::QueueState::kOpen;
  if (i > 0 && random_.Chance(0.25)) queue.parent = fmt::format("q{}", random_.Below(i));
  if (random_.Chance(0.6)) {
    queue.capability.Set("cpu", kube::Quantity::Of(1 + random_.Below(8)));
    if (random_.Chance(0.3)) {
      queue.capability.Set("memory", kube::Quantity::Of(std::int64_t{1} << 33));
    }
  }
  if (queue.capability.Find("cpu") && random_.Chance(0.3)) {
    queue.deserved.Set("cpu", kube::Quantity::Of(1));
  }
  queues_[queue.meta.name] = queue;
  cluster_->Add(std::move(queue));
}

void WaitingWorld::AddGroup(int i, int queues) {
  const int pods = 1 + static_cast<int>(random_.Below(4));
  const bool high = random_.Chance(0.2);
  kube::PodGroup group;
  group.meta.ns = "ns";
  group.meta.name = fmt::format("g{}", i);
  group.queue = random_.Chance(0.03) ? "nowhere" : fmt::format("q{}", random_.Below(queues));
  group.min_member = 1 + static_cast<int>(random_.Below(pods));
  group.priority_class_name = high ? "high" : "low";
  group.phase = kube::PodGroupPhase::kPending;
  const bool too_few = random_.Chance(0.06);
  if (too_few) group.min_member = pods + 1 + static_cast<int>(random_.Below(2));
  const bool best_effort = random_.Chance(0.08);
  const bool gated = random_.Chance(0.25);
  const int held = !too_few && random_.Chance(0.1) ? static_cast<int>(random_.Below(pods)) : -1;
  const kube::Quantity cpu = kube::Quantity::OfMilli(500 * (1 + random_.Below(6)));
  if (!best_effort && random_.Chance(0.5)) {
    kube::ResourceList least;
    least.Set("cpu", kube::Quantity::OfMilli(cpu.MilliValue() * group.min_member));
    group.min_resources = least;
  }
  kube::Pod pod;
  pod.meta.ns = "ns";
  pod.meta.annotations.Set(model::annotations::kGroupName, group.meta.name);
  pod.spec.scheduler_name = "volcano";
  pod.spec.priority = high ? 1000 : 1;
  pod.spec.termination_grace_period_seconds = 2;  // as long as the cluster gives them
  pod.spec.priority_class_name = group.priority_class_name;
  if (random_.Chance(0.12)) pod.spec.node_selector.Set("disk", "ssd");
  if (random_.Chance(0.1)) {
    pod.spec.tolerations.Mutable().push_back(
        {.key = "dedicated", .op = kube::Toleration::Operator::kExists});
  }
  if (gated) {
    pod.meta.annotations.Set(kQueueGate, "true");
    pod.spec.scheduling_gates.push_back(kQueueGate);
  }
  kube::Container container;
  container.name = "main";
  if (!best_effort) {
    container.resources.requests.Set("cpu", cpu);
    if (random_.Chance(0.3)) {
      container.resources.requests.Set("memory", kube::Quantity::Of(std::int64_t{1} << 30));
    }
  }
  pod.spec.containers.push_back(std::move(container));
  templates_[group.meta.name] = pod;
  std::vector<kube::Pod> members;
  for (int p = 0; p < pods; ++p) {
    kube::Pod member = pod;
    member.meta.name = fmt::format("g{}-p-{}", i, p);
    if (p == held) member.spec.scheduling_gates.emplace_back(kForeignGate);
    members.push_back(std::move(member));
  }
  const Duration at =
      random_.Chance(0.4) ? Duration{0} : Duration(std::chrono::milliseconds(random_.Below(9000)));
  cluster_->loop().Schedule(at, [this, group, members] {
    kube::PodGroup created = group;
    created.meta.creation_timestamp = cluster_->loop().Now();
    cluster_->Add(std::move(created));
    for (const kube::Pod& member : members) cluster_->Add(member);
  });
}

// ---- changes, as they are told

std::string WaitingWorld::Make(const std::string& change, const std::string& pod) {
  for (std::string part : Split(change, "; ")) {
    if (part.starts_with("and ")) part.erase(0, 4);
    if (std::string problem = MakeOne(part, pod); !problem.empty()) return problem;
  }
  return "";
}

std::string WaitingWorld::Ask(const std::string& change, const std::string& pod,
                              scheduler::simulate::Request& request) {
  asked_ = &request;
  std::string problem = Make(change, pod);
  asked_ = nullptr;
  return problem;
}

void WaitingWorld::Put(kube::Queue queue) {
  if (asked_) {
    asked_->objects.emplace_back(std::move(queue));
  } else {
    cluster_->Add(std::move(queue));
  }
}

void WaitingWorld::Put(kube::Node node) {
  if (asked_) {
    asked_->objects.emplace_back(std::move(node));
  } else {
    cluster_->Add(std::move(node));
  }
}

void WaitingWorld::PutNew(kube::Pod pod) {
  if (asked_) {
    asked_->objects.emplace_back(std::move(pod));
  } else {
    cluster_->Add(std::move(pod));
  }
}

void WaitingWorld::PutChanged(kube::Pod pod) {
  if (asked_) {
    asked_->objects.emplace_back(std::move(pod));
  } else {
    cluster_->Change(std::move(pod));
  }
}

void WaitingWorld::Finish(const std::string& key) {
  if (asked_) {
    asked_->finish.push_back({.kind = "pod", .ns = "ns", .name = key.substr(3)});
  } else {
    cluster_->DeletePod(key);
  }
}

std::string WaitingWorld::MakeOne(const std::string& change, const std::string& pod) {
  std::smatch found;
  const auto is = [&](const char* pattern) {
    return std::regex_match(change, found, std::regex(pattern));
  };
  if (change.starts_with("wait for ")) return "";
  if (is("queue (\\S+): capability (.*)")) return RaiseCapability(found[1], found[2]);
  if (is("open queue (\\S+)")) {
    kube::Queue& queue = queues_.at(found[1]);
    queue.state = kube::QueueState::kOpen;
    Put(queue);
  } else if (is("create Queue (\\S+)")) {
    kube::Queue queue;
    queue.meta.name = found[1];
    queue.state = kube::QueueState::kOpen;
    Put(queue);
  } else if (is("uncordon node (\\S+)")) {
    kube::Node& node = nodes_.at(found[1]);
    node.spec.unschedulable = false;
    Put(node);
  } else if (is("remove taint .* from node (\\S+)( and uncordon it)?")) {
    kube::Node& node = nodes_.at(found[1]);
    node.spec.taints.clear();
    if (found[2].matched) node.spec.unschedulable = false;
    Put(node);
  } else if (is("label node (\\S+) with (\\S+)=(\\S+)")) {
    kube::Node& node = nodes_.at(found[1]);
    node.meta.labels.Set(found[2].str(), found[3].str());
    Put(node);
  } else if (is("finish or evict pods? (.*)")) {
    for (const std::string& key : Split(found[1], ", ")) Finish(key);
  } else if (is("(one|[0-9]+) more nodes? like (\\S+)")) {
    kube::Node like = nodes_.at(found[2]);
    AddNodes(found[1] == "one" ? 1 : std::stoi(found[1]), like);
  } else if (is("(one|[0-9]+) more nodes? with room for (.*?)( and the labels (\\S+)=(\\S+))?( "
                "each)?")) {
    kube::Node made;
    made.status.conditions.push_back({.type = "Ready", .status = kube::ConditionStatus::kTrue});
    SetAmounts(made, found[2]);
    if (found[4].matched) made.meta.labels.Set(found[4].str(), found[5].str());
    AddNodes(found[1] == "one" ? 1 : std::stoi(found[1]), made);
  } else if (is("([0-9]+) more pods? of group ns/(\\S+)")) {
    AddPods(std::stoi(found[1]), found[2]);
  } else if (is("remove scheduling gates? (.*) from pod (\\S+)")) {
    RemoveGates(found[1], found[2]);
  } else if (is("remove scheduling gates? (.*)")) {
    RemoveGates(found[1], pod);
  } else {
    return "cannot make: " + change;
  }
  return "";
}

std::string WaitingWorld::RaiseCapability(const std::string& name, const std::string& amounts) {
  kube::Queue& queue = queues_.at(name);
  for (const std::string& amount : Split(amounts, ", ")) {
    if (amount == "the pod") continue;  // it asks for nothing
    const std::vector<std::string> words = Split(amount, " +");
    const auto more = words.size() == 2 ? kube::Quantity::Parse(words[1])
                                        : Result<kube::Quantity>(kube::Quantity());
    if (words.size() != 2 || !more) return "cannot add: " + amount;
    kube::ResourceList sum;
    sum.Set(words[0], *more);
    queue.capability.Add(sum);
  }
  Put(queue);
  return "";
}

void WaitingWorld::AddNodes(int count, const kube::Node& like) {
  for (int i = 0; i < count; ++i) {
    kube::Node node = like;
    node.meta.uid.clear();
    node.meta.name = fmt::format("made-{}", made_up_++);
    node.meta.labels.Set("kubernetes.io/hostname", node.meta.name);
    Put(std::move(node));
  }
}

void WaitingWorld::AddPods(int count, const std::string& group) {
  for (int i = 0; i < count; ++i) {
    kube::Pod pod = templates_.at(group);
    pod.meta.name = fmt::format("{}-made-{}", group, made_up_++);
    PutNew(std::move(pod));
  }
}

void WaitingWorld::RemoveGates(const std::string& gates, const std::string& key) {
  kube::Pod pod = *cluster_->FindPod(key);
  for (const std::string& gate : Split(gates, ", ")) std::erase(pod.spec.scheduling_gates, gate);
  PutChanged(std::move(pod));
}

}  // namespace basalt::testutil
