#include "scheduler/simulate/simulation.h"

#include "base/log_muted.h"
#include "scheduler/simulate/answer.h"
#include "scheduler/simulate/changes.h"
#include "scheduler/simulate/pretend_cluster.h"

namespace basalt::scheduler::simulate {
namespace {

// Everything that is decided without waiting for an event is decided by then: less than the time
// after which the scheduler looks again because of the clock alone.
constexpr Duration kNow = 900ms;
// Longer than anything that a scheduler waits for without being told: its look at everything, the
// end of a promise.
constexpr Duration kQuiet = 3min;
constexpr Duration kStep = 1min;

std::unexpected<Error> TooLong() {
  return Fail(ErrorCode::kTimeout,
              "the simulation takes too long; ask for less, or for a nearer horizon");
}

}  // namespace

Result<boost::json::object> Simulate(const SchedulerImage& image, const Request& request,
                                     const std::function<bool()>& go_on,
                                     std::shared_ptr<void>* leftovers) {
  const log::Muted muted;
  const auto made = std::make_shared<PretendCluster>(image);
  if (leftovers) *leftovers = made;
  PretendCluster& cluster = *made;
  Answer answer(image, cluster);
  if (request.until_quiet) cluster.LetTimePass();
  const Result<Submitted> submitted = MakeChanges(request, cluster);
  if (!submitted) return std::unexpected(submitted.error());
  if (!cluster.Run(kNow, go_on)) return TooLong();
  bool quiet = true;
  while (request.until_quiet &&
         (cluster.expects() || cluster.elapsed() - cluster.last_change() < kQuiet)) {
    if (cluster.elapsed() >= request.horizon) {
      quiet = false;
      break;
    }
    if (!cluster.Run(kStep, go_on)) return TooLong();
  }
  return answer.Make(*submitted, request.until_quiet, quiet);
}

}  // namespace basalt::scheduler::simulate
