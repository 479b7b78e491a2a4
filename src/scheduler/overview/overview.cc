#include "scheduler/overview/overview.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <map>
#include <ranges>
#include <tuple>
#include <vector>

#include "base/largest_counts.h"
#include "kube/types/reasons.h"
#include "kube/types/time.h"
#include "model/group_condition.h"
#include "scheduler/explain/overview.h"
#include "scheduler/explain/promise_wait.h"
#include "scheduler/framework/standing_promises.h"
#include "scheduler/overview/clip.h"

namespace basalt::scheduler::overview {
namespace {

namespace json = boost::json;
using model::TaskStatus;

// More rows than people read; the counts are of all.
constexpr std::size_t kMostWaiting = 2000;
constexpr std::size_t kMostEvictions = 500;
constexpr std::size_t kMostPromises = 2000;
constexpr std::size_t kMostReservations = 2000;
constexpr std::size_t kMostNodesOfReservation = 100;
// Tenants can write any reason into the status of their pods: the reasons of most pods are told
// apart.
constexpr std::size_t kMostReasons = 50;

// Where clouds and autoscalers say which pool a node is of, the first that is there.
constexpr std::string_view kPoolLabels[] = {
    "karpenter.sh/nodepool", "cloud.google.com/gke-nodepool", "eks.amazonaws.com/nodegroup",
    "kubernetes.azure.com/agentpool", "node.kubernetes.io/instance-type"};

// As people count it: cores, bytes, pieces.
double InUnits(int dimension, double amount) {
  return dimension == model::kMemory || dimension == model::kPods ? amount : amount / 1000;
}

class Overview {
 public:
  explicit Overview(const SchedulerImage& image) : image_(image), state_(image.options.state) {
    state_.Adopt(image.state);
    const model::Dimensions& dimensions = cluster().dimensions();
    for (int d = 0; d < std::min(dimensions.size(), cluster().ledger().dimensions()); ++d) {
      if (d != model::kPods && !dimensions.name(d).empty()) dimensions_.push_back(d);
    }
  }

  json::object Make() {
    json::object out{{"apiVersion", "basalt.sh/dashboard/v1"},
                     {"version",
                      {{"generation", image_.state.generation},
                       {"cycle", image_.cycles},
                       {"time", kube::FormatTime(image_.taken_at)}}},
                     {"cycleMilliseconds",
                      std::chrono::duration<double, std::milli>(image_.last_cycle_took).count()}};
    json::array resources;
    for (const int d : dimensions_) resources.emplace_back(cluster().dimensions().name(d));
    out["resources"] = std::move(resources);
    json::array namespaces;
    for (const auto& [name, object] : cluster().objects().namespaces) namespaces.emplace_back(name);
    out["namespaces"] = std::move(namespaces);
    out["nodes"] = Nodes();
    out["queues"] = explain::ListQueues(cluster());
    AddWaiting(out);
    out["evictions"] = Evictions();
    out["cyclesBroken"] = image_.evictions.cycles_broken;
    out["promises"] = Promises();
    out["reservations"] = Reservations();
    return out;
  }

 private:
  const model::Cluster& cluster() const { return state_.cluster(); }

  template <class Amount>
  json::array Amounts(Amount amount) const {
    json::array out;
    for (const int d : dimensions_) out.emplace_back(InUnits(d, amount(d)));
    return out;
  }

