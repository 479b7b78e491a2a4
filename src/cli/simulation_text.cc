#include "cli/simulation_text.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <string_view>
#include <vector>

#include "cli/amounts_text.h"
#include "cli/json_fields.h"
#include "cli/text_table.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

// A gang of thousands is told in its figures.
constexpr std::size_t kMostRows = 200;

std::string NameIn(const json::object& row) {
  return TextAt(&row, "namespace") + "/" + TextAt(&row, "name");
}

std::string AfterIn(const json::object& row) {
  const json::value* after = row.if_contains("after");
  if (!after || !after->is_number()) return "";
  const double seconds = after->to_number<double>();
  if (seconds < 1) return "now";
  return seconds < 120 ? fmt::format("in {:.0f} s", seconds)
                       : fmt::format("in {:.0f} min", seconds / 60);
}

std::string WhyIn(const json::object& row) {
  std::string why = TextAt(&row, "message");
  const std::string change = TextAt(&row, "change");
  if (!change.empty()) why += fmt::format("{}what helps: {}", why.empty() ? "" : "; ", change);
  return why;
}

void AddTable(std::string& out, std::string_view title, const TextRows& rows, std::size_t all) {
  if (rows.size() < 2) return;
  if (!title.empty()) out += fmt::format("\n{}\n", title);
  out += TextTable(rows);
  if (all + 1 > rows.size())
    out += fmt::format("and {} more (-o json has all)\n", all + 1 - rows.size());
}

void AddPods(std::string& out, const json::object& answer, std::string_view key,
             std::string_view title) {
  TextRows rows = {{"POD", "OUTCOME", "NODE", "STARTS", "WHY"}};
  const json::array& pods = ArrayAt(&answer, key);
  // Those that do not run are what people look for.
  for (const bool runs : {false, true}) {
    for (const json::value& value : pods) {
      const json::object& row = ObjectOf(value);
      if ((TextAt(&row, "outcome") == "runs") != runs || rows.size() > kMostRows) continue;
      rows.push_back(
          {NameIn(row), TextAt(&row, "outcome"), TextAt(&row, "node"), AfterIn(row), WhyIn(row)});
    }
  }
  AddTable(out, title, rows, pods.size());
}

void AddQueues(std::string& out, const json::object& answer) {
  TextRows rows = {{"QUEUE", "ALLOCATED", "THEN", "WAITING PODS", "THEN"}};
  for (const json::value& value : ArrayAt(&answer, "queues")) {
    const json::object& row = ObjectOf(value);
    const json::object* before = ObjectAt(row, {"before"});
    const json::object* after = ObjectAt(row, {"after"});
    const auto amounts = [](const json::object* at) {
      return AmountsText(at ? ObjectAt(*at, {"allocated"}) : nullptr);
    };
    rows.push_back({TextAt(&row, "name"), amounts(before), amounts(after),
                    fmt::format("{}", NumberAt(before, "waitingPods")),
                    fmt::format("{}", NumberAt(after, "waitingPods"))});
  }
  AddTable(out, "Queues", rows, rows.size() - 1);
}

void AddFragmentation(std::string& out, const json::object& answer) {
  const json::object* before = ObjectAt(answer, {"fragmentation", "before"});
  const json::object* after = ObjectAt(answer, {"fragmentation", "after"});
  if (!before || !after) return;
  TextRows rows = {{"RESOURCE", "FRAGMENTED", "THEN"}};
  for (const auto& [name, value] : *after) {
    const json::value* was = before->if_contains(name);
    const auto percent = [](const json::value* part) {
      return part ? fmt::format("{:.0f} %", 100 * part->to_number<double>()) : std::string("-");
    };
    if (was && *was == value) continue;
    rows.push_back({std::string(name), percent(was), percent(&value)});
  }
  AddTable(out, "Free room on nodes that run pods, of all free room", rows, rows.size() - 1);
}

std::string AutoscalersLine(const json::object& answer) {
  const auto counts = [&](std::string_view who) {
    const json::object* by_sight = ObjectAt(answer, {"autoscalers", who});
    return fmt::format("{} seen, {} counted as placed, {} not seen", NumberAt(by_sight, "seen"),
                       NumberAt(by_sight, "placed"), NumberAt(by_sight, "not seen"));
  };
  return fmt::format("Pods without a node: Cluster Autoscaler {}; Karpenter {}\n",
                     counts("clusterAutoscaler"), counts("karpenter"));
}

}  // namespace

std::string SimulationText(const json::object& answer) {
  std::string out;
  AddPods(out, answer, "pods", "");
  const std::int64_t waiting = NumberAt(&answer, "waiting");
  const std::size_t asked =
      ArrayAt(&answer, "pods").size() + ArrayAt(&answer, "reservations").size();
  out += fmt::format("{}{} of {} would wait\n", out.empty() ? "" : "\n", waiting, asked);
  TextRows reservations = {{"RESERVATION", "PHASE", "NODES", "WHY"}};
  for (const json::value& value : ArrayAt(&answer, "reservations")) {
    const json::object& row = ObjectOf(value);
    std::vector<std::string> nodes;
    for (const json::value& node : ArrayAt(&row, "nodes")) {
      if (node.is_string()) nodes.emplace_back(node.get_string());
    }
    reservations.push_back({NameIn(row), TextAt(&row, "phase"),
                            fmt::format("{}", fmt::join(nodes, ", ")), TextAt(&row, "message")});
  }
  AddTable(out, "Reservations", reservations, reservations.size() - 1);
  AddPods(out, answer, "others", "Others that would start");
  TextRows evictions = {{"EVICTED", "FROM", "FOR", "BY"}};
  for (const json::value& value : ArrayAt(&answer, "evictions")) {
    const json::object& row = ObjectOf(value);
    evictions.push_back(
        {NameIn(row), TextAt(&row, "node"), TextAt(&row, "for"), TextAt(&row, "action")});
  }
  AddTable(out, "Evictions", evictions, evictions.size() - 1);
  TextRows promises = {{"PROMISED TO", "NODE", "UNTIL"}};
  for (const json::value& value : ArrayAt(&answer, "promises")) {
    const json::object& row = ObjectOf(value);
    promises.push_back({NameIn(row), TextAt(&row, "node"), TextAt(&row, "until")});
  }
  AddTable(out, "Promises", promises, promises.size() - 1);
  AddQueues(out, answer);
  AddFragmentation(out, answer);
  out += "\n";
  if (const std::size_t gates = ArrayAt(&answer, "gatesOpened").size(); gates > 0) {
    out += fmt::format("Gates that would open: {}\n", gates);
  }
  out += AutoscalersLine(answer);
  if (const json::object* played = ObjectAt(answer, {"played"})) {
    const json::value* quiet = played->if_contains("quiet");
    out += quiet && quiet->is_bool() && quiet->as_bool()
               ? fmt::format("Quiet after {:.0f} s\n", DoubleAt(played, "seconds"))
               : std::string("Not quiet within the horizon (--horizon)\n");
  }
  const json::object* version = ObjectAt(answer, {"version"});
  out += fmt::format("As of {} (state {}, cycle {})\n", TextAt(version, "time"),
                     NumberAt(version, "generation"), NumberAt(version, "cycle"));
  return out;
}

}  // namespace basalt::cli
