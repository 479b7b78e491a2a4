// An image taken of a state, and a state made of one.
#include "scheduler/state/state_image.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "scheduler/state/cluster_state.h"
#include "scheduler/state/image_taker.h"

namespace basalt::scheduler {
namespace {

template <class Id>
std::uint32_t SlotOrNone(Id id) {
  return id.valid() ? id.value : StateImage::kNone;
}

StateImage::ReservationImage ReservationImageOf(const model::Cluster& cluster,
                                                const model::ReservationRecord& record) {
  StateImage::ReservationImage image;
  auto object = std::make_shared<kube::Reservation>(*record.object);
  // What it is to say is what the state knows; the API server may not have heard it yet.
  if (record.status.phase != kube::ReservationPhase::kNone) object->status = record.status;
  image.object = std::move(object);
  for (const model::ReservedSlot& slot : record.slots) {
    image.slots.push_back(
        {.holding = cluster.task(slot.id).holding, .taker = SlotOrNone(slot.taker)});
  }
  return image;
}

// From slots of the state that was to those of the one that is made.
template <class Id>
class SlotMap {
 public:
  void Set(std::uint32_t slot, Id id) {
    if (slot >= ids_.size()) ids_.resize(slot + 1);
    ids_[slot] = id;
  }
  Id operator[](std::uint32_t slot) const { return slot < ids_.size() ? ids_[slot] : Id{}; }

 private:
  std::vector<Id> ids_;
};

// Indices of task images, job after job, within a job in the order of their slots.
class TasksByJob {
 public:
  explicit TasksByJob(const std::vector<StateImage::TaskImage>& tasks) : order_(tasks.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    std::ranges::sort(order_, {}, [&](std::uint32_t i) {
      return std::uint64_t{tasks[i].job} << 32 | tasks[i].slot;
    });
    for (std::uint32_t at = 0; at < order_.size(); ++at) {
      const std::uint32_t job = tasks[order_[at]].job;
      if (at > 0 && tasks[order_[at - 1]].job == job) continue;
      if (job == StateImage::kNone) {
        jobless_ = at;
        break;
      }
      if (job >= begins_.size()) begins_.resize(job + 1, StateImage::kNone);
      begins_[job] = at;
    }
    if (jobless_ == StateImage::kNone) jobless_ = static_cast<std::uint32_t>(order_.size());
  }

  template <class Fn>
  void ForEachOf(const std::vector<StateImage::TaskImage>& tasks, std::uint32_t job, Fn fn) const {
    std::uint32_t at = job == StateImage::kNone ? jobless_
                       : job < begins_.size()   ? begins_[job]
                                                : StateImage::kNone;
    for (; at < order_.size() && tasks[order_[at]].job == job; ++at) fn(tasks[order_[at]]);
  }

