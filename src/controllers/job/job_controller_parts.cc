#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "controllers/job/job_controller_state.h"
#include "controllers/job/plugins/job_keys.h"
#include "controllers/job/plugins/json_parts.h"
#include "kube/types/reasons.h"

// What a job needs beside its pods: claims, the objects of its plugins, its PodGroup.
namespace basalt::controllers {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;

// The server has looked at it and said no: trying again may well end the same.
bool IsRefusal(const Error& error) {
  return error.http_status >= 400 && error.http_status < 500 && error.http_status != 409 &&
         error.http_status != 429;
}

json::value ParseOrNull(std::string_view text) {
  boost::system::error_code error;
  json::value parsed = json::parse(text, error);
  return error ? json::value() : parsed;
}

// Whether an owner reference of the object is to this uid.
bool IsOwnedBy(const json::value& object, std::string_view uid) {
  boost::system::error_code error;
  const json::value* owners = object.find_pointer("/metadata/ownerReferences", error);
  if (!owners || !owners->is_array()) return false;
  return std::ranges::any_of(owners->get_array(), [&](const json::value& owner) {
    const json::value* found = owner.is_object() ? owner.get_object().if_contains("uid") : nullptr;
    return found && found->is_string() && found->get_string() == uid;
  });
}

std::string RandomName(Random& random, int length) {
  static constexpr std::string_view kAlphabet = "bcdfghjklmnpqrstvwxz2456789";
  std::string text;
  for (int i = 0; i < length; ++i) text += kAlphabet[random.Below(kAlphabet.size())];
  return text;
}

std::string ClaimKey(std::string_view claim) { return fmt::format("volume-pvc-{}", claim); }
std::string PluginKey(std::string_view plugin) { return fmt::format("plugin-{}", plugin); }

}  // namespace

void JobController::Prepare(const TurnPtr& turn, Then then) {
  PrepareClaims(turn, [this, turn, then = std::move(then)](bool ok) mutable {
    if (!ok) return then(false);
    PreparePlugins(turn, [this, turn, then = std::move(then)](bool made) mutable {
      if (!made) return then(false);
      PrepareGroup(turn, [turn, then = std::move(then)](bool ready) mutable {
        if (ready) turn->state->refusals = 0;
        then(ready);
      });
    });
  });
}

void JobController::StepFailed(const TurnPtr& turn, std::string_view reason,
                               const std::string& what, bool counts) {
  Warn(*turn->job, reason, what);
  State& state = *turn->state;
  if (!counts || ++state.refusals < options_.max_requeue) return;
  state.refusals = 0;
  state.wishes.push_front(
      {.event = JobEvent::kOutOfSync,
       .action = JobAction::kTerminateJob,
       .detail = fmt::format("{} after {} tries: {}", reason, options_.max_requeue, what)});
  work_.Add(turn->key);
}

// ---- claims

void JobController::PrepareClaims(const TurnPtr& turn, Then then) {
  const kube::VcJob& job = *turn->job;
  const auto unnamed = [](const kube::VcJobVolume& volume) {
    return !volume.claim.empty() && volume.claim_name.empty();
  };
  if (std::ranges::any_of(job.spec.volumes, unnamed)) return NameClaims(turn, std::move(then));
  auto finish = std::make_shared<Then>(std::move(then));
  const AsyncJoin join(scope_.Guard([finish](bool ok) { (*finish)(ok); }));
  for (const kube::VcJobVolume& volume : job.spec.volumes) {
    const std::string key = ClaimKey(volume.claim_name);
    if (turn->controlled.Contains(key)) continue;
    if (claims_.store().Find(job.meta.ns, volume.claim_name)) {
      turn->controlled.Set(key, volume.claim_name);
      continue;
    }
    if (volume.claim.empty()) {
      StepFailed(turn, reasons::kClaimError,
                 fmt::format("spec.volumes: the PersistentVolumeClaim {} that is to be mounted at "
                             "{} does not exist: create it",
                             volume.claim_name, volume.mount_path),
                 false);
      turn->waits = true;
      join.Fail();
      continue;
    }
    json::object claim = NewObject(resources::kPersistentVolumeClaims, job, volume.claim_name);
    claim["spec"] = ParseOrNull(volume.claim);
    client_.Create(
        {resources::kPersistentVolumeClaims, job.meta.ns}, json::serialize(claim),
        scope_.Guard([this, turn, join, key,
                      name = volume.claim_name](const Result<kube::ApiResponse>& result) {
          if (result || result.error().code == ErrorCode::kAlreadyExists) {
            turn->controlled.Set(key, name);
            return;
          }
          StepFailed(turn, reasons::kClaimError,
                     fmt::format("PersistentVolumeClaim {}: {}", name, result.error().message),
                     IsRefusal(result.error()));
          join.Fail();
        }));
  }
}

