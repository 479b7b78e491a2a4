#include "cli/status_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "cli/amounts_text.h"
#include "cli/colours.h"
#include "cli/json_fields.h"
#include "cli/object_table.h"
#include "cli/text_table.h"
#include "cli/version.h"
#include "kube/types/quantity.h"
#include "kube/types/time.h"

namespace basalt::cli {
namespace {

namespace json = boost::json;

// So many queues leave room for the rest on a screen of 24 lines.
constexpr std::size_t kMostQueues = 8;

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
struct QueueRow {
  const json::object* queue;
  double part = 0;
  std::string of;
};
QueueRow RowOf(const json::object& queue, const json::object* cluster) {
  QueueRow row{.queue = &queue};
  const json::object* allocated = ObjectAt(queue, {"allocated"});
  const json::object* capability = ObjectAt(queue, {"capability"});
  if (!allocated || !cluster) return row;
  for (const auto& [name, amount] : *cluster) {
    const bool limited = capability && capability->contains(name);
    const json::object* limit = limited ? capability : cluster;
    const double most = NumberOf(limit, name);
    const double part = most > 0 ? NumberOf(allocated, name) / most : 0;
    if (!row.of.empty() && part <= row.part) continue;
    const std::string has = TextAt(allocated, name);
    row.part = part;
    row.of = fmt::format("{} {} of {}{}", std::string_view(name), has.empty() ? "0" : has,
                         TextAt(limit, name), limited ? "" : " (the cluster's)");
  }
  return row;
}

std::string QueuesText(const json::object& status, bool wide) {
  std::vector<QueueRow> queues;
  for (const json::value& item : ArrayAt(&status, "queues")) {
    const json::object& queue = ObjectOf(item);
    if (TextAt(&queue, "name") == "root") continue;
    queues.push_back(RowOf(queue, ObjectAt(status, {"nodes", "allocatable"})));
  }
  const std::size_t all = queues.size();
  if (!wide && all > kMostQueues) {
    std::ranges::stable_sort(queues, std::ranges::greater(), [](const QueueRow& row) {
      return std::pair(NumberAt(row.queue, "waitingPods"), row.part);
    });
    queues.resize(kMostQueues);
  }
  TextRows rows = {
      {"QUEUE", "STATE", "FULL", "", "OF", "RUNNING", "INQUEUE", "PENDING", "PODS WAITING"}};
  for (const QueueRow& row : queues) {
    rows.push_back({TextAt(row.queue, "name"), TextAt(row.queue, "state"), Bar(row.part),
                    Percent(row.part), row.of});
    for (const char* count : {"running", "inqueue", "pending", "waitingPods"}) {
      rows.back().push_back(std::to_string(NumberAt(row.queue, count)));
    }
  }
  std::string text = TextTable(std::move(rows));
  if (all > queues.size()) {
    text += fmt::format("and {} (-o wide has all)\n",
                        Plural(static_cast<std::int64_t>(all - queues.size()), "more queue"));
  }
  return text;
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

std::string LeadersText(const json::object& status, Time now) {
  std::string out;
  const std::string since = TextAt(ObjectAt(status, {"activity"}), "leadsSince");
  const std::string unknown = TextAt(&status, "leasesUnknown");
  const json::array& leases = ArrayAt(&status, "leases");
  if (leases.empty()) {
    Entry(out, "Leaders",
          fmt::format("{}; the scheduler works since {}",
                      unknown.empty() ? "no leases: each role runs alone"
                                      : fmt::format("leases cannot be read: {}", unknown),
                      since.empty() ? "-" : since));
    return out;
  }
  return ObjectTable("leases", leases,
                     {{"LEASE", TextCell({"name"})},
                      {"HELD BY", TextCell({"holder"}, "nobody")},
                      {"RENEWED", [now](const json::object& lease) {
                         return Ago(TextAt(&lease, "renewTime"), now);
                       }}});
}

}  // namespace

json::array LeaseRows(const json::array& leases) {
  json::array rows;
  for (const json::value& item : leases) {
    const json::object* spec = ObjectAt(ObjectOf(item), {"spec"});
    rows.push_back(json::object{{"name", MetaText(ObjectOf(item), "name")},
                                {"holder", TextAt(spec, "holderIdentity")},
                                {"renewTime", TextAt(spec, "renewTime")}});
  }
  return rows;
}

std::string StatusText(const json::object& status, std::string_view server, Time now, bool wide) {
  const json::object* activity = ObjectAt(status, {"activity"});
  const json::object* claims = ObjectAt(status, {"claims"});
  std::string out =
      fmt::format("basalt {} on {}, {}\n\n", Version(), server, kube::FormatTime(now));
  out += LeadersText(status, now) + "\n";
  Entry(out, "Last cycle", LastCycleText(activity, now));
  Entry(out, "Nodes", NodesText(status));
  out += UsageText(status) + "\n" + QueuesText(status, wide) + "\n";
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
