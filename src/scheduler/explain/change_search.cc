#include "scheduler/explain/change_search.h"

#include <fmt/format.h>

#include <algorithm>

#include "scheduler/explain/change_candidates.h"

namespace basalt::scheduler::explain {

JobTrial Prober::Try(const model::Job& job, const model::Task* asked) {
  ++trials_;
  placements_ += job.pending.size() + job.pipelined.size();
  Session session(cluster_, plugins_, now_);
  return TryJob(cluster_, session, job, asked);
}

namespace {

// Enough for every case that people meet, few enough not to hold up the scheduling.
constexpr int kMostTrials = 40;
constexpr std::size_t kMostPlacements = 50'000;
constexpr int kMostSteps = 3;

class Search {
 public:
  Search(model::Cluster& cluster, Prober& prober, const model::Job& job, const model::Task* asked)
      : prober_(prober), job_(job), asked_(asked), what_if_(cluster) {}

  std::string Run(JobTrial trial) {
    std::vector<std::string> changes;
    for (int step = 0; step < kMostSteps; ++step) {
      const Obstacle* obstacle = trial.First();
      if (!obstacle) return "";
      const std::vector<Candidate> candidates =
          CandidatesFor(what_if_.cluster(), job_, asked_, *obstacle);
      const Candidate* furthest = nullptr;
      JobTrial reached;
      for (const Candidate& candidate : candidates) {
        if (Exhausted()) break;
        if (candidate.untried) {
          changes.push_back(candidate.text(1));
          return Joined(changes);
        }
        JobTrial at_most = TryWith(candidate, candidate.most);
        if (at_most.runs) {
          changes.push_back(candidate.text(TimesNeeded(candidate)));
          return Joined(changes);
        }
        if (!furthest && GetsFurther(trial, at_most)) {
          furthest = &candidate;
          reached = std::move(at_most);
        }
      }
      if (!furthest) return "";
      // Not enough by itself: keep it, and look for what is missing on top.
      furthest->make(what_if_, furthest->most);
      changes.push_back(furthest->text(furthest->most));
      trial = std::move(reached);
    }
    return "";
  }

 private:
  static std::string Joined(const std::vector<std::string>& changes) {
    return fmt::format("{}", fmt::join(changes, "; and "));
  }
  bool Exhausted() const {
    return prober_.trials() >= kMostTrials || prober_.placements() >= kMostPlacements;
  }

  JobTrial TryWith(const Candidate& candidate, int times) {
    const WhatIf::Checkpoint before = what_if_.Mark();
    candidate.make(what_if_, times);
    JobTrial trial = prober_.Try(job_, asked_);
    what_if_.RollbackTo(before);
    return trial;
  }

  // The fewest times that are enough, by doubling and then halving the gap. As often as it may be
  // made is enough.
  int TimesNeeded(const Candidate& candidate) {
    int fails = 0;
    int works = 1;
    while (works < candidate.most && !Exhausted() && !TryWith(candidate, works).runs) {
      fails = works;
      works = std::min(works * 2, candidate.most);
    }
    if (Exhausted()) return candidate.most;
    while (works - fails > 1 && !Exhausted()) {
      const int middle = fails + (works - fails) / 2;
      (TryWith(candidate, middle).runs ? works : fails) = middle;
    }
    return works;
  }

  static bool GetsFurther(const JobTrial& before, const JobTrial& after) {
    const Obstacle* was = before.First();
    const Obstacle* is = after.First();
    if (!is || !was) return is == nullptr;
    if (is->stage != was->stage) {
      // A gang's lack of pods is looked at before its queue's room.
      const auto place = [](Stage stage) {
        return stage == Stage::kGang ? static_cast<int>(Stage::kEnqueue) * 2 + 1
                                     : static_cast<int>(stage) * 2;
      };
      return place(is->stage) > place(was->stage);
    }
    return after.placed > before.placed;
  }

  Prober& prober_;
  const model::Job& job_;
  const model::Task* asked_;
  WhatIf what_if_;
};

}  // namespace

std::string FindChange(model::Cluster& cluster, Prober& prober, const model::Job& job,
                       const model::Task* asked, JobTrial trial) {
  if (trial.runs) return "";
  return Search(cluster, prober, job, asked).Run(std::move(trial));
}

}  // namespace basalt::scheduler::explain