// Their names are chosen and written down before they are made, so that none is made twice.
void JobController::NameClaims(const TurnPtr& turn, Then then) {
  const kube::VcJob& job = *turn->job;
  json::array patch{json::object{{"op", "replace"},
                                 {"path", "/metadata/resourceVersion"},
                                 {"value", job.meta.resource_version}}};
  for (std::size_t i = 0; i < job.spec.volumes.size(); ++i) {
    const kube::VcJobVolume& volume = job.spec.volumes[i];
    if (volume.claim.empty() || !volume.claim_name.empty()) continue;
    patch.push_back(
        json::object{{"op", "add"},
                     {"path", fmt::format("/spec/volumes/{}/volumeClaimName", i)},
                     {"value", fmt::format("{}-pvc-{}", job.meta.name, RandomName(random_, 12))}});
  }
  auto finish = std::make_shared<Then>(std::move(then));
  client_.Patch({resources::kVcJobs, job.meta.ns, job.meta.name}, kube::PatchKind::kJson,
                json::serialize(patch),
                scope_.Guard([this, turn, finish](const Result<kube::ApiResponse>& result) {
                  if (!result && result.error().code != ErrorCode::kConflict) {
                    StepFailed(turn, reasons::kClaimError,
                               "writing the claims' names: " + result.error().message,
                               IsRefusal(result.error()));
                  }
                  // The job as it is now comes with the watch.
                  turn->waits = result.has_value();
                  (*finish)(false);
                }));
}

// ---- what plugins make

void JobController::PreparePlugins(const TurnPtr& turn, Then then) {
  const kube::VcJob& job = *turn->job;
  auto finish = std::make_shared<Then>(std::move(then));
  const AsyncJoin join(scope_.Guard([finish](bool ok) { (*finish)(ok); }));
  const std::string scale = ScaleOf(job.spec);
  bool says = false;
  for (const auto& plugin : turn->plugins.plugins) {
    const std::string key = PluginKey(plugin->name());
    const bool made = turn->controlled.Contains(key);
    const bool fits = turn->state->scale == scale;
    if (made && fits) continue;
    if (!made && !std::exchange(says, true)) {
      for (const std::string& complaint : turn->plugins.complaints) {
        Warn(job, reasons::kPluginError, complaint);
      }
    }
    if (made && plugin->Names(job).empty()) continue;
    Result<std::vector<PluginObject>> objects =
        made && plugin->name() != "svc" ? plugin->Names(job) : plugin->Objects(job);
    if (!objects) {
      StepFailed(turn, reasons::kPluginError,
                 fmt::format("plugin {}: {}", plugin->name(), objects.error().message), false);
      join.Fail();
      continue;
    }
    if (!made) turn->controlled.Set(key, plugin->name());
    for (PluginObject& object : *objects) {
      if (!made) {
        MakeObject(turn, *plugin, std::move(object), join);
      } else if (object.follows_scale) {
        TakeOver(turn, std::string(plugin->name()), object, join);
      }
    }
  }
  turn->state->scale = scale;
}

