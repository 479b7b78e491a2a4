#include "model/task_class.h"

#include <algorithm>
#include <string_view>

#include "base/check.h"
#include "kube/types/pod_resources.h"

namespace basalt::model {
namespace {

// Writes fields so that different values never give the same bytes.
class KeyWriter {
 public:
  void Text(std::string_view text) {
    Number(static_cast<std::int64_t>(text.size()));
    key_ += text;
  }
  void Number(std::int64_t number) {
    const std::uint64_t bits = (static_cast<std::uint64_t>(number) << 1) ^ (number < 0 ? ~0ull : 0);
    std::uint64_t rest = bits;
    do {
      key_ += static_cast<char>((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
      rest >>= 7;
    } while (rest != 0);
  }
  void Map(const kube::StringMap& map) {
    Number(static_cast<std::int64_t>(map.size()));
    for (const auto entry : map) {
      Text(entry.key);
      Text(entry.value);
    }
  }
  template <class Mentioned>
  void MentionedLabels(const kube::StringMap& labels, const Mentioned& mentioned) {
    for (const auto entry : labels) {
      if (mentioned.empty() || !mentioned.contains(std::string(entry.key))) continue;
      Text(entry.key);
      Text(entry.value);
    }
    Text({});  // no label's key: it ends the list
  }
  template <class List, class Fn>
  void Each(const List& list, Fn fn) {
    Number(static_cast<std::int64_t>(list.size()));
    for (const auto& item : list) fn(item);
  }
  void Texts(const std::vector<std::string>& texts) {
    Each(texts, [&](const std::string& text) { Text(text); });
  }
  void Selector(const std::optional<kube::LabelSelector>& selector) {
    Number(selector ? 1 : 0);
    if (!selector) return;
    Each(selector->requirements(), [&](const kube::LabelRequirement& requirement) {
      Text(requirement.key);
      Number(static_cast<int>(requirement.op));
      Texts(requirement.values);
    });
  }
  void Term(const kube::NodeSelectorTerm& term) {
    for (const auto* list : {&term.match_expressions, &term.match_fields}) {
      Each(*list, [&](const kube::NodeSelectorRequirement& requirement) {
        Text(requirement.key);
        Number(static_cast<int>(requirement.op));
        Texts(requirement.values);
      });
    }
  }
  void Term(const kube::PodAffinityTerm& term) {
    Selector(term.label_selector);
    Texts(term.namespaces);
    Selector(term.namespace_selector);
    Text(term.topology_key);
    Texts(term.match_label_keys);
    Texts(term.mismatch_label_keys);
  }
  void Affinity(const kube::PodAffinity& affinity) {
    Each(affinity.required, [&](const kube::PodAffinityTerm& term) { Term(term); });
    Each(affinity.preferred, [&](const kube::WeightedPodAffinityTerm& term) {
      Number(term.weight);
      Term(term.term);
    });
  }
  void Resources(const kube::ResourceList& list) {
    Each(list, [&](const kube::ResourceList::Entry& entry) {
      Text(entry.name);
      Number(entry.quantity.Value());
      Number(entry.quantity.MilliValue());
    });
  }

  std::string Take() { return std::move(key_); }

 private:
  std::string key_;
};

// `pod_keys`: what policies read from the pod's annotations and labels.
std::string StaticKey(const kube::Pod& pod, const std::vector<std::string>& pod_keys) {
  KeyWriter key;
  key.Map(pod.spec.node_selector);
  static const kube::NodeAffinity kNone;
  const kube::NodeAffinity& nodes =
      pod.spec.affinity && pod.spec.affinity->node ? *pod.spec.affinity->node : kNone;
  key.Number(nodes.required ? 1 : 0);
  if (nodes.required) {
    key.Each(nodes.required->terms, [&](const kube::NodeSelectorTerm& term) { key.Term(term); });
  }
  key.Each(nodes.preferred, [&](const kube::PreferredNodeTerm& term) {
    key.Number(term.weight);
    key.Term(term.preference);
  });
  key.Each(pod.spec.tolerations, [&](const kube::Toleration& toleration) {
    key.Text(toleration.key);
    key.Number(static_cast<int>(toleration.op));
    key.Text(toleration.value);
    key.Number(static_cast<int>(toleration.effect));
  });
  for (const std::string& read : pod_keys) {
    for (const kube::StringMap* map : {&pod.meta.annotations, &pod.meta.labels}) {
      const auto value = map->Find(read);
      key.Number(value ? 1 : 0);
      key.Text(value.value_or(""));
    }
  }
  key.Each(pod.spec.containers, [&](const kube::Container& c) { key.Text(c.image); });
  key.Each(pod.spec.init_containers, [&](const kube::Container& c) { key.Text(c.image); });
  return key.Take();
}

// The keys of pods' labels that the pod's own rules are about.
std::vector<std::string> MentionedKeys(const kube::Pod& pod) {
  std::vector<std::string> keys;
  const auto add = [&](const std::optional<kube::LabelSelector>& selector) {
    if (!selector) return;
    for (const kube::LabelRequirement& requirement : selector->requirements()) {
      keys.push_back(requirement.key);
    }
  };
  const auto add_all = [&](const std::vector<std::string>& more) {
    keys.insert(keys.end(), more.begin(), more.end());
  };
  const auto add_term = [&](const kube::PodAffinityTerm& term) {
    add(term.label_selector);
    add_all(term.match_label_keys);
    add_all(term.mismatch_label_keys);
  };
  if (pod.spec.affinity) {
    for (const kube::PodAffinity* affinity :
         {&pod.spec.affinity->pod, &pod.spec.affinity->pod_anti}) {
      for (const kube::PodAffinityTerm& term : affinity->required) add_term(term);
      for (const kube::WeightedPodAffinityTerm& term : affinity->preferred) add_term(term.term);
    }
  }
  for (const kube::TopologySpreadConstraint& constraint : pod.spec.topology_spread_constraints) {
    add(constraint.label_selector);
    add_all(constraint.match_label_keys);
  }
  return keys;
}

bool RestrictsNodes(const kube::Volume& volume) {
  switch (volume.kind) {
    case kube::Volume::Kind::kPersistentVolumeClaim:
    case kube::Volume::Kind::kEphemeral:
    case kube::Volume::Kind::kCsi:
    case kube::Volume::Kind::kLegacyDisk: return true;
    default: return false;
  }
}

// Everything beside the static part. The request is given since it is not the spec's alone.
template <class Mentioned>
std::string RestKey(const kube::Pod& pod, const kube::ResourceList& request,
                    const Mentioned& mentioned) {
  KeyWriter key;
  key.Text(pod.meta.ns);
  key.MentionedLabels(pod.meta.labels, mentioned);
  key.Resources(request);
  key.Number(pod.spec.host_network ? 1 : 0);
  static const kube::Affinity kNone;
  const kube::Affinity& affinity = pod.spec.affinity ? *pod.spec.affinity : kNone;
  key.Affinity(affinity.pod);
  key.Affinity(affinity.pod_anti);
  key.Each(pod.spec.topology_spread_constraints, [&](const kube::TopologySpreadConstraint& c) {
    key.Number(c.max_skew);
    key.Text(c.topology_key);
    key.Number(static_cast<int>(c.when_unsatisfiable));
    key.Selector(c.label_selector);
    key.Number(c.min_domains.value_or(0));
    key.Number(static_cast<int>(c.node_affinity_policy));
    key.Number(static_cast<int>(c.node_taints_policy));
    key.Texts(c.match_label_keys);
  });
  // No port has the number 0 and no other field says how many there are: 0 ends the list.
  for (const auto* containers : {&pod.spec.containers, &pod.spec.init_containers}) {
    for (const kube::Container& container : *containers) {
      for (const kube::ContainerPort& port : container.ports) {
        if (port.host_port == 0) continue;
        key.Number(port.host_port);
        key.Text(port.host_ip);
        key.Number(static_cast<int>(port.protocol));
      }
    }
  }
  key.Number(0);
  key.Number(std::ranges::count_if(pod.spec.volumes, RestrictsNodes));
  for (const kube::Volume& volume : pod.spec.volumes) {
    if (!RestrictsNodes(volume)) continue;
    key.Number(static_cast<int>(volume.kind));
    // An ephemeral volume's claim belongs to this pod alone.
    key.Text(volume.kind == kube::Volume::Kind::kEphemeral ? pod.meta.name + "-" + volume.name
                                                           : volume.source);
    key.Number(volume.read_only ? 1 : 0);
  }
  key.Each(pod.spec.resource_claims, [&](const kube::PodResourceClaim& claim) {
    key.Text(claim.name);
    key.Text(claim.resource_claim_name);
    key.Text(claim.resource_claim_template_name);
    if (!claim.resource_claim_template_name.empty()) key.Text(pod.meta.name);
  });
  return key.Take();
}

bool HasHostPort(const kube::Pod& pod) {
  for (const auto* containers : {&pod.spec.containers, &pod.spec.init_containers}) {
    for (const kube::Container& container : *containers) {
      for (const kube::ContainerPort& port : container.ports) {
        if (port.host_port != 0) return true;
      }
    }
  }
  return false;
}

void Describe(const kube::Pod& pod, TaskClass& out) {
  constexpr double kAssumedMilliCpu = 100;
  constexpr double kAssumedMemory = 200.0 * 1024 * 1024;
  const bool whole_pod = pod.spec.resources.has_value();
  for (const kube::Container& container : pod.spec.containers) {
    if (whole_pod) break;
    if (!container.resources.requests.Find("cpu")) out.assumed_milli_cpu += kAssumedMilliCpu;
    if (!container.resources.requests.Find("memory")) out.assumed_memory += kAssumedMemory;
  }
  const kube::Affinity* affinity = pod.spec.affinity ? &*pod.spec.affinity : nullptr;
  out.has_node_rules = !pod.spec.node_selector.empty();
  if (affinity && affinity->node) {
    out.has_node_rules |= affinity->node->required.has_value();
    out.has_node_wishes = !affinity->node->preferred.empty();
  }
  if (affinity) {
    out.needs_other_pods = !affinity->pod.required.empty();
    out.has_pod_rules = out.needs_other_pods || !affinity->pod_anti.required.empty();
    out.has_pod_wishes = !affinity->pod.preferred.empty() || !affinity->pod_anti.preferred.empty();
  }
  for (const kube::TopologySpreadConstraint& constraint : pod.spec.topology_spread_constraints) {
    using When = kube::TopologySpreadConstraint::WhenUnsatisfiable;
    (constraint.when_unsatisfiable == When::kDoNotSchedule ? out.has_spread_rules
                                                           : out.has_spread_wishes) = true;
  }
  out.has_host_ports = HasHostPort(pod);
  for (const kube::Volume& volume : pod.spec.volumes) out.has_volumes |= RestrictsNodes(volume);
  out.has_resource_claims = !pod.spec.resource_claims.empty();
}

template <class Free>
std::uint32_t TakeNumber(Free& free, std::uint32_t& next) {
  if (free.empty()) return next++;
  const std::uint32_t number = free.back();
  free.pop_back();
  return number;
}

}  // namespace

namespace {

// Counts of objects in a quota or a queue's capability are no resources of pods.
bool IsResource(const kube::ResourceList::Entry& entry) {
  return !entry.name.starts_with("count/");
}

void SetAmount(Amounts& resource, int dimension, const kube::Quantity& quantity) {
  const bool whole = dimension == kMemory || dimension == kPods;
  resource.Set(dimension, static_cast<double>(whole ? quantity.Value() : quantity.MilliValue()));
}

// Whether a node can have a resource of that name. A group's minimum may have names of quotas, too:
// Volcano's job controller writes what a pod counts for in a ResourceQuota ("requests.cpu",
// "limits.memory", "count/pods", "requests.nvidia.com/gpu" beside "nvidia.com/gpu").
bool IsOfNodes(std::string_view name) {
  if (name.find('/') != std::string_view::npos) {
    return !name.starts_with("count/") && !name.starts_with("requests.");
  }
  return name == "cpu" || name == "memory" || name == "pods" || name == "ephemeral-storage" ||
         name.starts_with("hugepages-") || name.starts_with("attachable-volumes-");
}

bool IsUnknown(const kube::ResourceList::Entry& entry, const Dimensions& dimensions) {
  return IsResource(entry) && entry.quantity.Sign() > 0 && !dimensions.Find(entry.name);
}

}  // namespace

Amounts ToResource(const kube::ResourceList& list, const Dimensions& dimensions, bool* unknown) {
  Amounts result;
  for (const kube::ResourceList::Entry& entry : list) {
    if (!IsResource(entry)) continue;
    if (const std::optional<int> d = dimensions.Find(entry.name)) {
      SetAmount(result, *d, entry.quantity);
    } else if (entry.quantity.Sign() > 0) {
      *unknown = true;
    }
  }
  return result;
}

Amounts OfferResource(const kube::ResourceList& list, Dimensions& dimensions) {
  Amounts result;
  for (const kube::ResourceList::Entry& entry : list) {
    if (!IsResource(entry)) continue;
    if (const std::optional<int> d = dimensions.Offer(entry.name)) {
      SetAmount(result, *d, entry.quantity);
    }
  }
  return result;
}

kube::ResourceList OfNodes(const kube::ResourceList& list) {
  kube::ResourceList of_nodes;
  for (const kube::ResourceList::Entry& entry : list) {
    if (IsOfNodes(entry.name)) of_nodes.Set(entry.name, entry.quantity);
  }
  return of_nodes;
}

std::vector<std::string> UnknownNames(const kube::ResourceList& list,
                                      const Dimensions& dimensions) {
  std::vector<std::string> names;
  for (const kube::ResourceList::Entry& entry : list) {
    if (IsUnknown(entry, dimensions)) names.push_back(entry.name);
  }
  return names;
}

std::vector<std::string> UnknownNames(const TaskClass& task_class, const Dimensions& dimensions) {
  if (!task_class.unknown_resource) return {};
  return UnknownNames(kube::PodRequests(*task_class.example), dimensions);
}

const TaskClass* TaskClasses::Acquire(const std::shared_ptr<const kube::Pod>& pod,
                                      const Dimensions& dimensions) {
  const kube::ResourceList request = kube::PodRequests(*pod);
  std::string static_key = StaticKey(*pod, pod_keys_);
  std::vector<std::string> mentioned = MentionedKeys(*pod);
  Mention(mentioned, +1);
  std::string key = static_key + RestKey(*pod, request, mentioned_);
  if (const auto it = by_key_.find(key); it != by_key_.end()) {
    Mention(mentioned, -1);
    ++it->second->users;
    return &it->second->value;
  }
  auto entry = std::make_unique<Entry>();
  entry->mentioned = std::move(mentioned);
  TaskClass& value = entry->value;
  value.request = ToResource(request, dimensions, &value.unknown_resource);
  value.request.Set(kPods, 1);
  value.best_effort = value.request.IsEmpty() && !value.unknown_resource;
  value.example = pod;
  Describe(*pod, value);
  value.id = TakeNumber(free_ids_, next_id_);
  const auto [it, added] = static_.try_emplace(static_key);
  if (added) it->second.number = TakeNumber(free_static_, next_static_);
  ++it->second.users;
  value.static_class = it->second.number;
  entry->users = 1;
  entry->key = key;
  entry->static_key = std::move(static_key);
  by_key_.emplace(std::move(key), entry.get());
  return &by_id_.emplace(value.id, std::move(entry)).first->second->value;
}

void TaskClasses::Mention(const std::vector<std::string>& keys, int by) {
  for (const std::string& key : keys) {
    if (by > 0) {
      if (++mentioned_[key] == 1) new_keys_.push_back(key);
    } else if (const auto it = mentioned_.find(key); --it->second == 0) {
      mentioned_.erase(it);
    }
  }
}

void TaskClasses::Release(const TaskClass* task_class) {
  const auto it = by_id_.find(task_class->id);
  BASALT_CHECK(it != by_id_.end());
  Entry* entry = it->second.get();
  if (--entry->users > 0) return;
  const auto static_it = static_.find(entry->static_key);
  if (--static_it->second.users == 0) {
    free_static_.push_back(static_it->second.number);
    static_.erase(static_it);
  }
  Mention(entry->mentioned, -1);
  free_ids_.push_back(entry->value.id);
  // One that is outdated may have a successor under its key.
  const auto key_it = by_key_.find(entry->key);
  if (key_it != by_key_.end() && key_it->second == entry) by_key_.erase(key_it);
  by_id_.erase(it);
}

boost::unordered_flat_set<const TaskClass*> TaskClasses::RetireOutdated(
    const Dimensions& dimensions, DimensionSet gone) {
  boost::unordered_flat_set<const TaskClass*> outdated;
  for (const auto& [id, entry] : by_id_) {
    const TaskClass& value = entry->value;
    bool changes = (value.request.scalars() & gone) != 0;
    if (!changes && value.unknown_resource) {
      bool still_unknown = false;
      const Amounts now = ToResource(kube::PodRequests(*value.example), dimensions, &still_unknown);
      changes = (now.scalars() & ~value.request.scalars()) != 0 || !still_unknown;
    }
    if (!changes) continue;
    outdated.insert(&value);
    by_key_.erase(entry->key);
  }
  return outdated;
}

}  // namespace basalt::model
