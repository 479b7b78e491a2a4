#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "descheduler/plugins/usage.h"
#include "kube/types/resource_list.h"

// What sources of metrics are asked, and what their answers say (contract C8, W21). Pure.
namespace basalt::descheduler {

// One figure of a Prometheus vector.
struct Sample {
  std::map<std::string, std::string, std::less<>> labels;
  double value = 0;
};
// The body of an answer to /api/v1/query. What is no number (NaN) is left out. An error has the
// server's words.
Result<std::vector<Sample>> ReadPrometheusVector(std::string_view body);

// The questions to Prometheus; usage is averaged over `duration`.
struct PrometheusQueries {
  std::string node_cpu, node_memory;  // fractions by instance
  std::string pod_cpu, pod_memory;    // cores and bytes by namespace and pod
};
PrometheusQueries QueriesFor(Duration duration);

enum class Figure { kNodeCpu, kNodeMemory, kPodCpu, kPodMemory };
void AddSamples(Figure figure, const std::vector<Sample>& samples, Usage* usage);

// What a node has; nothing is known of a node: empty.
using AllocatableOf = std::function<kube::ResourceList(std::string_view node)>;
// The bodies of metrics.k8s.io/v1beta1 nodes and pods.
Result<void> AddNodeMetrics(std::string_view body, const AllocatableOf& allocatable, Usage* usage);
Result<void> AddPodMetrics(std::string_view body, Usage* usage);
// The body of custom.metrics.k8s.io nodes/*/METRIC: fractions by node.
Result<void> AddCustomMetrics(std::string_view body, Figure figure, Usage* usage);

}  // namespace basalt::descheduler
