#include "tests/explain/changeable_world.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <regex>
#include <utility>

namespace basalt::testutil {
namespace {

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

void ChangeableWorld::Add(kube::Node node) {
  nodes_[node.meta.name] = node;
  cluster_->Add(std::move(node));
}

void ChangeableWorld::Add(kube::Queue queue) {
  queues_[queue.meta.name] = queue;
  cluster_->Add(std::move(queue));
}

// ---- changes, as they are told

std::string ChangeableWorld::Make(const std::string& change, const std::string& pod) {
  for (std::string part : Split(change, "; ")) {
    if (part.starts_with("and ")) part.erase(0, 4);
    if (std::string problem = MakeOne(part, pod); !problem.empty()) return problem;
  }
  return "";
}

std::string ChangeableWorld::Ask(const std::string& change, const std::string& pod,
                                 scheduler::simulate::Request& request) {
  asked_ = &request;
  std::string problem = Make(change, pod);
  asked_ = nullptr;
  return problem;
}

template <class T>
void ChangeableWorld::Put(T object) {
  if (asked_) {
    asked_->objects.emplace_back(std::move(object));
  } else {
    cluster_->Add(std::move(object));
  }
}

void ChangeableWorld::PutChanged(kube::Pod pod) {
  if (asked_) {
    asked_->objects.emplace_back(std::move(pod));
  } else {
    cluster_->Change(std::move(pod));
  }
}

void ChangeableWorld::Finish(const std::string& key) {
  if (asked_) {
    asked_->finish.push_back({.kind = "pod", .ns = "ns", .name = key.substr(3)});
  } else {
    cluster_->DeletePod(key);
  }
}

std::string ChangeableWorld::MakeOne(const std::string& change, const std::string& pod) {
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
  } else if (is("queue (\\S+): another parent than \\S+")) {
    kube::Queue& queue = queues_.at(found[1]);
    queue.parent.clear();
    Put(queue);
  } else if (is("create PodGroup ns/(\\S+)")) {
    kube::PodGroup group;
    group.meta.ns = "ns";
    group.meta.name = found[1];
    group.min_member = 1;
    group.queue = "default";
    group.phase = kube::PodGroupPhase::kPending;
    Put(group);
  } else if (is("create Queue (\\S+)")) {
    kube::Queue queue;
    queue.meta.name = found[1];
    queue.state = kube::QueueState::kOpen;
    queue.meta.creation_timestamp = cluster_->loop().Now();
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

std::string ChangeableWorld::RaiseCapability(const std::string& name, const std::string& amounts) {
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

void ChangeableWorld::AddNodes(int count, const kube::Node& like) {
  for (int i = 0; i < count; ++i) {
    kube::Node node = like;
    node.meta.uid.clear();
    node.meta.name = fmt::format("made-{}", made_up_++);
    node.meta.labels.Set("kubernetes.io/hostname", node.meta.name);
    Put(std::move(node));
  }
}

void ChangeableWorld::AddPods(int count, const std::string& group) {
  for (int i = 0; i < count; ++i) {
    kube::Pod pod = templates_.at(group);
    pod.meta.name = fmt::format("{}-made-{}", group, made_up_++);
    pod.meta.creation_timestamp = cluster_->loop().Now();
    Put(std::move(pod));
  }
}

void ChangeableWorld::RemoveGates(const std::string& gates, const std::string& key) {
  kube::Pod pod = *cluster_->FindPod(key);
  for (const std::string& gate : Split(gates, ", ")) std::erase(pod.spec.scheduling_gates, gate);
  PutChanged(std::move(pod));
}

bool RunsIn(const boost::json::object& answer, const std::string& pod) {
  for (const char* list : {"pods", "others"}) {
    for (const boost::json::value& row : answer.at(list).as_array()) {
      const bool is_it = "ns/" + std::string(row.at("name").as_string()) == pod;
      if (is_it && row.as_object().contains("starts")) return true;
    }
  }
  return false;
}

}  // namespace basalt::testutil
