#include "workloads/daemon_set_controller.h"

#include <fmt/core.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "workloads/child_object.h"
#include "workloads/stateful_set_plan.h"
#include "workloads/template_hash.h"

namespace basalt::workloads {
namespace {

namespace json = boost::json;

using kube::resources::kDaemonSets;
// Written at once for one set; the rest follows when the watch has shown these.
constexpr std::size_t kMostDaemonsAtOnce = 500;

// What decides where daemons run.
bool SameForDaemons(const kube::Node& a, const kube::Node& b) {
  return a.meta.labels == b.meta.labels && a.spec.taints == b.spec.taints;
}

}  // namespace

json::object DaemonPod(const kube::DaemonSet& set, const std::string& revision,
                       const std::string& node, const std::string& name) {
  json::object pod = PodFromTemplate(set.pod_template, kDaemonSets, set.meta, name);
  json::object& labels = Child(Child(pod, "metadata"), "labels");
  labels[kRevisionHash] = revision;
  labels["pod-template-generation"] = std::to_string(set.meta.generation);
  json::object& spec = Child(pod, "spec");
  // The template's own rules about nodes hold for this node: it was chosen by them.
  Child(Child(spec, "affinity"),
        "nodeAffinity")["requiredDuringSchedulingIgnoredDuringExecution"] = json::object{
      {"nodeSelectorTerms",
       json::array{json::object{
           {"matchFields",
            json::array{json::object{
                {"key", "metadata.name"}, {"operator", "In"}, {"values", json::array{node}}}}}}}}};
  json::value& tolerations = spec["tolerations"];
  if (!tolerations.is_array()) tolerations = json::array();
  for (const kube::Toleration& one : DaemonTolerations(set.pod_template.spec.host_network)) {
    tolerations.get_array().push_back(json::object{
        {"key", one.key}, {"operator", "Exists"}, {"effect", kube::ToString(one.effect)}});
  }
  return pod;
}

DaemonSetController::DaemonSetController(kube::Client& client, PodPool& pods, Warning warn)
    : client_(client),
      pods_(pods),
      warn_(std::move(warn)),
      nodes_(client, [this](const auto& event) { OnNode(event); }),
      sets_(client,
            [this](const kube::InformerEvent<kube::DaemonSet>& event) {
              if (event.object) queue_.Add(event.object->meta.Key());
              if (event.kind == kube::InformerEventKind::kDeleted) {
                pods_.Forget(event.old_object->meta.uid);
              }
            }),
      queue_(client.loop(), {.parallel = 16},
             [this](const std::string& key, WorkQueue::Done done) {
               Reconcile(key, std::move(done));
             }),
      changes_(client.loop(), queue_) {
  pods_.Listen(
      "DaemonSet",
      [this](const std::string& ns, const std::string& name, const std::string&) {
        changes_.Add(kube::ObjectKey(ns, name));
      },
      [this](const kube::Pod& pod) { OnOrphan(pod); });
}

void DaemonSetController::Kick() {
  for (const auto& set : sets_.store().Sorted()) queue_.Add(set->meta.Key());
}

void DaemonSetController::OnNode(const kube::InformerEvent<kube::Node>& event) {
  if (event.kind == kube::InformerEventKind::kSynced) return;
  if (event.object && event.old_object && SameForDaemons(*event.object, *event.old_object)) return;
  sets_.store().ForEach([&](const kube::DaemonSet& set) { changes_.Add(set.meta.Key()); });
}

void DaemonSetController::OnOrphan(const kube::Pod& pod) {
  sets_.store().ForEach([&](const kube::DaemonSet& set) {
    if (set.meta.ns == pod.meta.ns && kube::Matches(set.selector, pod.meta.labels)) {
      queue_.Add(set.meta.Key());
    }
  });
}

void DaemonSetController::Reconcile(const std::string& key, WorkQueue::Done done) {
  // Kick comes again when they are there.
  if (!HasSynced() || !pods_.HasSynced()) return done(true);
  const std::size_t slash = key.find('/');
  const auto set = sets_.store().Find(std::string_view(key).substr(0, slash),
                                      std::string_view(key).substr(slash + 1));
  if (set == nullptr || !set->selector) return done(true);
  if (set->selector->empty()) {
    warn_(kDaemonSets, set->meta, "SelectingAll",
          "This daemon set is selecting all pods. A non-empty selector is required.");
    return done(true);
  }
  AsyncJoin join(std::move(done));
  const PodOwner owner{kDaemonSets, set->meta, *set->selector};
  const PodPool::Pods claimed = pods_.Claim(owner, join);
  std::vector<const kube::Pod*> pods;
  for (const auto& pod : claimed) pods.push_back(pod.get());
  const auto sorted = nodes_.store().Sorted();
  std::vector<const kube::Node*> nodes;
  for (const auto& node : sorted) nodes.push_back(node.get());
  const std::string revision = TemplateHash(CanonicalTemplate(set->pod_template), 0);
  const Time now = client_.loop().Now();
  const DaemonSetPlan plan = PlanDaemonSet(*set, pods, nodes, revision, now);
  if (!set->meta.deleting() && pods_.CaughtUp(set->meta.uid)) {
    for (std::size_t i = 0; i < std::min(plan.create.size(), kMostDaemonsAtOnce); ++i) {
      const std::string name = pods_.NewName(set->meta, set->meta.name);
      pods_.Create(owner, name, DaemonPod(*set, revision, plan.create[i], name), join);
    }
    for (const kube::Pod* pod : plan.remove) pods_.Delete(owner, *pod, join);
    // It may have asked for something that will never be seen.
    if (!pods_.CaughtUp(set->meta.uid)) {
      queue_.AddAfter(key, pods_.CatchUpTime(set->meta.uid) + 1ms);
    }
  }
  if (plan.look_again) queue_.AddAfter(key, *plan.look_again - now);
  WriteStatus(*set, plan.status, join);
}

void DaemonSetController::WriteStatus(const kube::DaemonSet& set, const DaemonSetStatus& status,
                                      AsyncJoin join) {
  const DaemonSetStatus written{.current_scheduled = set.current_number_scheduled,
                                .desired = set.desired_number_scheduled,
                                .misscheduled = set.number_misscheduled,
                                .ready = set.number_ready,
                                .available = set.number_available,
                                .updated = set.updated_number_scheduled};
  if (written == status && set.observed_generation == set.meta.generation) return;
  const json::object patch{
      {"metadata", json::object{{"uid", set.meta.uid}}},
      {"status", json::object{{"currentNumberScheduled", status.current_scheduled},
                              {"desiredNumberScheduled", status.desired},
                              {"numberMisscheduled", status.misscheduled},
                              {"numberReady", status.ready},
                              {"numberAvailable", NullIfZero(status.available)},
                              {"numberUnavailable", NullIfZero(status.desired - status.available)},
                              {"updatedNumberScheduled", NullIfZero(status.updated)},
                              {"observedGeneration", set.meta.generation}}}};
  client_.Patch({kDaemonSets, set.meta.ns, set.meta.name, "status"}, kube::PatchKind::kMerge,
                json::serialize(patch),
                scope_.Guard([join](const Result<kube::ApiResponse>& result) {
                  if (!result && result.error().code != ErrorCode::kNotFound) join.Fail();
                }));
}

}  // namespace basalt::workloads
