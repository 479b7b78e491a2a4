#include "scheduler/plugins/nodeorder/resource_scores.h"

#include <algorithm>
#include <cmath>

#include "base/vector_loop.h"

namespace basalt::scheduler::plugins {
namespace {

using model::NodeAmount;
using model::NodeBox;
using Column = ResourceScores::Column;
using Weights = ResourceScores::Weights;

// More than what rounding can do to a score.
constexpr double kRounding = 1e-9;

// Without it a function that is compiled for other options is called, not inlined.
#define BASALT_INLINE __attribute__((always_inline)) inline

Column ColumnOf(const model::NodeLedger& ledger, const model::Task& task, int d) {
  return {.allocatable = ledger.allocatable(d),
          .used = ledger.used(d),
          .promised = ledger.promised(d),
          .assumed_there = ledger.assumed(d),
          .request = task.request()[d],
          .assumed = d == model::kCpu ? task.task_class->assumed_milli_cpu
                                      : task.task_class->assumed_memory};
}

// Whole numbers are small and positive here.
BASALT_INLINE double Whole(double number) { return static_cast<double>(static_cast<int>(number)); }

// The score of one node by CPU and memory. Written without branches, so that a loop over it becomes
// vector instructions; one and many nodes give the same result bit for bit.
template <bool kMost>
BASALT_INLINE double ResourceScore(const Column& cpu, const Column& memory, const Weights& weights,
                                   std::size_t n) {
  const double cpu_room = cpu.allocatable[n], memory_room = memory.allocatable[n];
  const double cpu_capacity = cpu_room > 0 ? cpu_room : 1;
  const double memory_capacity = memory_room > 0 ? memory_room : 1;
  const double cpu_asked = cpu.used[n] + cpu.promised[n] + cpu.request;
  const double memory_asked = memory.used[n] + memory.promised[n] + memory.request;
  const double cpu_assumed = cpu_asked + (cpu.assumed_there[n] + cpu.assumed);
  const double memory_assumed = memory_asked + (memory.assumed_there[n] + memory.assumed);
  const double cpu_there = cpu_room > 0 ? 1 : 0, memory_there = memory_room > 0 ? 1 : 0;
  const double parts = cpu_there + memory_there;
  const double divisor = parts > 0 ? parts : 1;

  const double cpu_left = cpu_capacity - cpu_assumed,
               memory_left = memory_capacity - memory_assumed;
  const double cpu_least = (cpu_left > 0 ? cpu_left : 0) * kMaxScore / cpu_capacity;
  const double memory_least = (memory_left > 0 ? memory_left : 0) * kMaxScore / memory_capacity;
  const double least = Whole(cpu_least) * cpu_there + Whole(memory_least) * memory_there;
  double score = weights.least * Whole(least / divisor);

  if constexpr (kMost) {
    const double cpu_most = cpu_assumed < cpu_capacity ? cpu_assumed : cpu_capacity;
    const double memory_most = memory_assumed < memory_capacity ? memory_assumed : memory_capacity;
    const double most = Whole(cpu_most * kMaxScore / cpu_capacity) * cpu_there +
                        Whole(memory_most * kMaxScore / memory_capacity) * memory_there;
    score += weights.most * Whole(most / divisor);
  }

  const double cpu_part = cpu_asked / cpu_capacity, memory_part = memory_asked / memory_capacity;
  const double difference = (cpu_part < 1 ? cpu_part : 1) - (memory_part < 1 ? memory_part : 1);
  const double deviation = parts > 1 ? std::fabs(difference) / 2 : 0;
  return score + weights.balanced * Whole((1 - deviation) * kMaxScore);
}

template <bool kMost>
BASALT_VECTOR_LOOP void AddScores(const Column& cpu_column, const Column& memory_column,
                                  const Weights& all_weights, std::size_t nodes,
                                  double* __restrict scores) {
  const Column cpu = cpu_column, memory = memory_column;
  const Weights weights = all_weights;
  for (std::size_t n = 0; n < nodes; ++n) {
    scores[n] += ResourceScore<kMost>(cpu, memory, weights, n);
  }
}

// One resource over the nodes of a block.
struct Range {
  double least_capacity, most_capacity;
  double least_asked, most_asked;
  double least_assumed = 0, most_assumed = 0;

  Range(const NodeBox& box, int d, double request)
      : least_capacity(box.Least(NodeAmount::kAllocatable, d)),
        most_capacity(box.Most(NodeAmount::kAllocatable, d)),
        least_asked(box.Least(NodeAmount::kUsed, d) + box.Least(NodeAmount::kPromised, d) +
                    request),
        most_asked(box.Most(NodeAmount::kUsed, d) + box.Most(NodeAmount::kPromised, d) + request) {}
  Range(const NodeBox& box, int d, const Column& column) : Range(box, d, column.request) {
    least_assumed = least_asked + (box.LeastAssumed(d) + column.assumed);
    most_assumed = most_asked + (box.MostAssumed(d) + column.assumed);
  }
  bool there() const { return most_capacity > 0; }
  // On some of the nodes only.
  bool there_in_part() const { return most_capacity > 0 && least_capacity <= 0; }
  bool one_value() const { return least_capacity == most_capacity && least_asked == most_asked; }

