#pragma once

#include <map>
#include <string>

#include "base/clock.h"
#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"

namespace basalt::scheduler::plugins {

// Time division multiplexing: nodes of a revocable zone (label volcano.sh/revocable-zone) take
// preemptable tasks during certain hours; outside of them these tasks leave, as many at a time as
// the job's disruption budget allows. Elsewhere tasks that are not preemptable may preempt those
// that are. Counterpart: Volcano plugins/tdm. Hours are in UTC (Volcano: the scheduler's local
// time).
//
// Arguments: tdm.revocable-zone.NAME ("10:00-21:00"; an end before the start is on the next day),
// tdm.evict.period ("1m").
class Tdm final : public Plugin,
                  public NodeFilter,
                  public NodeScorer,
                  public PreemptionVictims,
                  public PeriodicVictims,
                  public JobOrder,
                  public JobPipelining,
                  public JobStarvation,
                  public TimeDependent,
                  public SessionObserver {
 public:
  static constexpr std::string_view kName = "tdm";
  static Result<std::unique_ptr<Plugin>> Make(const PluginContext& context);

  explicit Tdm(Reasons& reasons) : reasons_(reasons) {}
  std::string_view name() const override { return kName; }
  std::vector<std::string> ReadsFromPod() const override;
  void Open(const SessionView& view) override { view_ = &view; }

  void FilterParts(const Task& task, std::vector<Part>* parts) const override;
  Verdict Filter(const Task& task, const Node& node, int part) const override;
  DependsOn ScoreDependsOn(const Task&) const override { return DependsOn::kStatic; }
  void ScoreNodes(const Task& task, std::span<const NodeId> nodes,
                  std::span<double> scores) const override;
  bool BoundScores(const Task& task, std::span<const model::NodeBox> boxes,
                   std::span<double> bounds) const override;
  VictimOpinion PermitPreemption(const Task& preemptor,
                                 std::span<const Task* const> candidates) const override;
  // Preemptable tasks on nodes of zones whose hours are over; whatever is running elsewhere.
  std::vector<const Task*> FindVictims(std::span<const Task* const> running) override;
  // Jobs that are not preemptable go first.
  std::weak_ordering CompareJobs(const Job& a, const Job& b) const override;
  Vote IsJobPipelined(const Job& job) const override {
    return job.IsPipelined() ? Vote::kPermit : Vote::kReject;
  }
  bool IsJobStarving(const Job& job) const override;
  // When the hours of a zone begin or are over.
  std::optional<Time> ChangesAt(const Job& job) const override;
  std::int64_t KindOf(const Job& job) const override;

 private:
  // Minutes of the day.
  struct Hours {
    int start = 0;
    int end = 0;
  };
  bool IsActive(std::string_view zone) const;
  std::vector<const Task*> AsBudgetsAllow(std::vector<const Task*> tasks) const;

  Reasons& reasons_;
  std::map<std::string, Hours, std::less<>> zones_;
  Duration evict_period_ = std::chrono::minutes(1);
  Time last_evictions_{};
  const SessionView* view_ = nullptr;
};

}  // namespace basalt::scheduler::plugins
