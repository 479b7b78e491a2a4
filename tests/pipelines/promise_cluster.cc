#include "tests/pipelines/promise_cluster.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <map>
#include <utility>

#include "base/check.h"
#include "kube/types/codec.h"
#include "kube/types/pod_resources.h"
#include "testing/test_signer.h"

namespace basalt::systemtest {

using testutil::TextAt;
namespace resources = kube::resources;

void RecordingApi::Send(kube::ApiRequest request, kube::ApiHandler handler) {
  const bool lease_or_event = request.path.find("/leases") != std::string::npos ||
                              request.path.find("/events") != std::string::npos;
  if (request.method == "GET" || lease_or_event) {
    return api_.Send(std::move(request), std::move(handler));
  }
  writes_.push_back({request.method, request.path, request.body});
  const bool dies = writes_.size() == die_at_;
  if (dies && before_) {
    writes_.pop_back();
    return api_.Crash();
  }
  api_.Send(std::move(request), std::move(handler));
  if (dies) api_.Crash();
}

PromiseCluster::PromiseCluster(std::uint64_t seed, const testutil::FaultPlan& faults)
    : cluster_({.seed = seed, .faults = faults, .server = {}}),
      history_(cluster_.loop(), cluster_.server()) {
  for (const auto& [name, value] : {std::pair{"low", 10}, {"high", 1000}}) {
    cluster_.Create(testutil::MakeObject(resources::kPriorityClasses, name).Set("value", value));
  }
}

PromiseCluster::~PromiseCluster() = default;

void PromiseCluster::StartScheduler() {
  if (api_) {
    earlier_.insert(earlier_.end(), api_->writes().begin(), api_->writes().end());
    ++deaths_;
  }
  service_.reset();
  client_.reset();
  api_ = std::make_unique<RecordingApi>(cluster_.network());
  if (!to_come_.empty()) {
    api_->DieAt(to_come_.back().write, to_come_.back().before);
    to_come_.pop_back();
  }
  client_ = std::make_unique<kube::Client>(*api_);
  service_ = std::make_unique<scheduler::SchedulerService>(
      cluster_.loop(), *client_,
      scheduler::SchedulerServiceOptions{
          .scheduler = {.after_action = &scheduler::CheckLedgersAfter},
          .signer = testutil::SharedTestSigner()});
  const Result<void> configured = service_->Configure(testutil::kPreemptAndReclaim);
  BASALT_CHECK(configured.has_value());
  service_->Start();
}

void PromiseCluster::Run(Duration duration) {
  const Duration end = cluster_.loop().elapsed() + duration;
  while (cluster_.loop().elapsed() < end) {
    cluster_.loop().RunFor(std::min<Duration>(250ms, end - cluster_.loop().elapsed()));
    if (api_ && api_->dead()) {
      if (std::exchange(seen_dead_, true)) StartScheduler();
    } else {
      seen_dead_ = false;
    }
    PlayKubelets();
  }
}

void PromiseCluster::DieAt(std::vector<Death> deaths) {
  to_come_ = std::move(deaths);
  std::ranges::reverse(to_come_);
}

void PromiseCluster::PlayKubelets() {
  for (const json::value& object : cluster_.List(resources::kPods)) {
    const auto pod = kube::Decode<kube::Pod>(json::serialize(object));
    BASALT_CHECK(pod.has_value());
    const kube::Target target{resources::kPods, pod->meta.ns, pod->meta.name};
    const kube::Target status{resources::kPods, pod->meta.ns, pod->meta.name, "status"};
    if (pod->meta.deleting()) {
      if (cluster_.loop().Now() < *pod->meta.deletion_timestamp) continue;
      if (stuck_.contains(pod->meta.name)) continue;
      EXPECT_TRUE(cluster_.Delete(target, {.grace_period_seconds = 0}).has_value());
      ++gone_;
      if (pod->meta.labels.Get("comes-back").empty()) continue;
      json::object again = object.as_object();
      again["metadata"] = json::object{
          {"name", fmt::format("{}-again-{}", pod->meta.labels.Get("comes-back"), ++made_anew_)},
          {"namespace", pod->meta.ns},
          {"labels", object.at("metadata").at("labels")},
          {"annotations", object.at("metadata").at("annotations")}};
      again["spec"].as_object().erase("nodeName");
      again.erase("status");
      json::object& annotations = again["metadata"].as_object()["annotations"].as_object();
      std::vector<std::string> ours;  // its owner does not know of them
      for (const auto& entry : annotations) {
        if (entry.key().starts_with("basalt.sh/")) ours.emplace_back(entry.key());
      }
      for (const std::string& key : ours) annotations.erase(key);
      cluster_.MustCreate(resources::kPods, pod->meta.ns, again);
    } else if (pod->bound() && pod->status.phase == kube::PodPhase::kPending) {
      EXPECT_TRUE(
          cluster_.Patch(status, kube::PatchKind::kMerge, R"({"status":{"phase":"Running"}})")
              .has_value());
    }
  }
}

void PromiseCluster::AddNode(const std::string& name, const std::string& cpu,
                             const std::string& pods) {
  cluster_.Create(testutil::MakeNode(name).Cpu(cpu).Pods(pods).Label("place", name));
}

void PromiseCluster::AddQueue(const std::string& name, const std::string& deserved) {
  testutil::AnyBuilder queue = testutil::MakeQueue(name);
  if (!deserved.empty()) queue.Set("spec.deserved", json::object{{"cpu", deserved}});
  queue.Set("spec.reclaimable", true);
  cluster_.Create(queue);
}

void PromiseCluster::AddGroup(const std::string& name, int min_member, const std::string& queue,
                              const std::string& priority) {
  testutil::AnyBuilder group = testutil::MakePodGroup(name, min_member, queue);
  if (!priority.empty()) group.Set("spec.priorityClassName", priority);
  cluster_.Create(group);
}

testutil::PodBuilder PromiseCluster::Pod(const std::string& name, const std::string& cpu,
                                         const std::string& group) {
  return testutil::MakePod(name).Cpu(cpu).Group(group);
}

void PromiseCluster::DeletePod(const std::string& name) {
  EXPECT_TRUE(cluster_.Delete({resources::kPods, "default", name}).has_value());
}

std::vector<kube::Pod> PromiseCluster::Pods() {
  std::vector<kube::Pod> pods;
  for (const json::value& object : cluster_.List(resources::kPods)) {
    pods.push_back(kube::Decode<kube::Pod>(json::serialize(object)).value());
  }
  return pods;
}

kube::Pod PromiseCluster::GetPod(const std::string& name) {
  return kube::Decode<kube::Pod>(json::serialize(cluster_.Get(resources::kPods, "default", name)))
      .value_or(kube::Pod{});
}

std::set<std::string> PromiseCluster::Nodes() {
  std::set<std::string> names;
  for (const json::value& node : cluster_.List(resources::kNodes)) {
    names.insert(TextAt(node, "metadata.name"));
  }
  return names;
}

std::vector<std::string> PromiseCluster::Evictions() const {
  std::vector<std::string> evictions;
  for (const auto* writes : {&earlier_, &api_->writes()}) {
    for (const RecordingApi::Write& write : *writes) {
      if (!write.path.ends_with("/eviction")) continue;
      evictions.push_back(TextAt(json::parse(write.body), "metadata.name"));
    }
  }
  return evictions;
}

std::vector<std::string> PromiseCluster::Nominations() const {
  std::vector<std::string> nominations;
  for (const auto* writes : {&earlier_, &api_->writes()}) {
    for (const RecordingApi::Write& write : *writes) {
      if (!write.path.ends_with("/status") || write.path.find("/pods/") == std::string::npos) {
        continue;
      }
      const std::string node = TextAt(json::parse(write.body), "status.nominatedNodeName");
      if (node.empty()) continue;
      std::string pod = write.path.substr(write.path.find("/pods/") + 6);
      nominations.push_back(pod.substr(0, pod.find('/')) + " " + node);
    }
  }
  return nominations;
}

std::string PromiseCluster::Check() {
  std::string out = history_.violations() + history_.CheckGangs();
  const model::Cluster& state = service_->scheduler().state().cluster();
  out += state.CheckLedgers();
  std::map<std::string, std::int64_t> used;
  for (const kube::Pod& pod : Pods()) {
    if (pod.bound() && !pod.terminal()) {
      used[pod.spec.node_name] += kube::PodRequests(pod).Get("cpu").MilliValue();
    }
    const model::Task* task = state.FindTask(pod.meta.ns, pod.meta.name);
    const std::string promised = task && task->status() == model::TaskStatus::kPipelined
                                     ? state.node(task->node()).name
                                     : std::string();
    if (pod.status.nominated_node_name != promised) {
      out += fmt::format("{} is nominated to '{}' and promised '{}'\n", pod.meta.name,
                         pod.status.nominated_node_name, promised);
    }
    if (!pod.bound() && !promised.empty()) {
      out += fmt::format("{} still waits for {}\n", pod.meta.name, promised);
    }
  }
  for (const json::value& node : cluster_.List(resources::kNodes)) {
    const std::string name = TextAt(node, "metadata.name");
    const auto most = kube::Quantity::Parse(TextAt(node, "status.allocatable.cpu"));
    if (used[name] > most->MilliValue()) out += fmt::format("{} is over its limit\n", name);
  }
  return out;
}

}  // namespace basalt::systemtest
