#include "workloads/rollout.h"

#include <algorithm>
#include <numeric>

namespace basalt::workloads {
namespace {

// The sets as they will be once the plan so far is carried out.
class RolloutPlanner {
 public:
  explicit RolloutPlanner(const RolloutInput& input) : in_(input), sets_(input.old_sets) {
    if (in_.has_new) sets_.push_back(in_.new_set);
    // A status that has not yet heard of the last scaling down.
    for (RolloutSet& set : sets_) set.available = std::min(set.available, set.replicas);
  }

  RolloutPlan Plan() {
    if (NeedsResize()) {
      // The Deployment was scaled: give that to the sets first, the rollout goes on afterwards.
      Resize();
    } else if (!in_.paused) {
      in_.recreate ? Recreate() : Roll();
    }
    return std::move(plan_);
  }

 private:
  std::int64_t Asked() const {
    return std::accumulate(sets_.begin(), sets_.end(), std::int64_t{0},
                           [](std::int64_t sum, const RolloutSet& s) { return sum + s.replicas; });
  }
  std::int64_t Available() const {
    return std::accumulate(sets_.begin(), sets_.end(), std::int64_t{0},
                           [](std::int64_t sum, const RolloutSet& s) { return sum + s.available; });
  }
  std::size_t OldCount() const { return in_.old_sets.size(); }
  RolloutSet* NewSet() { return in_.has_new ? &sets_.back() : nullptr; }
  // At most that many pods may be asked for.
  std::int64_t Most() const {
    return in_.replicas == 0 ? 0 : in_.replicas + (in_.recreate ? 0 : in_.surge);
  }

  void Scale(RolloutSet& set, std::int64_t replicas) {
    if (set.replicas == replicas) return;
    set.replicas = replicas;
    plan_.scale.push_back({set.name, replicas});
  }

  // ---- The Deployment itself was scaled, in the middle of a rollout or while paused.

  bool NeedsResize() const {
    return std::any_of(sets_.begin(), sets_.end(), [&](const RolloutSet& set) {
      return set.replicas > 0 && set.desired_then != 0 && set.desired_then != in_.replicas;
    });
  }

  void Resize() {
    std::vector<RolloutSet*> active;
    for (RolloutSet& set : sets_) {
      if (set.replicas > 0) active.push_back(&set);
    }
    if (active.size() <= 1) {
      RolloutSet* only = active.empty() ? NewSet() : active.front();
      // A rollout that is under way decides for itself how the newest one grows.
      if (only != nullptr) Scale(*only, in_.replicas);
      return;
    }
    if (in_.recreate) return Recreate();
    ResizeInProportion(std::move(active));
  }

  // Every set grows or shrinks by its share, the largest first; what rounding leaves over goes to
  // the largest.
  void ResizeInProportion(std::vector<RolloutSet*> active) {
    std::stable_sort(active.begin(), active.end(), [](const RolloutSet* a, const RolloutSet* b) {
      return a->replicas > b->replicas;
    });
    const std::int64_t asked = Asked();
    const std::int64_t change = Most() - asked;
    std::int64_t left = change;
    std::vector<std::int64_t> to(active.size());
    for (std::size_t i = 0; i < active.size(); ++i) {
      const std::int64_t exact = active[i]->replicas * change;
      const std::int64_t half = exact >= 0 ? asked / 2 : -(asked / 2);
      std::int64_t share = (exact + half) / asked;
      share = change >= 0 ? std::min(share, left) : std::max(share, left);
      to[i] = std::max<std::int64_t>(0, active[i]->replicas + share);
      left -= to[i] - active[i]->replicas;
    }
    to[0] = std::max<std::int64_t>(0, to[0] + left);
    for (std::size_t i = 0; i < active.size(); ++i) Scale(*active[i], to[i]);
  }

  // ---- Recreate: everything old goes before anything new comes.

  void Recreate() {
    bool old_asked = false;
    for (std::size_t i = 0; i < OldCount(); ++i) {
      old_asked |= sets_[i].replicas > 0;
      Scale(sets_[i], 0);
    }
    if (old_asked || in_.old_pods_left > 0) return;
    GrowNewTo(in_.replicas);
  }

  void GrowNewTo(std::int64_t replicas) {
    if (RolloutSet* set = NewSet()) {
      Scale(*set, replicas);
    } else {
      plan_.create_new = true;
      plan_.new_replicas = replicas;
    }
  }

  // ---- RollingUpdate.

  void Roll() {
    GrowNew();
    ShrinkOld();
  }

  void GrowNew() {
    const std::int64_t now = in_.has_new ? in_.new_set.replicas : 0;
    if (in_.has_new && now > in_.replicas) return GrowNewTo(in_.replicas);
    const std::int64_t room = std::max<std::int64_t>(0, Most() - Asked());
    GrowNewTo(now + std::min(room, in_.replicas - now));
  }

  void ShrinkOld() {
    const std::int64_t least_available = in_.replicas - in_.unavailable;
    const std::int64_t new_unavailable =
        in_.has_new ? std::max<std::int64_t>(0, NewSet()->replicas - in_.new_set.available)
                    : plan_.new_replicas;
    const std::int64_t asked = Asked() + (in_.has_new ? 0 : plan_.new_replicas);
    std::int64_t most_shrink = asked - least_available - new_unavailable;
    if (most_shrink <= 0) return;

    // Without pods that are not available the rollout loses nothing: those first.
    for (std::size_t i = 0; i < OldCount() && most_shrink > 0; ++i) {
      RolloutSet& set = sets_[i];
      const std::int64_t unhealthy = std::max<std::int64_t>(0, set.replicas - set.available);
      const std::int64_t step = std::min(most_shrink, unhealthy);
      Scale(set, set.replicas - step);
      most_shrink -= step;
    }
    std::int64_t spare = std::min(most_shrink, Available() - least_available);
    for (std::size_t i = 0; i < OldCount() && spare > 0; ++i) {
      RolloutSet& set = sets_[i];
      const std::int64_t step = std::min(spare, set.replicas);
      Scale(set, set.replicas - step);
      spare -= step;
    }
    MergeScaling();
  }

  // A set that was scaled twice is scaled once, to the last value.
  void MergeScaling() {
    std::vector<ScaleTo> merged;
    for (const ScaleTo& step : plan_.scale) {
      const auto same = std::find_if(merged.begin(), merged.end(),
                                     [&](const ScaleTo& m) { return m.name == step.name; });
      if (same == merged.end()) {
        merged.push_back(step);
      } else {
        same->replicas = step.replicas;
      }
    }
    plan_.scale = std::move(merged);
  }

  const RolloutInput& in_;
  std::vector<RolloutSet> sets_;  // the old ones, oldest first, then the new one
  RolloutPlan plan_;
};

}  // namespace

RolloutPlan PlanRollout(const RolloutInput& input) { return RolloutPlanner(input).Plan(); }

Fenceposts ResolveFenceposts(std::int64_t surge, std::int64_t unavailable, std::int64_t replicas) {
  if (surge == 0 && unavailable == 0) unavailable = 1;
  return {surge, std::min(unavailable, replicas)};
}

}  // namespace basalt::workloads
