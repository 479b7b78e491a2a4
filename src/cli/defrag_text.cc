#include "cli/defrag_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "cli/json_fields.h"
#include "cli/text_table.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;
using Rows = std::vector<std::vector<std::string>>;

double NumberIn(const json::object* object, std::string_view key) {
  const json::value* value = object ? object->if_contains(key) : nullptr;
  if (!value || !value->is_number()) return 0;
  return value->to_number<double>();
}

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

Rows MoveRows(const json::object& plan) {
  Rows rows = {{"NAMESPACE", "POD", "FROM", "TO", "REQUEST", "STATE", "REASON"}};
  ForEachObject(plan, "moves", [&](const json::object& move) {
    rows.push_back({TextAt(&move, "namespace"), TextAt(&move, "pod"), TextAt(&move, "from"),
                    TextAt(&move, "to"), RequestText(move), TextAt(&move, "state"),
                    TextAt(&move, "reason")});
  });
  return rows;
}

// The least used first that change, as they are in the plan.
Rows NodeRows(const json::object& plan, bool bars) {
  Rows rows = {{"NODE", "ROLE", "BEFORE", "AFTER"}};
  const std::string resource = TextAt(&plan, "resourceType");
  ForEachObject(plan, "nodes", [&](const json::object& node) {
    const double before = NumberIn(ObjectAt(node, {"before"}), resource);
    const double after = NumberIn(ObjectAt(node, {"after"}), resource);
    const auto text = [&](double percent) {
      const std::string number = fmt::format("{:.1f}%", percent);
      return bars ? fmt::format("{} {:>6}", PercentBar(percent), number) : number;
    };
    rows.push_back({TextAt(&node, "name"), TextAt(&node, "role"), text(before), text(after)});
  });
  return rows;
}

Rows BlockedRows(const json::object& plan) {
  Rows rows = {{"NODE", "POD", "REASON"}};
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
  std::string resources;
  if (const json::object* amounts = freed ? ObjectAt(*freed, {"resources"}) : nullptr) {
    for (const auto& [resource, amount] : *amounts) {
      if (!amount.is_string()) continue;
      resources += fmt::format("{}{} {}", resources.empty() ? "" : ", ", std::string_view(resource),
                               std::string_view(amount.get_string()));
    }
  }
  return fmt::format("frees {} node{}{}\n", nodes.size(), nodes.size() == 1 ? "" : "s",
                     resources.empty() ? "" : ": " + resources);
}

}  // namespace

std::string PercentBar(double percent, int width) {
  constexpr std::string_view kParts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double part = std::clamp(std::isfinite(percent) ? percent : 0.0, 0.0, 100.0) / 100;
  const int eighths = static_cast<int>(std::lround(part * width * 8));
  std::string bar;
  for (int i = 0; i < eighths / 8; ++i) bar += "█";
  bar += kParts[eighths % 8];
  for (int i = (eighths + 7) / 8; i < width; ++i) bar += "·";
  return bar;
}

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
  std::string text =
      fmt::format("{} {} of {} moves",
                  PercentBar(all ? 100.0 * ended / static_cast<double>(all) : 0), ended, all);
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
