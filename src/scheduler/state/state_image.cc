// An image taken of a state, and a state made of one.
#include "scheduler/state/state_image.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <functional>
#include <limits>
#include <utility>

#include "scheduler/state/cluster_state.h"
#include "scheduler/state/image_taker.h"

namespace basalt::scheduler {
namespace {

StateImage::ReservationImage ReservationImageOf(const model::Cluster& cluster,
                                                const model::ReservationRecord& record) {
  StateImage::ReservationImage image;
  auto object = std::make_shared<kube::Reservation>(*record.object);
  // What it is to say is what the state knows; the API server may not have heard it yet.
  if (record.status.phase != kube::ReservationPhase::kNone) object->status = record.status;
  image.object = std::move(object);
  for (const model::ReservedSlot& slot : record.slots) {
    image.slots.push_back({.holding = cluster.task(slot.id).holding, .taker = slot.taker});
  }
  return image;
}

// Pointers to all of them, by what `key` says of each.
template <class Image, class Key>
std::vector<const Image*> InOrder(const std::vector<Image>& images, Key key) {
  std::vector<const Image*> order;
  order.reserve(images.size());
  for (const Image& image : images) order.push_back(&image);
  std::ranges::sort(order, {}, [&](const Image* image) { return std::invoke(key, *image); });
  return order;
}

}  // namespace

// ---- taking one

void ImageTaker::CopyTask(std::uint32_t slot) {
  const model::Task* task = state_.cluster().FindTask(model::TaskId{slot});
  const model::Job* job = task ? state_.cluster().FindJob(task->job) : nullptr;
  const bool wanted = task && !(job && job->reservation);
  StateImage::TaskImage* out = tasks_.Place(image_.tasks, slot, wanted);
  if (!out) return;
  *out = {.id = task->id,
          .job = task->job,
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
  *out = {.id = job->id,
          .ns = job->ns,
          .name = job->name,
          .group = job->group,
          .queue = job->queue,
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
      .id = node->id, .name = node->exists() ? std::string() : node->name, .object = node->object};
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
  Copy(std::numeric_limits<std::uint32_t>::max());
  for (const std::uint32_t slot : changed.tasks) CopyTask(slot);
  for (const std::uint32_t slot : changed.jobs) CopyJob(slot);
  for (const std::uint32_t slot : changed.nodes) CopyNode(slot);
  const model::Cluster& cluster = state_.cluster();
  image_.generation = state_.generation();
  image_.objects = cluster.objects();
  cluster.queues().ForEach([&](const model::Queue& queue) {
    image_.queues.push_back({.id = queue.id, .name = queue.name, .object = queue.object});
  });
  cluster.reservations().ForEach([&](const model::ReservationRecord& record) {
    const model::Job& job = cluster.job(record.job);
    image_.jobs.push_back({.id = job.id,
                           .arrival = job.arrival,
                           .phase = job.phase,
                           .changed = job.changed,
                           .schedule_start = job.schedule_start,
                           .reservation = image_.reservations.size()});
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
  // From ids of the state that was to names and ids of the one that is made.
  boost::unordered_flat_map<model::QueueId, std::string> queues;
  boost::unordered_flat_map<model::NodeId, model::NodeId> nodes;
  boost::unordered_flat_map<model::TaskId, model::TaskId> tasks;
  for (const StateImage::QueueImage& queue : image.queues) {
    queues[queue.id] = queue.name;
    if (queue.object) cluster_.SetQueue(queue.object);
  }
  nodes.reserve(image.nodes.size());
  for (const StateImage::NodeImage* node : InOrder(image.nodes, &StateImage::NodeImage::id)) {
    nodes[node->id] = node->object ? cluster_.SetNode(node->object) : cluster_.NodeSlot(node->name);
  }
  const auto here = [&](model::Holding holding) {
    if (holding.node.valid()) holding.node = nodes[holding.node];
    return holding;
  };

  tasks.reserve(image.tasks.size());
  const auto by_job = InOrder(image.tasks, [](const StateImage::TaskImage& task) {
    return std::uint64_t{task.job.value} << 32 | task.id.value;
  });
  const auto add_tasks_of = [&](model::JobId job, const std::string& name, auto then) {
    const auto job_of = [](const StateImage::TaskImage* task) { return task->job; };
    for (const StateImage::TaskImage* task : std::ranges::equal_range(by_job, job, {}, job_of)) {
      const model::TaskId id = cluster_.SetPod(task->pod, name, here(task->holding));
      tasks[task->id] = id;
      if (task->claimed_since != Time{}) cluster_.SetClaimedSince(id, task->claimed_since);
      if (task->ungating) cluster_.SetUngating(id, true);
      then(id);
    }
  };
  std::vector<std::pair<model::JobId, const StateImage::JobImage*>> made;
  made.reserve(image.jobs.size());
  for (const StateImage::JobImage* job : InOrder(image.jobs, &StateImage::JobImage::arrival)) {
    if (job->reservation) {
      const auto& reservation = image.reservations[*job->reservation].object;
      reservations_.insert_or_assign(reservation->meta.Key(), reservation);
      AddReservation(reservation);
      made.emplace_back(
          cluster_.reservations().Find(reservation->meta.ns, reservation->meta.name)->job, job);
      continue;
    }
    const std::string queue = job->queue.valid() ? queues[job->queue] : std::string();
    model::JobId id;
    if (job->group && !job->shadow) id = cluster_.SetGroup(job->group, queue);
    add_tasks_of(job->id, job->name, [&](model::TaskId task) {
      id = cluster_.task(task).job;
      if (job->shadow) cluster_.SetShadow(task, job->group, queue);
    });
    if (!id.valid()) continue;
    if (!job->group && job->queue.valid()) cluster_.PutInQueue(id, queue);
    cluster_.SetJobPriority(id, job->priority);
    made.emplace_back(id, job);
  }
  add_tasks_of({}, "", [](model::TaskId) {});

  model::Reservations& reservations = cluster_.mutable_reservations();
  reservations.Restore();
  for (const StateImage::ReservationImage& reservation : image.reservations) {
    const auto* record =
        reservations.Find(reservation.object->meta.ns, reservation.object->meta.name);
    for (std::size_t i = 0; i < reservation.slots.size(); ++i) {
      const StateImage::SlotImage& slot = reservation.slots[i];
      const model::TaskId id = record->slots[i].id;
      if (cluster_.task(id).holding != here(slot.holding)) cluster_.Move(id, here(slot.holding));
      const auto taker = tasks.find(slot.taker);
      if (taker != tasks.end()) reservations.NoteTaker(id, taker->second);
    }
  }
  for (const auto& [id, job] : made) {
    cluster_.SetPhase(id, job->phase);
    if (job->schedule_start) cluster_.SetScheduleStart(id, *job->schedule_start);
    if (!job->changed) cluster_.Settle(id);
  }
}

}  // namespace basalt::scheduler
