#include "controllers/job/job_group.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <numeric>

#include "controllers/job/plugins/job_keys.h"
#include "controllers/job/plugins/json_parts.h"
#include "kube/types/pod_resources.h"
#include "kube/types/resource.h"

namespace basalt::controllers {
namespace {

namespace json = boost::json;

constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

json::object AmountsJson(const kube::ResourceList& list) {
  json::object object;
  for (const kube::ResourceList::Entry& entry : list) {
    object[entry.name] = entry.quantity.ToString();
  }
  return object;
}

json::object TopologyJson(const kube::NetworkTopology& topology) {
  json::object object{
      {"mode", topology.mode == kube::NetworkTopology::Mode::kSoft ? "soft" : "hard"}};
  if (topology.highest_tier_allowed) object["highestTierAllowed"] = *topology.highest_tier_allowed;
  if (!topology.highest_tier_name.empty()) object["highestTierName"] = topology.highest_tier_name;
  return object;
}

json::object MapJson(const kube::StringMap& map) {
  json::object object;
  for (const kube::StringMap::Entry entry : map) {
    if (entry.key != kLastApplied) object[entry.key] = entry.value;
  }
  return object;
}

std::vector<kube::SubGroupPolicy> SubGroups(const kube::VcJobSpec& spec) {
  std::vector<kube::SubGroupPolicy> policies;
  for (const kube::VcJobTask& task : spec.tasks) {
    if (!task.partition_policy) continue;
    kube::SubGroupPolicy& policy = policies.emplace_back();
    policy.name = task.name;
    policy.sub_group_size = task.partition_policy->partition_size;
    policy.min_sub_groups = task.partition_policy->min_partitions;
    policy.label_selector =
        kube::LabelSelector::OfLabels(kube::StringMap{{job_keys::kTaskSpec, task.name}});
    policy.match_label_keys = {std::string(job_keys::kPartitionId)};
    policy.network_topology = task.partition_policy->network_topology;
  }
  return policies;
}

json::array SubGroupsJson(const kube::VcJobSpec& spec) {
  json::array list;
  for (const kube::SubGroupPolicy& policy : SubGroups(spec)) {
    json::object one{
        {"name", policy.name},
        {"subGroupSize", *policy.sub_group_size},
        {"minSubGroups", *policy.min_sub_groups},
        {"labelSelector",
         json::object{{"matchLabels", json::object{{job_keys::kTaskSpec, policy.name}}}}},
        {"matchLabelKeys", json::array{job_keys::kPartitionId}}};
    if (policy.network_topology) one["networkTopology"] = TopologyJson(*policy.network_topology);
    list.push_back(std::move(one));
  }
  return list;
}

std::vector<std::pair<std::string, std::int32_t>> TaskMinimums(const kube::VcJobSpec& spec) {
  std::vector<std::pair<std::string, std::int32_t>> minimums;
  for (const kube::VcJobTask& task : spec.tasks) minimums.emplace_back(task.name, task.Minimum());
  std::ranges::sort(minimums);
  return minimums;
}

void AddTimes(kube::ResourceList& sum, const kube::ResourceList& one, std::int32_t times) {
  for (kube::ResourceList power = one; times > 0; times /= 2) {
    if (times % 2 == 1) sum.Add(power);
    power.Add(kube::ResourceList(power));
  }
}

}  // namespace

std::string GroupNameOf(const kube::VcJob& job) { return job.meta.name + "-" + job.meta.uid; }

kube::ResourceList CountedResources(const kube::PodSpec& spec) {
  kube::ResourceList counted;
  for (const kube::ResourceList::Entry& entry : kube::PodRequests(spec)) {
    if (entry.name == "pods") continue;
    counted.Set(entry.name, entry.quantity);
    counted.Set("requests." + entry.name, entry.quantity);
  }
  for (const kube::ResourceList::Entry& entry : kube::PodLimits(spec)) {
    counted.Set("limits." + entry.name, entry.quantity);
  }
  counted.Set("pods", kube::Quantity::Of(1));
  counted.Set("count/pods", kube::Quantity::Of(1));
  return counted;
}

kube::ResourceList MinResourcesOf(const kube::VcJobSpec& spec, const PriorityOf& priority_of) {
  std::vector<std::size_t> order(spec.tasks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::int64_t> priorities;
  for (const kube::VcJobTask& task : spec.tasks) {
    const std::string& own = task.pod_template.spec.priority_class_name;
    priorities.push_back(priority_of(own.empty() ? spec.priority_class_name : own));
  }
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return priorities[i]; });

