// What a pod says about its task.
#include "model/task.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "model/annotations.h"

namespace basalt::model {
namespace {

TEST(TaskOfAPod, ThePriorityIsTheTasksOwnWhereItIsANumberThenThePods) {
  struct Row {
    const char* annotation;  // nullptr: there is none
    std::optional<std::int32_t> of_pod;
    std::int32_t priority;
  };
  for (const Row& row : {Row{nullptr, {}, 1}, Row{nullptr, 0, 0}, Row{nullptr, 7, 7},
                         Row{"5", {}, 5}, Row{"5", 7, 5}, Row{"+5", 7, 5}, Row{"-5", 7, -5},
                         Row{"", 7, 7}, Row{"+", 7, 7}, Row{"++5", 7, 7}, Row{"5.0", 7, 7},
                         Row{" 5", 7, 7}, Row{"high", 7, 7}, Row{"2147483648", 7, 7}}) {
    kube::Pod pod;
    if (row.annotation) pod.meta.annotations.Set(annotations::kTaskPriority, row.annotation);
    pod.spec.priority = row.of_pod;
    EXPECT_EQ(TaskPriority(pod), row.priority) << (row.annotation ? row.annotation : "none");
  }
}

TEST(TaskOfAPod, MayBePreemptedUnlessItsAnnotationOrElseItsLabelSaysNo) {
  struct Row {
    const char* annotation;
    const char* label;
    bool preemptable;
  };
  for (const Row& row :
       {Row{nullptr, nullptr, true}, Row{"false", nullptr, false}, Row{"false", "true", false},
        Row{"true", "false", true}, Row{nullptr, "false", false}, Row{nullptr, "true", true},
        Row{"1", nullptr, true}, Row{"t", nullptr, true}, Row{"T", nullptr, true},
        Row{"TRUE", nullptr, true}, Row{"True", nullptr, true}, Row{"0", nullptr, false},
        Row{"yes", nullptr, false}, Row{"tRUE", nullptr, false}, Row{"", nullptr, false}}) {
    kube::Pod pod;
    if (row.annotation) pod.meta.annotations.Set(annotations::kPreemptable, row.annotation);
    if (row.label) pod.meta.labels.Set(annotations::kPreemptable, row.label);
    EXPECT_EQ(IsTaskPreemptable(pod), row.preemptable)
        << (row.annotation ? row.annotation : "none") << " " << (row.label ? row.label : "none");
  }
}

TEST(TaskOfAPod, TheRoleIsItsAnnotationOrElseItsLabel) {
  kube::Pod pod;
  EXPECT_EQ(TaskRole(pod), "");
  pod.meta.labels.Set(annotations::kTaskSpec, "worker");
  EXPECT_EQ(TaskRole(pod), "worker");
  pod.meta.annotations.Set(annotations::kTaskSpec, "master");
  EXPECT_EQ(TaskRole(pod), "master");
}

TEST(TaskOfAPod, OurGateAloneIsOurs) {
  const std::string ours(annotations::kQueueAllocationGate);
  struct Row {
    std::vector<std::string> gates;
    Gate gate;
  };
  for (const Row& row :
       {Row{{}, Gate::kNone}, Row{{ours}, Gate::kQueue}, Row{{"example.com/g"}, Gate::kForeign},
        Row{{ours, "example.com/g"}, Gate::kForeign}, Row{{ours, ours}, Gate::kForeign}}) {
    kube::Pod pod;
    pod.spec.scheduling_gates = row.gates;
    EXPECT_EQ(GateOf(pod), row.gate) << row.gates.size();
  }
}

TEST(TaskOfAPod, OptsInByTheWordTrueAlone) {
  for (const char* word : {"true", "True", "1", "false", ""}) {
    kube::Pod pod;
    pod.meta.annotations.Set(annotations::kQueueAllocationGate, word);
    EXPECT_EQ(OptsInToGate(pod), std::string_view(word) == "true") << word;
  }
  EXPECT_FALSE(OptsInToGate({}));
}

TEST(TaskOfAPod, TheIndexIsTheLastPartOfANameOfThreeOrMore) {
  struct Row {
    const char* name;
    std::optional<std::int32_t> index;
  };
  for (const Row& row :
       {Row{"job-worker-3", 3}, Row{"a-b-c-12", 12}, Row{"job-worker-0", 0}, Row{"web-3", {}},
        Row{"3", {}}, Row{"-3", {}}, Row{"job-worker-x3", {}}, Row{"job-worker-", {}},
        Row{"job--3", 3}, Row{"a-b-3x", {}}, Row{"", {}}, Row{"a-b-99999999999", {}}}) {
    kube::Pod pod;
    pod.meta.name = row.name;
    EXPECT_EQ(TaskIndex(pod), row.index) << row.name;
  }
}

TEST(TaskOfAPod, TheStatusFollowsFromPhaseNodeAndDeletion) {
  struct Row {
    kube::PodPhase phase;
    bool bound;
    bool deleting;
    TaskStatus status;
  };
  using kube::PodPhase;
  for (const Row& row : {Row{PodPhase::kPending, false, false, TaskStatus::kPending},
                         Row{PodPhase::kPending, true, false, TaskStatus::kBound},
                         Row{PodPhase::kPending, false, true, TaskStatus::kReleasing},
                         Row{PodPhase::kPending, true, true, TaskStatus::kReleasing},
                         Row{PodPhase::kRunning, true, false, TaskStatus::kRunning},
                         Row{PodPhase::kRunning, true, true, TaskStatus::kReleasing},
                         Row{PodPhase::kSucceeded, true, false, TaskStatus::kSucceeded},
                         Row{PodPhase::kSucceeded, true, true, TaskStatus::kSucceeded},
                         Row{PodPhase::kFailed, true, true, TaskStatus::kFailed},
                         Row{PodPhase::kUnknown, true, true, TaskStatus::kUnknown}}) {
    kube::Pod pod;
    pod.status.phase = row.phase;
    if (row.bound) pod.spec.node_name = "n";
    if (row.deleting) pod.meta.deletion_timestamp = Time{} + 1s;
    EXPECT_EQ(StatusOf(pod), row.status)
        << kube::ToString(row.phase) << " " << row.bound << row.deleting;
  }
}

TEST(TaskOfAPod, StatusesAndPhasesAreSaidInVolcanosWords) {
  const std::vector<std::pair<TaskStatus, std::string_view>> statuses = {
      {TaskStatus::kPending, "Pending"},     {TaskStatus::kAllocated, "Allocated"},
      {TaskStatus::kPipelined, "Pipelined"}, {TaskStatus::kBinding, "Binding"},
      {TaskStatus::kBound, "Bound"},         {TaskStatus::kRunning, "Running"},
      {TaskStatus::kReleasing, "Releasing"}, {TaskStatus::kSucceeded, "Succeeded"},
      {TaskStatus::kFailed, "Failed"},       {TaskStatus::kUnknown, "Unknown"}};
  EXPECT_EQ(statuses.size(), static_cast<std::size_t>(kTaskStatuses));
  for (const auto& [status, word] : statuses) EXPECT_EQ(ToString(status), word);
  for (const JobPhase phase : {JobPhase::kPending, JobPhase::kInqueue, JobPhase::kRunning,
                               JobPhase::kUnknown, JobPhase::kCompleted}) {
    EXPECT_EQ(ParseJobPhase(ToString(phase)), phase) << ToString(phase);
  }
  EXPECT_EQ(ParseJobPhase("Aborted"), JobPhase::kPending) << "what nobody knows is not admitted";
  EXPECT_EQ(ParseJobPhase(""), JobPhase::kPending);
}

// Each row comes before those below it.
TEST(TaskOrder, IsByIndexThenAgeThenUidThenName) {
  struct Row {
    std::optional<std::int32_t> index;
    int age;
    const char* uid;
    const char* ns;
    const char* name;
  };
  const std::vector<Row> rows = {{0, 9, "z", "z", "z"},  {2, 9, "a", "a", "a"},
                                 {10, 0, "a", "a", "a"}, {{}, 0, "z", "z", "z"},
                                 {{}, 1, "a", "z", "z"}, {{}, 1, "b", "a", "z"},
                                 {{}, 1, "b", "b", "a"}, {{}, 1, "b", "b", "b"}};
  std::vector<Task> tasks;
  for (const Row& row : rows) {
    kube::Pod pod;
    pod.meta.uid = row.uid;
    pod.meta.ns = row.ns;
    pod.meta.name = row.name;
    pod.meta.creation_timestamp = Time{} + std::chrono::seconds(row.age);
    Task& task = tasks.emplace_back();
    task.index = row.index;
    task.pod = std::make_shared<const kube::Pod>(std::move(pod));
  }
  for (std::size_t a = 0; a < tasks.size(); ++a) {
    for (std::size_t b = 0; b < tasks.size(); ++b) {
      EXPECT_EQ(TaskBefore(tasks[a], tasks[b]), a < b) << a << " " << b;
    }
  }
}

TEST(TaskHolding, OccupiesANodeFromThePromiseToTheEnd) {
  for (int s = 0; s < kTaskStatuses; ++s) {
    const auto status = static_cast<TaskStatus>(s);
    const bool occupies = status != TaskStatus::kPending && status != TaskStatus::kSucceeded &&
                          status != TaskStatus::kFailed;
    EXPECT_EQ(OccupiesNode({.status = status, .node = NodeId{3}}), occupies) << ToString(status);
    EXPECT_FALSE(OccupiesNode({.status = status})) << ToString(status);
  }
}

TEST(TaskHolding, MayBePlacedUnlessAForeignGateOrARefusedBindHoldsItBack) {
  struct Row {
    Gate gate;
    bool opted_in;
    bool resting;
    bool may;
  };
  for (const Row& row :
       {Row{Gate::kNone, false, false, true}, Row{Gate::kNone, true, false, true},
        Row{Gate::kQueue, true, false, true}, Row{Gate::kQueue, false, false, false},
        Row{Gate::kForeign, true, false, false}, Row{Gate::kNone, false, true, false},
        Row{Gate::kQueue, true, true, false}}) {
    Task task;
    task.gate = row.gate;
    task.opted_in = row.opted_in;
    task.holding.resting = row.resting;
    EXPECT_EQ(task.may_be_placed(), row.may) << static_cast<int>(row.gate) << row.opted_in;
    EXPECT_EQ(task.PendingAgain().queue_claim, row.opted_in) << "what was admitted stays so";
  }
}

}  // namespace
}  // namespace basalt::model
