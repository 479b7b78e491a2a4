#include "cli/reservation_text.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <string_view>
#include <vector>

#include "cli/age_text.h"
#include "cli/json_fields.h"
#include "cli/text_table.h"

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

std::string AmountsOf(const json::object& reservation, std::string_view key) {
  const json::object* amounts = ObjectAt(reservation, {"status", key});
  std::vector<std::string> parts;
  if (amounts) {
    for (const auto& [name, value] : *amounts) {
      parts.push_back(fmt::format(
          "{} {}", std::string_view(name),
          value.is_string() ? std::string(value.get_string()) : json::serialize(value)));
    }
  }
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string ObjectText(const json::object& object) {
  std::string text = TextAt(&object, "kind");
  if (const std::string name = TextAt(&object, "name"); !name.empty()) {
    text += (text.empty() ? "" : " ") + name;
  }
  return text.empty() ? json::serialize(object) : text;
}

std::string OwnerText(const json::object& owner) {
  std::vector<std::string> parts;
  if (const json::object* object = ObjectAt(owner, {"object"}))
    parts.push_back(ObjectText(*object));
  if (const json::object* selector = ObjectAt(owner, {"labelSelector"})) {
    std::vector<std::string> labels;
    if (const json::object* match = ObjectAt(*selector, {"matchLabels"})) {
      for (const auto& [key, value] : *match) {
        labels.push_back(
            fmt::format("{}={}", std::string_view(key),
                        value.is_string() ? std::string(value.get_string()) : std::string()));
      }
    }
    for (const json::value& expression : ArrayAt(selector, "matchExpressions")) {
      labels.push_back(json::serialize(expression));
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

std::string ReservationsText(const json::array& items, bool all_namespaces, Time now, bool wide) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> head = {"NAME", "PHASE", "AVAILABLE", "QUEUE", "AGE"};
  if (wide) head.insert(head.end(), {"ALLOCATABLE", "ALLOCATED", "EXPIRES"});
  if (all_namespaces) head.insert(head.begin(), "NAMESPACE");
  rows.push_back(std::move(head));
  for (const json::value& item : items) {
    const json::object* reservation = item.if_object();
    if (!reservation) continue;
    const json::object* meta = ObjectAt(*reservation, {"metadata"});
    std::vector<std::string> row = {
        TextAt(meta, "name"), PhaseOf(*reservation), AvailableOf(*reservation),
        OrDash(TextAt(ObjectAt(*reservation, {"spec"}), "queue")), AgeText(*reservation, now)};
    if (wide) {
      row.insert(row.end(),
                 {AmountsOf(*reservation, "allocatable"), AmountsOf(*reservation, "allocated"),
                  OrDash(TextAt(ObjectAt(*reservation, {"spec"}), "expires"))});
    }
    if (all_namespaces) row.insert(row.begin(), TextAt(meta, "namespace"));
    rows.push_back(std::move(row));
  }
  return TextTable(rows);
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
  Field(out, "Age", AgeText(reservation, now));
  Field(out, "TTL", TextAt(spec, "ttl"));
  Field(out, "Expires", TextAt(spec, "expires"));
  Field(out, "Allocatable", AmountsOf(reservation, "allocatable"));
  Field(out, "Allocated", AmountsOf(reservation, "allocated"));
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
  std::vector<std::vector<std::string>> rows = {{"TASK", "INDEX", "NODE", "PHASE"}};
  for (const json::value& item : placements) {
    const json::object* placement = item.if_object();
    rows.push_back({TextAt(placement, "task"), std::to_string(NumberAt(placement, "index")),
                    OrDash(TextAt(placement, "node")), TextAt(placement, "phase")});
  }
  return out + "\n" + TextTable(rows);
}

}  // namespace basalt::cli
