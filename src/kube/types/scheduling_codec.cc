#include "kube/types/codec_impl.h"
#include "kube/types/command.h"
#include "kube/types/hypernode.h"
#include "kube/types/scheduling.h"

// PodGroup, Queue, HyperNode and Command.
namespace basalt::kube::json {

bool ReadField(Reader& reader, std::string_view key, Value& value, NetworkTopology& out) {
  if (key == "mode") {
    return ReadEnum(reader, value, out.mode, {{"soft", NetworkTopology::Mode::kSoft}},
                    NetworkTopology::Mode::kHard);
  }
  if (key == "highestTierAllowed") return Read(reader, value, out.highest_tier_allowed);
  if (key == "highestTierName") return Read(reader, value, out.highest_tier_name);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, SubGroupPolicy& out) {
  if (key == "name") return Read(reader, value, out.name);
  if (key == "networkTopology") return Read(reader, value, out.network_topology);
  if (key == "subGroupSize") return Read(reader, value, out.sub_group_size);
  if (key == "minSubGroups") return Read(reader, value, out.min_sub_groups);
  if (key == "labelSelector") return Read(reader, value, out.label_selector);
  if (key == "matchLabelKeys") return Read(reader, value, out.match_label_keys);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, PodGroupCondition& out) {
  if (key == "type") return Read(reader, value, out.type);
  if (key == "status") return Read(reader, value, out.status);
  if (key == "transitionID") return Read(reader, value, out.transition_id);
  if (key == "lastTransitionTime") return Read(reader, value, out.last_transition_time);
  if (key == "reason") return Read(reader, value, out.reason);
  if (key == "message") return Read(reader, value, out.message);
  return true;
}

namespace {

bool ReadGroupSpec(Reader& reader, std::string_view key, Value& value, PodGroup& out) {
  if (key == "minMember") return Read(reader, value, out.min_member);
  if (key == "minTaskMember") return Read(reader, value, out.min_task_member);
  if (key == "queue") return Read(reader, value, out.queue);
  if (key == "priorityClassName") return Read(reader, value, out.priority_class_name);
  if (key == "minResources") return Read(reader, value, out.min_resources);
  if (key == "networkTopology") return Read(reader, value, out.network_topology);
  if (key == "subGroupPolicy") return Read(reader, value, out.sub_group_policy);
  return true;
}

bool ReadGroupStatus(Reader& reader, std::string_view key, Value& value, PodGroup& out) {
  if (key == "phase") {
    return ReadEnum(reader, value, out.phase,
                    {{"", PodGroupPhase::kNone},
                     {"Pending", PodGroupPhase::kPending},
                     {"Running", PodGroupPhase::kRunning},
                     {"Inqueue", PodGroupPhase::kInqueue},
                     {"Completed", PodGroupPhase::kCompleted}},
                    PodGroupPhase::kUnknown);
  }
  if (key == "conditions") return Read(reader, value, out.conditions);
  if (key == "running") return Read(reader, value, out.running);
  if (key == "succeeded") return Read(reader, value, out.succeeded);
  if (key == "failed") return Read(reader, value, out.failed);
  return true;
}

bool ReadQueueStatus(Reader& reader, std::string_view key, Value& value, Queue& out) {
  if (key == "state") {
    return ReadEnum(reader, value, out.state,
                    {{"", QueueState::kNone},
                     {"Open", QueueState::kOpen},
                     {"Closed", QueueState::kClosed},
                     {"Closing", QueueState::kClosing}},
                    QueueState::kUnknown);
  }
  if (key == "unknown") return Read(reader, value, out.unknown);
  if (key == "pending") return Read(reader, value, out.pending);
  if (key == "running") return Read(reader, value, out.running);
  if (key == "inqueue") return Read(reader, value, out.inqueue);
  if (key == "completed") return Read(reader, value, out.completed);
  if (key == "allocated") return Read(reader, value, out.allocated);
  if (key == "reservation") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      if (name == "nodes") return Read(reader, field, out.reserved_nodes);
      if (name == "resource") return Read(reader, field, out.reserved_resource);
      return true;
    });
  }
  return true;
}

}  // namespace

