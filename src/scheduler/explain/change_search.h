#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scheduler/explain/rehearsal.h"
#include "scheduler/explain/what_if.h"

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

// The smallest change that lets `job` (and `asked`, where given) run when its turn comes, those
// ahead of it served first. Found by making it and taking it back: candidates that fit the
// obstacle, the smaller first; where none is enough, the one that gets furthest and another on top.
// "": none was found within a bounded number of trials.
std::string FindChange(Prober& prober, const model::Job& job, const model::Task* asked,
                       JobTrial trial);

}  // namespace basalt::scheduler::explain
