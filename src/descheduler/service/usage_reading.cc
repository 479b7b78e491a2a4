#include "descheduler/service/usage_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <charconv>
#include <cmath>
#include <optional>

#include "kube/types/json_fields.h"
#include "kube/types/quantity.h"

namespace basalt::descheduler {
namespace {

namespace json = boost::json;
using kube::ArrayAt;
using kube::ObjectAt;
using kube::TextAt;

Result<json::object> ReadAnswer(std::string_view body) {
  boost::system::error_code broken;
  json::value value = json::parse(body, broken);
  if (broken || !value.is_object())
    return Fail(ErrorCode::kInvalid, "the answer is no JSON object");
  return std::move(value.get_object());
}

std::optional<double> FiniteNumber(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) {
    return std::nullopt;
  }
  return number;
}

std::optional<kube::Quantity> AmountIn(const json::object* usage, std::string_view resource) {
  const Result<kube::Quantity> amount = kube::Quantity::Parse(TextAt(usage, resource));
  return amount ? std::optional(*amount) : std::nullopt;
}

void SetNode(Figure figure, std::string_view node, double percent, Usage* usage) {
  const double sane = std::max(0.0, percent);
  Usage::Node& entry = usage->nodes[std::string(node)];
  (figure == Figure::kNodeCpu ? entry.cpu : entry.memory) = sane;
}

}  // namespace

Result<std::vector<Sample>> ReadPrometheusVector(std::string_view body) {
  const Result<json::object> answer = ReadAnswer(body);
  if (!answer) return std::unexpected(answer.error());
  if (TextAt(&*answer, "status") != "success") {
    return Fail(ErrorCode::kInvalid, fmt::format("Prometheus says: {}", TextAt(&*answer, "error")));
  }
  const json::object* data = ObjectAt(*answer, {"data"});
  if (TextAt(data, "resultType") != "vector") {
    return Fail(ErrorCode::kInvalid, "Prometheus' answer is no vector");
  }
  std::vector<Sample> samples;
  for (const json::value& item : ArrayAt(data, "result")) {
    const json::object* result = item.if_object();
    const json::array& pair = ArrayAt(result, "value");
    if (pair.size() != 2 || !pair[1].is_string()) continue;
    const std::optional<double> value = FiniteNumber(pair[1].get_string());
    if (!value) continue;
    Sample sample{.labels = {}, .value = *value};
    if (const json::object* labels = ObjectAt(*result, {"metric"})) {
      for (const auto& [name, text] : *labels) {
        if (text.is_string()) sample.labels[name] = std::string(text.get_string());
      }
    }
    samples.push_back(std::move(sample));
  }
  return samples;
}

PrometheusQueries QueriesFor(Duration duration) {
  const std::string window = fmt::format("{}s", std::max<std::int64_t>(1, duration / 1s));
  // A container's series, or a pod's where there are none of containers.
  const auto of_pods = [](const std::string& with, const std::string& without) {
    return fmt::format("sum by (namespace, pod) ({}) or sum by (namespace, pod) ({})", with,
                       without);
  };
  return {
      .node_cpu = fmt::format("avg_over_time((1 - (avg by (instance) (irate(node_cpu_seconds_total"
                              "{{mode=\"idle\"}}[30s])) * 1))[{}:30s])",
                              window),
      .node_memory = fmt::format("avg_over_time(((1-node_memory_MemAvailable_bytes/"
                                 "node_memory_MemTotal_bytes))[{}:30s])",
                                 window),
      .pod_cpu = of_pods(
          fmt::format("rate(container_cpu_usage_seconds_total{{container!=\"\"}}[{}])", window),
          fmt::format("rate(container_cpu_usage_seconds_total[{}])", window)),
      .pod_memory = of_pods("container_memory_working_set_bytes{container!=\"\"}",
                            "container_memory_working_set_bytes")};
}

void AddSamples(Figure figure, const std::vector<Sample>& samples, Usage* usage) {
  const bool of_nodes = figure == Figure::kNodeCpu || figure == Figure::kNodeMemory;
  for (const Sample& sample : samples) {
    if (of_nodes) {
      const auto node = sample.labels.find("instance");
      if (node == sample.labels.end()) continue;
      SetNode(figure, node->second, 100 * sample.value, usage);
      continue;
    }
    const auto ns = sample.labels.find("namespace"), pod = sample.labels.find("pod");
    if (ns == sample.labels.end() || pod == sample.labels.end()) continue;
    Usage::Pod& entry = usage->pods[ns->second + "/" + pod->second];
    if (figure == Figure::kPodCpu) entry.milli_cpu = 1000 * sample.value;
    if (figure == Figure::kPodMemory) entry.memory = sample.value;
  }
}

Result<void> AddNodeMetrics(std::string_view body, const AllocatableOf& allocatable, Usage* usage) {
  const Result<json::object> list = ReadAnswer(body);
  if (!list) return std::unexpected(list.error());
  for (const json::value& item : ArrayAt(&*list, "items")) {
    const json::object* node = item.if_object();
    if (!node) continue;
    const std::string name = TextAt(ObjectAt(*node, {"metadata"}), "name");
    const kube::ResourceList has = allocatable(name);
    const json::object* used = ObjectAt(*node, {"usage"});
    for (const auto& [resource, figure] :
         {std::pair{"cpu", Figure::kNodeCpu}, std::pair{"memory", Figure::kNodeMemory}}) {
      const std::optional<kube::Quantity> amount = AmountIn(used, resource);
      const double all = has.Get(resource).ToDouble();
      if (amount && all > 0) SetNode(figure, name, 100 * amount->ToDouble() / all, usage);
    }
  }
  return {};
}

Result<void> AddPodMetrics(std::string_view body, Usage* usage) {
  const Result<json::object> list = ReadAnswer(body);
  if (!list) return std::unexpected(list.error());
  for (const json::value& item : ArrayAt(&*list, "items")) {
    const json::object* pod = item.if_object();
    const json::object* meta = pod ? ObjectAt(*pod, {"metadata"}) : nullptr;
    if (!meta) continue;
    Usage::Pod& entry = usage->pods[TextAt(meta, "namespace") + "/" + TextAt(meta, "name")];
    for (const json::value& each : ArrayAt(pod, "containers")) {
      const json::object* container = each.if_object();
      const json::object* used = container ? ObjectAt(*container, {"usage"}) : nullptr;
      if (const auto cpu = AmountIn(used, "cpu")) {
        entry.milli_cpu = entry.milli_cpu.value_or(0) + 1000 * cpu->ToDouble();
      }
      if (const auto memory = AmountIn(used, "memory")) {
        entry.memory = entry.memory.value_or(0) + memory->ToDouble();
      }
    }
  }
  return {};
}

Result<void> AddCustomMetrics(std::string_view body, Figure figure, Usage* usage) {
  const Result<json::object> list = ReadAnswer(body);
  if (!list) return std::unexpected(list.error());
  for (const json::value& item : ArrayAt(&*list, "items")) {
    const json::object* metric = item.if_object();
    if (!metric) continue;
    const std::string node = TextAt(ObjectAt(*metric, {"describedObject"}), "name");
    const std::optional<kube::Quantity> value = AmountIn(metric, "value");
    if (!node.empty() && value) SetNode(figure, node, 100 * value->ToDouble(), usage);
  }
  return {};
}

}  // namespace basalt::descheduler
