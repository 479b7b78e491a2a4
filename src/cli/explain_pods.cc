#include "cli/explain_pods.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "cli/batch_flags.h"
#include "cli/explanation_text.h"
#include "cli/json_fields.h"
#include "net/url.h"

namespace basalt::cli {
namespace json = boost::json;

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
  auto cluster = ClusterSession::Open(flags.cluster);
  if (!cluster) return std::unexpected(cluster.error());
  AskFlags ask = flags;
  if (ask.ns.empty()) ask.ns = (*cluster)->ns();
  if (ask.all_namespaces) ask.ns.clear();
  const auto pods = ListObjects(**cluster, kube::resources::kPods, ask.ns, {labels});
  if (!pods) return std::unexpected(pods.error());
  if (pods->empty()) {
    return Fail(ErrorCode::kNotFound,
                ask.all_namespaces ? fmt::format("{} has no pods", whose)
                                   : fmt::format("{} has no pods in namespace {}", whose, ask.ns));
  }
  json::array explained;
  std::int64_t placed = 0;
  for (const json::value& item : *pods) {
    const json::object& pod = ObjectOf(item);
    if (!TextAt(ObjectAt(pod, {"spec"}), "nodeName").empty()) {
      ++placed;
      continue;
    }
    if (explained.size() == kMostExplained) continue;
    ask.ns = MetaText(pod, "namespace");
    auto answer = AskScheduler(ask, fmt::format("/v1/explain/pod/{{namespace}}/{}",
                                                net::PercentEncode(MetaText(pod, "name"))));
    if (!answer && answer.error().code == ErrorCode::kNotFound) continue;  // it has just come
    if (!answer) return std::unexpected(answer.error());
    explained.push_back(std::move(*answer));
  }
  return json::object{{"pods", static_cast<std::int64_t>(pods->size())},
                      {"placed", placed},
                      {"items", std::move(explained)}};
}

Result<json::value> ExplainPodsOfWorkload(const AskFlags& flags, const kube::Resource& kind,
                                          const std::string& name) {
  auto cluster = ClusterSession::Open(flags.cluster);
  if (!cluster) return std::unexpected(cluster.error());
  const std::string& ns = flags.ns.empty() ? (*cluster)->ns() : flags.ns;
  const auto workload = (*cluster)->Send({.path = PathOf(kind, ns, name)});
  if (!workload) return std::unexpected(workload.error());
  const std::string whose = fmt::format("{} {}", kind.kind, name);
  const json::object* selector = ObjectAt(ObjectOf(*workload), {"spec", "selector"});
  if (!selector) return Fail(ErrorCode::kNotFound, whose + " has no selector, and so no pods");
  return ExplainPodsWith(flags, SelectorText(*selector), whose);
}

std::string ExplainedPodsText(const json::object& answer) {
  const std::int64_t pods = NumberAt(&answer, "pods");
  const std::int64_t placed = NumberAt(&answer, "placed");
  std::string out =
      fmt::format("{} of {} pods {} a node.\n", placed, pods, placed == 1 ? "has" : "have");
  const json::array& items = ArrayAt(&answer, "items");
  for (const json::value& item : items) out += "\n" + ExplanationText(ObjectOf(item));
  const std::int64_t rest = pods - placed - static_cast<std::int64_t>(items.size());
  if (rest > 0) out += fmt::format("\nand {} more without a node\n", rest);
  return out;
}

}  // namespace basalt::cli