void JobController::MakeObject(const TurnPtr& turn, const JobPlugin& plugin, PluginObject object,
                               const AsyncJoin& join) {
  const kube::VcJob& job = *turn->job;
  std::string body = json::serialize(object.body);
  const kube::Resource& resource = *object.resource;
  client_.Create(
      {resource, job.meta.ns}, std::move(body),
      scope_.Guard([this, turn, join, plugin_name = std::string(plugin.name()),
                    object = std::move(object)](const Result<kube::ApiResponse>& result) {
        if (result) return;
        if (result.error().code == ErrorCode::kAlreadyExists) {
          return TakeOver(turn, plugin_name, object, join);
        }
        turn->controlled.Erase(PluginKey(plugin_name));
        StepFailed(turn, reasons::kPluginError,
                   fmt::format("plugin {}: {} {}: {}", plugin_name, object.resource->kind,
                               object.name, result.error().message),
                   IsRefusal(result.error()));
        join.Fail();
      }));
}

// The object is there: made by an earlier attempt for this job, or not this job's.
void JobController::TakeOver(const TurnPtr& turn, const std::string& plugin,
                             const PluginObject& object, const AsyncJoin& join) {
  const std::string& ns = turn->job->meta.ns;
  const auto failed = [this, turn, plugin, join](const PluginObject& which, std::string_view why,
                                                 bool counts) {
    turn->controlled.Erase(PluginKey(plugin));
    turn->state->scale.clear();
    StepFailed(turn, reasons::kPluginError,
               fmt::format("plugin {}: {} {}: {}", plugin, which.resource->kind, which.name, why),
               counts);
    join.Fail();
  };
  client_.Get(
      {*object.resource, ns, object.name},
      scope_.Guard([this, turn, failed, join, object](const Result<kube::ApiResponse>& found) {
        if (!found) return failed(object, found.error().message, IsRefusal(found.error()));
        const json::value known = ParseOrNull(found->body);
        if (!IsOwnedBy(known, turn->job->meta.uid)) {
          return failed(object, "it exists and is not this job's: it is waited for", true);
        }
        const json::value* wanted = object.body.if_contains("data");
        const json::value* has = known.get_object().if_contains("data");
        if (!object.follows_scale || !wanted || (has && *has == *wanted)) return;
        client_.Patch(
            {*object.resource, turn->job->meta.ns, object.name}, kube::PatchKind::kMerge,
            json::serialize(json::object{
                {"metadata", json::object{{"ownerReferences", json::array{OwnedBy(*turn->job)}}}},
                {"data", *wanted}}),
            scope_.Guard([failed, object, join](const Result<kube::ApiResponse>& patched) {
              if (patched) return;
              failed(object, patched.error().message, IsRefusal(patched.error()));
            }));
      }));
}

// ---- the group

JobController::GroupPtr JobController::GroupOf(const kube::VcJob& job) const {
  GroupPtr group = groups_.store().Find(job.meta.ns, job.meta.name);
  if (!group) group = groups_.store().Find(job.meta.ns, GroupNameOf(job));
  if (!group || group->meta.deleting()) return nullptr;
  const auto state = states_.find(job.meta.Key());
  const bool dropped = state != states_.end() && state->second->dropped_group == group->meta.uid;
  return dropped ? nullptr : group;
}

bool JobController::IsForwarded(const kube::VcJob& job) const {
  const auto queue = queues_.store().Find("", job.spec.Queue());
  return queue && !queue->extend_clusters.empty();
}

PriorityOf JobController::PriorityLookup() const {
  return [this](std::string_view class_name) -> std::int64_t {
    if (class_name.empty()) return 0;
    const auto found = classes_.store().Find("", class_name);
    return found ? found->value : 0;
  };
}

