#include "scheduler/explain/change_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scheduler/framework/pod_wait.h"
#include "scheduler/framework/reasons.h"

namespace basalt::scheduler::explain {

namespace {

// Enough for every case that people meet, few enough not to hold up the scheduling.
constexpr int kMostTrials = 40;
// To try what was found once more, in each way in which its words can be read.
constexpr int kMostChecks = 8;
constexpr std::size_t kMostPlacements = 50'000;
constexpr int kMostSteps = 3;

// For how many pods a place is looked for before, or together with, the job's own.
std::size_t WaitingPods(const model::Cluster& cluster) {
  constexpr std::size_t kMostNewNodes = 1024;
  std::size_t pods = 0;
  cluster.jobs().ForEach([&](const model::Job& job) { pods += job.pending.size(); });
  return std::clamp<std::size_t>(pods, 1, kMostNewNodes);
}

// What might help against the obstacle, the smaller change first.
Candidates CandidatesFor(Prober& prober, const model::Job& job, const model::Task* asked,
                         const Obstacle& obstacle) {
  const model::Cluster& cluster = prober.cluster();
  Candidates out;
  const model::Task* task = cluster.FindTask(obstacle.task);
  if (!task) task = asked;
  if (!task && !job.pending.empty()) task = &cluster.task(job.pending.front());
  const std::size_t most = WaitingPods(cluster);
  switch (obstacle.stage) {
    case Stage::kGated:
      if (task) out.push_back(Ungate(job, {task}));
      break;
    case Stage::kEnqueue:
    case Stage::kQueue:
      if (!cluster.queue(job.queue).exists()) {
        kube::Queue missing;
        missing.meta.name = cluster.queue(job.queue).name;
        missing.meta.creation_timestamp = prober.now();
        missing.state = kube::QueueState::kOpen;
        out.push_back(Edit("create Queue " + missing.meta.name, missing));
        break;
      }
      AddQueueChanges(prober, job, asked, out);
      // A queue may be held to what the nodes have.
      if (task) AddNewNodes(cluster, *task, most, out);
      break;
    case Stage::kGang:
      if (obstacle.reason == reasons::kMembersGated) {
        out.push_back(Ungate(job, GatedMembers(cluster, job)));
      } else if (job.valid_tasks() < job.min_available || !job.RolesAreValid()) {
        AddPods(cluster, job, prober.now(), out);
      }
      break;
    case Stage::kNode:
      if (!task) break;
      AddNodeEdits(cluster, *task, out);
      AddVictimsOnNodes(cluster, job, *task, out);
      AddNewNodes(cluster, *task, most, out);
      break;
    // Nothing that is tried here helps: the reservation, or time, does.
    case Stage::kReservation:
    case Stage::kPipelined:
    case Stage::kBinding:
    case Stage::kBound: break;
  }
  return out;
}

class Search {
 public:
  Search(Prober& prober, const model::Job& job, const model::Task* asked)
      : prober_(prober), job_(job), asked_(asked), what_if_(prober.cluster()) {}

  std::string Run(JobTrial trial) {
    while (steps_.size() < kMostSteps) {
      const Obstacle* obstacle = Next(trial);
      if (!obstacle) return "";
      Candidates candidates = CandidatesFor(prober_, job_, asked_, *obstacle);
      Candidate* furthest = nullptr;
      JobTrial reached;
      for (Candidate& candidate : candidates) {
        if (Exhausted()) break;
        if (candidate.untried) return TextWith(candidate, 1);
        JobTrial at_most = TryWith(candidate, candidate.most);
        if (at_most.runs) {
          if (const int times = TimesThatHelp(candidate); times > 0) {
            return TextWith(candidate, times);
          }
          continue;
        }
        if (!furthest && GetsFurther(trial, at_most)) {
          furthest = &candidate;
          reached = std::move(at_most);
        }
      }
      if (!furthest) return "";
      // Not enough by itself: keep it, and look for what is missing on top.
      const int times =
          TimesNeeded(*furthest, [&](const JobTrial& tried) { return GetsFurther(trial, tried); });
      const bool all = times == furthest->most;
      steps_.push_back({furthest->text(times), std::move(furthest->make), times});
      steps_.back().make(what_if_, times);
      trial = all ? std::move(reached) : prober_.InTurn(job_, asked_);
    }
    return "";
  }

