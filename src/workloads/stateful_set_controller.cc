#include "workloads/stateful_set_controller.h"

#include <fmt/core.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "workloads/child_object.h"
#include "workloads/pod_facts.h"
#include "workloads/template_hash.h"

namespace basalt::workloads {
namespace {

namespace json = boost::json;

using kube::resources::kPersistentVolumeClaims;
using kube::resources::kStatefulSets;

std::string RevisionOf(const kube::StatefulSet& set) {
  return fmt::format("{}-{}", set.meta.name, TemplateHash(CanonicalTemplate(set.pod_template), 0));
}

std::string PodNameOf(const kube::StatefulSet& set, std::int32_t ordinal) {
  return fmt::format("{}-{}", set.meta.name, ordinal);
}

// Puts the claim's volume in the place of one of the same name.
void SetVolume(json::object& spec, const std::string& name, const std::string& claim) {
  json::value& volumes = spec["volumes"];
  if (!volumes.is_array()) volumes = json::array();
  json::object volume{{"name", name},
                      {"persistentVolumeClaim", json::object{{"claimName", claim}}}};
  for (json::value& there : volumes.get_array()) {
    if (there.is_object() && there.get_object()["name"] == json::value(name)) {
      there = std::move(volume);
      return;
    }
  }
  volumes.get_array().push_back(std::move(volume));
}

// The template's name is the volume's.
std::string VolumeNameOf(const json::object& claim) {
  boost::system::error_code error;
  const json::value whole(claim);
  const json::value* name = whole.find_pointer("/metadata/name", error);
  return name != nullptr && name->is_string() ? std::string(name->get_string()) : std::string();
}

std::vector<json::object> ClaimTemplates(const kube::StatefulSet& set) {
  std::vector<json::object> claims;
  for (const std::string& text : set.volume_claim_templates) {
    boost::system::error_code error;
    json::value parsed = json::parse(text, error);
    if (!error && parsed.is_object()) claims.push_back(std::move(parsed.get_object()));
  }
  return claims;
}

}  // namespace

std::vector<json::object> StatefulClaims(const kube::StatefulSet& set, std::int32_t ordinal) {
  std::vector<json::object> claims = ClaimTemplates(set);
  for (json::object& claim : claims) {
    const std::string volume = VolumeNameOf(claim);
    claim["apiVersion"] = "v1";
    claim["kind"] = "PersistentVolumeClaim";
    claim.erase("status");
    json::object& meta = Child(claim, "metadata");
    meta.erase("creationTimestamp");
    meta["name"] = fmt::format("{}-{}", volume, PodNameOf(set, ordinal));
    meta["namespace"] = set.meta.ns;
    if (set.selector) {
      json::object& labels = Child(meta, "labels");
      for (const auto& [key, value] : set.pod_template.labels) labels[key] = value;
    }
  }
  return claims;
}

json::object StatefulPod(const kube::StatefulSet& set, const std::string& revision,
                         std::int32_t ordinal) {
  const std::string name = PodNameOf(set, ordinal);
  json::object pod = PodFromTemplate(set.pod_template, kStatefulSets, set.meta, name);
  json::object& labels = Child(Child(pod, "metadata"), "labels");
  labels["statefulset.kubernetes.io/pod-name"] = name;
  labels["apps.kubernetes.io/pod-index"] = std::to_string(ordinal);
  labels[kRevisionHash] = revision;
  json::object& spec = Child(pod, "spec");
  spec["hostname"] = name;
  if (!set.service_name.empty()) spec["subdomain"] = set.service_name;
  for (const json::object& claim : ClaimTemplates(set)) {
    const std::string volume = VolumeNameOf(claim);
    SetVolume(spec, volume, fmt::format("{}-{}", volume, name));
  }
  return pod;
}

StatefulSetController::StatefulSetController(kube::Client& client, PodPool& pods, Warning warn)
    : client_(client),
      pods_(pods),
      warn_(std::move(warn)),
      sets_(client,
            [this](const kube::InformerEvent<kube::StatefulSet>& event) {
              if (event.object) queue_.Add(event.object->meta.Key());
              if (event.kind == kube::InformerEventKind::kDeleted) {
                pods_.Forget(event.old_object->meta.uid);
              }
            }),
      queue_(client.loop(), {.parallel = 16},
             [this](const std::string& key, WorkQueue::Done done) {
               Reconcile(key, std::move(done));
             }),
      pod_changes_(client.loop(), queue_) {
  pods_.Listen(
      "StatefulSet",
      [this](const std::string& ns, const std::string& name, const std::string&) {
        pod_changes_.Add(kube::ObjectKey(ns, name));
      },
      [this](const kube::Pod& pod) { OnOrphan(pod); });
}

void StatefulSetController::Kick() {
  for (const auto& set : sets_.store().Sorted()) queue_.Add(set->meta.Key());
}

void StatefulSetController::OnOrphan(const kube::Pod& pod) {
  const std::size_t dash = pod.meta.name.rfind('-');
  if (dash == std::string::npos) return;
  const auto set = sets_.store().Find(pod.meta.ns, std::string_view(pod.meta.name).substr(0, dash));
  if (set != nullptr && kube::Matches(set->selector, pod.meta.labels)) queue_.Add(set->meta.Key());
}

void StatefulSetController::Reconcile(const std::string& key, WorkQueue::Done done) {
  // Kick comes again when they are there.
  if (!sets_.HasSynced() || !pods_.HasSynced()) return done(true);
  const std::size_t slash = key.find('/');
  const SetPointer set = sets_.store().Find(std::string_view(key).substr(0, slash),
                                            std::string_view(key).substr(slash + 1));
  if (set == nullptr || !set->selector) return done(true);
  AsyncJoin join(std::move(done));
  const PodOwner owner{kStatefulSets, set->meta, *set->selector};
  const PodPool::Pods claimed = pods_.Claim(owner, join, [&](const kube::Pod& pod) {
    return OrdinalOf(*set, pod.meta.name).has_value();
  });
  std::vector<const kube::Pod*> pods;
  for (const auto& pod : claimed) pods.push_back(pod.get());
  const std::string revision = RevisionOf(*set);
  const Time now = client_.loop().Now();
  const StatefulSetPlan plan = PlanStatefulSet(*set, pods, revision, now);
  if (pods_.CaughtUp(set->meta.uid)) {
    for (const std::int32_t ordinal : plan.create) CreatePod(set, revision, ordinal, join);
    for (const kube::Pod* pod : plan.remove) pods_.Delete(owner, *pod, join);
    // It may have asked for something that will never be seen.
    if (!pods_.CaughtUp(set->meta.uid)) {
      queue_.AddAfter(key, pods_.CatchUpTime(set->meta.uid) + 1ms);
    }
  }
  if (plan.look_again) queue_.AddAfter(key, *plan.look_again - now);
  WriteStatus(*set, plan.status, join);
}

void StatefulSetController::CreatePod(const SetPointer& set, const std::string& revision,
                                      std::int32_t ordinal, AsyncJoin join) {
  // The pod follows when its claims are there: a pod that names a missing claim is not refused, but
  // waits for it for no reason.
  AsyncJoin claims([this, set, revision, ordinal, join](bool ok) {
    if (!ok) return join.Fail();
    const PodOwner owner{kStatefulSets, set->meta, *set->selector};
    pods_.Create(owner, PodNameOf(*set, ordinal), StatefulPod(*set, revision, ordinal), join);
  });
  for (const json::object& claim : StatefulClaims(*set, ordinal)) {
    client_.Create({kPersistentVolumeClaims, set->meta.ns}, json::serialize(claim),
                   scope_.Guard([this, set, claims](const Result<kube::ApiResponse>& result) {
                     if (result || result.error().code == ErrorCode::kAlreadyExists) return;
                     claims.Fail();
                     warn_(kStatefulSets, set->meta, "FailedCreate",
                           "Error creating a claim: " + result.error().message);
                   }));
  }
}

void StatefulSetController::WriteStatus(const kube::StatefulSet& set,
                                        const StatefulSetStatus& status, AsyncJoin join) {
  const kube::ReplicaCounts& counts = status.counts;
  if (set.status.replicas == counts.replicas && set.status.ready == counts.ready &&
      set.status.available == counts.available && set.status.updated == counts.updated &&
      set.status.current == counts.current && set.current_revision == status.current_revision &&
      set.update_revision == status.update_revision &&
      set.observed_generation == set.meta.generation) {
    return;
  }
  const json::object patch{{"metadata", json::object{{"uid", set.meta.uid}}},
                           {"status", json::object{{"replicas", counts.replicas},
                                                   {"readyReplicas", NullIfZero(counts.ready)},
                                                   {"availableReplicas", counts.available},
                                                   {"updatedReplicas", NullIfZero(counts.updated)},
                                                   {"currentReplicas", NullIfZero(counts.current)},
                                                   {"currentRevision", status.current_revision},
                                                   {"updateRevision", status.update_revision},
                                                   {"observedGeneration", set.meta.generation}}}};
  client_.Patch({kStatefulSets, set.meta.ns, set.meta.name, "status"}, kube::PatchKind::kMerge,
                json::serialize(patch),
                scope_.Guard([join](const Result<kube::ApiResponse>& result) {
                  if (!result && result.error().code != ErrorCode::kNotFound) join.Fail();
                }));
}

}  // namespace basalt::workloads
