#include "cli/explain_pods.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <vector>

#include "cli/batch_flags.h"
#include "cli/explanation_text.h"
#include "cli/json_fields.h"
#include "net/url.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;
namespace resources = kube::resources;

struct WorkloadKind {
  std::string_view word;
  const kube::Resource& resource;
};
constexpr std::array<WorkloadKind, 5> kWorkloads{{{"deployment", resources::kDeployments},
                                                  {"replicaset", resources::kReplicaSets},
                                                  {"statefulset", resources::kStatefulSets},
                                                  {"daemonset", resources::kDaemonSets},
                                                  {"batchjob", resources::kJobs}}};

}  // namespace

std::string SelectorText(const json::object& selector) {
  std::vector<std::string> terms;
  if (const json::object* match = ObjectAt(selector, {"matchLabels"})) {
    for (const auto& [key, value] : *match) {
      terms.push_back(fmt::format("{}={}", std::string_view(key), TextAt(match, key)));
    }
  }
  for (const json::value& item : ArrayAt(&selector, "matchExpressions")) {
    const json::object* term = item.if_object();
    const std::string key = TextAt(term, "key");
    const std::string word = TextAt(term, "operator");
    std::vector<std::string> values;
    for (const json::value& value : ArrayAt(term, "values")) {
      if (value.is_string()) values.emplace_back(value.get_string());
    }
    if (word == "Exists") terms.push_back(key);
    if (word == "DoesNotExist") terms.push_back("!" + key);
    if (word == "In") terms.push_back(fmt::format("{} in ({})", key, fmt::join(values, ",")));
    if (word == "NotIn") terms.push_back(fmt::format("{} notin ({})", key, fmt::join(values, ",")));
  }
  return fmt::format("{}", fmt::join(terms, ","));
}

Result<json::value> ExplainPodsWith(const AskFlags& flags, const std::string& labels,
                                    const std::string& whose) {
  auto cluster = ClusterSession::Open(flags.kubeconfig, flags.master);
  if (!cluster) return std::unexpected(cluster.error());
  AskFlags ask = flags;
  if (ask.ns.empty()) ask.ns = (*cluster)->ns();
  if (ask.all_namespaces) ask.ns.clear();
  const auto pods = ListItems(
      **cluster, {.path = PathOf(resources::kPods, ask.ns), .query = {{"labelSelector", labels}}});
  if (!pods) return std::unexpected(pods.error());
  if (pods->empty()) {
    return Fail(ErrorCode::kNotFound,
                ask.all_namespaces ? fmt::format("{} has no pods", whose)
                                   : fmt::format("{} has no pods in namespace {}", whose, ask.ns));
  }
  json::array explained;
  std::int64_t placed = 0;
  for (const json::value& item : *pods) {
    const json::object* pod = item.if_object();
    if (!pod) continue;
    if (!TextAt(ObjectAt(*pod, {"spec"}), "nodeName").empty()) {
      ++placed;
      continue;
    }
    if (explained.size() == kMostExplained) continue;
    const json::object* meta = ObjectAt(*pod, {"metadata"});
    ask.ns = TextAt(meta, "namespace");
    auto answer = AskScheduler(ask, fmt::format("/v1/explain/pod/{{namespace}}/{}",
                                                net::PercentEncode(TextAt(meta, "name"))));
    if (!answer && answer.error().code == ErrorCode::kNotFound) continue;  // it has just come
    if (!answer) return std::unexpected(answer.error());
    explained.push_back(std::move(*answer));
  }
  return json::object{{"pods", static_cast<std::int64_t>(pods->size())},
                      {"placed", placed},
                      {"items", std::move(explained)}};
}

Result<json::value> ExplainPodsOfWorkload(const AskFlags& flags, std::string_view kind,
                                          const std::string& name) {
  const auto found = std::ranges::find(kWorkloads, kind, &WorkloadKind::word);
  auto cluster = ClusterSession::Open(flags.kubeconfig, flags.master);
  if (!cluster) return std::unexpected(cluster.error());
  const std::string& ns = flags.ns.empty() ? (*cluster)->ns() : flags.ns;
  const auto workload = (*cluster)->Send({.path = PathOf(found->resource, ns, name)});
  if (!workload) return std::unexpected(workload.error());
  const json::object* selector =
      workload->is_object() ? ObjectAt(workload->get_object(), {"spec", "selector"}) : nullptr;
  return ExplainPodsWith(flags, selector ? SelectorText(*selector) : "",
                         fmt::format("{} {}", found->resource.kind, name));
}

std::string ExplainedPodsText(const json::object& answer) {
  const std::int64_t pods = NumberAt(&answer, "pods");
  const std::int64_t placed = NumberAt(&answer, "placed");
  std::string out =
      fmt::format("{} of {} pods {} a node.\n", placed, pods, placed == 1 ? "has" : "have");
  const json::array& items = ArrayAt(&answer, "items");
  for (const json::value& item : items) {
    if (item.is_object()) out += "\n" + ExplanationText(item.get_object());
  }
  const std::int64_t rest = pods - placed - static_cast<std::int64_t>(items.size());
  if (rest > 0) out += fmt::format("\nand {} more without a node\n", rest);
  return out;
}

}  // namespace basalt::cli
