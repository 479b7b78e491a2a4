#include "cli/explanation_text.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <string_view>
#include <vector>

#include "cli/colours.h"
#include "cli/help_text.h"
#include "cli/text_table.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

// "" where there is none.
std::string Text(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (!value || value->is_null()) return "";
  return value->is_string() ? std::string(value->as_string()) : json::serialize(*value);
}

json::array Items(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_array() ? value->as_array() : json::array();
}

std::string Amounts(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  std::vector<std::string> parts;
  if (value && value->is_object()) {
    for (const auto& [name, amount] : value->as_object()) {
      parts.push_back(fmt::format("{} {}", std::string_view(name),
                                  amount.is_string() ? std::string(amount.as_string()) : ""));
    }
  }
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, ", "));
}

void Line(std::string& out, std::string_view what, std::string_view text) {
  if (text.empty()) return;
  const std::size_t width = TerminalWidth();
  out += fmt::format("{:<9}{}\n", fmt::format("{}:", what),
                     width > 0 ? Wrapped(text, 9, width) : std::string(text));
}

}  // namespace

std::string ExplanationText(const json::object& explanation) {
  const std::string ns = Text(explanation, "namespace");
  std::string out = fmt::format("{} {}{}\n", Text(explanation, "kind"), ns.empty() ? "" : ns + "/",
                                Text(explanation, "name"));
  Line(out, "Stage", Text(explanation, "stage"));
  Line(out, "Reason", Text(explanation, "reason"));
  Line(out, "Message", Text(explanation, "message"));
  if (const json::array nodes = Items(explanation, "nodes"); !nodes.empty()) {
    out += "Nodes:\n";
    for (const json::value& node : nodes) {
      out += fmt::format("  {:>6}  {}\n", Text(node.as_object(), "count"),
                         Text(node.as_object(), "reason"));
    }
  }
  if (const json::value* queue = explanation.if_contains("queue"); queue && queue->is_object()) {
    const json::object& short_queue = queue->as_object();
    const std::string resource = Text(short_queue, "resource");
    Line(out, "Queue",
         Text(short_queue, "name") +
             (resource.empty() ? "" : fmt::format(" is short of {}", resource)));
    for (const json::value& holder : Items(short_queue, "holders")) {
      const json::object& row = holder.as_object();
      const std::string since = Text(row, "claimedSince");
      out += fmt::format("  {:>8}  {} {}/{} (queue {}{})\n", Text(row, "amount"), Text(row, "kind"),
                         Text(row, "namespace"), Text(row, "name"), Text(row, "queue"),
                         since.empty() ? "" : fmt::format(", admitted {}, no node", since));
    }
  }
  Line(out, "Until", Text(explanation, "until"));
  Line(out, "Change", Text(explanation, "change"));
  if (const json::array waiting = Items(explanation, "waiting"); !waiting.empty()) {
    out += fmt::format("Waiting: {} group(s)\n", Text(explanation, "waitingTotal"));
    for (const json::value& one : waiting) {
      const json::object& row = one.as_object();
      out += fmt::format("  {}/{}  {}: {}\n", Text(row, "namespace"), Text(row, "name"),
                         Text(row, "stage"), Text(row, "message"));
    }
  }
  return out;
}

std::string ScaleText(const json::object& answer) {
  std::string out = Text(answer, "message") + "\n";
  const json::array pods = Items(answer, "items");
  if (pods.empty()) return out;
  const auto sight = [](const json::object& row, std::string_view who) {
    const json::value* seen = row.if_contains(who);
    if (!seen || !seen->is_object()) return std::string();
    const std::string word = Text(seen->as_object(), "sight");
    const std::string why = Text(seen->as_object(), "why");
    return word == "placed" ? why : fmt::format("{}: {}", word, why);
  };
  std::vector<std::vector<std::string>> rows = {
      {"NAMESPACE", "NAME", "QUEUE", "CLUSTER AUTOSCALER", "KARPENTER"}};
  for (const json::value& pod : pods) {
    const json::object& row = pod.as_object();
    rows.push_back({Text(row, "namespace"), Text(row, "name"), Text(row, "queue"),
                    sight(row, "clusterAutoscaler"), sight(row, "karpenter")});
  }
  return out + TextTable(rows);
}

std::string PodGroupsText(const json::object& answer, bool wide) {
  const json::array groups = Items(answer, "items");
  if (groups.empty()) return "No PodGroups.\n";
  std::vector<std::vector<std::string>> rows = {
      {"NAMESPACE", "NAME", "QUEUE", "PHASE", "MINMEMBER", "PODS", "PENDING", "RUNNING", "KIND"}};
  if (wide) {
    rows[0].insert(rows[0].end(), {"PIPELINED", "SUCCEEDED", "FAILED", "CREATED"});
  }
  for (const json::value& group : groups) {
    const json::object& row = group.as_object();
    rows.push_back(
        {Text(row, "namespace"), Text(row, "name"), Text(row, "queue"), Text(row, "phase"),
         Text(row, "minMember"), Text(row, "pods"), Text(row, "pending"), Text(row, "running"),
         Text(row, "shadow") == "true" ? "shadow of pod " + Text(row, "pod") : "PodGroup"});
    if (wide) {
      rows.back().insert(rows.back().end(), {Text(row, "pipelined"), Text(row, "succeeded"),
                                             Text(row, "failed"), Text(row, "created")});
    }
  }
  return TextTable(rows);
}

std::string QueueText(const json::object& queue) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [key, value] : queue) {
    rows.push_back(
        {std::string(key) + ":", value.is_object() ? Amounts(queue, key) : Text(queue, key)});
  }
  return TextTable(rows);
}

}  // namespace basalt::cli