bool ReadField(Reader& reader, std::string_view key, Value& value, PodGroup& out) {
  if (key == "spec") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return ReadGroupSpec(reader, name, field, out);
    });
  }
  if (key == "status") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return ReadGroupStatus(reader, name, field, out);
    });
  }
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, Queue::NodeGroupTerms& out) {
  if (key == "requiredDuringSchedulingIgnoredDuringExecution") {
    return Read(reader, value, out.required);
  }
  if (key == "preferredDuringSchedulingIgnoredDuringExecution") {
    return Read(reader, value, out.preferred);
  }
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, Queue::NodeGroupRules& out) {
  if (key == "nodeGroupAffinity") return Read(reader, value, out.affinity);
  if (key == "nodeGroupAntiAffinity") return Read(reader, value, out.anti_affinity);
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, Queue::ExtendCluster& out) {
  if (key == "name") return Read(reader, value, out.name);
  if (key == "weight") return Read(reader, value, out.weight);
  if (key == "capacity") return Read(reader, value, out.capacity);
  return true;
}

namespace {

bool ReadQueueSpec(Reader& reader, std::string_view key, Value& value, Queue& out) {
  if (key == "weight") return Read(reader, value, out.weight);
  if (key == "capability") return Read(reader, value, out.capability);
  if (key == "deserved") return Read(reader, value, out.deserved);
  if (key == "guarantee") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return name == "resource" ? Read(reader, field, out.guarantee) : true;
    });
  }
  if (key == "reclaimable") return Read(reader, value, out.reclaimable);
  if (key == "parent") return Read(reader, value, out.parent);
  if (key == "type") return Read(reader, value, out.type);
  if (key == "priority") return Read(reader, value, out.priority);
  if (key == "dequeueStrategy") {
    return ReadEnum(reader, value, out.dequeue_strategy, {{"fifo", Queue::DequeueStrategy::kFifo}},
                    Queue::DequeueStrategy::kTraverse);
  }
  if (key == "affinity") return Read(reader, value, out.affinity);
  if (key == "extendClusters") return Read(reader, value, out.extend_clusters);
  return true;
}

}  // namespace

bool ReadField(Reader& reader, std::string_view key, Value& value, Queue& out) {
  if (key == "spec") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return ReadQueueSpec(reader, name, field, out);
    });
  }
  if (key == "status") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      return ReadQueueStatus(reader, name, field, out);
    });
  }
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, HyperNode::Member& out) {
  if (key == "type") {
    return ReadEnum(reader, value, out.type, {{"HyperNode", HyperNode::Member::Type::kHyperNode}},
                    HyperNode::Member::Type::kNode);
  }
  if (key != "selector") return true;
  return ReadObject(reader, value, [&](std::string_view name, Value& field) {
    if (name == "exactMatch") {
      return ReadObject(reader, field, [&](std::string_view part, Value& text) {
        return part == "name" ? Read(reader, text, out.exact_match) : true;
      });
    }
    if (name == "regexMatch") {
      return ReadObject(reader, field, [&](std::string_view part, Value& text) {
        return part == "pattern" ? Read(reader, text, out.regex_match) : true;
      });
    }
    if (name == "labelMatch") return Read(reader, field, out.label_match);
    return true;
  });
}

bool ReadField(Reader& reader, std::string_view key, Value& value, HyperNode& out) {
  if (key == "spec") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      if (name == "tier") return Read(reader, field, out.tier);
      if (name == "tierName") return Read(reader, field, out.tier_name);
      if (name == "members") return Read(reader, field, out.members);
      return true;
    });
  }
  if (key == "status") {
    return ReadObject(reader, value, [&](std::string_view name, Value& field) {
      if (name == "conditions") return Read(reader, field, out.conditions);
      if (name == "nodeCount") return Read(reader, field, out.node_count);
      return true;
    });
  }
  return true;
}

bool ReadField(Reader& reader, std::string_view key, Value& value, Command& out) {
  if (key == "action") return Read(reader, value, out.action);
  if (key == "target") return Read(reader, value, out.target);
  if (key == "reason") return Read(reader, value, out.reason);
  if (key == "message") return Read(reader, value, out.message);
  return true;
}

}  // namespace basalt::kube::json

namespace basalt::kube {
BASALT_CODEC(PodGroup);
BASALT_CODEC(Queue);
BASALT_CODEC(HyperNode);
BASALT_CODEC(Command);
}  // namespace basalt::kube
