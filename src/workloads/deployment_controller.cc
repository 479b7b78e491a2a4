#include "workloads/deployment_controller.h"

#include <fmt/core.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <charconv>

#include "kube/types/time.h"
#include "workloads/child_object.h"
#include "workloads/deployment_set.h"
#include "workloads/pod_facts.h"
#include "workloads/template_hash.h"

namespace basalt::workloads {
namespace {

namespace json = boost::json;

using kube::resources::kDeployments;
using kube::resources::kReplicaSets;

std::int64_t NumberAnnotation(const kube::ObjectMeta& meta, std::string_view name) {
  const std::string_view text = meta.annotations.Get(name);
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::int64_t Revision(const kube::ObjectMeta& meta) { return NumberAnnotation(meta, kRevision); }

bool Older(const std::shared_ptr<const kube::ReplicaSet>& a,
           const std::shared_ptr<const kube::ReplicaSet>& b) {
  return std::tie(a->meta.creation_timestamp, a->meta.name) <
         std::tie(b->meta.creation_timestamp, b->meta.name);
}

bool IsHarmless(const Error& error) { return error.code == ErrorCode::kNotFound; }

}  // namespace

struct DeploymentController::View {
  std::shared_ptr<const kube::Deployment> deployment;
  std::string canonical;  // its template
  Sets sets;              // oldest first
  std::shared_ptr<const kube::ReplicaSet> new_set;
  Sets old_sets;  // oldest first
  Fenceposts posts;
  bool created_set = false;