  // Every viewer is shown all nodes (dashboard/feed.h): they say nothing of a tenant's pods.
  json::array Nodes() const {
    json::array out;
    const model::NodeLedger& ledger = cluster().ledger();
    for (const model::NodeId id : cluster().nodes()) {
      const model::Node& node = cluster().node(id);
      const kube::Node& object = *node.object;
      std::string_view pool;
      for (const std::string_view label : kPoolLabels) {
        if (pool.empty()) pool = object.meta.labels.Get(label);
      }
      model::Amounts reserved;
      std::size_t pods = 0;
      for (const model::Task& task : cluster().TasksOf(node.tasks)) {
        if (cluster().IsReserved(task)) {
          reserved.Add(task.request());
        } else {
          ++pods;
        }
      }
      const auto of = [&](auto row) { return Amounts([&](int d) { return row(d)[id.index()]; }); };
      out.push_back({{"name", node.name},
                     {"ready", object.ready()},
                     {"cordoned", object.spec.unschedulable},
                     {"taints", object.spec.taints.size()},
                     {"zone", ClipName(object.meta.labels.Get("topology.kubernetes.io/zone"))},
                     {"pool", ClipName(pool)},
                     {"pods", pods},
                     {"allocatable", of([&](int d) { return ledger.allocatable(d); })},
                     {"used", of([&](int d) { return ledger.used(d); })},
                     {"promised", of([&](int d) { return ledger.promised(d); })},
                     {"leaving", of([&](int d) { return ledger.releasing(d); })},
                     {"reserved", Amounts([&](int d) { return reserved[d]; })}});
    }
    return out;
  }

  // What the pod that says most about the job says.
  static std::pair<std::string, std::string> ReasonOf(const model::Job& job,
                                                      const model::Task& task) {
    if (const kube::Condition* said = kube::PodScheduledOf(*task.pod);
        said && said->status == kube::ConditionStatus::kFalse && !task.pod->gated()) {
      return {Clip(said->reason, kLongestReason), Clip(said->message, kLongestMessage)};
    }
    if (job.exists()) {
      for (const kube::PodGroupCondition& said : job.group->conditions) {
        if (said.type == model::kGroupUnschedulable &&
            said.status == kube::ConditionStatus::kTrue) {
          return {Clip(said.reason, kLongestReason), Clip(said.message, kLongestMessage)};
        }
      }
    }
    if (task.pod->gated()) return {std::string(reasons::kSchedulingGated), ""};
    return {std::string(job.exists() ? reasons::kNew : reasons::kGroupNotFound), ""};
  }

  static std::string_view StageOf(const model::Job& job, const model::Task& task) {
    if (task.status() == TaskStatus::kPipelined) return "pipelined";
    if (task.gate != model::Gate::kNone) return "gated";
    if (!job.exists()) return "gang";
    if (job.IsPending()) return "enqueue";
    const kube::Condition* said = kube::PodScheduledOf(*task.pod);
    return said && said->reason == reasons::kWaitsForQueue ? "queue" : "node";
  }

  void AddWaiting(json::object& out) const {
    std::vector<const model::Job*> jobs;
    cluster().jobs().ForEach([&](const model::Job& job) {
      if (!job.reservation && job.pending.size() + job.pipelined.size() > 0) jobs.push_back(&job);
    });
    std::ranges::sort(jobs, {}, [](const model::Job* job) {
      return std::tuple(job->created(), std::string_view(job->ns), std::string_view(job->name));
    });
    json::array rows;
    std::map<std::string, std::int64_t> by_reason;
    std::int64_t pods = 0;
    const auto task_of = [&](model::TaskId id) -> const model::Task& { return cluster().task(id); };
    for (const model::Job* job : jobs) {
      const auto& list = job->pending.empty() ? job->pipelined : job->pending;
      const model::Task& first =
          task_of(*std::ranges::min_element(list, model::TaskBefore, task_of));
      const auto waiting = static_cast<std::int64_t>(job->pending.size() + job->pipelined.size());
      const auto [reason, message] = ReasonOf(*job, first);
      by_reason[reason] += waiting;
      pods += waiting;
      if (rows.size() >= kMostWaiting) continue;
      rows.push_back({{"namespace", ClipName(job->ns)},
                      {"group", job->shadow ? "" : ClipName(job->name)},
                      {"pod", ClipName(first.name())},
                      {"queue", QueueOf(*job)},
                      {"stage", StageOf(*job, first)},
                      {"reason", reason},
                      {"message", message},
                      {"pending", job->pending.size()},
                      {"promised", job->pipelined.size()},
                      {"minMember", job->min_available},
                      {"pods", job->counts.total()},
                      {"priority", job->priority},
                      {"created", kube::FormatTime(job->created())}});
    }
    out["waiting"] = std::move(rows);
    out["waitingGroups"] = jobs.size();
    out["waitingPods"] = pods;
    json::object counts;
    for (const auto& [reason, count] :
         LargestCounts<std::int64_t>({by_reason.begin(), by_reason.end()}, kMostReasons)) {
      counts[reason] = count;
    }
    out["waitingByReason"] = std::move(counts);
  }

