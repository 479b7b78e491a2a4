#include "cli/reservation_text.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "cli/amounts_text.h"
#include "cli/json_fields.h"
#include "cli/shown_text.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

std::string OrDash(std::string text) { return text.empty() ? "-" : text; }

std::string AvailableOf(const json::object& reservation) {
  std::int64_t replicas = 0;
  for (const json::value& task : ArrayAt(ObjectAt(reservation, {"spec"}), "tasks")) {
    replicas += NumberAt(task.if_object(), "replicas", 1);
  }
  return fmt::format("{}/{}", NumberAt(ObjectAt(reservation, {"status"}), "available"), replicas);
}

std::string PhaseOf(const json::object& reservation) {
  return OrDash(TextAt(ObjectAt(reservation, {"status", "state"}), "phase"));
}

std::string ObjectText(const json::object& object) {
  std::string text = TextAt(&object, "kind");
  if (const std::string name = TextAt(&object, "name"); !name.empty()) {
    text += (text.empty() ? "" : " ") + name;
  }
  return text.empty() ? JsonText(object) : text;
}

std::string OwnerText(const json::object& owner) {
  std::vector<std::string> parts;
  if (const json::object* object = ObjectAt(owner, {"object"}))
    parts.push_back(ObjectText(*object));
  if (const json::object* selector = ObjectAt(owner, {"labelSelector"})) {
    std::vector<std::string> labels;
    if (const json::object* match = ObjectAt(*selector, {"matchLabels"})) {
      for (const auto& [key, value] : *match) {
        labels.push_back(fmt::format("{}={}", std::string_view(key), TextAt(match, key)));
      }
    }
    for (const json::value& expression : ArrayAt(selector, "matchExpressions")) {
      labels.push_back(JsonText(expression));
    }
    parts.push_back(labels.empty() ? "every pod"
                                   : fmt::format("pods with {}", fmt::join(labels, ",")));
  }
  return fmt::format("{}", fmt::join(parts, " or "));
}

void Field(std::string& out, std::string_view what, std::string_view text) {
  if (!text.empty()) out += fmt::format("{:<15}{}\n", fmt::format("{}:", what), text);
}

}  // namespace

std::string ReservationsText(const json::array& items, const TableForm& form, Time now) {
  using enum Column::When;
  return ObjectTable("reservations", items,
                     {{"NAMESPACE", TextCell({"metadata", "namespace"}), kAllNamespaces},
                      {"NAME", TextCell({"metadata", "name"})},
                      {"PHASE", PhaseOf},
                      {"AVAILABLE", AvailableOf},
                      {"QUEUE", TextCell({"spec", "queue"}, "-")},
                      {"AGE", AgeCell(now)},
                      {"ALLOCATABLE", AmountsCell({"status", "allocatable"}), kWide},
                      {"ALLOCATED", AmountsCell({"status", "allocated"}), kWide},
                      {"EXPIRES", TextCell({"spec", "expires"}), kWide}},
                     form);
}

std::string ReservationText(const json::object& reservation, Time now) {
  const json::object* meta = ObjectAt(reservation, {"metadata"});
  const json::object* spec = ObjectAt(reservation, {"spec"});
  const json::object* state = ObjectAt(reservation, {"status", "state"});
  std::string out;
  Field(out, "Name", TextAt(meta, "namespace") + "/" + TextAt(meta, "name"));
  Field(out, "Phase", PhaseOf(reservation));
  Field(out, "Reason", TextAt(state, "reason"));
  Field(out, "Message", TextAt(state, "message"));
  Field(out, "Available", AvailableOf(reservation));
  Field(out, "Queue", OrDash(TextAt(spec, "queue")));
  Field(out, "Age", AgeCell(now)(reservation));
  Field(out, "TTL", TextAt(spec, "ttl"));
  Field(out, "Expires", TextAt(spec, "expires"));
  Field(out, "Allocatable", AmountsText(ObjectAt(reservation, {"status", "allocatable"})));
  Field(out, "Allocated", AmountsText(ObjectAt(reservation, {"status", "allocated"})));
  if (const json::object* user = ObjectAt(reservation, {"status", "currentOwner"})) {
    Field(out, "Current owner", ObjectText(*user));
  }
  const json::array& owners = ArrayAt(spec, "owners");
  if (owners.empty()) Field(out, "Owners", "only pods that name it");
  for (const json::value& owner : owners) {
    if (const json::object* entry = owner.if_object()) Field(out, "Owner", OwnerText(*entry));
  }
  const json::array& placements = ArrayAt(ObjectAt(reservation, {"status"}), "placements");
  if (placements.empty()) return out;
  return out + "\n" +
         ObjectTable("placements", placements,
                     {{"TASK", TextCell({"task"})},
                      {"INDEX", CountCell({"index"})},
                      {"NODE", TextCell({"node"}, "-")},
                      {"PHASE", TextCell({"phase"})}});
}

}  // namespace basalt::cli
