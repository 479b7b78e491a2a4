#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "scheduler/framework/session.h"

namespace basalt::scheduler {

using TaskFilter = std::function<bool(const Task&)>;

// Whose victims, and which of them.
struct RoomRequest {
  enum class Rule : unsigned char { kPreempt, kReclaim };  // which policies permit victims
  enum class Choice : unsigned char {
    kBestNode,   // the node that scores best for the task, of those where it helps
    kLeastHarm,  // the node whose victims matter least
  };
  std::string_view action;  // a literal: whose evictions they are
  Rule rule = Rule::kPreempt;
  Choice choice = Choice::kBestNode;
  TaskFilter may_leave;
};

// Finds room for one task, by evictions where nothing else helps. Victims go only when the task
// then fits, passes every filter, and its queue takes it. true: the statement has the evictions and
// the task's promise of the node.
bool MakeRoom(Session& session, Statement& statement, const Task& task, const RoomRequest& request);

std::int64_t PodPriority(const Task& task);

}  // namespace basalt::scheduler
