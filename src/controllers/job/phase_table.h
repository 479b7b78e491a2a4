#pragma once

#include <cstdint>
#include <optional>

#include "controllers/job/job_action.h"
#include "kube/types/vcjob.h"

// The phases of jobs (contract C12.2), without I/O: a table with a cell for each phase and action,
// and the rules by which a phase moves on by itself.
namespace basalt::controllers {

// Which pods go.
enum class Kill : std::uint8_t {
  kNone,
  kTargets,  // those that the action is about
  kSoft,     // all but those that have succeeded or failed
  kAll,      // all; on the last retry as kSoft
};

struct PhaseCell {
  enum class Next : std::uint8_t {
    kDecide,    // DecidePhase
    kWhenLeft,  // `to`, once no pod is pending, running or terminating
    kAtOnce,    // `to`
  };
  Kill kill = Kill::kNone;
  bool counts_as_retry = false;
  Next next = Next::kDecide;
  kube::VcJobPhase to = kube::VcJobPhase::kNone;
  bool operator==(const PhaseCell&) const = default;
};

PhaseCell CellOf(kube::VcJobPhase phase, JobAction action);

// Whether the action does anything in this phase that a sync would not.
bool IsEffective(kube::VcJobPhase phase, JobAction action);

// What the rules look at: the job's wishes, and its pods as they will be counted.
struct PhaseFacts {
  kube::VcJobPhase phase = kube::VcJobPhase::kNone;
  std::int32_t total = 0;
  std::int32_t min_available = 0;
  std::int32_t total_minimum = 0;  // of all tasks
  std::optional<std::int32_t> min_success;
  bool task_short_of_minimum = false;  // some task has fewer succeeded pods than its minimum
  std::int32_t pending = 0;
  std::int32_t running = 0;
  std::int32_t succeeded = 0;
  std::int32_t failed = 0;
  std::int32_t terminating = 0;
  std::int32_t retry_count = 0;
  std::int32_t max_retry = 0;
};

// The phase that follows by itself; `facts.phase` where it stays.
kube::VcJobPhase DecidePhase(const PhaseFacts& facts);

// The phase that follows from a cell.
kube::VcJobPhase NextPhase(const PhaseCell& cell, const PhaseFacts& facts);

}  // namespace basalt::controllers
