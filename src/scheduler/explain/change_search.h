#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scheduler/explain/rehearsal.h"
#include "scheduler/explain/what_if.h"
#include "scheduler/framework/plugin_set.h"

namespace basalt::scheduler::explain {

// One change that might let a job run; some can be made several times over (more nodes, more pods
// finished).
struct Candidate {
  std::function<std::string(int times)> text;
  std::function<void(WhatIf& what_if, int times)> make;
  int most = 1;
  bool untried = false;  // there is nothing to try it with
};
using Candidates = std::vector<Candidate>;

// Rehearses a cycle on the cluster as it is, as often as one question needs. On the cluster's
// thread, between cycles.
class Prober {
 public:
  Prober(model::Cluster& cluster, PluginSet& plugins, Time now);
  // The job alone, or when its turn comes (rehearsal.h).
  using How = JobTrial (Rehearsal::*)(const model::Job& job, const model::Task* asked);
  JobTrial Try(How how, const model::Job& job, const model::Task* asked);
  // The jobs that wait below the queue and may be served before this one: those of its own queue in
  // their order, then those of others.
  std::vector<const model::Job*> Ahead(const model::Job& job, model::QueueId queue);
  model::Cluster& cluster() { return cluster_; }
  int trials() const { return trials_; }
  // How many pods all trials together have looked for a place for, at most.
  std::size_t placements() const { return placements_; }

 private:
  model::Cluster& cluster_;
  PluginSet& plugins_;
  Time now_;
  int trials_ = 0;
  std::size_t placements_ = 0;
};

// The smallest change that lets `job` (and `asked`, where given) run when its turn comes, those
// ahead of it served first. Found by making it and taking it back: candidates that fit the
// obstacle, the smaller first; where none is enough, the one that gets furthest and another on top.
// "": none was found within a bounded number of trials.
std::string FindChange(Prober& prober, const model::Job& job, const model::Task* asked,
                       JobTrial trial);

}  // namespace basalt::scheduler::explain
