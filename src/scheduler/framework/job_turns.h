#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <vector>

#include "model/ids.h"

namespace basalt::scheduler {

// Whose turn it is when one cycle cannot look at every job. The first cycle that puts jobs off
// begins a round. Until each of those has had its turn, a job that has had one waits, however often
// events wake it, and a job that is new has its turn at once. So every round ends, and no job
// starves; within a round jobs go in their usual order. Owned by the scheduling loop.
class JobTurns {
 public:
  bool HadTurn(model::JobId job) const { return had_turn_.contains(job); }
  bool round_is_open() const { return open_; }

  // A cycle has ended that looked at some jobs, and put others off or did not.
  void CycleEnded(const std::vector<model::JobId>& looked_at, bool put_off) {
    open_ = put_off;
    if (open_) {
      had_turn_.insert(looked_at.begin(), looked_at.end());
    } else {
      had_turn_.clear();
    }
  }
  void Reset() { CycleEnded({}, false); }

 private:
  bool open_ = false;
  boost::unordered_flat_set<model::JobId> had_turn_;
};

}  // namespace basalt::scheduler
