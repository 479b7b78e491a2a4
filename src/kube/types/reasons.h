#pragma once

#include <string_view>

// The reasons that people and programs see in conditions, in events and in explanations, of every
// role: the words are a contract, so each stands here, once. Kubernetes' or Volcano's own word
// where one of them has one.
namespace basalt::reasons {

// ---- why a pod waits: reasons of its condition PodScheduled
inline constexpr std::string_view kUnschedulable = "Unschedulable";  // more nodes would help
inline constexpr std::string_view kSchedulingGated = "SchedulingGated";
inline constexpr std::string_view kSchedulerError = "SchedulerError";
inline constexpr std::string_view kGroupNotFound = "PodGroupNotFound";
inline constexpr std::string_view kQueueNotFound = "QueueNotFound";
inline constexpr std::string_view kWaitsForQueue = "WaitingForQueue";
inline constexpr std::string_view kNotSupported = "NotSupported";
// Pods that its group needs are behind scheduling gates of others.
inline constexpr std::string_view kMembersGated = "WaitingForGates";
// It names a reservation that it cannot use, in the order in which they are looked at (contract
// C7.7).
inline constexpr std::string_view kReservationInvalid = "InvalidReservation";
inline constexpr std::string_view kReservationOfOther = "ReservationOwnerNotMatch";
inline constexpr std::string_view kReservationOfOtherSpec = "ReservationSpecNotMatch";

// ---- events of pods
inline constexpr std::string_view kFailedScheduling = "FailedScheduling";
inline constexpr std::string_view kScheduled = "Scheduled";
inline constexpr std::string_view kEvicted = "Evict";
inline constexpr std::string_view kGateRemovalFailed = "QueueGateRemovalFailed";
inline constexpr std::string_view kGateMismatch = "QueueGateMismatch";
inline constexpr std::string_view kGroupConflict = "PodGroupConflict";
inline constexpr std::string_view kQueueChanged = "QueueChanged";
// Why another pod is not evicted for it.
inline constexpr std::string_view kEvictedBefore = "EvictedBefore";
inline constexpr std::string_view kEvictionCycle = "EvictionCycle";
// The descheduler moves it.
inline constexpr std::string_view kMigrating = "Migrating";
inline constexpr std::string_view kMigrationFailed = "MigrationFailed";

// ---- why the descheduler's move of a pod failed (contract C8, W18), and events of its nodes
inline constexpr std::string_view kReservationTimeout = "ReservationTimeout";
inline constexpr std::string_view kReservationLost = "ReservationLost";
inline constexpr std::string_view kEvictionRefused = "EvictionRefused";
inline constexpr std::string_view kReplacementTimeout = "ReplacementTimeout";
inline constexpr std::string_view kTargetGone = "TargetGone";
inline constexpr std::string_view kPodGone = "PodGone";
inline constexpr std::string_view kCancelled = "Cancelled";
inline constexpr std::string_view kDefragmenting = "Defragmenting";
inline constexpr std::string_view kDefragmented = "Defragmented";
inline constexpr std::string_view kDefragmentationFailed = "DefragmentationFailed";

// ---- what else explanations say of pods
inline constexpr std::string_view kNew = "New";
inline constexpr std::string_view kWaiting = "Waiting";
inline constexpr std::string_view kPromised = "Promised";
inline constexpr std::string_view kBinding = "Binding";
inline constexpr std::string_view kPipelined = "Pipelined";
inline constexpr std::string_view kSchedulable = "Schedulable";
inline constexpr std::string_view kTerminating = "Terminating";
inline constexpr std::string_view kNoGroup = "NoPodGroup";
inline constexpr std::string_view kNotEnqueued = "NotEnqueued";
inline constexpr std::string_view kQueueOverused = "QueueOverused";
inline constexpr std::string_view kQueueIsFull = "QueueFull";
inline constexpr std::string_view kQueueClosed = "QueueClosed";
inline constexpr std::string_view kGangIncomplete = "GangIncomplete";
inline constexpr std::string_view kNotTried = "NotTried";
inline constexpr std::string_view kQueueGate = "QueueGate";
inline constexpr std::string_view kReservation = "Reservation";
inline constexpr std::string_view kOtherScheduler = "OtherScheduler";

// ---- PodGroups: reasons of their conditions, and events
inline constexpr std::string_view kNotEnoughPods = "NotEnoughTasks";
inline constexpr std::string_view kNotEnoughPodsOfTask = "NotEnoughPodsOfTask";
inline constexpr std::string_view kNotEnoughResources = "NotEnoughResources";
inline constexpr std::string_view kGroupReady = "tasks in gang are ready to be scheduled";
inline constexpr std::string_view kInvalidGroup = "InvalidGroup";
inline constexpr std::string_view kGroupNeverComplete = "GroupNeverComplete";

// ---- what a queue's refusal says of it, and events and explanations of queues
inline constexpr std::string_view kQueueFullOfOverdue =
    "queue is full: pods that should be gone are still there";
inline constexpr std::string_view kOthersMustLeave =
    "queue is full until the pods that leave it are gone";
inline constexpr std::string_view kQueueNotOpen = "queue is not open";
inline constexpr std::string_view kUnknownResource = "asks for a resource that cannot be counted";
inline constexpr std::string_view kIdle = "Idle";
inline constexpr std::string_view kQueueCycle = "QueueCycle";

// ---- reservations: their state.reason, and their events
inline constexpr std::string_view kReserved = "Reserved";
inline constexpr std::string_view kWaitsForRoom = "WaitingForRoom";
inline constexpr std::string_view kTaken = "Taken";
inline constexpr std::string_view kExpired = "Expired";

// ---- events of jobs, job flows and cron jobs
inline constexpr std::string_view kPluginError = "PluginError";
inline constexpr std::string_view kClaimError = "PVCError";
inline constexpr std::string_view kGroupError = "PodGroupError";
inline constexpr std::string_view kJobStatusError = "JobStatusError";
inline constexpr std::string_view kExecuteAction = "ExecuteAction";
inline constexpr std::string_view kCommandIssued = "CommandIssued";
inline constexpr std::string_view kCreated = "Created";
inline constexpr std::string_view kSawCompletedJob = "SawCompletedJob";
inline constexpr std::string_view kFailedCreate = "FailedCreate";
inline constexpr std::string_view kSuccessfulCreate = "SuccessfulCreate";
inline constexpr std::string_view kFailedDelete = "FailedDelete";
inline constexpr std::string_view kSuccessfulDelete = "SuccessfulDelete";
inline constexpr std::string_view kInvalidSchedule = "InvalidSchedule";
inline constexpr std::string_view kInvalidTimeZone = "InvalidTimeZone";
inline constexpr std::string_view kTooManyMissedTimes = "TooManyMissedTimes";
inline constexpr std::string_view kForbidConcurrent = "ForbidConcurrent";
inline constexpr std::string_view kReplaceConcurrent = "ReplaceConcurrent";
inline constexpr std::string_view kProbeIgnored = "ProbeIgnored";
inline constexpr std::string_view kTemplateMissing = "TemplateMissing";
inline constexpr std::string_view kGroupPending = "PodGroupPending";

// ---- any object
inline constexpr std::string_view kInvalidObject = "InvalidObject";

}  // namespace basalt::reasons
