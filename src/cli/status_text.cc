#include "cli/status_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cli/colours.h"
#include "cli/json_fields.h"
#include "cli/text_table.h"
#include "cli/version.h"
#include "kube/types/quantity.h"
#include "kube/types/time.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

constexpr int kBarPlaces = 10;

std::string Plural(std::int64_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

void Entry(std::string& out, std::string_view what, std::string_view text) {
  const std::string head = fmt::format("{:<15}", what);
  out += Paint(Colour::kHead, head) + std::string(text) + "\n";
}

double NumberOf(const json::object* amounts, std::string_view resource) {
  const auto quantity = kube::Quantity::Parse(TextAt(amounts, resource));
  return quantity ? quantity->ToDouble() : 0;
}

// "4s ago"; "" where the time cannot be read.
std::string Ago(const std::string& time, Time now) {
  const auto then = kube::ParseTime(time);
  if (!then) return "";
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::max(now - *then, Duration{0}));
  return kube::FormatDuration(seconds) + " ago";
}

double DoubleAt(const json::object* object, std::string_view key) {
  const json::value* value = object ? object->if_contains(key) : nullptr;
  if (!value) return 0;
  boost::system::error_code wrong;
  const double number = value->to_number<double>(wrong);
  return wrong ? 0 : number;
}

std::string LastCycleText(const json::object* activity, Time now) {
  const json::object* cycle = activity ? ObjectAt(*activity, {"lastCycle"}) : nullptr;
  if (!cycle) return "none yet";
  std::string text = fmt::format("number {}, {}, took {:.1f} ms", NumberAt(cycle, "number"),
                                 Ago(TextAt(cycle, "at"), now), DoubleAt(cycle, "milliseconds"));
  if (const std::int64_t left = NumberAt(cycle, "jobsPutOff"); left > 0) {
    text += fmt::format(", left {} to the next", Plural(left, "job"));
  }
  if (const json::object* decided = ObjectAt(*activity, {"lastDecision"})) {
    text += fmt::format("; last decision {}: {}, {}, {}", Ago(TextAt(decided, "at"), now),
                        Plural(NumberAt(decided, "binds"), "bind"),
                        Plural(NumberAt(decided, "promises"), "promise"),
                        Plural(NumberAt(decided, "evictions"), "eviction"));
  }
  return text;
}

std::string PaintedBar(double part) {
  return Paint(part >= 0.95   ? Colour::kBad
               : part >= 0.75 ? Colour::kWaiting
                              : Colour::kGood,
               Bar(part));
}

std::string Percent(double part) { return fmt::format("{:.0f}%", part * 100); }

std::string NodesText(const json::object& status) {
  const json::object* nodes = ObjectAt(status, {"nodes"});
  const std::int64_t total = NumberAt(nodes, "total"), ready = NumberAt(nodes, "ready");
  std::string text = fmt::format("{} of {} ready", ready, total);
  if (ready < total) text = Paint(Colour::kBad, text);
  if (const std::int64_t cordoned = NumberAt(nodes, "cordoned"); cordoned > 0) {
    text += fmt::format(", {} cordoned", cordoned);
  }
  return text + fmt::format("; {} on them", Plural(NumberAt(&status, "runningPods"), "pod"));
}

std::string UsageText(const json::object& status) {
  const json::object* all = ObjectAt(status, {"nodes", "allocatable"});
  const json::object* used = ObjectAt(status, {"nodes", "used"});
  std::string out;
  if (!all) return out;
  for (const auto& [name, amount] : *all) {
    const double most = NumberOf(all, name);
    const double part = most > 0 ? NumberOf(used, name) / most : 0;
    out += fmt::format("  {:<13}{} {:>4}  {} of {}\n", std::string_view(name), PaintedBar(part),
                       Percent(part), TextAt(used, name), TextAt(all, name));
  }
  return out;
}

// Where the queue is fullest of its limit or, where it has none, of the cluster.
struct Fullest {
  double part = 0;
  std::string text;
};
Fullest FullestOf(const json::object& queue, const json::object* cluster) {
  Fullest fullest;
  const json::object* allocated = ObjectAt(queue, {"allocated"});
  const json::object* capability = ObjectAt(queue, {"capability"});
  if (!allocated || !cluster) return fullest;
  for (const auto& [name, amount] : *cluster) {
    const bool limited = capability && capability->contains(name);
    const json::object* limit = limited ? capability : cluster;
    const double most = NumberOf(limit, name);
    const double part = most > 0 ? NumberOf(allocated, name) / most : 0;
    if (!fullest.text.empty() && part <= fullest.part) continue;
    const std::string has = TextAt(allocated, name);
    fullest = {part, fmt::format("{} {} of {}{}", std::string_view(name), has.empty() ? "0" : has,
                                 TextAt(limit, name), limited ? "" : " (the cluster's)")};
  }
  return fullest;
}