  std::string QueueOf(const model::Job& job) const {
    return job.queue.valid() ? ClipName(cluster().queue(job.queue).name) : "";
  }

  json::array Evictions() const {
    json::array out;
    for (const auto& eviction : std::views::reverse(image_.evictions.log)) {
      if (out.size() >= kMostEvictions) break;
      if (!eviction) continue;
      const auto& [victim, beneficiary] = std::tie(eviction->victim, eviction->beneficiary);
      const std::size_t slash = victim.find('/');
      const std::size_t other = beneficiary.find('/');
      out.push_back(
          {{"namespace", ClipName(victim.substr(0, slash))},
           {"name", ClipName(victim.substr(slash + 1))},
           {"forNamespace", ClipName(beneficiary.substr(0, other))},
           {"forName", other == std::string::npos ? "" : ClipName(beneficiary.substr(other + 1))},
           {"time", kube::FormatTime(eviction->at)}});
    }
    return out;
  }

  json::array Promises() const {
    const Duration grace = explain::NominationGraceOf(image_.config);
    std::vector<const model::Task*> tasks;
    for (const model::Task& task : cluster().TasksOf(cluster().promised())) {
      if (!cluster().IsReserved(task)) tasks.push_back(&task);
    }
    std::ranges::sort(tasks, {}, explain::NamesOf);
    json::array out;
    for (const model::Task* task : tasks | std::views::take(kMostPromises)) {
      const auto until = PromisesEndOn(cluster(), task->node(), grace);
      out.push_back({{"namespace", ClipName(task->ns())},
                     {"name", ClipName(task->name())},
                     {"node", cluster().node(task->node()).name},
                     {"until", until ? json::value(kube::FormatTime(*until)) : nullptr}});
    }
    return out;
  }

  json::array Reservations() const {
    json::array out;
    cluster().reservations().ForEach([&](const model::ReservationRecord& record) {
      if (out.size() >= kMostReservations) return;
      json::array nodes;
      std::size_t placed = 0;
      for (const model::ReservedSlot& slot : record.slots) {
        const model::Task& task = cluster().task(slot.id);
        if (!task.node().valid() || ++placed > kMostNodesOfReservation) continue;
        nodes.emplace_back(cluster().node(task.node()).name);
      }
      const auto end = model::EndOf(*record.object);
      const model::Job& job = cluster().job(record.job);
      out.push_back({{"namespace", ClipName(record.ns())},
                     {"name", ClipName(record.name())},
                     {"queue", QueueOf(job)},
                     {"phase", kube::ToString(cluster().reservations().PhaseOf(record))},
                     {"slots", record.slots.size()},
                     {"placed", placed},
                     {"nodes", std::move(nodes)},
                     {"message", Clip(record.object->status.message, kLongestMessage)},
                     {"ends", end ? json::value(kube::FormatTime(*end)) : nullptr}});
    });
    return out;
  }

  const SchedulerImage& image_;
  ClusterState state_;
  std::vector<int> dimensions_;
};

}  // namespace

json::object OverviewOf(const SchedulerImage& image) { return Overview(image).Make(); }

}  // namespace basalt::scheduler::overview
