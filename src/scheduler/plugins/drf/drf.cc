#include <boost/unordered/unordered_flat_map.hpp>
#include <compare>
#include <memory>

#include "scheduler/framework/session_plugin.h"
#include "scheduler/plugins/drf/share_tree.h"

namespace basalt::scheduler::plugins {
using model::Amounts;

namespace {

constexpr double kShareDelta = 0.000001;
constexpr std::string_view kHierarchy = "volcano.sh/hierarchy";
constexpr std::string_view kHierarchyWeights = "volcano.sh/hierarchy-weights";

// What counts as the job's: what it holds and what it was promised.
Amounts Held(const Job& job) {
  Amounts held = job.allocated;
  return held.Add(job.promised);
}

std::string_view PathOf(const Queue& queue) {
  return queue.object->meta.annotations.Get(kHierarchy);
}

// Dominant resource fairness among jobs: the job with the smallest dominant share goes first, and
// may preempt those that would still have more. With `enableHierarchy` queues are ordered, and
// reclaimed from, by shares in the tree that their annotations volcano.sh/hierarchy and
// volcano.sh/hierarchy-weights make. Counterpart: Volcano plugins/drf. It takes no arguments.
//
// The tree looks at every job, as in Volcano, so that hierarchy costs a walk over all jobs after
// each change; without it a job's share is read from its ledger.
class Drf final : public SessionPlugin,
                  public JobOrder,
                  public QueueOrder,
                  public PreemptionVictims,
                  public ReclaimVictims,
                  public PlacementObserver {
 public:
  Result<void> Configure(const PluginConfig& config) override {
    hierarchy_ = config.IsOn(Switch::kHierarchy);
    return Plugin::Configure(config);
  }
  void TaskMoved(const Task&, const model::Holding&) override { tree_.reset(); }

  std::weak_ordering CompareJobs(const Job& a, const Job& b) const override {
    return std::weak_order(ShareOf(a), ShareOf(b));
  }
  std::weak_ordering CompareQueues(const Queue& a, const Queue& b) const override {
    if (!hierarchy_) return std::weak_ordering::equivalent;
    if (!tree_) tree_ = std::make_unique<ShareTree>(MakeTree(nullptr, nullptr));
    return std::weak_order(tree_->Compare(PathOf(a), PathOf(b)), 0.0);
  }
  VictimOpinion PermitPreemption(const Task& preemptor, Candidates candidates) const override {
    const Job* job = view().JobOf(preemptor);
    if (!job) return {};
    const Amounts& total = cluster().total_allocatable();
    const double mine = DominantShare(Held(*job).Add(preemptor.request()), total);
    // What each job would still have; goes down as candidates are looked at.
    boost::unordered_flat_map<model::JobId, Amounts> left;
    return VictimsAmong(candidates, [&](const Task& task) {
      const Job* other = view().JobOf(task);
      if (!other) return false;
      Amounts& held = left.try_emplace(other->id, Held(*other)).first->second;
      return mine - DominantShare(held.Sub(task.request()), total) <= kShareDelta;
    });
  }
  VictimOpinion PermitReclaim(const Task& reclaimer, Candidates candidates) const override {
    if (!hierarchy_) return VictimOpinion::Abstain();
    const Job* job = view().JobOf(reclaimer);
    return VictimsAmong(candidates, [&](const Task& task) {
      const Job* other = view().JobOf(task);
      return job && other &&
             MakeTree(&reclaimer, &task)
                     .Compare(PathOf(view().QueueOf(*job)), PathOf(view().QueueOf(*other))) < 0;
    });
  }

 private:
  void Opened() override { tree_.reset(); }
  double ShareOf(const Job& job) const {
    const Amounts& total = cluster().total_allocatable();
    if (job.promised.value().NonZero() == 0) return DominantShare(job.allocated, total);
    return DominantShare(Held(job), total);
  }
  // With the reclaimer's request added and the victim's taken away, where given.
  ShareTree MakeTree(const Task* reclaimer, const Task* victim) const {
    ShareTree tree(cluster().total_allocatable());
    for (const Job* job : view().AllJobs()) {
      const Queue& queue = view().QueueOf(*job);
      Amounts held = Held(*job);
      if (reclaimer && reclaimer->job == job->id) held.Add(reclaimer->request());
      if (victim && victim->job == job->id) held.Sub(victim->request());
      tree.AddJob(PathOf(queue), queue.object->meta.annotations.Get(kHierarchyWeights), job->key(),
                  held, job->total_request);
    }
    tree.Compute();
    return tree;
  }

  bool hierarchy_ = false;
  mutable std::unique_ptr<ShareTree> tree_;  // of the state as it is; nullptr: out of date
};

}  // namespace

std::unique_ptr<Plugin> MakeDrf() { return std::make_unique<Drf>(); }

}  // namespace basalt::scheduler::plugins
