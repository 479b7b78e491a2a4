#include "scheduler/plugins/binpack/binpack.h"

#include <algorithm>

#include "base/vector_loop.h"
#include "model/node_index.h"

namespace basalt::scheduler::plugins {
namespace {

std::vector<std::string> SplitNames(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    std::string_view name = list.substr(0, comma);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (!name.empty()) names.emplace_back(name);
    if (comma == list.npos) break;
    list.remove_prefix(comma + 1);
  }
  return names;
}

// As in Volcano a weight below zero counts as one.
Result<int> Weight(const Arguments& arguments, std::string_view key) {
  int weight = 1;
  if (auto ok = arguments.Get(key, &weight); !ok) return std::unexpected(ok.error());
  return weight < 0 ? 1 : weight;
}

}  // namespace

Result<std::unique_ptr<Plugin>> Binpack::Make(const PluginContext& context) {
  const Arguments& arguments = context.config.arguments;
  if (auto ok = arguments.CheckKnown(
          {"binpack.weight", "binpack.cpu", "binpack.memory", "binpack.resources"},
          {"binpack.resources."});
      !ok) {
    return std::unexpected(ok.error());
  }
  auto plugin = std::make_unique<Binpack>();
  if (auto ok = arguments.Get("binpack.weight", &plugin->weight_); !ok) {
    return std::unexpected(ok.error());
  }
  std::string list;
  if (auto ok = arguments.Get("binpack.resources", &list); !ok) return std::unexpected(ok.error());
  std::vector<std::pair<std::string, std::string>> wanted;
  for (std::string& name : SplitNames(list)) {
    const std::string key = "binpack.resources." + name;
    wanted.emplace_back(std::move(name), key);
  }
  wanted.emplace_back("cpu", "binpack.cpu");
  wanted.emplace_back("memory", "binpack.memory");
  for (auto& [name, key] : wanted) {
    const auto weight = Weight(arguments, key);
    if (!weight) return std::unexpected(weight.error());
    plugin->resources_.emplace_back(std::move(name), *weight);
  }
  return plugin;
}

void Binpack::Open(const SessionView& view) {
  view_ = &view;
  const model::Dimensions& dimensions = view.cluster().dimensions();
  weights_.assign(dimensions.size(), 0);
  counted_.assign(dimensions.size(), false);
  for (const auto& [name, weight] : resources_) {
    if (const auto d = dimensions.Find(name)) {
      weights_[*d] = weight;
      counted_[*d] = true;
    }
  }
}

DependsOn Binpack::ScoreDependsOn(const Task&) const {
  return weight_ == 0 ? DependsOn::kNothing : DependsOn::kNode;
}

Binpack::Parts Binpack::PartsOf(const Task& task, double* weight_sum) const {
  const model::NodeLedger& ledger = view_->cluster().ledger();
  Parts parts;
  *weight_sum = 0;
  model::ForEachDimension(task.request().NonZero(), [&](int d) {
    if (d >= static_cast<int>(counted_.size()) || !counted_[d]) return;
    *weight_sum += weights_[d];
    parts.push_back({d, task.request()[d], static_cast<double>(weights_[d]), ledger.allocatable(d),
                     ledger.used(d)});
  });
  if (*weight_sum <= 0) parts.clear();
  return parts;
}

void Binpack::ScoreNodes(const Task& task, std::span<const NodeId> nodes,
                         std::span<double> scores) const {
  double weight_sum = 0;
  const Parts parts = PartsOf(task, &weight_sum);
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

namespace {

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

}  // namespace

bool Binpack::ScoreAllNodes(const Task& task, std::span<double> scores) const {
  double weight_sum = 0;
  const Parts parts = PartsOf(task, &weight_sum);
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

bool Binpack::BoundScores(const Task& task, std::span<const model::NodeBox> boxes,
                          std::span<double> bounds) const {
  using model::NodeAmount;
  if (weight_ < 0) return false;
  double weight_sum = 0;
  const Parts parts = PartsOf(task, &weight_sum);
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
      score += least_capacity > 0 ? std::min(part.weight, most_used * part.weight / least_capacity)
                                  : part.weight;
    }
    bounds[i] += (fits_somewhere ? score : 0) / weight_sum * 100.0 * weight_;
  }
  return true;
}

}  // namespace basalt::scheduler::plugins
