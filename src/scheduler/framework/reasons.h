#pragma once

#include <set>
#include <string>
#include <string_view>

namespace basalt::scheduler {

// Reasons that users see. Those that hold a value are made with Reasons::Keep.
namespace reasons {
inline constexpr std::string_view kNotEnoughPods = "NotEnoughTasks";
inline constexpr std::string_view kNotEnoughPodsOfTask = "NotEnoughPodsOfTask";
inline constexpr std::string_view kNotEnoughResources = "NotEnoughResources";
inline constexpr std::string_view kUnschedulable = "Unschedulable";
// Not Unschedulable: more nodes would not help.
inline constexpr std::string_view kGroupNotFound = "PodGroupNotFound";
inline constexpr std::string_view kQueueNotFound = "QueueNotFound";
inline constexpr std::string_view kWaitsForQueue = "WaitingForQueue";
inline constexpr std::string_view kNotSupported = "NotSupported";
// Pods that its group needs are behind scheduling gates of others.
inline constexpr std::string_view kMembersGated = "WaitingForGates";
// Why another pod is not evicted.
inline constexpr std::string_view kEvictedBefore = "EvictedBefore";
inline constexpr std::string_view kEvictionCycle = "EvictionCycle";
inline constexpr std::string_view kQueueFull = "queue is full";
inline constexpr std::string_view kQueueFullOfOverdue =
    "queue is full: pods that should be gone are still there";
inline constexpr std::string_view kOthersMustLeave =
    "queue is full until the pods that leave it are gone";
inline constexpr std::string_view kUnknownResource = "asks for a resource that cannot be counted";
}  // namespace reasons

// Texts that verdicts may point to, each kept once. One per PluginSet; lives as long as it.
class Reasons {
 public:
  std::string_view Keep(std::string text) { return *texts_.insert(std::move(text)).first; }

 private:
  std::set<std::string> texts_;
};

}  // namespace basalt::scheduler
