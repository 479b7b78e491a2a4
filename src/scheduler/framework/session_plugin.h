#pragma once

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler {

// A plugin that looks at the session that is open: what nearly all are. Owned by the PluginSet, on
// the sessions' thread.
class SessionPlugin : public Plugin, public SessionObserver {
 public:
  void Open(const SessionView& view) final {
    view_ = &view;
    Opened();
  }

 protected:
  // Where the plugin's own state of the session is made anew.
  virtual void Opened() {}
  const SessionView& view() const { return *view_; }
  const model::Cluster& cluster() const { return view_->cluster(); }

 private:
  const SessionView* view_ = nullptr;
};

// Tasks that may have to go.
using Candidates = std::span<const Task* const>;

// One opinion on victims, whether a preemptor or a reclaimer is to have their room.
class EvictionVictims : public PreemptionVictims, public ReclaimVictims {
 public:
  virtual VictimOpinion Permit(const Task& beneficiary, Candidates candidates) const = 0;
  VictimOpinion PermitPreemption(const Task& preemptor, Candidates candidates) const final {
    return Permit(preemptor, candidates);
  }
  VictimOpinion PermitReclaim(const Task& reclaimer, Candidates candidates) const final {
    return Permit(reclaimer, candidates);
  }
};

// The candidates for which `may_go(task)` holds, asked one after the other.
template <class Fn>
VictimOpinion VictimsAmong(Candidates candidates, Fn may_go) {
  VictimOpinion opinion;
  for (const Task* task : candidates) {
    if (may_go(*task)) opinion.victims.push_back(task);
  }
  return opinion;
}

}  // namespace basalt::scheduler
