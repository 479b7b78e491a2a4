#include "descheduler/migration/leftovers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "descheduler/migration/bodies.h"
#include "descheduler/migration/plan_ids.h"

namespace basalt::descheduler {
namespace {

constexpr Duration kTryAgain = 1s;

std::string_view LabelOf(const kube::Reservation& reservation, std::string_view key) {
  return reservation.meta.labels.Find(key).value_or(std::string_view());
}

bool IsOver(const kube::Reservation& reservation) {
  return reservation.status.phase == kube::ReservationPhase::kSucceeded ||
         reservation.status.phase == kube::ReservationPhase::kFailed;
}

void Earlier(std::optional<Duration>& wake_at, Duration when) {
  if (!wake_at || when < *wake_at) wake_at = when;
}

}  // namespace

// A plan of another descheduler is not ours, whatever a reservation with our label says.
bool Leftovers::IsOurs(std::string_view plan) const {
  if (IsPlanOf(descheduler_, plan)) return true;
  return !LooksLikePlan(plan) && their_plans_.contains(plan);
}

bool Leftovers::MaySend(Write& write, Duration now) {
  if (write.under_way) return false;
  if (now < write.again) {
    Earlier(wake_at_, write.again);
    return false;
  }
  write.under_way = true;
  write.again = now + kTryAgain;
  return true;
}

std::vector<Act> Leftovers::Step(Duration now, Duration most_wait, const Sight& sight) {
  wake_at_.reset();
  std::vector<Act> acts;
  std::map<std::string, Left> before = std::exchange(reservations_, {});
  std::set<std::string, std::less<>> still_there;  // plans
  for (const auto& reservation : sight.reservations) {
    const kube::ObjectMeta& meta = reservation->meta;
    const std::string plan(LabelOf(*reservation, kMigrationLabel));
    still_there.insert(plan);
    their_plans_.insert(plan);
    const std::string key = fmt::format("{} {}", meta.Key(), meta.uid);
    const auto earlier = before.find(key);
    Left& left = reservations_[key] =
        earlier == before.end() ? Left{.first_seen = now, .write = {}} : earlier->second;
    if (meta.deleting()) continue;
    const Duration until = left.first_seen + most_wait;
    const bool undone = sight.pod_stays(meta.ns, LabelOf(*reservation, kMigratingPodLabel));
    if (!undone && !IsOver(*reservation) && now < until) {
      Earlier(wake_at_, until);
      continue;
    }
    if (!MaySend(left.write, now)) continue;
    acts.push_back(Unreserve{.ns = meta.ns, .name = meta.name, .uid = meta.uid});
  }
  std::map<std::string, Write> untaints = std::exchange(untaints_, {});
  std::set<std::string, std::less<>> known = still_there;
  for (const auto& node : sight.nodes) {
    const std::string plan(TaintingPlan(*node));
    if (!IsOurs(plan)) continue;
    known.insert(plan);
    Write& write = untaints_[node->meta.name] = untaints[node->meta.name];
    if (still_there.contains(plan)) continue;
    if (!MaySend(write, now)) continue;
    acts.push_back(SetTaint{.node = node->meta.name, .plan = plan, .on = false});
  }
  their_plans_ = std::move(known);
  return acts;
}

void Leftovers::Unreserved(std::string_view ns, std::string_view name, Answer /*answer*/) {
  const std::string prefix = fmt::format("{}/{} ", ns, name);
  for (auto at = reservations_.lower_bound(prefix);
       at != reservations_.end() && at->first.starts_with(prefix); ++at) {
    at->second.write.under_way = false;
  }
}

void Leftovers::TaintSet(const std::string& node, Answer /*answer*/) {
  const auto found = untaints_.find(node);
  if (found != untaints_.end()) found->second.under_way = false;
}

}  // namespace basalt::descheduler
