#include "kube/types/codec_impl.h"
#include "kube/types/pod_codec.h"
#include "kube/types/workloads.h"

namespace basalt::kube::json {
namespace {

// The fields that all five have in their spec. `known` says whether `key` was one of them.
template <class Workload>
bool ReadCommonSpec(Reader& reader, std::string_view key, Value& value, Workload& out,
                    bool& known) {
  known = true;
  if (key == "selector") return Read(reader, value, out.selector);
  if (key == "template") return Read(reader, value, out.pod_template);
  if constexpr (requires { out.replicas; }) {
    if (key == "replicas") return Read(reader, value, out.replicas);
  }
  if constexpr (requires { out.min_ready_seconds; }) {
    if (key == "minReadySeconds") return Read(reader, value, out.min_ready_seconds);
  }
  known = false;
  return true;
}

// The type of an update strategy, and what its rollingUpdate says.
template <class Strategy>
bool ReadStrategy(Reader& reader, Value& value, Strategy& strategy,
                  std::pair<std::string_view, Strategy> other, std::optional<IntOrString>* surge,
                  std::optional<IntOrString>* unavailable, std::int32_t* partition) {
  return ReadObject(reader, value, [&](std::string_view key, Value& field) {
    if (key == "type") return ReadEnum(reader, field, strategy, {other}, Strategy{});
    if (key != "rollingUpdate") return true;
    return ReadObject(reader, field, [&](std::string_view name, Value& part) {
      if (name == "maxSurge" && surge) return Read(reader, part, *surge);
      if (name == "maxUnavailable" && unavailable) return Read(reader, part, *unavailable);
      if (name == "partition" && partition) return Read(reader, part, *partition);
      return true;
    });
  });
}

bool ReadCounts(Reader& reader, std::string_view key, Value& value, ReplicaCounts& out) {
  if (key == "replicas") return Read(reader, value, out.replicas);
  if (key == "readyReplicas") return Read(reader, value, out.ready);
  if (key == "availableReplicas") return Read(reader, value, out.available);
  if (key == "updatedReplicas") return Read(reader, value, out.updated);
  if (key == "unavailableReplicas") return Read(reader, value, out.unavailable);
  if (key == "fullyLabeledReplicas") return Read(reader, value, out.fully_labeled);
  if (key == "terminatingReplicas") return Read(reader, value, out.terminating);
  if (key == "currentReplicas") return Read(reader, value, out.current);
  return true;
}

// The status fields of ReplicaSet, Deployment and StatefulSet.
template <class Workload>
bool ReadReplicaStatus(Reader& reader, std::string_view key, Value& value, Workload& out) {
  if (key == "observedGeneration") return Read(reader, value, out.observed_generation);
  if (key == "conditions") return Read(reader, value, out.conditions);
  return ReadCounts(reader, key, value, out.status);
}

bool ReadSpecField(Reader&, std::string_view, Value&, ReplicaSet&) { return true; }

bool ReadStatusField(Reader& reader, std::string_view key, Value& value, ReplicaSet& out) {
  return ReadReplicaStatus(reader, key, value, out);
}

bool ReadSpecField(Reader& reader, std::string_view key, Value& value, Deployment& out) {
  if (key == "strategy") {
    return ReadStrategy(reader, value, out.strategy, {"Recreate", Deployment::Strategy::kRecreate},
                        &out.max_surge, &out.max_unavailable, nullptr);
  }
  if (key == "revisionHistoryLimit") return Read(reader, value, out.revision_history_limit);
  if (key == "progressDeadlineSeconds") return Read(reader, value, out.progress_deadline_seconds);
  if (key == "paused") return Read(reader, value, out.paused);
  return true;
}

bool ReadStatusField(Reader& reader, std::string_view key, Value& value, Deployment& out) {
  if (key == "collisionCount") return Read(reader, value, out.collision_count);
  return ReadReplicaStatus(reader, key, value, out);
}

bool ReadSpecField(Reader& reader, std::string_view key, Value& value, StatefulSet& out) {
  if (key == "serviceName") return Read(reader, value, out.service_name);
  if (key == "podManagementPolicy") {
    return ReadEnum(reader, value, out.pod_management,
                    {{"Parallel", StatefulSet::PodManagement::kParallel}},
                    StatefulSet::PodManagement::kOrderedReady);
  }
  if (key == "updateStrategy") {
    return ReadStrategy(reader, value, out.strategy, {"OnDelete", StatefulSet::Strategy::kOnDelete},
                        nullptr, nullptr, &out.partition);
  }
  if (key == "ordinals") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return name == "start" ? Read(reader, field, out.first_ordinal) : true;
    });
  }
  if (key == "volumeClaimTemplates") {
    out.volume_claim_templates.clear();
    return ReadArray(reader, value, [&](Value& element) {
      Object object;
      if (element.get_object().get(object)) return reader.WrongType(element, "an object");
      std::string_view raw;
      if (const auto error = object.raw_json().get(raw)) return reader.Broken(error);
      out.volume_claim_templates.emplace_back(raw);
      return true;
    });
  }
  return true;
}

