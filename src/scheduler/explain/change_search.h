#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scheduler/explain/queue_shortage.h"
#include "scheduler/explain/rehearsal.h"
#include "scheduler/explain/what_if.h"

namespace basalt::scheduler::explain {

// The smallest change that lets `job` (and `asked`, where given) run when its turn comes, those
// ahead of it served first. Found by making it and taking it back: candidates that fit the
// obstacle, the smaller first; where none is enough, the one that gets furthest and another on top.
// "": none was found within a bounded number of trials.
std::string FindChange(Prober& prober, const model::Job& job, const model::Task* asked,
                       JobTrial trial);

// ---- the kinds of candidates, a file for each family; for these files and change_search.cc alone

// One change that might let a job run; some can be made several times over (more nodes, more pods
// finished).
struct Candidate {
  std::function<std::string(int times)> text;
  std::function<void(WhatIf& what_if, int times)> make;
  int most = 1;
  bool untried = false;  // there is nothing to try it with
};
using Candidates = std::vector<Candidate>;

// How many of a kind are worth trying.
inline constexpr std::size_t kFewNodes = 3;
inline constexpr std::size_t kMostPodsFinished = 16;

inline Candidate Once(std::string text, std::function<void(WhatIf&)> make) {
  return {.text = [text = std::move(text)](int) { return text; },
          .make = [make = std::move(make)](WhatIf& what_if, int) { make(what_if); }};
}

inline Candidate Several(std::size_t most, std::function<std::string(int)> text,
                         std::function<void(WhatIf&, int)> make) {
  return {.text = std::move(text), .make = std::move(make), .most = static_cast<int>(most)};
}

// The object instead of the one of that name.
template <class T>
Candidate Edit(std::string text, T object) {
  return Once(std::move(text), [object](WhatIf& what_if) { what_if.Set(object); });
}

// As a share of the whole cluster, so that CPU and memory can be compared.
double SizeOf(const model::Cluster& cluster, const model::Amounts& request);

// ---- change_nodes.cc
bool IsOpenTo(const kube::Pod& pod, const kube::Node& node);
// A node that has the room and is closed to the pod: open it.
void AddNodeEdits(const model::Cluster& cluster, const model::Task& task, Candidates& out);
// The smallest kinds of node there are that could take the task, then one that is made for it.
void AddNewNodes(const model::Cluster& cluster, const model::Task& task, std::size_t most,
                 Candidates& out);

// ---- change_victims.cc
// Pods whose end makes room on their node: one that is enough, or several of one node.
void AddVictimsOnNodes(const model::Cluster& cluster, const model::Job& job,
                       const model::Task& task, Candidates& out);
// Pods whose end makes the room in a queue that is missing there.
void AddVictimsOfQueue(const model::Cluster& cluster, const model::Job& job,
                       const Shortage& shortage, model::QueueReach reach, bool others_ahead,
                       Candidates& out);

// ---- change_queues.cc
void AddQueueChanges(Prober& prober, const model::Job& job, const model::Task* asked,
                     Candidates& out);

// ---- change_gangs.cc
void AddPods(const model::Cluster& cluster, const model::Job& job, Time now, Candidates& out);
// Gates that Basalt does not remove go from the first of these pods.
Candidate Ungate(const model::Job& job, const std::vector<const model::Task*>& held);

}  // namespace basalt::scheduler::explain
