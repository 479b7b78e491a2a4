#pragma once

#include <vector>

#include "model/ids.h"
#include "model/intent.h"

namespace basalt::scheduler {

// What the scheduling loop is to a Session while a cycle runs: where decisions go, and how long the
// cycle may go on. Scheduling thread only; outlives the session.
class CycleHost {
 public:
  virtual ~CycleHost() = default;
  // What was decided goes out at once, not at the end of the cycle.
  virtual void SendOut(std::vector<model::Intent> intents) = 0;
  // One more job was looked at. false: the action that runs has used up its part of the cycle.
  virtual bool TimeIsLeft() = 0;
  // The job had its turn already while others are still to have theirs.
  virtual bool HadTurn(model::JobId job) const = 0;
};

}  // namespace basalt::scheduler
