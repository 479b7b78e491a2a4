#include "descheduler/service/policy_planning.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "kube/types/selector.h"

namespace basalt::descheduler {
namespace {

std::unexpected<Error> BadRequest(std::string message) {
  return Fail(ErrorCode::kInvalidArgument, std::move(message));
}

// A thousand nodes without a figure are one line.
void SayWhoIsUnmeasured(const Plan& plan) {
  constexpr std::size_t kMostNames = 10;
  if (plan.unmeasured.empty()) return;
  const std::size_t named = std::min(kMostNames, plan.unmeasured.size());
  const auto end = plan.unmeasured.begin() + static_cast<std::ptrdiff_t>(named);
  log::Warning("LoadAware leaves nodes alone of which its source of metrics has no figure",
               {{"profile", plan.profile},
                {"count", plan.unmeasured.size()},
                {"nodes", fmt::format("{}", fmt::join(plan.unmeasured.begin(), end, ","))}});
}

std::string NamesOf(const Thresholds& thresholds) {
  std::vector<std::string> names;
  for (const auto& [resource, percent] : thresholds) names.push_back(resource);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

PolicyPlanning::PolicyPlanning(Policy policy, std::vector<std::string> scheduler_names,
                               const MakeUsageSource& make_usage_source)
    : policy_(std::move(policy)),
      scheduler_names_(std::move(scheduler_names)),
      rules_(MakePlacementRules()) {
  for (const Profile& profile : policy_.profiles) {
    for (const Part part : PartsOf(profile)) {
      PartOfRun& made = parts_.emplace_back();
      made.profile = &profile;
      made.part = part;
      if (part != Part::kLoadAware) continue;
      if (profile.load_aware->metrics == MetricsType::kNone) {
        log::Warning("LoadAware does nothing: its metrics.type is not set",
                     {{"profile", profile.name}});
        continue;
      }
      if (make_usage_source) made.source = make_usage_source(*profile.load_aware);
    }
  }
}

bool PolicyPlanning::dry_run(std::size_t part) const {
  const PartOfRun& it = parts_[part];
  return it.part == Part::kDefragmentation && it.profile->defragmentation->dry_run;
}

void PolicyPlanning::Prepare(std::size_t part, std::function<void()> done) {
  if (part == 0) evicted_ = {};
  if (!parts_[part].source) return done();
  parts_[part].source->Fetch(scope_.Guard([this, part, done = std::move(done)](const Usage& usage) {
    parts_[part].usage = usage;
    done();
  }));
}

Result<Plan> PolicyPlanning::Make(std::size_t part, model::Cluster& cluster, Time now) {
  const PartOfRun& it = parts_[part];
  PlanRequest request;
  request.part = it.part;
  request.scheduler_names = scheduler_names_;
  request.evicted = evicted_;
  Plan plan = MakePlan(cluster, *rules_, policy_, *it.profile, request,
                       it.source ? &it.usage : nullptr, now);
  SayWhoIsUnmeasured(plan);
  CountEvicted(plan, &evicted_);
  return plan;
}

Result<std::size_t> PolicyPlanning::PartFor(const RunRequest& request) const {
  const Profile* profile = policy_.FindDefragmentation(request.profile);
  if (!profile) {
    return BadRequest(request.profile.empty()
                          ? "profile: none of the policy's profiles enables Defragmentation"
                          : fmt::format("profile: there is no profile \"{}\" that enables "
                                        "Defragmentation",
                                        request.profile));
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].profile == profile && parts_[i].part == Part::kDefragmentation) return i;
  }
  return BadRequest("profile: it does not enable Defragmentation");
}

Result<Plan> PolicyPlanning::MakeFor(const RunRequest& request, model::Cluster& cluster, Time now) {
  const Result<std::size_t> part = PartFor(request);
  if (!part) return std::unexpected(part.error());
  const Profile& profile = *parts_[*part].profile;
  const Thresholds& thresholds = profile.defragmentation->low;
  if (!request.resource_type.empty() && !thresholds.contains(request.resource_type)) {
    return BadRequest(fmt::format("resourceType: \"{}\" is not in the thresholds ({})",
                                  request.resource_type, NamesOf(thresholds)));
  }
  PlanRequest asked;
  asked.part = Part::kDefragmentation;
  asked.resource_type = request.resource_type;
  asked.scheduler_names = scheduler_names_;
  if (!request.node_selector.empty()) {
    const Result<kube::LabelSelector> selector = kube::LabelSelector::Parse(request.node_selector);
    if (!selector) return BadRequest("nodeSelector: " + selector.error().message);
    asked.node_selector = *selector;
  }
  return MakePlan(cluster, *rules_, policy_, profile, asked, nullptr, now);
}

Duration PolicyPlanning::most_wait() const {
  Duration most{0};
  for (const Profile& profile : policy_.profiles) {
    if (profile.defragmentation) {
      most = std::max(most, profile.defragmentation->moves.migrate_timeout);
    }
    if (profile.load_aware) most = std::max(most, profile.load_aware->moves.migrate_timeout);
  }
  return most > Duration{0} ? most : MoveArgs().migrate_timeout;
}

Percentages PolicyPlanning::Fragmentation(model::Cluster& cluster) const {
  Thresholds resources;
  for (const Profile& profile : policy_.profiles) {
    if (profile.defragmentation)
      resources.insert(profile.defragmentation->low.begin(), profile.defragmentation->low.end());
  }
  return FragmentationOf(cluster, resources);
}

}  // namespace basalt::descheduler
