#include "cli/defrag_text.h"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "cli/amounts_text.h"
#include "cli/json_fields.h"
#include "cli/text_table.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

constexpr int kBarPlaces = 20;

template <class Visit>
void ForEachObject(const json::object& plan, std::string_view key, Visit visit) {
  for (const json::value& item : ArrayAt(&plan, key)) {
    if (const json::object* object = item.if_object()) visit(*object);
  }
}

std::string RequestText(const json::object& move) {
  const json::object* request = ObjectAt(move, {"request"});
  std::string text;
  if (!request) return text;
  for (const auto& [resource, amount] : *request) {
    if (!amount.is_string()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", std::string_view(resource),
                        std::string_view(amount.get_string()));
  }
  return text;
}

std::string PodText(const json::object& object) {
  const std::string ns = TextAt(&object, "namespace"), pod = TextAt(&object, "pod");
  return ns.empty() ? pod : ns + "/" + pod;
}

TextRows MoveRows(const json::object& plan) {
  TextRows rows = {{"NAMESPACE", "POD", "FROM", "TO", "REQUEST", "STATE", "REASON"}};
  ForEachObject(plan, "moves", [&](const json::object& move) {
    rows.push_back({TextAt(&move, "namespace"), TextAt(&move, "pod"), TextAt(&move, "from"),
                    TextAt(&move, "to"), RequestText(move), TextAt(&move, "state"),
                    TextAt(&move, "reason")});
  });
  return rows;
}

// The least used first that change, as they are in the plan.
TextRows NodeRows(const json::object& plan, bool bars) {
  TextRows rows = {{"NODE", "ROLE", "BEFORE", "AFTER"}};
  const std::string resource = TextAt(&plan, "resourceType");
  ForEachObject(plan, "nodes", [&](const json::object& node) {
    const double before = DoubleAt(ObjectAt(node, {"before"}), resource);
    const double after = DoubleAt(ObjectAt(node, {"after"}), resource);
    const auto text = [&](double percent) {
      const std::string number = fmt::format("{:.1f}%", percent);
      return bars ? fmt::format("{} {:>6}", Bar(percent / 100, kBarPlaces), number) : number;
    };
    rows.push_back({TextAt(&node, "name"), TextAt(&node, "role"), text(before), text(after)});
  });
  return rows;
}

TextRows BlockedRows(const json::object& plan) {
  TextRows rows = {{"NODE", "POD", "REASON"}};
  ForEachObject(plan, "blocked", [&](const json::object& blocked) {
    std::string reason = TextAt(&blocked, "reason");
    std::string counts;
    ForEachObject(blocked, "nodes", [&](const json::object& count) {
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", TextAt(&count, "reason"),
                            NumberAt(&count, "count"));
    });
    if (!counts.empty()) reason += fmt::format(" ({})", counts);
    rows.push_back({TextAt(&blocked, "node"), PodText(blocked), std::move(reason)});
  });
  return rows;
}

std::string FreedText(const json::object& plan) {
  const json::object* freed = ObjectAt(plan, {"freed"});
  const json::array& nodes = ArrayAt(freed, "nodes");
  if (nodes.empty()) return "";
  const json::object* amounts = freed ? ObjectAt(*freed, {"resources"}) : nullptr;
  return fmt::format("frees {} node{}{}\n", nodes.size(), nodes.size() == 1 ? "" : "s",
                     amounts == nullptr || amounts->empty() ? "" : ": " + AmountsText(amounts));
}

}  // namespace

std::string DefragText(const json::object& plan, bool bars) {
  std::string text = fmt::format("plan {}: {}{}\n", TextAt(&plan, "id"), TextAt(&plan, "state"),
                                 TextAt(&plan, "state") == "Planned" ? " (nothing is done)" : "");
  const bool moves = !ArrayAt(&plan, "moves").empty();
  text += moves ? FreedText(plan) + "\n" + TextTable(MoveRows(plan)) : "no moves\n";
  if (!ArrayAt(&plan, "nodes").empty()) text += "\n" + TextTable(NodeRows(plan, bars));
  if (!ArrayAt(&plan, "blocked").empty()) text += "\n" + TextTable(BlockedRows(plan));
  std::string messages;
  ForEachObject(plan, "moves", [&](const json::object& move) {
    if (TextAt(&move, "state") != "Failed") return;
    messages += fmt::format("{}: {}\n", PodText(move), TextAt(&move, "message"));
  });
  if (!messages.empty()) text += "\n" + messages;
  return text;
}

std::string DefragProgress(const json::object& plan) {
  std::map<std::string, int> states;
  const std::size_t all = ArrayAt(&plan, "moves").size();
  ForEachObject(plan, "moves", [&](const json::object& m) { ++states[TextAt(&m, "state")]; });
  const int ended = states["Succeeded"] + states["Failed"] + states["Cancelled"];
  std::string text = fmt::format(
      "{} {} of {} moves", Bar(all ? ended / static_cast<double>(all) : 0, kBarPlaces), ended, all);
  const std::pair<const char*, const char*> under_way[] = {{"Reserving", "reserving"},
                                                           {"Evicting", "evicting"},
                                                           {"Rebinding", "rebinding"},
                                                           {"Failed", "failed"}};
  for (const auto& [state, word] : under_way) {
    if (states[state] > 0) text += fmt::format(", {} {}", states[state], word);
  }
  return text;
}

}  // namespace basalt::cli
