// Volcano's questions about a gang: is it valid, ready, promised, starving.
#include "model/job.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace basalt::model {
namespace {

struct GangRow {
  const char* name;
  int least;
  int running, promised, pending, succeeded, failed;
  int pending_best_effort;
  bool ready, pipelined, starving;
};

class GangTest : public testing::TestWithParam<GangRow> {};

TEST_P(GangTest, IsCountedByWhereItsTasksStand) {
  const GangRow& row = GetParam();
  Job job;
  job.min_available = row.least;
  job.counts.Change(TaskStatus::kRunning, row.running);
  job.counts.Change(TaskStatus::kPipelined, row.promised);
  job.counts.Change(TaskStatus::kPending, row.pending);
  job.counts.Change(TaskStatus::kSucceeded, row.succeeded);
  job.counts.Change(TaskStatus::kFailed, row.failed);
  job.pending_best_effort = row.pending_best_effort;
  EXPECT_EQ(job.IsReady(), row.ready);
  EXPECT_EQ(job.IsPipelined(), row.pipelined);
  EXPECT_EQ(job.IsStarving(), row.starving);
  EXPECT_EQ(job.counts.total(),
            row.running + row.promised + row.pending + row.succeeded + row.failed);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, GangTest,
    testing::Values(
        GangRow{.name = "NobodyIsThere", .least = 1, .pending = 1, .starving = true},
        GangRow{.name = "NobodyIsNeeded", .least = 0, .ready = true, .pipelined = true},
        GangRow{.name = "AllRun", .least = 2, .running = 2, .ready = true, .pipelined = true},
        GangRow{.name = "OneIsMissing", .least = 2, .running = 1, .pending = 1, .starving = true},
        GangRow{
            .name = "OneIsPromised", .least = 2, .running = 1, .promised = 1, .pipelined = true},
        GangRow{.name = "WhatSucceededIsThere",
                .least = 2,
                .running = 1,
                .succeeded = 1,
                .ready = true,
                .pipelined = true},
        GangRow{.name = "WhatFailedIsNot", .least = 2, .running = 1, .failed = 1, .starving = true},
        GangRow{.name = "WhoNeedsNoRoomIsAsGoodAsThere",
                .least = 2,
                .running = 1,
                .pending = 1,
                .pending_best_effort = 1,
                .ready = true,
                .pipelined = true,
                .starving = true}),
    [](const auto& row) { return std::string(row.param.name); });

// Roles of a job: how many each needs, has there, is promised, waits with, and has best-effort.
struct RoleRow {
  int least, there, promised, pending, pending_best_effort;
};

Job WithRoles(int least, const std::vector<RoleRow>& rows) {
  Job job;
  job.min_available = least;
  for (const RoleRow& row : rows) {
    Role& role = job.roles.emplace_back();
    role.min_available = row.least;
    role.counts.Change(TaskStatus::kBound, row.there);
    role.counts.Change(TaskStatus::kPipelined, row.promised);
    role.counts.Change(TaskStatus::kPending, row.pending);
    role.pending_best_effort = row.pending_best_effort;
    job.role_min_total += row.least;
  }
  return job;
}

TEST(GangRoles, EachNeedsItsOwnUnlessTogetherTheyNeedMoreThanTheJob) {
  struct Row {
    const char* name;
    int least;
    std::vector<RoleRow> roles;
    bool valid, ready, pipelined;
  };
  for (const Row& row : std::vector<Row>{
           {"no roles", 3, {}, true, true, true},
           {"both there", 2, {{1, 1, 0, 0, 0}, {1, 1, 0, 0, 0}}, true, true, true},
           {"one too few", 2, {{1, 1, 0, 0, 0}, {1, 0, 0, 0, 0}}, false, false, false},
           {"one waits", 2, {{1, 1, 0, 0, 0}, {1, 0, 0, 1, 0}}, true, false, false},
           {"one is promised", 2, {{1, 1, 0, 0, 0}, {1, 0, 1, 0, 0}}, true, false, true},
           {"one needs no room", 2, {{1, 1, 0, 0, 0}, {1, 0, 0, 1, 1}}, true, true, true},
           {"many of one are none of the other",
            2,
            {{1, 9, 0, 0, 0}, {1, 0, 0, 0, 0}},
            false,
            false,
            false},
           {"together they need more than the job",
            1,
            {{1, 1, 0, 0, 0}, {1, 0, 0, 0, 0}},
            true,
            true,
            true},
           {"the job needs more than they do",
            3,
            {{1, 1, 0, 0, 0}, {1, 1, 0, 0, 0}},
            true,
            true,
            true}}) {
    const Job job = WithRoles(row.least, row.roles);
    EXPECT_EQ(job.RolesAreValid(), row.valid) << row.name;
    EXPECT_EQ(job.RolesAreReady(), row.ready) << row.name;
    EXPECT_EQ(job.RolesArePipelined(), row.pipelined) << row.name;
  }
}

TEST(GangNodes, AreHeldByThoseOnThemAndThoseOnTheirWayOut) {
  for (int s = 0; s < kTaskStatuses; ++s) {
    const auto status = static_cast<TaskStatus>(s);
    Job job;
    job.counts.Change(status, 1);
    EXPECT_EQ(job.HoldsNodes(), IsAllocated(status) || status == TaskStatus::kReleasing)
        << ToString(status);
  }
}

TEST(GangAge, IsItsGroupsAndAShadowsIsItsPods) {
  Job job;
  EXPECT_EQ(job.created(), Time{}) << "its group has not come yet";
  auto group = std::make_shared<kube::PodGroup>();
  group->meta.creation_timestamp = Time{} + 5s;
  job.group = group;
  EXPECT_EQ(job.created(), Time{} + 5s);
  job.shadow = true;
  job.shadow_created = Time{} + 7s;
  EXPECT_EQ(job.created(), Time{} + 7s);
}

}  // namespace
}  // namespace basalt::model
