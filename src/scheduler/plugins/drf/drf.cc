#include <boost/unordered/unordered_flat_map.hpp>
#include <compare>
#include <memory>

#include "scheduler/framework/extension_points.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/framework/session_view.h"
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
class Drf final : public Plugin,
                  public JobOrder,
                  public QueueOrder,
                  public PreemptionVictims,
                  public ReclaimVictims,
                  public SessionObserver,
                  public PlacementObserver {
 public:
  explicit Drf(bool hierarchy) : hierarchy_(hierarchy) {}
  void Open(const SessionView& view) override {
    view_ = &view;
    tree_.reset();
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
  VictimOpinion PermitPreemption(const Task& preemptor,
                                 std::span<const Task* const> candidates) const override {
    VictimOpinion opinion;
    const Job* job = view_->JobOf(preemptor);
    if (!job) return opinion;
    const Amounts& total = view_->cluster().total_allocatable();
    const double mine = DominantShare(Held(*job).Add(preemptor.request()), total);
    // What each job would still have; goes down as candidates are looked at.
    boost::unordered_flat_map<model::JobId, Amounts> left;
    for (const Task* task : candidates) {
      const Job* other = view_->JobOf(*task);
      if (!other) continue;
      Amounts& held = left.try_emplace(other->id, Held(*other)).first->second;
      const double theirs = DominantShare(held.Sub(task->request()), total);
      if (mine - theirs <= kShareDelta) opinion.victims.push_back(task);
    }
    return opinion;
  }
  VictimOpinion PermitReclaim(const Task& reclaimer,
                              std::span<const Task* const> candidates) const override {
    if (!hierarchy_) return VictimOpinion::Abstain();
    VictimOpinion opinion;
    const Job* job = view_->JobOf(reclaimer);
    if (!job) return opinion;
    for (const Task* task : candidates) {
      const Job* other = view_->JobOf(*task);
      if (!other) continue;
      const ShareTree tree = MakeTree(&reclaimer, task);
      if (tree.Compare(PathOf(view_->QueueOf(*job)), PathOf(view_->QueueOf(*other))) < 0) {
        opinion.victims.push_back(task);
      }
    }
    return opinion;
  }

 private:
  double ShareOf(const Job& job) const {
    const Amounts& total = view_->cluster().total_allocatable();
    if (job.promised.value().NonZero() == 0) return DominantShare(job.allocated, total);
    return DominantShare(Held(job), total);
  }
  // With the reclaimer's request added and the victim's taken away, where given.
  ShareTree MakeTree(const Task* reclaimer, const Task* victim) const {
    ShareTree tree(view_->cluster().total_allocatable());
    for (const Job* job : view_->AllJobs()) {
      const Queue& queue = view_->QueueOf(*job);
      Amounts held = Held(*job);
      if (reclaimer && reclaimer->job == job->id) held.Add(reclaimer->request());
      if (victim && victim->job == job->id) held.Sub(victim->request());
      tree.AddJob(PathOf(queue), queue.object->meta.annotations.Get(kHierarchyWeights), job->key(),
                  held, job->total_request);
    }
    tree.Compute();
    return tree;
  }

  bool hierarchy_;
  const SessionView* view_ = nullptr;
  mutable std::unique_ptr<ShareTree> tree_;  // of the state as it is; nullptr: out of date
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakeDrf(const PluginContext& context) {
  if (auto ok = context.config.arguments.Read({}); !ok) return std::unexpected(ok.error());
  return std::make_unique<Drf>(context.config.IsOn(Switch::kHierarchy));
}

}  // namespace basalt::scheduler::plugins
