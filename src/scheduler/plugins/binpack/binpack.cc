#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "base/vector_loop.h"
#include "model/node_index.h"
#include "scheduler/framework/session_plugin.h"

namespace basalt::scheduler::plugins {
namespace {

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

BASALT_VECTOR_LOOP void AddPart(std::size_t nodes, double request, double weight,
                                const double* __restrict allocatable,
                                const double* __restrict used_there, double* __restrict sums,
                                double* __restrict over) {
  for (std::size_t n = 0; n < nodes; ++n) {
    const double capacity = allocatable[n] != 0 ? allocatable[n] : 1;
    const double there = allocatable[n] != 0 ? 1 : 0;
    const double used = request + used_there[n];
    sums[n] += used * weight / capacity * there;
    over[n] += used > capacity ? there : 0;
  }
}

BASALT_VECTOR_LOOP void AddWeighted(std::size_t nodes, double weight_sum, double weight,
                                    const double* __restrict sums, const double* __restrict over,
                                    double* __restrict scores) {
  for (std::size_t n = 0; n < nodes; ++n) {
    scores[n] += (over[n] > 0 ? 0 : sums[n]) / weight_sum * 100.0 * weight;
  }
}

// Prefers nodes that are full already: of each requested resource the part that would be in use,
// weighted, from 0 to 100 times the plugin's weight. Counterpart: Volcano plugins/binpack.
//
// Arguments: binpack.weight, binpack.cpu, binpack.memory, binpack.resources (names with commas
// between), binpack.resources.NAME; each 1 where it is not given.
class Binpack final : public SessionPlugin, public NodeScorer {
 public:
  Result<void> Configure(const PluginConfig& config) override {
    const Arguments& arguments = config.arguments;
    std::string list;
    int cpu = 1, memory = 1;
    if (auto ok = arguments.Read({{"binpack.weight", &weight_},
                                  {"binpack.resources", &list},
                                  {"binpack.cpu", &cpu},
                                  {"binpack.memory", &memory}},
                                 {"binpack.resources."});
        !ok) {
      return ok;
    }
    for (const auto part : std::views::split(list, ',')) {
      std::string name(Trim(std::string_view(part)));
      if (name.empty()) continue;
      int weight = 1;
      if (auto ok = arguments.Get("binpack.resources." + name, &weight); !ok) return ok;
      resources_.emplace_back(std::move(name), weight);
    }
    resources_.emplace_back("cpu", cpu);
    resources_.emplace_back("memory", memory);
    // As in Volcano a weight below zero counts as one.
    for (auto& [name, weight] : resources_) weight = weight < 0 ? 1 : weight;
    return {};
  }
  DependsOn ScoreDependsOn(const Task&) const override {
    return weight_ == 0 ? DependsOn::kNothing : DependsOn::kNode;
  }
  void ScoreNodes(const Task& task, std::span<const NodeId> nodes,
                  std::span<double> scores) const override {
    const auto [parts, weight_sum] = PartsOf(task);
    if (parts.empty()) return;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::size_t n = nodes[i].index();
      double score = 0;
      for (const Part& part : parts) {
        const double capacity = part.allocatable[n];
        if (capacity == 0) continue;
        const double used = part.request + part.used[n];
        if (used > capacity) {  // it would not fit: no preference at all
          score = 0;
          break;
        }
        score += used * part.weight / capacity;
      }
      scores[i] += score / weight_sum * 100.0 * weight_;
    }
  }
  bool ScoreAllNodes(const Task& task, std::span<double> scores) const override {
    const auto [parts, weight_sum] = PartsOf(task);
    if (parts.empty()) return true;
    sums_.assign(scores.size(), 0.0);
    over_.assign(scores.size(), 0.0);
    for (const Part& part : parts) {
      AddPart(scores.size(), part.request, part.weight, part.allocatable, part.used, sums_.data(),
              over_.data());
    }
    AddWeighted(scores.size(), weight_sum, weight_, sums_.data(), over_.data(), scores.data());
    return true;
  }
  bool BoundScores(const Task& task, std::span<const model::NodeBox> boxes,
                   std::span<double> bounds) const override {
    using model::NodeAmount;
    if (weight_ < 0) return false;
    const auto [parts, weight_sum] = PartsOf(task);
    if (parts.empty()) return true;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const model::NodeBox& box = boxes[i];
      double score = 0;
      bool fits_somewhere = true;
      for (const Part& part : parts) {
        const double least_capacity = box.Least(NodeAmount::kAllocatable, part.dimension);
        const double most_capacity = box.Most(NodeAmount::kAllocatable, part.dimension);
        if (most_capacity == 0) continue;
        const double least_used = part.request + box.Least(NodeAmount::kUsed, part.dimension);
        const double most_used = part.request + box.Most(NodeAmount::kUsed, part.dimension);
        if (least_capacity > 0 && least_used > most_capacity) fits_somewhere = false;
        // A node that would be more than full gets nothing.
        score += least_capacity > 0
                     ? std::min(part.weight, most_used * part.weight / least_capacity)
                     : part.weight;
      }
      bounds[i] += (fits_somewhere ? score : 0) / weight_sum * 100.0 * weight_;
    }
    return true;
  }

 private:
  // A requested resource that counts.
  struct Part {
    int dimension;
    double request;
    double weight;
    const double* allocatable;
    const double* used;
  };
  struct Parts {
    boost::container::small_vector<Part, 4> each;  // empty: no opinion
    double weight_sum = 0;
  };
  void Opened() override {
    const model::Dimensions& dimensions = cluster().dimensions();
    weights_.assign(dimensions.size(), 0);
    counted_ = 0;
    for (const auto& [name, weight] : resources_) {
      if (const auto d = dimensions.Find(name)) {
        weights_[*d] = weight;
        counted_ |= model::Bit(*d);
      }
    }
  }
  Parts PartsOf(const Task& task) const {
    const model::NodeLedger& ledger = cluster().ledger();
    Parts parts;
    model::ForEachDimension(task.request().NonZero() & counted_, [&](int d) {
      parts.weight_sum += weights_[d];
      parts.each.push_back({d, task.request()[d], static_cast<double>(weights_[d]),
                            ledger.allocatable(d), ledger.used(d)});
    });
    if (parts.weight_sum <= 0) parts.each.clear();
    return parts;
  }

  int weight_ = 1;
  std::vector<std::pair<std::string, int>> resources_;  // with their weights
  // For this session: the dimensions that are looked at, and the weight of each.
  model::DimensionSet counted_ = 0;
  std::vector<int> weights_;
  mutable std::vector<double> sums_, over_;  // scratch
};

}  // namespace

std::unique_ptr<Plugin> MakeBinpack() { return std::make_unique<Binpack>(); }

}  // namespace basalt::scheduler::plugins