 private:
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> begins_;  // by the job's slot
  std::uint32_t jobless_ = StateImage::kNone;
};

}  // namespace

// ---- taking one

void ImageTaker::CopyTask(std::uint32_t slot) {
  const model::Task* task = state_.cluster().FindTask(model::TaskId{slot});
  const model::Job* job = task ? state_.cluster().FindJob(task->job) : nullptr;
  const bool wanted = task && !(job && job->reservation);
  StateImage::TaskImage* out = tasks_.Place(image_.tasks, slot, wanted);
  if (!out) return;
  *out = {.slot = slot,
          .job = SlotOrNone(task->job),
          .pod = task->pod,
          .holding = task->holding,
          .claimed_since = task->claimed_since,
          .ungating = task->ungating};
}

void ImageTaker::CopyJob(std::uint32_t slot) {
  const model::Job* job = state_.cluster().FindJob(model::JobId{slot});
  const bool wanted = job && !job->reservation;
  StateImage::JobImage* out = jobs_.Place(image_.jobs, slot, wanted);
  if (!out) return;
  *out = {.slot = slot,
          .ns = job->ns,
          .name = job->name,
          .group = job->group,
          .queue = SlotOrNone(job->queue),
          .arrival = job->arrival,
          .priority = job->priority,
          .phase = job->phase,
          .shadow = job->shadow,
          .changed = job->changed,
          .schedule_start = job->schedule_start};
}

void ImageTaker::CopyNode(std::uint32_t slot) {
  const model::Node* node = state_.cluster().node_slots().Find(model::NodeId{slot});
  StateImage::NodeImage* out = nodes_.Place(image_.nodes, slot, node != nullptr);
  if (!out) return;
  *out = {
      .slot = slot, .name = node->exists() ? std::string() : node->name, .object = node->object};
}

bool ImageTaker::Copy(std::uint32_t most) {
  const model::Cluster& cluster = state_.cluster();
  const std::uint32_t tasks = cluster.tasks().bound(), jobs = cluster.jobs().bound(),
                      nodes = cluster.node_slots().bound();
  if (next_task_ == 0) {
    image_.tasks.reserve(cluster.tasks().live());
    image_.jobs.reserve(cluster.jobs().live());
    image_.nodes.reserve(cluster.node_slots().live());
  }
  for (; most > 0 && next_task_ < tasks; --most) CopyTask(next_task_++);
  for (; most > 0 && next_job_ < jobs; --most) CopyJob(next_job_++);
  for (; most > 0 && next_node_ < nodes; --most) CopyNode(next_node_++);
  return next_task_ == tasks && next_job_ == jobs && next_node_ == nodes;
}

StateImage ImageTaker::Finish(const model::Cluster::Noted& changed) {
  Copy(StateImage::kNone);
  for (const std::uint32_t slot : changed.tasks) CopyTask(slot);
  for (const std::uint32_t slot : changed.jobs) CopyJob(slot);
  for (const std::uint32_t slot : changed.nodes) CopyNode(slot);
  const model::Cluster& cluster = state_.cluster();
  image_.generation = state_.generation();
  image_.objects = cluster.objects();
  cluster.queues().ForEach([&](const model::Queue& queue) {
    image_.queues.push_back({.slot = queue.id.value, .name = queue.name, .object = queue.object});
  });
  cluster.reservations().ForEach([&](const model::ReservationRecord& record) {
    const model::Job& job = cluster.job(record.job);
    StateImage::JobImage& out = image_.jobs.emplace_back();
    out.slot = job.id.value;
    out.arrival = job.arrival;
    out.phase = job.phase;
    out.changed = job.changed;
    out.schedule_start = job.schedule_start;
    out.reservation = static_cast<std::uint32_t>(image_.reservations.size());
    image_.reservations.push_back(ReservationImageOf(cluster, record));
  });
  return std::move(image_);
}

StateImage ClusterState::TakeImage() const { return ImageTaker(*this).Finish({}); }

// ---- making a state of one

// In the order in which jobs came, since of those that are equal the first is served first.
void ClusterState::Adopt(const StateImage& image) {
  deciding_ = true;
  generation_ = image.generation + 1;
  cluster_.mutable_objects() = image.objects;
  cluster_.Expect(image.tasks.size(), image.jobs.size());
  std::vector<std::string> queues;
  for (const StateImage::QueueImage& queue : image.queues) {
    if (queue.slot >= queues.size()) queues.resize(queue.slot + 1);
    queues[queue.slot] = queue.name;
    if (queue.object) cluster_.SetQueue(queue.object);
  }
  SlotMap<model::NodeId> nodes;
  std::vector<const StateImage::NodeImage*> in_order;
  in_order.reserve(image.nodes.size());
  for (const StateImage::NodeImage& node : image.nodes) in_order.push_back(&node);
  std::ranges::sort(in_order, {}, &StateImage::NodeImage::slot);
  for (const StateImage::NodeImage* node : in_order) {
    nodes.Set(node->slot,
              node->object ? cluster_.SetNode(node->object) : cluster_.NodeSlot(node->name));
  }
  const auto here = [&](model::Holding holding) {
    if (holding.node.valid()) holding.node = nodes[holding.node.value];
    return holding;
  };

  SlotMap<model::TaskId> tasks;
  const TasksByJob by_job(image.tasks);
  const auto add_tasks_of = [&](std::uint32_t job, const std::string& name, auto then) {
    by_job.ForEachOf(image.tasks, job, [&](const StateImage::TaskImage& task) {
      const model::TaskId id = cluster_.SetPod(task.pod, name, here(task.holding));
      tasks.Set(task.slot, id);
      if (task.claimed_since != Time{}) cluster_.SetClaimedSince(id, task.claimed_since);
      if (task.ungating) cluster_.SetUngating(id, true);
      then(id);
    });
  };
  std::vector<const StateImage::JobImage*> jobs;
  jobs.reserve(image.jobs.size());
  for (const StateImage::JobImage& job : image.jobs) jobs.push_back(&job);
  std::ranges::sort(jobs, {}, &StateImage::JobImage::arrival);
  std::vector<std::pair<model::JobId, const StateImage::JobImage*>> made;
  made.reserve(jobs.size());
  for (const StateImage::JobImage* job : jobs) {
    if (job->reservation != StateImage::kNone) {
      const auto& reservation = image.reservations[job->reservation].object;
      reservations_.insert_or_assign(reservation->meta.Key(), reservation);
      AddReservation(reservation);
      made.emplace_back(
          cluster_.reservations().Find(reservation->meta.ns, reservation->meta.name)->job, job);
      continue;
    }
    const bool has_queue = job->queue != StateImage::kNone;
    const std::string queue = has_queue ? queues[job->queue] : std::string();
    model::JobId id;
    if (job->group && !job->shadow) id = cluster_.SetGroup(job->group, queue);
    add_tasks_of(job->slot, job->name, [&](model::TaskId task) {
      id = cluster_.task(task).job;
      if (job->shadow) cluster_.SetShadow(task, job->group, queue);
    });
    if (!id.valid()) continue;
    if (!job->group && has_queue) cluster_.PutInQueue(id, queue);
    cluster_.SetJobPriority(id, job->priority);
    made.emplace_back(id, job);
  }
  add_tasks_of(StateImage::kNone, "", [](model::TaskId) {});

  model::Reservations& reservations = cluster_.mutable_reservations();
  reservations.Restore();
  for (const StateImage::ReservationImage& reservation : image.reservations) {
    const auto* record =
        reservations.Find(reservation.object->meta.ns, reservation.object->meta.name);
    for (std::size_t i = 0; i < reservation.slots.size(); ++i) {
      const StateImage::SlotImage& slot = reservation.slots[i];
      const model::TaskId id = record->slots[i].id;
      if (cluster_.task(id).holding != here(slot.holding)) cluster_.Move(id, here(slot.holding));
      if (slot.taker == StateImage::kNone) continue;
      if (const model::TaskId taker = tasks[slot.taker]; taker.valid()) {
        reservations.NoteTaker(id, taker);
      }
    }
  }
  for (const auto& [id, job] : made) {
    cluster_.SetPhase(id, job->phase);
    if (job->schedule_start) cluster_.SetScheduleStart(id, *job->schedule_start);
    if (!job->changed) cluster_.Settle(id);
  }
}

}  // namespace basalt::scheduler
