#include "scheduler/framework/domain_counts.h"

namespace basalt::scheduler {

void DomainCounts::ChangeDomain(std::int32_t domain, std::int64_t by) {
  if (domain == Topology::kNoDomain || by == 0) return;
  std::int64_t before = 0;
  if (!dense_.empty()) {
    before = dense_[domain];
    dense_[domain] += by;
  } else {
    const auto [it, added] = sparse_.try_emplace(domain, 0);
    before = it->second;
    it->second += by;
    if (it->second == 0) sparse_.erase(it);
    if (sparse_.size() > 16 && sparse_.size() * 8 > static_cast<std::size_t>(domains())) {
      dense_.assign(static_cast<std::size_t>(domains()), 0);
      for (const auto& [d, count] : sparse_) dense_[d] = count;
      sparse_ = {};
    }
  }
  const std::int64_t after = before + by;
  nonzero_ += (after != 0) - (before != 0);
  total_ += by;
  if (keep_ == Keep::kLeast) MoveLeast(before, after);
  if (steps_.size() >= kMostSteps) {
    steps_start_ += steps_.size();
    steps_.clear();
  }
  steps_.push_back({domain, before});
}

void DomainCounts::MoveLeast(std::int64_t before, std::int64_t after) {
  if (before > 0) {
    const auto it = domains_by_count_.find(before);
    if (--it->second == 0) domains_by_count_.erase(it);
  }
  if (after > 0) ++domains_by_count_[after];
  if (nonzero_ < domains()) {
    least_ = 0;
  } else if (after < least_ || domains_by_count_.size() == 1) {
    least_ = after;
  } else {
    // Tasks come and go one at a time: the next is never far.
    while (!domains_by_count_.contains(least_)) ++least_;
  }
}

std::optional<std::span<const DomainCounts::Step>> DomainCounts::StepsSince(
    std::uint64_t position) const {
  if (position < steps_start_ || position > steps_end()) return std::nullopt;
  return std::span(steps_).subspan(position - steps_start_);
}

}  // namespace basalt::scheduler
