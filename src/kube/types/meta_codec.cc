#include "kube/types/json_reader.h"

namespace basalt::kube::json {

bool ReadField(Reader& reader, std::string_view key, Value& value, OwnerReference& out) {
  if (key == "apiVersion") return Read(reader, value, out.api_version);
  if (key == "kind") return Read(reader, value, out.kind);
  if (key == "name") return Read(reader, value, out.name);
  if (key == "uid") return Read(reader, value, out.uid);
  if (key == "controller") return Read(reader, value, out.controller);
  if (key == "blockOwnerDeletion") return Read(reader, value, out.block_owner_deletion);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, ObjectMeta& out) {
  if (key == "managedFields") return true;
  if (key == "name") return Read(reader, value, out.name);
  if (key == "namespace") return Read(reader, value, out.ns);
  if (key == "uid") return Read(reader, value, out.uid);
  if (key == "resourceVersion") return Read(reader, value, out.resource_version);
  if (key == "generateName") return Read(reader, value, out.generate_name);
  if (key == "generation") return Read(reader, value, out.generation);
  if (key == "creationTimestamp") return Read(reader, value, out.creation_timestamp);
  if (key == "deletionTimestamp") return Read(reader, value, out.deletion_timestamp);
  if (key == "deletionGracePeriodSeconds") {
    return Read(reader, value, out.deletion_grace_period_seconds);
  }
  if (key == "labels") return Read(reader, value, out.labels);
  if (key == "annotations") return Read(reader, value, out.annotations);
  if (key == "ownerReferences") return Read(reader, value, out.owner_references);
  if (key == "finalizers") return Read(reader, value, out.finalizers);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, ObjectReference& out) {
  if (key == "apiVersion") return Read(reader, value, out.api_version);
  if (key == "kind") return Read(reader, value, out.kind);
  if (key == "namespace") return Read(reader, value, out.ns);
  if (key == "name") return Read(reader, value, out.name);
  if (key == "uid") return Read(reader, value, out.uid);
  if (key == "resourceVersion") return Read(reader, value, out.resource_version);
  if (key == "fieldPath") return Read(reader, value, out.field_path);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, Condition& out) {
  if (key == "type") return Read(reader, value, out.type);
  if (key == "status") return Read(reader, value, out.status);
  if (key == "lastTransitionTime") return Read(reader, value, out.last_transition_time);
  if (key == "reason") return Read(reader, value, out.reason);
  if (key == "message") return Read(reader, value, out.message);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, ListMeta& out) {
  if (key == "resourceVersion") return Read(reader, value, out.resource_version);
  if (key == "continue") return Read(reader, value, out.continue_token);
  if (key == "remainingItemCount") return Read(reader, value, out.remaining_item_count);
  return true;
}

}  // namespace basalt::kube::json
