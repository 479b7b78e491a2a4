#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kube/types/codec.h"
#include "model/cluster.h"
#include "testing/model/test_cluster.h"

namespace basalt::model {

// Nodes n1 and n2 of 4 CPUs; reservations are of tasks "t" of 1 CPU each and serve pods of app=web.
class ReservationsTest : public testing::Test {
 protected:
  ReservationsTest() {
    given_.Add(testutil::MakeQueue("root"))
        .Add(testutil::MakeQueue("q"))
        .Add(testutil::MakeQueue("other"));
    for (const char* name : {"n1", "n2"}) given_.Add(testutil::MakeNode(name, {{"cpu", "4"}}));
  }
  // `second` is when it was created; `more` are further fields of its spec, with a comma in front.
  static std::shared_ptr<const kube::Reservation> Object(const std::string& name, int replicas = 1,
                                                         int second = 0,
                                                         const std::string& more = "") {
    auto read = kube::Decode<kube::Reservation>(fmt::format(
        R"({{"metadata":{{"name":"{0}","namespace":"ns","uid":"u-{0}"}},"spec":{{
            "owners":[{{"labelSelector":{{"matchLabels":{{"app":"web"}}}}}}],
            "tasks":[{{"name":"t","replicas":{1},"template":{{"spec":{{"containers":[
                {{"name":"main","resources":{{"requests":{{"cpu":"1"}}}}}}]}}}}}}]{2}}}}})",
        name, replicas, more));
    EXPECT_TRUE(read) << read.error().message;
    kube::Reservation object = read.value_or(kube::Reservation{});
    object.meta.creation_timestamp = Time{} + std::chrono::seconds(second);
    return std::make_shared<const kube::Reservation>(std::move(object));
  }
  const ReservationRecord& Add(std::shared_ptr<const kube::Reservation> object,
                               const std::string& queue = "q") {
    const std::string name = object->meta.name;
    all().Add(std::move(object), queue);
    return record(name);
  }
  // The slot is held on the node.
  void Hold(const std::string& name, std::size_t slot, const std::string& node) {
    const TaskId id = record(name).slots[slot].id;
    given_.cluster.Move(id, {.status = TaskStatus::kBound, .node = given_.node(node).id});
    all().NotePlaced(given_.cluster.task(id));
  }
  // A pod that the reservations serve.
  static kube::Pod WebPod(const std::string& name, const std::string& group = "") {
    kube::Pod pod = testutil::MakePod(name, group, {{"cpu", "1"}});
    pod.meta.labels.Set("app", "web");
    return pod;
  }
  const Task& AddWebPod(const std::string& name, const std::string& group) {
    given_.Add(WebPod(name, group));
    return given_.task(name);
  }
  // The pod stands where the slot stood, and takes it over.
  void TakeOver(const std::string& pod, const std::string& name, std::size_t slot,
                TaskStatus as = TaskStatus::kAllocated) {
    const TaskId reserved = record(name).slots[slot].id;
    const NodeId node = given_.cluster.task(reserved).node();
    given_.cluster.Move(reserved, {.status = TaskStatus::kSucceeded});
    given_.cluster.Move(given_.task(pod).id, {.status = as, .node = node});
    all().NoteTaker(reserved, given_.task(pod).id);
  }
  void Move(const std::string& pod, const Holding& to) {
    given_.cluster.Move(given_.task(pod).id, to);
  }
  std::string PhaseOf(const std::string& name, std::size_t slot) {
    return std::string(ToString(all().PhaseOf(record(name).slots[slot])));
  }
  // "name: phase" of each status that is to be written.
  std::vector<std::string> Changed() {
    std::vector<std::string> changed;
    for (const Reservations::Changed& one : all().TakeChanged(now_)) {
      changed.push_back(fmt::format("{}: {}{}", one.record->name(),
                                    ToString(one.record->status.phase),
                                    one.phase_changed ? "" : " still"));
    }
    return changed;
  }
  std::vector<std::uint32_t> FreeSlots(const std::string& name) {
    std::vector<std::uint32_t> slots;
    all().ForEachFreeSlot(record(name), [&](const ReservedSlot& slot) {
      slots.push_back(static_cast<std::uint32_t>(slot.index));
      return true;
    });
    return slots;
  }
  double HeldIn(const std::string& queue) {
    EXPECT_EQ(given_.cluster.CheckLedgers(), "");
    return given_.queue(queue).own.allocated.value().milli_cpu();
  }

  Reservations& all() { return given_.cluster.mutable_reservations(); }
  const ReservationRecord& record(const std::string& name) { return *all().Find("ns", name); }
  NodeId node(const std::string& name) { return given_.node(name).id; }

  testutil::TestCluster given_;
  Time now_{};
};

}  // namespace basalt::model
