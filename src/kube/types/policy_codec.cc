#include "kube/types/codec_impl.h"
#include "kube/types/event.h"
#include "kube/types/lease.h"
#include "kube/types/pdb.h"
#include "kube/types/resource_quota.h"

// PodDisruptionBudget, ResourceQuota, Lease and Event.
namespace basalt::kube::json {
namespace {

bool ReadBudgetSpec(Reader& reader, std::string_view key, Value& value, PodDisruptionBudget& out) {
  if (key == "minAvailable") return Read(reader, value, out.min_available);
  if (key == "maxUnavailable") return Read(reader, value, out.max_unavailable);
  if (key == "selector") return Read(reader, value, out.selector);
  if (key == "unhealthyPodEvictionPolicy") {
    return ReadIs(reader, value, "AlwaysAllow", out.always_allow_unhealthy);
  }
  return true;
}

bool ReadBudgetStatus(Reader& reader, std::string_view key, Value& value,
                      PodDisruptionBudget& out) {
  if (key == "observedGeneration") return Read(reader, value, out.observed_generation);
  if (key == "disruptionsAllowed") return Read(reader, value, out.disruptions_allowed);
  if (key == "currentHealthy") return Read(reader, value, out.current_healthy);
  if (key == "desiredHealthy") return Read(reader, value, out.desired_healthy);
  if (key == "expectedPods") return Read(reader, value, out.expected_pods);
  if (key == "conditions") return Read(reader, value, out.conditions);
  if (key == "disruptedPods") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      PodDisruptionBudget::DisruptedPod& pod = out.disrupted_pods.emplace_back();
      pod.name = name;
      return Read(reader, field, pod.time);
    });
  }
  return true;
}

bool ReadQuotaSpec(Reader& reader, std::string_view key, Value& value, ResourceQuota& out) {
  if (key == "hard") return Read(reader, value, out.hard);
  if (key == "scopes") return Read(reader, value, out.scopes);
  if (key == "scopeSelector") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return name == "matchExpressions" ? Read(reader, field, out.scope_selector) : true;
    });
  }
  return true;
}

}  // namespace

bool ReadField(Reader& reader, std::string_view key, Value& value, PodDisruptionBudget& out) {
  if (key == "spec") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return ReadBudgetSpec(reader, name, field, out);
    });
  }
  if (key == "status") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return ReadBudgetStatus(reader, name, field, out);
    });
  }
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value,
               ResourceQuota::ScopeRequirement& out) {
  if (key == "scopeName") return Read(reader, value, out.scope_name);
  if (key == "operator") return Read(reader, value, out.op);
  if (key == "values") return Read(reader, value, out.values);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, ResourceQuota& out) {
  if (key == "spec") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return ReadQuotaSpec(reader, name, field, out);
    });
  }
  if (key == "status") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      if (name == "hard") return Read(reader, field, out.status_hard);
      if (name == "used") return Read(reader, field, out.status_used);
      return true;
    });
  }
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, Lease& out) {
  if (key != "spec") return true;
  return ReadObject(reader, value, [&](std::string_view name, Value& field) {
    if (name == "holderIdentity") return Read(reader, field, out.holder_identity);
    if (name == "leaseDurationSeconds") return Read(reader, field, out.lease_duration_seconds);
    if (name == "acquireTime") return Read(reader, field, out.acquire_time);
    if (name == "renewTime") return Read(reader, field, out.renew_time);
    if (name == "leaseTransitions") return Read(reader, field, out.lease_transitions);
    return true;
  });
}

bool ReadField(Reader& reader, std::string_view key, Value& value, Event& out) {
  if (key == "involvedObject") return Read(reader, value, out.involved_object);
  if (key == "related") return Read(reader, value, out.related);
  if (key == "type") return Read(reader, value, out.type);
  if (key == "reason") return Read(reader, value, out.reason);
  if (key == "message") return Read(reader, value, out.message);
  if (key == "action") return Read(reader, value, out.action);
  if (key == "source") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      if (name == "component") return Read(reader, field, out.source_component);
      if (name == "host") return Read(reader, field, out.source_host);
      return true;
    });
  }
  if (key == "reportingComponent") return Read(reader, value, out.reporting_component);
  if (key == "reportingInstance") return Read(reader, value, out.reporting_instance);
  if (key == "count") return Read(reader, value, out.count);
  if (key == "series") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      if (name == "count") return Read(reader, field, out.series_count);
      if (name == "lastObservedTime") return Read(reader, field, out.series_last_observed_time);
      return true;
    });
  }
  if (key == "firstTimestamp") return Read(reader, value, out.first_timestamp);
  if (key == "lastTimestamp") return Read(reader, value, out.last_timestamp);
  if (key == "eventTime") return Read(reader, value, out.event_time);
  return true;
}

}  // namespace basalt::kube::json

namespace basalt::kube {
BASALT_CODEC(PodDisruptionBudget);
BASALT_CODEC(ResourceQuota);
BASALT_CODEC(Lease);
BASALT_CODEC(Event);
}  // namespace basalt::kube