std::string QueuesText(const json::object& status) {
  std::vector<std::vector<std::string>> rows = {
      {"QUEUE", "STATE", "FULL", "", "OF", "RUNNING", "INQUEUE", "PENDING", "PODS WAITING"}};
  const json::object* cluster = ObjectAt(status, {"nodes", "allocatable"});
  for (const json::value& item : ArrayAt(&status, "queues")) {
    const json::object* queue = item.if_object();
    if (!queue || TextAt(queue, "name") == "root") continue;
    const Fullest fullest = FullestOf(*queue, cluster);
    rows.push_back({TextAt(queue, "name"), TextAt(queue, "state"), Bar(fullest.part),
                    Percent(fullest.part), fullest.text, std::to_string(NumberAt(queue, "running")),
                    std::to_string(NumberAt(queue, "inqueue")),
                    std::to_string(NumberAt(queue, "pending")),
                    std::to_string(NumberAt(queue, "waitingPods"))});
  }
  return TextTable(rows);
}

std::string WaitingText(const json::object& status) {
  std::vector<std::string> parts;
  std::int64_t all = 0;
  for (const json::value& item : ArrayAt(&status, "waiting")) {
    const json::object* row = item.if_object();
    all += NumberAt(row, "pods");
    parts.push_back(fmt::format("{} {}", NumberAt(row, "pods"), TextAt(row, "reason")));
  }
  if (parts.empty()) return "nothing waits";
  return fmt::format("{}: {}", Plural(all, "pod"), fmt::join(parts, ", "));
}

std::string CountsText(const json::object* counts, std::string_view none) {
  std::vector<std::string> parts;
  if (counts) {
    for (const auto& [name, count] : *counts) {
      if (NumberAt(counts, name) > 0) {
        parts.push_back(fmt::format("{} {}", NumberAt(counts, name), std::string_view(name)));
      }
    }
  }
  return parts.empty() ? std::string(none) : fmt::format("{}", fmt::join(parts, ", "));
}

std::string FragmentationText(const json::object& status) {
  std::vector<std::string> parts;
  if (const json::object* ratios = ObjectAt(status, {"fragmentation"})) {
    for (const auto& [name, ratio] : *ratios) {
      parts.push_back(
          fmt::format("{} {}", std::string_view(name), Percent(DoubleAt(ratios, name))));
    }
  }
  if (parts.empty()) return "no free room to speak of";
  return fmt::format("of the free room {} is beside pods", fmt::join(parts, ", "));
}

std::string LeadersText(const json::array& leases, const json::object* activity, Time now) {
  std::string out;
  const std::string since = TextAt(activity, "leadsSince");
  if (leases.empty()) {
    Entry(out, "Leaders",
          fmt::format("no leases: each role runs alone; the scheduler works since {}",
                      since.empty() ? "-" : since));
    return out;
  }
  std::vector<std::vector<std::string>> rows = {{"LEASE", "HELD BY", "RENEWED"}};
  for (const json::value& item : LeaseRows(leases)) {
    const json::object* lease = item.if_object();
    const std::string holder = TextAt(lease, "holder");
    rows.push_back({TextAt(lease, "name"), holder.empty() ? "nobody" : holder,
                    Ago(TextAt(lease, "renewTime"), now)});
  }
  return TextTable(rows);
}

}  // namespace

std::string Bar(double part) {
  const int full = std::clamp(static_cast<int>(std::lround(part * kBarPlaces)), 0, kBarPlaces);
  std::string bar;
  for (int i = 0; i < kBarPlaces; ++i) bar += i < full ? "█" : "░";
  return bar;
}

json::array LeaseRows(const json::array& leases) {
  json::array rows;
  for (const json::value& item : leases) {
    const json::object* lease = item.if_object();
    if (!lease) continue;
    const json::object* spec = ObjectAt(*lease, {"spec"});
    rows.push_back(json::object{{"name", TextAt(ObjectAt(*lease, {"metadata"}), "name")},
                                {"holder", TextAt(spec, "holderIdentity")},
                                {"renewTime", TextAt(spec, "renewTime")}});
  }
  return rows;
}

std::string StatusText(const json::object& status, const json::array& leases,
                       std::string_view server, Time now) {
  const json::object* activity = ObjectAt(status, {"activity"});
  const json::object* claims = ObjectAt(status, {"claims"});
  std::string out =
      fmt::format("basalt {} on {}, {}\n\n", Version(), server, kube::FormatTime(now));
  out += LeadersText(leases, activity, now) + "\n";
  Entry(out, "Last cycle", LastCycleText(activity, now));
  Entry(out, "Nodes", NodesText(status));
  out += UsageText(status) + "\n" + QueuesText(status) + "\n";
  Entry(out, "Waiting", WaitingText(status));
  Entry(out, "Claims",
        fmt::format("{} admitted without a node, {} promised one", NumberAt(claims, "withoutNode"),
                    NumberAt(claims, "promised")));
  Entry(out, "Evictions",
        fmt::format("{} in the last hour", NumberAt(activity, "evictionsLastHour")));
  Entry(out, "Reservations", CountsText(ObjectAt(status, {"reservations"}), "none"));
  Entry(out, "Fragmentation", FragmentationText(status));
  return out;
}

}  // namespace basalt::cli