 private:
  // What is made on top of what came before it.
  struct Step {
    std::string text;
    std::function<void(WhatIf& what_if, int times)> make;
    int times = 1;
  };

  std::string TextWith(const Candidate& last, int times) const {
    std::string text;
    for (const Step& step : steps_) text += step.text + "; and ";
    return text + last.text(times);
  }
  bool Exhausted(int more = 0) const {
    return prober_.trials() >= kMostTrials + more || prober_.placements() >= kMostPlacements;
  }

  JobTrial TryWith(const Candidate& candidate, int times) {
    const WhatIf::Checkpoint before = what_if_.Mark();
    candidate.make(what_if_, times);
    JobTrial trial = prober_.InTurn(job_, asked_);
    what_if_.RollbackTo(before);
    return trial;
  }

  // The fewest times that help however its words are read; 0: none do, or none can be tried any
  // more. What was not tried to its end is not told.
  int TimesThatHelp(const Candidate& candidate) {
    const auto runs = [](const JobTrial& tried) { return tried.runs; };
    for (int times = TimesNeeded(candidate, runs);
         times <= candidate.most && !Exhausted(kMostChecks); ++times) {
      if (HelpsHoweverRead(candidate, times)) return times;
    }
    return 0;
  }

  bool HelpsHoweverRead(const Candidate& candidate, int times) {
    bool helps = true;
    for (const WhatIf::Reading reading : {WhatIf::Reading{WhatIf::Sorts::kFirst, true},
                                          WhatIf::Reading{WhatIf::Sorts::kLast, false}}) {
      if (!helps) break;
      MakeSteps(reading);
      helps = !Exhausted(kMostChecks) && TryWith(candidate, times).runs;
    }
    MakeSteps({});
    return helps;
  }

  void MakeSteps(WhatIf::Reading reading) {
    what_if_.RollbackTo(0);
    what_if_.set_reading(reading);
    for (const Step& step : steps_) step.make(what_if_, step.times);
  }

  // The fewest times that are enough, by doubling and then halving the gap. As often as it may be
  // made is enough.
  template <class Enough>
  int TimesNeeded(const Candidate& candidate, Enough enough) {
    int fails = 0;
    int works = 1;
    while (works < candidate.most && !Exhausted() && !enough(TryWith(candidate, works))) {
      fails = works;
      works = std::min(works * 2, candidate.most);
    }
    if (Exhausted()) return candidate.most;
    while (works - fails > 1 && !Exhausted()) {
      const int middle = fails + (works - fails) / 2;
      (enough(TryWith(candidate, middle)) ? works : fails) = middle;
    }
    return works;
  }

  // What has to be overcome next: what keeps the job from starting, then what is in the task's own
  // way. nullptr: nothing is known.
  static const Obstacle* Next(const JobTrial& trial) {
    if (trial.starts && trial.own) return &*trial.own;
    return trial.first ? &*trial.first : nullptr;
  }

  static bool GetsFurther(const JobTrial& before, const JobTrial& after) {
    const Obstacle* was = Next(before);
    const Obstacle* is = Next(after);
    if (!is || !was) return is == nullptr;
    if (is->stage != was->stage) return is->stage > was->stage;
    return after.placed > before.placed;
  }

  Prober& prober_;
  const model::Job& job_;
  const model::Task* asked_;
  WhatIf what_if_;
  std::vector<Step> steps_;  // made, in this order
};

}  // namespace

std::string FindChange(Prober& prober, const model::Job& job, const model::Task* asked,
                       JobTrial trial) {
  if (trial.runs) return "";
  return Search(prober, job, asked).Run(std::move(trial));
}

}  // namespace basalt::scheduler::explain