  // What is asked for as part of what is there. Where there is none it does not matter.
  double LeastPart() const { return there() ? std::min(1.0, least_asked / most_capacity) : 0; }
  double MostPart() const { return there() ? std::min(1.0, most_asked / least_capacity) : 0; }
  // The most that "least requested" and "most requested" can give. Each step of the score grows
  // with its operands, so the same steps on the bounds cannot fall short by rounding, but for a
  // capacity that stands both above and below the line.
  double MostFree() const {
    if (!there()) return 0;
    const double left = most_capacity - least_assumed;
    const double free = (left > 0 ? left : 0) * kMaxScore / most_capacity;
    return Whole(least_capacity == most_capacity ? free : free + kRounding);
  }
  double MostFull() const {
    if (!there()) return 0;
    return Whole(std::min(most_assumed, least_capacity) * kMaxScore / least_capacity);
  }
};

// How far apart the parts of two resources are at least.
double LeastGap(const Range& a, const Range& b) {
  return std::max({0.0, a.LeastPart() - b.MostPart(), b.LeastPart() - a.MostPart()});
}

double BalanceOf(std::span<const double> parts) {
  double deviation = 0;
  if (parts.size() == 2) deviation = std::abs(parts[0] - parts[1]) / 2;
  if (parts.size() == 3) {
    const double mean = (parts[0] + parts[1] + parts[2]) / 3;
    double squares = 0;
    for (const double part : parts) squares += (part - mean) * (part - mean);
    deviation = std::sqrt(squares / 3);
  }
  return Whole((1 - deviation) * kMaxScore);
}

}  // namespace

ResourceScores::ResourceScores(const model::NodeLedger& ledger, const model::Task& task,
                               const Weights& weights, std::optional<int> gpu)
    : ledger_(ledger),
      task_(task),
      weights_(weights),
      cpu_(ColumnOf(ledger_, task, model::kCpu)),
      memory_(ColumnOf(ledger_, task, model::kMemory)) {
  const model::Amounts& request = task.request();
  if (gpu && request[*gpu] > 0) gpu_ = gpu;
  const bool asks = request.milli_cpu() > 0 || request.memory() > 0 || gpu_;
  if (!asks) weights_.balanced = 0;
  if (gpu_) gpu_balance_ = std::exchange(weights_.balanced, 0);
}

void ResourceScores::Add(std::span<const model::NodeId> nodes, std::span<double> scores) const {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::size_t n = nodes[i].index();
    double score = weights_.most != 0 ? ResourceScore<true>(cpu_, memory_, weights_, n)
                                      : ResourceScore<false>(cpu_, memory_, weights_, n);
    if (gpu_) score += gpu_balance_ * GpuBalance(n);
    scores[i] += score;
  }
}

bool ResourceScores::AddToAll(std::span<double> scores) const {
  if (gpu_) return false;
  (weights_.most != 0 ? AddScores<true> : AddScores<false>)(cpu_, memory_, weights_, scores.size(),
                                                            scores.data());
  return true;
}

double ResourceScores::GpuBalance(std::size_t n) const {
  std::array<double, 3> parts;
  std::size_t count = 0;
  for (const int d : {model::kCpu, model::kMemory, *gpu_}) {
    const double capacity = ledger_.allocatable(d)[n];
    if (capacity <= 0) continue;
    const double asked = ledger_.used(d)[n] + ledger_.promised(d)[n] + task_.request()[d];
    parts[count++] = std::min(1.0, asked / capacity);
  }
  return BalanceOf({parts.data(), count});
}

// ---- bounds

bool ResourceScores::AddBounds(std::span<const NodeBox> boxes, std::span<double> bounds) const {
  if (weights_.least < 0 || weights_.most < 0 || weights_.balanced < 0 || gpu_balance_ < 0) {
    return false;
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) bounds[i] += Bound(boxes[i]);
  return true;
}

double ResourceScores::Bound(const NodeBox& box) const {
  const Range cpu(box, model::kCpu, cpu_), memory(box, model::kMemory, memory_);
  const double gpu = gpu_ ? gpu_balance_ * BoundGpuBalance(box) : 0;
  if (cpu.there_in_part() || memory.there_in_part()) {
    return weights_.least * kMaxScore + weights_.most * kMaxScore + weights_.balanced * kMaxScore +
           gpu;
  }
  const double parts = (cpu.there() ? 1 : 0) + (memory.there() ? 1 : 0);
  const double divisor = parts > 0 ? parts : 1;
  double bound = weights_.least * Whole((cpu.MostFree() + memory.MostFree()) / divisor);
  if (weights_.most != 0) {
    bound += weights_.most * Whole((cpu.MostFull() + memory.MostFull()) / divisor);
  }
  const double deviation = parts > 1 ? LeastGap(cpu, memory) / 2 : 0;
  bound += weights_.balanced * Whole((1 - deviation) * kMaxScore);
  return bound + gpu;
}

double ResourceScores::BoundGpuBalance(const NodeBox& box) const {
  std::array<double, 3> parts;
  std::size_t count = 0;
  bool same = true;
  double gap = 0;
  const std::array ranges{Range(box, model::kCpu, cpu_.request),
                          Range(box, model::kMemory, memory_.request),
                          Range(box, *gpu_, task_.request()[*gpu_])};
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].there_in_part()) return kMaxScore;
    if (!ranges[i].there()) continue;
    parts[count++] = ranges[i].LeastPart();
    same &= ranges[i].one_value();
    for (std::size_t j = 0; j < i; ++j) {
      if (ranges[j].there()) gap = std::max(gap, LeastGap(ranges[i], ranges[j]));
    }
  }
  if (same) return BalanceOf({parts.data(), count});
  // Of three numbers, two of which are `gap` apart, the deviation is least when the third is
  // between them.
  const double deviation = count == 3 ? gap / std::sqrt(6.0) : gap / 2;
  return Whole((1 - deviation) * kMaxScore + kRounding);
}

}  // namespace basalt::scheduler::plugins
