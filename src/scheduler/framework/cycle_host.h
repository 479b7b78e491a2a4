#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/ids.h"
#include "model/intent.h"

namespace basalt::scheduler {

// What the scheduling loop is to a Session while a cycle runs: where decisions go, and how long the
// cycle may go on. Scheduling thread only; outlives the session.
class CycleHost {
 public:
  virtual ~CycleHost() = default;
  // The cycle's number.
  virtual std::uint64_t cycle() const = 0;
  // What was decided goes out at once, not at the end of the cycle.
  virtual void SendOut(std::vector<model::Intent> intents) = 0;
  // One more job was looked at, of that namespace. false: the action that runs has used up its part
  // of the cycle.
  virtual bool TimeIsLeft(std::string_view ns) = 0;
  // Jobs of the namespace need not stand back for those of others yet.
  virtual bool HasShare(std::string_view ns) const = 0;
  // The job had its turn already while others are still to have theirs.
  virtual bool HadTurn(model::JobId job) const = 0;
};

}  // namespace basalt::scheduler