void JobController::PrepareGroup(const TurnPtr& turn, Then then) {
  const kube::VcJob& job = *turn->job;
  auto finish = std::make_shared<Then>(std::move(then));
  const AsyncJoin join(scope_.Guard([finish](bool ok) { (*finish)(ok); }));
  if (IsForwarded(job) && job.meta.annotations.Get(job_keys::kJobForwarding) != "true") {
    client_.Patch(
        {resources::kVcJobs, job.meta.ns, job.meta.name}, kube::PatchKind::kMerge,
        json::serialize(json::object{
            {"metadata",
             json::object{{"uid", job.meta.uid},
                          {"annotations", json::object{{job_keys::kJobForwarding, "true"}}}}}}),
        scope_.Guard([join](const Result<kube::ApiResponse>& result) {
          if (!result) join.Fail();
        }));
  }
  const std::vector<bool> may_start =
      TasksThatMayStart(job.spec, TallyOf(job.spec, turn->owned->pods));
  const std::int32_t min_member = MinMemberOf(job.spec, may_start);
  const auto failed = [this, turn, join](const Error& error) {
    // A queue that is not there is waited for.
    const bool no_queue = !queues_.store().Find("", turn->job->spec.Queue());
    const std::string hint =
        no_queue ? fmt::format(" (queue {} does not exist: create it)", turn->job->spec.Queue())
                 : "";
    StepFailed(turn, reasons::kGroupError,
               fmt::format("PodGroup {}: {}{}", GroupNameOf(*turn->job), error.message, hint),
               IsRefusal(error) && !no_queue);
    if (no_queue) turn->waits = true;
    join.Fail();
  };
  if (!turn->group) {
    client_.Create({resources::kPodGroups, job.meta.ns},
                   JobGroupBody(job, min_member, PriorityLookup()),
                   scope_.Guard([failed, join](const Result<kube::ApiResponse>& result) {
                     if (result || result.error().code == ErrorCode::kAlreadyExists) return;
                     failed(result.error());
                   }));
    return;
  }
  std::string patch = JobGroupPatch(*turn->group, job, min_member, PriorityLookup());
  if (patch.empty()) return;
  client_.Patch({resources::kPodGroups, job.meta.ns, turn->group->meta.name},
                kube::PatchKind::kMerge, std::move(patch),
                scope_.Guard([failed, join](const Result<kube::ApiResponse>& result) {
                  if (result) return;
                  if (result.error().code == ErrorCode::kConflict ||
                      result.error().code == ErrorCode::kNotFound) {
                    return join.Fail();
                  }
                  failed(result.error());
                }));
}

// ---- the end of an attempt

void JobController::DropParts(const TurnPtr& turn, const AsyncJoin& join) {
  const kube::VcJob& job = *turn->job;
  const auto done = [join](const Result<kube::ApiResponse>& result) {
    if (!result && result.error().code != ErrorCode::kNotFound &&
        result.error().code != ErrorCode::kConflict) {
      join.Fail();
    }
  };
  if (turn->group) {
    turn->state->dropped_group = turn->group->meta.uid;
    client_.Delete({resources::kPodGroups, job.meta.ns, turn->group->meta.name},
                   {.uid = turn->group->meta.uid},
                   scope_.Guard([turn, done](const Result<kube::ApiResponse>& result) {
                     if (!result && result.error().code != ErrorCode::kNotFound) {
                       turn->state->dropped_group.clear();
                     }
                     done(result);
                   }));
  }
  std::vector<PluginObject> objects;
  bool any = false;
  const PluginSet set = MakePlugins(job.spec);
  for (const auto& plugin : set.plugins) {
    if (!turn->controlled.Contains(PluginKey(plugin->name()))) continue;
    any = true;
    std::ranges::move(plugin->Names(job), std::back_inserter(objects));
  }
  if (!any) return;
  const AsyncJoin all(scope_.Guard([this, turn, join](bool ok) {
    if (!ok) return join.Fail();
    EraseParts(turn->controlled);
    turn->state->dropped_parts = true;
    turn->state->scale.clear();
    work_.Add(turn->key);  // for the status to say so
  }));
  for (const PluginObject& object : objects) {
    client_.Delete({*object.resource, job.meta.ns, object.name}, {},
                   scope_.Guard([all](const Result<kube::ApiResponse>& result) {
                     if (!result && result.error().code != ErrorCode::kNotFound) all.Fail();
                   }));
  }
}

}  // namespace basalt::controllers