  const std::int32_t min_available = spec.MinAvailable();
  const bool by_minimums = min_available >= spec.TotalMinimum();
  std::vector<std::int32_t> counted(spec.tasks.size(), 0);
  std::int32_t left = min_available;
  if (by_minimums) {
    for (const std::size_t i : order) {
      counted[i] = spec.tasks[i].Minimum();
      left -= counted[i];
    }
  }
  for (const std::size_t i : order) {
    const std::int32_t more = std::clamp(spec.tasks[i].replicas - counted[i], 0, std::max(left, 0));
    counted[i] += more;
    left -= more;
  }
  kube::ResourceList sum;
  for (const std::size_t i : order) {
    if (counted[i] > 0) {
      AddTimes(sum, CountedResources(spec.tasks[i].pod_template.spec), counted[i]);
    }
  }
  return sum;
}

std::int32_t MinMemberOf(const kube::VcJobSpec& spec, const std::vector<bool>& may_start) {
  std::int32_t possible = 0;
  bool all = true;
  for (std::size_t i = 0; i < spec.tasks.size(); ++i) {
    if (may_start[i]) {
      possible += spec.tasks[i].replicas;
    } else {
      all = false;
    }
  }
  return all ? spec.MinAvailable() : std::min(spec.MinAvailable(), possible);
}

std::string JobGroupBody(const kube::VcJob& job, std::int32_t min_member,
                         const PriorityOf& priority_of) {
  const kube::Resource& kind = kube::resources::kPodGroups;
  json::object minimums;
  for (const auto& [task, minimum] : TaskMinimums(job.spec)) minimums[task] = minimum;
  json::object spec{{"minMember", min_member},
                    {"minTaskMember", std::move(minimums)},
                    {"queue", job.spec.Queue()},
                    {"minResources", AmountsJson(MinResourcesOf(job.spec, priority_of))}};
  if (!job.spec.priority_class_name.empty()) {
    spec["priorityClassName"] = job.spec.priority_class_name;
  }
  if (job.spec.network_topology) {
    spec["networkTopology"] = TopologyJson(*job.spec.network_topology);
  }
  if (json::array policies = SubGroupsJson(job.spec); !policies.empty()) {
    spec["subGroupPolicy"] = std::move(policies);
  }
  const json::object body{
      {"apiVersion", kind.ApiVersion()},
      {"kind", kind.kind},
      {"metadata", json::object{{"name", GroupNameOf(job)},
                                {"namespace", job.meta.ns},
                                {"labels", MapJson(job.meta.labels)},
                                {"annotations", MapJson(job.meta.annotations)},
                                {"ownerReferences", json::array{OwnedBy(job)}}}},
      {"spec", std::move(spec)}};
  return json::serialize(body);
}

std::string JobGroupPatch(const kube::PodGroup& now, const kube::VcJob& job,
                          std::int32_t min_member, const PriorityOf& priority_of) {
  json::object spec;
  if (now.min_member != min_member) spec["minMember"] = min_member;
  const kube::ResourceList wanted = MinResourcesOf(job.spec, priority_of);
  const kube::ResourceList known = now.min_resources.value_or(kube::ResourceList());
  if (known != wanted) {
    json::object amounts = AmountsJson(wanted);
    for (const kube::ResourceList::Entry& entry : known) {
      if (!wanted.Find(entry.name)) amounts[entry.name] = nullptr;
    }
    spec["minResources"] = std::move(amounts);
  }
  if (const auto minimums = TaskMinimums(job.spec); now.min_task_member != minimums) {
    json::object changed;
    for (const auto& [task, minimum] : now.min_task_member) changed[task] = nullptr;
    for (const auto& [task, minimum] : minimums) changed[task] = minimum;
    spec["minTaskMember"] = std::move(changed);
  }
  if (now.priority_class_name != job.spec.priority_class_name) {
    spec["priorityClassName"] = job.spec.priority_class_name.empty()
                                    ? json::value()
                                    : json::value(job.spec.priority_class_name);
  }
  if (now.sub_group_policy != SubGroups(job.spec)) spec["subGroupPolicy"] = SubGroupsJson(job.spec);
  if (spec.empty()) return "";
  return json::serialize(json::object{
      {"metadata",
       json::object{{"uid", now.meta.uid}, {"resourceVersion", now.meta.resource_version}}},
      {"spec", std::move(spec)}});
}

}  // namespace basalt::controllers
