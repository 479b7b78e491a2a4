#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/annotations.h"
#include "scheduler/framework/session.h"
#include "scheduler/plugins/registry.h"
#include "testing/model/test_cluster.h"

namespace basalt::scheduler {

// A cluster, a session on it, and the steps that placement takes there, one at a time: nothing is
// committed unless a test does it.
class PlacementTestBed : public testing::Test {
 protected:
  explicit PlacementTestBed(std::initializer_list<std::string_view> plugins = {"priority", "gang",
                                                                               "predicates",
                                                                               "capacity"},
                            std::vector<std::string> actions = {"enqueue", "allocate"}) {
    Config config = testutil::OneTier(plugins);
    config.actions = std::move(actions);
    plugins_ = testutil::MakePlugins(std::move(config), BuiltinPlugins());
  }

  // A queue that may have so many CPUs.
  void AddQueue(const std::string& name, const char* cpu) {
    kube::Queue queue = testutil::MakeQueue(name);
    queue.capability = testutil::Resources({{"cpu", cpu}});
    given_.Add(std::move(queue));
  }
  void AddNode(const std::string& name, const char* cpu) {
    given_.Add(testutil::MakeNode(name, {{"cpu", cpu}}));
  }
  // A pod that wants to wait at its queue's gate; `gated`: the gate is still there.
  void AddAtGate(const std::string& name, const std::string& group, const char* cpu,
                 bool gated = true) {
    const std::string gate(model::annotations::kQueueAllocationGate);
    kube::Pod pod = testutil::MakePod(name, group, {{"cpu", cpu}});
    pod.meta.annotations.Set(gate, "true");
    if (gated) pod.spec.scheduling_gates = {gate};
    given_.Add(std::move(pod));
  }
  void AddBehindGateOfOthers(const std::string& name, const std::string& group) {
    kube::Pod pod = testutil::MakePod(name, group, {{"cpu", "1"}});
    pod.spec.scheduling_gates = {"example.com/x"};
    given_.Add(std::move(pod));
  }
  // A pod that runs, and is being deleted since then.
  void AddLeaving(const std::string& name, const std::string& group, const char* cpu,
                  const std::string& node, Time since = testutil::kTestNow) {
    kube::Pod pod = testutil::MakeRunningPod(name, group, {{"cpu", cpu}}, node);
    pod.meta.deletion_timestamp = since;
    given_.Add(std::move(pod));
  }
  // A reservation of one pod's room, which holds it on `node` ("": nowhere yet), for pods with the
  // label app=`app`.
  const model::ReservationRecord& AddReservation(const std::string& name, std::string_view queue,
                                                 const char* cpu, std::string_view app,
                                                 std::string_view node) {
    kube::Reservation object;
    object.meta.ns = "ns";
    object.meta.name = object.meta.uid = name;
    object.owners.push_back({.label_selector = kube::LabelSelector::OfLabels({{"app", app}})});
    object.tasks.push_back({.name = "t"});
    object.tasks[0].pod_template.spec = testutil::MakePod("t", "", {{"cpu", cpu}}).spec;
    given_.cluster.mutable_reservations().Add(
        std::make_shared<const kube::Reservation>(std::move(object)), queue);
    const model::ReservationRecord& record = *given_.cluster.reservations().Find("ns", name);
    if (!node.empty()) {
      const model::Task& task = given_.cluster.task(record.slots[0].id);
      given_.cluster.Move(task.id,
                          {.status = model::TaskStatus::kBound, .node = given_.node(node).id});
      given_.cluster.mutable_reservations().NotePlaced(task);
    }
    return record;
  }
  void Promise(std::string_view pod, std::string_view node, bool after_eviction = false) {
    given_.cluster.Move(given_.task(pod).id, {.status = model::TaskStatus::kPipelined,
                                              .node = given_.node(node).id,
                                              .after_eviction = after_eviction});
  }
  // A session that begins now, with what is there.
  Session& Open(Time now = testutil::kTestNow) {
    session_.reset();
    return session_.emplace(given_.cluster, *plugins_, now);
  }
  std::string NodeOf(std::string_view pod) const {
    const NodeId id = given_.task(pod).node();
    return id.valid() ? given_.cluster.node(id).name : "";
  }

  testutil::TestCluster given_;
  std::unique_ptr<PluginSet> plugins_;
  std::optional<Session> session_;
};

}  // namespace basalt::scheduler
