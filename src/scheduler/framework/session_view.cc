#include "scheduler/framework/session_view.h"

#include <algorithm>

#include "model/queue_room.h"
#include "scheduler/framework/aggregators.h"
#include "scheduler/framework/job_text.h"
#include "scheduler/framework/reasons.h"

namespace basalt::scheduler {
namespace {

// What a plugin answers to the question.
template <auto kQuestion, class... About>
auto Ask(const About&... about) {
  return [&](auto& plugin) { return (plugin.*kQuestion)(about...); };
}

}  // namespace

const Job* SessionView::FindJob(model::JobId id) const {
  const Job* job = cluster_.FindJob(id);
  return job && job->exists() && job->queue.valid() && cluster_.queue(job->queue).exists()
             ? job
             : nullptr;
}

std::vector<const Job*> SessionView::ActiveJobs() const {
  std::vector<const Job*> jobs;
  jobs.reserve(cluster_.active_jobs().size());
  for (const model::JobId id : cluster_.active_jobs()) {
    if (const Job* job = FindJob(id)) jobs.push_back(job);
  }
  return jobs;
}

std::vector<const Job*> SessionView::AllJobs() const {
  std::vector<const Job*> jobs;
  cluster_.jobs().ForEach([&](const Job& job) {
    if (FindJob(job.id)) jobs.push_back(&job);
  });
  return jobs;
}

std::vector<const Queue*> SessionView::Queues() const {
  std::vector<const Queue*> queues;
  cluster_.queues().ForEach([&](const Queue& queue) {
    if (queue.exists()) queues.push_back(&queue);
  });
  std::ranges::sort(queues, {}, [](const Queue* queue) { return std::string_view(queue->name); });
  return queues;
}

const model::Amounts& SessionView::LargestNode() const {
  if (!largest_node_) {
    largest_node_.emplace();
    for (const NodeId id : cluster_.nodes()) largest_node_->RaiseTo(cluster_.node(id).allocatable);
  }
  return *largest_node_;
}

std::weak_ordering SessionView::CompareJobs(const Job& a, const Job& b) const {
  return OrderChain(plugins_.hooks<JobOrder>(), Ask<&JobOrder::CompareJobs>(a, b));
}

std::weak_ordering SessionView::CompareTasks(const Task& a, const Task& b) const {
  return OrderChain(plugins_.hooks<TaskOrder>(), Ask<&TaskOrder::CompareTasks>(a, b));
}

bool SessionView::JobBefore(const Job& a, const Job& b) const {
  if (const auto order = CompareJobs(a, b); order != 0) return order < 0;
  return a.created() != b.created() ? a.created() < b.created() : a.arrival < b.arrival;
}

bool SessionView::QueueBefore(const Queue& a, const Queue& b) const {
  const auto order =
      OrderChain(plugins_.hooks<QueueOrder>(), Ask<&QueueOrder::CompareQueues>(a, b));
  if (order != 0) return order < 0;
  const Time created_a = a.object ? a.object->meta.creation_timestamp : Time{};
  const Time created_b = b.object ? b.object->meta.creation_timestamp : Time{};
  return created_a != created_b ? created_a < created_b : a.name < b.name;
}

bool SessionView::TaskBefore(const Task& a, const Task& b) const {
  if (const auto order = CompareTasks(a, b); order != 0) return order < 0;
  return model::TaskBefore(a, b);
}

bool SessionView::VictimBefore(const Task& a, const Task& b, const Task& preemptor) const {
  if (a.job == b.job) return TaskBefore(b, a);
  const Job* job_a = JobOf(a);
  const Job* job_b = JobOf(b);
  const Job* preemptor_job = JobOf(preemptor);
  if (!job_a && !job_b) return TaskBefore(b, a);
  if (!job_a || !job_b) return !job_a;  // a task whose group is gone goes first
  if (preemptor_job && job_a->queue != job_b->queue) {
    const Queue& queue_a = QueueOf(*job_a);
    const Queue& queue_b = QueueOf(*job_b);
    const Queue& beneficiary = QueueOf(*preemptor_job);
    const auto order =
        OrderChain(plugins_.hooks<VictimQueueOrder>(),
                   Ask<&VictimQueueOrder::CompareVictimQueues>(queue_a, queue_b, beneficiary));
    return order != 0 ? order < 0 : QueueBefore(queue_b, queue_a);
  }
  if (const auto order = CompareJobs(*job_a, *job_b); order != 0) return order > 0;
  return TaskBefore(b, a);
}

Verdict SessionView::ValidateJob(const Job& job) const {
  if (!NotSupported(job).empty()) return Verdict::Unsupported(reasons::kNotSupported);
  return FirstRefusal(plugins_.hooks<JobValidator>(), Ask<&JobValidator::ValidateJob>(job));
}

bool SessionView::IsJobReady(const Job& job) const {
  return AllPass(plugins_.hooks<JobReadiness>(), Ask<&JobReadiness::IsJobReady>(job));
}

bool SessionView::IsJobPipelined(const Job& job) const {
  return TierVote(plugins_.hooks<JobPipelining>(), Ask<&JobPipelining::IsJobPipelined>(job));
}

bool SessionView::IsJobStarving(const Job& job) const {
  return FirstTierAll(plugins_.hooks<JobStarvation>(), Ask<&JobStarvation::IsJobStarving>(job));
}

bool SessionView::MayEnqueue(const Job& job, EnqueueRefusal* why) const {
  return TierVote(plugins_.hooks<EnqueueVoter>(), Ask<&EnqueueVoter::MayEnqueue>(job, why));
}

bool SessionView::CountsWithPod(const Task& task) const {
  const Job* job = cluster_.FindJob(task.job);
  return job && job->counts_with_pod;
}

Verdict SessionView::MayAllocate(const Queue& queue, const Task& task) const {
  const auto& plugins = plugins_.hooks<QueueAdmission>();
  if (CountsWithPod(task)) return {};
  const Verdict verdict = FirstRefusal(plugins, Ask<&QueueAdmission::MayAllocate>(queue, task));
  if (!verdict.ok() || plugins.empty() || cluster_.releasing().empty()) return verdict;
  // To the plugins, as to Volcano's, a task that leaves is gone.
  const model::Shortfall full = FullOfOverdue(cluster_, queue, task, queue_reach());
  return full.exists() ? Verdict::QueueFull(reasons::kQueueFullOfOverdue, full) : verdict;
}

Verdict SessionView::MayClaim(const Queue& queue, const Task& task) const {
  const Verdict verdict = MayAllocate(queue, task);
  if (!verdict.ok() || plugins_.hooks<QueueAdmission>().empty()) return verdict;
  const model::Shortfall full = FullUntilOthersLeave(cluster_, queue, task, queue_reach());
  return full.exists() ? Verdict::QueueFull(reasons::kOthersMustLeave, full) : verdict;
}

bool SessionView::MayStart(const Queue& queue, const Task& task) const {
  return cluster_.releasing().empty() || plugins_.hooks<QueueAdmission>().empty() ||
         CountsWithPod(task) || !MustWaitForLeaving(cluster_, queue, task, queue_reach());
}

bool SessionView::IsOverused(const Queue& queue) const {
  return AnyOf(plugins_.hooks<QueueOveruse>(), Ask<&QueueOveruse::IsOverused>(queue));
}

bool SessionView::MayReclaim(const Queue& queue, std::span<const Task* const> tasks) const {
  return AllPass(plugins_.hooks<QueuePreemption>(),
                 Ask<&QueuePreemption::MayReclaim>(queue, tasks));
}

std::vector<const Task*> SessionView::Preemptable(const Task& preemptor,
                                                  std::span<const Task* const> candidates) const {
  return TierIntersection(plugins_.hooks<PreemptionVictims>(),
                          Ask<&PreemptionVictims::PermitPreemption>(preemptor, candidates));
}

std::vector<const Task*> SessionView::Reclaimable(const Task& reclaimer,
                                                  std::span<const Task* const> candidates) const {
  return TierIntersection(plugins_.hooks<ReclaimVictims>(),
                          Ask<&ReclaimVictims::PermitReclaim>(reclaimer, candidates));
}

std::vector<const Task*> SessionView::Evictable(const GangEviction& context,
                                                std::span<const Task* const> candidates) const {
  return TierIntersection(plugins_.hooks<UnifiedVictims>(),
                          Ask<&UnifiedVictims::PermitEviction>(context, candidates));
}

std::vector<const Task*> SessionView::PeriodicVictimsAmong(
    std::span<const Task* const> running) const {
  return TierUnion(plugins_.hooks<PeriodicVictims>(), Ask<&PeriodicVictims::FindVictims>(running));
}

std::optional<Time> SessionView::ChangesAt(const Job& job) const {
  std::optional<Time> earliest;
  TellAll(plugins_.hooks<TimeDependent>(), [&](const TimeDependent& plugin) {
    const std::optional<Time> time = plugin.ChangesAt(job);
    if (time) earliest = std::min(*time, earliest.value_or(*time));
  });
  return earliest;
}

Verdict SessionView::CheckTask(const Task& task) const {
  return FirstRefusal(plugins_.hooks<PrePredicate>(), Ask<&PrePredicate::CheckTask>(task));
}

Verdict SessionView::Filter(const Task& task, const Node& node) const {
  std::vector<NodeFilter::Part> parts;
  return FirstRefusal(plugins_.hooks<NodeFilter>(), [&](const NodeFilter& plugin) {
    parts.clear();
    plugin.FilterParts(task, &parts);
    for (const NodeFilter::Part& part : parts) {
      const Verdict verdict = plugin.Filter(task, node, part.number);
      if (!verdict.ok()) return verdict;
    }
    return Verdict::Ok();
  });
}

double SessionView::Score(const Task& task, const Node& node) const {
  double score = 0;
  TellAll(plugins_.hooks<NodeScorer>(), [&](const NodeScorer& plugin) {
    if (plugin.ScoreDependsOn(task) == DependsOn::kNothing) return;
    plugin.ScoreNodes(task, std::span(&node.id, 1), std::span(&score, 1));
  });
  return score;
}

}  // namespace basalt::scheduler
