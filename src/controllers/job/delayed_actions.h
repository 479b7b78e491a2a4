#pragma once

#include <optional>
#include <vector>

#include "base/clock.h"
#include "controllers/job/job_pods.h"
#include "controllers/job/policies.h"

namespace basalt::controllers {

// A job's actions that wait for their policy's timeout (contract C12.4): one per pod at a time.
// Which of them are still called for is looked at whenever the job is. Times are Clock::Now. A part
// of the JobController's state of a job; loop thread only.
class DelayedActions {
 public:
  // Starts to wait, unless something waits for that pod already.
  void Add(const Occurrence& occurrence, Time now);
  // Drops what is no longer called for: the pod has left Pending, one of its name runs again, or
  // its version is past.
  void Prune(const JobPods& pods, std::int32_t version);
  // An action was carried out: others of the same reach have been answered with it.
  void Carried(const Occurrence& occurrence);

  // Takes the one that is due longest.
  std::optional<Occurrence> TakeDue(Time now);
  // It could not be carried out, and stays due.
  void Return(Occurrence occurrence);
  std::optional<Time> next_due() const;
  bool empty() const { return waiting_.empty(); }

 private:
  struct Waiting {
    Occurrence occurrence;
    Time due;
  };
  std::vector<Waiting> waiting_;  // by `due`
};

}  // namespace basalt::controllers
