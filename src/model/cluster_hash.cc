// Cluster::Hash.
#include <bit>

#include "model/cluster.h"

namespace basalt::model {
namespace {

std::uint64_t Mix(std::uint64_t value) {
  value ^= value >> 30;
  value *= 0xbf58476d1ce4e5b9u;
  value ^= value >> 27;
  value *= 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

std::uint64_t Mix(std::uint64_t a, std::uint64_t b) { return Mix(a * 0x9e3779b97f4a7c15u + b); }

std::uint64_t Digest(const Amounts& resource) {
  std::uint64_t digest = Mix(resource.scalars());
  for (int d = 0; d < resource.bound(); ++d) {
    const double amount = resource[d];
    if (amount != 0) digest += Mix(d + 1, std::bit_cast<std::uint64_t>(amount));
  }
  return digest;
}

std::uint64_t Digest(const QueueLedger& ledger) {
  return Mix(1, Digest(ledger.allocated)) + Mix(2, Digest(ledger.request)) +
         Mix(3, Digest(ledger.claimed)) + Mix(4, Digest(ledger.in_queue)) +
         Mix(5, Digest(ledger.elastic)) + Mix(6, Digest(ledger.promised)) +
         Mix(7, Digest(ledger.leaving)) + Mix(8, Digest(ledger.overdue)) +
         Mix(9, Digest(ledger.in_queue_gated));
}

std::int64_t InNanoseconds(Time time) { return time.time_since_epoch().count(); }

std::uint64_t Digest(const StatusCounts& counts) {
  std::uint64_t digest = 0;
  for (int s = 0; s < kTaskStatuses; ++s) {
    digest += Mix(s, counts[static_cast<TaskStatus>(s)]);
  }
  return digest;
}

}  // namespace

std::uint64_t Cluster::Hash() const {
  std::uint64_t hash = 0;
  tasks_.ForEach([&](const Task& task) {
    const Holding& h = task.holding;
    hash += Mix(Mix(task.id.value, static_cast<int>(h.status)),
                Mix(h.node.value, (h.resting ? 32 : 0) + (h.lapsed ? 16 : 0) + (h.overdue ? 8 : 0) +
                                      (h.restored ? 4 : 0) + (h.queue_claim ? 2 : 0) +
                                      (h.after_eviction ? 1 : 0)));
    hash +=
        Mix(Mix(51, task.id.value), Mix(task.ungating ? 1 : 0, InNanoseconds(task.claimed_since)));
  });
  nodes_.ForEach([&](const Node& node) {
    hash += Mix(Mix(10, node.id.value), Digest(ledger_.Used(node.id)));
    hash += Mix(Mix(11, node.id.value), Digest(ledger_.Idle(node.id)));
    hash += Mix(Mix(12, node.id.value), Digest(ledger_.Releasing(node.id)));
    hash += Mix(Mix(13, node.id.value), Digest(ledger_.Promised(node.id)));
    hash += Mix(Mix(14, node.id.value), Digest(ledger_.Future(node.id)));
    hash += Mix(Mix(15, node.id.value), node.tasks.size());
  });
  jobs_.ForEach([&](const Job& job) {
    std::uint64_t digest = Digest(job.counts) + Mix(20, static_cast<int>(job.phase)) +
                           Mix(21, Digest(job.allocated)) + Mix(22, Digest(job.promised)) +
                           Mix(23, Digest(job.total_request)) + Mix(24, Digest(job.in_queue)) +
                           Mix(25, Digest(job.elastic)) + Mix(26, Digest(job.held_back)) +
                           Mix(27, job.pending_best_effort) + Mix(50, job.queue_claims) +
                           Mix(52, job.pending_opted_in) + Mix(53, job.pending_naming) +
                           Mix(28, job.pending.size()) + Mix(29, static_cast<int>(job.list));
    for (std::size_t r = 0; r < job.roles.size(); ++r) {
      digest += Mix(30 + r, Digest(job.roles[r].counts) + job.roles[r].pending_best_effort);
    }
    hash += Mix(Mix(16, job.id.value), digest);
  });
  queues_.ForEach([&](const Queue& queue) {
    hash += Mix(Mix(17, queue.id.value), Digest(queue.own) + Mix(18, Digest(queue.tree)));
  });
  hash += Mix(40, Digest(total_held_)) + Mix(41, Digest(total_in_queue_)) +
          Mix(42, Digest(total_allocatable_)) + Mix(43, active_jobs_.size()) +
          Mix(44, groupless_jobs_.size());
  return hash;
}

}  // namespace basalt::model
