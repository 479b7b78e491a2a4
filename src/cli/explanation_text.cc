#include "cli/explanation_text.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <string_view>

#include "cli/amounts_text.h"
#include "cli/colours.h"
#include "cli/help_text.h"
#include "cli/json_fields.h"
#include "cli/text_table.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

void Line(std::string& out, std::string_view what, std::string_view text) {
  if (text.empty()) return;
  const std::size_t width = TerminalWidth();
  out += fmt::format("{:<9}{}\n", fmt::format("{}:", what),
                     width > 0 ? Wrapped(text, 9, width) : std::string(text));
}

void AddShortQueue(std::string& out, const json::object& queue) {
  const std::string resource = ValueText(queue, "resource");
  Line(out, "Queue",
       ValueText(queue, "name") +
           (resource.empty() ? "" : fmt::format(" is short of {}", resource)));
  for (const json::value& holder : ArrayAt(&queue, "holders")) {
    const json::object& row = ObjectOf(holder);
    const std::string since = ValueText(row, "claimedSince");
    out += fmt::format("  {:>8}  {} {}/{} (queue {}{})\n", ValueText(row, "amount"),
                       ValueText(row, "kind"), ValueText(row, "namespace"), ValueText(row, "name"),
                       ValueText(row, "queue"),
                       since.empty() ? "" : fmt::format(", admitted {}, no node", since));
  }
}

// What an autoscaler makes of a pod.
Cell SightCell(std::string_view who) {
  return [who](const json::object& pod) -> std::string {
    const json::object* seen = ObjectAt(pod, {who});
    if (!seen) return "";
    const std::string word = ValueText(*seen, "sight"), why = ValueText(*seen, "why");
    return word == "placed" ? why : fmt::format("{}: {}", word, why);
  };
}

std::string GroupKind(const json::object& group) {
  return ValueText(group, "shadow") == "true" ? "shadow of pod " + ValueText(group, "pod")
                                              : "PodGroup";
}

}  // namespace

std::string ExplanationText(const json::object& explanation) {
  const std::string ns = ValueText(explanation, "namespace");
  std::string out = fmt::format("{} {}{}\n", ValueText(explanation, "kind"),
                                ns.empty() ? "" : ns + "/", ValueText(explanation, "name"));
  Line(out, "Stage", ValueText(explanation, "stage"));
  Line(out, "Reason", ValueText(explanation, "reason"));
  Line(out, "Message", ValueText(explanation, "message"));
  if (const json::array& nodes = ArrayAt(&explanation, "nodes"); !nodes.empty()) {
    out += "Nodes:\n";
    for (const json::value& node : nodes) {
      out += fmt::format("  {:>6}  {}\n", ValueText(ObjectOf(node), "count"),
                         ValueText(ObjectOf(node), "reason"));
    }
  }
  if (const json::object* queue = ObjectAt(explanation, {"queue"})) AddShortQueue(out, *queue);
  Line(out, "Until", ValueText(explanation, "until"));
  Line(out, "Change", ValueText(explanation, "change"));
  if (const json::array& waiting = ArrayAt(&explanation, "waiting"); !waiting.empty()) {
    out += fmt::format("Waiting: {} group(s)\n", ValueText(explanation, "waitingTotal"));
    for (const json::value& one : waiting) {
      const json::object& row = ObjectOf(one);
      out += fmt::format("  {}/{}  {}: {}\n", ValueText(row, "namespace"), ValueText(row, "name"),
                         ValueText(row, "stage"), ValueText(row, "message"));
    }
  }
  return out;
}

std::string ScaleText(const json::object& answer) {
  const std::string out = ValueText(answer, "message") + "\n";
  const json::array& pods = ArrayAt(&answer, "items");
  if (pods.empty()) return out;
  return out + ObjectTable("pods", pods,
                           {{"NAMESPACE", TextCell({"namespace"})},
                            {"NAME", TextCell({"name"})},
                            {"QUEUE", TextCell({"queue"})},
                            {"CLUSTER AUTOSCALER", SightCell("clusterAutoscaler")},
                            {"KARPENTER", SightCell("karpenter")}});
}

std::string PodGroupsText(const json::array& groups, const TableForm& form) {
  using enum Column::When;
  return ObjectTable("PodGroups", groups,
                     {{"NAMESPACE", TextCell({"namespace"})},
                      {"NAME", TextCell({"name"})},
                      {"QUEUE", TextCell({"queue"})},
                      {"PHASE", TextCell({"phase"})},
                      {"MINMEMBER", TextCell({"minMember"})},
                      {"PODS", TextCell({"pods"})},
                      {"PENDING", TextCell({"pending"})},
                      {"RUNNING", TextCell({"running"})},
                      {"KIND", GroupKind},
                      {"PIPELINED", TextCell({"pipelined"}), kWide},
                      {"SUCCEEDED", TextCell({"succeeded"}), kWide},
                      {"FAILED", TextCell({"failed"}), kWide},
                      {"CREATED", TextCell({"created"}), kWide}},
                     form);
}

std::string QueueText(const json::object& queue) {
  TextRows rows;
  for (const auto& [key, value] : queue) {
    rows.push_back({std::string(key) + ":",
                    value.is_object() ? AmountsText(&value.get_object()) : ValueText(queue, key)});
  }
  return TextTable(std::move(rows));
}

}  // namespace basalt::cli
