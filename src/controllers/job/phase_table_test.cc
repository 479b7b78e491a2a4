#include "controllers/job/phase_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace basalt::controllers {
namespace {

using kube::VcJobPhase;

// "kill all, +1 -> Restarting": a cell in words.
std::string Words(const PhaseCell& cell) {
  constexpr std::string_view kKills[] = {"", "kill targets", "kill soft", "kill all"};
  std::string words{kKills[static_cast<int>(cell.kill)]};
  const auto add = [&](const std::string& more) {
    if (!words.empty()) words += ", ";
    words += more;
  };
  if (cell.counts_as_retry) add("+1");
  if (cell.next == PhaseCell::Next::kAtOnce) add(fmt::format("-> {}", ToString(cell.to)));
  if (cell.next == PhaseCell::Next::kWhenLeft) add(fmt::format("left -> {}", ToString(cell.to)));
  return words.empty() ? "decide" : words;
}

constexpr JobAction kEveryAction[] = {
    JobAction::kSync,         JobAction::kRestartJob,       JobAction::kRestartTask,
    JobAction::kRestartPod,   JobAction::kRestartPartition, JobAction::kAbortJob,
    JobAction::kTerminateJob, JobAction::kCompleteJob,      JobAction::kResumeJob};

// A row for each phase, in the order of kEveryAction.
struct PhaseRow {
  VcJobPhase phase;
  std::string_view cells[kJobActions];
};

constexpr std::string_view kAgain = "kill targets, +1, -> Restarting";
constexpr std::string_view kAborts = "kill soft, left -> Aborted";
constexpr std::string_view kCompletes = "kill soft, left -> Completed";
constexpr std::string_view kTerminates = "kill soft, left -> Terminated";
constexpr std::string_view kStays = "kill soft";

constexpr PhaseRow kTable[] = {
    {VcJobPhase::kPending,
     {"decide", "kill all, +1, -> Restarting", kAgain, kAgain, kAgain, "kill soft, -> Aborting",
      "kill soft, -> Terminating", "kill soft, -> Completing", "decide"}},
    {VcJobPhase::kRunning,
     {"decide", "kill all, +1, -> Restarting", kAgain, kAgain, kAgain, "kill soft, -> Aborting",
      "kill soft, -> Terminating", "kill soft, -> Completing", "decide"}},
    {VcJobPhase::kRestarting,
     {"decide", "kill all", "kill targets", "kill targets", "kill targets", "kill all", "kill all",
      "kill all", "kill all"}},
    {VcJobPhase::kAborting,
     {kAborts, kAborts, kAborts, kAborts, kAborts, kAborts, kAborts, kAborts,
      "kill soft, +1, -> Restarting"}},
    {VcJobPhase::kAborted,
     {kStays, kStays, kStays, kStays, kStays, kStays, kStays, kStays, "+1, -> Restarting"}},
    {VcJobPhase::kCompleting,
     {kCompletes, kCompletes, kCompletes, kCompletes, kCompletes, kCompletes, kCompletes,
      kCompletes, kCompletes}},
    {VcJobPhase::kTerminating,
     {kTerminates, kTerminates, kTerminates, kTerminates, kTerminates, kTerminates, kTerminates,
      kTerminates, kTerminates}},
    {VcJobPhase::kCompleted,
     {kStays, kStays, kStays, kStays, kStays, kStays, kStays, kStays, kStays}},
    {VcJobPhase::kTerminated,
     {kStays, kStays, kStays, kStays, kStays, kStays, kStays, kStays, kStays}},
    {VcJobPhase::kFailed, {kStays, kStays, kStays, kStays, kStays, kStays, kStays, kStays, kStays}},
};

TEST(PhaseTable, EveryCellIsAsTheContractSays) {
  for (const PhaseRow& row : kTable) {
    for (int i = 0; i < kJobActions; ++i) {
      EXPECT_EQ(Words(CellOf(row.phase, kEveryAction[i])), row.cells[i])
          << ToString(row.phase) << " and " << ToString(kEveryAction[i]);
    }
  }
}

TEST(PhaseTable, AJobWithoutAPhaseBecomesPending) {
  EXPECT_EQ(Words(CellOf(VcJobPhase::kNone, JobAction::kSync)), "-> Pending");
}

// ---- what follows by itself

struct DecisionCase {
  std::string_view what;
  PhaseFacts facts;
  VcJobPhase next;
};

TEST(PhaseTable, PhasesMoveOnByTheirCounts) {
  constexpr auto kPending = VcJobPhase::kPending;
  constexpr auto kRunning = VcJobPhase::kRunning;
  constexpr auto kRestarting = VcJobPhase::kRestarting;
  const DecisionCase cases[] = {
      {"nothing runs yet",
       {.phase = kPending, .total = 3, .min_available = 2, .pending = 3, .running = 0},
       kPending},
      {"the minimum runs",
       {.phase = kPending, .total = 3, .min_available = 2, .pending = 1, .running = 2},
       kRunning},
      {"ended pods count for the minimum",
       {.phase = kPending,
        .total = 3,
        .min_available = 3,
        .running = 1,
        .succeeded = 1,
        .failed = 1},
       kRunning},
      {"a job without pods stays pending", {.phase = kPending, .total = 0}, kPending},
      {"a job without pods stays running", {.phase = kRunning, .total = 0}, kRunning},
      {"enough have succeeded",
       {.phase = kRunning,
        .total = 3,
        .min_available = 3,
        .min_success = 1,
        .running = 2,
        .succeeded = 1},
       VcJobPhase::kCompleted},
      {"all succeeded",
       {.phase = kRunning, .total = 2, .min_available = 2, .total_minimum = 2, .succeeded = 2},
       VcJobPhase::kCompleted},
      {"a task has too few that succeeded",
       {.phase = kRunning,
        .total = 3,
        .min_available = 2,
        .total_minimum = 2,
        .task_short_of_minimum = true,
        .succeeded = 2,
        .failed = 1},
       VcJobPhase::kFailed},
      {"the tasks' minimums are more than the job's, which has enough",
       {.phase = kRunning,
        .total = 3,
        .min_available = 1,
        .total_minimum = 3,
        .task_short_of_minimum = true,
        .succeeded = 1,
        .failed = 2},
       VcJobPhase::kCompleted},
      {"fewer than minSuccess succeeded",
       {.phase = kRunning,
        .total = 3,
        .min_available = 1,
        .total_minimum = 3,
        .min_success = 3,
        .succeeded = 2,
        .failed = 1},
       VcJobPhase::kFailed},
      {"all failed",
       {.phase = kRunning, .total = 2, .min_available = 1, .total_minimum = 2, .failed = 2},
       VcJobPhase::kFailed},
      {"some still run",
       {.phase = kRunning, .total = 3, .min_available = 3, .running = 1, .succeeded = 2},
       kRunning},
      {"too many pend again",
       {.phase = kRunning, .total = 3, .min_available = 2, .pending = 2, .running = 1},
       kPending},
      {"as many pend as may",
       {.phase = kRunning, .total = 3, .min_available = 2, .pending = 1, .running = 2},
       kRunning},
      {"no retry is left",
       {.phase = kRestarting, .total = 1, .min_available = 1, .retry_count = 2, .max_retry = 2},
       VcJobPhase::kFailed},
      {"its pods still leave",
       {.phase = kRestarting,
        .total = 2,
        .min_available = 2,
        .terminating = 1,
        .retry_count = 1,
        .max_retry = 3},
       kRestarting},
      {"enough have left",
       {.phase = kRestarting,
        .total = 3,
        .min_available = 2,
        .terminating = 1,
        .retry_count = 1,
        .max_retry = 3},
       kPending},
      {"what has been aborted stays",
       {.phase = VcJobPhase::kAborted, .total = 1, .running = 1},
       VcJobPhase::kAborted},
  };
  for (const DecisionCase& one : cases) {
    EXPECT_EQ(ToString(DecidePhase(one.facts)), ToString(one.next)) << one.what;
  }
}

TEST(PhaseTable, WhatLeavesHasLeftWhenNothingPendsRunsOrTerminates) {
  const PhaseCell cell = CellOf(VcJobPhase::kAborting, JobAction::kSync);
  const auto next = [&](PhaseFacts facts) {
    facts.phase = VcJobPhase::kAborting;
    return NextPhase(cell, facts);
  };
  EXPECT_EQ(next({.pending = 1}), VcJobPhase::kAborting);
  EXPECT_EQ(next({.running = 1}), VcJobPhase::kAborting);
  EXPECT_EQ(next({.terminating = 1}), VcJobPhase::kAborting);
  EXPECT_EQ(next({.succeeded = 1, .failed = 1}), VcJobPhase::kAborted);
}

}  // namespace
}  // namespace basalt::controllers