  std::int64_t MostReplicas() const {
    return deployment->replicas == 0 ? 0 : deployment->replicas + posts.surge;
  }
  std::int64_t NewestOldRevision() const {
    std::int64_t newest = 0;
    for (const auto& set : old_sets) newest = std::max(newest, Revision(set->meta));
    return newest;
  }
};

DeploymentController::DeploymentController(kube::Client& client, PodPool& pods,
                                           ReplicaSetController& sets, Warning warn)
    : client_(client),
      pods_(pods),
      sets_(sets),
      warn_(std::move(warn)),
      deployments_(client,
                   [this](const kube::InformerEvent<kube::Deployment>& event) {
                     if (event.object) queue_.Add(event.object->meta.Key());
                     if (event.kind == kube::InformerEventKind::kDeleted) {
                       progress_.erase(event.old_object->meta.uid);
                     }
                   }),
      queue_(client.loop(), {.parallel = 16}, [this](const std::string& key, WorkQueue::Done done) {
        Reconcile(key, std::move(done));
      }) {}

void DeploymentController::Kick() {
  for (const auto& deployment : deployments_.store().Sorted()) queue_.Add(deployment->meta.Key());
}

void DeploymentController::OnReplicaSet(const ReplicaSetController::Event& event) {
  for (const auto& set : {event.old_object, event.object}) {
    if (set == nullptr) continue;
    if (const kube::OwnerReference* owner = set->meta.Controller()) {
      if (owner->kind == "Deployment") queue_.Add(kube::ObjectKey(set->meta.ns, owner->name));
    } else if (event.object && !set->meta.deleting()) {
      // A Deployment may adopt it: rare enough to ask all in turn.
      deployments_.store().ForEach([&](const kube::Deployment& deployment) {
        if (deployment.meta.ns == set->meta.ns &&
            kube::Matches(deployment.selector, set->meta.labels)) {
          queue_.Add(deployment.meta.Key());
        }
      });
    }
  }
}

void DeploymentController::OnPodOf(const std::string& ns, const std::string& set_name) {
  const auto set = sets_.store().Find(ns, set_name);
  if (set == nullptr) return;
  const kube::OwnerReference* owner = set->meta.Controller();
  if (owner == nullptr || owner->kind != "Deployment") return;
  const auto deployment = deployments_.store().Find(ns, owner->name);
  if (deployment != nullptr && deployment->strategy == kube::Deployment::Strategy::kRecreate) {
    queue_.Add(deployment->meta.Key());
  }
}

DeploymentController::Sets DeploymentController::Claim(const kube::Deployment& deployment,
                                                       AsyncJoin join) {
  Sets claimed;
  for (auto& set : sets_.OwnedBy(deployment.meta.uid)) {
    if (deployment.selector->Matches(set->meta.labels)) {
      claimed.push_back(std::move(set));
    } else if (!set->meta.deleting()) {
      PatchSet(
          *set,
          {{"metadata", json::object{{"ownerReferences",
                                      json::array{json::object{{"$patch", "delete"},
                                                               {"uid", deployment.meta.uid}}}}}}},
          join);
    }
  }
  if (!deployment.meta.deleting()) {
    for (const auto& set : sets_.Orphans(deployment.meta.ns)) {
      if (set->meta.deleting() || !deployment.selector->Matches(set->meta.labels)) continue;
      PatchSet(
          *set,
          {{"metadata", json::object{{"ownerReferences", json::array{ControllerReference(
                                                             kDeployments, deployment.meta)}}}}},
          join);
    }
  }
  std::sort(claimed.begin(), claimed.end(), Older);
  return claimed;
}

void DeploymentController::Reconcile(const std::string& key, WorkQueue::Done done) {
  if (!deployments_.HasSynced() || !sets_.HasSynced() || !pods_.HasSynced()) return done(true);
  const std::size_t slash = key.find('/');
  const auto deployment = deployments_.store().Find(std::string_view(key).substr(0, slash),
                                                    std::string_view(key).substr(slash + 1));
  if (deployment == nullptr || !deployment->selector) return done(true);
  if (deployment->selector->empty()) {
    warn_(kDeployments, deployment->meta, "SelectingAll",
          "This deployment is selecting all pods. A non-empty selector is required.");
    return done(true);
  }
  AsyncJoin join(std::move(done));
  View view{.deployment = deployment, .canonical = CanonicalTemplate(deployment->pod_template)};
  view.sets = Claim(*deployment, join);
  for (const auto& set : view.sets) {
    if (view.new_set == nullptr && CanonicalTemplate(set->pod_template) == view.canonical) {
      view.new_set = set;
    } else {
      view.old_sets.push_back(set);
    }
  }
  const std::int64_t replicas = deployment->replicas;
  const auto scaled = [&](const std::optional<kube::IntOrString>& value, bool round_up) {
    return value ? value->Scaled(replicas, round_up).value_or(0) : 0;
  };
  if (deployment->strategy == kube::Deployment::Strategy::kRollingUpdate) {
    view.posts = ResolveFenceposts(scaled(deployment->max_surge, true),
                                   scaled(deployment->max_unavailable, false), replicas);
  }
  if (!deployment->meta.deleting()) {
    KeepRevision(view, join);
    Apply(view, PlanRollout(Input(view)), join);
  }
  WriteStatus(key, view, join);
}

RolloutInput DeploymentController::Input(const View& view) const {
  const auto convert = [](const kube::ReplicaSet& set) {
    return RolloutSet{.name = set.meta.name,
                      .replicas = set.replicas,
                      .actual = set.status.replicas,
                      .available = set.status.available,
                      .desired_then = NumberAnnotation(set.meta, kDesired),
                      .most_then = NumberAnnotation(set.meta, kMost)};
  };
  RolloutInput input{.replicas = view.deployment->replicas,
                     .recreate = view.deployment->strategy == kube::Deployment::Strategy::kRecreate,
                     .paused = view.deployment->paused,
                     .surge = view.posts.surge,
                     .unavailable = view.posts.unavailable};
  if (view.new_set != nullptr) {
    input.has_new = true;
    input.new_set = convert(*view.new_set);
  }
  for (const auto& set : view.old_sets) {
    input.old_sets.push_back(convert(*set));
    for (const auto& pod : pods_.OwnedBy(set->meta.uid)) {
      input.old_pods_left += pod->terminal() ? 0 : 1;
    }
  }
  return input;
}

void DeploymentController::Apply(View& view, const RolloutPlan& plan, AsyncJoin join) {
  if (plan.create_new) CreateSet(view, plan.new_replicas, join);
  boost::unordered_flat_map<std::string_view, std::int64_t> scale;
  for (const ScaleTo& step : plan.scale) scale[step.name] = step.replicas;
  const std::string desired = std::to_string(view.deployment->replicas);
  const std::string most = std::to_string(view.MostReplicas());
  for (const auto& set : view.sets) {
    const auto to = scale.find(std::string_view(set->meta.name));
    const bool annotated =
        set->meta.annotations.Get(kDesired) == desired && set->meta.annotations.Get(kMost) == most;
    // The annotations say which size of the Deployment a set was last scaled for: without them the
    // next change of that size could not be told from a rollout.
    if (to == scale.end() && (annotated || set->replicas == 0)) continue;
    json::object patch{
        {"metadata", json::object{{"resourceVersion", set->meta.resource_version},
                                  {"annotations", json::object{{std::string(kDesired), desired},
                                                               {std::string(kMost), most}}}}}};
    if (to != scale.end()) patch["spec"] = json::object{{"replicas", to->second}};
    PatchSet(*set, std::move(patch), join);
  }
}

void DeploymentController::CreateSet(View& view, std::int64_t replicas, AsyncJoin join) {
  const kube::Deployment& deployment = *view.deployment;
  const NewSet set{.hash = TemplateHash(view.canonical, deployment.collision_count.value_or(0)),
                   .replicas = replicas,
                   .revision = view.NewestOldRevision() + 1,
                   .most_replicas = view.MostReplicas()};
  const std::string name = NewSetName(deployment, set);
  view.created_set = true;
  client_.Create({kReplicaSets, deployment.meta.ns}, NewSetJson(deployment, set),
                 scope_.Guard([this, deployment = view.deployment, name,
                               join](const Result<kube::ApiResponse>& result) mutable {
                   if (result) return;
                   if (result.error().code == ErrorCode::kAlreadyExists) {
                     return OnSetExists(deployment, name, join);
                   }
                   join.Fail();
                   warn_(kDeployments, deployment->meta, "ReplicaSetCreateError",
                         fmt::format("Failed to create new replica set \"{}\": {}", name,
                                     result.error().message));
                 }));
}

// Our own that the watch has not shown yet, or one whose name happens to be the same.
void DeploymentController::OnSetExists(std::shared_ptr<const kube::Deployment> deployment,
                                       const std::string& name, AsyncJoin join) {
  const auto set = sets_.store().Find(deployment->meta.ns, name);
  if (set == nullptr) {
    // The watch brings it, and with it another reconciliation.
    return;
  }
  const kube::OwnerReference* owner = set->meta.Controller();
  if (owner != nullptr && owner->uid == deployment->meta.uid) return;
  const std::int32_t collisions = deployment->collision_count.value_or(0) + 1;
  join.Fail();  // and try again with the next name
  client_.Patch(
      {kDeployments, deployment->meta.ns, deployment->meta.name, "status"}, kube::PatchKind::kMerge,
      json::serialize(json::object{{"metadata", json::object{{"uid", deployment->meta.uid}}},
                                   {"status", json::object{{"collisionCount", collisions}}}}),
      scope_.Guard([join](const Result<kube::ApiResponse>&) {}));
}

void DeploymentController::KeepRevision(const View& view, AsyncJoin join) {
  if (view.new_set == nullptr) return;
  const kube::ReplicaSet& set = *view.new_set;
  const std::int64_t wanted = view.NewestOldRevision() + 1;
  const std::int64_t now = Revision(set.meta);
  if (now < wanted) {
    // A template that comes back gets a new number; the old ones are remembered.
    json::object annotations{{std::string(kRevision), std::to_string(wanted)}};
    if (now > 0) {
      const std::string_view history = set.meta.annotations.Get(kRevisionHistory);
      annotations[kRevisionHistory] =
          history.empty() ? std::to_string(now) : fmt::format("{},{}", history, now);
    }
    PatchSet(set, {{"metadata", json::object{{"annotations", std::move(annotations)}}}}, join);
  }
  const std::string revision = std::to_string(std::max(now, wanted));
  if (view.deployment->meta.annotations.Get(kRevision) == revision) return;
  client_.Patch(
      {kDeployments, view.deployment->meta.ns, view.deployment->meta.name}, kube::PatchKind::kMerge,
      json::serialize(json::object{
          {"metadata",
           json::object{{"uid", view.deployment->meta.uid},
                        {"annotations", json::object{{std::string(kRevision), revision}}}}}}),
      scope_.Guard([join](const Result<kube::ApiResponse>& result) mutable {
        if (!result && !IsHarmless(result.error())) join.Fail();
      }));
}

void DeploymentController::CleanUp(const View& view, AsyncJoin join) {
  Sets idle;
  for (const auto& set : view.old_sets) {
    if (set->replicas == 0 && set->status.replicas == 0 && !set->meta.deleting() &&
        set->observed_generation >= set->meta.generation) {
      idle.push_back(set);
    }
  }
  std::stable_sort(idle.begin(), idle.end(), [](const auto& a, const auto& b) {
    return Revision(a->meta) < Revision(b->meta);
  });
  const std::int64_t surplus = std::ssize(idle) - view.deployment->revision_history_limit;
  for (std::int64_t i = 0; i < surplus; ++i) {
    const kube::ReplicaSet& set = *idle[static_cast<std::size_t>(i)];
    client_.Delete({kReplicaSets, set.meta.ns, set.meta.name},
                   {.propagation = "Background", .uid = set.meta.uid},
                   scope_.Guard([join](const Result<kube::ApiResponse>& result) mutable {
                     if (!result && !IsHarmless(result.error())) join.Fail();
                   }));
  }
}

void DeploymentController::WriteStatus(const std::string& key, View& view, AsyncJoin join) {
  const kube::Deployment& deployment = *view.deployment;
  const Time now = client_.loop().Now();
  Time& last_progress = progress_.try_emplace(deployment.meta.uid, now).first->second;
  DeploymentView facts{.deployment = deployment,
                       .new_set = view.new_set.get(),
                       .unavailable_limit = view.posts.unavailable,
                       .created_set = view.created_set,
                       .last_progress = last_progress};
  for (const auto& set : view.sets) facts.all_sets.push_back(set.get());
  const DeploymentStatus status = ComputeStatus(facts, now);
  if (status.progressed || status.complete) last_progress = now;
  if (status.next_change) queue_.AddAfter(key, *status.next_change - now);
  if (status.complete) CleanUp(view, join);

  json::array conditions;
  for (const kube::Condition& wanted : status.conditions) {
    const kube::Condition* stored = kube::FindCondition(deployment.conditions, wanted.type);
    const bool same_status = stored != nullptr && stored->status == wanted.status;
    if (same_status && stored->reason == wanted.reason && stored->message == wanted.message) {
      continue;
    }
    json::object condition{{"type", wanted.type},
                           {"status", kube::ToString(wanted.status)},
                           {"reason", wanted.reason},
                           {"message", wanted.message},
                           {"lastUpdateTime", kube::FormatTime(now)}};
    if (!same_status) condition["lastTransitionTime"] = kube::FormatTime(now);
    conditions.push_back(std::move(condition));
  }
  const kube::ReplicaCounts& counts = status.counts;
  const kube::ReplicaCounts& old = deployment.status;
  if (conditions.empty() && counts.replicas == old.replicas && counts.updated == old.updated &&
      counts.ready == old.ready && counts.available == old.available &&
      counts.unavailable == old.unavailable &&
      deployment.observed_generation == deployment.meta.generation) {
    return;
  }
  const auto number = [](std::int32_t count) {
    return count == 0 ? json::value() : json::value(count);
  };
  json::object fields{{"observedGeneration", deployment.meta.generation},
                      {"replicas", number(counts.replicas)},
                      {"updatedReplicas", number(counts.updated)},
                      {"readyReplicas", number(counts.ready)},
                      {"availableReplicas", number(counts.available)},
                      {"unavailableReplicas", number(counts.unavailable)}};
  if (!conditions.empty()) fields["conditions"] = std::move(conditions);
  client_.Patch(
      {kDeployments, deployment.meta.ns, deployment.meta.name, "status"},
      kube::PatchKind::kStrategic,
      json::serialize(json::object{{"metadata", json::object{{"uid", deployment.meta.uid}}},
                                   {"status", std::move(fields)}}),
      scope_.Guard([join](const Result<kube::ApiResponse>& result) mutable {
        if (!result && !IsHarmless(result.error())) join.Fail();
      }));
}

void DeploymentController::PatchSet(const kube::ReplicaSet& set, json::object patch,
                                    AsyncJoin join) {
  Child(patch, "metadata")["uid"] = set.meta.uid;
  client_.Patch({kReplicaSets, set.meta.ns, set.meta.name}, kube::PatchKind::kStrategic,
                json::serialize(patch),
                scope_.Guard([join](const Result<kube::ApiResponse>& result) mutable {
                  if (!result && !IsHarmless(result.error())) join.Fail();
                }));
}

}  // namespace basalt::workloads