bool ReadStatusField(Reader& reader, std::string_view key, Value& value, StatefulSet& out) {
  if (key == "currentRevision") return Read(reader, value, out.current_revision);
  if (key == "updateRevision") return Read(reader, value, out.update_revision);
  return ReadReplicaStatus(reader, key, value, out);
}

bool ReadSpecField(Reader& reader, std::string_view key, Value& value, DaemonSet& out) {
  if (key == "updateStrategy") {
    return ReadStrategy(reader, value, out.strategy, {"OnDelete", DaemonSet::Strategy::kOnDelete},
                        &out.max_surge, &out.max_unavailable, nullptr);
  }
  return true;
}

bool ReadStatusField(Reader& reader, std::string_view key, Value& value, DaemonSet& out) {
  if (key == "observedGeneration") return Read(reader, value, out.observed_generation);
  if (key == "currentNumberScheduled") return Read(reader, value, out.current_number_scheduled);
  if (key == "desiredNumberScheduled") return Read(reader, value, out.desired_number_scheduled);
  if (key == "numberMisscheduled") return Read(reader, value, out.number_misscheduled);
  if (key == "numberReady") return Read(reader, value, out.number_ready);
  if (key == "numberAvailable") return Read(reader, value, out.number_available);
  if (key == "numberUnavailable") return Read(reader, value, out.number_unavailable);
  if (key == "updatedNumberScheduled") return Read(reader, value, out.updated_number_scheduled);
  return true;
}

bool ReadSpecField(Reader& reader, std::string_view key, Value& value, Job& out) {
  if (key == "parallelism") return Read(reader, value, out.parallelism);
  if (key == "completions") return Read(reader, value, out.completions);
  if (key == "backoffLimit") return Read(reader, value, out.backoff_limit);
  if (key == "backoffLimitPerIndex") return Read(reader, value, out.backoff_limit_per_index);
  if (key == "maxFailedIndexes") return Read(reader, value, out.max_failed_indexes);
  if (key == "activeDeadlineSeconds") return Read(reader, value, out.active_deadline_seconds);
  if (key == "ttlSecondsAfterFinished") return Read(reader, value, out.ttl_seconds_after_finished);
  if (key == "completionMode") {
    return ReadEnum(reader, value, out.completion_mode,
                    {{"Indexed", Job::CompletionMode::kIndexed}}, Job::CompletionMode::kNonIndexed);
  }
  if (key == "suspend") return Read(reader, value, out.suspend);
  if (key == "manualSelector") return Read(reader, value, out.manual_selector);
  if (key == "podReplacementPolicy") {
    return ReadIs(reader, value, "Failed", out.replace_failed_pods_only);
  }
  if (key == "podFailurePolicy") return out.has_pod_failure_policy = true;
  if (key == "successPolicy") return out.has_success_policy = true;
  if (key == "managedBy") return Read(reader, value, out.managed_by);
  return true;
}

bool ReadStatusField(Reader& reader, std::string_view key, Value& value, Job& out) {
  if (key == "active") return Read(reader, value, out.active);
  if (key == "ready") return Read(reader, value, out.ready);
  if (key == "succeeded") return Read(reader, value, out.succeeded);
  if (key == "failed") return Read(reader, value, out.failed);
  if (key == "terminating") return Read(reader, value, out.terminating);
  if (key == "completedIndexes") return Read(reader, value, out.completed_indexes);
  if (key == "failedIndexes") return Read(reader, value, out.failed_indexes);
  if (key == "startTime") return Read(reader, value, out.start_time);
  if (key == "completionTime") return Read(reader, value, out.completion_time);
  if (key == "conditions") return Read(reader, value, out.conditions);
  if (key == "uncountedTerminatedPods") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      if (name == "succeeded") return Read(reader, field, out.uncounted_succeeded);
      if (name == "failed") return Read(reader, field, out.uncounted_failed);
      return true;
    });
  }
  return true;
}

template <class Workload>
bool ReadWorkload(Reader& reader, std::string_view key, Value& value, Workload& out) {
  if (key == "spec") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      bool known = false;
      const bool ok = ReadCommonSpec(reader, name, field, out, known);
      return known ? ok : ReadSpecField(reader, name, field, out);
    });
  }
  if (key == "status") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return ReadStatusField(reader, name, field, out);
    });
  }
  return true;
}

}  // namespace

bool ReadField(Reader& reader, std::string_view key, Value& value, ReplicaSet& out) {
  return ReadWorkload(reader, key, value, out);
}
bool ReadField(Reader& reader, std::string_view key, Value& value, Deployment& out) {
  return ReadWorkload(reader, key, value, out);
}
bool ReadField(Reader& reader, std::string_view key, Value& value, StatefulSet& out) {
  return ReadWorkload(reader, key, value, out);
}
bool ReadField(Reader& reader, std::string_view key, Value& value, DaemonSet& out) {
  return ReadWorkload(reader, key, value, out);
}
bool ReadField(Reader& reader, std::string_view key, Value& value, Job& out) {
  return ReadWorkload(reader, key, value, out);
}

}  // namespace basalt::kube::json

namespace basalt::kube {
BASALT_CODEC(ReplicaSet);
BASALT_CODEC(Deployment);
BASALT_CODEC(StatefulSet);
BASALT_CODEC(DaemonSet);
BASALT_CODEC(Job);
}  // namespace basalt::kube
